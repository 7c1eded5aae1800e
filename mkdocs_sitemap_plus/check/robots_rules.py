"""Check robots.txt: the one of a built site, and the one of the host that a sitemap came from."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.files import Unreadable, read_start
from mkdocs_sitemap_plus.problems import Origin, Place, SitemapError
from mkdocs_sitemap_plus.sitemap.client import MAX_ROBOTS, Client, Robots, read_robots
from mkdocs_sitemap_plus.sitemap.urls import is_at_root, origin_url, quote_path, within
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import format_value

CRAWLERS = ("Googlebot", "Bingbot")  # crawlers that must be allowed in robots.txt


def check_built_robots(
    folder: Path, url: str, listed: Sequence[Listed], findings: Findings
) -> None:
    """Check the robots.txt in a built site, whose folder has this URL."""
    path = folder / "robots.txt"
    try:
        robots = read_robots(read_start(path, MAX_ROBOTS))
    except Unreadable:
        return
    place = Place(origin=Origin.BUILT_PAGE, file=path.as_posix())
    if not is_at_root(url):
        reason = f"is at {url}robots.txt, but must be at the root of the host"
        findings.add(CheckCode.ROBOTS_PLACE, place, reason)
        return
    _check_lines(robots, place, findings)
    for file in dict.fromkeys(entry.file for entry in listed):
        if Path(file).parent == folder:
            _check_sitemap(robots, file, url + quote_path(Path(file).name), findings)
    inside = (entry for entry in listed if within(entry.loc, url))
    check_disallowed(robots, inside, findings)


def check_live_robots(
    sitemap: str, listed: Sequence[Listed], findings: Findings, client: Client
) -> None:
    """Check the robots.txt of the host that a sitemap came from, as search engines read it.

    A robots.txt that can't be read is no finding here: no page was requested.
    """
    root = f"{origin_url(sitemap)}/"
    try:
        response = client.robots(root)
    except SitemapError as error:
        findings.skip("robots.txt", f"{root}robots.txt {error.problem.found}")
        return
    if response and response.is_failure:
        findings.skip("robots.txt", f"{root}robots.txt answers {response.answer}")
    if response and response.status == 200:
        check_host_robots(response.as_robots(), root, sitemap, listed, findings)


def check_host_robots(
    robots: Robots, root: str, sitemap: str, listed: Iterable[Listed], findings: Findings
) -> None:
    """Check the robots.txt of a host, given by its URL with a slash, and what it disallows.

    `sitemap` is the path or URL of the sitemap.
    """
    place = sitemap_place(f"{root}robots.txt")
    _check_lines(robots, place, findings)
    if within(sitemap, root):
        if not robots.sitemaps:
            findings.add(CheckCode.ROBOTS_NO_SITEMAP, place, "has no line `Sitemap:`")
        _check_sitemap(robots, sitemap, sitemap, findings)
    check_disallowed(robots, (entry for entry in listed if within(entry.loc, root)), findings)


def _check_sitemap(robots: Robots, name: str, url: str, findings: Findings) -> None:
    """Report a sitemap, given by its path or URL, whose URL is disallowed for search engines."""
    if blocked := _blocked(robots, url):
        reason = f"is disallowed in robots.txt for {blocked}"
        findings.add(CheckCode.SITEMAP_DISALLOWED, sitemap_place(name), reason)


def check_disallowed(robots: Robots, listed: Iterable[Listed], findings: Findings) -> None:
    """Report pages of the host that its robots.txt disallows for search engines."""
    for entry in listed:
        if blocked := _blocked(robots, entry.loc):
            reason = f"is disallowed in robots.txt for {blocked}"
            findings.add(CheckCode.DISALLOWED, entry.place, reason, entry.loc)


def _blocked(robots: Robots, url: str) -> str:
    """Return the search engines that may not fetch a URL; empty if all may."""
    return " and ".join(name for name in CRAWLERS if not robots.allows(name, url))


def _check_lines(robots: Robots, place: Place, findings: Findings) -> None:
    for line, url in robots.sitemaps:
        if origin_url(url) is None:
            reason = f"Sitemap is {format_value(url)}, but must be an absolute URL"
            findings.add(CheckCode.ROBOTS_SITEMAP, place._replace(line=line), reason)
