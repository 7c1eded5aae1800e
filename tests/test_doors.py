"""Two doors, one road: the plugin and the command make the same of a site."""

import pickle
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sites import INSTANT, MATERIAL, SiteMaker, run_command

from mkdocs_sitemap_plus.built_site import read_project, read_settings
from mkdocs_sitemap_plus.built_site.site import read_site

SAMPLE = Path(__file__).parents[1] / "sample_site"

HOOK = """\
import pickle
from mkdocs.plugins import event_priority

@event_priority(-300)
def on_post_build(config):
    with open("site.pickle", "wb") as file:
        pickle.dump(config.plugins["sitemap-plus"].outcome.site, file)
"""
"""A hook that writes down the plugin's Site."""

PAGES = {
    "index.md": "---\ntitle: Home\nsitemap:\n  priority: 1\n---\n# Home\n",
    "README.md": "# Loses against index.md\n",
    "a b.md": "---\nchangefreq: Weekly\n---\n# Blank\n",
    "it's&<x>.md": "# Odd\n",
    "ü/é.md": "Priority: 0.80\nLastmod: 2023-12-24\n\n# MultiMarkdown\n",
    "guide/README.md": "# Index of the guide\n",
    "guide/page.markdown": "# Another ending\n",
    "guide/index/deep.md": "# Under a folder called index\n",
    "guide/index.v2.md": "# A dot\n",
    "both.md": "# Both, the file\n",
    "both/index.md": "# Both, the folder\n",
    "html/index.html": "<html><head><title>Static</title></head></html>\n",
    "html/index.md": "# Wins against HTML\n",
    "static/index.html": (
        "<html><head><link rel='canonical' href='https://example.com/static/'></head></html>\n"
    ),
    "static.html": "<html></html>\n",
    "excluded/index.md": "# Not built\n",
    "excluded/README.md": "# Built, since index.md is not\n",
    "draft.md": "# Draft\n",
    "drafts/README.md": "# Draft\n",
    "orphan.md": "# In no navigation\n",
    ".hidden.md": "# Hidden\n",
    "templates/t.md": "# A template\n",
    "lost.md": "---\nlastmod: 2024-02-30\n---\n# A date that does not exist\n",
    "dashes.md": "---\n\nNo front matter\n",
    "noindex.md": "---\nrobots: noindex\n---\n# Noindex\n",
    "404.md": "# Not found\n",
    "windows.md": "\ufeff---\r\nlastmod: 2024-01-01\r\n---\r\n# Windows\r\n",
    "code.md": "---\nsitemap: {depends: [../mkdocs.yml, no.txt]}\n---\n# Depends\n",
    "includes.md": (
        '# Parts\n\n--8<-- "a.md"\n\n{! a.md !}\n\n{% include "a.md" %}\n\n'
        '{% include-markdown "a b.md" %}\n'
    ),
}
PATTERNS = """\
exclude_docs: |
  /excluded/index.md
  !/templates/no.md
draft_docs: |
  draft.md
  drafts/
not_in_nav: orphan.md
"""
EXTENSIONS = """\
markdown_extensions:
  - toc: {permalink: true}
  - pymdownx.snippets: {base_path: [parts, !relative $docs_dir/x, !relative ], check_paths: false}
"""
CONFIGS = {
    "plain": {},
    "files": {"more": "use_directory_urls: false\n"},
    "files-once": {"arguments": ["--no-directory-urls"]},
    "folders-once": {
        "more": PATTERNS + "use_directory_urls: false\n",
        "arguments": ["--use-directory-urls"],
    },
    "patterns": {"more": PATTERNS},
    "pattern-files": {"more": PATTERNS + "use_directory_urls: false\n"},
    "path": {"site_url": "https://example.com/a%20b/c"},
    "port": {"site_url": "http://Example.com:8080/"},
    "without-url": {"site_url": None},
    "options": {"options": "priority: 0.5\nexclude: guide/\nlastmod: {format: date}"},
    "keys": {"options": "lastmod: {front_matter_keys: [title]}"},
    "material": {"theme": INSTANT},
    "readthedocs": {"theme": "theme: readthedocs\n"},
    "language": {"theme": "theme: {name: mkdocs, locale: de}\n"},
    "snippets": {"more": EXTENSIONS},
    "repository": {"more": "repo_url: https://github.com/o/r\n"},
    "folders": {"more": "docs_dir: ./docs/../docs\nsite_dir: out/../site\n"},
}


