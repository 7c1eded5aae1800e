#!/bin/sh
# site-map-parser reads a comment between two entries as an entry without a URL, and fails. A `loc` on a line of its own is
# no URL for it, either.
. "$(dirname "$0")/begin.sh"
from_pypi site-map-parser==0.3.9

cat >read.py <<'PYTHON'
from sitemapparser.data_helpers import data_to_element
from sitemapparser.url_set import UrlSet

start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
for name, entries in {
    "an entry": "<url><loc>https://example.com/</loc></url>",
    "with a comment": "<!-- Pages --><url><loc>https://example.com/</loc></url>",
    "on its line": "<url><loc>\nhttps://example.com/\n</loc></url>",
}.items():
    try:
        print(f"{name}:", *UrlSet(data_to_element(f"{start}{entries}</urlset>".encode())))
    except (TypeError, ValueError) as error:
        print(f"{name}:", type(error).__name__, str(error).replace("\n", " "))
PYTHON
python read.py >out
shows out "an entry: https://example.com/" >log
shows out "with a comment: TypeError Url.__init__() missing 1 required positional argument: 'loc'" >log
shows out "on its line: ValueError  https://example.com/  does not match a url"
