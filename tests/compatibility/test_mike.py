"""mike: versions of a site, each deployed with a sitemap of its own, and ``index`` over them."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from indexes import index, listed
from sitemap_texts import urlset
from sites import Built, SiteMaker, git, needs, run, run_command

pytestmark = needs("mike", "properdocs")

BIN = Path(sys.executable).parent
FIRST, SECOND = "2024-01-01T10:00:00+00:00", "2024-02-02T10:00:00+00:00"
WITHOUT_PROPERDOCS = """\
from importlib import metadata

version = metadata.version


def without(name):
    if name == "properdocs":
        raise metadata.PackageNotFoundError(name)
    return version(name)


metadata.version = without
"""


def deploy(top, options="{}", *, program="mkdocs", **config):
    """Version 1.0 with a page that 2.0, which is the latest, has no more; what is published."""
    site = SiteMaker(top)
    git("init", "-q", cwd=top)
    git("config", "user.name", "Ann", cwd=top)
    git("config", "user.email", "ann@example.com", cwd=top)
    site.write({".git/info/exclude": "/site/\n/deployed/\n/hidden/\n"})
    site.write({"hidden/sitecustomize.py": WITHOUT_PROPERDOCS})
    env = {"PATH": os.pathsep.join((str(BIN), os.environ["PATH"]))}
    if program == "mkdocs":  # mike takes ProperDocs where it is installed
        paths = (str(top / "hidden"), os.environ.get("PYTHONPATH"))
        env["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    site.docs({"index.md": "# Home\n", "old.md": "# Old\n"})
    site.config(more=f"  - mike: {options}\ntheme: mkdocs\n", **config)
    for version, alias, date in (("1.0", [], FIRST), ("2.0", ["latest"], SECOND)):
        if alias:
            (top / "docs/old.md").unlink()
            site.docs({"new.md": "# New\n"})
        site.commit(date=date)
        done = run(BIN / "mike", "deploy", version, *alias, cwd=top, **env)
        assert (done.stdout + done.stderr).count(" 2 pages, all dated (git)") == 1
        assert "WARNING" not in done.stdout + done.stderr
    git("worktree", "add", "-f", "-q", top / "deployed/site", "gh-pages", cwd=top)
    return top / "deployed"


KINDS = {"symlink": "mkdocs", "copy": "mkdocs", "redirect": "properdocs"}


@pytest.fixture(scope="module", params=KINDS)
def plain(request, tmp_path_factory):
    """The two versions, with an alias of each kind; by MkDocs and by ProperDocs."""
    options = f"{{alias_type: {request.param}}}"
    top = tmp_path_factory.mktemp(request.param)
    return request.param, deploy(top, options, program=KINDS[request.param])


@pytest.fixture
def published(plain, tmp_path):
    """What an alias is there, and a copy of what is published."""
    kind, folder = plain
    shutil.copytree(folder / "site", tmp_path / "site", symlinks=True)
    return kind, Built(tmp_path, 0, "")


def test_each_version_has_a_sitemap_of_its_own_and_an_alias_that_of_its_version(published):
    """A redirect is no page: its stubs are in no sitemap, and there is none among them."""
    kind, built = published
    dated = {"lastmod": FIRST}
    assert built.by_loc("1.0/sitemap.xml") == {"1.0/": dated, "1.0/old/": dated}
    assert built.by_loc("2.0/sitemap.xml") == {"2.0/": dated, "2.0/new/": {"lastmod": SECOND}}
    assert not built.path().exists()
    assert built.path("latest").is_symlink() is (kind == "symlink")
    assert built.path("latest/new/index.html").exists()
    if kind == "redirect":
        assert not list(built.path("latest").glob("sitemap.xml*"))
    else:
        assert built.xml("latest/sitemap.xml") == built.xml("2.0/sitemap.xml")


def test_the_versions_of_mike_are_listed_each_once(published):
    """An alias is no version, whether it is a link, a copy or a redirect."""
    _, built = published
    pages = built.path("")
    index("site", cwd=built.folder)
    assert listed(pages / "sitemap-index.xml") == {
        "https://web.example/2.0/sitemap.xml": SECOND,
        "https://web.example/1.0/sitemap.xml": FIRST,
    }
    folders = sorted(each.name for each in pages.iterdir() if each.is_dir() and each.name[0] != ".")
    index(*(f"site/{name}" for name in folders), "-o", "site/b.xml", cwd=built.folder)
    assert listed(pages / "b.xml").keys() == listed(pages / "sitemap-index.xml").keys()


def test_what_index_writes_passes_the_check(published):
    """Beside an old version that this plugin did not write, and the redirect of the root."""
    _, built = published
    pages = built.path("")
    (pages / "index.html").write_text(
        "<!DOCTYPE html><html><head><title>Redirecting</title><script>"
        'window.location.replace("latest/");</script></head><body></body></html>',
        "utf-8",
    )
    (pages / "1.0/sitemap.xml.gz").unlink()
    days = "<url><loc>https://web.example/1.0/{}</loc><lastmod>2024-01-01</lastmod></url>"
    (pages / "1.0/sitemap.xml").write_bytes(urlset(days.format(""), days.format("old/")))
    for options in ((), ("--merge",)):
        index(*options, "site", cwd=built.folder)
        done = run_command("check", "site", cwd=built.folder)
        assert (done.returncode, done.stdout[:11]) == (0, "No problems"), done.stdout
        for path in pages.glob("sitemap*"):
            path.unlink()


def test_a_canonical_version_is_at_its_alias(tmp_path):
    """All versions name its URLs. Search engines would ignore a sitemap of the other version."""
    built = Built(deploy(tmp_path, "{canonical_version: latest}"), 0, "")
    assert built.locs("1.0/sitemap.xml") == ["latest/", "latest/old/"]
    assert built.locs("2.0/sitemap.xml") == ["latest/", "latest/new/"]
    lines = index("site", cwd=built.folder)
    outside = "2 of 2 URLs are not under https://web.example/1.0/. It is not listed."
    assert lines[1].startswith(f"Note: 1.0: {outside}")
    found = listed(built.path("sitemap-index.xml"))
    assert found == {"https://web.example/latest/sitemap.xml": SECOND}
    assert run_command("check", "site", cwd=built.folder).returncode == 0


def test_the_name_of_an_alias_in_site_url_is_found(tmp_path):
    """Mike adds the version to it, so that no URL and no canonical URL exists."""
    pages = deploy(tmp_path, site_url="https://web.example/latest/")
    for where in ("site", "site/2.0", "site/latest", "site/2.0/sitemap.xml"):
        done = run_command("check", where, cwd=pages)
        assert done.returncode == 1
        assert "error page-absent: its URLs begin with https://web.example/latest/" in done.stdout
        assert "Set site_url to https://web.example/, " in done.stdout
    for more in ((), ("--merge",)):
        (line,) = index(*more, "site", cwd=pages, code=1)
        assert "Set site_url to https://web.example/, " in line
    assert not list((pages / "site").glob("*.xml"))
