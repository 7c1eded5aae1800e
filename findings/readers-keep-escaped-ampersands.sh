#!/bin/sh
# In XML, a `&` of a URL is written `&amp;`. get-sitemap-links and Percy read the file by a regular expression, and ask for
# another URL, in which the second parameter is named `amp;page`.
. "$(dirname "$0")/begin.sh"
from_npm get-sitemap-links@1.1.0 @percy/cli@1.32.12

mkdir site
serve site
cat >site/sitemap.xml <<XML
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>$url/?lang=en&amp;page=2</loc></url></urlset>
XML
cat >read.js <<'JS'
import links from 'get-sitemap-links'
const read = links.default ?? links
console.log('get-sitemap-links:', ...await read(`${process.env.url}/sitemap.xml`))
JS
node read.js >out
PERCY_CLIENT_ERROR_LOGS=false npx percy snapshot --dry-run "$url/sitemap.xml" 2>&1 | grep "Snapshot found" >>out
shows out "get-sitemap-links: $url/?lang=en&amp;page=2" >log
shows out "[percy] Snapshot found: /?lang=en&amp;page=2"
