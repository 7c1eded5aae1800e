"""Messages about patterns that match nothing, with the pattern that was probably meant."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.options.meant import MAX_PARTS, globs_of, is_other_language, parts_of
from mkdocs_sitemap_plus.options.values import Invalid, Patterns, match
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem
from mkdocs_sitemap_plus.sitemap.languages import hreflang
from mkdocs_sitemap_plus.wording import closest, first_names, format_value, listing

_MAX_SEARCHED = 20  # patterns for which all names are searched, which takes long on large sites
_SIMILAR = 0.85  # of 1: `isntall` for `install`
_GLOB = re.compile(r"[*?^$|(){}\[\]+]")  # in a name that is none of a file
_WILD = re.compile(r"(?i)[*?.]*(?:index)?(?:\.(?:md|html?))?")  # the name of any page
_VERSIONS = ("latest", "stable", "dev")  # the names that hosts and mike give to versions


class Named(NamedTuple):
    """A file that a pattern should match."""

    path: str  # what patterns are compared with
    name: str  # what messages call it
    url: str  # below that of the site


class _Right(NamedTuple):
    """The right pattern, and the words for what it leaves out."""

    pattern: str
    is_listed: str  # such as ``docs/a.md is``


class UnmatchedPatterns:
    """Says which patterns match none of some paths, and what they probably mean."""

    def __init__(
        self, paths: Sequence[str], listed: Iterable[Named], site: Site, folder: str, what: str
    ) -> None:
        """Patterns are compared with the `paths`, which are in a folder of this name.

        What is `listed` may be meant by a pattern. `what` says what a pattern should match.
        """
        self.paths, self.site, self.folder, self.what = paths, site, folder, what
        self._listed = sorted(listed)  # of two with the same name, the first counts
        self._searched = 0

    def problems(self, wanted: Patterns, place: Place, *, excludes: bool) -> Iterator[Problem]:
        """Yield a problem for each pattern that matches nothing.

        It is a warning if the pattern should leave out (it `excludes`) what is listed.
        """
        if excludes and wanted.lines and all(line[0] in "!#" for line in wanted.lines):
            yield self._no_pattern(wanted, place)
            return
        for line in wanted.unmatched(self.paths):
            brings_back = line.startswith("!")
            meant = [] if brings_back else self._meant(line)
            is_other = is_other_language(line, *self._letters_and_endings)
            # The path of a file that is no page is right, as in a list for several plugins.
            is_other = is_other and not is_file(self.site.docs_dir / line.strip("/"))
            warns = excludes and not brings_back and bool(meant or is_other)
            are_listed = [f"{right.is_listed} listed." for right in meant]
            rule = f"Patterns are paths in {self.folder}/ as in .gitignore, no URLs and no regular "
            several = len(meant) > 1
            fix = f"{rule}expressions." if warns or is_other or several else None
            if several and wanted.in_block:
                fix = f"Write each in a line of its own. {fix}"
            yield Problem(
                Code.PATTERN,
                f"has {format_value(line)}, which matches no {self.what}",
                place,
                done=" ".join(are_listed) if warns and meant else None,
                suggestion=_as_written([right.pattern for right in meant], wanted),
                fix=fix,
                level=Level.WARNING if warns else Level.INFO,
            )

    def _no_pattern(self, wanted: Patterns, place: Place) -> Problem:
        """Return the problem of lines that leave out nothing, since none is a pattern that does."""
        back = [line for line in wanted.lines if line.startswith("!")]
        if not back:
            found = f"has only comments, such as {format_value(wanted.lines[0])}"
            done = "It leaves out nothing."
            return Problem(Code.PATTERN, found, place, done=done, level=Level.INFO)
        right = back[0].removeprefix("!")
        found = f"has no pattern but {format_value(back[0])}, and `!` brings a page back"
        return Problem(
            Code.PATTERN,
            found,
            place,
            done="It leaves out nothing.",
            suggestion=_as_written([right], wanted),
            fix=f"To leave out all other pages, write ['/*', '!/{_escaped(right.lstrip('/'))}'].",
        )

    def _meant(self, line: str) -> list[_Right]:
        """Return the patterns that a line means; none if that is not clear."""
        self._searched += 1
        parts = parts_of(line)
        if found := self._all_right(parts, names_only=True):
            return found
        if self._searched > _MAX_SEARCHED:
            return []
        # A name may have a blank or a comma: such parts count only if each of them is right.
        several = re.split(r"[,\s]+", parts[0].strip(", ")) if len(parts) == 1 else []
        found = self._all_right(several[:MAX_PARTS], names_only=True)
        if several and len(found) == len(several):
            return found
        return self._all_right(parts, names_only=False)

    def _all_right(self, parts: Iterable[str], *, names_only: bool) -> list[_Right]:
        found = (self._right(part, names_only=names_only) for part in parts)
        return [*dict.fromkeys(filter(None, found))]

    def _right(self, part: str, *, names_only: bool) -> _Right | None:
        """Return what one part of a line means: a folder, a page, or a glob that matches some."""
        for glob in globs_of(part):
            names = [*(path := self._names_in(glob))]
            anywhere = bool(names) and names[0].startswith("*")  # as **/internal/**
            while names and anywhere and _WILD.fullmatch(names[0]):
                del names[0]
            if anywhere and names:
                names[0] = names[0].lstrip("*.")
            if right := self._named(part, names, anywhere=anywhere):
                return right
            if names_only:
                continue
            if right := self._by_glob(glob, path, [*names] if anywhere else []):
                return right
            if not anywhere and (right := self._near(names)):
                return right
        return None

    def _names_in(self, glob: str) -> list[str]:
        """Return the names in the path of a glob, without those of folders around the files."""
        url = urlsplit(self.site.url)
        glob = re.sub(f"^(?:https?:)?//{re.escape(url.netloc)}", "", glob).removeprefix(url.path)
        names = [name for name in map(str.strip, glob.split("/")) if name not in ("", ".", "..")]
        while names[1:] and names[0].casefold() not in self._top and self._is_around(names[0]):
            del names[0]
        return names

    def _is_around(self, name: str) -> bool:
        """Return whether a name is that of a folder above the files, in the project or in URLs."""
        site = self.site
        around = (self.folder, site.docs_dir.name, site.site_dir.name, *_VERSIONS)
        of_url = urlsplit(site.url).path.split("/")
        return name in (*around, *of_url) or hreflang(name) is not None

    @cached_property
    def _letters_and_endings(self) -> tuple[set[str], set[str]]:
        """The letters of all paths, and the endings of all names in small letters."""
        return set().union(*self.paths), {path.rpartition(".")[2].lower() for path in self.paths}

    def _is_ending(self, name: str) -> bool:
        """Return whether a glob such as ``*.md`` matches the name of some path."""
        return name.startswith("*.") and name[2:] in self._letters_and_endings[1]

    @cached_property
    def _top(self) -> set[str]:
        """What stands at the top of the folder, in small letters."""
        return {path.partition("/")[0].casefold() for path in self.paths}

    @cached_property
    def _pages(self) -> dict[str, _Right]:
        """The listed files by what a pattern may wrongly call them."""
        pages: dict[str, _Right] = {}
        for path, name, url in self._listed:
            right = _Right(f"/{_escaped(path)}", f"{name} is")
            for written in (path, url):
                pages.setdefault(_plain(written), right)
            if last := _plain(PurePosixPath(path).name):
                pages.setdefault(last, right)
        return pages

    @cached_property
    def _folders(self) -> dict[str, _Right]:
        """The folders of the listed files, by their paths in small letters."""
        folders: dict[str, _Right] = {}
        for path, _, _ in self._listed:
            for folder in [*map(str, PurePosixPath(path).parents)][:-1]:
                are = f"The pages in {self.folder}/{folder}/ are"
                folders.setdefault(folder.casefold(), _Right(f"/{_escaped(folder)}/", are))
        return folders

    def _named(self, part: str, names: Sequence[str], *, anywhere: bool) -> _Right | None:
        """Return the folder or the page that names lead to, whatever of them is meant by a glob."""
        at = next((at for at, name in enumerate(names) if _GLOB.search(name)), len(names))
        path, rest = "/".join(names[:at]), [*names[at:]]
        if rest and (stem := re.match(r"[^*?]+(?=[*?.]+$)", rest[0])):  # internal.*, of a regex
            inner = "/".join((*names[:at], stem[0].rstrip(".")))
            path, rest = (inner, rest[1:]) if inner.casefold() in self._folders else (path, rest)
        folder = self._folders.get(path.casefold()) or self._folders.get(_plain(path))
        page = None if anywhere or (rest and not path) else self._pages.get(_plain(path))
        if (anywhere and not path) or not all(map(_WILD.fullmatch, rest)):
            # What is neither a name nor a glob is a regular expression on the files of a folder.
            return folder if rest and re.match(r"[^\w*?.]|\?!", rest[0]) else None
        if page and not rest and (not folder or re.search(r"\.(md|html?)$", part)):
            return page
        if folder and anywhere:
            return folder._replace(pattern=f"{'**/' if '/' in path else ''}{_escaped(path)}/")
        if folder and rest and part.strip("/") == "/".join((folder.pattern[1:-1], *rest)):
            # A plain glob in the right spelling that matches nothing here means other files.
            is_plain = all(each in ("*", "**") or self._is_ending(each) for each in rest)
            return None if is_plain and not self._matched(part) else folder
        return folder or page

    def _near(self, names: Sequence[str]) -> _Right | None:
        """Return the folder or the page with a similar path."""
        while names and _WILD.fullmatch(names[-1]):
            names = names[:-1]
        name, known = _plain("/".join(names)), {**self._pages, **self._folders}
        if name in known:
            return None
        digits = re.sub(r"\D", "", name)  # v1 is no slip for v2
        near = [each for each in known if re.sub(r"\D", "", each) == digits]
        return known.get(closest(name, near, cutoff=_SIMILAR) or "\0")

    def _by_glob(self, glob: str, names: Sequence[str], within: list[str]) -> _Right | None:
        """Return a glob if it matches what is listed, perhaps with the ending of these files.

        If it may match anywhere, it may also mean the folder `within`.
        """
        start, end = "" if glob.startswith("*") else "/", "/" if glob.endswith("/") else ""
        path = f"{start}{'/'.join(names)}{end}"
        globs = [path, re.sub(r"\.html?$", ".md", path)]
        while within and _WILD.fullmatch(within[-1]):
            del within[-1]
        if within:
            globs.insert(0, f"{'**/' if len(within) > 1 else ''}{'/'.join(within)}/")
        if "/" not in glob and re.fullmatch(r"\*?\.?\w{2,5}", glob):
            globs = [f"*.{glob.lstrip('*.')}"]  # pdf
        for pattern in globs:
            if found := self._matched(pattern):
                return _Right(pattern, f"{first_names(found)} {'is' if len(found) == 1 else 'are'}")
        return None

    def _matched(self, pattern: str) -> list[str]:
        """Return the names of the listed files that a pattern matches, if it is one."""
        with suppress(Invalid):
            matches = match(pattern).match_file
            return [each.name for each in self._listed if matches(each.path)]
        return []


def _as_written(patterns: Sequence[str], wanted: Patterns) -> str | None:
    """Return patterns as an owner writes them in place of a line; None if there are none.

    In a block, quotes would be part of a pattern.
    """
    if not patterns:
        return None
    if wanted.in_block:
        return listing(patterns)
    return format_value(patterns[0] if len(patterns) == 1 else [*patterns])


def _escaped(path: str) -> str:
    """Return the pattern of a path: `?` stands for what would be more than a letter."""
    return re.sub(r"[*\[\]\\]", "?", path)


def _plain(name: str) -> str:
    """Return a path or URL in small letters, without slashes, ending and ``index``."""
    stem = name.strip("/").casefold().removesuffix(".md").removesuffix(".html")
    return stem.removesuffix("index").removesuffix("readme").strip("/")
