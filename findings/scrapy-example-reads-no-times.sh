#!/bin/sh
# The filter by date in Scrapy's documentation of SitemapSpider fails at a lastmod with a time of day, and at a URL without one.
. "$(dirname "$0")/begin.sh"
from_pypi scrapy==2.19.0

python - >out 2>log <<'PYTHON'
from datetime import datetime

from scrapy.utils.sitemap import Sitemap


def sitemap_filter(entries):  # as in the documentation
    for entry in entries:
        date_time = datetime.strptime(entry["lastmod"], "%Y-%m-%d")
        if date_time.year >= 2005:
            yield entry


for lastmod in ("<lastmod>2026-03-14</lastmod>", "<lastmod>2026-03-14T10:00:00+00:00</lastmod>", ""):
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    entry = f"<url><loc>https://example.com/</loc>{lastmod}</url>"
    try:
        found = list(sitemap_filter(Sitemap(f'<urlset xmlns="{space}">{entry}</urlset>'.encode())))
        print(f"{lastmod}: {len(found)} entry")
    except (KeyError, ValueError) as error:
        print(f"{lastmod}: {type(error).__name__}")
PYTHON
shows out "<lastmod>2026-03-14</lastmod>: 1 entry"
shows out "<lastmod>2026-03-14T10:00:00+00:00</lastmod>: ValueError" >log
shows out ": KeyError" >log
