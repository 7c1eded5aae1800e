#!/bin/sh
# asgi-sitemaps and gulp-sitemap write a `&` of a URL as it is. Such a file is no XML, so one page takes the whole sitemap
# with it.
. "$(dirname "$0")/begin.sh"
from_pypi asgi-sitemaps==1.0.0
from_npm gulp@5.0.1 gulp-sitemap@8.0.0

cat >write.py <<'PYTHON'
import asyncio

from asgi_sitemaps import Sitemap, SitemapApp


class Pages(Sitemap):
    protocol = "https"

    def items(self):
        return ["/?page=2&sort=new"]

    def location(self, item):
        return item


async def receive():
    return {"type": "http.request"}


async def send(message):
    print(message.get("body", b"").decode(), end="")


scope = {"type": "http", "method": "GET", "path": "/sitemap.xml", "headers": [], "root_path": ""}
asyncio.run(SitemapApp(Pages(), domain="example.com")(scope, receive, send))
PYTHON
mkdir pages
echo '<p>Text' >'pages/q&a.html'
cat >gulpfile.js <<'JS'
import gulp from 'gulp'
import sitemap from 'gulp-sitemap'
export default () => gulp.src('pages/*.html', { read: false })
  .pipe(sitemap({ siteUrl: 'https://example.com' })).pipe(gulp.dest('.'))
JS
cat >read.py <<'PYTHON'
import sys
from xml.etree import ElementTree

for name in sys.argv[1:]:
    try:
        print(f"{name}: {len(ElementTree.parse(name).getroot())} entries")
    except ElementTree.ParseError as error:
        print(f"{name}: {error}")
PYTHON
python write.py >asgi.xml
npx gulp >log 2>&1 || { cat log; exit 1; }
mv sitemap.xml gulp.xml
grep -h "<loc>" asgi.xml gulp.xml
python read.py asgi.xml gulp.xml >out
shows out "asgi.xml: not well-formed (invalid token)" >log
shows out "gulp.xml: not well-formed (invalid token)"
