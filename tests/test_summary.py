"""The one line that sums up a build."""

import pytest

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
