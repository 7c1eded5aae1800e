"""Read and compare URLs, and check their hosts (RFC 3986, RFC 1035 2.3.4, WHATWG URL 3.5)."""

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from pathlib import Path
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.problems import Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH

DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_LABEL = re.compile(r"[A-Za-z0-9_-]{1,63}", re.ASCII)
_MAX_HOST_LENGTH = 253
_MAX_PORT = 65_535
_MAX_WRITTEN_URL = 10 * MAX_LOC_LENGTH
"""Characters of a URL as it is written; what can get shorter, such as ``../``, is in there."""
BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NEVER_IN_URLS = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HTTP = re.compile(r"https?://(?P<authority>[^/?#]+)", re.IGNORECASE)
_KEPT = b"/%?#&=+"
"""Characters whose escape means something else than they do (RFC 3986 2.2)."""
_IN_PATHS = "/%:@!$&'()*+,;=~"
"""Characters that mean themselves in paths and queries, and "%", which begins an escape."""
_PLAIN = re.compile(r"https?://[a-z0-9.-]+/(?:[\w.~!$&'()*+,;=:@-]++/)*+[\w~-]*", re.ASCII)
"""URLs that are equal only if they are the same text: most of them, and found quickly."""

_NEVER_IN_HOSTS = frozenset(" <>\\^|")
"""WHATWG, URL Standard, "forbidden host code point"; `urlsplit` refuses or splits at the others."""


def origin(url: SplitResult) -> tuple[str, str, int | None]:
    """Return scheme, host and port, which are equal for equal origins (RFC 6454 4).

    Raises:
        ValueError: the port is not a number.
    """
    scheme, host = url.scheme.lower(), (url.hostname or "").rstrip(".")
    with suppress(UnicodeError):  # not a host name at all: it equals only itself
        host = host.encode("idna").decode() if len(host) <= _MAX_HOST_LENGTH else host
    return scheme, host, url.port or DEFAULT_PORTS.get(scheme)


def origin_of(url: str) -> str | None:
    """Return scheme, host and port, such as ``https://example.com``; None without a host."""
    try:
        scheme, host, port = origin(urlsplit(url))
    except ValueError:
        return None
    shown = "" if port == DEFAULT_PORTS.get(scheme) else f":{port}"
    return f"{scheme}://{host}{shown}" if scheme and host else None


def can_be_url(reference: str) -> bool:
    """Return whether browsers follow a reference: it can be a URL, and is not a script."""
    try:
        parts = urlsplit(reference)
        scheme, host, _ = origin(parts)
    except ValueError:
        return False
    if not _NEVER_IN_HOSTS.isdisjoint(host) or scheme == "javascript":
        return False
    return bool(host or scheme not in DEFAULT_PORTS or parts.path.strip("/"))


def same_page(reference: str, loc: str, base: str | None = None) -> bool:
    """Return whether `reference`, found on the page `loc`, is the URL of that page.

    Args:
        reference: absolute or relative, as written.
        loc: absolute.
        base: the ``<base href>`` of the page, if it has one.
    """
    if reference == loc:
        return True
    try:
        return comparable(urljoin(urljoin(loc, base or ""), reference)) == comparable(loc)
    except ValueError:
        return False  # it can't be a URL


def joined(loc: str, base: str | None) -> str:
    """Return the URL from which relative references of a page with this ``<base href>`` start."""
    try:
        return urljoin(loc, base or "")
    except ValueError:  # a base that can't be a URL is ignored
        return loc


def comparable(url: str) -> tuple[tuple[str, str, int | None], bytes, bytes]:
    """Return origin, path and query, which are equal for URLs of the same page (RFC 3986 6.2.2).

    The fragment does not count.

    Raises:
        ValueError: `url` is not a URL.
    """
    parts = urlsplit(url)
    return origin(parts), _unescaped(_without_dots(parts.path or "/")), _unescaped(parts.query)


def url_key(url: str) -> str:
    """Return a spelling of `url` that all URLs of the same page have in common."""
    if _PLAIN.fullmatch(url):
        return url
    try:
        (scheme, host, port), path, query = comparable(url)
    except ValueError:
        return url
    own_port = "" if port in (None, DEFAULT_PORTS.get(scheme)) else f":{port}"
    own_query = f"?{quote(query, _IN_PATHS + '?')}" if query else ""
    return f"{scheme}://{host}{own_port}{quote(path, _IN_PATHS)}{own_query}"


def _without_dots(path: str) -> str:
    """Remove dot segments (RFC 3986 5.2.4); `urljoin` does not, for absolute references."""
    if "/." not in path or path[:2] == "//":
        return path
    return urlsplit(urljoin("http://host/", path)).path


def _unescaped(text: str) -> bytes:
    return _ESCAPE.sub(_plain, text.encode("utf-8", "surrogatepass"))


