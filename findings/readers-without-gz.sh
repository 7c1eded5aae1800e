#!/bin/sh
# Many sites publish their sitemap as sitemap.xml.gz, too. Three programs read it as if it were text, find no page, and say
# nothing.
. "$(dirname "$0")/begin.sh"
from_pypi langchain-community==0.4.2 beautifulsoup4==4.15.0 lxml==6.1.3 sitemap2atom==0.1.1
from_npm get-sitemap-links@1.1.0

mkdir site
serve site
echo "<p>A page</p>" >site/page.html
cat >site/sitemap.xml <<XML
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>$url/page.html</loc></url></urlset>
XML
gzip -k site/sitemap.xml
cat >read.js <<'JS'
import links from 'get-sitemap-links'
const read = links.default ?? links
console.log(`get-sitemap-links: ${(await read(process.argv[2])).length} pages`)
JS
cat >read.py <<'PYTHON'
import sys

from langchain_community.document_loaders.sitemap import SitemapLoader
from sitemap2atom import fetch_sitemap_urls

print("LangChain:", len(SitemapLoader(sys.argv[1]).load()), "pages")
print("sitemap2atom:", len(fetch_sitemap_urls(sys.argv[1])), "pages")
PYTHON
for name in sitemap.xml sitemap.xml.gz; do
  for read in "python read.py" "node read.js"; do
    $read "$url/$name" 2>log | sed "s/^/$name, /"
  done
done >out
cat out
for reader in LangChain sitemap2atom get-sitemap-links; do
  shows out "sitemap.xml, $reader: 1 pages" >log
  shows out "sitemap.xml.gz, $reader: 0 pages" >log
done
