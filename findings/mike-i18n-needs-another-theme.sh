#!/bin/sh
# A site in MkDocs' own theme with mike and mkdocs-static-i18n can't be built: mike adds its style sheet for each language,
# and refuses the second time. In Material, for which mike adds none, the same site builds.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-material==9.8.2 mike==2.2.0 mkdocs-static-i18n==1.3.1

mkdir docs
echo "# Home" >docs/index.en.md
echo "# Start" >docs/index.de.md
for theme in material mkdocs; do
  cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
theme: $theme
plugins:
  - mike
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, name: English, default: true}
        - {locale: de, name: Deutsch}
YAML
  code=0
  mkdocs build >log 2>&1 || code=$?
  echo "$theme: exit code $code $(grep ERROR log)"
done >out
shows out "material: exit code 0" >log
shows out "mkdocs: exit code 1 ERROR   -  'css/version-select.css' is already included in 'extra_css'"
