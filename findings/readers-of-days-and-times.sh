#!/bin/sh
# A sitemap may date one page by a day and another by a moment. advertools then has a column of texts and not of dates,
# and ultimate-sitemap-parser has dates that Python cannot compare.
. "$(dirname "$0")/begin.sh"
from_pypi advertools==0.18.0 ultimate-sitemap-parser==1.8.1

cat >sitemap.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/a/</loc><lastmod>2026-03-14</lastmod></url>
  <url><loc>https://example.com/b/</loc><lastmod>2026-05-20T10:00:00+00:00</lastmod></url>
</urlset>
XML
python - >out 2>log <<PYTHON
from pathlib import Path
from advertools import sitemap_to_df
from usp.fetch_parse import SitemapStrParser

file = Path("sitemap.xml").absolute()
dates = sitemap_to_df(file.as_uri())["lastmod"]
print("advertools:", dates.dtype, list(dates))
pages = SitemapStrParser(file.read_text("utf-8")).sitemap().all_pages()
try:
    print("ultimate-sitemap-parser:", max(page.last_modified for page in pages))
except TypeError as error:
    print("ultimate-sitemap-parser:", error)
PYTHON
shows out "advertools: str ['2026-03-14', '2026-05-20T10:00:00+00:00']"
shows out "ultimate-sitemap-parser: can't compare offset-naive and offset-aware datetimes" >log
