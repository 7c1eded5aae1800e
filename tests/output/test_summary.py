"""The one line that sums up a build."""

from dataclasses import replace

import pytest

from mkdocs_sitemap_plus.generator.generate import summary
from mkdocs_sitemap_plus.generator.lastmod.date_source import Reason
from mkdocs_sitemap_plus.generator.pages.site import OutReason, Url
from mkdocs_sitemap_plus.generator.pipeline.decisions import Listed, Outcome
from mkdocs_sitemap_plus.gitdates import NoDate
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry

HERE = "sitemap.xml: "
UNDATED = "none dated (no date in front matter)"


@pytest.mark.parametrize(
    ("pages", "commit", "line"),
    [
        pytest.param({"index.md": ""}, True, "1 page, dated (git)", id="one"),
        pytest.param({"index.md": "", "a.md": ""}, False, f"2 pages, {UNDATED}", id="no-dates"),
        pytest.param(
            {"index.md": "lastmod: 2024-01-01", "a.md": "", "b.md": "", "c.md": "lastmod: false"},
            True,
            "4 pages, 3 dated (git 2, front matter 1), 1 undated (docs/c.md)",
            id="the-most-frequent-source-first",
        ),
        pytest.param(
            {"index.md": "", "a.md": "sitemap: false"},
            True,
            "1 page, dated (git); 1 left out (excluded)",
            id="one-left-out",
        ),
    ],
)
def test_it_counts_pages_dates_and_what_is_left_out(site, pages, commit, line):
    """What is counted once is in the singular, and what is zero is not there."""
    site.docs({name: f"---\n{said}\n---\n# Page\n" for name, said in pages.items()})
    site.config()
    if commit:
        site.commit()
    assert site.build().summary == HERE + line


def test_it_does_not_repeat_the_warning_that_no_page_has_a_date(site):
    """The warning says how many, why, and what to do."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("lastmod: {sources: [git]}")
    built = site.build()
    (warning,) = built.warnings
    assert warning.startswith("0 of 2 pages have a date: the files are not in a git repository.")
    assert built.summary == "sitemap.xml: 2 pages"


def with_archives(*names):
    return tuple(each for name in names for each in (name, f"{name}.gz"))


ENTRY = UrlEntry(loc="https://web.example/a/")
LISTED = Listed(target=Url(ENTRY.loc), entry=ENTRY, origins={})
REST = "1 URL, none dated"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["s.xml"], "s.xml"),
        (["s-1.xml", "s-2.xml", "s.xml"], "s.xml and 2 parts"),
        (["s-1.xml", "s.xml"], "s.xml and 1 part"),
        (["s.xml", "s-root.xml", "s-index.xml"], "s.xml, s-index.xml and 1 part"),
        (["s.xml", "s-index.xml"], "s.xml and s-index.xml"),
        ([f"my-s-{number}.xml" for number in range(20)] + ["my-s.xml"], "my-s.xml and 20 parts"),
    ],
)
def test_parts_are_counted_and_not_named(names, said):
    """The line stays one line, however many files there are and in whatever order."""
    outcome = Outcome(site=None, decisions=(LISTED,), problems=(), files=with_archives(*names))
    assert summary(outcome) == f"{said}: {REST}"


def test_a_url_without_a_page_is_counted_as_a_url():
    """An extra URL is no page of the site."""
    place = Place(origin=Origin.OPTION, key="extra_urls[0]")
    left = LISTED.left_out(OutReason.UNUSABLE_URL, "too long", place)
    files = with_archives("sitemap.xml")
    outcome = Outcome(site=None, decisions=(LISTED, left), problems=(), files=files)
    assert summary(outcome) == f"{HERE}{REST}; 1 left out (unusable URL)"


def test_of_many_undated_pages_five_are_named(site):
    """The line stays one line. Pages whose source is not known are named as all others."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    site.docs({f"{letter}.md": "# New\n" for letter in "abcdefg"})
    assert site.build("--strict").summary == (
        f"{HERE}8 pages, 1 dated (git), 7 undated (docs/a.md, docs/b.md, docs/c.md, docs/d.md, "
        "docs/e.md and 2 more)"
    )


def test_if_nothing_is_dated_the_line_has_the_reasons():
    """The commonest comes first."""
    why = [Reason.NOT_COMMITTED, Reason.SHALLOW, Reason.SHALLOW]
    undated = [replace(LISTED, undated=NoDate(reason=reason)) for reason in why]
    files = with_archives("sitemap.xml")
    outcome = Outcome(site=None, decisions=tuple(undated), problems=(), files=files)
    assert summary(outcome) == f"{HERE}3 URLs, none dated (shallow clone, not committed)"
