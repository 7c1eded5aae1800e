"""Read the entries of sitemaps: of one, of an index with its parts, or of two to compare.

What can't be read is left out. The table of `schema` decides what can.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element

from mkdocs_sitemap_plus.command.reader.find import (
    IS_URL,
    MAX_FILES,
    WEB,
    FoundFile,
    LoadedSitemap,
    SitemapQueue,
    StatusError,
    Web,
    find_sitemaps,
    open_sitemap,
    sitemap_error,
)
from mkdocs_sitemap_plus.files import is_file, is_folder
from mkdocs_sitemap_plus.problems import Code, Problem
from mkdocs_sitemap_plus.sitemap import entries, xml
from mkdocs_sitemap_plus.sitemap.entries import (
    Alternate,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap.protocol import NAMES, TIMEOUT
from mkdocs_sitemap_plus.sitemap.urls import loc_faults, url_key
from mkdocs_sitemap_plus.sitemap.write import extra_name, is_part
from mkdocs_sitemap_plus.sitemap.xml import BOM, NS, TEXT, sitemap_place, split
from mkdocs_sitemap_plus.wording import format_value

MAX_NESTED = 3
"""How deep an index may be in other indexes. Google follows no such index, but others do."""

_ROOTS = {"urlset": "url", "sitemapindex": "sitemap"}  # names of root elements and their children


class OnFault(Protocol):
    """Takes what is wrong with an element."""

    def __call__(self, code: str, element: Element, clause: str, /, *, lost: bool = True) -> None:
        """Take a code of `check`, empty for what it accepts, a clause, and if a value is lost."""


_VIDEO_FIELDS = frozenset(field.name for field in fields(Video))
_MEANT = {"sitemap-image": "image", "sitemap-video": "video", "xhtml": "link"}


def values(element: Element, known: entries.Group, tell: OnFault) -> dict[str, Any]:
    """Return the values of the children by name, without what can't be read."""
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    has_text = (text := element.text) and text.strip(entries.SPACE)
    for child in element:
        has_text = ((tail := child.tail) and tail.strip(entries.SPACE)) or has_text
        if (row := known.by_tag.get(child.tag)) is None:
            _tell_unknown(element, child, known, tell)
            continue
        name, field = row
        counts[name] = count = counts.get(name, 0) + 1
        if count > field.most:
            often = "once" if field.most == 1 else f"{field.most} times"
            clause = f"is allowed only {often} in {entries.shown(element)}"
            tell("element-unknown", child, clause, lost=field is not entries.FREE)
        elif field is entries.WHOLE:
            found.setdefault(name, []).append(child)
        elif field is not entries.FREE and (value := _value(child, field, tell)) is not None:
            if field.most == 1:
                found[name] = value
            else:
                found.setdefault(name, []).append(value)
    if has_text:
        text = format_value(entries.content(element))
        clause = f"contains the text {text}, but only elements are allowed there"
        tell("element-unknown", element, clause, lost=False)
    for name in known.required:
        if name not in counts:
            clause = f"has no {entries.SPACES[known.space]}{name} in it"
            tell("element-missing", element, clause)
    return found


def _value(element: Element, field: entries.Field, tell: OnFault) -> Any:  # noqa: ANN401 - the field decides
    if len(element):
        text = entries.content(element)
        clause = f"is not allowed in {entries.shown(element)}"
        for child in element:
            tell("element-unknown", child, clause, lost=False)
    else:
        text = (element.text or "").strip(entries.SPACE)
    if field.required and not text:
        tell("element-missing", element, "is empty, but must have a value")
        return None
    if field is entries.LOC:
        faults = loc_faults(text)
        if not faults:
            return text
        for fault in faults:
            tell(fault.code, element, fault.clause, lost=False)
    try:
        value = field.read(text)
    except ValueError as error:
        tell("" if field is entries.LOC else field.code, element, str(error))
        return None
    if value == "":
        if field.code:
            tell(field.code, element, "is empty")
        return None
    return value


