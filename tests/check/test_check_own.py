"""A check finds nothing in what the plugin writes."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from broken_sitemaps import NOW, findings
from hypothesis import given, settings
from hypothesis import strategies as st
from lighthouse import SAMPLE, published
from one_file import one_file
from quantity import tries

from mkdocs_sitemap_plus.check.run import check
from mkdocs_sitemap_plus.sitemap import (
    Alternate,
    Changefreq,
    Restriction,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap.find import FoundFile

HOME = "https://example.com/"
TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"
    ),
    min_size=1,
    max_size=30,
).filter(str.strip)
PATHS = st.text("abz019-_.~!$&'()*+,;=:@/?", max_size=20).filter(
    lambda text: "/." not in text and not text.startswith(".") and text[-1:] != "?"
)
DATES = st.dates(date(1991, 1, 1), NOW.date() - timedelta(days=1))
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(
    NOW.replace(1992, tzinfo=None), NOW.replace(day=19, tzinfo=None), timezones=ZONES | st.just(UTC)
).map(lambda when: when.replace(microsecond=0))
WHEN = DATES | MOMENTS
URLS = PATHS.map(lambda path: HOME + path)
COUNTRIES = st.lists(st.sampled_from(["DE", "AT", "CH"]), min_size=1, unique=True)
VIDEOS = st.builds(
    Video,
    thumbnail_loc=URLS,
    title=TEXTS,
    description=TEXTS,
    content_loc=st.just("https://cdn.example/v.mp4"),
    player_loc=st.none() | st.just("https://cdn.example/player"),
    duration=st.none() | st.integers(1, 28_800),
    expiration_date=st.none() | WHEN,
    rating=st.none() | st.decimals(0, 5, places=1),
    view_count=st.none() | st.integers(0, 10**9),
    publication_date=st.none() | WHEN,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    family_friendly=st.none() | st.booleans(),
    restriction=st.none() | st.builds(Restriction, allow=st.booleans(), names=COUNTRIES.map(tuple)),
    requires_subscription=st.none() | st.booleans(),
    uploader=st.none() | TEXTS,
    live=st.none() | st.booleans(),
)
PRIORITIES = st.decimals(0, 1, places=3) | st.sampled_from(
    [Decimal(0), Decimal(1), Decimal("1E-1")]
)
LANGUAGES = ["en", "de", "zh-Hant", "x-default"]


@st.composite
def sites(draw):
    """Entries as the plugin has them: sorted, one a URL, each set of languages whole."""
    locs = draw(st.lists(URLS, min_size=1, max_size=6, unique_by=str.lower))
    linked = tuple(map(alternate, LANGUAGES, locs)) if draw(st.booleans()) else ()
    named = {each.href for each in linked}
    return [
        UrlEntry(
            loc=loc,
            lastmod=draw(st.none() | WHEN),
            changefreq=draw(st.none() | st.sampled_from(Changefreq)),
            priority=draw(st.none() | PRIORITIES),
            alternates=linked if loc in named else (),
            images=tuple(draw(st.lists(URLS, max_size=3, unique=True))),
            videos=tuple(draw(st.lists(VIDEOS, max_size=2))),
        )
        for loc in sorted(locs)
    ]


def alternate(code, href):
    return Alternate(hreflang=code, href=href)


@settings(max_examples=tries(few=10, many=100))
@given(sites())
def test_nothing_is_found_in_any_sitemap_that_is_rendered(tmp_path_factory, entries):
    """Of entries whose values are those of their documentation."""
    path = tmp_path_factory.getbasetemp() / "own.xml"
    path.write_bytes(one_file(entries))
    assert findings(path) == []


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_day_at_the_ends_of_the_calendar_is_no_fault_of_ours(tmp_path, when):
    """In UTC it is in no year that Python knows. No page was written on it."""
    moment = datetime.fromisoformat(when)
    pages = [UrlEntry(loc=f"{HOME}{n}/", lastmod=moment) for n in range(30)]
    path = tmp_path / "sitemap.xml"
    path.write_bytes(one_file(pages))
    found = {each.code for each in check(FoundFile(str(path)), now=NOW).findings.kept}
    assert found == {"lastmod-future" if when > "2" else "lastmod-format"}


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="only a whole checkout has the sample site")
def test_nothing_is_found_in_the_sample_site(tmp_path):
    """Beside its pages, but for those that its owner excludes though they may be indexed."""
    folder = published(tmp_path / "lighthouse").folder / "site"
    assert [
        (each.code, each.loc.removeprefix("https://lighthouse.example/docs/"))
        for each in findings(folder)
    ] == [
        ("not-listed", "internal/release-checklist/"),
        ("not-listed", "thanks/"),
    ]


PAGES = {"index.md": "# Home\n", **{f"p{number}.md": "# P\n" for number in range(6)}}


@pytest.mark.parametrize("options", ["", "stylesheet: false\nlastmod: {format: date}"])
def test_one_commit_that_adds_all_pages_is_no_finding(site, options):
    """Nor is it on the day of that commit, whatever the sitemap looks like."""
    site.docs(PAGES)
    site.config(options)
    now = datetime.now(UTC)
    site.commit(date=now.isoformat(timespec="seconds"))
    built = site.build()
    assert [each["lastmod"][:10] for each in built.entries()] == [now.date().isoformat()] * 7
    assert findings(site.folder / "site", now) == []


ALTERNATES = """\
alternates:
  en: {url: https://example.com/, docs_dir: docs}
  de: {url: https://example.com/de/, docs_dir: de}
"""


@pytest.mark.parametrize("published", ["apart", "together"])
def test_languages_that_are_built_one_by_one_are_no_findings(site, published):
    """Each sitemap links to pages that are in the other one, be it below the first or not."""
    names = ["index.md", *(f"guide/p{number}.md" for number in range(4))]
    site.docs(dict.fromkeys(names, "# Page\n"))
    site.write({f"de/{name}": "# Seite\n" for name in names})
    folder = {"apart": "german", "together": "site/de"}[published]
    site.config(ALTERNATES)
    site.commit()
    built = site.build()
    assert len(built.alternates()) == 5
    english = (site.folder / "mkdocs.yml").read_text("utf-8")
    german = english.replace("site_url: https://example.com/", "site_url: https://example.com/de/")
    site.write({"de.yml": german + "docs_dir: de\n"})
    site.build("-f", "de.yml", "-d", folder)
    assert findings(site.folder / "site") == []
    assert findings(site.folder / folder) == []


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
@pytest.mark.parametrize("urls", ["true", "false"])
def test_a_page_that_the_theme_writes_is_no_finding(site, theme, urls):
    """Such as the search page of the theme readthedocs, which no sitemap lists."""
    site.docs({"index.md": "# Home\n", "guide/search.md": "# Search\n", "guide/a.md": "# A\n"})
    site.config(theme=f"theme: {theme}\n", more=f"use_directory_urls: {urls}")
    project = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"mkdocs.yml": project.replace("plugins:\n", "plugins:\n  - search\n")})
    site.build()
    assert findings(site.folder / "site") == []
    assert (site.folder / "site/search.html").exists() is (theme == "readthedocs")
