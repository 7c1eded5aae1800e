#!/bin/sh
# A repository was moved, and its `core.worktree` still names the old place. `git config --unset core.worktree`, which is to
# mend it, can't run there, not even with the file named: git obeys that very setting first. With another work tree it can.
. "$(dirname "$0")/begin.sh"
git --version

git init -q repository
cd repository
git config core.worktree "$top/old/place"
tried() { # NAME COMMAND ...
  printf '%s: ' "$1"
  shift
  "$@" 2>../error && echo "exit code 0" || echo "exit code $?, $(cut -d "'" -f 1 ../error)"
}
tried "git config" git config --unset core.worktree >../out
tried "git config --file .git/config" git config --file .git/config --unset core.worktree >>../out
tried "git --work-tree=. config" git --work-tree=. config --unset core.worktree >>../out
tried "git status" git status --short >>../out
shows ../out "git config: exit code 128, fatal: Invalid path"
shows ../out "git config --file .git/config: exit code 128, fatal: Invalid path" >../log
shows ../out "git --work-tree=. config: exit code 0" >../log
shows ../out "git status: exit code 0" >../log
