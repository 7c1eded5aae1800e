"""The one line that sums up a build."""

import pytest

from mkdocs_sitemap_plus.lastmod import NoDate, Reason
from mkdocs_sitemap_plus.output.summary import summary
from mkdocs_sitemap_plus.pipeline import Decision, LeftOut, Outcome, OutReason
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap import UrlEntry

HERE = "sitemap.xml and sitemap.xml.gz: "


@pytest.mark.parametrize(
    ("pages", "commit", "line"),
    [
        pytest.param(
            {"index.md": ""}, True, "1 URL, 1 dated (1 git), 0 undated; nothing left out.", id="one"
        ),
        pytest.param(
            {"index.md": "", "a.md": ""},
            False,
            "2 URLs; nothing left out.",
            id="no-dates",
        ),
        pytest.param(
            {"index.md": "lastmod: 2024-01-01", "a.md": "sitemap: {lastmod: false}", "b.md": ""},
            True,
            "3 URLs, 2 dated (1 front matter, 1 git), 1 undated (docs/a.md); nothing left out.",
            id="two-sources",
        ),
        pytest.param(
            {"index.md": "", "a.md": "sitemap: false"},
            True,
            "1 URL, 1 dated (1 git), 0 undated; 1 page left out (1 excluded).",
            id="one-left-out",
        ),
    ],
)
def test_it_counts_urls_dates_and_what_is_left_out(site, pages, commit, line):
    """What is counted once is in the singular, and kinds that are not there are not named."""
    site.docs({name: f"---\n{said}\n---\n# Page\n" for name, said in pages.items()})
    site.config()
    if commit:
        site.commit()
    start = "" if commit else "0 of 2 pages have a date (no date in front matter); "
    assert site.build().summary == start + HERE + line


def test_it_names_the_files_as_they_are_called(site):
    """Those that were written."""
    site.docs({"index.md": "# Home\n"})
    site.config("filename: map.xml")
    assert site.build().summary == (
        "0 of 1 page has a date (no date in front matter); "
        "map.xml and map.xml.gz: 1 URL; nothing left out."
    )


def with_archives(*names):
    return tuple(each for name in names for each in (name, f"{name}.gz"))


ENTRY = UrlEntry(loc="https://example.com/a/")
LISTED = Decision(page=None, loc=ENTRY.loc, entry=ENTRY)
NONE = "0 of 1 URL has a date; "
REST = "1 URL; nothing left out."


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["s.xml"], "s.xml and s.xml.gz"),
        (["s-1.xml", "s-2.xml", "s.xml"], "s.xml, 2 parts and their .gz"),
        (["s-1.xml", "s.xml"], "s.xml, 1 part and their .gz"),
        (["s.xml", "s-root.xml", "s-index.xml"], "s.xml, s-index.xml, 1 part and their .gz"),
        (["s.xml", "s-index.xml"], "s.xml, s-index.xml and their .gz"),
        ([f"my-s-{number}.xml" for number in range(20)] + ["my-s.xml"],
         "my-s.xml, 20 parts and their .gz"),
    ],
)  # fmt: skip
def test_parts_are_counted_and_not_named(names, said):
    """The line stays one line, however many files there are and in whatever order."""
    outcome = Outcome(site=None, decisions=(LISTED,), problems=(), files=with_archives(*names))
    assert summary(outcome) == f"{NONE}{said}: {REST}"


def test_a_url_without_a_page_is_counted_as_a_url():
    """An extra URL that is left out is no page of the site."""
    place = Place(origin=Origin.OPTION, key="extra_urls[0]")
    out = LeftOut(reason=OutReason.UNUSABLE_URL, detail="too long", place=place)
    left = LISTED._replace(entry=None, left_out=out)
    files = with_archives("sitemap.xml")
    outcome = Outcome(site=None, decisions=(LISTED, left), problems=(), files=files)
    assert summary(outcome) == (f"{NONE}{HERE}1 URL; 1 URL left out (1 unusable URL).")


def test_of_many_undated_pages_five_are_named(site):
    """The line stays one line. Pages whose source is not known are named as all others."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    site.docs({f"{letter}.md": "# New\n" for letter in "abcdefg"})
    assert site.build("--strict").summary == (
        f"{HERE}8 URLs, 1 dated (1 git), 7 undated (docs/a.md, docs/b.md, docs/c.md, docs/d.md, "
        "docs/e.md and 2 more); nothing left out."
    )


def test_if_nothing_is_dated_the_line_begins_with_the_reasons():
    """The commonest comes first."""
    why = [Reason.NOT_COMMITTED, Reason.SHALLOW, Reason.SHALLOW]
    undated = [LISTED._replace(undated=NoDate(reason=reason)) for reason in why]
    files = with_archives("sitemap.xml")
    outcome = Outcome(site=None, decisions=tuple(undated), problems=(), files=files)
    assert summary(outcome) == (
        f"0 of 3 URLs have a date (shallow clone, not committed); {HERE}3 URLs; nothing left out."
    )