def sites_of(site, config="mkdocs.yml"):
    """The site, as the plugin saw it in the last build, and as the command sees it."""
    with (site.folder / "site.pickle").open("rb") as file:
        by_plugin = pickle.load(file)  # noqa: S301 - our own
    project = read_project(site.folder / config)
    settings, _ = read_settings(project)
    return by_plugin, read_site(project, project.site.site_dir, settings)


def files_of(folder):
    """Every sitemap of a folder, robots.txt and the style, by name."""
    patterns = ("*.xml", "*.xml.gz", "*.css", "robots.txt")
    return {path.name: path.read_bytes() for each in patterns for path in folder.glob(each)}


def compare(site, *arguments, config="mkdocs.yml"):
    """Build with MkDocs, then by the command: the same Site, the same bytes."""
    built = site.build("-f", config, *arguments)
    by_plugin, by_command = sites_of(site, config)
    assert by_command == by_plugin
    before = files_of(built.path("."))
    for name in before:
        if name.startswith("sitemap"):
            built.path(name).unlink()
    done = run_command("build", "-f", config, cwd=site.folder)
    assert files_of(built.path(".")) == before
    return built, done


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A repository with all pages, the same for each configuration."""
    site = SiteMaker(tmp_path_factory.mktemp("doors"))
    site.write({"parts/a.md": "A part\n", "hook.py": HOOK})
    site.commit("Parts", "2024-01-01T10:00:00+0000")
    site.docs(PAGES)
    site.commit("Pages", "2024-02-01T10:00:00+0000")
    return site


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_both_doors_see_the_same_site(sources, config, monkeypatch):
    """For sources under their usual names: equal values, and so equal files."""
    site = sources
    monkeypatch.chdir(site.folder)
    config = dict(config)
    config["more"] = config.get("more", "") + "hooks: [hook.py]\n"
    arguments = config.pop("arguments", [])
    site.config(config.pop("options", ""), **config)
    if config.get("site_url", "") is None:
        site.build()
        by_plugin, by_command = sites_of(site)
        assert by_command == by_plugin
        return
    built, done = compare(site, *arguments)
    assert done.returncode == 0
    summed_up = built.lines[-1].removeprefix("INFO ")
    assert done.stdout == f"{summed_up}\n"
    said = [line.partition(": ")[2] for line in done.stderr.splitlines()]
    assert said == [line.partition(" ")[2] for line in built.lines[:-1]]


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="only a whole checkout has the sample site")
def test_both_doors_see_the_same_sample_site(tmp_path, monkeypatch):
    """The site of the documentation, with its own theme and all of its rules."""
    site = SiteMaker(tmp_path / "site")
    shutil.copytree(SAMPLE, site.folder, ignore=shutil.ignore_patterns("site"))
    monkeypatch.chdir(site.folder)
    config = (site.folder / "mkdocs.yml").read_text("utf-8") + "hooks: [hook.py]\n"
    site.write({"hook.py": HOOK, "mkdocs.yml": config})
    site.commit("All", datetime(2026, 1, 2, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S+0000"))
    _, done = compare(site)
    assert done.stderr == ""


@pytest.mark.parametrize("material", [False, True])
def test_noindex_and_other_canonicals_of_the_built_pages(tmp_path, monkeypatch, *, material):
    """Both doors read the same HTML."""
    site = SiteMaker(tmp_path / "site")
    site.docs({"index.md": "# Home\n", "no.md": "---\nrobots: none\n---\n", "b.md": "# B\n"})
    head = '{% extends "base.html" %}{% block extrahead %}'
    robots = '{% if page and page.meta.robots %}<meta name="robots" content="none">{% endif %}'
    site.write({"over/main.html": f"{head}{robots}{{% endblock %}}", "hook.py": HOOK})
    theme = MATERIAL if material else "theme: {name: mkdocs}\n"
    theme = theme.replace("}", ", custom_dir: over}")
    site.config(theme=theme, more="hooks: [hook.py]\n")
    site.commit()
    monkeypatch.chdir(site.folder)
    built, _ = compare(site)
    assert built.locs() == ["", "b/"]


TITLES = {
    "index.md": "No heading\n",
    "amp.md": "# A & B &copy; `<x> &amp;`\n",
    "closed.md": "#Closed#\ntext\n",
    "setext.md": "A *setext*\n===\n",
    "setext-two.md": "A second level\n---\n",
    "code.md": "    code\n===\n",
    "reference.md": "[x]: http://a.example\n\n# T [y][x]\n",
    "marks.md": "# a_b_c __d__ <b>e</b> \\* \\_ ***f*** *g* **h *i* j**\n",
    "attributes.md": "# T {#x .y}\n",
    "links.md": "# ![alt](a.png) [t [u]](index.md) <http://x.example/>\n",
    "indented.md": " # no\n",
    "backslash.md": "# a \\\n",
    "text-first.md": "text\n# T\n",
    "ticks.md": "# `` `a` `` b`\n",
    "comment-in.md": "# <!-- c --> x\n",
    "comment-before.md": "<!-- c -->\n\n# x\n",
    "stars.md": "# 1 * 2 * 3 ** 4\n",
    "empty.md": "",
    "second-level.md": "## Two\n",
    "Upper_and-lower.md": "text\n",
    "meta.md": "---\ntitle: Q&amp;A\n---\n# No\n",
    "meta-number.md": "---\ntitle: 7\n---\n# No\n",
    "nav.md": "---\ntitle: No\n---\n# No\n",
    "twice.md": "# Twice\n",
    "deep/README.md": "text\n",
    "deep/nav.md": "# No\n",
}
NAV = """\
nav:
  - index.md
  - Of the *nav* & more: nav.md
  - twice.md
  - Too late: twice.md
  - Elsewhere: https://example.org/
  - Deep:
      - deep/README.md
      - 7: deep/nav.md
