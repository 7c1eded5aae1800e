"""Mistakes in front matter, as people make them: many pages in one build, by both doors.

Each page has one mistake. What must come out: the line of the log with its level, and whether the
page is listed.
"""

import json
from typing import NamedTuple

import pytest
from sites import CHANGEFREQS, DATES, found_in, run_command

from mkdocs_sitemap_plus.generator.options.fields import SITEMAP_KEYS

WARNING, NOTE = "warning", "note"
OUT = "To leave the page out, write `sitemap: false`."
IGNORED = "It is ignored."
LISTED_SITEMAP = "but must be true, false or a mapping"
SHOWN = "MkDocs ignores all front matter of this page, and shows it as text."


class Row(NamedTuple):
    """One mistake."""

    text: str  # the front matter; a page that begins with something else has it whole
    said: str  # by the line of the log, after its file; empty: nothing is said
    level: str = WARNING
    is_listed: bool = True


def date_row(written, shown=None):
    """A date in another spelling."""
    shown = shown or written
    return Row(
        f"lastmod: {written}",
        f":2: lastmod is {shown}, but must be {DATES}. No lastmod is written.",
    )


def exclude_row(value, shown=None):
    """A misspelt value of `sitemap.exclude`."""
    said = f":2: sitemap.exclude is {shown or repr(value)}, but must be true or false. {IGNORED}"
    return Row(f"sitemap: {{exclude: {value}}}", said)


def sitemap_row(value, shown=None):
    """A misspelt value of `sitemap`."""
    said = f":2: sitemap is {shown or repr(value)}, {LISTED_SITEMAP}. {IGNORED}"
    return Row(f"sitemap: {value}", f"{said} {OUT}" if shown is None else said)


def key_row(key):
    """A key under `sitemap` that is not known."""
    known = ", ".join(SITEMAP_KEYS)
    return Row(
        f"sitemap: {{{key}: true}}",
        f":2: sitemap.{key} is not a known key (known: {known}). {IGNORED}",
    )


def other_row(key, value, shown):
    """A key that leaves a page out in another tool."""
    said = f":2: {key} is {shown}, but this plugin does not read that key. The page is listed. "
    return Row(f"{key}: {value}", f"{said}To leave it out, write `sitemap: false`.", NOTE)


def shown_row(text, why, line=1):
    """Front matter that is none."""
    return Row(text, f":{line}: the front matter can't be read ({why}). {SHOWN}")


