"""Whether a sitemap can be written for the URL of a site, and whether it is what was meant."""

import os
import re
from contextlib import suppress
from ipaddress import IPv4Address
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.generator.pages.site import Site, UncheckedSite
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem, Result
from mkdocs_sitemap_plus.sitemap.urls import is_this_computer, loc_fault
from mkdocs_sitemap_plus.wording import format_value


def check_url(site: UncheckedSite) -> Result[Site]:
    """Return the site if a sitemap can be written for its URL, and the problems of this URL.

    There is at most one problem. In ``serve``, a URL that can be used has none.
    """
    place = site.option("site_url")
    address = "the full address of the site, such as https://example.com/docs/"
    if site.has_url_key and not site.url:  # as with `!ENV`, in a build that should have none
        found = "has no value, so this build has no sitemap"
        fix = f"If it should have one, set it, or its environment variable, to {address}."
        return None, [Problem(Code.SITE_URL, found, place, fix=fix, level=Level.NOTE)]
    if fault := site_url_fault(site.url):
        found = f"{fault}, so no sitemap is written"
        fix = f"Set it to {address}."
        if not site.url and "READTHEDOCS_CANONICAL_URL" in os.environ:
            fix = "On Read the Docs, write `site_url: !ENV READTHEDOCS_CANONICAL_URL`."
        return None, [Problem(Code.SITE_URL, found, place, fix=fix)]
    checked = Site(**vars(site))
    problem = None if site.serving else _unusual_url(checked.url, place)
    return checked, [problem] if problem else []


def site_url_fault(url: str | None) -> str | None:
    """Return as a clause why no sitemap can be written for the site at `url`; otherwise None.

    The protocol allows absolute http and https URLs (sitemaps.org, ``<loc>``). A user name or a
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
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return f"is {shown}"
    if parts.username is not None or parts.password is not None:
        return "has a user name or a password"
    if "[" in parts.path or "]" in parts.path:  # RFC 3986 3.3 and the schema forbid these
        return f"is {shown}, whose path should be percent-encoded"
    fault = loc_fault(url.partition("#")[0])
    return f"is {shown}, which {fault}" if fault else None


def _unusual_url(url: str, place: Place) -> Problem | None:
    """Return the problem of a site's URL that can be used, but is probably not what was meant."""
    parts, host, shown = urlsplit(url), urlsplit(url).hostname or "", f"is {format_value(url)}"
    folder, _, page = url.rstrip("/").rpartition("/")
    if whose := _no_public_host(host):
        fix = "Before you publish the site, set its public address."
        return Problem(Code.SITE_URL, f"{shown}, {whose}", place, fix=fix, level=Level.NOTE)
    if whose := _not_of_this_site(host, parts.path):
        fix = "Set the address at which readers open the site."
        return Problem(Code.SITE_URL, f"{shown}, {whose}", place, done=_NOWHERE, fix=fix)
    if parts.scheme == "http" and _ONLY_HTTPS.search(host):
        found = f"{shown}, but {host} answers only by https"
        fix = f"Write {format_value(url.replace('http', 'https', 1))}."
        return Problem(Code.SITE_URL, found, place, fix=fix, level=Level.NOTE)
    if re.search(_FILE, page, re.IGNORECASE):
        found = f"is {format_value(f'{folder}/{page}')}, which should be a folder, not a file"
        return Problem(Code.SITE_URL, found, place, done=_NOWHERE)
    if not host.isascii():
        fault = "whose host should be in its ASCII form (xn--...)"
    elif "?" in url or "#" in url:
        fault = "which should have no query and no fragment"
    elif re.search(r"[^!$&'()*+,;=:@/\w.~%-]|%(?![0-9A-Fa-f]{2})", parts.path, re.ASCII):
        fault = "whose path should be percent-encoded"
    else:
        return None
    done = "It is used unchanged."
    return Problem(Code.SITE_URL, f"{shown}, {fault}", place, done=done)


_NOWHERE = "The URLs in the sitemap begin with it, and lead nowhere."
_ONLY_HTTPS = re.compile(
    r"\.(?:github\.io|gitlab\.io|readthedocs\.io|netlify\.app|pages\.dev|vercel\.app)\Z"
)
_FILE = r".\.(html?|xml|gz|md|txt|php|pdf)$"
_REPOSITORIES = re.compile(r"(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)")


def _not_of_this_site(host: str, path: str) -> str | None:
    """Return as a clause that an address is none of a site that is built; None if it may be."""
    if is_this_computer(host):
        return "which only this computer can open"
    if re.fullmatch(r"(?:www\.)?example\.(?:com|net|org)", host):  # RFC 2606, `zensical new`
        return "which is only an example"
    if _REPOSITORIES.fullmatch(host) and path.strip("/"):
        return "which is the page of a repository"
    return None


def _no_public_host(host: str) -> str | None:
    """Return as a clause that a host is no public one; None if it is."""
    is_private = False
    with suppress(ValueError):
        is_private = IPv4Address(host).is_private and not is_this_computer(host)
    if is_private or ("." not in host and ":" not in host and not is_this_computer(host)):
        return "which only a network of your own can open"
    return None
