#!/bin/sh
# The log of one file in isomorphic-git has other commits if `depth` bounds it: with `depth: 1`, as for the last change of
# b.md, there are two commits, and the second one changed a.md alone. Without a bound the log is right.
. "$(dirname "$0")/begin.sh"
from_npm isomorphic-git@1.44.19

git init -q repository
cd repository
echo one >a.md
echo one >b.md
git add .
on 2026-01-02 git commit -qm "Begin"
echo two >a.md
on 2026-02-02 git commit -qam "Change a"
echo two >b.md
on 2026-03-02 git commit -qam "Change b"
cd ..
cat >log.js <<'JS'
import fs from 'fs'
import git from 'isomorphic-git'
for (const depth of [1, undefined]) {
  const commits = await git.log({ fs, dir: 'repository', filepath: 'b.md', depth })
  console.log(`depth ${depth}:`, commits.map(one => one.commit.message.trim()).join(', '))
}
JS
echo "git log -- b.md: $(git -C repository log --format=%s -- b.md | paste -sd , -)"
node log.js >out
shows out "depth undefined: Change b, Begin" >log
shows out "depth 1: Change b, Change a"
