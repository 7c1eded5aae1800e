"""All options, as the fields of `Settings` and of the groups in it. A field has its reader.

What each option means, docs/reference/options.md says. So does the schema for editors.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.generator.options import fields, value_kinds
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.value_kinds import (
    Patterns,
    flag,
    match,
    matching,
    pattern_list,
    several,
)
from mkdocs_sitemap_plus.gitdates import GitChange, GitDate
from mkdocs_sitemap_plus.problems import Code, Problem
from mkdocs_sitemap_plus.sitemap.entries import Changefreq, UrlEntry


class Source(StrEnum):
    """A source of dates; `FILE` is the `DATES_FILE`."""

    FRONT_MATTER = "front_matter"
    GIT = "git"
    FILE = "file"


DATES_FILE = "sitemap-dates.json"
"""What ``dates`` writes and the source ``file`` reads, beside the project file."""


class IncludeKind(StrEnum):
    """What includes a file in a page, or makes a page depend on it."""

    SNIPPETS = "snippets"
    INCLUDE_MARKDOWN = "include-markdown"
    MACROS = "macros"
    DEPENDS = "depends"
    MKDOCSTRINGS = "mkdocstrings"


class Shallow(StrEnum):
    """What to do if a shallow clone does not contain the last change of a page."""

    WARN = "warn"
    OMIT = "omit"
    FETCH = "fetch"


class Precision(StrEnum):
    """Whether a ``lastmod`` has a time of day."""

    DATETIME = "datetime"
    DATE = "date"


TRANSFORM = (
    "package.module:function, or a path relative to mkdocs.yml such as hooks/file.py:function"
)


class Transform(NamedTuple):
    """The owner's function that the option ``transform`` names."""

    name: str  # as in the option, such as ``hooks/file.py:function``
    call: Callable[[UrlEntry, Any], object] = lambda entry, _: entry  # takes an entry and its page


def _transform(raw: object) -> Transform:
    """Return the owner's function, which is not imported yet."""
    return Transform(matching(TRANSFORM, r"([^:\0]+\.py|\w+(\.\w+)*):\w+")(raw))


def option(read: Callable[..., Any], default: Any = None, *, inside: bool = False) -> Any:  # noqa: ANN401
    """Declare an option. A reader that looks `inside` of mappings also takes a `Reading`."""
    return field(default=default, metadata={"read": read, "inside": inside})


def choice(default: StrEnum) -> Any:  # noqa: ANN401 - see `option`
    """Declare an option whose values are the members of an enumeration."""
    return option(value_kinds.one_of(type(default)), default)


def choices(kind: type[StrEnum], *default: StrEnum) -> Any:  # noqa: ANN401 - see `option`
    """Declare an option whose value is a list of members of an enumeration."""
    return option(several(value_kinds.one_of(kind), f"a list of {', '.join(kind)}"), default)


def _shallow(raw: object, reading: Reading) -> object:
    if raw != "error":
        return reading.value(value_kinds.one_of(Shallow), raw)
    fix = "To stop such a build, use `mkdocs build --strict`."
    done = "It counts as 'warn'."
    found = "is 'error', which was removed"
    reading.problems.append(Problem(Code.UNKNOWN_KEY, found, reading.place, done=done, fix=fix))
    return Shallow.WARN


_PATH = matching("a path, relative to mkdocs.yml")


@dataclass(frozen=True, kw_only=True, repr=False)
class GitSettings:
    """The options under ``lastmod.git``."""

    date: GitDate = choice(GitDate.PUBLISHED)
    change: GitChange = choice(GitChange.CONTENT)
    branch: str | None = option(
        matching("the name of a branch, such as main", r"(?!refs/|origin/)[^\s~^:?*\[\\]+")
    )
    ignore_revs_file: str | None = option(_PATH)
    ignore_authors: tuple[str, ...] = option(
        several(matching("a `Name <mail>` pattern"), "a list of patterns"), ()
    )
    ignore_subjects: tuple[str, ...] = option(
        several(matching("a pattern on a subject line"), "a list of patterns"), ()
    )
    shallow: Shallow = option(_shallow, Shallow.WARN, inside=True)


@dataclass(frozen=True, kw_only=True, repr=False)
class LastmodSettings:
    """The options under ``lastmod``."""

    # A new source is no default: nobody's dates may change by themselves.
    sources: tuple[Source, ...] = choices(Source, Source.FRONT_MATTER, Source.GIT, Source.FILE)
    format: Precision = choice(Precision.DATETIME)
    timezone: tzinfo = option(value_kinds.zone, UTC)
    front_matter_keys: tuple[str, ...] = option(
        several(
            matching("a dotted key of front matter, as a string", r"[^\0,]+"),
            "a list of dotted keys",
        ),
        ("lastmod", "last_modified_at", "date.updated"),
    )
    git: GitSettings = field(default_factory=GitSettings)
    includes: tuple[IncludeKind, ...] = choices(
        IncludeKind, *(kind for kind in IncludeKind if kind is not IncludeKind.MKDOCSTRINGS)
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class Settings:
    """All options, checked.

    `rules` begins with a rule for each of `changefreq`, `priority`, `images` and `exclude` that is
    set: they hold for the whole site, and the owner's rules come later and win.
    """

    exclude: Patterns | None = option(pattern_list)
    rules: tuple[fields.PageRule, ...] = option(fields.rules, (), inside=True)
    lastmod: LastmodSettings = field(default_factory=LastmodSettings)
    # None is as False. But who writes `false` accepts that pages show another date.
    page_dates: bool | None = option(flag)
    alternates: bool | tuple[fields.Language, ...] = option(
        fields.languages, default=True, inside=True
    )
    fallback_pages: bool = option(flag, default=True)
    images: bool = option(flag, default=False)
    extra_urls: tuple[fields.ExtraUrl, ...] = option(fields.extra_urls, (), inside=True)
    extra_files: Patterns | None = option(match)
    extra_sitemaps: tuple[str, ...] = option(
        several(matching("a URL, as a string"), "a list of URLs"), ()
    )
    filename: str = option(value_kinds.filename, "sitemap.xml")
    stylesheet: bool = option(flag, default=True)
    robots_txt: bool = option(flag, default=False)
    changefreq: Changefreq | None = option(value_kinds.changefreq)
    priority: Decimal | None = option(value_kinds.priority)
    transform: Transform | None = option(_transform)
    report: str | None = option(
        matching("a path, relative to mkdocs.yml, that ends in .json", r"[^\0]*\.json")
    )
