#!/bin/sh
# Build the sample site with this plugin, and show its sitemap.
#
# This makes two folders: .venv, with the plugin and MkDocs, and lighthouse, with the sample site and its git history,
# which the dates come from. Delete both when you are done.
set -eu
cd "$(dirname "$0")/.."
. scripts/install.sh

install "the plugin and MkDocs" -e .

echo "Making the sample site, with its history, in lighthouse ..." >&2
git init -q --object-format=sha1 lighthouse
git -C lighthouse fast-import --quiet --force <sample_site/history.fast-import
git -C lighthouse checkout -qf main

.venv/bin/mkdocs build --strict -f lighthouse/mkdocs.yml
cat lighthouse/site/sitemap.xml
