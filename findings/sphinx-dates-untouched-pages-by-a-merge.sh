#!/bin/sh
# A branch changed b.rst alone, and was merged without a conflict. index.rst, which nobody touched since March 1, has the
# date of the merge in the sitemap of sphinx-last-updated-by-git.
. "$(dirname "$0")/begin.sh"
from_pypi sphinx==9.0.4 sphinx-sitemap==2.9.0 sphinx-last-updated-by-git==0.3.8

git init -q -b main .
printf '/venv/\n/out\n' >.gitignore
cat >conf.py <<PYTHON
project = "A"
html_baseurl = "https://example.com/"
extensions = ["sphinx_last_updated_by_git", "sphinx_sitemap"]
exclude_patterns = ["venv"]
sitemap_show_lastmod = True
sitemap_url_scheme = "{link}"
PYTHON
printf 'A\n=\n\n.. toctree::\n\n   b\n' >index.rst
printf 'B\n=\n' >b.rst
git add .
on 2024-01-02 git commit -qm "Begin"
git switch -qc side
printf '\nText.\n' >>b.rst
on 2024-02-01 git commit -qam "Change b"
git switch -q main
printf '\nText.\n' >>index.rst
on 2024-03-01 git commit -qam "Change the index"
on 2024-04-01 git merge -q -m "Merge side" side

echo "git log -1 -- index.rst: $(git log -1 --format='%cs %s' -- index.rst)"
sphinx-build -q . out
shows out/sitemap.xml "https://example.com/index.html</loc><lastmod>2024-04-01T12:00:00Z</lastmod>"
