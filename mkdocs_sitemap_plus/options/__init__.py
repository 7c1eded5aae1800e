"""All options, as the fields of `Settings` and of the groups in it.

Each has a reader, a summary for users, and a default.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate
from mkdocs_sitemap_plus.options import mappings
from mkdocs_sitemap_plus.options.patterns import Patterns, read_match, read_patterns
from mkdocs_sitemap_plus.options.readers import (
    int_between,
    list_of,
    one_of,
    read_changefreq,
    read_filename,
    read_flag,
    read_priority,
    read_x_default,
    read_zone,
    string_matching,
)
from mkdocs_sitemap_plus.problems import Place, Result
from mkdocs_sitemap_plus.sitemap import (
    MAX_BYTES,
    MAX_URLS,
    MIN_MAX_BYTES,
    Changefreq,
    UrlEntry,
)


class Source(StrEnum):
    """A source of dates; `FILE` is the dates file."""

    FRONT_MATTER = "front_matter"
    GIT = "git"
    FILE = "file"


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
    ERROR = "error"
    FETCH = "fetch"


class Split(StrEnum):
    """Which files there are beside the sitemap: those for its limits, or also one a section."""

    AUTO = "auto"
    SECTION = "section"


class Precision(StrEnum):
    """Whether a ``lastmod`` has a time of day."""

    DATETIME = "datetime"
    DATE = "date"


EXPECTED_TRANSFORM = (
    "package.module:function, or a path relative to mkdocs.yml such as hooks/file.py:function"
)


class Transform(NamedTuple):
    """The owner's function that the option ``transform`` names."""

    name: str  # as in the option, such as ``hooks/file.py:function``
    call: Callable[[UrlEntry, Any], object]  # takes an entry, and its page or None


def _not_imported(entry: UrlEntry, page: object) -> UrlEntry:  # noqa: ARG001 - see `Transform`
    """Stand in for the owner's function until `options.table.import_transform` imports it."""
    return entry


def _read_transform(raw: object, place: Place) -> Result[Transform]:
    """Return the owner's function, which `_not_imported` stands in for."""
    read = string_matching(EXPECTED_TRANSFORM, r"([^:\0]+\.py|\w+(\.\w+)*):\w+")
    name, problems = read(raw, place)
    return (Transform(name, _not_imported) if name else None), problems


def option(
    read: Callable[..., Any],
    summary: str,
    *,
    default: Any = None,  # noqa: ANN401 - of the type of the field
    needs_zone: bool = False,
) -> Any:  # noqa: ANN401 - the field itself, as from `dataclasses.field`
    """Declare an option as a field of `Settings` or of a group in it.

    Its section in ``docs/reference/options.md`` begins with the `summary`. If `needs_zone`, the
    reader takes the time zone as a third argument.
    """
    metadata = {"read": read, "summary": summary, "needs_zone": needs_zone}
    return field(default=default, metadata=metadata)


def choice(default: StrEnum, summary: str) -> Any:  # noqa: ANN401 - see `option`
    """Declare an option whose values are the members of an enumeration."""
    return option(one_of(type(default)), summary, default=default)


_read_path = string_matching("a path, relative to mkdocs.yml")


@dataclass(frozen=True, kw_only=True)
class GitSettings:
    """The options under ``lastmod.git``."""

    date: GitDate = choice(GitDate.PUBLISHED, "Which commit date is used.")
    change: GitChange = choice(GitChange.CONTENT, "Which commits count as a change of a page.")
    ignore_revs_file: str | None = option(
        _read_path, "A file that lists commits to ignore, instead of `.git-blame-ignore-revs`."
    )
    ignore_authors: tuple[str, ...] = option(
        list_of(string_matching("a `Name <mail>` pattern"), "patterns"),
        "Patterns for the authors of commits to ignore, with `*` and `?`.",
        default=(),
    )
    ignore_subjects: tuple[str, ...] = option(
        list_of(string_matching("a pattern on a subject line"), "patterns"),
        "Patterns for the subject lines of commits to ignore, with `*` and `?`.",
        default=(),
    )
    shallow: Shallow = choice(
        Shallow.WARN, "What to do if a shallow clone does not contain the last change of a page."
    )


