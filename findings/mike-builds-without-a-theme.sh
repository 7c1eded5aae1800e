#!/bin/sh
# `mike deploy` fails for a site that `mkdocs build` builds, as soon as mkdocs-redirects is installed: that brings
# ProperDocs along, mike prefers ProperDocs where it finds it, and ProperDocs comes without MkDocs' theme.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mike==2.2.0 mkdocs-redirects==1.2.3

git init -q -b main .
mkdir docs
echo "# Home" >docs/index.md
cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
plugins:
  - redirects: {redirect_maps: {old.md: index.md}}
YAML
git add .
git commit -qm "Begin"

mkdocs build -q --strict
echo "mkdocs build --strict: $?"
code=0
mike deploy 1.0 >out 2>&1 || code=$?
echo "mike deploy: $code"
test "$code" != 0
shows out "pip install properdocs-theme-mkdocs"
