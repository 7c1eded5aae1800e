"""Write and read lines of ``robots.txt`` (sitemaps.org, "Submitting your Sitemap")."""

import os
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.files import Unreadable, exists, read_file
from mkdocs_sitemap_plus.output import write_file
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.problems import Origin, Place, Problem

_ROBOTS = "robots.txt"

MAX_BYTES = 512_000
"""The size that every crawler must read (RFC 9309 2.5); most crawlers read no more."""

_LINE = re.compile(rb"[ \t]*sitemap[ \t]*:[ \t]*([^\s#]\S*)[ \t]*(?:#.*)?", re.IGNORECASE)
_FIELD = re.compile(r"[ \t]*([A-Za-z-]+)[ \t]*:([^#]*)")
_BOM = b"\xef\xbb\xbf"


def add_to_robots(site: Site, name: str) -> Problem | None:
    """Add the line for the sitemap `name` to the ``robots.txt`` of a built site, or to a new file.

    A problem is returned if no line can be added; the file is then not changed. Raises SitemapError
    if the file can't be written.
    """
    url = site.url or ""
    if not is_at_root(url):
        return Problem(
            code="robots-txt",
            place=Place(origin=Origin.OPTION, file=site.project_file, key="robots_txt"),
            found=f"is set, but robots.txt is read only at the root of a host, not under {url}",
            done="No robots.txt is written.",
            fix=f"Add the line 'Sitemap: {url}{name}' to {urljoin(url, '/robots.txt')}.",
        )
    file = site.site_dir / _ROBOTS
    text, found = b"", None
    try:
        text = read_file(file) if exists(file) else b""
    except Unreadable as error:
        found = f"it can't be read ({error.reason})"
    if b"\0" in text or text.startswith((b"\xff\xfe", b"\xfe\xff")):  # RFC 9309 2.2
        found = "is not UTF-8"
    if found:
        place = Place(origin=Origin.BUILT_PAGE, file=_ROBOTS)
        done = "It stays as it is, without a line for the sitemap."
        return Problem(code="robots-txt", place=place, found=found, done=done)
    changed = with_sitemap(text, f"{url}{name}")
    if changed != text:
        write_file(file, changed)
    return None


def is_at_root(url: str) -> bool:
    """Return whether the ``robots.txt`` of the site at `url` is that of its host (RFC 9309 2.3).

    Read the Docs serves the file of a project's default version at the root of the host.
    """
    return urlsplit(url).path == "/" or os.environ.get("READTHEDOCS") == "True"


def with_sitemap(text: bytes, url: str) -> bytes:
    """Return the text with a line for `url` at its end; unchanged if it has such a line.

    If the last line has no newline, it gets one. All other bytes stay. The new line belongs to no
    group of rules (RFC 9309 2.2.4). The case of field names does not matter, the case of URLs does
    (Google, "How Google interprets robots.txt").
    """
    wanted = url.encode()
    content = text.removeprefix(_BOM)
    lines = re.split(rb"\r\n|\r|\n", content)
    if any(match[1] == wanted for match in map(_LINE.fullmatch, lines) if match):
        return text
    end = b"\r\n" if b"\r\n" in text else b"\n"
    is_open = content and not content.endswith((b"\n", b"\r"))
    return text + (end if is_open else b"") + b"Sitemap: " + wanted + end


def robots_lines(data: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield number, field name in lower case and value of each line in the first `MAX_BYTES`."""
    text = data[:MAX_BYTES].removeprefix(_BOM).decode("utf-8", "surrogateescape")
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if match := _FIELD.match(line):
            yield number, match[1].lower(), match[2].strip()
