#!/bin/sh
# The sitemap of a version that mike deploys, of a site with mkdocs-static-i18n, links its languages at URLs that do not
# exist, as /1.0de/: mike leaves the slash off `site_url`, to which mkdocs-static-i18n appends. `mkdocs build` is right.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-material==9.8.2 mike==2.2.0 mkdocs-static-i18n==1.3.1

mkdir docs
echo "# Home" >docs/index.en.md
echo "# Start" >docs/index.de.md
cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
theme: {name: material, font: false}
plugins:
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, name: English, default: true}
        - {locale: de, name: Deutsch}
YAML
git init -q -b main .
printf '/venv/\n/site/\n' >.gitignore
git add .
git commit -qm "Begin"
mkdocs build -q --strict
cp site/sitemap.xml built.xml
mike deploy 1.0 >log 2>&1 || { cat log; exit 1; }
git show gh-pages:1.0/sitemap.xml >deployed.xml
git ls-tree -r --name-only gh-pages | grep de/index.html
shows built.xml '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>' >log
shows deployed.xml '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/1.0de/"/>'
