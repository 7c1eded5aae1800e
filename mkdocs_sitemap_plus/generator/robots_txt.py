"""Add a line to ``robots.txt`` (sitemaps.org, "Submitting your Sitemap")."""

import re
from codecs import BOM_UTF8
from urllib.parse import urljoin

from mkdocs_sitemap_plus.files import Unreadable, exists, read_file
from mkdocs_sitemap_plus.generator.output import write_site_file
from mkdocs_sitemap_plus.generator.pages.site import Site
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.urls import is_at_root

_ROBOTS = "robots.txt"
_RULE = re.compile(rb"[ \t]*(user-agent|allow|disallow)[ \t]*:[ \t]*([^\s#]*)", re.IGNORECASE)
_LINE = re.compile(rb"[ \t]*sitemap[ \t]*:[ \t]*([^\s#]\S*)[ \t]*(?:#.*)?", re.IGNORECASE)


def add_to_robots(site: Site, name: str) -> Problem | None:
    """Add a line for the sitemap `name` to the ``robots.txt`` of a built site, or to a new file.

    Returns a problem if the file can't have such a line, or can't be read, or forbids the whole
    site. Raises SitemapError if it can't be written.
    """
    url = site.url
    if not is_at_root(url, site.root):
        return Problem(
            Code.ROBOTS_TXT,
            f"is set, but robots.txt is read only at the root of a host, not under {url}",
            site.option("robots_txt"),
            done="No robots.txt is written.",
            fix=f"Add the line 'Sitemap: {url}{name}' to {urljoin(url, '/robots.txt')}, and remove "
            "this option.",
        )
    file, place = site.site_dir / _ROBOTS, Place(Origin.BUILT_PAGE, _ROBOTS)
    text, found = b"", None
    try:
        text = read_file(file) if exists(file) else b""
    except Unreadable as error:
        found = f"it can't be read ({error.reason})"
    if b"\0" in text or text.startswith((b"\xff\xfe", b"\xfe\xff")):  # RFC 9309 2.2
        found = "it is not UTF-8"
    if found:
        done = "It is not changed, and has no line for the sitemap."
        return Problem(Code.ROBOTS_TXT, found, place, done=done)
    changed = with_sitemap(text, f"{url}{name}")
    if changed != text:
        write_site_file(file, changed)
    if line := _forbids_all(text):
        found = "this line forbids crawlers the whole site, and so all pages of the sitemap"
        return Problem(Code.ROBOTS_TXT, found, place._replace(line=line), fix="Remove it.")
    return None


def _forbids_all(text: bytes) -> int | None:
    """Only the crawlers that have no rules of their own obey the line with this number."""
    agents: list[bytes] = []
    forbids, is_named = None, False
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", text.removeprefix(BOM_UTF8)), start=1):
        if not (match := _RULE.match(line)):
            continue
        key, value = match[1].lower(), match[2]
        if key == b"user-agent":
            agents, is_named = [*agents, value] if is_named else [value], True
            continue
        is_named = False
        if b"*" in agents and key == b"allow":
            return None
        if b"*" in agents and value in (b"/", b"/*"):
            forbids = number
    return forbids


def with_sitemap(text: bytes, url: str) -> bytes:
    """Return the text with a line for `url` at its end; unchanged if the text has such a line.

    If the last line has no newline, it gets one. All other bytes stay. The new line belongs to no
    group of rules (RFC 9309 2.2.4). The case of field names does not matter, the case of URLs does
    (Google, "How Google interprets robots.txt").
    """
    wanted = url.encode()
    content = text.removeprefix(BOM_UTF8)
    lines = re.split(rb"\r\n|\r|\n", content)
    matches = map(_LINE.fullmatch, lines)
    if any(match and match[1] == wanted for match in matches):
        return text
    end = b"\r\n" if b"\r\n" in text else b"\n"
    lacks_newline = content and not content.endswith((b"\n", b"\r"))
    return text + (end if lacks_newline else b"") + b"Sitemap: " + wanted + end
