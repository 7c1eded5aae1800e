"""mkdocs-git-revision-date-localized-plugin: the same dates for readers."""

import pytest
from sites import needs

pytestmark = needs("mkdocs-git-revision-date-localized-plugin")

MAY, JUNE = ({"lastmod": f"2024-0{month}-01T10:00:00+00:00"} for month in (5, 6))


@pytest.mark.parametrize("theme", ["mkdocs", "material"])
def test_our_dates_are_our_own(site, theme):
    """The page that git does not know has none, though that plugin gives it one of today."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(
        theme=f"theme: {{name: {theme}}}\n",
        more="  - git-revision-date-localized: {timezone: Asia/Taipei, strict: false}\n",
    )
    site.commit(date="2024-05-01T10:00:00+0000")
    site.docs({"a.md": "# A, newer\n"})
    site.commit(date="2024-06-01T10:00:00+0000")
    site.docs({"untracked.md": "# Untracked\n"})
    built = site.build()
    assert built.by_loc() == {"": MAY, "a/": JUNE, "untracked/": {}}
    assert built.warnings == []