def _tell_unknown(element: Element, child: Element, known: entries.Group, tell: OnFault) -> None:
    """Tell of a child that the protocol does not know there. Nobody reads those of others."""
    space, name = split(child.tag)
    if known is not entries.URL or space in entries.SPACES or not space:
        tell("element-unknown", child, f"is not allowed in {entries.shown(element)}", lost=False)
    elif any(word in space.lower() and name == meant for word, meant in _MEANT.items()):
        written = format_value(space[1:-1])
        clause = f"has the namespace {written}, which search engines do not know"
        tell("namespace-misspelled", child, clause, lost=False)


def url_values(element: Element, tell: OnFault) -> dict[str, Any]:
    """Return the values of a ``url`` element that can be read, by the names of its children.

    A link is a code, a URL, and whether both can be read; an image is a URL, or None; a video is
    the fields of `Video`.
    """
    found = values(element, entries.URL, tell)
    if links := found.get("link"):
        found["link"] = _links(links, tell)
    if images := found.get("image"):
        found["image"] = [values(each, entries.IMAGE, tell).get("loc") for each in images]
    if videos := found.get("video"):
        read = (_video(each, found.get("loc", ""), tell) for each in videos)
        found["video"] = [*filter(None, read)]
    return found


def url_entry(element: Element, tell: OnFault) -> UrlEntry | None:
    """Return the entry of a ``url`` element; None if its ``loc`` can't be read."""
    found = url_values(element, tell)
    if "loc" not in found:
        return None
    links, images, videos = (found.pop(name, ()) for name in ("link", "image", "video"))
    return UrlEntry(
        **found,
        alternates=tuple(Alternate(hreflang=code, href=url) for code, url, ok in links if ok),
        images=tuple(filter(None, images)),
        videos=tuple(Video(**video) for video in videos),
    )


def sitemap_entry(element: Element, tell: OnFault) -> SitemapEntry | None:
    """Return the entry of a ``sitemap`` element of an index; None if its ``loc`` can't be read."""
    found = values(element, entries.SITEMAP, tell)
    return SitemapEntry(**found) if "loc" in found else None


def _links(links: Iterable[Element], tell: OnFault) -> list[tuple[str, str, bool]]:
    """Return the links to language versions. With `media`, one leads to the mobile page."""
    found: list[tuple[str, str, bool]] = []
    codes: set[str] = set()
    for link in links:
        rel, code = link.get("rel", ""), link.get("hreflang", "")
        if rel not in ("alternate", "amphtml"):
            clause = f"has the rel {format_value(rel)}, but must have alternate"
            tell("hreflang-code", link, clause)
        if rel != "alternate" or link.get("media") is not None:
            continue
        href = link.get("href", "").strip(entries.SPACE)
        try:
            if not (code and href):
                missing = "href" if code else "hreflang"
                raise ValueError(f"has no {missing}")  # noqa: TRY301 - as what can't be read
            found.append((entries.hreflang(code), entries.link_url(href), True))
        except ValueError as error:
            clause = f"for {format_value(code)} {error}" if code else str(error)
            tell("hreflang-code", link, clause)
            found.append((code, href, False))
            continue
        if (lower := code.lower()) in codes:
            clause = f"has the hreflang {format_value(code)} a second time"
            tell("hreflang-code", link, clause, lost=False)
        codes.add(lower)
    return found


def _video(element: Element, loc: str, tell: OnFault) -> dict[str, Any] | None:
    """Return the fields of a video; None if a required one can't be read."""
    found, space = values(element, entries.VIDEO, tell), entries.VIDEO.space
    contents = {name: element.find(space + name) for name in ("content_loc", "player_loc")}
    if not any(each is not None for each in contents.values()):
        tell("element-missing", element, "has no video:content_loc or video:player_loc")
    for name, child in contents.items():
        if child is not None and url_key(found.get(name, "")) == url_key(loc):
            tell("value", child, "is the page itself")
            del found[name]
    if not (found.keys() >= {*entries.VIDEO.required} and found.keys() & contents.keys()):
        return None
    for name in ("restriction", "platform"):
        if (child := element.find(space + name)) is not None:
            relation, names = child.get("relationship"), tuple(entries.content(child).split())
            # Without its limits it would be allowed everywhere. Only an empty "deny" says so.
            if relation not in ("allow", "deny") or not (names or relation == "deny"):
                tell("", element, f"has no {name} that can be read")
                return None
            found[name] = Restriction(allow=relation == "allow", names=names) if names else None
    if (uploader := element.find(f"{space}uploader")) is not None and "uploader" in found:
        found["uploader_info"] = uploader.get("info")
    found["tags"] = tuple(found.get("tag", ()))
    return {name: value for name, value in found.items() if name in _VIDEO_FIELDS}


