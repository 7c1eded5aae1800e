"""Messages about patterns that match nothing, with the page that was probably meant."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.options.values import Patterns, pattern_list
from mkdocs_sitemap_plus.pages import Listable, Site, SourcePage
from mkdocs_sitemap_plus.pipeline import Work, files_in
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem
from mkdocs_sitemap_plus.sitemap.urls import unquote_path
from mkdocs_sitemap_plus.wording import closest, format_value

_MAX_GUESSED = 20  # patterns for which similar names are searched, which takes long on large sites
_MAX_PARTS = 20  # of a line; each is matched with all paths
_SIMILAR = 0.85  # of 1: `isntall` for `install`


def unmatched_in_rules(work: Work) -> Iterator[Problem]:
    """Yield a problem for each pattern of a rule or of ``exclude`` that matches no page.

    It is a warning if the pattern should have left out a page that is listed.
    """
    paths, site = [file.src_uri for file in files_in(work.decisions)], work.context.site
    lines = [
        (rule, line)
        for rule in work.context.settings.rules
        for line in (() if rule.match is None else rule.match.unmatched(paths))
    ]
    names = _Names([page.about for page in work.listed], site) if lines else None
    for number, (rule, line) in enumerate(lines):
        several = _are_several(line, paths)
        meant = names.meant(line, guess=number < _MAX_GUESSED) if names and not several else None
        warns = bool((several or meant) and rule.overrides.exclude and line[0] != "!")
        fix = f"Patterns are paths in {site.docs_dir.name}/, not URLs." if warns else None
        yield Problem(
            Code.PATTERN,
            f"has {format_value(line)}, which matches no page",
            rule.place,
            done=f"{meant.is_listed} listed." if warns and meant else None,
            suggestion=format_value(meant.pattern) if meant else None,
            fix="Write one pattern a line, or a list of patterns." if several else fix,
            level=Level.WARNING if warns else Level.INFO,
        )


def _are_several(line: str, paths: Sequence[str]) -> bool:
    """Return whether a line is several patterns that match: ``a.md, b.md``."""
    parts = line.replace(",", " ").split()
    return 1 < len(parts) <= _MAX_PARTS and not pattern_list(parts).unmatched(paths)


class _Right(NamedTuple):
    """The right pattern for a name, and the words for what it leaves out."""

    pattern: str
    is_listed: str  # such as ``docs/a.md is``


class _Names:
    """The listed pages and their folders by what a pattern may wrongly call them."""

    def __init__(self, listed: Iterable[Listable], site: Site) -> None:
        self.site = site
        self.pages: dict[str, _Right] = {}
        self.folders: dict[str, _Right] = {}
        pages = [page for page in listed if isinstance(page, SourcePage)]
        for page in sorted(pages, key=lambda page: page.src_uri):  # of two with a name, the first
            path, right = PurePosixPath(page.src_uri), _Right(f"/{page.src_uri}", f"{page.file} is")
            for name in (page.src_uri, unquote_path(page.loc.removeprefix(site.url))):
                self.pages.setdefault(_plain(name), right)
            if last := _plain(path.name):
                self.pages.setdefault(last, right)
            for folder in [*path.parents][:-1]:
                are = f"The pages in {site.docs_dir.name}/{folder}/ are"
                self.folders.setdefault(_plain(str(folder)), _Right(f"/{folder}/", are))

    def meant(self, line: str, *, guess: bool) -> _Right | None:
        """Return what is meant by a pattern that may be a URL; None if that is not clear."""
        name = line.removeprefix(self.site.url).removeprefix(urlsplit(self.site.url).path)
        name = _plain(f"/{name}".replace(f"/{self.site.docs_dir.name}/", "/", 1))
        names = {**self.folders, **self.pages}
        if line.endswith("/"):
            names |= self.folders
        if name in names or not guess:
            return names.get(name)
        digits = re.sub(r"\D", "", name)  # v1 is no slip for v2
        near = [each for each in names if re.sub(r"\D", "", each) == digits]
        return names.get(closest(name, near, cutoff=_SIMILAR) or "\0")


def _plain(name: str) -> str:
    """Return a path or URL in small letters, without slashes, ending and ``index``."""
    stem = name.strip("/").casefold().removesuffix(".md").removesuffix(".html")
    return stem.removesuffix("index").removesuffix("readme").strip("/")


def unmatched(wanted: Patterns, place: Place, paths: Sequence[str], what: str) -> Iterator[Problem]:
    """Yield a note for each pattern that matches nothing."""
    for line in wanted.unmatched(paths):
        found = f"has {format_value(line)}, which matches no {what}"
        yield Problem(Code.PATTERN, found, place, level=Level.INFO)
