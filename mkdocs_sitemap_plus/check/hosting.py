"""Read what Netlify and Cloudflare Pages are told in the files ``_redirects`` and ``_headers``."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.check import CheckCode
from mkdocs_sitemap_plus.files import Unreadable, read_start
from mkdocs_sitemap_plus.sitemap.urls import unquote_path
from mkdocs_sitemap_plus.web.says import CRAWLERS, HEADER, RobotsRules
from mkdocs_sitemap_plus.wording import format_value

_MAX_BYTES = 1 << 20  # of each file; Cloudflare reads at most 2,100 lines of 1,000 characters
_REDIRECT = re.compile(r"30[12378](!?)")
_PLACEHOLDER = re.compile(r"\*|(?<=/):[A-Za-z]\w*(?![^/])")


class HostRules(NamedTuple):
    """The rules of a site for its host, each with its line, counted from 1."""

    redirects: tuple[tuple[int, re.Pattern[str], str, bool], ...]  # where to; whether over a file
    noindex: tuple[tuple[int, re.Pattern[str], str], ...]  # the value of ``X-Robots-Tag``

    def conflict(self, path: str, *, has_file: bool) -> tuple[CheckCode, str] | None:
        """Return a code and a clause if the host will not show the page at a path as it is.

        A file of the site goes before a redirect, unless its status is forced by a ``!``.
        """
        for line, pattern, target, forced in self.redirects:
            if (forced or not has_file) and pattern.fullmatch(path):
                clause = f"line {line} of _redirects sends it to {format_value(target)}"
                return CheckCode.REDIRECT, clause
        for line, pattern, value in self.noindex:
            if has_file and pattern.fullmatch(path):
                clause = f"line {line} of _headers gives it X-Robots-Tag {format_value(value)}"
                return CheckCode.NOINDEX, clause
        return None


def read_host_rules(folder: Path) -> HostRules:
    """Return the rules in the built site at `folder`; none if it has no such files."""
    return HostRules(tuple(_redirects(folder / "_redirects")), tuple(_noindex(folder / "_headers")))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = read_start(path, _MAX_BYTES).decode("utf-8", "replace")
    except Unreadable:
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _pattern(path: str) -> re.Pattern[str] | None:
    """Return what the path of a rule matches: ``*`` any text, ``/:name`` a whole segment.

    None if it is no path, or has a second ``*``, which neither host allows.
    """
    if path.startswith(("http://", "https://")):  # of one host name
        path = "/" + path.split("/", 3)[3] if path.count("/") > 2 else "/"
    path = unquote_path(path)
    if not path.startswith("/") or path.count("*") > 1:
        return None
    parts, names = _PLACEHOLDER.split(path), _PLACEHOLDER.findall(path)
    regex = re.escape(parts[0])
    for name, text in zip(names, parts[1:], strict=True):
        regex += (".*" if name.endswith("*") else "[^/]+") + re.escape(text)
    return re.compile(regex.removesuffix("/") + "/?", re.DOTALL)


def _redirects(path: Path) -> Iterator[tuple[int, re.Pattern[str], str, bool]]:
    for number, line in _lines(path):
        source, *rest = line.split("#")[0].split()
        # Between source and target stand conditions on the query; after the target, the status.
        targets = [word for word in rest if "/" in word]
        statuses = [word for word in rest if word.rstrip("!").isdecimal()]
        match = _REDIRECT.fullmatch(statuses[0] if statuses else "301")
        pattern = _pattern(source)
        if targets and match and pattern and "=" not in rest[0]:
            yield number, pattern, targets[0], bool(match[1])


def _noindex(path: Path) -> Iterator[tuple[int, re.Pattern[str], str]]:
    pattern: re.Pattern[str] | None = None
    now = datetime.now(UTC)
    for number, line in _lines(path):
        if not line[0].isspace():
            pattern = _pattern(line.strip())
            continue
        name, _, value = line.strip().partition(":")
        rules = RobotsRules("robots", value, HEADER)
        if pattern and name.strip().lower() == "x-robots-tag" and rules.forbid_index(CRAWLERS, now):
            yield number, pattern, value.strip()
