"""An accurate sitemap for MkDocs sites: true dates, or none.

Public are the names in `__all__`, which ``docs/reference/python.md`` describes, and the types for
`transform` on that page; beside them the options in ``mkdocs.yml``, the front matter keys, the
written files and the command. All other names may change in any version.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.command.checks.check_sitemap import CheckResult, check_sitemap
    from mkdocs_sitemap_plus.command.checks.rules import Finding
    from mkdocs_sitemap_plus.command.reader.read import read_sitemap
    from mkdocs_sitemap_plus.generator.output import write_sitemap
    from mkdocs_sitemap_plus.generator.pipeline.transform import Page
    from mkdocs_sitemap_plus.gitdates import Change, GitDates, NoDate
    from mkdocs_sitemap_plus.problems import SitemapError
    from mkdocs_sitemap_plus.sitemap.entries import (
        Alternate,
        Changefreq,
        Restriction,
        UrlEntry,
        Video,
    )

__all__ = [
    "Alternate",
    "Change",
    "Changefreq",
    "CheckResult",
    "Finding",
    "GitDates",
    "NoDate",
    "Page",
    "Restriction",
    "SitemapError",
    "UrlEntry",
    "Video",
    "check_sitemap",
    "read_sitemap",
    "write_sitemap",
]

_HOMES = {
    "command.checks.check_sitemap": ("CheckResult", "check_sitemap"),
    "command.checks.rules": ("Finding",),
    "command.reader.read": ("read_sitemap",),
    "generator.output": ("write_sitemap",),
    "generator.pipeline.transform": ("Page",),
    "gitdates": ("Change", "GitDates", "NoDate"),
    "problems": ("SitemapError",),
    "sitemap.entries": ("Alternate", "Changefreq", "Restriction", "UrlEntry", "Video"),
}
"""The public names by their module. It is imported when one is used, which keeps the start of a
build and of the command quick."""


def __getattr__(name: str) -> object:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
