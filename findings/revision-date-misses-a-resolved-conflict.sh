#!/bin/sh
# Two branches changed a page, and whoever merged them wrote a text of his own on April 1. The page that has this text is
# dated March 1 by git-revision-date-localized; `git log -1` names the merge.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-git-revision-date-localized-plugin==1.6.3

git init -q -b main .
printf '/venv/\n/site/\n' >.gitignore
mkdir docs
text() { printf '# Home\n\n%s\n\n{{ git_revision_date_localized }}\n' "$1" >docs/index.md; }
printf 'site_name: A\nplugins:\n  - git-revision-date-localized: {type: iso_date}\n' >mkdocs.yml
text "One."
git add .
on 2024-01-02 git commit -qm "Begin"
git switch -qc side
text "Side."
on 2024-02-01 git commit -qam "Write on the side"
git switch -q main
text "Main."
on 2024-03-01 git commit -qam "Write on main"
git merge -q side >log 2>&1 || true
text "Both, in other words."
on 2024-04-01 git commit -qam "Merge side"

echo "git log -1 -- docs/index.md: $(git log -1 --format='%cs %s' -- docs/index.md)"
mkdocs build -q --strict
grep -h -o 'Both, in other words.\|iso_date" title="[^"]*"' site/index.html >out
shows out 'title="March 1, 2024'
