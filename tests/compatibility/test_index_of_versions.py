"""``mkdocs-sitemap-plus index`` over the versions that mike deploys."""

import os
import sys
from pathlib import Path

import pytest
from indexes import index, listed
from sites import git, needs, run

pytestmark = needs("mike")


class Mike:
    """Deploys versions with the real mike, and checks out what came of it."""

    def __init__(self, site):
        """A repository with two pages."""
        self.site = site
        git("init", "-q", cwd=site.folder)
        git("config", "user.name", "Ann", cwd=site.folder)
        git("config", "user.email", "ann@example.com", cwd=site.folder)
        site.write({".git/info/exclude": "/site/\n/deployed/\n"})
        site.docs({"index.md": "# Home\n", "old.md": "# Old\n"})

    def deploy(self, options):
        """Version 1.0 with a page that 2.0, which is the latest, has no more."""
        bin_folder = Path(sys.executable).parent
        path = os.pathsep.join((str(bin_folder), os.environ["PATH"]))
        for version, alias, date in (("1.0", [], "2024-01-01"), ("2.0", ["latest"], "2024-02-02")):
            self.site.config(more=f"  - mike: {options}\ntheme: mkdocs\n")
            if alias:
                (self.site.folder / "docs/old.md").unlink()
                self.site.docs({"new.md": "# New\n"})
            self.site.commit(date=f"{date}T10:00:00+0000")
            run(bin_folder / "mike", "deploy", version, *alias, cwd=self.site.folder, PATH=path)
        pages = self.site.folder / "deployed"
        git("worktree", "add", "-f", "-q", pages, "gh-pages", cwd=self.site.folder)
        return pages


@pytest.fixture
def mike(site):
    """Two versions of a site."""
    return Mike(site)


FIRST, SECOND = "2024-01-01T10:00:00+00:00", "2024-02-02T10:00:00+00:00"


@pytest.mark.parametrize("kind", ["symlink", "copy", "redirect"])
def test_the_versions_of_mike_are_listed_each_once(mike, kind):
    """An alias is no version, whether it is a link, a copy or a redirect."""
    pages = mike.deploy(f"{{alias_type: {kind}}}")
    index("deployed", cwd=pages.parent)
    assert listed(pages / "sitemap-index.xml") == {
        "https://example.com/2.0/sitemap.xml": SECOND,
        "https://example.com/1.0/sitemap.xml": FIRST,
    }
    folders = sorted(each.name for each in pages.iterdir() if each.is_dir() and each.name[0] != ".")
    index(*(f"deployed/{name}" for name in folders), "-o", "deployed/b.xml", cwd=pages.parent)
    assert listed(pages / "b.xml").keys() == listed(pages / "sitemap-index.xml").keys()


def test_with_a_canonical_version_only_its_pages_can_be_listed(mike):
    """Each page of the latest version with its own date, and no page that only an older one has."""
    pages = mike.deploy("{canonical_version: latest}")
    lines = index("--merge", "--only-canonical", "deployed", cwd=pages.parent)
    there = "URLs there is no page, or a redirect, or a page with another canonical URL"
    assert lines == [
        "sitemap.xml and sitemap.xml.gz for https://example.com/: 2 URLs.",
        f"Note: 1.0: at 1 of 2 {there}. Such URLs are not listed.",
    ]
    assert listed(pages / "sitemap.xml") == {
        "https://example.com/latest/": FIRST,
        "https://example.com/latest/new/": SECOND,
    }
