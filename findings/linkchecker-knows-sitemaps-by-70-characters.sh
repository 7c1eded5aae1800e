#!/bin/sh
# LinkChecker looks for `<urlset` in the first 70 characters of an XML file. With a style sheet before it, as WordPress and
# others write one, it is no sitemap: none of its pages is checked, and all that is said is a warning of its content type.
. "$(dirname "$0")/begin.sh"
from_pypi linkchecker==10.6.0

mkdir site
echo '<p>A</p>' >site/a.html
cat >check.py <<'PYTHON'
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".xml": "application/xml"}

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory="site"))
Thread(target=server.serve_forever, daemon=True).start()
start = f"http://127.0.0.1:{server.server_port}"
for name, style in {
    "plain.xml": "",
    "styled.xml": '<?xml-stylesheet type="text/xsl" href="sitemap.xsl"?>\n',
}.items():
    Path("site", name).write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n{style}'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"<url><loc>{start}/a.html</loc></url>\n</urlset>\n"
    )
    call = ["linkchecker", "--no-robots", f"{start}/{name}"]
    said = subprocess.run(call, capture_output=True, text=True).stdout
    for line in said.splitlines():
        if "Warning" in line or "That's it" in line:
            print(f"{name}: {line}")
PYTHON
python check.py >out
shows out "plain.xml: That's it. 2 links in 2 URLs checked. 0 warnings found. 0 errors found." >log
shows out "styled.xml: That's it. 1 link in 1 URL checked. 1 warning found. 0 errors found."
