"""Zensical, which runs no plugins: by the command, after the build."""

import shutil
import sys

import pytest
from lighthouse import SAMPLE, lighthouse
from sitemap_xml import read_entries
from sites import MATERIAL, Built, needs, run, run_command

pytestmark = needs("zensical")

ZENSICAL_TOML = """\
[project]
site_name = "Sample"
site_url = "https://web.example/"
exclude_docs = "out.md"
draft_docs = "draft.md"
[project.plugins.sitemap-plus]
exclude = "/internal/"
rules = [{ match = "/guide/", priority = 0.6 }]

[project.plugins.sitemap-plus.lastmod]
format = "date"

[project.markdown_extensions.pymdownx.snippets]
base_path = ["parts"]
"""
PAGES = {
    "index.md": "# Home\n",
    "a b.md": "---\nchangefreq: weekly\n---\n# Blank\n",
    "it's.md": "# Quote\n",
    "guide/README.md": "# Guide\n",
    "guide/ü.md": "# Umlaut\n",
    "internal/x.md": "# Internal\n",
    "out.md": "# Out\n",
    "draft.md": "# Draft\n",
    "static.html": "<html></html>\n",
}


def zensical(site, **extra):
    """Build with Zensical; returns what its own sitemap lists."""
    done = run(sys.executable, "-m", "zensical", "build", cwd=site.folder, **extra)
    assert "Build finished" in done.stdout + done.stderr
    own = site.folder / "site" / "sitemap.xml"
    assert not own.with_name("sitemap.xml.gz").exists()
    return {entry.pop("loc"): entry for entry in read_entries(own.read_bytes())}


def command(site, *arguments, **extra):
    """Write our sitemap; returns it with what was printed."""
    done = run_command("build", "--strict", *arguments, cwd=site.folder, **extra)
    assert done.returncode == 0, done.stderr
    return Built(site.folder, 0, ""), done


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="only a whole checkout has the sample site")
def test_the_sample_site_gets_the_bytes_that_the_plugin_writes(tmp_path):
    """The same mkdocs.yml, built by Zensical and by MkDocs: page for page, byte for byte."""
    site = lighthouse(tmp_path / "site")
    config = (site.folder / "mkdocs.yml").read_text("utf-8")
    config = config.replace("name: mkdocs", "name: material\n  font: false")
    site.write({"mkdocs.yml": config})
    own = zensical(site)
    assert set(map(len, own.values())) == {0}  # not one date
    built, done = command(site)
    written = built.path().read_bytes(), built.path("sitemap.xml.gz").read_bytes()
    assert len(built.entries()) == 12
    assert done.stderr == ""
    assert {entry["loc"] for entry in built.entries()} <= own.keys()
    shutil.rmtree(site.folder / "site")
    by_plugin = site.build("--strict")
    assert (by_plugin.path().read_bytes(), by_plugin.path("sitemap.xml.gz").read_bytes()) == written
    assert by_plugin.summary == done.stdout.strip()


def test_options_in_zensical_toml(site):
    """Under the plugins, where Zensical leaves them alone; URLs are those of its pages."""
    site.write({"zensical.toml": ZENSICAL_TOML})
    site.docs(PAGES)
    site.commit_on("2024-01-01", {})
    page = '# Part\n\n--8<-- "part.md"\n'
    site.commit_on("2024-01-02", {"docs/part.md": page})
    site.commit_on("2024-01-03", {"parts/part.md": "A part\n"})
    own = zensical(site)
    built, done = command(site)
    day = {"lastmod": "2024-01-01"}
    assert built.by_loc() == {
        "": day,
        "a%20b/": day | {"changefreq": "weekly"},
        "guide/": day | {"priority": "0.6"},
        "guide/%C3%BC/": day | {"priority": "0.6"},
        "it's/": day,
        "part/": {"lastmod": "2024-01-03"},
    }
    listed = {entry["loc"] for entry in built.entries()}
    assert own.keys() - listed == {"https://web.example/internal/x/"}
    assert listed <= own.keys()
    assert done.stdout == ("sitemap.xml: 6 pages, all dated (git); 1 left out (excluded)\n")


def test_a_blog_of_zensical(site):
    """Patterns hold. Posts that the blog moved, and its lists, have no date without a link."""
    options = "plugins: [blog, {sitemap-plus: {exclude: /blog/archive/}}]\n"
    site.write({"mkdocs.yml": f"site_name: X\nsite_url: https://web.example/\n{options}"})
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/blog/index.md": "# Blog\n"})
    post = "---\ndate: 2024-01-02\n{}---\n# {}\n\nText\n"
    site.commit_on("2024-01-02", {"docs/blog/posts/one.md": post.format("", "One")})
    own = zensical(site)
    built, done = command(site)
    assert built.days() == {
        "": "2024-01-01",
        "blog/": None,
        "blog/2024/01/02/one/": None,
    }
    assert own.keys() - {entry["loc"] for entry in built.entries()} == {
        "https://web.example/blog/archive/2024/"
    }
    assert "blog/2024/01/02/one/index.html" in done.stdout
    assert "1 page has no known source, and so no date" in done.stderr


