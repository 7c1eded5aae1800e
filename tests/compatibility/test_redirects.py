"""mkdocs-redirects: stubs that lead elsewhere."""

import pytest
from sites import needs

pytestmark = needs("mkdocs-redirects")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


@pytest.mark.parametrize("arguments", [[], ["--no-directory-urls"]], ids=["folders", "files"])
def test_stubs_are_never_listed(site, arguments):
    """What they lead to is, if it is a page of this site."""
    site.docs({"index.md": "# Home\n", "new.md": "# New\n"})
    maps = "{old.md: new.md, sub/older.md: new.md, away.md: 'https://elsewhere.example/'}"
    site.config(more=f"  - redirects: {{redirect_maps: {maps}}}\n")
    site.commit()
    built = site.build("--strict", *arguments)
    stub = "old.html" if arguments else "old/index.html"
    assert 'http-equiv="refresh"' in built.path(stub).read_text()
    pages = ["index.html", "new.html"] if arguments else ["", "new/"]
    assert built.by_loc() == dict.fromkeys(pages, DATED)
    assert len(built.lines) == 1
