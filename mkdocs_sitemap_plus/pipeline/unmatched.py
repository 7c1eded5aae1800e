"""Messages about patterns that match nothing, with the page that was probably meant."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.options.patterns import Patterns, read_patterns
from mkdocs_sitemap_plus.pages import SiteFile
from mkdocs_sitemap_plus.pipeline import Context, Decision, files_in, listed_in
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.urls import unquote_path
from mkdocs_sitemap_plus.wording import closest, format_value

_MAX_GUESSED = 20  # patterns for which similar names are searched, which takes long on large sites
_MAX_PARTS = 20  # of a line; each is matched with all paths
_ONE_A_LINE = "Write one pattern a line, or a list of patterns."
_NOWHERE = Place(origin=Origin.PLUGIN)
_SIMILAR = 0.85  # of 1: `isntall` for `install`
_SPECIAL = frozenset("*?[\\")  # what may match more than one path
_ENDINGS = (".md", ".markdown", ".mdown", ".html", ".htm")


def unmatched(
    patterns: Patterns,
    place: Place,
    folders: Iterable[str],
    paths: Sequence[str],
    what: str = "page",
) -> Iterator[Problem]:
    """Yield a note for each pattern that matches none of the `paths` in the `folders`."""
    for line in patterns.unmatched(paths):
        meant = (_without_folder(line, folder, paths) for folder in folders)
        right = next(filter(None, meant), None)
        found, suggestion = _found(line, what), right and format_value(right)
        yield Problem(
            code=Code.PATTERN, place=place, found=found, suggestion=suggestion, level=Level.INFO
        )


def unmatched_in_rules(decisions: Sequence[Decision], context: Context) -> Iterator[Problem]:
    """Yield a problem for each pattern of a rule or of ``exclude`` that matches no page.

    It is a warning if the pattern should have left out a page that is listed now.
    """
    paths = [file.src_uri for file in files_in(decisions)]
    listed, folder = files_in(listed_in(decisions)), context.site.docs_dir.name
    names: _Names | None = None
    for rule in context.settings.rules:
        for line in () if rule.match is None else rule.match.unmatched(paths):
            names = names or _Names(listed, context.site.url, folder)
            right, listed_instead = names.meant(line)
            if right is None:
                right, listed_instead = names.matched(_in_our_syntax(line))
            for start in (folder, context.site.site_dir.name):
                right = right or _without_folder(line, start, paths)
            several = right is None and _are_several(line, paths)
            if not rule.overrides.exclude or line.startswith("!"):
                listed_instead = None
            yield Problem(
                code=Code.PATTERN,
                place=rule.place,
                found=_found(line, "page"),
                done=f"{listed_instead} listed." if listed_instead else None,
                suggestion=right and format_value(right),
                fix=_ONE_A_LINE
                if several
                else f"Patterns are paths in {folder}/, not URLs."
                if listed_instead
                else None,
                level=Level.WARNING
                if listed_instead or (several and rule.overrides.exclude)
                else Level.INFO,
            )


def _are_several(line: str, paths: Sequence[str]) -> bool:
    """Return whether a line is several patterns that match: ``a.md, b.md`` or ``(a|b)/``."""
    parts = line.replace(",", " ").split()
    if choice := re.fullmatch(r"(?P<start>[^({]*+)[({](?P<names>[^)}]*+)[)}](?P<end>.*)", line):
        names = re.split("[|,]", choice["names"])
        parts = [f"{choice['start']}{name}{choice['end']}" for name in names]
    return 1 < len(parts) <= _MAX_PARTS and all(_matches(part, paths) for part in parts)


def _in_our_syntax(line: str) -> str:
    """Return a pattern without quotes, a dash or a comment, and without regular expressions."""
    plain = re.sub(r"\s#.*", "", line).strip().removeprefix("- ").strip(" '\"")
    plain = plain.removeprefix("^").removesuffix("$").replace("\\.", ".").replace("\\", "/")
    return plain.replace(".*", "*")


def _found(line: str, what: str) -> str:
    return f"has {format_value(line)}, which matches no {what}"


def _without_folder(line: str, folder: str, paths: Sequence[str]) -> str | None:
    """Return ``/a.md`` for the pattern ``docs/a.md``; None if that matches no path either.

    Paths are relative to the folder `folder`, so no path begins with its name.
    """
    first, _, rest = line.removeprefix("/").partition("/")
    return f"/{rest}" if first == folder and _matches(f"/{rest}", paths) else None


def _matches(line: str, paths: Iterable[str]) -> bool:
    patterns, _ = read_patterns(line, _NOWHERE)
    return patterns is not None and any(map(patterns.match_file, paths))


class _Right(NamedTuple):
    """The right pattern for a name, and the words for what it would leave out."""

    pattern: str
    is_listed: str  # such as ``docs/a.md is``


class _Names:
    """The listed pages and their folders, by what a pattern may wrongly call them."""

    def __init__(self, listed: Sequence[SiteFile], base: str, folder: str) -> None:
        self._base = urlsplit(base)
        self._folder = folder
        self._pages: dict[str, _Right] = {}
        self._folders: dict[str, _Right] = {}
        self._paths = [page.src_uri for page in listed]
        self._guesses = 0
        for page in sorted(listed, key=lambda page: page.src_uri):  # of two with a name, the first
            right = _Right(f"/{page.src_uri}", f"{page.file} is")
            url = unquote_path(page.loc.removeprefix(base))
            names = [_plain(page.src_uri), _plain(url)]
            names += filter(None, [_plain(posixpath.basename(page.src_uri))])
            for name in names:
                self._pages.setdefault(name, right)
            parent = posixpath.dirname(page.src_uri)
            while parent and parent.casefold() not in self._folders:
                right = _Right(f"/{parent}/", f"The pages in {folder}/{parent}/ are")
                self._folders[parent.casefold()] = right
                parent = posixpath.dirname(parent)

    def meant(self, line: str) -> tuple[str, str] | tuple[None, None]:
        """Return the pattern that is meant by one without a match, and ``docs/a.md is``."""
        name = self._path(line)
        if name is None or not _SPECIAL.isdisjoint(name):
            return None, None
        name = name.strip("/")
        known = (self._folders, self._pages) if line.endswith("/") else (self._pages, self._folders)
        for written in (name, name.removeprefix(f"{self._folder}/")):
            for names in known:
                if (right := names.get(_plain(written))) and _matches(right.pattern, self._paths):
                    return right
        self._guesses += 1
        for names in known if self._guesses <= _MAX_GUESSED else ():
            right = names.get(_similar(_plain(name), names))
            if right and _matches(right.pattern, self._paths):
                return right
        return None, None

    def matched(self, line: str) -> tuple[str, str] | tuple[None, None]:
        """Return a pattern, and ``docs/a.md is`` for the first listed page that it matches."""
        patterns, _ = read_patterns(line, _NOWHERE)
        first = next(filter(patterns.match_file, self._paths), None) if patterns else None
        return (line, f"{self._folder}/{first} is") if first else (None, None)

    def _path(self, line: str) -> str | None:
        """Return the path of a pattern in the site; None for a URL of another site."""
        line = line.removesuffix("*").removesuffix("*")
        if "://" in line:
            try:
                url = urlsplit(line)
            except ValueError:
                return None
            if url.netloc.casefold() != self._base.netloc.casefold():
                return None
            line = unquote_path(url.path)
        return line.removeprefix(self._base.path)


def _plain(name: str) -> str:
    """Return a path or URL in small letters, without slashes, ending and ``index``."""
    stem, ending = posixpath.splitext(name.strip("/").casefold())
    plain = stem if ending in _ENDINGS else stem + ending
    folder, _, last = plain.rpartition("/")
    return folder if last in ("index", "readme") else plain


def _similar(name: str, names: Iterable[str]) -> str:
    """Return the one of the names in which `name` is misspelled; otherwise `name`.

    Other digits are no slip: v1 is not v2.
    """
    near = [each for each in names if abs(len(each) - len(name)) <= 2]
    found = closest(name, near, cutoff=_SIMILAR)
    return found if found and _digits(found) == _digits(name) else name


def _digits(text: str) -> list[str]:
    return [each for each in text if each.isdigit()]
