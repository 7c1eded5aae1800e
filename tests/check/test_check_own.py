"""A check finds nothing in what the plugin writes."""

from datetime import UTC, datetime

import pytest
from broken_sitemaps import NOW, findings
from one_file import one_file

from mkdocs_sitemap_plus.check.run import check
from mkdocs_sitemap_plus.sitemap import (
    UrlEntry,
)
from mkdocs_sitemap_plus.sitemap.find import FoundFile

HOME = "https://example.com/"


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_day_at_the_ends_of_the_calendar_is_no_fault_of_ours(tmp_path, when):
    """In UTC it is in no year that Python knows. No page was written on it."""
    moment = datetime.fromisoformat(when)
    pages = [UrlEntry(loc=f"{HOME}{n}/", lastmod=moment) for n in range(30)]
    path = tmp_path / "sitemap.xml"
    path.write_bytes(one_file(pages))
    found = {each.code for each in check(FoundFile(str(path)), now=NOW).findings.kept}
    assert found == {"lastmod-future" if when > "2" else "lastmod-format"}


PAGES = {"index.md": "# Home\n", **{f"p{number}.md": "# P\n" for number in range(6)}}


def test_one_commit_that_adds_all_pages_is_no_finding(site):
    """Nor is it on the day of that commit, whatever the sitemap looks like."""
    site.docs(PAGES)
    site.config("stylesheet: false\nlastmod: {format: date}")
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


def test_languages_that_are_built_one_by_one_are_no_findings(site):
    """Each sitemap links to pages that are in the other one, be it below the first or not."""
    names = ["index.md", *(f"guide/p{number}.md" for number in range(4))]
    site.docs(dict.fromkeys(names, "# Page\n"))
    site.write({f"de/{name}": "# Seite\n" for name in names})
    site.config(ALTERNATES)
    site.commit()
    built = site.build()
    assert len(built.alternates()) == 5
    english = (site.folder / "mkdocs.yml").read_text("utf-8")
    german = english.replace("site_url: https://example.com/", "site_url: https://example.com/de/")
    site.write({"de.yml": german + "docs_dir: de\n"})
    site.build("-f", "de.yml", "-d", "german")
    assert findings(site.folder / "site") == []
    assert findings(site.folder / "german") == []
    (site.folder / "german").rename(site.folder / "site/de")
    assert findings(site.folder / "site") == []
    assert findings(site.folder / "site/de") == []


@pytest.mark.parametrize("urls", ["true", "false"])
def test_a_page_that_the_theme_writes_is_no_finding(site, urls):
    """Such as the search page of the theme readthedocs, which no sitemap lists."""
    site.docs({"index.md": "# Home\n", "guide/search.md": "# Search\n", "guide/a.md": "# A\n"})
    site.config(theme="theme: readthedocs\n", more=f"use_directory_urls: {urls}")
    project = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"mkdocs.yml": project.replace("plugins:\n", "plugins:\n  - search\n")})
    site.build()
    assert findings(site.folder / "site") == []
    assert (site.folder / "site/search.html").exists()
