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
    "Alternate": "sitemap.entries",
    "Change": "gitdates",
    "Changefreq": "sitemap.entries",
    "CheckResult": "command.checks.check_sitemap",
    "Finding": "command.checks.rules",
    "GitDates": "gitdates",
    "NoDate": "gitdates",
    "Page": "generator.pipeline.transform",
    "Restriction": "sitemap.entries",
    "SitemapError": "problems",
    "UrlEntry": "sitemap.entries",
    "Video": "sitemap.entries",
    "check_sitemap": "command.checks.check_sitemap",
    "read_sitemap": "command.reader.read",
    "write_sitemap": "generator.output",
}
"""The module of each public name. It is imported when the name is used, which keeps the start of a
build and of the command quick."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