_READERS: Mapping[str, Callable[[Element, OnFault], Any]] = {
    f"{NS}url": url_entry,
    f"{NS}sitemap": sitemap_entry,
}


_ENTRY = re.compile(
    rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)"
    rb"|<(?:[\w.-]++:)?(url|sitemap|item|entry)(?=[\s/>])",
    re.DOTALL,
)


class Lines:
    """The lines of the entries of a file, found when the first one is asked for."""

    def __init__(self, data: bytes) -> None:
        """Look at nothing yet."""
        self._data = data
        self._starts: list[int] = []
        self._lines: list[int] | None = None

    def of(self, number: int, name: str = "", which: int = 0) -> int:
        """Return the line of the entry with this number, or of an element of this name in it.

        Both are counted from 0. What is not found has the line of what is before it.
        """
        data = self._data
        if self._lines is None:
            self._lines = self._find()
        if not self._lines:
            return 1
        number = min(number, len(self._lines) - 1)
        if not name:
            return self._lines[number]
        at = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(data)
        tag = re.compile(rb"<(?:[\w.-]++:)?%s[\s/>]" % re.escape(name.encode()))
        tags = [match.start() for match in tag.finditer(data, at, end)]
        of_tag = tags[min(which, len(tags) - 1)] if tags else at
        return self._lines[number] + data.count(b"\n", at, of_tag)

    def _find(self) -> list[int]:
        data = self._data
        if TEXT.match(data.removeprefix(BOM)):
            found = re.finditer(rb"[^\r\n]+", data)
            self._starts = [line.start() for line in found if not line[0].isspace()]
        else:
            self._starts = [match.start() for match in _ENTRY.finditer(data) if match[1]]
        line, before, lines = 1, 0, list[int]()
        for at in self._starts:
            line += data.count(b"\n", before, at)
            before = at
            lines.append(line)
        return lines

    def of_element(self, number: int, entry: Element, element: Element) -> int:
        """Return the line of an element in the entry with this number, or of the entry itself."""
        if element is entry:
            return self.of(number)
        name = split(element.tag)[1]
        same = (each for each in entry.iter() if split(each.tag)[1] == name)
        return self.of(number, name, next((n for n, each in enumerate(same) if each is element), 0))


def entries_of(
    elements: Iterable[Element], tag: str, lines: Lines, file: str, problems: list[Problem]
) -> Iterator[Any]:
    """Yield the entries of a file by its elements; add a problem for each that can't be read."""
    tag = NS + tag
    reader = _READERS[tag]
    number = -1

    def tell(_code: str, part: Element, clause: str, *, lost: bool = True) -> None:
        if not lost:
            return
        place = sitemap_place(file, lines.of_element(number, element, part))
        place = place._replace(key=entries.shown(part))
        problems.append(Problem(Code.INVALID, clause, place, done="It is not read."))

    for element in elements:
        if element.tag == tag:
            number += 1
            if entry := reader(element, tell):
                yield entry


class Collected(NamedTuple):
    """All entries of a sitemap, or of the parts of an index: the sitemaps that it lists."""

    entries: Mapping[str, UrlEntry]  # by ``loc``, in order. Of entries with one ``loc``, the first
    files: tuple[str, ...]  # names of all files that were read, in order
    problems: tuple[Problem, ...]  # what could not be read


def collect(where: str, web: Web = WEB) -> Collected:
    """Return all entries at `where`: a file, a folder with a sitemap in it, or a URL.

    The parts of an index on a disk are read from the disk. Raises SitemapError if a file can't be
    read, since its entries would be missing.
    """
    return _collected(find_sitemaps(where, web), web)


def collect_site(where: str, web: Web = WEB) -> Collected:
    """Return what `collect` returns. If `where` is a site, add its ``sitemap-extra.xml``.

    A folder is a site, and so is a URL that does not end with the name of a sitemap.
    """
    return _with_extra(where, collect(where, web), web)


