#!/bin/sh
# A comment may stand behind the root of an XML file. If the last page of a sitemap has nothing but its URL, sitemap-stream-parser
# takes such a comment for another page. A sitemap.xml.gz it packs once more, in place of unpacking it, and finds no page.
. "$(dirname "$0")/begin.sh"
from_npm sitemap-stream-parser@1.7.0

mkdir site
serve site
sitemap() { # ENTRY
  echo "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>$url/</loc>$1</url></urlset>"
  echo "<!-- Made by hand -->"
}
sitemap "<lastmod>2026-05-20</lastmod>" >site/dated.xml
sitemap "" >site/undated.xml
gzip -k site/dated.xml
cat >read.js <<'JS'
import parser from 'sitemap-stream-parser'
const pages = []
parser.parseSitemaps(process.argv[2], page => pages.push(page), error =>
  console.log(error ?? '', pages.length, ...pages.map(page => page.replace(process.env.url, ''))))
JS
for file in dated.xml undated.xml dated.xml.gz; do
  echo "$file:$(node --no-deprecation read.js "$url/$file")"
done >out
shows out "dated.xml: 1 /" >log
shows out "undated.xml: 2 / /%3C!--%20Made%20by%20hand%20--%3E"
shows out "dated.xml.gz: 0" >log
