# What try.sh and test.sh share: make .venv, and install into it, by uv where that is installed, else by pip.
# Another Python than python3 is named before the command: PYTHON=python3.13 sh scripts/test.sh

unset PYTHONDONTWRITEBYTECODE # each of some hundred processes would compile all that it imports

with_uv() {
  if [ ! -e .venv/bin/python ]; then
    uv venv -q ${PYTHON:+--python "$PYTHON"} .venv || return 1
  fi
  uv pip install -q --python .venv/bin/python "$@"
}

with_pip() {
  python=${PYTHON:-python3}
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "This needs Python 3.11 or newer. Name one: PYTHON=python3.13 sh $0" >&2
    exit 1
  }
  "$python" -m venv .venv
  .venv/bin/python -m pip install -q "pip>=25.1" # older ones know no dependency groups
  .venv/bin/python -m pip install -q "$@"
}

install() {
  echo "Installing $1 into .venv (half a minute, the first time) ..." >&2
  shift
  if command -v uv >/dev/null; then
    with_uv "$@" && return
    echo "uv could not. Trying pip ..." >&2
  fi
  with_pip "$@"
}
