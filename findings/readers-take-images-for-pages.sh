#!/bin/sh
# A sitemap names the images of a page as `image:loc`. sitemap2atom makes entries of its feed of them, and indexnow-ping
# submits them, since both read each `loc`, whatever it belongs to.
. "$(dirname "$0")/begin.sh"
from_pypi sitemap2atom==0.1.1 indexnow-ping==0.1.1

mkdir site
serve site
cat >site/sitemap.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>$url/</loc>
    <image:image><image:loc>$url/lamp.png</image:loc></image:image>
  </url>
</urlset>
XML
python - >out <<'PYTHON'
import os

from indexnow_ping.ping import collect_sitemap_urls, make_fetcher
from sitemap2atom import fetch_sitemap_urls

url = os.environ["url"]
fetch = make_fetcher("a reader", 5, "127.0.0.1")
for name, found in {
    "sitemap2atom": fetch_sitemap_urls(f"{url}/sitemap.xml"),
    "indexnow-ping": collect_sitemap_urls(fetch, f"{url}/sitemap.xml", "127.0.0.1"),
}.items():
    print(f"{name}:", *(each.removeprefix(url) for each in found))
PYTHON
shows out "sitemap2atom: / /lamp.png" >log
shows out "indexnow-ping: / /lamp.png"
