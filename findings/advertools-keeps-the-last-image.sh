#!/bin/sh
# A page of a sitemap may have up to 1,000 images. advertools has one column for them, with the last one.
. "$(dirname "$0")/begin.sh"
from_pypi advertools==0.18.0

cat >sitemap.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>https://example.com/</loc>
    <image:image><image:loc>https://example.com/first.png</image:loc></image:image>
    <image:image><image:loc>https://example.com/second.png</image:loc></image:image>
    <image:image><image:loc>https://example.com/third.png</image:loc></image:image>
  </url>
</urlset>
XML
python - >out 2>log <<'PYTHON'
from pathlib import Path

from advertools import sitemap_to_df

table = sitemap_to_df(Path("sitemap.xml").absolute().as_uri())
print("image_loc:", *table["image_loc"])
PYTHON
shows out "image_loc: https://example.com/third.png"
