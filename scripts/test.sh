#!/bin/sh
# Run the quick tests in .venv, which this makes. What you add goes to pytest: sh scripts/test.sh tests/sitemap
set -eu
cd "$(dirname "$0")/.."
. scripts/install.sh

install "the plugin and what its tests need" -e . --group test

exec .venv/bin/pytest -n auto "$@"
