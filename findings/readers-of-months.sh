#!/bin/sh
# A sitemap may date a page by a month, `2026-03`. Of three readers, one takes the day of the month on which it reads,
# one takes the first day, and one drops the date.
. "$(dirname "$0")/begin.sh"
from_pypi ultimate-sitemap-parser==1.8.1 site-map-parser==0.3.9
from_npm sitemap@9.0.1

cat >sitemap.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc><lastmod>2026-03</lastmod></url>
</urlset>
XML
cat >read.py <<'PYTHON'
from pathlib import Path
from sitemapparser.data_helpers import data_to_element
from sitemapparser.url_set import UrlSet
from usp.fetch_parse import SitemapStrParser

text = Path("sitemap.xml").read_text("utf-8")
(page,) = SitemapStrParser(text).sitemap().all_pages()
print("ultimate-sitemap-parser:", page.last_modified)
(page,) = UrlSet(data_to_element(text.encode()))
print("site-map-parser:", page.lastmod)
PYTHON
cat >read.js <<'JS'
import { createReadStream } from 'fs'
import { parseSitemap } from 'sitemap'
const [page] = await parseSitemap(createReadStream('sitemap.xml'))
console.log('sitemap:', page.lastmod)
JS
python read.py >out 2>log
node read.js >>out 2>>log
shows out "ultimate-sitemap-parser: 2026-03-$(date +%d) 00:00:00" >log
shows out "site-map-parser: 2026-03-01 00:00:00" >log
shows out "sitemap: undefined"
