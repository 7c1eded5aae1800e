"""Two doors: the plugin and the command write the same of titles, of HTML and with each option."""

from datetime import UTC, datetime

import pytest
from doors import HOOK, check_summaries, compare, files_of, sites_of
from quantity import one_in
from sites import MATERIAL, SiteMaker, run_command


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
    "extra-urls": (
        "extra_urls:\n  - {loc: api/, lastmod: 2024-01-02, priority: 0.3}\n"
        "  - {loc: https://example.com/x}"
    ),
    "extra-files": "extra_files: |\n  **/*.pdf\n  *.html\n",
    "extra-sitemaps": "extra_sitemaps: [https://example.com/other/sitemap.xml]",
    "name": "filename: pages.xml",
    "robots": "robots_txt: true",
    "plain": "stylesheet: false",
    "transform": "transform: hooks/own.py:change",
    "alternates": (
        "alternates:\n  en: {url: https://example.com/, docs_dir: docs}\n"
        "  de: {url: https://example.com/de/, docs_dir: de}"
    ),
    "all": (
        "images: true\n"
        "extra_files: '**/*.pdf'\nrobots_txt: true\n"
        "extra_sitemaps: [https://example.com/other/sitemap.xml]\n"
        "transform: hooks/own.py:change\nx_default: false"
    ),
}


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A repository with these pages, the same for each option."""
    site = SiteMaker(tmp_path_factory.mktemp("extended"))
    site.docs(EXTENDED)
    site.write({"hook.py": HOOK.replace('"site.pickle"', "config.config_file_path + '.pickle'")})
    site.write({"hooks/own.py": TRANSFORM, "de/index.md": "# H\n", "de/own.md": "# E\n"})
    site.commit("All", "2024-02-01T10:00:00+0000")
    return site


@one_in(4)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_both_doors_write_the_same_extensions(extended, tmp_path, options):
    """Each option that adds to the sitemap: equal values, equal files, and the same words.

    The command runs in another folder: what an option names is relative to its file.
    """
    site = extended
    site.config(options, more="hooks: [hook.py]\n")
    built = site.build()
    (site.folder / "mkdocs.yml.pickle").rename(site.folder / "site.pickle")
    by_plugin, by_command = sites_of(site)
    assert by_command == by_plugin
    before = files_of(built.path("."))
    for name in before.keys() - {"robots.txt"}:
        built.path(name).unlink()
    done = run_command("build", "-f", str(site.folder / "mkdocs.yml"), cwd=tmp_path)
    assert (done.returncode, files_of(built.path("."))) == (0, before), done.stderr
    check_summaries(done.stdout, built.summary)
    said = [line.partition(": ")[2] for line in done.stderr.splitlines()]
    assert said == [line.partition(" ")[2] for line in built.lines[:-1]]


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
        "Error: mkdocs.yml:5: transform is 'hooks/own.py:change', whose file does not exist, but "
        "must be package.module:function, or a path relative to mkdocs.yml such as "
        "hooks/file.py:function.\n"
    )
    assert run_command("dates", cwd=site.folder).returncode == 0
