"""The Markdown extensions mdx_include and markdown-include-variants, as FastAPI uses them."""

import pytest

pytest.importorskip("mdx_include", reason="needs mdx_include")
pytest.importorskip("markdown_include_variants", reason="needs markdown-include-variants")

PAGES = {
    "plain.md": "# Plain\n",
    "include.md": "# I\n\n{!parts/a.md!}\n",
    "lines.md": "# L\n\n```python\n{!src/one.py[ln:1-1]!}\n```\n",
    "nested.md": "# N\n\n{! parts/nest.md !}\n",
    "not-nested.md": "# N\n\n{!- parts/nest.md !}\n",
    "escaped.md": "# E\n\n\\{!parts/a.md!}\n",
    "one.md": "# One\n\n{* src/one.py hl[1] *}\n",
    "several.md": "# Several\n\n{* src/app_an_py310.py ln[1:1] *}\n",
    "folder.md": "# Folder\n\n{* src/x_an/main.py *}\n",
}


def test_a_page_is_as_new_as_what_it_includes(site):
    """A page that shows the variants of a file is as new as the newest of them."""
    site.commit_on("2024-01-01", {f"docs/{name}": text for name, text in PAGES.items()})
    site.commit_on("2024-01-02", {"parts/nest.md": "Nest\n{!parts/a.md!}\n"})
    site.commit_on("2024-02-01", {"parts/a.md": "A\n"})
    site.commit_on("2024-03-01", {"src/one.py": "a = 1\n", "src/app_an_py310.py": "b = 1\n"})
    site.commit_on("2024-03-02", {"src/app.py": "b = 2\n", "src/app_other.py": "c = 3\n"})
    site.commit_on("2024-03-03", {"src/x_an/main.py": "d = 1\n"})
    site.commit_on("2024-03-04", {"src/x_an_py39/main.py": "d = 2\n"})
    site.commit_on("2024-03-05", {"src/x/main.py": "d = 3\n", "src/app_other.py": "c = 4\n"})
    extensions = "mdx_include, markdown_include_variants, pymdownx.blocks.tab, md_in_html"
    site.config(more=f"markdown_extensions: [{extensions}]\n")
    built = site.build("--strict")
    assert "d = 3" in (built.path("folder") / "index.html").read_text("utf-8")
    assert built.days() == {
        "escaped/": "2024-01-01",
        "folder/": "2024-03-05",
        "include/": "2024-02-01",
        "lines/": "2024-03-01",
        "nested/": "2024-02-01",
        "not-nested/": "2024-01-02",
        "one/": "2024-03-01",
        "plain/": "2024-01-01",
        "several/": "2024-03-02",
    }
    assert (built.warnings, built.notes) == ([], [])
