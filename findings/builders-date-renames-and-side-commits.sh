#!/bin/sh
# Retype, vocs and the theme pixel-lab write dates of git into their sitemaps by themselves. A page that was only renamed has
# the day of that, and a page of a branch that was merged in May the day of its commit in April, when nobody could read it. In a
# shallow clone, pixel-lab writes no date; in those of the two others all pages changed with the newest commit.
. "$(dirname "$0")/begin.sh"
from_npm node@22.23.3 retypeapp@4.6.0 vocs@2.12.0 react@19.3.0 react-dom@19.3.0 vite@8.4.0 waku@1.0.0-rc.1 --legacy-peer-deps
from_pypi mkdocs==1.6.1 mkdocs-pixel-lab==0.2.0
PATH=$top/node_modules/node/bin:$top/node_modules/.bin:$PATH

git init -q -b main site
cd site
mkdir -p src/pages
cat >mkdocs.yml <<'YAML'
site_name: Test
site_url: https://example.com/
docs_dir: src/pages
theme: pixel-lab
plugins: [pixel-lab/git-lastmod]
YAML
printf 'url: example.com\n' >retype.yml
cat >vocs.config.ts <<'TS'
import { defineConfig } from 'vocs/config'
export default defineConfig({ title: 'Test', baseUrl: 'https://example.com' })
TS
for page in index old side; do
  printf '# %s\n\nA text of this page that git knows again.\n' $page >src/pages/$page.md
done
git add .
on 2024-01-02 git commit -qm "Write three pages"
git checkout -qb side
echo "More text" >>src/pages/side.md
on 2024-04-05 git commit -qam "Change a page on a branch"
git checkout -q main
git mv src/pages/old.md src/pages/new.md
on 2024-03-04 git commit -qm "Rename a page"
on 2024-05-06 git merge -q --no-ff -m "Merge the branch" side
cd ..
git clone -q --depth 1 "file://$top/site" shallow

dates() { # NAME FILE: the path of each page with its day
  python - "$1, $clone" "$2" <<'PYTHON'
import re
import sys

name, file = sys.argv[1:]
entries = re.findall(r"<url>.*?</url>", open(file, encoding="utf-8").read(), re.DOTALL)
for page in ("new", "side"):
    (entry,) = [each for each in entries if re.search(rf"/{page}/?</loc>", each)]
    day = re.search(r"<lastmod>(.{10})", entry)
    print(f"{name}: {page} {day[1] if day else 'none'}")
PYTHON
}
for clone in site shallow; do
  cd "$clone"
  retype build --output "$top/retype" >"$top/log" 2>&1
  mkdocs build -q -d "$top/mkdocs" >"$top/log" 2>&1
  vocs build --no-embeddings >"$top/log" 2>&1 || { cat "$top/log"; exit 1; }
  cd ..
  dates Retype retype/sitemap.xml
  dates vocs "$(find "$clone/dist" -name sitemap.xml)"
  dates pixel-lab mkdocs/sitemap.xml
  rm -rf retype mkdocs
done >out
cat out
for builder in Retype vocs pixel-lab; do
  shows out "$builder, site: new 2024-03-04" >log
  shows out "$builder, site: side 2024-04-05" >log
done
shows out "Retype, shallow: new 2024-05-06" >log
shows out "vocs, shallow: new 2024-05-06" >log
shows out "pixel-lab, shallow: new none" >log