@needs("mkdocs-material")
def test_a_site_for_use_without_a_server(site):
    """The plugin offline makes files of all pages, under Material and under Zensical."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b/index.md": "# B\n"})
    site.commit()
    site.config(theme=MATERIAL, more="  - offline\n")
    built = site.build("--strict")
    written = built.path().read_bytes()
    assert "a.html" in built.locs()
    assert command(site)[0].path().read_bytes() == written
    zensical(site)
    assert command(site)[0].path().read_bytes() == written


@needs("mkdocs-material", "mike")
def test_a_version_of_mike(site):
    """In the environment in which mike builds it, all of them add the version to the URLs.

    MkDocs adds the last slash of site_url before, so that the folder of the site stays.
    """
    mike = {"MIKE_DOCS_VERSION": "1.0"}
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.commit()
    for url in ("https://web.example/docs", "https://web.example/"):
        site.config(theme=MATERIAL, more="  - mike\n", site_url=url)
        run(sys.executable, "-m", "mkdocs", "build", cwd=site.folder, **mike)
        written = Built(site.folder, 0, "").path().read_bytes()
        assert f"<loc>{url.rstrip('/')}/1.0/a/</loc>".encode() in written
        assert command(site, **mike)[0].path().read_bytes() == written
    zensical(site, **mike)
    assert command(site, **mike)[0].path().read_bytes() == written


OLD, NEW = "2024-01-01", "2024-02-01"
TWO = {"index.md": "# Home\n", "a.md": "# A\n"}
PLAIN = {"": OLD, "a/": OLD}
MODULE = {"src/pkg/__init__.py": '"""Pkg."""\n'}
HANDLER = "handlers: {python: {paths: [src]}}"
MANY = f"""[tags, awesome-nav, section-index, include-markdown, meta,
  {{redirects: {{redirect_maps: {{old.md: a.md}}}}}},
  {{mkdocstrings: {{{HANDLER}}}}}, {{exclude: {{glob: [b.md]}}}}]"""
AUTONAV = f"""{{literate-nav: {{}}, macros: {{include_dir: parts}},
  api-autonav: {{modules: [src/pkg]}}, mkdocstrings: {{{HANDLER}}}}}"""
NATIVE = {
    "many": (
        MANY,
        {
            "t.md": "# T\n\n<!-- material/tags -->\n",
            ".nav.yml": "nav: [a.md]\n",
            "s/index.md": "# S\n",
            "i.md": '# I\n\n{% include-markdown "../parts/p.md" %}\n',
            "x.md": "# X\n\n::: pkg\n",
            "b.md": "# B\n",
            "d/.meta.yml": "sitemap: false\n",
            "d/a.md": "# D\n",
        },
        {"parts/p.md": "Part\n", **MODULE},
        {"t/": OLD, "s/": OLD, "i/": NEW, "x/": OLD},
    ),
    "api-autonav": (
        AUTONAV,
        {"SUMMARY.md": "* [A](a.md)\n", "m.md": '# M\n\n{% include "p.md" %}\n'},
        {"parts/p.md": "Part\n", **MODULE},
        {"SUMMARY/": OLD, "m/": NEW, "reference/pkg/": None},
    ),
    "mkdocs-autoapi": (
        f"{{mkdocs-autoapi: {{autoapi_dir: src}}, mkdocstrings: {{{HANDLER}}}}}",
        {},
        MODULE,
        {"autoapi/pkg/": None},
    ),
}
"""Plugins that Zensical has itself: their options, pages, other files, and what is listed."""


@pytest.mark.parametrize("name", NATIVE)
def test_plugins_that_zensical_has_itself(site, name):
    """Which pages they add, and what dates a page that includes a file."""
    plugins, pages, files, listed = NATIVE[name]
    project = f"site_name: X\nsite_url: https://web.example/\nplugins: {plugins}\n"
    site.write({"mkdocs.yml": project})
    site.docs(TWO | pages)
    site.commit_on(OLD, files)
    site.commit_on(NEW, {path: f"{text}\n# More\n" for path, text in files.items()})
    zensical(site)
    built, done = command(site)
    assert built.days() == PLAIN | listed
    undated = [loc for loc, day in listed.items() if day is None]
    assert all(f"{loc}index.html" in done.stdout for loc in undated)
    assert ("no known source, and so no date" in done.stderr) is bool(undated)
    assert bool(done.stderr) is bool(undated)