def _plain(escape: re.Match[bytes]) -> bytes:
    byte = bytes.fromhex(escape[1].decode())
    return escape[0].upper() if byte in _KEPT else byte


def served_file(folder: Path, path: str) -> Path | None:
    """Return the file that a web server sends for a URL, or None.

    Args:
        folder: the folder of the site.
        path: the path of the URL below that of the site, unescaped.
    """
    if ".." in path.split("/") or "\\" in path or "\0" in path:
        return None
    path = path.lstrip("/")
    is_folder = path.endswith("/") or not path
    names = [f"{path}index.html"] if is_folder else [path, f"{path}.html", f"{path}/index.html"]
    return next((folder / name for name in names if is_file(folder / name)), None)


def within(loc: str, folder: str) -> bool:
    """Return whether `loc` is below `folder`, on the same origin (sitemaps.org, "location")."""
    if loc.startswith(folder):
        return True
    try:
        (ours, path, _), (theirs, top, _) = comparable(loc), comparable(folder)
    except ValueError:
        return False
    return ours == theirs and path.startswith(top)


def ascii_host(host: str) -> str:
    """Return the host in ASCII (RFC 5891; letters are made small and composed by UTS 46).

    Raises:
        ValueError: no host has such a name.
    """
    if host.isascii():
        return host
    import idna  # noqa: PLC0415 - few hosts need its tables

    return idna.encode(host, uts46=True).decode("ascii")


@lru_cache(maxsize=1024)  # all pages of a site have one
def authority_fault(authority: str) -> str | None:
    """Return why no server can have this host and port, as a clause; None if one can.

    Args:
        authority: what stands between ``//`` and the next ``/``, without a user name.
    """
    host, port = _parted(authority)
    if port and not (port.isascii() and port.isdecimal() and int(port[:6]) <= _MAX_PORT):
        return "has a port that can't exist"
    return None if _can_exist(host) else "has a host that can't exist"


def _parted(authority: str) -> tuple[str, str]:
    """Return host and port; an IPv6 address has its colons in brackets."""
    if authority.startswith("["):
        host, bracket, rest = authority.partition("]")
        return f"{host}{bracket}", rest.removeprefix(":") if rest[:1] in ("", ":") else "?"
    host, _, port = authority.partition(":")
    return host, port


def _can_exist(host: str) -> bool:
    try:
        if host.startswith("["):
            return host.endswith("]") and bool(IPv6Address(host[1:-1]))
        host = ascii_host(host).removesuffix(".")
        labels = host.split(".")
        if labels[-1].isdecimal():
            return bool(IPv4Address(host))
    except (AddressValueError, ValueError):
        return False
    return len(host) <= _MAX_HOST_LENGTH and all(map(_LABEL.fullmatch, labels))


def loc_fault(loc: str) -> str | None:
    """Return what keeps an absolute URL out of a ``loc``, as a clause; None if nothing does.

    Less than 2,048 characters (sitemaps.org); valid percent escapes and no fragment (RFC 3986 2.1,
    3.5: a fragment never reaches the server); http or https; a host that can exist.
    """
    if len(loc) > MAX_LOC_LENGTH:
        return f"has {len(loc)} characters, where the protocol allows {MAX_LOC_LENGTH}"
    if BAD_ESCAPE.search(loc):
        return "has a % that begins no escape"
    if "#" in loc:
        return "has a fragment"
    if _NEVER_IN_URLS.search(loc):
        return "has a character that a URL can't have"
    http = _HTTP.match(loc)
    if http is None:
        return "is not an http or https URL"
    return authority_fault(http["authority"].rpartition("@")[2])


def read_url(raw: object, place: Place, base: str) -> str | Problem:
    """Read a URL that a person wrote; a relative one starts from `base`.

    Characters that a URL can't have are escaped, as are those that are not ASCII; scheme and host
    get small letters; a default port and a fragment go (RFC 3986 2.1, 3.5, 6.2.2, 6.2.3).
    """
    if not isinstance(raw, str) or not raw.strip() or len(raw) > _MAX_WRITTEN_URL:
        return invalid("url", place, raw, "a URL")
    try:
        parts = urlsplit(urljoin(base, raw.strip()))
        host, port = ascii_host(parts.hostname or ""), parts.port
        path, query = quote(parts.path, _IN_PATHS), quote(parts.query, _IN_PATHS + "?")
    except ValueError:  # also of a host that can't exist, and of a surrogate
        return invalid("url", place, raw, "a URL")
    host = f"[{host}]" if ":" in host else host
    own_port = "" if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f":{port}"
    url = f"{parts.scheme}://{host}{own_port}{path or '/'}{'?' if query else ''}{query}"
    fault = loc_fault(url) or ("has a user name" if "@" in parts.netloc else None)
    return faulty("url", place, raw, fault) if fault else url
