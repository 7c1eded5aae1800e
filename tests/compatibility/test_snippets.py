"""pymdownx.snippets: a page is as new as the newest snippet that is put into it."""

import pytest

pytest.importorskip("pymdownx.snippets", reason="needs pymdown-extensions")

EXTENSION = """\
markdown_extensions:
  - fenced_code
  - pymdownx.snippets:
      base_path: [parts, other, one/only.md]
      auto_append: [every.md]
"""
PAGES = {
    "plain.md": "# Plain\n",
    "double.md": '# Double\n\n--8<-- "a.md"\n',
    "single.md": "# Single\n\n-8<- 'a.md'\n",
    "indented.md": '# Indented\n\n    ----8<----  "a.md"\n',
    "block.md": "# Block\n\n--8<--\n; b.md\n\na.md\n--8<--\n\nb.md\n",
    "escaped.md": '# Escaped\n\n;--8<-- "a.md"\n',
    "commented.md": '# Commented\n\n--8<-- "; a.md"\n',
    "trailing.md": '# Trailing\n\n--8<-- "a.md" \n',
    "fenced.md": '# Fenced\n\n```md\n--8<-- "a.md"\n```\n',
    "second.md": '# In the second folder\n\n--8<-- "b.md"\n',
    "first.md": '# In both folders\n\n--8<-- "both.md"\n',
    "file.md": '# A base that is a file\n\n--8<-- "only.md"\n',
    "sibling.md": '# Beside it\n\n--8<-- "sibling.md"\n',
    "outside.md": '# Outside\n\n--8<-- "../secret.md"\n',
    "missing.md": '# Missing\n\n--8<-- "none.md"\n--8<-- "https://web.example/a.md"\n',
    "nested.md": '# Nested\n\n--8<-- "nest.md"\n',
    "section.md": '# Section\n\n--8<-- "nest.md:bare"\n',
    "other-section.md": '# Section\n\n--8<-- "nest.md:full"\n',
    "no-section.md": '# Section\n\n--8<-- "nest.md:none"\n',
    "lines.md": '# Lines\n\n--8<-- "nest.md:1:3"\n',
    "last-lines.md": '# Lines\n\n--8<-- "nest.md:-4:-2,1:1"\n',
    "cycle.md": '# Cycle\n\n--8<-- "round.md"\n',
    "older.md": '# Older\n\n--8<-- "a.md"\n',
}
NEST = """\
# --8<-- [start:bare]
bare
# --8<-- [end:bare]
# --8<-- [start:full]
--8<-- "a.md"
# --8<-- [end:full]
"""
DAYS = dict.fromkeys((name.removesuffix(".md") + "/" for name in PAGES), "2024-01-01") | {
    "block/": "2024-03-01",
    "cycle/": "2024-03-06",
    "double/": "2024-03-01",
    "fenced/": "2024-03-01",
    "file/": "2024-03-05",
    "first/": "2024-03-03",
    "indented/": "2024-03-01",
    "last-lines/": "2024-03-01",
    "lines/": "2024-02-01",
    "nested/": "2024-03-01",
    "no-section/": "2024-02-01",
    "older/": "2024-04-01",
    "other-section/": "2024-03-01",
    "second/": "2024-03-02",
    "section/": "2024-02-01",
    "single/": "2024-03-01",
}


@pytest.fixture
def snippets(site):
    """Pages with one snippet each, all older than the snippets but one."""
    site.commit_on("2024-01-01", {f"docs/{name}": text for name, text in PAGES.items()})
    site.commit_on("2024-02-01", {"parts/nest.md": NEST})
    site.commit_on("2024-03-01", {"parts/a.md": "A\n"})
    site.commit_on("2024-03-02", {"other/b.md": "B\n"})
    site.commit_on("2024-03-03", {"parts/both.md": "first\n"})
    site.commit_on("2024-03-04", {"other/both.md": "second\n", "secret.md": "secret\n"})
    site.commit_on("2024-03-05", {"one/only.md": "only\n", "one/sibling.md": "sibling\n"})
    site.commit_on("2024-03-06", {"parts/round.md": 'round\n--8<-- "back.md"\n'})
    site.commit_on("2024-02-02", {"parts/back.md": 'back\n--8<-- "round.md"\n'})
    site.commit_on("2024-04-01", {"docs/older.md": PAGES["older.md"] + "Newer.\n"})
    site.commit_on("2024-05-01", {"parts/every.md": "*[HTML]: a language\n"})
    return site


def test_a_page_is_as_new_as_its_newest_snippet(snippets):
    """Each form of the notation; what is not taken, and what every page gets, does not count."""
    snippets.config(more=EXTENSION)
    built = snippets.build("--strict")
    assert built.days() == DAYS
    assert (built.warnings, built.notes) == ([], [])
    assert "<p>A</p>" in built.path("double/index.html").read_text("utf-8")


def test_without_the_extension_the_notation_is_text(snippets):
    """No file is included."""
    snippets.config(more="markdown_extensions: [fenced_code]\n")
    own = dict.fromkeys(DAYS, "2024-01-01") | {"older/": "2024-04-01"}
    assert snippets.build("--strict").days() == own


def test_snippets_from_anywhere(snippets):
    """Without a restriction to the base path, and with one base path as plain text."""
    extension = "pymdownx.snippets: {base_path: parts, restrict_base_path: false}"
    snippets.config(more=f"markdown_extensions:\n  - {extension}\n")
    without = {"first/": "2024-03-03", "second/": "2024-01-01", "file/": "2024-01-01"}
    built = snippets.build("--strict")
    assert built.days() == DAYS | without | {"outside/": "2024-03-04"}


def test_a_dirty_build_dates_pages_by_their_snippets_too(snippets):
    """MkDocs does not read pages again that did not change; the plugin does."""
    snippets.config(more=EXTENSION)
    snippets.build()
    dirty = snippets.build("--dirty")
    assert dirty.days() == DAYS


def test_a_base_path_may_be_the_folder_of_each_page(site):
    """``!relative``, as MkDocs documents it: also for what a snippet in another folder names."""
    site.config(
        more="markdown_extensions:\n  - pymdownx.snippets: {base_path: [!relative , docs]}\n"
    )
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/sub/part.md": "part\n"})
    page = '# P\n\n--8<-- "part.md"\n'
    site.commit_on("2024-01-02", {"docs/sub/page.md": page, "docs/page.md": page})
    site.commit_on("2024-01-03", {"docs/far/nest.md": '--8<-- "part.md"\n'})
    site.commit_on("2024-01-04", {"docs/sub/nested.md": '# N\n\n--8<-- "far/nest.md"\n'})
    site.commit_on("2024-01-05", {"docs/sub/part.md": "newer\n"})
    days = site.build("--strict").days()
    assert days["sub/page/"] == days["sub/nested/"] == "2024-01-05"
    assert days["page/"] == "2024-01-02"
