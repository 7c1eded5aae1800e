#!/bin/sh
# MkDocs takes `search: false` below `plugins` for a plugin without options: the search stays on, and a strict build says
# nothing. `search: true` is an error, so a switch can only be set to the value that it ignores.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1

mkdir docs
echo "# Home" >docs/index.md
for value in false true; do
  printf 'site_name: A\nsite_url: https://example.com/\nplugins:\n  search: %s\n' $value >mkdocs.yml
  code=0
  mkdocs build --strict --site-dir $value >log 2>&1 || code=$?
  echo "search: $value: exit code $code"
  ls -d $value/search/search_index.json || true
  grep ERROR log || true
done >out 2>missing
shows out "search: false: exit code 0" >log
shows out "false/search/search_index.json" >log
shows out "Config value 'plugins': Invalid config options for the 'search' plugin."
