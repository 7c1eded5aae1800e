"""A sitemap against the files of the built site beside it."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from mkdocs_sitemap_plus.check.finding import Findings
from mkdocs_sitemap_plus.check.listed import Listed, same
from mkdocs_sitemap_plus.check.robots import Robots, read_robots
from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Place, Problem, Voice
from mkdocs_sitemap_plus.pages.built import BuiltPage, read_built_page
from mkdocs_sitemap_plus.pages.urls import origin_of, same_page
from mkdocs_sitemap_plus.wording import format_value as shown

CRAWLERS = ("Googlebot", "Bingbot")
"""Those whom robots.txt must let in; rules for ``*`` are theirs unless it names them."""

_SAMPLE = 200
_HTML = (".html", ".htm")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSite:
    """A folder with a built site.

    Attributes:
        folder: where it is.
        url: the URL of that folder, with its last slash.
    """

    folder: Path
    url: str

    def file_of(self, url: str) -> Path | None:
        """The file that a web server gives for `url`.

        None if there is no such file, or the URL is not below the site's.
        """
        rest = self.below(url)
        return None if rest is None else _file(self.folder, rest)

    def below(self, url: str) -> str | None:
        """The path of `url` under the site's, without escapes; None if it is elsewhere."""
        if origin_of(url) != origin_of(self.url):
            return None
        top, path = urlsplit(self.url).path, urlsplit(url).path or "/"
        return unquote(path.removeprefix(top)) if path.startswith(top) else None

    def url_of(self, file: Path) -> str:
        """The URL under which MkDocs and most servers know a file of the site."""
        path = file.relative_to(self.folder).as_posix()
        if path == "index.html" or path.endswith("/index.html"):
            path = path.removesuffix("index.html")
        return self.url + quote(path)

    @property
    def is_root(self) -> bool:
        """Whether it is the root of its host."""
        return urlsplit(self.url).path == "/"


def site_beside(sitemap: Path) -> Path | None:
    """The folder of a sitemap, if there are HTML files in it."""
    folder = sitemap.parent
    return folder if any(folder.glob("*.html")) else None


def check_site(
    listed: Sequence[Listed], folder: Path, findings: Findings, *, whole: bool
) -> BuiltSite | None:
    """Check all entries of a sitemap against the files in a folder.

    Args:
        listed: the entries.
        folder: where the site is.
        findings: what was found is added here.
        whole: whether the sitemap is that of the whole site, and not a part of it.

    Returns:
        The site; None if none of the entries has a file there.
    """
    url = _url_of_folder(listed, folder)
    if url is None:
        return None
    site = BuiltSite(folder=folder, url=url)
    _check_entries(site, listed, findings)
    _check_alternates(site, listed, findings)
    if whole:
        _check_pages(site, listed, findings)
    _check_robots(site, listed, findings)
    return site


def not_its_site(folder: Path) -> SitemapError:
    """The error of a folder that holds no page of the sitemap."""
    place = Place(voice=Voice.SITEMAP, file=folder.as_posix())
    found = "has no file of any page that the sitemap lists"
    return SitemapError(Problem(code="site", place=place, found=found))


