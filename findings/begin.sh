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

serve() { # FOLDER: serve its files on this machine, with the types of GitHub Pages, at $url
  cat >server.py <<'PYTHON'
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".xml": "application/xml", ".gz": "application/gzip"}

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=sys.argv[1]))
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
PYTHON
  python3 server.py "$1" >url &
  server=$!
  trap 'kill $server; rm -rf "$top"' EXIT
  until [ -s url ]; do sleep 0.1; done
  url=$(cat url)
  export url no_proxy=127.0.0.1
}
