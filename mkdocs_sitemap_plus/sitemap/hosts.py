"""Whether a URL has a host that can exist (RFC 3986 3.2.2, RFC 1035 2.3.4, WHATWG URL 3.5)."""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address

import idna

_LABEL = re.compile(r"[A-Za-z0-9_-]{1,63}", re.ASCII)
_MAX_HOST = 253
_MAX_PORT = 65_535


def ascii_host(host: str) -> str:
    """Return the host in ASCII (RFC 5891; letters are made small and composed by UTS 46).

    Raises:
        ValueError: no host has such a name.
    """
    return host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")


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
    """Return host and port; the colons in the brackets of an IPv6 address are none of a port."""
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
    return len(host) <= _MAX_HOST and all(map(_LABEL.fullmatch, labels))