def _url_of_folder(listed: Sequence[Listed], folder: Path) -> str | None:
    """The folder on the web from which most entries are files here; nothing else says it."""
    some = [each for each in listed[:: max(1, len(listed) // _SAMPLE)] if origin_of(each.loc)]
    if not some:
        return None
    shortest = min(some, key=lambda each: len(each.loc))
    origin, path = origin_of(shortest.loc), urlsplit(shortest.loc).path or "/"
    ends = [at for at, letter in enumerate(path, start=1) if letter == "/"]
    sites = [BuiltSite(folder=folder, url=f"{origin}{path[:end]}") for end in ends]
    counts = [sum(site.file_of(each.loc) is not None for each in some) for site in sites]
    most = max(counts, default=0)
    return sites[counts.index(most)].url if most else None


def _file(folder: Path, rest: str) -> Path | None:
    if ".." in rest.split("/") or "\\" in rest or "\0" in rest:
        return None
    names = [rest + "index.html"] if rest.endswith("/") or not rest else []
    names = names or [rest, rest + ".html", rest + "/index.html"]
    paths = (folder / name.lstrip("/") for name in names)
    return next((path for path in paths if _is_file(path)), None)


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - `Path.is_file` raises for a name that is too long


def _check_entries(site: BuiltSite, listed: Sequence[Listed], findings: Findings) -> None:
    for entry in listed:
        if site.below(entry.loc) is None:
            continue
        file = site.file_of(entry.loc)
        if file is None:
            reason = f"has no file in {site.folder.as_posix()}"
            findings.add("page-absent", entry.place, reason, entry.loc)
        elif file == site.folder / "404.html":
            findings.add("error-page", entry.place, "is 404.html", entry.loc)
        elif file.suffix.lower() in _HTML:
            for code, reason in _against(entry.loc, _read(file) or BuiltPage()):
                findings.add(code, entry.place, f"{file.as_posix()} {reason}", entry.loc)


def _read(file: Path) -> BuiltPage | None:
    """What a page says; None for one that can't be read, such as a link to itself."""
    try:
        return read_built_page(file)
    except OSError:
        return None


def _against(loc: str, page: BuiltPage) -> Iterator[tuple[str, str]]:
    """What the page itself says against its entry."""
    if page.noindex is not None:
        yield "noindex", f"says robots: {shown(page.noindex)}"
    if page.redirect is not None and not same_page(page.redirect, loc, page.base):
        yield "redirect", f"leads to {shown(page.redirect)}"
    elif page.canonical is not None and not same_page(page.canonical, loc, page.base):
        yield "not-canonical", f"names {shown(page.canonical)} as canonical"


def _check_alternates(site: BuiltSite, listed: Sequence[Listed], findings: Findings) -> None:
    pages = {same(entry.loc) for entry in listed}
    for entry in listed:
        for other in sorted(entry.alternates - pages):
            if site.below(other) is not None and site.file_of(other) is None:
                reason = f"names {other}, which has no file in {site.folder.as_posix()}"
                findings.add("alternate-absent", entry.place, reason, entry.loc)


def _check_pages(site: BuiltSite, listed: Sequence[Listed], findings: Findings) -> None:
    """Pages that may be indexed, and are not listed."""
    known = {site.file_of(entry.loc) for entry in listed}
    for file in _pages(site.folder):
        if file not in known and _may_be_listed(site, file):
            place = Place(voice=Voice.BUILT_PAGE, file=file.as_posix())
            findings.add("not-listed", place, "is not listed", site.url_of(file))


def _pages(folder: Path) -> Iterator[Path]:
    for top, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(_HTML) and name != "404.html":
                yield Path(top, name)


def _may_be_listed(site: BuiltSite, file: Path) -> bool:
    page = _read(file)
    if page is None or page.noindex is not None or page.redirect is not None:
        return False
    if page.canonical is None:
        return True
    try:
        base = urljoin(site.url_of(file), page.base or "")
        return site.file_of(urljoin(base, page.canonical)) == file
    except ValueError:
        return True


def _check_robots(site: BuiltSite, listed: Sequence[Listed], findings: Findings) -> None:
    path = site.folder / "robots.txt"
    if not path.is_file() or not os.access(path, os.R_OK):
        return
    place = Place(voice=Voice.BUILT_PAGE, file=path.as_posix())
    if not site.is_root:
        findings.add("robots-place", place, f"is at {site.url}robots.txt")
        return
    robots = read_robots(path.read_bytes())
    for line, url in robots.sitemaps:
        if origin_of(url) is None:
            where = Place(voice=Voice.BUILT_PAGE, file=path.as_posix(), line=line)
            findings.add("robots-sitemap", where, f"has Sitemap: {url}")
    for entry in listed:
        if site.below(entry.loc) is not None:
            _check_crawlers(robots, entry, findings)


def _check_crawlers(robots: Robots, entry: Listed, findings: Findings) -> None:
    kept = [name for name in CRAWLERS if not robots.allows(name, entry.loc)]
    if kept:
        reason = f"is disallowed by robots.txt for {' and '.join(kept)}"
        findings.add("disallowed", entry.place, reason, entry.loc)
