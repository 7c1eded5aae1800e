# What each script begins with: an empty folder, which goes with the script, and functions.
set -eu
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top"
export GIT_CONFIG_GLOBAL=/dev/null NO_MKDOCS_2_WARNING=1 PIP_DISABLE_PIP_VERSION_CHECK=1
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.com GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.com

from_pypi() { # NAME==VERSION ...
  echo "With $*:"
  { command -v uv >log && uv venv -q venv && uv pip install -q --python venv/bin/python "$@"; } || {
    python3 -m venv venv
    venv/bin/pip install -q "$@"
  }
  PATH=$top/venv/bin:$PATH
}

from_npm() { # NAME@VERSION ...
  echo "With $*:"
  echo '{"type": "module"}' >package.json
  npm install --silent --no-audit --no-fund "$@" >npm.log 2>&1 || { cat npm.log; exit 1; }
}

on() { # DAY COMMAND ...: run git on a day
  export GIT_AUTHOR_DATE="$1T12:00:00Z" GIT_COMMITTER_DATE="$1T12:00:00Z"
  shift
  "$@"
}

shows() { # FILE TEXT: show a file, which must have this text in one line
  cat "$1"
  echo
  grep -qF -- "$2" "$1" || {
    echo "This has changed: '$2' is not there any more." >&2
    exit 1
  }
}
