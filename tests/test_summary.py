"""The one line that sums up a build."""

from dataclasses import replace

import pytest

from mkdocs_sitemap_plus.decisions.decision import Decision, LeftOut, Outcome, Reason
from mkdocs_sitemap_plus.evidence import Place, Voice
from mkdocs_sitemap_plus.report.summary import summary
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry

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
            "2 URLs, 0 dated, 2 undated; nothing left out.",
            id="no-dates",
        ),
        pytest.param(
            {"index.md": "lastmod: 2024-01-01", "a.md": "sitemap: {lastmod: false}", "b.md": ""},
            True,
            "3 URLs, 2 dated (1 front matter, 1 git), 1 undated; nothing left out.",
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
    assert site.build().summary == HERE + line


def test_it_names_the_files_as_they_are_called(site):
    """Those that were written."""
    site.docs({"index.md": "# Home\n"})
    site.config("filename: map.xml")
    assert site.build().summary == (
        "map.xml and map.xml.gz: 1 URL, 0 dated, 1 undated; nothing left out."
    )


def with_archives(*names):
    return tuple(each for name in names for each in (name, f"{name}.gz"))


ENTRY = UrlEntry(loc="https://example.com/a/")
LISTED = Decision(page=None, loc=ENTRY.loc, entry=ENTRY)
REST = "1 URL, 0 dated, 1 undated; nothing left out."


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
    assert summary(outcome) == f"{said}: {REST}"


def test_a_url_without_a_page_is_counted_as_a_url():
    """An extra URL that is left out is no page of the site."""
    place = Place(voice=Voice.OPTION, key="extra_urls[0]")
    out = LeftOut(reason=Reason.UNUSABLE_URL, detail="too long", place=place)
    left = replace(LISTED, entry=None, left_out=out)
    files = with_archives("sitemap.xml")
    outcome = Outcome(site=None, decisions=(LISTED, left), problems=(), files=files)
    assert summary(outcome) == (
        f"{HERE}1 URL, 0 dated, 1 undated; 1 URL left out (1 unusable URL)."
    )