"""


@pytest.mark.parametrize("nav", ["", NAV, "nav:\n  - Section:\n      - index.md\n"])
def test_titles_are_those_that_mkdocs_finds(tmp_path, monkeypatch, nav):
    """The navigation's, that of the front matter, the first heading's, the file name."""
    site = SiteMaker(tmp_path / "site")
    site.docs(TITLES)
    site.write({"hook.py": HOOK})
    site.config(more=f"hooks: [hook.py]\n{nav}")
    site.commit()
    monkeypatch.chdir(site.folder)
    site.build()
    by_plugin, by_command = ({p.src_uri: p.title for p in each.pages} for each in sites_of(site))
    assert by_command == by_plugin
    assert by_plugin["amp.md"] == "A & B © <x> &amp;"
    assert len(by_plugin) == len(TITLES)


LATELY = datetime.now(UTC).strftime("%Y-%m-%d")
EXTENDED = {
    "index.md": "# Home\n\n![A](img/a.png) ![B](https://cdn.example/b.png)\n",
    "blog/a.md": f"---\ndate: {LATELY}\n---\n# Q & A *today*\n\n![C](../img/a.png)\n",
    "blog/old.md": "---\ndate: 2020-01-01\n---\n# Old\n",
    "blog/named.md": f"---\ntitle: By its front matter\ndate: {LATELY}\n---\n",
    "none.md": "---\nsitemap: {images: false}\n---\n# None\n\n![A](img/a.png)\n",
    "own.md": "---\nsitemap: {images: [img/b.png]}\n---\n# Own\n",
    "film.md": (
        "---\nsitemap:\n  videos:\n    - {thumbnail: img/a.png, title: F, description: D, "
        "content: f.mp4}\n---\n# Film\n"
    ),
    "moved.md": "# Moved by the function\n",
    "gone.md": "# Taken out by the function\n",
    "robots.txt": "User-agent: *\n",
    "img/a.png": "no image",
    "papers/p.pdf": "no paper",
    "static.html": "<html></html>\n",
}
TRANSFORM = """\
from dataclasses import replace

