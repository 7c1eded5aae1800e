"""A check finds nothing in what the plugin writes."""

from datetime import UTC, date, datetime

import pytest
from broken_sitemaps import NOW, findings
from one_file import one_file
from quantity import one_in
from sites import run_command

from mkdocs_sitemap_plus.command.checks.one_sitemap import check
from mkdocs_sitemap_plus.command.reader.find import FoundFile
from mkdocs_sitemap_plus.files import Mark, carries
from mkdocs_sitemap_plus.generator.kept_report import file_of_report
from mkdocs_sitemap_plus.generator.output import pack
from mkdocs_sitemap_plus.sitemap.entries import (
    UrlEntry,
)

HOME = "https://web.example/"


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
  en: {url: https://web.example/, docs_dir: docs}
  de: {url: https://web.example/de/, docs_dir: de}
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
    german = english.replace("site_url: https://web.example/", "site_url: https://web.example/de/")
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


SPELLINGS = {
    "our layout": lambda text: text,
    "four blanks": lambda text: text.replace("  <", "    <"),
    "one line": lambda text: text.replace("\n", "").replace("  ", ""),
    "packed": lambda text: text,
}


@one_in(4)
@pytest.mark.parametrize("name", SPELLINGS)
def test_the_sitemap_of_another_program_is_found_whatever_its_layout(site, name):
    """Dates of its build, and what the project excludes: Quarto indents as we do."""
    site.docs(PAGES | {f"q{number}.md": "# Q\n" for number in range(6)})
    site.config("exclude: q0.md")
    site.commit()
    site.docs({"q1.md": "# Another day\n"})
    site.commit(date="2024-06-01T10:00:00+00:00")
    site.build()
    locs = [HOME, *(f"{HOME}{letter}{number}/" for letter in "pq" for number in range(6))]
    when = date(2026, 11, 20)
    theirs = one_file([UrlEntry(loc=loc, lastmod=when) for loc in locs], "sitemap.css")
    text = theirs.decode().replace(f"{Mark.SITEMAP}\n", "")
    folder = site.folder / "site"
    (folder / "sitemap.xml").write_text(SPELLINGS[name](text), "utf-8")
    (folder / "sitemap.xml.gz").unlink()
    if name == "packed":
        pack(folder, ["sitemap.xml"])
    out = run_command("check", cwd=site.folder).stdout
    assert "lastmod-git: 13 of 13 dates are 2026-11-20, like those of a build" in out
    assert f"replaced: {HOME}q0/: is listed, though the project excludes it" in out


def test_a_sitemap_of_release_0_10_is_ours_by_the_kept_report(site):
    """It has no mark, but the URLs and dates that the last build wrote."""
    site.docs(PAGES | {f"q{number}.md": "# Q\n" for number in range(6)})
    site.config("lastmod: {format: date}")
    site.commit()
    site.build()
    folder = site.folder / "site"
    text = (folder / "sitemap.xml").read_text("utf-8").replace(f"{Mark.SITEMAP}\n", "")
    (folder / "sitemap.xml").write_text(text, "utf-8")
    pack(folder, ["sitemap.xml"])
    report = file_of_report(folder)
    said = report.read_bytes()
    assert "No problems" in run_command("check", folder, cwd=site.folder).stdout
    report.unlink()
    assert "same-lastmod" in run_command("check", folder, cwd=site.folder).stdout
    report.write_bytes(said)
    assert run_command("build", cwd=site.folder).stderr == ""
    assert carries((folder / "sitemap.xml").read_bytes(), Mark.SITEMAP)
