"""Two doors, one road: the plugin and the command make the same of a site."""

import pytest
from doors import HOOK, check_summaries, compare
from quantity import one_in
from sites import INSTANT, SiteMaker

PAGES = {
    "index.md": "---\ntitle: Home\nsitemap:\n  priority: 1\n---\n# Home\n",
    "a b.md": "---\nchangefreq: Weekly\n---\n# Blank\n",
    "it's&<x>.md": "# Odd\n",
    "ü/é.md": "Priority: 0.80\nLastmod: 2023-12-24\n\n# MultiMarkdown\n",
    "guide/README.md": "# Index of the guide\n",
    "guide/page.markdown": "# Another ending\n",
    "guide/index/deep.md": "# Under a folder called index\n",
    "guide/index.v2.md": "# A dot\n",
    "static/index.html": (
        "<html><head><link rel='canonical' href='https://web.example/static/'></head></html>\n"
    ),
    "static.html": "<html></html>\n",
    "draft.md": "# Draft\n",
    "drafts/README.md": "# Draft\n",
    "orphan.md": "# In no navigation\n",
    ".hidden.md": "# Hidden\n",
    "templates/t.md": "# A template\n",
    "lost.md": "---\nlastmod: 2024-02-30\n---\n# A date that does not exist\n",
    "dashes.md": "---\n\nNo front matter\n",
    "noindex.md": "---\nrobots: noindex\n---\n# Noindex\n",
    "windows.md": "\ufeff---\r\nlastmod: 2024-01-01\r\n---\r\n# Windows\r\n",
    "code.md": "---\nsitemap: {depends: [../mkdocs.yml, no.txt]}\n---\n# Depends\n",
    "includes.md": (
        '# Parts\n\n--8<-- "a.md"\n\n{! a.md !}\n\n{% include "a.md" %}\n\n'
        '{% include-markdown "a b.md" %}\n'
    ),
}
PATTERNS = """\
exclude_docs: |
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
    "plain": {"site_url": "https://web.example/a%20b/c", "theme": INSTANT},
    "folders-once": {
        "more": PATTERNS + EXTENSIONS + "use_directory_urls: false\n",
        "arguments": ["--use-directory-urls"],
    },
    "files": {"more": "use_directory_urls: false\ndocs_dir: ./docs/../docs\n"},
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A repository with all pages, the same for each configuration."""
    site = SiteMaker(tmp_path_factory.mktemp("doors"))
    site.write({"parts/a.md": "A part\n", "hook.py": HOOK})
    site.commit("Parts", "2024-01-01T10:00:00+0000")
    site.docs(PAGES)
    site.commit("Pages", "2024-02-01T10:00:00+0000")
    return site


@one_in(3)
@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_both_doors_see_the_same_site(sources, config, monkeypatch):
    """For sources at the paths of their pages: equal values, and so equal files."""
    site = sources
    monkeypatch.chdir(site.folder)
    config = dict(config)
    config["more"] = config.get("more", "") + "hooks: [hook.py]\n"
    arguments = config.pop("arguments", [])
    site.config(config.pop("options", ""), **config)
    built, done = compare(site, *arguments)
    assert done.returncode == 0
    check_summaries(done.stdout, built.lines[-1].removeprefix("INFO "))
    said = [line.partition(": ")[2] for line in done.stderr.splitlines()]
    assert said == [line.partition(" ")[2] for line in built.lines[:-1]]
