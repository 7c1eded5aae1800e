#!/bin/sh
# Retype writes the dates of git into its sitemap, but none at all if `input` is a folder of the repository. In a shallow clone, such
# pages all have the date of the newest commit.
. "$(dirname "$0")/begin.sh"
from_npm retypeapp@4.6.0

for folder in . docs; do
  git init -q -b main site
  mkdir -p "site/$folder"
  printf 'url: example.com\ninput: %s\n' "$folder" >site/retype.yml
  echo "# Home" >"site/$folder/index.md"
  git -C site add .
  on 2024-01-02 git -C site commit -qm "Write the page"
  echo "A text" >site/other.txt
  git -C site add .
  on 2024-05-06 git -C site commit -qm "Change something else"
  git clone -q --depth 1 "file://$top/site" shallow
  for clone in site shallow; do
    (cd "$clone" && npx --prefix "$top" retype build --output "$top/built" >"$top/log" 2>&1)
    echo "input: $folder, $clone: $(grep -o '<lastmod>.\{10\}' built/sitemap.xml || echo none)"
    rm -rf built
  done
  rm -rf site shallow
done >out
shows out "input: ., site: <lastmod>2024-01-02"
shows out "input: docs, site: none" >log
shows out "input: docs, shallow: <lastmod>2024-05-06" >log
