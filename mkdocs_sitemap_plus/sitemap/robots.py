"""Read ``robots.txt`` as RFC 9309 says.

Python's `urllib.robotparser` has no wildcards, and takes the first rule, not the longest. The
package protego can be slow: for a rule with many wildcards, it takes more than linear time.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

MAX_ROBOTS = 512_000  # bytes that each crawler must read (RFC 9309 2.5); most crawlers stop there
BOM = b"\xef\xbb\xbf"
_FIELD = re.compile(r"[ \t]*([A-Za-z-]+)[ \t]*:([^#]*)")
_ORIGIN = re.compile(r"\A[^:/?#]+://[^/?#]*")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def is_at_root(url: str) -> bool:
    """Return whether the ``robots.txt`` of a site is at the root of its host (RFC 9309 2.3).

    Read the Docs puts the file of a project's default version there.
    """
    return urlsplit(url).path == "/" or os.environ.get("READTHEDOCS") == "True"


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


def crawl_delay(data: bytes, crawler: str) -> float:
    """Return the seconds that a robots.txt wants between two requests of a crawler, or 0.

    ``Crawl-delay`` is not in RFC 9309, but Bing and Yandex obey it.
    """
    delays: dict[str, float] = {}
    names: list[str] = []
    has_rules = False
    for _, key, value in _lines(data):
        if key == "user-agent":
            names, has_rules = ([], False) if has_rules else (names, False)
            if token := _TOKEN.match(value):
                names.append(token[0].lower())
                delays.setdefault(names[-1], 0.0)
        elif key in ("allow", "disallow", "crawl-delay"):
            has_rules = True
            if key == "crawl-delay" and _SECONDS.fullmatch(value):
                delays |= {name: max(float(value), delays[name]) for name in names}
    return delays.get(crawler.lower(), delays.get("*", 0.0))


def _lines(data: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield number, field name in lower case and value of each line up to `MAX_ROBOTS` bytes."""
    text = data[:MAX_ROBOTS].removeprefix(BOM).decode("utf-8", "surrogateescape")
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
