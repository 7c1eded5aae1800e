#!/bin/sh
# A program that hands names of files to git sets GIT_LITERAL_PATHSPECS, so that `[slug].md` is a name and no pattern. All
# that takes pathspecs then takes names, but `git check-ignore`, which takes only names, fails.
. "$(dirname "$0")/begin.sh"
git --version

git init -q .
echo '*.md' >.gitignore
touch '[slug].md'
export GIT_LITERAL_PATHSPECS=1
for command in "ls-files --others" "status --short --ignored" "check-attr --all" "check-ignore"; do
  code=0
  git $command -- '[slug].md' >log 2>&1 || code=$?
  echo "git $command: exit code $code $(grep fatal log)"
done >out
shows out "git status --short --ignored: exit code 0" >log
shows out "check-ignore: exit code 128 fatal: [slug].md: pathspec magic not supported by this command: 'literal'"
