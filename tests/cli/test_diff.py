"""What became of a sitemap, as the command prints it."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from commands import run
from one_file import one_file

from mkdocs_sitemap_plus.command.cli.diff import UrlChange, changes
from mkdocs_sitemap_plus.sitemap.entries import (
    Alternate,
    Changefreq,
    UrlEntry,
    Video,
)

DE, EN, FR = (
    Alternate(hreflang=code, href=f"https://web.example/{code}/") for code in ("de", "en", "fr")
)


def entry(path, **fields):
    return UrlEntry(loc=f"https://web.example/{path}", **fields)


def by_loc(*entries):
    return {each.loc: each for each in entries}


def diff(*arguments):
    return run("diff", *arguments)


@pytest.fixture
def two(tmp_path):
    """Two sitemaps: one page added, one removed, two changed, one the same."""
    old = [
        entry(""),
        entry("a/", lastmod=date(2026, 1, 2), priority=Decimal("0.5"), alternates=(DE, EN)),
        entry("b/"),
        entry("d/", lastmod=datetime(2026, 1, 2, 10, tzinfo=UTC)),
    ]
    new = [
        entry(""),
        entry("a/", changefreq=Changefreq.DAILY, priority=Decimal("0.50"), alternates=(EN, FR)),
        entry("c/", lastmod=date(2026, 2, 1)),
        entry("d/", lastmod=datetime(2026, 2, 2, 10, tzinfo=UTC)),
    ]
    for name, entries in (("old.xml", old), ("new.xml", new)):
        (tmp_path / name).write_bytes(one_file(entries))
    return tmp_path / "old.xml", tmp_path / "new.xml"


def test_added_removed_and_changed_urls_are_printed(two):
    """Each URL once, in order; each field that changed with what it was and is."""
    assert diff(*two) == (
        0,
        """\
~ https://web.example/a/
    lastmod: 2026-01-02 -> none
    changefreq: none -> daily
    alternates: de https://web.example/de/ -> fr https://web.example/fr/
- https://web.example/b/
+ https://web.example/c/
~ https://web.example/d/
    lastmod: 2026-01-02T10:00:00+00:00 -> 2026-02-02T10:00:00+00:00
1 added, 1 removed, 2 changed, 1 unchanged; 4 URLs now.
""",
        "",
    )


def test_urls_alone_are_printed(two):
    """For other programs: all that changed, one a line."""
    urls = "".join(f"https://web.example/{name}/\n" for name in "abcd")
    assert diff("--format", "urls", *two) == (0, urls, "")


def test_the_exit_code_says_whether_they_differ(two):
    """If it is asked for, as in `git diff`."""
    assert diff(*two)[0] == 0
    assert diff("--exit-code", *two)[0] == 1
    assert diff("--exit-code", two[0], two[0])[0] == 0


def test_a_table_for_a_pull_request(two):
    """With what Markdown could take for markup escaped."""
    code, out, err = diff("--format", "markdown", *two)
    lines = out.splitlines()
    assert (code, err, lines[:2]) == (0, "", ["| URL | | |", "| --- | --- | --- |"])
    assert "| https://web.example/b/ | removed |  |" in lines
    changed = "lastmod: 2026-01-02T10:00:00+00:00 -\\> 2026-02-02T10:00:00+00:00"
    assert f"| https://web.example/d/ | changed | {changed} |" in lines
    assert lines[-1] == "1 added, 1 removed, 2 changed, 1 unchanged; 4 URLs now."


def test_json_has_whole_values(two):
    """Entries with the fields that they have, and both sides of each field."""
    code, out, err = diff("--format", "json", *two)
    assert (code, err) == (0, "")
    links = {
        code: {"hreflang": code, "href": f"https://web.example/{code}/"}
        for code in ("de", "en", "fr")
    }
    assert json.loads(out) == {
        "version": 1,
        "added": [{"loc": "https://web.example/c/", "lastmod": "2026-02-01"}],
        "removed": [{"loc": "https://web.example/b/"}],
        "changed": [
            {
                "loc": "https://web.example/a/",
                "fields": {
                    "lastmod": {"old": "2026-01-02", "new": None},
                    "changefreq": {"old": None, "new": "daily"},
                    "alternates": {
                        "old": [links["de"], links["en"]],
                        "new": [links["en"], links["fr"]],
                    },
                },
            },
            {
                "loc": "https://web.example/d/",
                "fields": {
                    "lastmod": {
                        "old": "2026-01-02T10:00:00+00:00",
                        "new": "2026-02-02T10:00:00+00:00",
                    }
                },
            },
        ],
        "unchanged": 1,
    }


def test_spelling_is_no_change():
    """The same instant in another zone, another order of languages, one digit more."""
    zone = timezone(timedelta(hours=2))
    old = entry("", lastmod=datetime(2026, 1, 2, 10, tzinfo=UTC), alternates=(DE, EN))
    new = entry("", lastmod=datetime(2026, 1, 2, 12, tzinfo=zone), alternates=(EN, DE))
    assert changes(by_loc(old), by_loc(new)) == {}


def test_a_day_is_not_an_instant():
    """A date without a time is less exact than midnight."""
    old = entry("", lastmod=date(2026, 1, 2))
    new = entry("", lastmod=datetime(2026, 1, 2, tzinfo=UTC))
    changed = UrlChange(old=old, new=new, fields=("lastmod",))
    assert changes(by_loc(old), by_loc(new)) == {old.loc: changed}


def test_each_field_counts():
    """Also the fields of extensions."""
    video = Video(thumbnail_loc="t", title="T", description="D", content_loc="v", live=True)
    old, new = entry(""), entry("", images=("https://web.example/a.png",), videos=(video,))
    (found,) = changes(by_loc(old), by_loc(new)).values()
    assert found.fields == ("images", "videos")


def test_what_cannot_be_read_is_noted_and_not_compared(two):
    """On stderr, ten lines at most."""
    old, _ = two
    bad = b"<lastmod>soon</lastmod>"
    old.write_bytes(
        one_file([entry(f"{n}/") for n in range(12)]).replace(b"</loc>", b"</loc>" + bad)
    )
    code, out, err = diff("--format", "urls", old, old)
    lines = err.splitlines()
    assert (code, out, len(lines)) == (0, "", 11)
    when = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
    assert (
        lines[0]
        == f"Note: {old.as_posix()}:4: lastmod is 'soon', but must be {when}. It is not read."
    )
    assert lines[-1] == "Note: 14 more of this kind."


def test_an_invalid_date_is_a_note_and_no_date(tmp_path):
    """As for `check`, which calls it an error. No zone is guessed, so no date is compared."""
    written = "2025-03-01T11:00:00"
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    new.write_bytes(one_file([entry("", lastmod=datetime(2025, 3, 1, 11, tzinfo=UTC))]))
    old.write_bytes(new.read_bytes().replace(b"2025-03-01T11:00:00+00:00", written.encode()))
    code, out, err = diff(old, new)
    assert code == 0
    assert "    lastmod: none -> 2025-03-01T11:00:00+00:00\n" in out
    when = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
    assert err == (
        f"Note: {old.as_posix()}:5: lastmod is {written!r}, but must be {when}. It is not read.\n"
    )
