#!/bin/sh
# A sitemap may be an index of others. Of five programs that read the pages of a site for a chatbot, a feed, a test or a script,
# one finds no page, and four take the sitemaps in it for pages. None of them says so.
. "$(dirname "$0")/begin.sh"
from_pypi llama-index-readers-web==0.7.0 sitemap2atom==0.1.1
from_npm @langchain/community@1.1.29 @langchain/core@1.1.48 cheerio@1.2.0 sitemap-urls@3.0.0 @percy/cli@1.32.12 --legacy-peer-deps

mkdir site
serve site
namespace='xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
for part in a b; do
  echo "<p>A page</p>" >site/$part.html
  echo "<urlset $namespace><url><loc>$url/$part.html</loc></url></urlset>" >site/$part.xml
done
cat >site/index.xml <<XML
<sitemapindex $namespace>
  <sitemap><loc>$url/a.xml</loc></sitemap>
  <sitemap><loc>$url/b.xml</loc></sitemap>
</sitemapindex>
XML
cat >read.js <<'JS'
import { SitemapLoader } from '@langchain/community/document_loaders/web/sitemap'
const documents = await new SitemapLoader(process.argv[2]).load()
console.log('LangChain for JavaScript:', ...documents.map(one => one.metadata.source))
JS
cat >read.py <<'PYTHON'
import sys

from llama_index.readers.web import SitemapReader
from sitemap2atom import fetch_sitemap_urls

print("sitemap2atom:", *fetch_sitemap_urls(sys.argv[1]))
print("llama-index:", *(one.metadata["Source"] for one in SitemapReader().load_data(sys.argv[1])))
PYTHON
{
  node read.js "$url/index.xml"
  python read.py "$url/index.xml" 2>log || { cat log; exit 1; }
  echo sitemap-urls: $(npx sitemap-urls site/index.xml)
  PERCY_CLIENT_ERROR_LOGS=false npx percy snapshot --dry-run "$url/index.xml" 2>&1 | grep "Snapshot found"
} | sed "s|$url||g" >out
shows out "LangChain for JavaScript: /a.xml /b.xml" >log
shows out "sitemap-urls: /a.xml /b.xml" >log
shows out "sitemap2atom: /a.xml /b.xml" >log
shows out "[percy] Snapshot found: /a.xml" >log
grep -qx "llama-index: *" out || { echo "This has changed: llama-index finds pages." >&2; exit 1; }
cat out
