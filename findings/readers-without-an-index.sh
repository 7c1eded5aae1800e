#!/bin/sh
# A sitemap may be an index of others. Of four programs that read the pages of a site for a chatbot, a feed or a script, one
# finds no page, and three take the sitemaps in it for pages. None of them says so.
. "$(dirname "$0")/begin.sh"
from_pypi llama-index-readers-web==0.7.0 sitemap2atom==0.1.1
from_npm @langchain/community@1.1.29 @langchain/core@1.1.48 cheerio@1.2.0 sitemap-urls@3.0.0 --legacy-peer-deps

cat >read.js <<'JS'
import { SitemapLoader } from '@langchain/community/document_loaders/web/sitemap'
const documents = await new SitemapLoader(process.argv[2]).load()
console.log(documents.map(one => one.metadata.source).join('\n'))
JS
cat >read.py <<'PYTHON'
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from llama_index.readers.web import SitemapReader
from sitemap2atom import fetch_sitemap_urls


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


site = Path("site")
site.mkdir()
server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
Thread(target=server.serve_forever, daemon=True).start()
start = f"http://127.0.0.1:{server.server_port}"
namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
for part in "ab":
    (site / f"{part}.html").write_text("<p>A page</p>")
    entry = f"<url><loc>{start}/{part}.html</loc></url>"
    (site / f"{part}.xml").write_text(f"<urlset {namespace}>{entry}</urlset>")
parts = "".join(f"<sitemap><loc>{start}/{part}.xml</loc></sitemap>" for part in "ab")
(site / "index.xml").write_text(f"<sitemapindex {namespace}>{parts}</sitemapindex>")

index = f"{start}/index.xml"
for name, pages in {
    "LangChain for JavaScript": run("node", "read.js", index),
    "sitemap-urls": run("npx", "sitemap-urls", "site/index.xml"),
    "sitemap2atom": fetch_sitemap_urls(index),
    "llama-index": [one.metadata["Source"] for one in SitemapReader().load_data(index)],
}.items():
    print(f"{name}:", *(page.removeprefix(start) for page in pages))
PYTHON
python read.py >out 2>log || { cat log; exit 1; }
shows out "LangChain for JavaScript: /a.xml /b.xml" >log
shows out "sitemap-urls: /a.xml /b.xml" >log
shows out "sitemap2atom: /a.xml /b.xml" >log
grep -qx "llama-index:" out || { echo "This has changed: llama-index finds pages." >&2; exit 1; }
cat out
