#!/bin/sh
# mkdocs-no-sitemap-plugin takes sitemap.xml out of the templates that MkDocs renders. MkDocs then takes it for a file of
# the theme, and publishes the template itself as /sitemap.xml.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-no-sitemap-plugin==0.0.1

mkdir docs
echo "# Home" >docs/index.md
printf 'site_name: A\nsite_url: https://example.com/\nplugins: [no-sitemap]\n' >mkdocs.yml
mkdocs build -q --strict
shows site/sitemap.xml "{%- for file in pages -%}"
