"""The modules of the package as syntax trees, each read once."""

import ast
from functools import cache
from pathlib import Path

import mkdocs_sitemap_plus

PACKAGE = Path(mkdocs_sitemap_plus.__file__).parent


@cache
def modules():
    """The parsed modules, by path below the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths
    }


@cache
def nodes(name):
    """All nodes of a module."""
    return [*ast.walk(modules()[name])]
