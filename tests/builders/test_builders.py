"""Sites of twelve other builders: each page has the date of its own source, or none.

Links name the sources, or the paths of pages do; who trusts both gets the same dates. What the
builders wrote, and the histories of the sources, are in ``sites``; `make_sites` made them.
"""

import re
import shutil

import pytest
from builder_sites import NAMES, dates_of, expected, path_of, put_pages, replay
from commands import run
from make_sites import SITES
from quantity import one_in
from sitemap_xml import read_entries, validate

# The folder of the sources, if it is not `Site.docs`.
FOLDERS = {"docusaurus": ".", "hugo-gitlab": "content/en"}
# Pages with a source that has another path: posts, pages with an address of their own, and those in
# a second language, which have another folder, or show the page of the first.
ELSEWHERE = {
    "docusaurus": {"blog/2025/08/17/light/index.html"},
    "hugo-gitlab": {"de/index.html", "de/guide/install.html"},
    "jekyll": {"blog/light/index.html"},
    "materialx": {"blog/2025/08/17/light/index.html"},
    "pelican": {"light.html"},
    "vitepress-monorepo": {"setup.html"},
    "docusaurus-gitlab": {
        "de/guide.html", "de/guide/größe.html", "de/guide/install.html", "de/index.html",
        "de/reference/config.html", "de/reference/renamed.html",
    },
    "starlight-languages": {
        "de/guide.html", "de/guide/größe.html", "de/reference/config.html",
        "de/reference/renamed.html",
    },
}  # fmt: skip


@pytest.fixture(params=NAMES)
def site(request, tmp_path, monkeypatch):
    """The name of a site, and its folder; the command runs in the repository of its sources."""
    replay(request.param, tmp_path)
    put_pages(request.param, tmp_path / "built")
    monkeypatch.chdir(tmp_path)
    return request.param, tmp_path / "built"


def dates(name, folder, *options):
    """The dates of all pages, by their paths."""
    url = f"https://lighthouse.example/{SITES[name].base}"
    code, _, problems = run("build", folder, "--site-url", url, *options)
    assert code == 0, problems
    sitemap = (folder / "sitemap.xml").read_bytes()
    validate(sitemap)
    return {
        path_of(entry["loc"].removeprefix(url), folder): entry.get("lastmod")
        for entry in read_entries(sitemap)
    }


def known(name, folder):
    """What git says of the sources that stand in ``expected.toml``."""
    tables = expected(name)
    return dates_of(folder.parent, tables["sources"]) | dict.fromkeys(tables.get("none", ()))


@one_in(5)
def test_each_page_has_the_date_of_its_own_source(site):
    """And no page that has none of its own is dated by a link to another file."""
    options = SITES[site[0]].options.split()
    assert dates(*site, *options) == known(*site)


@one_in(8)
def test_paths_and_links_do_not_contradict_each_other(site):
    """With both, each page has the same date as with links alone."""
    name, _ = site
    assert dates(*site, "--docs-dir", FOLDERS.get(name, SITES[name].docs)) == known(*site)


@one_in(8)
def test_paths_alone_date_pages_too(site):
    """All whose source has the same path, and no others."""
    name, folder = site
    for file in folder.rglob("*.html"):
        text = file.read_text("utf-8")
        file.write_text(re.sub(r"(<a\b[^>]*?)\bhref=", r"\1data-was=", text), "utf-8")
    shutil.rmtree(folder / "_sources", ignore_errors=True)
    found = dates(*site, "--docs-dir", FOLDERS.get(name, SITES[name].docs))
    assert found == known(*site) | dict.fromkeys(ELSEWHERE.get(name, ()))
