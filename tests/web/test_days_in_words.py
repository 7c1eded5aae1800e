"""Days that a page shows are read in the languages that Babel writes."""

from datetime import date

import pytest

from mkdocs_sitemap_plus.web.days_in_words import read_day
from mkdocs_sitemap_plus.web.stated_dates import SHOWN, stated_dates

DAYS = [date(2024, 6, 9), date(2023, 12, 31), date(2024, 3, 1), date(2022, 5, 12)]
LANGUAGES = """
af ar az be bg bn ca cs cy da de el en en-GB eo es et eu fa fi fr fy gl hi hr hu hy id is it ja ka
kn ko lt lv mk mn ms my nb nl nn pl pt pt-BR ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi
zh zh-Hant zh-TW zh-Hans
"""


@pytest.mark.parametrize("language", LANGUAGES.split())
def test_what_babel_writes_is_read(language):
    """In all forms that plugins use; a short one may be read as no day, but never as another."""
    babel = pytest.importorskip("babel")
    dates = pytest.importorskip("babel.dates")
    locale = babel.Locale.parse(language, sep="-")
    for day in DAYS:
        for form in ("full", "long", "medium"):
            assert read_day(dates.format_date(day, form, locale), language) == day
        assert read_day(dates.format_date(day, "short", locale), language) in (day, None)


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("Stand: 09.06.2024", "de_AT", DAYS[0]),
        ("martes, 5 mar 2024", "es", date(2024, 3, 5)),
        ("25/12/2024", "en", date(2024, 12, 25)),
        ("12/25/2024", "en", date(2024, 12, 25)),
        ("06/09/2024", "en", None),
        ("06/09/2024", "en-GB", date(2024, 9, 6)),
        ("vor 3 Tagen", "de", None),
        ("Juni 2024", "de", None),
        ("9. Juni 2024 14:05", "de", None),
        ("31. Juni 2024", "de", None),
        ("9. Juni 2024", "xx", None),
        ("9. Juni 2024", "no language", None),
        ("9 June 0024", "en", None),
    ],
)
def test_only_one_clear_day_is_read(text, language, day):
    """Not one that could be another."""
    pytest.importorskip("babel")
    assert read_day(text, language) == day


def test_the_language_is_that_of_the_page():
    """The text of a fact ends where the next one begins."""
    pytest.importorskip("babel")
    html = (
        '<html class="no-js" lang="de"><body><span class="md-source-file__fact"><b>9. Juni 2024</b>'
        '</span> <span class="md-source-file__fact">1. Mai 2023</span>'
    )
    assert stated_dates(html, None) == [(SHOWN, "9. Juni 2024", DAYS[0])]
    assert stated_dates(html.replace('"de"', '"fr"'), None) == [(SHOWN, "9. Juni 2024", None)]
