#!/bin/sh
# The blog of Material for MkDocs turns the days below `date:` of a post into midnights of Greenwich, in the front matter
# itself: a plugin or a template that reads `page.meta` later can't tell that only a day was written. A `date:` that is one
# day stays a day.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-material==9.8.2

mkdir -p docs/blog/posts
echo "# Home" >docs/index.md
echo "# Blog" >docs/blog/index.md
printf -- '---\ndate: 2026-03-14\n---\n# A\n\nText\n' >docs/blog/posts/one.md
printf -- '---\ndate:\n  created: 2026-03-14\n  updated: 2026-04-01\n---\n# B\n\nText\n' >docs/blog/posts/two.md
cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
theme: {name: material, font: false}
plugins: [blog]
hooks: [hook.py]
YAML
cat >hook.py <<'PYTHON'
def on_page_markdown(markdown, page, config, files):
    if "date" in page.meta:
        date = page.meta["date"]
        print(page.file.src_uri, date["updated"].isoformat() if isinstance(date, dict) else date)
PYTHON
mkdocs build -q 2>log >out || { cat log; exit 1; }
shows out "blog/posts/one.md 2026-03-14" >log
shows out "blog/posts/two.md 2026-04-01T00:00:00+00:00"
