#!/bin/sh
# With `canonical_version: latest` and `alias_type: redirect`, two options of mike, each canonical URL, and each URL of a
# sitemap, is a page that only redirects back to the version that names it.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mike==2.2.0

mkdir docs
echo "# Home" >docs/index.md
cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
plugins:
  - mike: {alias_type: redirect, canonical_version: latest}
YAML
git init -q -b main .
printf '/venv/\n/site/\n' >.gitignore
git add .
git commit -qm "Begin"
mike deploy 1.0 latest >log 2>&1 || { cat log; exit 1; }
found='<link rel="canonical"[^>]*>\|<loc>.*</loc>\|<meta http-equiv="refresh"[^>]*>'
for file in 1.0/index.html 1.0/sitemap.xml latest/index.html; do
  echo "$file: $(git show "gh-pages:$file" | grep -o "$found")"
done >out
shows out '1.0/index.html: <link rel="canonical" href="https://example.com/latest/">' >log
shows out '1.0/sitemap.xml: <loc>https://example.com/latest/</loc>' >log
shows out 'latest/index.html: <meta http-equiv="refresh" content="1; url=../1.0/" />'
