"""News: articles of the last two days."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from decided import NOW, decided, page, settings, site_of

from mkdocs_sitemap_plus.options.readers import news_language
from mkdocs_sitemap_plus.options.table import read_options

OPTION = {"publication": "The Lamp", "match": "blog/"}


def article(name="a", when=NOW, title="News", **more):
    return page(f"blog/{name}", meta={"date": when}, title=title, **more)


def news(*pages, reported=(), option=None, lastmod=None, **more):
    """The news by URL."""
    own = settings(news=OPTION | (option or {}), lastmod=lastmod or {"sources": []})
    entries, problems = decided(site_of(*pages, **more), own)
    assert problems == list(reported)
    return {loc: entry.news for loc, entry in entries.items() if entry.news}


@pytest.mark.parametrize(
    ("when", "fresh"),
    [
        (NOW - timedelta(days=2), True),
        (NOW - timedelta(days=2, seconds=1), False),
        (NOW - timedelta(days=3), False),
        (NOW + timedelta(seconds=1), False),
        (date(2026, 11, 20), True),
        (date(2026, 11, 18), True),
        (date(2026, 11, 17), False),
        (date(2026, 11, 21), False),
        ("2026-11-20T10:00:00", True),
        ({"created": date(2026, 11, 20)}, True),
        ({"updated": date(2026, 11, 20)}, False),
        (None, False),
    ],
)
def test_news_are_at_most_two_days_old(when, fresh):
    """By the clock that is given; what has no date of publication is no news."""
    assert bool(news(article(when=when))) is fresh


def test_a_day_is_that_of_the_site_s_time_zone():
    """In Auckland it is the 21st already."""
    own = {"sources": [], "timezone": "Pacific/Auckland"}
    found = news(article(when=date(2026, 11, 21)), lastmod=own)
    assert found["blog/a/"].publication_date == date(2026, 11, 21)
    naive = news(article(when=datetime(2026, 11, 21)), lastmod=own)  # noqa: DTZ001 - as in YAML
    assert naive["blog/a/"].publication_date == datetime(
        2026, 11, 21, tzinfo=timezone(timedelta(hours=13))
    )


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", "de"),
        ("pt-BR", "pt"),
        ("pt_BR", "pt"),
        ("zh", "zh-cn"),
        ("zh-Hans", "zh-cn"),
        ("zh_TW", "zh-tw"),
        ("zh-Hant", "zh-tw"),
        ("zh_HK", "zh-tw"),
        ("zh_Hans_HK", "zh-cn"),
        ("zh-Hant-CN", "zh-tw"),
        ("gsw", "gsw"),
        ("", None),
        (None, None),
        ("x1", None),
    ],
)
def test_the_language_of_a_page_as_google_news_knows_it(locale, language):
    """Two or three letters, and two kinds of Chinese."""
    assert news_language(locale) == language


def test_the_language_is_the_option_s_the_page_s_or_the_site_s():
    """The first that is known."""
    assert news(article(locale="de"))["blog/a/"].language == "de"
    assert news(article(locale="de"), option={"language": "fr"})["blog/a/"].language == "fr"
    reported = [("mkdocs.yml: news.language is not set, and the language of the site is not known. "
                 "No page gets news tags.")]  # fmt: skip
    assert news(article("a"), article("b"), default_locale=None, reported=reported) == {}


def test_an_article_without_a_title_has_no_news():
    """One warning."""
    reported = [
        "docs/blog/a.md: the news article has no title that is a text. The page gets no news tags."
    ]
    assert news(article(title=None), reported=reported) == {}


def test_a_title_loses_what_xml_can_t_hold():
    """With one warning."""
    reported = [
        (
            "docs/blog/a.md: title has the character U+0008, which XML does not allow. "
            "The text is written without it."
        )
    ]
    assert news(article(title="A\x08 <b>]]>"), reported=reported)["blog/a/"].title == "A <b>]]>"


def test_the_newest_thousand_are_news():
    """And the rest is listed without."""
    pages = [article(f"{n:04}", NOW - timedelta(seconds=n)) for n in range(1001)]
    reported = [
        (
            "mkdocs.yml: news matches 1,001 articles of the last two days, but at most 1,000 are "
            "allowed in a sitemap. The newest 1,000 get news tags."
        )
    ]
    found = news(*pages, reported=reported)
    assert len(found) == 1000
    assert "blog/1000/" not in found


MAPPING = "but must be a mapping of publication, language, match."
PATTERN = "but must be a pattern, a list of patterns, or a block of them."


@pytest.mark.parametrize(
    ("option", "errors"),
    [
        (True, [f"news is true, {MAPPING}"]),
        ({"match": "a"}, ["news.publication is missing or empty, but must be a text."]),
        ({"publication": "P"}, [f"news.match is missing or empty, {PATTERN}"]),
        ({"publication": "P", "match": "# none"},
         ["news.match is '# none', but must be at least one pattern."]),
        (OPTION | {"language": "en-US"},
         [("news.language is 'en-US', but must be a language code of two or three lower-case "
          "letters, zh-cn or zh-tw. Did you mean 'en'?")]),
        (
            {},
            [
                "news.publication is missing or empty, but must be a text.",
                f"news.match is missing or empty, {PATTERN}",
            ],
        ),
    ],
)  # fmt: skip
def test_a_wrong_option_is_a_configuration_error(option, errors):
    """Each of its keys."""
    reading = read_options({"news": option})
    assert [str(error) for error in reading.errors] == [f"mkdocs.yml: {error}" for error in errors]


def test_an_unknown_key_is_a_warning():
    """With the nearest."""
    (reported,) = read_options({"news": OPTION | {"lang": "de"}}).unknown
    assert str(reported) == (
        "mkdocs.yml: news.lang is not a known key. It is ignored. Did you mean 'language'?"
    )


def test_the_clock_is_a_value():
    """An hour after the two days the same site has no news."""
    site, own = site_of(article(when=NOW)), settings(news=OPTION)
    assert decided(site, own, NOW)[0]["blog/a/"].news
    later = datetime(2026, 11, 22, 13, tzinfo=UTC)
    assert decided(site, own, later)[0]["blog/a/"].news is None
