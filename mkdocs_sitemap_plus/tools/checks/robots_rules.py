"""Read robots.txt, and find what it disallows (RFC 9309).

Python's `urllib.robotparser` has no wildcards, and takes the first rule, not the longest. The
package protego can take more than linear time for a rule with many wildcards.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from mkdocs_sitemap_plus.output.robots import robots_lines

_ORIGIN = re.compile(r"\A[^:/?#]+://[^/?#]*")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


class Rule(NamedTuple):
    """A line ``Allow`` or ``Disallow`` of a robots.txt."""

    allow: bool
    pattern: str  # its path, as `_normalized` writes it


class Robots(NamedTuple):
    """A robots.txt. A group that names several crawlers is there for each of them."""

    groups: Mapping[str, Sequence[Sequence[Rule]]]  # by crawler in lower case, or ``*``
    sitemaps: tuple[tuple[int, str], ...]  # line number and value of each ``Sitemap:``

    def allows(self, crawler: str, url: str) -> bool:
        """Return whether a crawler may fetch a URL; the longest rule that fits the URL counts."""
        path = _normalized(_ORIGIN.sub("", url).partition("#")[0])
        path = path if path.startswith("/") else f"/{path}"
        groups = self.groups.get(crawler.lower(), self.groups.get("*", ()))
        fitting = [rule for group in groups for rule in group if _fits(rule.pattern, path)]
        best = max(fitting, key=lambda rule: (len(rule.pattern), rule.allow), default=None)
        return path == "/robots.txt" or best is None or best.allow


def read_robots(data: bytes) -> Robots:
    """Return the groups of a robots.txt; unknown lines are ignored (RFC 9309 2.2)."""
    groups: dict[str, list[list[Rule]]] = {}
    sitemaps: list[tuple[int, str]] = []
    rules: list[Rule] = []
    has_rules = False
    for number, key, value in robots_lines(data):
        if key == "sitemap":
            sitemaps.append((number, value))
        elif key == "user-agent":
            rules = [] if has_rules else rules  # several names may have the same rules
            has_rules = False
            if token := _TOKEN.match(value):
                own = groups.setdefault(token[0].lower(), [])
                if not own or own[-1] is not rules:
                    own.append(rules)
        elif key in ("allow", "disallow"):
            has_rules = True
            if value:
                rules.append(Rule(allow=key == "allow", pattern=_normalized(value)))
    return Robots(groups=groups, sitemaps=tuple(sitemaps))


def _normalized(path: str) -> str:
    """Return a path in the only spelling that is compared (RFC 9309 2.2.2)."""
    escaped = quote(path.encode("utf-8", "surrogateescape"), safe="/%:?#[]@!$&'()*+,;=~")
    return _ESCAPE.sub(_unescaped, escaped)


def _unescaped(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1], 16))
    return letter if _UNRESERVED.fullmatch(letter) else escape[0].upper()


def _fits(pattern: str, path: str) -> bool:
    """Return whether a path begins with a pattern; ``*`` is any text, and ``$`` the end."""
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for piece in others[:-1]:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    is_exact = pattern.endswith("$")
    if not others:
        return not is_exact or at == len(path)
    if is_exact:
        return path.endswith(others[-1]) and len(path) - len(others[-1]) >= at
    return path.find(others[-1], at) >= 0
