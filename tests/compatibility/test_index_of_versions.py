"""``mkdocs-sitemap-plus index`` over the versions that mike deploys."""

import os
import sys
from pathlib import Path

import pytest
from indexes import index, listed
from sitemap_texts import urlset
from sites import git, needs, run, run_command

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

    def deploy(self, options, **config):
        """Version 1.0 with a page that 2.0, which is the latest, has no more."""
        bin_folder = Path(sys.executable).parent
        path = os.pathsep.join((str(bin_folder), os.environ["PATH"]))
        for version, alias, date in (("1.0", [], "2024-01-01"), ("2.0", ["latest"], "2024-02-02")):
            self.site.config(more=f"  - mike: {options}\ntheme: mkdocs\n", **config)
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


@pytest.mark.parametrize("kind", ["symlink", "copy"])
def test_an_index_has_the_sitemap_of_the_canonical_version(mike, kind):
    """At its alias. Search engines would ignore it elsewhere, as that of the other version."""
    pages = mike.deploy(f"{{canonical_version: latest, alias_type: {kind}}}")
    lines = index("deployed", cwd=pages.parent)
    outside = "2 of 2 URLs are not under https://example.com/1.0/. It is not listed."
    assert lines[1].startswith(f"Note: 1.0: {outside}")
    assert listed(pages / "sitemap-index.xml") == {"https://example.com/latest/sitemap.xml": SECOND}
    assert run_command("check", "deployed", cwd=pages.parent).returncode == 0


@pytest.mark.parametrize("options", ["{}", "{canonical_version: latest}"])
def test_the_name_of_an_alias_in_site_url_is_found(mike, options):
    """Mike adds the version to it, so that no URL and no canonical URL exists."""
    pages = mike.deploy(options, site_url="https://example.com/latest/")
    for where in ("deployed", "deployed/2.0", "deployed/latest", "deployed/2.0/sitemap.xml"):
        done = run_command("check", where, cwd=pages.parent)
        assert done.returncode == 1
        assert "error page-absent: its URLs begin with https://example.com/latest/" in done.stdout
        assert "Set site_url to https://example.com/, " in done.stdout
    for more in ((), ("--merge",)):
        (line,) = index(*more, "deployed", cwd=pages.parent, code=1)
        assert "Set site_url to https://example.com/, " in line
    assert not list(pages.glob("*.xml"))


@pytest.mark.parametrize("kind", ["symlink", "copy", "redirect"])
def test_what_index_writes_passes_the_check(mike, kind):
    """Beside an old version that this plugin did not write, and the redirect of the root."""
    pages = mike.deploy(f"{{alias_type: {kind}}}")
    (pages / "index.html").write_text(
        "<!DOCTYPE html><html><head><title>Redirecting</title><script>"
        'window.location.replace("latest/");</script></head><body></body></html>',
        "utf-8",
    )
    (pages / "1.0/sitemap.xml.gz").unlink()
    days = "<url><loc>https://example.com/1.0/{}</loc><lastmod>2024-01-01</lastmod></url>"
    (pages / "1.0/sitemap.xml").write_bytes(urlset(days.format(""), days.format("old/")))
    for options in ((), ("--merge",)):
        index(*options, "deployed", cwd=pages.parent)
        done = run_command("check", "deployed", cwd=pages.parent)
        assert (done.returncode, done.stdout[:11]) == (0, "No problems"), done.stdout
        for path in pages.glob("sitemap*"):
            path.unlink()