def change(entry, page):
    if page is not None and page.src_uri == "gone.md":
        return None
    if page is not None and page.src_uri == "moved.md":
        return replace(entry, priority="0.1")
    return entry
"""
OPTIONS = {
    "images": "images: true",
    "image-rules": "rules:\n  - {match: /blog/, images: true}",
    "news": "news: {publication: The Lamp, language: en, match: /blog/}",
    "extra-urls": (
        "extra_urls:\n  - {loc: api/, lastmod: 2024-01-02, priority: 0.3}\n"
        "  - {loc: https://example.com/x}"
    ),
    "extra-files": "extra_files: |\n  **/*.pdf\n  *.html\n",
    "extra-sitemaps": "extra_sitemaps: [https://example.com/other/sitemap.xml]",
    "split": "split: section",
    "limit": "max_urls: 3",
    "name": "filename: pages.xml",
    "robots": "robots_txt: true",
    "plain": "stylesheet: false",
    "transform": "transform: hooks/own.py:change",
    "alternates": (
        "alternates:\n  en: {url: https://example.com/, docs_dir: docs}\n"
        "  de: {url: https://example.com/de/, docs_dir: de}"
    ),
    "all": (
        "images: true\nnews: {publication: The Lamp, language: en, match: /blog/}\n"
        "extra_files: '**/*.pdf'\nsplit: section\nrobots_txt: true\nmax_urls: 4\n"
        "extra_sitemaps: [https://example.com/other/sitemap.xml]\n"
        "transform: hooks/own.py:change\nx_default: false"
    ),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_both_doors_write_the_same_extensions(tmp_path, options):
    """Each option that adds to the sitemap: equal values, equal files, and the same words.

    The command runs in another folder: what an option names is relative to its file.
    """
    site = SiteMaker(tmp_path / "site")
    site.docs(EXTENDED)
    site.write({"hook.py": HOOK.replace('"site.pickle"', "config.config_file_path + '.pickle'")})
    site.write({"hooks/own.py": TRANSFORM, "de/index.md": "# H\n", "de/own.md": "# E\n"})
    site.config(options, more="hooks: [hook.py]\n")
    site.commit("All", "2024-02-01T10:00:00+0000")
    built = site.build()
    (site.folder / "mkdocs.yml.pickle").rename(site.folder / "site.pickle")
    by_plugin, by_command = sites_of(site)
    assert by_command == by_plugin
    before = files_of(built.path("."))
    for name in before.keys() - {"robots.txt"}:
        built.path(name).unlink()
    done = run_command("build", "-f", str(site.folder / "mkdocs.yml"), cwd=tmp_path)
    assert (done.returncode, files_of(built.path("."))) == (0, before), done.stderr
    assert done.stdout == f"{built.summary}\n"
    said = [line.partition(": ")[2] for line in done.stderr.splitlines()]
    assert said == [line.partition(" ")[2] for line in built.lines[:-1]]
    if "news:" in options:
        title = b"<news:title>Q &amp; A today</news:title>"
        assert any(title in data for data in before.values())


def test_a_function_that_is_not_there_stops_the_command(tmp_path):
    """As it stops MkDocs, in the same words; the dates do not need it."""
    site = SiteMaker(tmp_path / "site")
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    site.build()
    site.config("transform: hooks/own.py:change")
    done = run_command("build", cwd=site.folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Error: mkdocs.yml: transform is 'hooks/own.py:change', whose file does not exist, but "
        "must be package.module:function, or a path relative to mkdocs.yml such as "
        "hooks/file.py:function.\n"
    )
    assert run_command("dates", cwd=site.folder).returncode == 0
