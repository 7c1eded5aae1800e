#!/bin/sh
# The reader of the npm package `sitemap` compares the names of elements as they are written. What Python's ElementTree
# writes by itself is the same XML with a prefix, as `ns0:url`, and reads as a sitemap without pages, and without an error.
. "$(dirname "$0")/begin.sh"
from_npm sitemap@9.0.1

cat >write.py <<'PYTHON'
from xml.etree import ElementTree

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
urlset = ElementTree.Element(f"{NAMESPACE}urlset")
url = ElementTree.SubElement(urlset, f"{NAMESPACE}url")
ElementTree.SubElement(url, f"{NAMESPACE}loc").text = "https://example.com/"
ElementTree.ElementTree(urlset).write("sitemap.xml", "utf-8", xml_declaration=True)
PYTHON
cat >read.js <<'JS'
import { createReadStream } from 'fs'
import { parseSitemap } from 'sitemap'
console.log('pages:', (await parseSitemap(createReadStream('sitemap.xml'))).length)
JS
python3 write.py
shows sitemap.xml "<ns0:loc>https://example.com/</ns0:loc>"
node read.js >out 2>log
shows out "pages: 0"
