"""TOML front matter of Hugo and Zola counts as YAML does, and gets the same messages."""

import re

import pytest
from any_sites import EDIT, SOURCES, URL, built, by_git, commit, files, html, put, site_of
from git_repositories import git
from quantity import one_in
from sitemap_xml import read_entries

INSTALL = "guide/install/"


@pytest.fixture
def site(top):
    """A repository and its site."""
    commit(top, files())
    put(top / "built", site_of())
    return top


def result(site, text):
    """The entry of a page with this source, None if it is left out; the summary; the messages."""
    put(site, {SOURCES[1]: text})
    _, out, errors = built(site)
    entries = read_entries((site / "built" / "sitemap.xml").read_bytes())
    found = {entry.pop("loc").removeprefix(URL): entry for entry in entries}
    return found.get(INSTALL), out, errors


PAIRS = {
    "a date": ("lastmod: 2024-02-03", "lastmod = 2024-02-03"),
    "a time with an offset": (
        "lastmod: 2024-02-03T04:05:06+02:00",
        "lastmod = 2024-02-03T04:05:06+02:00",
    ),
    "a time without one": ("lastmod: 2024-02-03T04:05:06", "lastmod = 2024-02-03 04:05:06.5"),
    "a date as text": ("lastmod: '2024-02-03'", 'lastmod = "2024-02-03"'),
    "no date": ("lastmod: false", "lastmod = false"),
    "all keys": (
        "title: T\nsitemap:\n  priority: 0.7\n  changefreq: weekly\nlastmod: 2024-02-03",
        "title = 'T'\n[sitemap]\npriority = 0.7\nchangefreq = 'weekly'\nlastmod = 2024-02-03",
    ),
    "top keys": ("priority: 1\nchangefreq: daily", "priority = 1\nchangefreq = 'daily'"),
    "left out": ("sitemap: false", "sitemap = false"),
    "disabled": ("sitemap: {disable: true}", "sitemap = {disable = true}"),
    "disabled in a table": ("sitemap:\n  disable: true", "[sitemap]\ndisable = true"),
    "disabled by a dotted key": ("sitemap: {disable: true}", "sitemap.disable = true"),
    "not disabled": ("sitemap: {disable: false}", "[sitemap]\ndisable = false"),
    "as Hugo spells it": ("sitemap: {changeFreq: daily}", "[sitemap]\nchangeFreq = 'daily'"),
    "a wrong word": ("sitemap: {changeFreq: x}", "sitemap = {changeFreq = 'x'}"),
    "a wrong number": ("sitemap:\n  priority: 3", "[sitemap]\npriority = 3"),
    "a number of another tool": ("x: 1\npriority: 3", "x = 1\npriority = 3"),
    "no number": ("sitemap: {priority: .nan}", "sitemap.priority = nan"),
    "a wrong date": ("x: 1\n\nlastmod: soon", "x = 1\n\nlastmod = 'soon'"),
    "a key of a text": (
        "text: |\n  priority: 3\n\nsitemap:\n  priority: 3",
        "text = '''\npriority = 3'''\n\n[sitemap]\npriority = 3",
    ),
    "quoted keys": ("'sitemap':\n  'priority': 4", "['sitemap']\n\"priority\" = 4"),
    "nothing of ours": ("draft: true\nrobots: noindex", "draft = true\nrobots = 'noindex'"),
    "nothing": ("", ""),
}


FENCES = (("---\n", "\n---\n"), ("+++\n", "\n+++"), ("\ufeff+++ \r\n", "\r\n+++\t\r\n"))


def test_a_key_means_the_same_in_toml(site):
    """Values, dates, messages with file and line, and what is left out."""
    found = []
    for number, (start, end) in enumerate(FENCES):
        for page, texts in enumerate(PAIRS.values()):
            text = f"{start}{texts[bool(number)]}{end}".replace("\n\r", "\r")
            put(site / "docs", {f"{page}.md": text})
            put(site / "built", {f"{page}.html": html(f"{EDIT}docs/{page}.md")})
        git(site, "add", "docs")
        git(site, "commit", "-q", "-m", "Pages", GIT_COMMITTER_DATE="2024-06-01T10:00:00Z")
        dates, out, errors = built(site)
        errors = errors.replace(" is .nan, ", " is nan, ")  # each is quoted as it is written
        # Only later commits change pages, and no word of them.
        errors = re.sub(r"Note: .* pages have the date of one commit.*\n", "", errors)
        found.append((dates, out, errors, (site / "built" / "sitemap.xml").read_bytes()))
    assert found[0] == found[1] == found[2]


def test_hugos_names_count(site):
    """Each of them, with its line."""
    entry, _, errors = result(site, "+++\n[sitemap]\nchangeFreq = 'daily'\npriority = 2\n+++\n")
    assert entry["changefreq"] == "daily"
    assert errors == (
        "Warning: docs/guide/install.md:4: sitemap.priority is 2, but must be a number from 0.0 to "
        "1.0. No priority is written.\n"
    )
    assert result(site, "+++\nlastmod = 2024-02-03\n+++\n")[0] == {"lastmod": "2024-02-03"}
    assert result(site, "+++\nsitemap = {\n  priority = 0.2,\n}\n+++\n")[0]["priority"] == "0.2"
    assert result(site, "+++\n[sitemap]\ndisable = true\n+++\n")[0] is None


BROKEN = {
    "a-value-without-quotes": ("lastmod = soon", 2, "Invalid value"),
    "a-date-that-does-not-exist": (
        "title = 'T'\nlastmod = 2024-02-30",
        3,
        "Invalid date or datetime",
    ),
    "yaml": ("lastmod: 2024-02-03", 2, "Expected '=' after a key in a key/value pair"),
    "a-table-twice": ("[sitemap]\n[x]\n[sitemap]", 4, "Cannot declare ('sitemap',) twice"),
    "too-deep": ("[sitemap]\nx = " + "[" * 5_000, None, "TOML inline arrays/tables are nested"),
    "too-long": ("[sitemap]\n" + "# x\n" * 5_000, 1, "it has more than 16,384 characters"),
}


@one_in(3)
@pytest.mark.parametrize("name", BROKEN)
def test_toml_that_can_not_be_read_is_one_warning(site, name):
    """If it has a key of ours; the page keeps the date of git."""
    text, line, why = BROKEN[name]
    entry, _, errors = result(site, f"+++\n{text}\n+++\n# Install\n")
    assert entry == {"lastmod": by_git(site, SOURCES[1])}
    place = f"docs/guide/install.md:{line}" if line else "docs/guide/install.md"
    start = f"Warning: {place}: the front matter can't be read ({why}"
    assert errors.startswith(start), errors
    assert errors.endswith("). All front matter of this page is ignored.\n")
    assert errors.count("\n") == 1


def test_toml_without_an_end_is_a_warning(site):
    """Unless it has no key of ours."""
    _, _, errors = result(site, "+++\nlastmod = 2024-02-03\n\n# Install\n")
    assert "install.md:1: the front matter can't be read (a line +++ must end it)" in errors
    for text in ("+++\ntitle = x\n+++\n", "+++\ntitle = 'x'\n", "+++", "++++\nlastmod = 1\n++++\n"):
        assert result(site, text)[1:] == ("sitemap.xml: 3 pages, all dated (git)\n", "")
