"""ProperDocs, a fork of MkDocs: alone, and beside it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sites import Built, needs, run

ROOT = Path(__file__).parents[2]
THEME = {"theme/main.html": "<html><head></head><body>{{ page and page.content }}</body></html>"}
OUR_OWN_YML = """\
site_name: Sample
site_url: https://web.example/
theme: {name: null, custom_dir: theme}
plugins:
  - sitemap-plus:
      exclude: out.md
"""
PAGES = {
    "index.md": "# Home\n",
    "a.md": "---\npriority: 0.5\n---\n# A\n",
    "wrong.md": "---\nsitemap: {priority: 5}\n---\n",
    "out.md": "# Out\n",
}
DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}
ENTRIES = {"": DATED, "a/": DATED | {"priority": "0.5"}, "wrong/": DATED}
WARNING = "sitemap.priority is 5, but must be a number from 0.0 to 1.0. No priority is written."
WARNINGS = [f"docs/wrong.md:2: {WARNING}"]
IMPORT_ALL = """\
import importlib, pkgutil, sys, mkdocs_sitemap_plus as package
for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if not each.name.startswith(package.__name__ + ".plugin"):
        importlib.import_module(each.name)
assert not {"mkdocs", "properdocs"} & set(sys.modules)
"""
NEEDED = ["properdocs", "python-dateutil", "idna", "urllib3", "protego", "tomli"]

ALONE = needs("properdocs")
"""Where it is not installed, no second environment is made with it."""


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The Python of an environment that has ProperDocs and this package, and no MkDocs."""
    folder = tmp_path_factory.mktemp("alone") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [python, "-m", "pip", "install", "-q"]
    for packages in (NEEDED, ["--no-deps", ROOT]):
        done = subprocess.run([*install, *packages], check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no environment with ProperDocs alone can be made: {done.stderr[-200:]}")
    found = run(python, "-c", "import mkdocs", cwd=folder, check=False)
    assert "ModuleNotFoundError" in found.stderr
    return python


def built_by(python, site, *arguments):
    done = run(python, "-m", "properdocs", "build", *arguments, cwd=site.folder, check=False)
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output
    return Built(site.folder, done.returncode, output)


def write(site, config="properdocs.yml"):
    site.write(THEME | {config: OUR_OWN_YML})
    site.docs(PAGES)
    site.commit()


@ALONE
@pytest.mark.parametrize("config", ["properdocs.yml", "mkdocs.yml"])
def test_where_only_properdocs_is_installed(alone, site, config):
    """The same sitemap by plugin and command, and the same warnings, which name the file."""
    write(site, config)
    built = built_by(alone, site)
    assert (built.returncode, built.by_loc(), built.warnings) == (0, ENTRIES, WARNINGS)
    assert built.summary == "sitemap.xml: 3 pages, all dated (git); 1 left out (excluded)"
    written = [built.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        built.path(name).unlink()
    done = run(
        alone, "-m", "mkdocs_sitemap_plus", "build", "--strict", cwd=site.folder, check=False
    )
    assert (done.returncode, done.stdout) == (1, f"{built.summary}\n")
    assert done.stderr.splitlines()[0] == f"Warning: {WARNINGS[0]}"
    assert [built.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")] == written


@ALONE
def test_properdocs_knows_the_plugin_once(alone, site):
    """By its own group of entry points, which wins over that of MkDocs."""
    found = "from properdocs.plugins import get_plugins as g; print(g()['sitemap-plus'].group)"
    assert run(alone, "-c", found, cwd=site.folder).stdout == "properdocs.plugins\n"


@ALONE
def test_nothing_but_the_plugin_needs_mkdocs(alone, site):
    """All else imports where there is no MkDocs, and asks for no ProperDocs either."""
    run(alone, "-c", IMPORT_ALL, cwd=site.folder)


@needs("properdocs", "mkdocs")
def test_where_both_are_installed(site):
    """Each command builds the site, and both write the same bytes."""
    write(site, "mkdocs.yml")
    built = site.build(program="mkdocs")
    assert (built.by_loc(), built.warnings) == (ENTRIES, WARNINGS)
    assert site.build(program="properdocs").xml() == built.xml()


@needs("properdocs", "mkdocs")
def test_properdocs_takes_its_own_file_first(site):
    """``mkdocs.yml`` beside it is then not read."""
    write(site)
    site.write({"mkdocs.yml": "site_name: Other\nsite_url: https://other.example/\n"})
    assert site.build(program="properdocs").by_loc() == ENTRIES
