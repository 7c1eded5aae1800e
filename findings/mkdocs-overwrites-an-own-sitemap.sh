#!/bin/sh
# Whoever puts a sitemap of his own into the docs folder has that of MkDocs on the web. A strict build says nothing.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1

mkdir docs
echo "# Home" >docs/index.md
cat >docs/sitemap.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc><lastmod>2024-01-02</lastmod></url>
</urlset>
XML
printf 'site_name: A\nsite_url: https://example.com/\n' >mkdocs.yml
mkdocs build --strict >out 2>&1
cat out
grep -i sitemap out && echo "This has changed: the build names the sitemap." >&2 && exit 1
shows site/sitemap.xml "<lastmod>$(date -u +%Y-%m-%d)</lastmod>"
