"""What the owner says, as plain values; equal for both doors."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES, MAX_URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mkdocs_sitemap_plus.options.patterns import Patterns
    from mkdocs_sitemap_plus.problems import Place
    from mkdocs_sitemap_plus.sitemap.entry import Changefreq, UrlEntry


class Source(StrEnum):
    """A source of ``lastmod``, for the option ``lastmod.sources``."""

    FRONT_MATTER = "front_matter"
    GIT = "git"
    FILE = "file"


class Includer(StrEnum):
    """What puts a file into a page; the values of the option ``lastmod.includes``."""

    SNIPPETS = "snippets"
    INCLUDE_MARKDOWN = "include-markdown"
    MACROS = "macros"
    DEPENDS = "depends"
    MKDOCSTRINGS = "mkdocstrings"


class GitDate(StrEnum):
    """Which date of which commit, for the option ``lastmod.git.date``.

    ``PUBLISHED`` is the committer date of ``git log -1 --first-parent -- PATH``, ``COMMIT`` that of
    ``git log -1 -- PATH``, ``AUTHOR`` the author date of the latter commit.
    """

    PUBLISHED = "published"
    COMMIT = "commit"
    AUTHOR = "author"


class GitChange(StrEnum):
    """What counts as a change, for the option ``lastmod.git.change``.

    ``ANY`` is every commit that git lists for the path; ``CONTENT`` goes on past a pure rename and
    past a change of the file's mode alone; ``BODY`` also past a change of the front matter or of
    white space alone.
    """

    ANY = "any"
    CONTENT = "content"
    BODY = "body"


class Shallow(StrEnum):
    """What becomes of dates that a shallow clone hides, for the option ``lastmod.git.shallow``."""

    WARN = "warn"
    OMIT = "omit"
    ERROR = "error"
    FETCH = "fetch"


class Split(StrEnum):
    """Into which files the sitemap is split, for the option ``split``."""

    AUTO = "auto"
    SECTION = "section"


class Precision(StrEnum):
    """How a ``lastmod`` is written, for the option ``lastmod.format``."""

    DATETIME = "datetime"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSettings:
    """The options under ``lastmod.git``.

    Attributes:
        date: which date of which commit.
        change: what counts as a change.
        ignore_revs_file: a file of commits that never date a page, relative to the project file;
            None: ``.git-blame-ignore-revs`` at the top of a repository, where it exists.
        ignore_authors: ``Name <mail>`` patterns with ``*`` and ``?`` of authors whose commits
            never date a page.
        shallow: what becomes of dates that a shallow clone hides.
    """

    date: GitDate = GitDate.PUBLISHED
    change: GitChange = GitChange.CONTENT
    ignore_revs_file: str | None = None
    ignore_authors: tuple[str, ...] = ()
    shallow: Shallow = Shallow.WARN


@dataclass(frozen=True, slots=True, kw_only=True)
class LastmodSettings:
    """The options under ``lastmod``.

    Attributes:
        sources: asked in this order; the first that knows wins. Empty: no page is dated.
        file: the dates file, relative to the project file.
        format: the precision that is written.
        timezone: of front matter datetimes without an offset, and of git dates as they are written.
        front_matter_keys: dotted keys, looked up after ``sitemap.lastmod``, in this order.
        git: how dates are read from git.
        includes: whose parts count: a page is as new as the newest file that these put into it.
    """

    sources: tuple[Source, ...] = (Source.FRONT_MATTER, Source.GIT, Source.FILE)
    file: str = "sitemap-dates.json"
    format: Precision = Precision.DATETIME
    timezone: tzinfo = UTC
    front_matter_keys: tuple[str, ...] = ("lastmod", "last_modified_at", "date.updated")
    git: GitSettings = field(default_factory=GitSettings)
    includes: tuple[Includer, ...] = (
        Includer.SNIPPETS,
        Includer.INCLUDE_MARKDOWN,
        Includer.MACROS,
        Includer.DEPENDS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of a site whose languages are built one by one.

    Attributes:
        locale: its hreflang.
        url: the ``site_url`` of its build, with the last slash.
        docs_dir: its docs folder, relative to the project file.
    """

    locale: str
    url: str
    docs_dir: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What one voice says about a page; None says nothing.

    Attributes:
        exclude: True leaves the page out, False brings it back.
        lastmod: a date or an aware datetime; False leaves the page undated.
        changefreq: as in the protocol.
        priority: from 0.0 to 1.0.
        images: whether the images of the page's content are listed; or the images themselves, as
            paths from the page's source or as URLs.
        videos: as they are written, each a mapping.
        alternates: URLs of the page in other languages, by hreflang.
        depends: paths and patterns of files that the page is as new as, relative to its source.
        places: for each field that is said, where; a field that is here without a value was said
            wrongly: it is never emitted, whatever weaker voices say.
    """

    exclude: bool | None = None
    lastmod: date | datetime | Literal[False] | None = None
    changefreq: "Changefreq | None" = None
    priority: Decimal | None = None
    images: bool | tuple[str, ...] | None = None
    videos: "tuple[Mapping[Any, Any], ...] | None" = None
    alternates: "Mapping[str, str] | None" = None
    depends: tuple[str, ...] | None = None
    places: "Mapping[str, Place]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What the owner says about all pages whose source path matches.

    Attributes:
        match: patterns of the same kind as MkDocs' ``exclude_docs``; None matches every page.
        overrides: what it sets for these pages.
        place: the option itself.
    """

    match: "Patterns | None"
    overrides: Overrides
    place: "Place"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsSettings:
    """The option ``news``.

    Attributes:
        publication: the name of the publication, as on its front page.
        language: two or three small letters, ``zh-cn`` or ``zh-tw``; None: that of the page.
        match: patterns on the source path of pages that are articles.
    """

    publication: str
    language: str | None
    match: "Patterns"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraUrl:
    """A URL that is no page of the site.

    Attributes:
        loc: as it is written; a relative one starts from the site's URL.
        overrides: what is set for it.
        place: the item of the option ``extra_urls``.
    """

    loc: str
    overrides: Overrides
    place: "Place"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOfEntry:
    """The page of an entry, as the owner's function sees it.

    Attributes:
        src_uri: the path of its source under the docs folder, with ``/``.
        url: its URL below the site's, such as ``guide/a/``.
        meta: its front matter.
    """

    src_uri: str
    url: str
    meta: "Mapping[str, Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """The option ``transform``.

    Attributes:
        name: as it is written, such as ``hooks/file.py:function``.
        call: the function.
    """

    name: str
    call: "Callable[[UrlEntry, PageOfEntry | None], object]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All options, checked.

    Attributes:
        rules: the site-wide fields, then ``exclude``, then ``rules``; for each field the last that
            says it wins.
        lastmod: the options under ``lastmod``.
        alternates: whether languages of one build are linked; or the languages that are built one
            by one.
        x_default: the language of ``x-default``; None: the site's; False: there is none.
        news: what makes pages news articles; None: nothing does.
        extra_urls: URLs that are no pages of the site.
        extra_files: patterns on the paths of files in the built site that are listed like pages;
            None: there are none.
        extra_sitemaps: URLs of sitemaps of sibling sites, as they are written.
        filename: the sitemap's bare file name.
        split: into which files it is split.
        max_urls: entries of one file, from 1 to 50,000.
        max_bytes: bytes of one file, uncompressed, from 1,000 to 52,428,800.
        stylesheet: whether browsers show the sitemap as a table.
        robots_txt: whether ``robots.txt`` names the sitemap.
        transform: the owner's last word on each entry; None: there is none.
        report: where the report goes, relative to the project file; None: there is none.
    """

    rules: tuple[Rule, ...] = ()
    lastmod: LastmodSettings = field(default_factory=LastmodSettings)
    alternates: bool | tuple[Language, ...] = True
    x_default: str | Literal[False] | None = None
    news: NewsSettings | None = None
    extra_urls: tuple[ExtraUrl, ...] = ()
    extra_files: "Patterns | None" = None
    extra_sitemaps: tuple[str, ...] = ()
    filename: str = "sitemap.xml"
    split: Split = Split.AUTO
    max_urls: int = MAX_URLS
    max_bytes: int = MAX_BYTES
    stylesheet: bool = True
    robots_txt: bool = False
    transform: Transform | None = None
    report: str | None = None
