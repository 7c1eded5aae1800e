#!/bin/sh
# `git last-modified`, which is new in git 2.52, takes `--first-parent` without a word, and ignores it: a file has the
# date at which it was written on a branch, and not that of the merge that published it, as by `git log --first-parent`.
. "$(dirname "$0")/begin.sh"
git --version
git last-modified -h >log 2>&1 || true
grep -q "^usage" log || { echo "This needs git 2.52 or newer." >&2; exit 2; }

git init -q -b main .
echo one >a.md
git add a.md
on 2024-01-02 git commit -qm "Begin"
git switch -qc side
echo two >a.md
on 2024-02-01 git commit -qam "Change it on a branch"
git switch -q main
on 2024-03-01 git merge -q --no-ff -m "Merge side" side

last=$(git last-modified --first-parent HEAD -- a.md | cut -f 1)
echo "git log --first-parent: $(git log -1 --first-parent --format='%cs %s' -- a.md)"
git show -s --format="git last-modified --first-parent: %cs %s" "$last" >out
shows out "2024-02-01 Change it on a branch"