@dataclass(frozen=True, kw_only=True)
class LastmodSettings:
    """The options under ``lastmod``."""

    sources: tuple[Source, ...] = option(
        list_of(one_of(Source), ", ".join(Source)),
        "The sources of dates. The first source that has a date is used. ``[]`` means no dates of "
        "pages.",
        # A new source is not in it: nobody's dates may change by themselves.
        default=(Source.FRONT_MATTER, Source.GIT, Source.FILE),
    )
    file: str = option(
        _read_path,
        "The dates file that the source `file` reads, relative to mkdocs.yml.",
        default="sitemap-dates.json",
    )
    format: Precision = choice(
        Precision.DATETIME, "Whether a date is written with its time of day."
    )
    timezone: tzinfo = option(
        read_zone,
        "The time zone for git dates, and for times in front matter without an offset.",
        default=UTC,
    )
    front_matter_keys: tuple[str, ...] = option(
        list_of(
            string_matching("a dotted key of front matter, as a string", r"[^\0,]+"),
            "dotted keys",
        ),
        "Front matter keys for the date. `sitemap.lastmod` is always read first.",
        default=("lastmod", "last_modified_at", "date.updated"),
    )
    git: GitSettings = field(default_factory=GitSettings)
    includes: tuple[IncludeKind, ...] = option(
        list_of(one_of(IncludeKind), ", ".join(IncludeKind)),
        "The kinds of included files whose changes count as changes of the page.",
        default=tuple(kind for kind in IncludeKind if kind is not IncludeKind.MKDOCSTRINGS),
    )


@dataclass(frozen=True, kw_only=True)
class CheckSettings:
    """The options under ``check``."""

    ignore: Mapping[str, Patterns] | None = option(
        mappings.read_ignored_codes,
        "Findings of the command `check` to accept for good: patterns for pages, by code.",
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All options, checked.

    `rules` begins with a rule for each of `changefreq`, `priority`, `images` and `exclude` that is
    set: they hold for the whole site, and the owner's rules come later and win.
    """

    changefreq: Changefreq | None = option(
        read_changefreq, "How often pages are likely to change, for the whole site."
    )
    priority: Decimal | None = option(
        read_priority, "The priority of pages relative to each other, for the whole site."
    )
    exclude: Patterns | None = option(
        read_patterns, "Patterns for the source files of pages to leave out of the sitemap."
    )
    rules: tuple[mappings.Rule, ...] = option(
        list_of(mappings.read_rule, "rules", of_mappings=True),
        "Fields for the pages that match a pattern. The last rule that sets a field wins.",
        default=(),
    )
    lastmod: LastmodSettings = field(default_factory=LastmodSettings)
    # None is as False. But who writes `false` accepts that pages show another date.
    page_dates: bool | None = option(
        read_flag, "Whether each page contains the same date as the sitemap."
    )
    alternates: bool | tuple[mappings.Language, ...] = option(
        mappings.read_alternates,
        "Whether the sitemap links translations. If each language has its own build, list all "
        "languages.",
        default=True,
    )
    x_default: str | Literal[False] | None = option(
        read_x_default, "The fallback language (hreflang `x-default`), or `false` for none."
    )
    fallback_pages: bool = option(
        read_flag,
        "Whether pages without a translation, which show the text of another language, are listed.",
        default=True,
    )
    images: bool = option(
        read_flag, "Whether the images in the content of each page are listed.", default=False
    )
    news: mappings.NewsSettings | None = option(
        mappings.read_news,
        "Which pages are news articles. Articles of the last two days get `news:news`.",
    )
    extra_urls: tuple[mappings.ExtraUrl, ...] = option(
        list_of(mappings.read_extra_url, "mappings with loc", of_mappings=True),
        "Other URLs to list, which are not pages of MkDocs.",
        default=(),
        needs_zone=True,
    )
    extra_files: Patterns | None = option(
        read_match, "Patterns for files of the built site to list, such as PDFs."
    )
    extra_sitemaps: tuple[str, ...] = option(
        list_of(string_matching("a URL, as a string"), "URLs"),
        "Other sitemaps to list in an index, together with this sitemap.",
        default=(),
    )
    filename: str = option(
        read_filename,
        "The file name of the sitemap, at the root of the site.",
        default="sitemap.xml",
    )
    split: Split = choice(Split.AUTO, "Whether there is also a file for each section of the site.")
    max_urls: int = option(
        int_between(1, MAX_URLS),
        "The largest number of URLs in a file. A larger sitemap is split.",
        default=MAX_URLS,
    )
    max_bytes: int = option(
        int_between(MIN_MAX_BYTES, MAX_BYTES),
        "The largest size of a file in bytes, uncompressed. A larger sitemap is split.",
        default=MAX_BYTES,
    )
    stylesheet: bool = option(
        read_flag, "Whether a browser shows the sitemap as a table.", default=True
    )
    robots_txt: bool = option(read_flag, "Whether `robots.txt` names the sitemap.", default=False)
    transform: Transform | None = option(
        _read_transform,
        "Your own Python function, which can change or remove each entry.",
    )
    report: str | None = option(
        string_matching("a path, relative to mkdocs.yml, that ends in .json", r"[^\0]*\.json"),
        "The file for a JSON report about all pages, relative to mkdocs.yml.",
    )
    check: CheckSettings = field(default_factory=CheckSettings)
