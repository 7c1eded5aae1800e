#!/bin/sh
# Asked for the German pages of a sitemap, trafilatura takes the links with `hreflang="de"`, and those with `x-default` as
# well, which are English here. A German page without a translation, which needs no such link, is left out.
. "$(dirname "$0")/begin.sh"
from_pypi trafilatura==2.3.1 lxml-html-clean==0.4.6

cat >sitemap.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc>https://example.com/de/preise/</loc>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/preise/"/>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/prices/"/>
    <xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/prices/"/>
  </url>
  <url><loc>https://example.com/de/impressum/</loc></url>
</urlset>
XML
cat >read.py <<'PYTHON'
from pathlib import Path

from trafilatura.sitemaps import SitemapObject

for language in [None, "de"]:
    sitemap = SitemapObject("https://example.com", "example.com", [], language)
    sitemap.current_url = "https://example.com/sitemap.xml"
    sitemap.content = Path("sitemap.xml").read_text("utf-8")
    sitemap.process()
    print(f"target_lang={language}:", *sorted(sitemap.urls))
PYTHON
python read.py >out
shows out "target_lang=None: https://example.com/de/impressum/ https://example.com/de/preise/" >log
shows out "target_lang=de: https://example.com/de/preise/ https://example.com/prices/"