ROWS = [
    # what should leave a page out
    sitemap_row("flase"),
    sitemap_row("none"),
    sitemap_row("daily"),
    sitemap_row("0", shown="0"),
    sitemap_row("[]", shown="[]"),
    sitemap_row("[exclude]", shown="['exclude']"),
    exclude_row("ture"),
    exclude_row("None"),
    exclude_row("1", shown="1"),
    exclude_row("[true]", shown="[true]"),
    key_row("excluded"),
    key_row("Exclude"),
    key_row("noindex"),
    key_row("include"),
    other_row("noindex", "true", "true"),
    other_row("exclude", "true", "true"),
    other_row("sitemap_exclude", "true", "true"),
    other_row("robots", "noindex", "'noindex'"),
    other_row("index", "false", "false"),
    other_row("hide", "[sitemap]", "['sitemap']"),
    other_row("hide", "[toc, sitemap]", "['toc', 'sitemap']"),
    Row("hide: [toc]", ""),
    Row("index: true", ""),
    # a key that stands twice
    Row(
        "sitemap: false\nsitemap: {priority: 0.5}",
        ":3: sitemap stands twice. Only this value counts, which is the last one. Delete one.",
    ),
    Row(
        "sitemap:\n  exclude: true\n  exclude: false",
        ":4: sitemap.exclude stands twice. Only this value counts, which is the last one. Delete "
        "one.",
    ),
    Row(
        "priority: 0.5\npriority: 0.6",
        ":3: priority stands twice. Only this value counts, which is the last one. Delete one.",
    ),
    Row("tags: a\ntags: b\npriority: 0.5", ""),
    # front matter that is none
    shown_row(" ---\nsitemap: false\n---\n", "the line --- must begin without blanks"),
    shown_row("----\nsitemap: false\n----\n", "a line of three dashes, ---, must begin it"),
    shown_row("```yaml\nsitemap: false\n```\n", "it must not be in a block of code"),
    shown_row("```yml\n---\nsitemap: false\n---\n```\n", "it must not be in a block of code"),
    shown_row(
        "# Title\n\n---\nsitemap: false\n---\n",
        "it must begin in the first line, before the heading",
    ),
    shown_row("---\n- sitemap: false\n---\n", "its lines are not KEY: VALUE", 1),
    shown_row(
        "+++\nsitemap = false\n+++\n",
        "MkDocs reads YAML between lines ---, not TOML between lines +++",
    ),
    shown_row("---\nsitemap: false\n\n# Title\n", "a line --- must end it"),
    Row("# Title\n\n---\n\nText: more\n\n---\n", ""),
    Row("```yaml\npriority: 1\n```\n", ""),
    # dates
    date_row("14.03.2026", "'14.03.2026'"),
    date_row("2026/03/14", "'2026/03/14'"),
    date_row("20260314"),
    date_row("March 14, 2026", "'March 14, 2026'"),
    date_row("2026\u201303\u201314", "'2026\u201303\u201314'"),
    date_row("\u201c2026-03-14\u201d", "'\u201c2026-03-14\u201d'"),
    date_row("12:30"),
    date_row("2026"),
    date_row("2026-03", "'2026-03'"),
    date_row("yes"),
    Row(
        "lastmod: 0026-03-14",
        ":2: lastmod is 0026-03-14, which is before there was a web. No lastmod is written.",
    ),
    Row(
        "sitemap: {lastmod: 1989-12-31}",
        ":2: sitemap.lastmod is 1989-12-31, which is before there was a web. No lastmod is "
        "written.",
    ),
    Row("last_update: {date: 14/3/2025}", ""),
    Row("date: {update: 2026-03-14}", ""),
    # other values and keys
    Row(
        "changefreq: dayly",
        f":2: changefreq is 'dayly', but must be one of {CHANGEFREQS}. No changefreq is written.",
    ),
    Row(
        "sitemap: {priority: '0,5'}",
        ":2: sitemap.priority is '0,5', but must be a number from 0.0 to 1.0. No priority is "
        "written.",
    ),
    Row("changefrequency: weekly", ""),
    Row("prioriti: 0.5", ""),
    Row(
        "Sitemap: false",
        ":2: Sitemap is not the key `sitemap`. It is ignored. To leave the page out, write "
        "`sitemap: false`; other values go under `sitemap:`.",
        NOTE,
    ),
]


def page_of(row):
    """The whole page."""
    is_whole = row.text.startswith((" ", "-", "`", "#", "+"))
    return f"{row.text}\n# Page\n" if is_whole else f"---\n{row.text}\n---\n# Page\n"


class Result(NamedTuple):
    """What one build says and lists."""

    said: list
    listed: set


def result_of(site):
    """Of the last build, by its report."""
    report = json.loads((site.folder / "report.json").read_text("utf-8"))
    said = [(each["text"], each["level"]) for each in report["problems"]]
    return Result(said, {page["source"] for page in report["pages"] if "entry" in page})


@pytest.fixture(params=["plugin", "command"])
def results(request, site):
    """What a door makes of a site."""

    def build(pages, options="exclude: /out/"):
        site.docs({"index.md": "# Home\n", "out/x.md": "# X\n"} | pages)
        site.config(f"{options}\nreport: report.json")
        built = site.build("--strict", check=False)
        if request.param == "command":
            (site.folder / "report.json").unlink()
            done = run_command("build", "--strict", cwd=site.folder)
            return done.returncode, result_of(site)
        assert not found_in(site.folder / "site") - {"not-listed"}
        return built.returncode, result_of(site)

    return build


def test_each_mistake_has_its_line(results):
    """With file and line, the value as it is written, what is allowed, and what is done."""
    pages = {f"p{number:03}.md": page_of(row) for number, row in enumerate(ROWS)}
    code, found = results(pages)
    assert code == 1
    expected = {
        f"docs/p{number:03}.md{row.said}": row.level for number, row in enumerate(ROWS) if row.said
    }
    said = {text: level for text, level in found.said if text.startswith("docs/p")}
    assert said == expected
    wanted = {f"p{number:03}.md" for number, row in enumerate(ROWS) if row.is_listed}
    assert {name for name in found.listed if name.startswith("p")} == wanted


def test_no_mistake_lists_a_page_that_a_pattern_leaves_out(results):
    """But for a value that says so, such as `exclude: false`, which stands last there."""
    pages = {f"out/p{number:03}.md": page_of(row) for number, row in enumerate(ROWS)}
    _, found = results(pages)
    listed = {ROWS[int(name[5:8])].text for name in found.listed if name.startswith("out/")}
    assert listed == {"sitemap:\n  exclude: true\n  exclude: false"}
