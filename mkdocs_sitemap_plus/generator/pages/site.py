"""A site, and what it has a URL for. The plugin and the command make the same values."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.generator.pages.front_matter import Broken
from mkdocs_sitemap_plus.generator.pages.inherited import InheritedPattern
from mkdocs_sitemap_plus.gitdates import GitProblem
from mkdocs_sitemap_plus.html.page_says import PageSays
from mkdocs_sitemap_plus.html.stated_dates import StatedDate
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.wording import unescape

if TYPE_CHECKING:  # so that an import of this package does not import its modules
    from mkdocs_sitemap_plus.generator.pages.include_syntax import Include, IncludeOptions
I18N = Place(Origin.PLUGIN, "mkdocs-static-i18n")
"""What messages about language versions name on a site with this plugin."""


class Evidence(StrEnum):
    """What tells from which file a page is made, the surest first."""

    BUILDER = "the builder"  # MkDocs' own word for it
    REPORT = "the last build"
    COPY = "a copy of the source in the site"
    EDIT_LINK = "the link to edit the page"
    BYTES = "the page itself, as HEAD holds it"
    PATH = "the path of the page"
    VIEW_LINK = "the link to show the source"


class MadeFrom(NamedTuple):
    """A file that a page may be made from."""

    file: Path  # absolute
    evidence: Evidence


class Parts(NamedTuple):
    """What a page takes from elsewhere; names and patterns are as they are written."""

    files: frozenset[Path] = frozenset()  # absolute paths; not the page's own file
    missing: tuple[str, ...] = ()  # names for which there is no file that can be read
    unsearched: tuple[tuple[str, str], ...] = ()  # patterns that were not searched, and why
    unknown: tuple[str, ...] = ()  # names of files that only the builder or a plugin can tell

    def with_more(self, other: "Parts") -> "Parts":
        """Return the parts of both."""
        return Parts(
            self.files | other.files,
            self.missing + other.missing,
            self.unsearched + other.unsearched,
            self.unknown + other.unknown,
        )


class SourcePage(NamedTuple):
    """A page of the site. Paths have ``/``."""

    src_uri: str  # the path under the docs folder
    file: str  # its path in messages: from the folder of the project file, or else `src_uri`
    dest_uri: str  # the path of the built file under the site's folder
    loc: str  # its canonical URL, byte for byte and not checked; empty if it has none
    meta: Mapping[str, Any]  # the front matter, with the values that other plugins add
    built: "PageSays | None"  # what is read in its built HTML; None if it was not built
    made_from: tuple[MadeFrom, ...] = ()  # files that may be its source; the first in git counts
    no_source: str | None = None  # why it has none of the files that its links name
    path: Path | None = None  # what included files are relative to; None: the first source file
    includes: "tuple[Include, ...]" = ()  # what its text includes
    parts: Parts = Parts()  # what else is in it: by other plugins, or by another builder
    posts: tuple[str, ...] = ()  # the source paths of the posts that it shows (a view of a blog)
    locale: str | None = None  # its language; None if the site has only one
    translation_of: str | None = None  # a name that its language versions share; None without any
    in_nav: bool | None = None  # whether the navigation has it; None if that is not known
    is_fallback: bool = False  # whether it shows the text of another language than its own
    lines: Mapping[str, int] = {}  # of front matter: 1-based, by dotted key; empty if none is ours
    written: Mapping[str, str] = {}  # of front matter, by dotted key: what YAML reads as no text
    twice: tuple[str, ...] = ()  # dotted keys that stand twice in front matter
    broken: "Broken | None" = None  # why the front matter can't be read; None if it can
    title: str | None = None  # None if it is not known
    date_by_plugin: "StatedDate | None" = None  # the date that another plugin shows on it
    images: tuple[str, ...] = ()  # what the sitemap of its builder listed for it
    replaced_by: str | None = None  # the `file` of the page that was later built at this path

    @property
    def source_files(self) -> tuple[Path, ...]:
        """The files that it may be made from, absolute; the first that git tracks counts."""
        return tuple(source.file for source in self.made_from)


class ExtraFile(NamedTuple):
    """A file of the built site that the option ``extra_files`` names, such as a PDF."""

    src_uri: str  # the path of its source under the docs folder, with ``/``
    dest_uri: str  # the same path under the site's folder
    file: str  # the same, as messages call it
    loc: str  # its URL, not checked
    source: Path  # absolute; there may be no such file
    built: "PageSays | None"  # what is read in it if it is HTML; None if it was removed


class Url(NamedTuple):
    """A URL that no known file of the site has, such as one of ``extra_urls``."""

    loc: str


SiteFile = SourcePage | ExtraFile
Listable = SiteFile | Url
"""What a sitemap can list."""


def sorted_pages(pages: Iterable[SourcePage]) -> tuple[SourcePage, ...]:
    """Return the pages sorted by `dest_uri` and `src_uri`, with `replaced_by` set.

    `pages` are in the order in which they were built. Of several with one `dest_uri`, the last one
    is published, since it was written over the others.
    """
    pages = list(pages)
    published = {page.dest_uri: page for page in pages}
    for index, page in enumerate(pages):
        if (new := published[page.dest_uri]) is not page:
            pages[index] = page._replace(replaced_by=new.file)
    return tuple(sorted(pages, key=lambda page: (page.dest_uri, page.src_uri)))


def plain_title(raw: object) -> str | None:
    """Return a title of MkDocs without its HTML entities; None if the title is not a string."""
    return unescape(raw) if isinstance(raw, str) else None


class OutReason(StrEnum):
    """Why a page, a file or a URL is left out."""

    EXCLUDED = "excluded"
    ERROR_PAGE = "error page"
    FALLBACK_PAGE = "fallback page"
    SEARCH_PAGE = "search page"
    PRINT_PAGE = "print page"  # it repeats all others
    NOT_BUILT = "not built"
    NOINDEX = "noindex"
    REDIRECT = "redirect"
    NOT_CANONICAL = "not canonical"
    UNKNOWN_PAGE = "unknown page"  # it calls itself canonical, and is no page of the build
    STATIC = "static file"
    OUTSIDE = "outside the site"
    UNUSABLE_URL = "unusable URL"
    SAME_URL = "same URL"
    TRANSFORM = "transform"


_NOUNS = (
    *(OutReason.ERROR_PAGE, OutReason.FALLBACK_PAGE, OutReason.SEARCH_PAGE),
    *(OutReason.PRINT_PAGE, OutReason.REDIRECT, OutReason.STATIC, OutReason.UNKNOWN_PAGE),
)
"""Reasons with a plural: ``1 redirect``, ``2 redirects``; but ``2 excluded``."""


def reasons_of(left_out: Mapping[str, int]) -> str:
    """Return why pages are left out, as ``2 excluded, 1 redirect``; without a number if all are."""
    out = left_out.items()
    kinds = Counter({f"{why}s" if why in _NOUNS and n > 1 else why: n for why, n in out})
    reasons = [f"{count:,} {reason}" for reason, count in by_count(kinds)]
    return ", ".join(reasons if len(kinds) > 1 else kinds)


def by_count(counter: Counter[str]) -> list[tuple[str, int]]:
    """Return the words of a counter, the most frequent first; of equal ones, by the alphabet."""
    return sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))


class NoSource(NamedTuple):
    """What is known of pages without a known source."""

    fix: str | None = "Set the edit links of generated pages to their source files."
    cause: "GitProblem | None" = None  # why no page has one
    is_said: bool = False  # whether there is a message about it already


NO_SOURCE = NoSource()


@dataclass(frozen=True, kw_only=True, repr=False)
class UncheckedSite:
    """A built site, with or without a usable URL. Folders are absolute."""

    url: str | None  # it ends with a slash; None if the site has none
    has_url_key: bool  # whether the project file has the key ``site_url``, even without a value
    project_file: str  # the name of the file that holds the options, for messages
    root: Path  # the folder of that file
    docs_dir: Path
    site_dir: Path
    reads_sitemap: bool  # whether the theme is one of `theme_and_plugins.THEMES_WITH_SCRIPT`
    has_selectors: bool = False  # whether the theme shows a list of versions or languages
    instant: bool  # whether the theme's instant navigation is on
    serving: bool  # whether a development server shows the site under its own address
    default_locale: str | None  # the main language of the site; None if it is not known
    include_options: "IncludeOptions | None"  # None if nothing includes files
    pages: tuple[SourcePage, ...]  # as from `sorted_pages`
    no_source: NoSource = NO_SOURCE
    waiting: tuple[str, ...] = ()  # folders of posts that a blog publishes by date, with last slash
    print_page: str | None = None  # what mkdocs-print-site-plugin calls its page; None without it
    edited_by: tuple[str, ...] = ()  # plugins that edit MkDocs' own sitemap
    languages_place: Place = I18N  # what messages about language versions name
    inherited: "tuple[InheritedPattern, ...]" = ()  # which its own options may drop

    def waits(self, post: Path) -> bool:
        """Return whether a source is a post that its blog publishes by ``date``."""
        return path_from(self.docs_dir, post).startswith(self.waiting)

    def is_print_page(self, dest_uri: str) -> bool:
        """Return whether a built file repeats all pages, for printing."""
        name = self.print_page
        return name is not None and dest_uri in (f"{name}/index.html", f"{name}.html")

    def option(self, key: str) -> Place:
        """Return the place of an option."""
        return Place(Origin.OPTION, self.project_file, key)


class Site(UncheckedSite):
    """A built site for whose URL a sitemap can be written, as from `site_url.check_url`."""

    url: str


MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""The endings of pages in MkDocs."""

UNSEEN_KEYS = ("sitemap", "changefreq", "priority", "lastmod")
"""The keys of front matter that are for the sitemap alone: no theme shows them."""

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
