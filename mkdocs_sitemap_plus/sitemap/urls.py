"""Read and compare URLs, and check their hosts (RFC 3986, RFC 1035 2.3.4, WHATWG URL 3.5)."""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, reduce
from ipaddress import IPv4Address, IPv6Address
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from mkdocs_sitemap_plus.files import exists, text_or_empty
from mkdocs_sitemap_plus.problems import Code, Place, Result, invalid
from mkdocs_sitemap_plus.sitemap.protocol import MAX_LOC_LENGTH

DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = rb"%([0-9A-Fa-f]{2})"
_LABEL = re.compile(r"[A-Za-z0-9_-]{1,63}", re.ASCII)
_MAX_HOST_LENGTH = 253
_MAX_PORT = 65_535
_MAX_WRITTEN_URL = 10 * MAX_LOC_LENGTH  # as it is written: without its ``../`` it is shorter
BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NEVER_IN_URLS = r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff]"  # compiled when it is needed
_HTTP = re.compile(r"https?://(?P<authority>[^/?#]+)", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NOT_HTTP = "is not an http or https URL"
_NOT_IN_LOCS = re.compile(r'["<>\\^`{|}]')
_BRACKETS = re.compile(r"[\[\]]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d++|#x[0-9A-Fa-f]++);")
_USUAL = re.compile(
    r"https?://([a-z0-9.-]+(?::[1-9]\d{0,3})?)/"
    r"(?:[\w.~!$'()*+,;=:@/?-]|%[0-9A-Fa-f]{2}|&(?![a-z#]+;))*",
    re.ASCII,
)
"""A ``loc`` in which only its host and its length can be wrong."""
_KEPT = b"/%?#&=+"  # characters whose escapes stay: ``%2F`` is not the same as ``/`` (RFC 3986 2.2)
_IN_PATHS = "/%:@!$&'()*+,;=~"  # characters that are not escaped; ``%`` begins an escape
_CHARACTERS = r"[\w.~!$&'()*+,;=:@-]*+"
_SEGMENT = rf"(?!\.\.?(?:[/?]|\Z)){_CHARACTERS}(?>(?:%[89A-F][0-9A-F]{_CHARACTERS})*)"
_PLAIN = re.compile(
    r"https?://[a-z0-9.-]*[a-z0-9-](?::(?!(?:80|443)/)[1-9]\d{0,4}+)?"
    rf"(?>(?:/(?!/){_SEGMENT})+)(?:\?[\w.~!$&'()*+,;=:@/?-]++)?",
    re.ASCII,
)
"""URLs that have only one spelling. Most URLs match, and a match is faster than parsing."""

_LANGUAGE_AND_VERSION = re.compile(r"/[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?/[^/]+/", re.ASCII)
_HOSTS_OF_RTD = (".readthedocs.io", ".readthedocs-hosted.com")
_OF_READ_THE_DOCS = (
    ".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yaml", "readthedocs.yml",
)  # fmt: skip

_NEVER_IN_HOSTS = frozenset(" <>\\^|")  # WHATWG forbids more, but `urlsplit` rejects the others


def is_at_root(url: str, folder: Path) -> bool:
    """Return whether the ``robots.txt`` of a site is at the root of its host (RFC 9309 2.3).

    Read the Docs puts the file of a project's default version there. `folder` is that of the
    project, or of the built site in it.
    """
    return urlsplit(url).path == "/" or is_on_read_the_docs(url, folder)


def is_on_read_the_docs(url: str, folder: Path) -> bool:
    """Return whether Read the Docs hosts the site at a URL, wherever it is built.

    Its variable or its host says so, or its configuration in the project together with the path.
    """
    if os.environ.get("READTHEDOCS") == "True" or host_of(url).endswith(_HOSTS_OF_RTD):
        return True
    if not _LANGUAGE_AND_VERSION.fullmatch(urlsplit(url).path):
        return False
    for parent in (folder, *folder.parents):
        if any(exists(parent / name) for name in _OF_READ_THE_DOCS):
            return True
        if os.path.lexists(parent / ".git"):
            break
    return False


def origin(url: SplitResult) -> tuple[str, str, int | None]:
    """Return scheme, host and port, equal for equal origins (RFC 6454 4); or raise a ValueError."""
    scheme, host = url.scheme.lower(), (url.hostname or "").rstrip(".")
    if len(host) <= _MAX_HOST_LENGTH:
        with suppress(UnicodeError):  # what is not the name of a host stays as it is
            host = ascii_host(host)
    return scheme, host, url.port or DEFAULT_PORTS.get(scheme)


def origin_url(url: str) -> str | None:
    """Return the origin of a URL, such as ``https://example.com``; None if it has no host."""
    try:
        scheme, host, port = origin(urlsplit(url))
    except ValueError:
        return None
    return f"{scheme}://{host}{_port_text(scheme, port)}" if scheme and host else None


def host_of(url: str) -> str:
    """Return the host of a URL in lower case; empty if it has none, or can't be read."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_this_computer(host: str) -> bool:
    """Return whether only the computer itself can open what is on a host, as in a preview."""
    is_loopback = host.startswith("127.") and host[-1].isdigit()
    return is_loopback or host in ("0.0.0.0", "::1") or f".{host}".endswith(".localhost")  # noqa: S104 - nothing listens


def before_path(url: str) -> str:
    """Return the scheme and the host of an absolute URL, which end before its third slash."""
    return "/".join(url.split("/", 3)[:3])


def common_start(texts: Collection[str]) -> str:
    """Return what all of these texts begin with: letters, not whole segments."""
    first, last = min(texts, default=""), max(texts, default="")
    both = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return first[: len(list(both))]


def can_be_url(reference: str) -> bool:
    """Return whether a browser can follow a reference: it must be a URL, and not a script."""
    try:
        parts = urlsplit(reference)
        scheme, host, _ = origin(parts)
    except ValueError:
        return False
    if not _NEVER_IN_HOSTS.isdisjoint(host) or scheme == "javascript":
        return False
    # Without a host, browsers take the start of the path as the host: https:/a is https://a/.
    return bool(host or scheme not in DEFAULT_PORTS or parts.path.strip("/"))


def same_page(reference: str, loc: str, base: str | None = None) -> bool:
    """Return whether a reference on the page at `loc` leads to this page itself.

    `base` is the ``<base href>`` of the page.
    """
    if reference == loc:
        return True
    try:
        return comparable(urljoin(urljoin(loc, base or ""), reference)) == comparable(loc)
    except ValueError:
        return False  # it can't be a URL


def joined(url: str, *references: str) -> str | None:
    """Join the references to a URL, one after the other; return None if one can't be a URL."""
    try:
        return reduce(urljoin, references, url)
    except ValueError:
        return None


def base_url(loc: str, base: str | None) -> str:
    """Return the URL to which the references of the page at `loc` are joined.

    `base` is the ``<base href>`` of the page. It is ignored if it can't be a URL.
    """
    return joined(loc, base or "") or loc


def comparable(url: str) -> tuple[tuple[str, str, int | None], bytes, bytes]:
    """Return origin, path and query, equal for all URLs of a page (RFC 3986 6.2.2).

    Raises ValueError if `url` is not a URL.
    """
    parts = urlsplit(url)
    return origin(parts), _unescaped(_without_dots(parts.path or "/")), _unescaped(parts.query)


def url_key(url: str) -> str:
    """Return the same spelling for all URLs of a page. What is not a URL is returned as it is."""
    return url if _PLAIN.fullmatch(url) else _parsed_key(url)


def _parsed_key(url: str) -> str:
    try:
        (scheme, host, port), path, query = comparable(url)
    except ValueError:
        return url
    query_text = f"?{quote(query, _IN_PATHS + '?')}" if query else ""
    return f"{scheme}://{host}{_port_text(scheme, port)}{quote(path, _IN_PATHS)}{query_text}"


def quote_path(path: str) -> str:
    """Return the path of a file as it stands in a URL. A byte that is not UTF-8 is escaped, too."""
    return quote(path, errors="surrogateescape")


def unquote_path(path: str) -> str:
    """Return the path of a file from its path in a URL, the reverse of `quote_path`."""
    return unquote(path, errors="surrogateescape")


def _port_text(scheme: str, port: int | None) -> str:
    return "" if port in (None, DEFAULT_PORTS.get(scheme)) else f":{port}"


def _without_dots(path: str) -> str:
    """Return a path without dot segments (RFC 3986 5.2.4).

    `urljoin` removes them from a relative reference, but not from an absolute URL.
    """
    if "/." not in path or path[:2] == "//":
        return path
    return urlsplit(urljoin("http://host/", path)).path


def _unescaped(text: str) -> bytes:
    return re.sub(_ESCAPE, _unescape, text.encode("utf-8", "surrogatepass"))


def _unescape(escape: re.Match[bytes]) -> bytes:
    byte = bytes.fromhex(escape[1].decode())
    return escape[0].upper() if byte in _KEPT else byte


def within(loc: str, folder: str) -> bool:
    """Return whether `loc` is below `folder`, on the same origin (sitemaps.org, "location")."""
    if loc.startswith(folder) and "/." not in loc:  # ``..`` may lead out of the folder
        return True
    try:
        (loc_origin, path, _), (folder_origin, top, _) = comparable(loc), comparable(folder)
    except ValueError:
        return False
    return loc_origin == folder_origin and path.startswith(top)


def path_below(url: str, folder: str) -> str | None:
    """Return the unescaped path of a URL below the URL of a folder; None if it is elsewhere.

    The URL may be that of the folder itself, with or without its slash.
    """
    if not within(url, folder):
        return "" if same_page(f"{url}/", folder) else None
    top = unquote_path(urlsplit(folder).path)
    return unquote_path(urlsplit(url).path or "/").removeprefix(top)


def without_form(url: str) -> str:
    """Return what ``/a``, ``/a/``, ``/a.html`` and ``/a/index.html`` have in common.

    They are the forms in which builders write the URL of one page.
    """
    return url.removesuffix("/index.html").removesuffix("/").removesuffix(".html")


def can_be_one_file(one: str, other: str) -> bool:
    """Return whether one built file can answer two forms of a URL: ``/a.html`` is never ``/a/``."""
    folders = {url.endswith(("/", "/index.html")) for url in (one, other)}
    files = {url.endswith(".html") and not url.endswith("/index.html") for url in (one, other)}
    return not (True in folders and True in files)


def other_host(folder: Path, url: str) -> str | None:
    """Return the host that the file ``CNAME`` of a built site names, if its URL has another one.

    GitHub Pages publishes the site on that host, and redirects all other addresses to it.
    """
    named, *others = text_or_empty(folder / "CNAME").split() or [""]
    host = host_of(f"https://{named}/")
    is_host = host == named.lower().rstrip(".") and not authority_fault(host)
    if others or not host or not is_host or host == host_of(url):
        return None
    return host


def ascii_host(host: str) -> str:
    """Return the host in ASCII (RFC 5891, lower case by UTS 46), or raise a ValueError."""
    if host.isascii():
        return host
    import idna  # noqa: PLC0415 - 8 ms; few hosts need its tables

    return idna.encode(host, uts46=True).decode("ascii")


@lru_cache(maxsize=1024)  # all pages of a site have the same host
def authority_fault(authority: str) -> str | None:
    """Return why no server can have this host and port, as a clause; None if one can."""
    host, _, port = authority.partition(":")
    if authority.startswith("["):  # an IPv6 address has its colons in brackets
        address, bracket, rest = authority.partition("]")
        name, _, port = rest.partition(":")
        host = f"{address}{bracket}{name}"
    digits = port.lstrip("0")[:6] or "0"  # six digits are too many; `int` rejects thousands
    if port and not (port.isascii() and port.isdecimal() and int(digits) <= _MAX_PORT):
        return "has a port that can't exist"
    return None if _can_exist(host) else "has a host that can't exist"


def _can_exist(host: str) -> bool:
    try:
        if host.startswith("["):
            return host.endswith("]") and bool(IPv6Address(host[1:-1]))
        host = ascii_host(host).removesuffix(".")
        labels = host.split(".")
        if labels[-1].isdecimal():
            return bool(IPv4Address(host))
    except ValueError:
        return False
    return len(host) <= _MAX_HOST_LENGTH and all(map(_LABEL.fullmatch, labels))


class UrlFault(NamedTuple):
    """Why a URL is not allowed in a ``loc``."""

    code: str  # of `check`
    clause: str
    is_usable: bool = False  # whether it can be used all the same, as somebody else wrote it


def loc_faults(loc: str) -> Iterable[UrlFault]:
    """Return why a URL is not allowed in a ``loc``.

    It must be absolute and ASCII, with less than 2,048 characters (sitemaps.org), valid escapes
    (RFC 3986 2.1), http or https, and a host that can exist. It must not have a fragment (RFC 3986
    3.5), nor a character that must be escaped.
    """
    usual = _USUAL.fullmatch(loc)
    if usual and len(loc) <= MAX_LOC_LENGTH and not authority_fault(usual[1]):
        return ()
    return _loc_faults(loc)


def _loc_faults(loc: str) -> Iterator[UrlFault]:
    http = _HTTP.match(loc)
    if len(loc) > MAX_LOC_LENGTH:
        most = f"where the protocol allows {MAX_LOC_LENGTH}"
        yield UrlFault("loc-invalid", f"has {len(loc)} characters, {most}")
    path = 0  # where letters are judged from: a host that can't exist has its fault already
    if http is None:
        is_other = _SCHEME.match(loc)
        yield UrlFault("loc-invalid" if is_other else "loc-relative", _NOT_HTTP)
        if is_other:  # whatever it is, a slash or an escape would not make it a page
            return
    else:
        for fault in _faults_before_path(http["authority"]):
            yield fault
            path = path if fault.is_usable else http.end()
    if BAD_ESCAPE.search(loc, path):
        found = "has a % that is not followed by two hexadecimal digits"
        yield UrlFault("loc-invalid", found)
    never = re.compile(_NEVER_IN_URLS).search(loc, path)
    brackets_from = http.end() if http else 0
    if odd := never or _NOT_IN_LOCS.search(loc, path) or _BRACKETS.search(loc, brackets_from):
        found = f"has the character {odd[0]!r}, which is not allowed in a URL"
        yield UrlFault("loc-invalid", found, is_usable=not never)
    if entity := _ENTITY.search(loc, path):
        found = f"has {entity[0]!r} in its URL, so it was escaped twice"
        yield UrlFault("loc-invalid", found, is_usable="#" not in loc)
    if "#" in _ENTITY.sub("", loc):
        yield UrlFault("loc-fragment", "has a fragment")
    if not loc.isascii():
        first = next(letter for letter in loc if not letter.isascii())
        found = f"has the character {first!r}, but must be ASCII"
        yield UrlFault("loc-not-ascii", found, is_usable=True)


def _faults_before_path(authority: str) -> Iterator[UrlFault]:
    if host_fault := authority_fault(authority.rpartition("@")[2]):
        yield UrlFault("loc-invalid", host_fault)
    elif "@" in authority:
        yield UrlFault("loc-invalid", "has a user name", is_usable=True)
    elif authority.endswith((":", ":0")):
        clause = "has a colon after its host, but no port"
        yield UrlFault("loc-invalid", clause, is_usable=True)


def loc_fault(loc: str) -> str | None:
    """Return the first fault for which a URL can't be used, as a clause; None if it can."""
    return next((fault.clause for fault in loc_faults(loc) if not fault.is_usable), None)


def folder_fault(url: str) -> str | None:
    """Return why a URL can't be that of a site's folder, as a clause; None if it can."""
    return loc_fault(url) or ("has a query" if "?" in url else None)


def read_url(raw: object, place: Place, base: str) -> Result[str]:
    """Return the absolute URL of what a person wrote, as `absolute_url` does."""
    url, fault = absolute_url(raw, base)
    if url is None:
        return None, [invalid(Code.URL, place, raw, None if fault else "a URL", fault=fault)]
    return url, []


def absolute_url(raw: object, base: str) -> tuple[str | None, str | None]:
    """Return the absolute URL of what somebody wrote; otherwise its fault, None if it is no URL.

    A relative URL is joined to `base`. Characters that are not allowed in URLs are escaped. The
    scheme and the host become lower case. A default port and the fragment are removed (RFC 3986
    2.1, 3.5, 6.2.2, 6.2.3).
    """
    if not isinstance(raw, str) or not raw.strip() or len(raw) > _MAX_WRITTEN_URL:
        return None, None
    try:
        parts = urlsplit(urljoin(base, raw.strip()))
        host, port = ascii_host(parts.hostname or ""), parts.port
        path, query = quote(parts.path, _IN_PATHS), quote(parts.query, _IN_PATHS + "?")
    except ValueError:  # raised also for a host that can't exist, and for a surrogate
        return None, None
    host = f"[{host}]" if ":" in host else host
    authority = host + _port_text(parts.scheme, port)
    url = f"{parts.scheme}://{authority}{path or '/'}{'?' if query else ''}{query}"
    if "@" in parts.netloc:
        return None, "has a user name"
    return next(((None, fault.clause) for fault in loc_faults(url)), (url, None))
