#!/bin/sh
# GitPython reads GIT_COMMITTER_DATE, as git does, but takes the time beside a zone for one of UTC, even in the form that
# its documentation shows. What was committed on an evening in India is dated the next day.
. "$(dirname "$0")/begin.sh"
from_pypi gitpython==3.2.1

git init -q .
export GIT_AUTHOR_DATE="Sat, 14 Mar 2026 23:50:00 +0530" GIT_COMMITTER_DATE="Sat, 14 Mar 2026 23:50:00 +0530"
git commit -q --allow-empty -m "by git"
python -c 'import git; git.Repo(".").index.commit("by GitPython")'
git log --reverse --format="%s: %cI" >out
shows out "by git: 2026-03-14T23:50:00+05:30" >log
shows out "by GitPython: 2026-03-15T05:20:00+05:30"
