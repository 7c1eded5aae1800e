#!/bin/sh
# A page of a sitemap needs no `lastmod`. Asked for what changed since a day, sitemapper drops such pages, and kliz keeps them. kliz
# also skips a whole file for its date in the index, with its undated pages.
. "$(dirname "$0")/begin.sh"
from_pypi kliz==0.3.1
from_npm sitemapper@4.1.6

mkdir site
serve site
namespace='xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
cat >site/sitemap.xml <<XML
<urlset $namespace>
  <url><loc>$url/old</loc><lastmod>2026-01-05</lastmod></url>
  <url><loc>$url/new</loc><lastmod>2026-05-20</lastmod></url>
  <url><loc>$url/undated</loc></url>
</urlset>
XML
echo "<sitemapindex $namespace><sitemap><loc>$url/sitemap.xml</loc><lastmod>2026-05-20</lastmod></sitemap></sitemapindex>" >site/index.xml
cat >read.js <<'JS'
import Sitemapper from 'sitemapper'
for (const [name, day] of [['sitemap', '2026-03-01'], ['index', '2026-06-01']]) {
  const url = `${process.env.url}/${name}.xml`
  const { sites } = await new Sitemapper({ url, lastmod: Date.parse(day) }).fetch()
  console.log(`sitemapper, ${name} since ${day}:`, ...sites.map(page => page.replace(process.env.url, '')))
}
JS
node read.js >out
python - >>out <<'PYTHON'
import os
from datetime import datetime

from kliz.sitemap import read_sitemap

url = os.environ["url"]
for name, day in [("sitemap", "2026-03-01"), ("index", "2026-06-01")]:
    pages = read_sitemap(f"{url}/{name}.xml", since=datetime.fromisoformat(day))
    print(f"kliz, {name} since {day}:", *(page.removeprefix(url) for page in pages))
PYTHON
cat out
shows out "sitemapper, sitemap since 2026-03-01: /new" >log
shows out "kliz, sitemap since 2026-03-01: /new /undated" >log
grep -qx "kliz, index since 2026-06-01:" out || { echo "This has changed: kliz finds pages." >&2; exit 1; }
