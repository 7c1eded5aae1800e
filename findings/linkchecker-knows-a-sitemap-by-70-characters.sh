#!/bin/sh
# LinkChecker looks for `<urlset ` in the first 70 characters of a file. With a line for a style sheet before it, a sitemap is a
# good link without pages, and nothing is said.
. "$(dirname "$0")/begin.sh"
from_pypi linkchecker==10.6.0

mkdir site
python - <<PYTHON
from pathlib import Path

declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
sheet = '<?xml-stylesheet type="text/css" href="sitemap.css"?>\n'
entry = "<url><loc>http://127.0.0.1:8349/page.html</loc></url>"
urls = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry}</urlset>\n'
Path("site/page.html").write_text("<p>A page</p>\n")
Path("site/plain.xml").write_text(declaration + urls)
Path("site/styled.xml").write_text(declaration + sheet + urls)
PYTHON
python -m http.server 8349 --bind 127.0.0.1 --directory site >log 2>&1 &
server=$!
trap 'kill $server; rm -rf "$top"' EXIT
sleep 2
for file in plain styled; do
  linkchecker --no-robots -v -r 1 "http://127.0.0.1:8349/$file.xml" >links 2>log || true
  echo "$file: $(grep -c '^Real URL' links) links"
done >out
shows out "plain: 2 links"
shows out "styled: 1 links" >log
