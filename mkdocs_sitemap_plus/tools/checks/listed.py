"""What a check keeps of each entry, for the rules that hold between entries."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import quote

from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.sitemap.urls import comparable

_PLAIN = re.compile(r"https?://[a-z0-9.-]+/(?:[\w.~!$&'()*+,;=:@-]++/)*+[\w~-]*", re.ASCII)
"""URLs that are equal only if they are the same text: most of them, and without much work."""

_KEPT = "/%:@!$&'()*+,;=~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry of a sitemap or an index.

    Attributes:
        loc: its URL, as it is written, without white space around it.
        place: where it stands.
        lastmod: its date; None if there is none that can be read.
        alternates: the language versions and x-default, as `same` gives their URLs.
        languages: those of them that are not x-default alone.
    """

    loc: str
    place: Place
    lastmod: date | datetime | None
    alternates: frozenset[str]
    languages: frozenset[str]


def same(url: str) -> str:
    """The spelling that all URLs of the same page have in common (RFC 3986 6.2.2)."""
    if _PLAIN.fullmatch(url):
        return url
    try:
        (scheme, host, port), path, query = comparable(url)
    except ValueError:
        return url
    own_port = "" if port in (None, 80 if scheme == "http" else 443) else f":{port}"
    own_query = f"?{quote(query, _KEPT + '?')}" if query else ""
    return f"{scheme}://{host}{own_port}{quote(path, _KEPT)}{own_query}"