def collect_both(old: str, new: str, web: Web = WEB) -> tuple[Collected, Collected]:
    """Return the entries of two sitemaps that are to be compared.

    Each ``sitemap-extra.xml`` of a site is added if both are whole sites. If one is a folder, the
    other is read without the sitemaps of other sites in its index. If both have a URL, but spell it
    in two ways, it is spelled as in the new sitemap.
    """
    before = _collected(find_sitemaps(old, web), web, only_own=is_folder(new))
    after = _collected(find_sitemaps(new, web), web, only_own=is_folder(old))
    if _is_whole(old, before) and _is_whole(new, after):
        before = _with_extra(old, before, web)
        after = _with_extra(new, after, web)
    return before._replace(entries=_as_spelled(before.entries, after.entries)), after


def _as_spelled(
    entries: Mapping[str, UrlEntry], others: Mapping[str, UrlEntry]
) -> Mapping[str, UrlEntry]:
    """Return the entries by ``loc``. If `others` spell a ``loc`` in another way, use theirs."""
    if entries.keys() <= others.keys():  # a tenth of the time of a diff
        return entries
    spelled = {url_key(loc): loc for loc in others}
    found: dict[str, UrlEntry] = {}
    for loc, entry in entries.items():
        found.setdefault(loc if loc in others else spelled.get(url_key(loc), loc), entry)
    return found


def _collected(start: list[FoundFile], web: Web, *, only_own: bool = False) -> Collected:
    entries: dict[str, UrlEntry] = {}
    problems: list[Problem] = []
    queue = SitemapQueue(start, web)
    for _, by_loc in _sitemaps(queue, problems, only_own=only_own):
        for loc, entry in by_loc.items():
            entries.setdefault(loc, entry)
    return Collected(entries, tuple(queue.names), tuple(problems))


def _is_site(where: str) -> bool:
    if IS_URL.match(where):
        return not urlsplit(where).path.lower().endswith((".xml", ".gz"))
    return is_folder(where)


def _is_whole(where: str, found: Collected) -> bool:
    """Return whether `where` stands for a whole site: it is a site, or an index."""
    return _is_site(where) or len(found.files) > 1


def _with_extra(where: str, found: Collected, web: Web) -> Collected:
    """Return `found`. If `where` is a site, add the entries of each ``sitemap-extra.xml``."""
    if not _is_site(where):
        return found
    extra = _extra_in(where) if is_folder(where) else _extra_on_web(found.files[0], web)
    more = _collected([file for file in extra if file.name not in found.files], web)
    entries = {**more.entries, **found.entries}  # of two with one ``loc``, the one of `found`
    return Collected(entries, found.files + more.files, found.problems + more.problems)


def _extra_in(folder: str) -> list[FoundFile]:
    paths = sorted(path for path in Path(folder).glob("*.xml") if is_extra(path.name, NAMES[0]))
    return [FoundFile(path.as_posix()) for path in paths if is_file(path)]


def _extra_on_web(sitemap: str, web: Web) -> list[FoundFile]:
    """Return each ``sitemap-extra.xml`` that is listed in the index beside a ``sitemap.xml``."""
    if urlsplit(sitemap).path.rpartition("/")[2] != NAMES[0]:
        return []  # an index has listed them already
    try:
        index = open_sitemap(urljoin(sitemap, NAMES[1]), web)
        root, elements, _ = xml.read(index.data, index.name)
        if root.tag != f"{NS}sitemapindex":
            return []
        entries = entries_of(elements, "sitemap", Lines(b""), index.name, [])
        parts = [entry.loc for entry in entries]
    except (StatusError, xml.NotASitemapError):  # there is no index
        return []
    beside = (part for part in parts if _is_beside(part, index.moved_to or index.name))
    names = (part.rpartition("/")[2] for part in beside)
    return [FoundFile(urljoin(sitemap, name)) for name in names if is_extra(name, NAMES[0])]


def _is_beside(part: str, index: str) -> bool:
    return url_key(urljoin(part, ".")) == url_key(urljoin(index, "."))


