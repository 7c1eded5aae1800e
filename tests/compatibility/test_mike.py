"""mike: versions of a site, each deployed with a sitemap of its own."""

import os
import sys
from pathlib import Path

import pytest
from sites import Built, git, needs, run

pytestmark = needs("mike")

BIN = Path(sys.executable).parent
FIRST = "2024-01-01T10:00:00+0000"
SECOND = "2024-02-02T10:00:00+0000"
WITHOUT_PROPERDOCS = """\
from importlib import metadata

version = metadata.version


def without(name):
    if name == "properdocs":
        raise metadata.PackageNotFoundError(name)
    return version(name)


metadata.version = without
"""


class Deployer:
    """Deploys versions with the real command, and checks out what came of it."""

    def __init__(self, site, tmp_path, program):
        """The site is in a repository whose owner has a name."""
        self.site = site
        self.program = program
        self.out = tmp_path / "deployed"
        self.hidden = tmp_path / "hidden"
        git("init", "-q", cwd=site.folder)
        git("config", "user.name", "Ann", cwd=site.folder)
        git("config", "user.email", "ann@example.com", cwd=site.folder)
        site.write({".git/info/exclude": "/site/\n/deployed/\n/hidden/\n"})
        site.write({"hidden/sitecustomize.py": WITHOUT_PROPERDOCS})

    def deploy(self, *arguments):
        """Run ``mike deploy``; returns what it printed."""
        path = os.pathsep.join((str(BIN), os.environ["PATH"]))
        env = {"PATH": path}
        if self.program == "mkdocs":  # mike takes ProperDocs where it is installed
            env["PYTHONPATH"] = os.pathsep.join(
                filter(None, (str(self.hidden), os.environ.get("PYTHONPATH")))
            )
        done = run(BIN / "mike", "deploy", *arguments, cwd=self.site.folder, **env)
        return done.stdout + done.stderr

    def deployed(self):
        """The branch that is published."""
        git("worktree", "add", "-f", "-q", self.out / "site", "gh-pages", cwd=self.site.folder)
        return Built(self.out, 0, "")


@pytest.fixture(params=["mkdocs", "properdocs"])
def deployer(request, site, tmp_path):
    """Two pages, under mike by MkDocs and by ProperDocs."""
    if request.param == "properdocs":
        pytest.importorskip("properdocs")
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    return Deployer(site, tmp_path, request.param)


def two_versions(deployer, options="", alias="latest"):
    """Version 1.0, a new page, version 2.0, which is also `alias`."""
    site = deployer.site
    site.config(more=f"  - mike{options}\ntheme: mkdocs\n")
    site.commit(date=FIRST)
    output = deployer.deploy("1.0")
    assert output.count(" 2 pages, all dated (git)") == 1
    site.docs({"new.md": "# New\n"})
    site.commit(date=SECOND)
    output = deployer.deploy("2.0", *([alias] if alias else []))
    assert output.count(" 3 pages, all dated (git)") == 1
    assert "WARNING" not in output
    return deployer.deployed()


def entries(base, *, new):
    pages = {base: FIRST, f"{base}a/": FIRST} | ({f"{base}new/": SECOND} if new else {})
    return {loc: {"lastmod": date.replace("+0000", "+00:00")} for loc, date in pages.items()}


def test_each_version_has_a_whole_sitemap_of_its_own(deployer):
    """Mike gives the build a ``site_url`` without its last slash."""
    built = two_versions(deployer)
    assert built.by_loc("1.0/sitemap.xml") == entries("1.0/", new=False)
    assert built.by_loc("2.0/sitemap.xml") == entries("2.0/", new=True)
    assert not built.path().exists()


def test_with_a_canonical_version_all_versions_name_its_urls(deployer):
    """As the theme's ``rel=canonical`` does."""
    built = two_versions(deployer, ": {canonical_version: latest}")
    assert built.by_loc("1.0/sitemap.xml") == entries("latest/", new=False)
    assert built.by_loc("2.0/sitemap.xml") == entries("latest/", new=True)


@pytest.mark.parametrize(
    ("deployer", "kind"),
    [("mkdocs", "symlink"), ("mkdocs", "copy"), ("properdocs", "redirect")],
    indirect=["deployer"],
)
def test_an_alias_has_the_sitemap_of_its_version_or_none(deployer, kind):
    """A redirect is no page: its stubs are in no sitemap, and there is none among them."""
    built = two_versions(deployer, f": {{alias_type: {kind}}}")
    assert built.by_loc("2.0/sitemap.xml") == entries("2.0/", new=True)
    assert built.path("latest").is_symlink() is (kind == "symlink")
    assert built.path("latest/new/index.html").exists()
    if kind == "redirect":
        assert not list(built.path("latest").glob("sitemap.xml*"))
    else:
        assert built.xml("latest/sitemap.xml") == built.xml("2.0/sitemap.xml")
