"""Whether a sitemap can be written for a ``site_url`` at all."""

import re
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.fields import loc_fault
from mkdocs_sitemap_plus.wording import format_value

_EXPECTED = "the site's full address, such as https://example.com/docs/"


def site_url_fault(url: str | None) -> str | None:
    """Return why no sitemap can be written for `url`, as a clause; None if one can.

    The protocol takes absolute http and https URLs (sitemaps.org, ``<loc>``); a user name or
    password in a public file would be a leak.
    """
    if not url:
        return "is not set"
    shown = format_value(url)
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError if the port is not a number
    except ValueError:
        return f"is {shown}"
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return f"is {shown}"
    if parts.username is not None or parts.password is not None:
        return "has a user name or a password"
    if "[" in parts.path or "]" in parts.path:  # RFC 3986 3.3; not schema-valid
        return f"is {shown}, whose path should be percent-encoded"
    invalid = loc_fault(url.partition("#")[0])
    return f"is {shown}, which {invalid}" if invalid else None


def site_url_problem(site: Site) -> Problem | None:
    """Return what is wrong with the site's URL; None if it is in its normal form.

    It is never rewritten, so a `site_url` that is not in its normal form is used unchanged.
    """
    place = Place(origin=Origin.OPTION, file=site.project_file, key="site_url")
    found = site_url_fault(site.url)
    if found:
        return Problem(
            code="site-url",
            place=place,
            found="is empty" if site.url_key and not site.url else found,
            expected=_EXPECTED,
            done="No sitemap is written by this plugin.",
            note=site.url_key and not site.url,
        )
    unusual = _unusual(site.url or "")
    if unusual and not site.serving:
        return Problem(code="site-url", place=place, found=unusual, done="It is used unchanged.")
    return None


def _unusual(url: str) -> str | None:
    """Return how `url` differs from its normal form (RFC 3986 6.2.2, 6.2.3; RFC 5890)."""
    parts, shown = urlsplit(url), format_value(url)
    scheme, host = url.partition("://")[0], parts.hostname or ""
    if not host.isascii():
        return f"is {shown}, whose host should be in its ASCII form (xn--...)"
    authority = host if parts.port in (None, _port(scheme)) else f"{host}:{parts.port}"
    normal = f"{scheme.lower()}://{authority}/"
    written = f"{scheme}://{parts.netloc}/"
    if ":" not in host and written != normal:
        return f"is {shown}, which should begin with {format_value(normal)}"
    if parts.query or parts.fragment or "?" in url or "#" in url:
        return f"is {shown}, which should have no query and no fragment"
    if re.search(r"[^!$&'()*+,;=:@/\w.~%-]|%(?![0-9A-Fa-f]{2})", parts.path, re.ASCII):
        return f"is {shown}, whose path should be percent-encoded"
    return None


def _port(scheme: str) -> int:
    return 443 if scheme.lower() == "https" else 80
