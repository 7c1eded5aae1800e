#!/bin/sh
# flask-sitemapper takes a datetime with a time zone, and writes its time without it. The protocol asks for a zone beside
# each time; who guesses UTC is nine hours late for a page of Tokyo.
. "$(dirname "$0")/begin.sh"
from_pypi flask-sitemapper==1.8.2 flask==3.1.2

cat >site.py <<'PYTHON'
from datetime import datetime, timedelta, timezone

from flask import Flask
from flask_sitemapper import Sitemapper

app, sitemapper = Flask("site"), Sitemapper()
sitemapper.init_app(app)


@sitemapper.include(lastmod=datetime(2026, 3, 14, 10, tzinfo=timezone(timedelta(hours=9))))
@app.route("/")
def home():
    return ""


@app.route("/sitemap.xml")
def sitemap():
    return sitemapper.generate()


print(app.test_client().get("/sitemap.xml").text)
PYTHON
python site.py >out
shows out "<lastmod>2026-03-14T10:00:00</lastmod>"