def read_sitemap(
    path_or_url: str | os.PathLike[str], *, timeout: float = TIMEOUT
) -> Iterator[UrlEntry]:
    """Yield the entries of any sitemap, in order, while its files are read one after the other.

    `path_or_url` is a file, a folder with a sitemap in it, the URL of a sitemap or of a site, or
    ``-`` for the standard input. Indexes are followed; on a disk, their parts are looked for beside
    them. A ``.gz`` is unpacked. Text files with a URL a line, and feeds (RSS, Atom), are read as
    sitemaps, too. Of several entries of one file with the same ``loc``, the first is yielded.

    An entry without a usable ``loc`` is left out, and a field without a usable value is absent; a
    wrong namespace, or none, is read as the protocol's: `check_sitemap` names all of these. A date
    with a time is an aware datetime. A server may be silent for `timeout` seconds. Raises
    SitemapError, when it comes to it, if a file can't be read.
    """
    where = os.fspath(path_or_url)
    web = Web(timeout)
    for _, by_loc in _sitemaps(SitemapQueue(find_sitemaps(where, web), web), []):
        yield from by_loc.values()


def each_sitemap(where: str) -> Iterator[tuple[str, Mapping[str, UrlEntry]]]:
    """Yield the name of each file that is not an index, and its entries by ``loc``.

    In a folder, each ``sitemap-extra.xml`` is read too. Only the entries of one file are in memory
    at a time. Raises SitemapError as `collect` does.
    """
    extra = _extra_in(where) if is_folder(where) else []
    return _sitemaps(SitemapQueue(find_sitemaps(where) + extra, WEB), [])


def _sitemaps(
    queue: SitemapQueue, problems: list[Problem], *, only_own: bool = False
) -> Iterator[tuple[str, dict[str, UrlEntry]]]:
    """Yield the name of each file that is not an index, and its entries by ``loc``, the first ones.

    The parts of indexes are queued; with `only_own`, only those that `_own_parts` returns.
    """
    for opened in queue:
        if opened.error:
            raise opened.error
        if opened.file is None:
            continue
        root, elements, _ = xml.read(opened.file.data, opened.name)
        space, name = split(root.tag)
        if name not in _ROOTS:
            found = f"the root element is {format_value(name)}"
            raise sitemap_error(opened.name, f"{found}, but must be 'urlset' or 'sitemapindex'")
        if space != NS:
            problems.append(_other_namespace(name, space, opened.name))
            elements = (_of_protocol(element, space) for element in elements)
        lines = Lines(opened.file.data)
        entries = entries_of(elements, _ROOTS[name], lines, opened.name, problems)
        if name == "urlset":
            by_loc: dict[str, UrlEntry] = {}
            for entry in entries:
                by_loc.setdefault(entry.loc, entry)
            yield opened.name, by_loc
            continue
        if opened.depth == MAX_NESTED:
            found = f"is an index in an index, more than {MAX_NESTED} deep"
            raise sitemap_error(opened.name, found)
        parts = [*entries]
        queue.add(opened, _own_parts(parts, opened.file) if only_own else parts)
        if queue.size > MAX_FILES:
            raise sitemap_error(opened.name, f"leads to more than {MAX_FILES:,} files")


def _other_namespace(name: str, space: str, file: str) -> Problem:
    written = f"the namespace {format_value(space[1:-1])}" if space else "no namespace"
    return Problem(
        code=Code.SITEMAP,
        place=sitemap_place(file),
        found=f"{name} has {written}, so search engines can't read it, but it was read here",
    )


def _of_protocol(entry: Element, space: str) -> Element:
    """Return an entry that is meant for the protocol's namespace, but has `space`, in that."""
    for element in entry.iter():
        if split(element.tag)[0] == space:
            element.tag = NS + element.tag.removeprefix(space)
    return entry


def _own_parts(parts: list[SitemapEntry], index: LoadedSitemap) -> list[SitemapEntry]:
    """Return the parts of the same site as their index. If these are not known, return all parts.

    If an index on the web lists the ``sitemap.xml`` in its own folder, the parts in this folder are
    of this site, and the others are of other sites.
    """
    if index.path:
        return parts
    own = [part for part in parts if _is_beside(part.loc, index.moved_to or index.name)]
    has_sitemap = any(urlsplit(part.loc).path.endswith(f"/{NAMES[0]}") for part in own)
    return own if has_sitemap else parts


def is_extra(name: str, filename: str) -> bool:
    """Return whether the extra file of a sitemap `filename`, or a part of it, has this name."""
    start = extra_name(filename).removesuffix(".xml")
    return name.startswith(start) and is_part(name, filename)
