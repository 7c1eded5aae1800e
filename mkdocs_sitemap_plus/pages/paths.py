"""Say where MkDocs builds the page of a source."""

import posixpath

MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""The endings of pages in MkDocs."""

SOURCES = (*MARKDOWN, ".ipynb")
"""The endings of the sources of pages; notebooks with mkdocs-jupyter."""


def is_index(name: str) -> bool:
    """Return whether a source of this name is the page of its folder."""
    return posixpath.splitext(name)[0] in ("index", "README")


def built_paths(src_uri: str) -> tuple[str, str]:
    """Return the path of a page's built file with directory URLs, and that without them."""
    folder, name = posixpath.split(src_uri)
    stem, _ = posixpath.splitext(src_uri)
    if is_index(name):
        index = posixpath.join(folder, "index.html")
        return index, index
    return f"{stem}/index.html", f"{stem}.html"
