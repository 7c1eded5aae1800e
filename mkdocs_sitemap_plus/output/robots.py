"""Add a line to ``robots.txt`` (sitemaps.org, "Submitting your Sitemap"), and read such files.

They are read as RFC 9309 says. Python's `urllib.robotparser` has no wildcards, and takes the first
rule, not the longest. The package protego can be slow: for a rule with many wildcards, it takes
more than linear time.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from mkdocs_sitemap_plus.files import Unreadable, exists, read_file
from mkdocs_sitemap_plus.output import write_site_file
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.problems import Origin, Place, Problem

_ROBOTS = "robots.txt"
MAX_ROBOTS = 512_000  # bytes that each crawler must read (RFC 9309 2.5); most crawlers stop there
_LINE = re.compile(rb"[ \t]*sitemap[ \t]*:[ \t]*([^\s#]\S*)[ \t]*(?:#.*)?", re.IGNORECASE)
_FIELD = re.compile(r"[ \t]*([A-Za-z-]+)[ \t]*:([^#]*)")
_BOM = b"\xef\xbb\xbf"
_ORIGIN = re.compile(r"\A[^:/?#]+://[^/?#]*")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def add_to_robots(site: Site, name: str) -> Problem | None:
    """Add a line for the sitemap `name` to the ``robots.txt`` of a built site, or to a new file.

    Returns a problem if the file can't have such a line, or can't be read. Raises SitemapError if
    it can't be written. In both cases it is not changed.
    """
    url = site.url or ""
    if not is_at_root(url):
        return Problem(
            code="robots-txt",
            place=site.option("robots_txt"),
            found=f"is set, but robots.txt is read only at the root of a host, not under {url}",
            done="No robots.txt is written.",
            fix=f"Add the line 'Sitemap: {url}{name}' to {urljoin(url, '/robots.txt')}.",
        )
    file = site.site_dir / _ROBOTS
    text, found = b"", None
    try:
        text = read_file(file) if exists(file) else b""
    except Unreadable as error:
        found = f"it can't be read ({error.reason})"
    if b"\0" in text or text.startswith((b"\xff\xfe", b"\xfe\xff")):  # RFC 9309 2.2
        found = "it is not UTF-8"
    if found:
        place = Place(origin=Origin.BUILT_PAGE, file=_ROBOTS)
        done = "It is not changed, and has no line for the sitemap."
        return Problem(code="robots-txt", place=place, found=found, done=done)
    changed = with_sitemap(text, f"{url}{name}")
    if changed != text:
        write_site_file(site.site_dir, _ROBOTS, changed)
    return None


def is_at_root(url: str) -> bool:
    """Return whether the ``robots.txt`` of a site is at the root of its host (RFC 9309 2.3).

    Read the Docs puts the file of a project's default version there.
    """
    return urlsplit(url).path == "/" or os.environ.get("READTHEDOCS") == "True"


def with_sitemap(text: bytes, url: str) -> bytes:
    """Return the text with a line for `url` at its end; unchanged if the text has such a line.

    If the last line has no newline, it gets one. All other bytes stay. The new line belongs to no
    group of rules (RFC 9309 2.2.4). The case of field names does not matter, the case of URLs does
    (Google, "How Google interprets robots.txt").
    """
    wanted = url.encode()
    content = text.removeprefix(_BOM)
    lines = re.split(rb"\r\n|\r|\n", content)
    matches = map(_LINE.fullmatch, lines)
    if any(match and match[1] == wanted for match in matches):
        return text
    end = b"\r\n" if b"\r\n" in text else b"\n"
    lacks_newline = content and not content.endswith((b"\n", b"\r"))
    return text + (end if lacks_newline else b"") + b"Sitemap: " + wanted + end


Rule = tuple[int, bool, str]  # the length of a path, whether the path is allowed, and the path


class Robots(NamedTuple):
    """What a robots.txt says."""

    groups: Mapping[str, Sequence[Sequence[Rule]]]  # of each crawler, in lower case, or of ``*``
    sitemaps: tuple[tuple[int, str], ...]  # line number and value of each ``Sitemap:``

    def allows(self, crawler: str, url: str) -> bool:
        """Return whether a crawler may fetch a URL."""
        path = _normalized(_ORIGIN.sub("", url).partition("#")[0])
        path = path if path.startswith("/") else f"/{path}"
        groups = self.groups.get(crawler.lower(), self.groups.get("*", ()))
        rules = (rule for group in groups for rule in group)
        fitting = [(length, allow) for length, allow, pattern in rules if _fits(pattern, path)]
        # The longest rule counts; of equally long ones, one that allows: True > False.
        _, is_allowed = max(fitting, default=(0, True))
        return is_allowed or path == "/robots.txt"


def read_robots(data: bytes) -> Robots:
    """Return the groups of a robots.txt; unknown lines are ignored (RFC 9309 2.2)."""
    groups: dict[str, list[list[Rule]]] = {}
    sitemaps: list[tuple[int, str]] = []
    rules: list[Rule] = []
    has_rules = False
    for number, key, value in _lines(data):
        if key == "sitemap":
            sitemaps.append((number, value))
        elif key == "user-agent":
            if has_rules:  # the crawlers that are named before the first rule have the same rules
                rules, has_rules = [], False
            if token := _TOKEN.match(value):
                of_crawler = groups.setdefault(token[0].lower(), [])
                if not of_crawler or of_crawler[-1] is not rules:  # a group may name it twice
                    of_crawler.append(rules)
        elif key in ("allow", "disallow"):
            has_rules = True
            if value:
                path = _normalized(value)
                rules.append((len(path), key == "allow", path))
    return Robots(groups=groups, sitemaps=tuple(sitemaps))


def _lines(data: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield number, field name in lower case and value of each line up to `MAX_ROBOTS` bytes."""
    text = data[:MAX_ROBOTS].removeprefix(_BOM).decode("utf-8", "surrogateescape")
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if match := _FIELD.match(line):
            yield number, match[1].lower(), match[2].strip()


def _normalized(path: str) -> str:
    """Return the spelling of a path in which paths are compared (RFC 9309 2.2.2)."""
    escaped = quote(path.encode("utf-8", "surrogateescape"), safe="/%:?#[]@!$&'()*+,;=~")
    return _ESCAPE.sub(_unescaped, escaped)


def _unescaped(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1], 16))
    return letter if _UNRESERVED.fullmatch(letter) else escape[0].upper()


def _fits(pattern: str, path: str) -> bool:
    """Return whether a path begins with a pattern. In it, ``*`` is any text, and ``$`` the end."""
    is_anchored = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not others:
        return path == first if is_anchored else path.startswith(first)
    if not path.startswith(first):
        return False
    at = len(first)
    end = others.pop() if is_anchored else ""
    for piece in others:
        start = path.find(piece, at)
        if start < 0:
            return False
        at = start + len(piece)
    return path.endswith(end) and len(path) - len(end) >= at
