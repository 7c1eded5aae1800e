#!/bin/sh
# Zensical reads TOML 1.1, where a `{…}` may go over several lines. zensical-i18n reads the same file by the `tomllib` of
# Python, which knows TOML 1.0 before Python 3.15: the site builds, and with its languages it does not.
. "$(dirname "$0")/begin.sh"
from_pypi zensical==0.0.73 zensical-i18n==0.3.0
python -c 'import sys; sys.exit(sys.version_info >= (3, 15))' || { echo "This needs a Python before 3.15." >&2; exit 2; }

mkdir docs
echo "# Home" >docs/index.md
echo "# Start" >docs/index.de.md
cat >zensical.toml <<TOML
[project]
site_name = "A"
site_url = "https://example.com/"

[project.plugins.i18n]
docs_structure = "suffix"
languages = [
  {
    locale = "en", name = "English", default = true,
  },
  { locale = "de", name = "Deutsch" },
]
TOML
zensical build >log 2>&1 || { cat log; exit 1; }
echo "zensical: $(ls site/index.html)"
zensical-i18n build >out 2>&1 && echo "This has changed: zensical-i18n reads it, too." >&2 && exit 1
tail -n 1 out >last
shows last "tomllib.TOMLDecodeError"
