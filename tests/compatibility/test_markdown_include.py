"""The Markdown extension markdown-include: a page is as new as the newest file it includes."""

import pytest

pytest.importorskip("markdown_include", reason="needs markdown-include")

PAGES = {
    "plain.md": "# Plain\n",
    "include.md": "# I\n\n{!a.md!}\n",
    "spaces.md": "# S\n\n{! sub/b c.md !}\n",
    "lines.md": "# L\n\n{!a.md!lines=1 1-1}\n",
    "nested.md": "# N\n\n{!nest.md!}\n",
    "twice.md": "# T\n\n{!sub/b c.md!} and {!a.md!}\n",
    "missing.md": "# M\n\n{!none.md!}\n",
}


def test_a_page_is_as_new_as_what_it_includes(site):
    """From its base path, in turn; also beside the plugin that takes other names."""
    site.commit_on("2024-01-01", {f"docs/{name}": text for name, text in PAGES.items()})
    site.commit_on("2024-01-02", {"parts/nest.md": "Nest\n{!a.md!}\n"})
    site.commit_on("2024-02-01", {"parts/a.md": "A\n"})
    site.commit_on("2024-02-02", {"parts/sub/b c.md": "B\n"})
    pytest.importorskip("mkdocs_include_markdown_plugin", reason="needs that plugin")
    more = "  - include-markdown\n"
    more += "markdown_extensions:\n  - markdown_include.include: {base_path: parts}\n"
    site.config(more=more)
    built = site.build("--strict")
    assert built.days() == {
        "include/": "2024-02-01",
        "lines/": "2024-02-01",
        "missing/": "2024-01-01",
        "nested/": "2024-02-01",
        "plain/": "2024-01-01",
        "spaces/": "2024-02-02",
        "twice/": "2024-02-02",
    }
    assert (built.warnings, built.notes) == ([], [])
