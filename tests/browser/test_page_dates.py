"""The date that a reader sees on a page is the one that the sitemap has."""

import pytest
from sites import MATERIAL, day_of, only_material

pytestmark = [pytest.mark.browser, only_material("MaterialX does not show revision_date")]


def test_a_reader_sees_the_day_below_the_text(site, server, reader):
    """In the language of the site; a page without a date shows none, and nothing breaks."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/none.md": "# None\n"})
    site.commit_on("2024-05-05", {"docs/new.md": "# New\n"})
    site.docs({"none.md": "---\nlastmod: false\n---\n# None\n"})
    theme = MATERIAL.replace("}", ", language: de, features: [navigation.instant]}")
    site.config("page_dates: true", theme=theme, site_url=server.url)
    built = site.build()
    server.show(built.path(""))
    seen = {}
    for name in ("", "new/", "none/"):
        reader.open(name)
        fact = reader.page.locator(".md-source-file__fact time")
        seen[name] = (
            (fact.inner_text(), fact.get_attribute("datetime")[:10]) if fact.count() else None
        )
    days = {loc: day_of(entry) for loc, entry in built.by_loc(base=server.url).items()}
    assert days == {"": "2024-01-01", "new/": "2024-05-05", "none/": None}
    assert seen == {
        "": ("1. Januar 2024", days[""]),
        "new/": ("5. Mai 2024", days["new/"]),
        "none/": None,
    }
    modified = "meta[property='article:modified_time']"
    assert reader.page.locator(modified).count() == 0
    assert reader.unexpected() == ([], [])
