#!/bin/sh
# In Django, a `lastmod` may be a date or a datetime. A sitemap that has both, as of pages with a day in front matter beside
# pages with a commit, has no answer: the view raises a TypeError.
. "$(dirname "$0")/begin.sh"
from_pypi django==5.2.19

cat >site.py <<'PYTHON'
from datetime import UTC, date, datetime

import django
from django.conf import settings

settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=["django.contrib.sitemaps"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    USE_TZ=True,
)
django.setup()

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.test import Client
from django.urls import path

DAY, TIME = date(2026, 3, 14), datetime(2026, 5, 20, 10, tzinfo=UTC)


class Pages(Sitemap):
    def __init__(self, dates):
        self.dates = dates

    def items(self):
        return self.dates

    def location(self, item):
        return "/"

    def lastmod(self, item):
        return item


sites = {"days": [DAY, DAY], "times": [TIME, TIME], "both": [TIME, DAY]}
urlpatterns = [path(name, sitemap, {"sitemaps": {"": Pages(of)}}) for name, of in sites.items()]
for name in sites:
    try:
        print(f"{name}:", Client().get(f"/{name}").status_code)
    except TypeError as error:
        print(f"{name}:", error)
PYTHON
python site.py >out 2>log || { cat log; exit 1; }
shows out "days: 200" >log
shows out "times: 200" >log
shows out "both: can't compare datetime.datetime to datetime.date"
