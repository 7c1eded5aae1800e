"""An accurate sitemap for MkDocs sites: true dates, or none.

Public are the names in `__all__`, which ``docs/reference/python.md`` describes, and the types for
`transform` on that page; beside them the options in ``mkdocs.yml``, the front matter keys, the
written files and the command. All other names may change in any version.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.gitdates import Change, GitDates, NoDate

__all__ = ["Change", "GitDates", "NoDate"]

_HOMES = {"Change": "gitdates", "GitDates": "gitdates", "NoDate": "gitdates"}
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
