"""The built site that a sitemap is in: its files, what its owner decided, and what is wrong in it.

The URL of a built site is found by its files. What the owner decided is handed in, is no finding,
and tells why pages are gone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.command.checks import page_rules as rules
from mkdocs_sitemap_plus.command.checks.mike import check_version, is_version
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.checks.page_rules import FetchedPage, Names, RobotsTxt
from mkdocs_sitemap_plus.command.checks.protocol_rules import loc_outside
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile, Findings, by_url
from mkdocs_sitemap_plus.command.checks.whole_pages import built_page
from mkdocs_sitemap_plus.command.reader.find import folder_of, open_sitemap, robots_in, sitemaps_in
from mkdocs_sitemap_plus.files import Mark, absolute_path, is_file, is_folder, is_ours, path_from
from mkdocs_sitemap_plus.html.page_says import PageSays, read_built_page
from mkdocs_sitemap_plus.html.site_folder import (
    HTML,
    Canonical,
    PageAt,
    SiteFolder,
    home_url,
    other_canonical,
    read_html,
)
from mkdocs_sitemap_plus.html.tags import is_error_page
from mkdocs_sitemap_plus.problems import Origin, Place, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import MAX_LOC_LENGTH, NAMES
from mkdocs_sitemap_plus.sitemap.urls import (
    can_be_one_file,
    host_of,
    is_at_root,
    is_on_read_the_docs,
    is_this_computer,
    joined,
    origin_url,
    other_host,
    path_below,
    quote_path,
    unquote_path,
    url_key,
    within,
    without_form,
)
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, shorten

# The number of entries by which the URL of the site is found. If none of them has a file, more are
# tried: the second number.
_SAMPLES = (200, 3000)
_MAX_UNLISTED = 5  # pages that are not listed and have a finding each; one more is for the others
_MAX_DEPTH = 20  # the folder of a site is at most this deep on its host


def site_beside(sitemap: Path) -> Path | None:
    """Return the folder of a sitemap; None if it has no HTML files, or if the path was a URL.

    The files may be in folders of versions or languages that have no sitemap of their own.
    """
    folder = sitemap.parent
    with suppress(OSError):  # a folder of other people's files, such as /tmp, may change meanwhile
        has_pages = is_folder(folder) and (
            any(folder.glob("*.html"))
            or any(
                not sitemaps_in(folder / page.relative_to(folder).parts[0])
                for pattern in ("*/*.html", "*/*/*.html")
                for page in folder.glob(pattern)
            )
        )
        return folder if has_pages else None
    return None


def sites_below(sitemap: Path, files: Iterable[str]) -> list[Path]:
    """Return the folders of other built sites whose sitemaps, the `files`, an index lists.

    A folder is left out if the index does not list the whole site in it, that is, all files of its
    sitemap. `sitemap` is the path of the index.
    """
    top, read = sitemap.parent, {Path(name) for name in files}
    folders = dict.fromkeys(path.parent for path in read)
    return [
        folder
        for folder in sorted(folders)
        if folder != top
        and folder.is_relative_to(top)
        and site_beside(folder / NAMES[0])
        and _is_whole(folder, read)
    ]


def _is_whole(folder: Path, read: Container[Path]) -> bool:
    """Return whether the sitemap of a site was read, or as an index, all of its parts."""
    first = next((folder / name for name in sitemaps_in(folder)), None)
    if first in read:
        return True
    parts = [path for path in folder.glob("sitemap*.xml") if path.name not in NAMES]
    return bool(parts) and all(path in read for path in parts)


def _site_in(folder: Path, listed: Sequence[EntryInFile], owner: Owner) -> SiteFolder | None:
    """Return the site in a folder, at the first stated URL under which an entry has a file.

    The report of the last build states one, the home page, and robots.txt. Where none of them fits,
    it is the URL by which most entries have a file; of many entries, only a sample is tried. The
    result is None if none of these has a file, whatever the URL.
    """
    stated = (owner.url, home_url(SiteFolder(folder, "")) or "")
    for url in (*stated, *(folder_of(line) for line, _ in _sitemap_lines(folder))):
        named = SiteFolder(folder, url)
        if url and any(named.path_of(entry.loc) is not None for entry in listed):
            return named
    urls = [entry.loc for entry in listed if len(entry.loc) <= MAX_LOC_LENGTH]
    for size in _SAMPLES:
        # Not at even distances: languages or versions of a page often follow each other.
        sample = Random(0).sample(urls, min(size, len(urls)))  # noqa: S311 - no secret
        site, files = _likely_site(folder, sample)
        if files:
            return site
    return None


def _likely_site(folder: Path, urls: Sequence[str]) -> tuple[SiteFolder | None, int]:
    """Return the site with the URL by which most of these URLs have a file, and how many have."""
    counts = Counter(chain.from_iterable(map(_folders_of, urls)))
    # The URL of a single page would fit too: its file would be ``index.html`` of the site. So only
    # folders that hold many of the URLs are tried.
    least = max(counts.values(), default=0) / 2
    sites = [SiteFolder(folder, url) for url, count in counts.items() if count >= least]
    files = [sum(site.file_of(url) is not None for url in urls) for site in sites]
    return max(zip(sites, files, strict=True), key=itemgetter(1), default=(None, 0))


def _folders_of(url: str) -> list[str]:
    origin = origin_url(url)
    if origin is None:
        return []
    path = urlsplit(url).path or "/"
    ends = [at for at, letter in enumerate(path, start=1) if letter == "/"]
    return [origin + path[:end] for end in ends[:_MAX_DEPTH]]


class Gone(NamedTuple):
    """A URL that an older sitemap lists, and no checked one."""

    loc: str
    why: str  # a clause, such as ``redirects to 'https://example.com/b/'``


class Lost(NamedTuple):
    """URLs that are gone for no known reason, and have one cause."""

    locs: Sequence[str]
    clause: str
    fix: str | None = None


def check_replaced(
    listed: Sequence[EntryInFile], file: str, own: Collection[str], owner: Owner, findings: Findings
) -> None:
    """Report a sitemap without dates that another program wrote in place of the project's.

    `file` is the path of the sitemap with the entries `listed`. Of its files, this package wrote
    those in `own`.
    """
    is_ours = own or not owner.has_sitemap(file)
    if is_ours or not listed or not owner.days or any(each.lastmod for each in listed):
        return
    reason = "has no dates, though the project has them: sitemap-plus did not write this file"
    findings.add(rules.replaced, sitemap_place(file), reason)


def check_excluded(
    listed: Iterable[EntryInFile], site: SiteFolder, owner: Owner, findings: Findings
) -> None:
    """Report entries of another program's sitemap that the owner excludes.

    A sitemap of this package obeys the options, perhaps those of another project file.
    """
    for entry in listed if owner.excluded else ():
        file = site.file_of(entry.loc)
        if file and path_from(site.folder, file) in owner.excluded:
            reason = "is listed, though the project excludes it"
            findings.add(rules.replaced, entry.place, reason, entry.loc)


def find_gone(
    before: Iterable[str],
    listed: Sequence[EntryInFile],
    sites: Sequence[tuple[SiteFolder | None, Owner]],
) -> tuple[list[Gone], list[Lost]]:
    """Return which URLs of an older sitemap are gone for a known reason; then the others.

    A reason stands in the page that is still built, as a redirect or a noindex, or is known to the
    project.
    """
    now_listed = {entry.key for entry in listed}
    built = [site for site, _ in sites if site]
    known, clauses, answered = dict[str, str](), dict[str, str](), set[str]()
    for loc in before:
        if url_key(loc) in now_listed:
            continue
        file = next(filter(None, (site.file_of(loc) for site in built)), None)
        says = read_built_page(file) if file and file.name.endswith(HTML) else None
        if says and (why := _why_left_out(loc, says)):
            known[loc] = why
        answered |= {loc} if file else set()
        still_built = ", though its page is still built" if file else ", and is not built"
        clauses[loc] = f"is not listed any more{still_built if built else ''}"
    for _, owner in sites:
        known |= owner.why_gone([loc for loc in clauses if loc not in known])
    forms = {without_form(entry.key): entry.loc for entry in listed} if clauses else {}
    lost, moved = list[Lost](), defaultdict[bool, list[tuple[str, str]]](list)
    for loc, clause in clauses.items():
        if new := None if loc in known else forms.get(without_form(url_key(loc))):
            is_answered = loc in answered if built else can_be_one_file(loc, new)
            moved[is_answered].append((loc, new))
        elif loc not in known:
            lost.append(Lost([loc], clause))
    for is_answered, pairs in moved.items():
        locs = [old for old, _ in pairs]
        likewise = f"; likewise {first_names(locs[1:])}" if len(locs) > 1 else ""
        fix = "Both lead to the same page: let it name one of them as canonical."
        fix = fix if is_answered else "Redirect the old form to the new one."
        lost.append(Lost(locs, f"is listed in another form now, {pairs[0][1]}{likewise}", fix))
    return [Gone(loc, shorten(known[loc])) for loc in clauses if loc in known], lost


def _why_left_out(loc: str, says: PageSays) -> str | None:
    if says.noindex is not None:
        return f"has the robots meta tag {format_value(says.noindex)}"
    if says.leads_elsewhere(loc):
        return f"redirects to {format_value(says.redirect)}"
    if says.names_other(loc):
        return f"names {format_value(says.canonical)} as its canonical URL"
    return None


def check_site(  # noqa: PLR0913 - a sitemap, a folder, and what is known of both
    listed: Sequence[EntryInFile],
    folder: Path,
    findings: Findings,
    owner: Owner,
    below: Collection[Path],
    *,
    is_whole: bool,
) -> SiteFolder | None:
    """Check all entries of a sitemap against the files of a built site, and return the site.

    The result is None if no entry has a file, whatever the URL of the folder is. If the owner lists
    all entries by hand, the project tells its URL. Pages that the sitemap should list and does not
    are findings if it lists the whole site, unless `owner` accounts for them. Pages of the sites
    `below` are judged there.
    """
    own_pages = [entry for entry in listed if entry.key not in owner.elsewhere]
    site = _site_in(folder, own_pages, owner)
    if owner.url and listed and not own_pages:
        site = SiteFolder(folder, owner.url)
    if site is None:
        return None
    url = _stated_url(site, listed, owner, findings)
    here = [entry for entry in own_pages if Path(entry.file).parent not in below]
    rules.judge(_pages_of(site, by_url(here).values()), findings)
    if is_whole:
        _check_unlisted(site, here, findings, owner)
    check_version(site, own_pages or listed, findings)
    _check_robots(SiteFolder(folder, url), listed, findings)
    if not is_version(folder) and (host := other_host(folder, site.url)):
        clause = f"has URLs of {site.url}, but CNAME names {format_value(host)}"
        fix = "Build the site with the address of that host, or delete CNAME."
        findings.add(loc_outside, sitemap_place(listed[0].file), clause, fix=fix)
    return site


def _stated_url(
    site: SiteFolder, listed: Sequence[EntryInFile], owner: Owner, findings: Findings
) -> str:
    """Return the URL of the folder as somebody stated it; without a statement, that of the entries.

    The first of these counts: the report of the build, the canonical URL of the home page, and the
    line of robots.txt. What differs from the URLs of the entries is a finding; for canonical URLs,
    that of the pages. The line is a witness only where the others are silent: if they name the
    address, another host may have a sitemap of this one.
    """
    if owner.url not in ("", site.url):
        found = f"its URLs begin with {site.url}, but its last build was for {owner.url}"
        fix = "Build the site again, or let the project's own sitemap be the last that is written."
        findings.add(rules.page_absent, sitemap_place(listed[0].file), found, fix=fix)
    if stated := owner.url or home_url(site):
        return stated
    named = _sitemap_lines(site.folder)
    if not named:
        why = "no report, canonical URL or robots.txt names the address of the site"
        findings.skip("address", f"{why}, so that of the URLs was not checked")
        return site.url
    line, place = named[0]
    folder, of_host = absolute_path(site.folder), origin_url(line) == origin_url(site.url)
    if of_host and is_on_read_the_docs(site.url, folder):  # it makes a sitemap of the versions
        return site.url
    # Below the root of a host, the rules of robots.txt find what is wrong.
    if any(site.file_of(each) for each, _ in named) or not is_at_root(folder_of(line), folder):
        return site.url
    if not is_this_computer(host_of(site.url)):  # that has been found already
        found = f"names {line}, but the URLs of that sitemap begin with {site.url}"
        fix = "Set the address of the site where the sitemap is made, or correct this line."
        findings.add(rules.robots, place, found, fix=fix)
    return folder_of(line)


def _sitemap_lines(folder: Path) -> list[tuple[str, Place]]:
    """Return the URLs of the sitemaps beside a robots.txt that it names, each with its line."""
    robots, path = robots_in(folder), folder / "robots.txt"
    return [
        (url, Place(origin=Origin.BUILT_PAGE, file=path.as_posix(), line=line))
        for line, url in (robots.sitemaps if robots else ())
        if origin_url(url) and is_file(folder / unquote_path(url.rpartition("/")[2]))
    ]


def _pages_of(site: SiteFolder, listed: Iterable[EntryInFile]) -> Iterator[FetchedPage]:
    """Yield the listed pages of a site. Other files that are there are none."""
    now, is_local = datetime.now(UTC), is_this_computer(host_of(site.url))
    for entry in listed:
        # A URL with ``..`` that leads out of the folder has no file. So it is an absent page.
        if path_below(entry.loc, site.url) is None and not entry.loc.startswith(site.url):
            continue
        file = site.file_of(entry.loc)
        if file is None:
            # That nobody else can open it has been found already.
            other = site.file_in_other_form(entry.loc)
            built_as = site.url_of(other) if other else None
            yield FetchedPage(entry, now, no_file=not is_local, built_as=built_as)
        elif file.name.endswith(HTML):
            path = path_from(site.folder, file)
            if is_error_page(path):
                yield FetchedPage(entry, now, is_error_page=True)
                continue
            says = built_page(file, entry.loc)
            canonical = other_canonical(PageAt(path, entry.loc, says), site.page_at)
            names = Names.PAGE
            if canonical and canonical.page is None:
                is_form = without_form(url_key(canonical.absolute)) == without_form(entry.key)
                names = Names.FORM if is_form else Names.NOTHING
            # What begins with a local address has been found already, and a home page without its
            # slash is outside of the folder whose pages may be listed.
            is_settled = canonical is None or (is_local and names is Names.NOTHING)
            if canonical and names is Names.FORM:
                is_settled = not within(canonical.absolute, site.url)
            yield FetchedPage(entry, now, says, file, is_settled=is_settled, names=names)


def _check_robots(site: SiteFolder, listed: Sequence[EntryInFile], findings: Findings) -> None:
    robots, path = robots_in(site.folder), site.folder / "robots.txt"
    if robots is None:
        return
    files = [Path(name) for name in dict.fromkeys(entry.file for entry in listed)]
    sitemaps = [
        (file.as_posix(), site.url + quote_path(file.name))
        for file in files
        if file.parent == site.folder
    ]
    place = Place(origin=Origin.BUILT_PAGE, file=path.as_posix())
    at_root = is_at_root(site.url, absolute_path(site.folder))

    def read(url: str) -> bytes | None:
        """Return what the site has at a URL; empty if the URL is not in the site."""
        if not within(url, site.url):
            return b""
        found = site.file_of(url)
        try:
            return open_sitemap(found.as_posix()).data if found else None
        except SitemapError:
            return b""

    file = RobotsTxt(robots, place, site.url, sitemaps, listed, read, at_root=at_root)
    rules.judge_robots(file, findings)


def _check_unlisted(
    site: SiteFolder, listed: Sequence[EntryInFile], findings: Findings, owner: Owner
) -> None:
    """Report pages that may be indexed but are not listed; count those that the owner left out."""
    files = (site.file_of(each.loc) or site.file_in_other_form(each.loc) for each in listed)
    known = set(filter(None, files))
    there = {*(entry.key for entry in listed), *owner.elsewhere}
    before, lost = len(findings.kept), list[str]()
    for file in _unlisted_files(site, known):
        may_be_listed, canonical = _may_be_listed(site, file)
        if canonical and canonical.is_nowhere(site, there):
            name = path_from(site.folder, file)
            lost.append(f"{name}: {format_value(canonical.url)}")
        if not may_be_listed:
            continue
        if why := owner.why_left_out(path_from(site.folder, file)):
            findings.left_out[why] += 1
        else:
            place = Place(origin=Origin.BUILT_PAGE, file=file.as_posix())
            findings.add(rules.not_listed, place, "is not listed", site.url_of(file))
    if lost:
        pages = counted(len(lost), "page is", "pages are")
        findings.note(
            f"{pages} in no sitemap for a canonical URL below {site.url} that nothing here has "
            f"({first_names(lost)})."
        )
    further = findings.kept[before + _MAX_UNLISTED :]
    if further:  # they have one cause
        del findings.kept[before + _MAX_UNLISTED :]
        place = Place(origin=Origin.BUILT_PAGE, file=site.folder.as_posix())
        these = counted(len(further), "more page is", "more pages are")
        findings.add(rules.not_listed, place, f"{these} not listed, the last {further[-1].loc}")


def _unlisted_files(site: SiteFolder, known: Collection[Path]) -> Iterator[Path]:
    """Yield the HTML files of a site that can be pages, but for the `known` ones, which are listed.

    A folder with a sitemap in it is another site, such as another language or version. It is
    skipped, unless it contains a known file.
    """
    own = {parent for file in known for parent in file.parents}

    def is_of_other(folder: Path, names: Collection[str]) -> bool:
        return folder not in own and not frozenset(names).isdisjoint(NAMES)

    for path in site.html_files(is_of_other):
        file = site.folder / path
        if site.is_page(path) and file not in known:
            yield file


def _may_be_listed(site: SiteFolder, file: Path) -> tuple[bool, Canonical | None]:
    """Return whether search engines may index a built page under the URL of its file.

    The second value is the other URL that it names as canonical, if that alone is why they may not.
    """
    path, url = path_from(site.folder, file), site.url_of(file)
    says, no_page = read_html(site.folder, path)
    if no_page or says is None or says.unreadable:
        return False, None
    if says.noindex is not None or says.leads_elsewhere(url):
        return False, None
    named = joined(url, says.base or "", says.canonical) if says.canonical else None
    is_own = named is not None and "?" not in named and site.file_of(named) == file
    canonical = None if is_own else other_canonical(PageAt(path, url, says), site.page_at)
    return canonical is None, canonical


def is_closed(where: str, note: Callable[[str], None]) -> bool:
    """Return whether all pages of a folder are noindex, and note that it needs no sitemap then."""
    count = 0
    for file in _unlisted_files(SiteFolder(Path(where), ""), ()) if is_folder(where) else ():
        says, no_page = read_html(Path(where), path_from(Path(where), file))
        if no_page or not says or says.unreadable or says.redirect is not None:
            continue
        if is_ours(file, Mark.HTML_REPORT):  # `report -o report.html`, noindex beside any site
            continue
        if says.noindex is None:
            return False
        count += 1
    if count:
        pages = counted(count, "page")
        note(f"{where} needs no sitemap, since the whole site is noindex ({pages}).")
    return count > 0
