#!/bin/sh
# Scrapy's documentation filters the entries of a sitemap by `strptime(entry["lastmod"], "%Y-%m-%d")`. If a page has a time,
# or no date, none of the pages is read, and the crawl ends as "finished".
. "$(dirname "$0")/begin.sh"
from_pypi scrapy==2.19.0

cat >crawl.py <<'PYTHON'
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from scrapy.crawler import CrawlerProcess
from scrapy.spiders import SitemapSpider

FILES = {
    "days": ["2026-03-14", "2026-05-20", "2026-05-21"],
    "times": ["2026-03-14", "2026-05-20T10:00:00+00:00", "2026-05-21"],
    "undated": ["2026-03-14", None, "2026-05-21"],
}


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.split("/")[1]
        text = "A page"
        if self.path.endswith("sitemap.xml"):
            entries = "".join(
                f"<url><loc>{start}/{name}/{page}.txt</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</url>"
                for page, date in zip("abc", FILES[name], strict=True)
            )
            text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        known = name in FILES
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/xml" if known and text != "A page" else "text/plain")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        pass


class Spider(SitemapSpider):
    name = "pages"

    def sitemap_filter(self, entries):
        for entry in entries:
            if datetime.strptime(entry["lastmod"], "%Y-%m-%d").year >= 2005:
                yield entry

    def parse(self, response):
        read[response.url.split("/")[3]].append(response.url[-5])


server = HTTPServer(("127.0.0.1", 0), Answer)
Thread(target=server.serve_forever, daemon=True).start()
start = f"http://127.0.0.1:{server.server_port}"
read = {name: [] for name in FILES}
process = CrawlerProcess({"LOG_LEVEL": "ERROR"})
crawlers = {}
for name in FILES:
    crawlers[name] = process.create_crawler(Spider)
    process.crawl(crawlers[name], sitemap_urls=[f"{start}/{name}/sitemap.xml"])
process.start()
for name, crawler in crawlers.items():
    print(f"{name}:", *sorted(read[name]), "-", crawler.stats.get_value("finish_reason"))
PYTHON
python crawl.py >out 2>log || { cat log; exit 1; }
grep Error: log
shows out "days: a b c - finished" >log
shows out "undated: - finished" >log
shows out "times: - finished"
