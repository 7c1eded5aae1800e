"""Read ``robots.txt`` as RFC 9309 says, and Google documents.

Python's `urllib.robotparser` has no wildcards, and takes the first rule, not the longest. The
package protego takes the group of ``Google`` for Googlebot, but not that of ``Googlebot/2.1``; it
knows no lines and no byte order mark, and compares a path with each rule that has a wildcard.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

MAX_ROBOTS = 512_000  # bytes that each crawler must read (RFC 9309 2.5); most crawlers stop there
BOM = b"\xef\xbb\xbf"
_FIELD = re.compile(r"[ \t]*([A-Za-z-]+)[ \t]*:([^#]*)")
_ORIGIN = re.compile(r"\A[^:/?#]+://[^/?#]*")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_STARS = re.compile(r"\*+")
_KEY_SIZE = 6  # characters of a rule by which it is found


def is_at_root(url: str) -> bool:
    """Return whether the ``robots.txt`` of a site is at the root of its host (RFC 9309 2.3).

    Read the Docs puts the file of a project's default version there.
    """
    return urlsplit(url).path == "/" or os.environ.get("READTHEDOCS") == "True"


Rule = tuple[int, bool, str]  # the length of a path, whether the path is allowed, and the path
_Verdict = tuple[int, bool]  # the first two


@dataclass(frozen=True, slots=True)
class Robots:
    """What a robots.txt says."""

    groups: Mapping[str, Sequence[Sequence[Rule]]]  # of each crawler, in lower case, or of ``*``
    sitemaps: tuple[tuple[int, str], ...]  # line number and value of each ``Sitemap:``
    _rules: dict[str, "_Rules"] = field(default_factory=dict, init=False)  # of `groups`, if asked

    def allows(self, crawler: str, url: str) -> bool:
        """Return whether a crawler may fetch a URL."""
        path = _normalized(_ORIGIN.sub("", url).partition("#")[0])
        path = path if path.startswith("/") else f"/{path}"
        name = crawler.lower() if crawler.lower() in self.groups else "*"
        rules = self._rules.get(name)
        if rules is None:
            groups = self.groups.get(name, ())
            rules = self._rules[name] = _Rules(rule for group in groups for rule in group)
        return rules.allow(path) or path == "/robots.txt"


class _Rules:
    """The rules of one crawler.

    A site may have thousands of rules and of pages. So the rules that a path can fit are looked up
    by a text in them: a rule without ``*`` by the whole of it, and any other by a few characters
    that are in few rules, and that a path must have somewhere.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.whole: dict[str, _Verdict] = {}  # paths that end with ``$``, without it
        self.starts: dict[str, _Verdict] = {}  # how paths begin
        wild: dict[str, _Verdict] = {}  # patterns with ``*``
        for length, allow, pattern in rules:
            if "*" in pattern:
                kind, text = wild, _STARS.sub("*", pattern)
            else:
                kind = self.whole if pattern.endswith("$") else self.starts
                text = pattern.removesuffix("$")
            # The longest rule counts; of equally long ones, one that allows: True > False.
            kind[text] = max(kind.get(text, (0, False)), (length, allow))
        self.lengths = sorted({len(start) for start in self.starts})
        self.wild = _by_key(wild)
        self.key_sizes = {len(key) for key in self.wild}

    def allow(self, path: str) -> bool:
        """Return whether the rules allow a path."""
        best = self.whole.get(path, (0, True))
        for length in self.lengths:
            if length > len(path):
                break
            best = max(best, self.starts.get(path[:length], best))
        for size in self.key_sizes:
            for key in {path[at : at + size] for at in range(len(path) - size + 1)}:
                for rule, pattern in self.wild.get(key, ()):
                    if rule > best and _fits(pattern, path):
                        best = rule
        return best[1]


def _by_key(
    patterns: Mapping[str, _Verdict],
) -> dict[str, list[tuple[_Verdict, str]]]:
    """Return patterns with ``*`` by a text that each path has that fits them."""
    pieces = {pattern: max(pattern.removesuffix("$").split("*"), key=len) for pattern in patterns}
    counts = Counter(key for piece in pieces.values() for key in _keys(piece))
    found = defaultdict(list)
    for pattern, rule in patterns.items():
        rarest = min(_keys(pieces[pattern]), key=counts.__getitem__)
        found[rarest].append((rule, pattern))
    return found


def _keys(piece: str) -> list[str]:
    return [piece[at : at + _KEY_SIZE] for at in range(max(len(piece) - _KEY_SIZE, 0) + 1)]


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
