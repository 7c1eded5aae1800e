#!/bin/sh
# The theme furo marks its search page "noindex", and sphinx-sitemap lists it, so one build asks search engines to read the
# page, and to leave it out.
. "$(dirname "$0")/begin.sh"
from_pypi sphinx==9.0.4 sphinx-sitemap==2.9.0 furo==2025.12.19

cat >conf.py <<PYTHON
project = "A"
html_baseurl = "https://example.com/"
html_theme = "furo"
extensions = ["sphinx_sitemap"]
exclude_patterns = ["venv"]
sitemap_url_scheme = "{link}"
PYTHON
printf 'A\n=\n' >index.rst
sphinx-build -q . out
grep -o '<meta name="robots"[^>]*>' out/search.html >page
shows page 'content="noindex"'
grep -o '<loc>[^<]*</loc>' out/sitemap.xml >log
shows log "<loc>https://example.com/search.html</loc>"
