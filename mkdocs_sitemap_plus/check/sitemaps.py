"""Check sitemaps as a whole: the protocol, the built site beside them, and the live pages."""

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.check import (
    MAX_KEPT,
    CheckCode,
    Finding,
    Findings,
    Listed,
    check_requirements,
    most_frequent,
)
from mkdocs_sitemap_plus.check.decided import Gone, OwnersDecisions, check_excluded
from mkdocs_sitemap_plus.check.gone import find_gone
from mkdocs_sitemap_plus.check.host_check import RATE
from mkdocs_sitemap_plus.check.protocol import Checked, check_same_day
from mkdocs_sitemap_plus.check.protocol import check as check_protocol
from mkdocs_sitemap_plus.check.robots_rules import check_live_robots
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.site_files import (
    SiteFolder,
    by_url,
    check_language_versions,
    check_site,
    site_beside,
)
from mkdocs_sitemap_plus.check.web_pages import LivePages
from mkdocs_sitemap_plus.files import is_file, is_folder
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.copies import folder_of
from mkdocs_sitemap_plus.sitemap.fetch import TIMEOUT, sending
from mkdocs_sitemap_plus.sitemap.open_sitemaps import IS_URL, NAMES, FoundFile, find_sitemaps
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import origin_url
from mkdocs_sitemap_plus.wording import first_names

_FEED = "a feed lists only the newest pages, and Yandex reads none, so publish a sitemap too"


class CheckResult(NamedTuple):
    """The result for all sitemaps. The JSON has the same keys as this class has fields."""

    findings: list[Finding]  # of the wanted codes, by file and line
    more: int  # how many findings of these codes were not kept
    files: list[str]  # the names of the sitemap files that were read
    urls: int  # the number of their entries
    pages_checked: bool  # whether all sitemaps were compared with the pages of a built site
    pages_asked: int  # how many pages were requested from the server
    links_asked: int  # how many of their language versions and images
    interrupted: bool  # whether Ctrl-C ended the check
    left_out: dict[str, int]  # how many pages the owners of built sites left out, by the reason
    accepted: int  # how many findings the owners accept for good
    gone: list[Gone]  # what an older sitemap lists, and is not listed now for a known reason
    unusable: list[str]  # for each sitemap that could not be checked, the reason


def nothing_checked(unusable: Sequence[str]) -> CheckResult:
    """Return the result if there is no sitemap to check, for these reasons."""
    return CheckResult(
        findings=[],
        more=0,
        files=[],
        urls=0,
        pages_checked=False,
        pages_asked=0,
        links_asked=0,
        interrupted=False,
        left_out={},
        accepted=0,
        gone=[],
        unusable=[*unusable],
    )


def check_sitemap(  # noqa: PLR0913 - what the command has as options
    where: str | os.PathLike[str],
    *,
    site: str | os.PathLike[str] | None = None,
    pages: bool = False,
    sample: int | None = None,
    require: Iterable[str] = (),
    min_dated: float | Decimal = 0,
    since: str | os.PathLike[str] | None = None,
    timeout: float = TIMEOUT,
    base_url: str | None = None,
    headers: Mapping[str, str] | None = None,
    rate: float = RATE,
) -> CheckResult:
    """Check a sitemap as the command ``check`` does, and return all that it reports.

    `where` is a file, a folder with a ``sitemap.xml`` or ``sitemap-index.xml`` in it, or the URL of
    a sitemap or a site. Indexes are followed. A sitemap in a folder with HTML files is compared
    with these; `site` names the built site if it is elsewhere.

    With `pages`, the listed pages of the hosts that the sitemap may list are requested, or `sample`
    of them, `rate` in a second; with `base_url`, those of a preview at this URL. `headers` are sent
    to the host of `base_url` or `where` alone. `require` has URLs that must be listed. `min_dated`
    is the least share of the entries with a date, from 0 to 100. `since` is an older sitemap: what
    it lists and is gone now is reported. A server may be silent for `timeout` seconds.

    The command knows the project of a built site too, and so does not report pages that its options
    leave out. This function knows only the files of the site.

    What can't be checked is in the field `unusable` of the result, and raises no error. Nor does
    Ctrl-C: `interrupted` is then true, and the result has what was found until then.
    """
    options = Options(
        site=None if site is None else Path(site),
        pages=pages,
        sample=sample,
        require=tuple(require),
        min_dated=Decimal(str(min_dated)),
        since=None if since is None else os.fspath(since),
        timeout=timeout,
        base_url=base_url and f"{base_url.rstrip('/')}/",
        header=headers or {},
        rate=rate,
    )
    return check_sitemaps([os.fspath(where)], options, frozenset(CheckCode))


def check_sitemaps(
    arguments: Sequence[str], options: Options, wanted: Container[CheckCode]
) -> CheckResult:
    """Check the sitemaps that a person named, and return the findings of the wanted codes."""
    check = _Check(options)
    urls = [options.base_url] if options.base_url else [*filter(IS_URL.match, arguments)]
    interrupted = True
    with suppress(KeyboardInterrupt), sending(options.header, *urls):
        check.check_all(arguments, send_to_pages=not urls)
        interrupted = False
    sitemaps = [result.checked for result in check.results]
    findings: list[Finding] = []
    counts: Counter[tuple[CheckCode, str | None]] = Counter()
    for checked in sitemaps:
        # A file that several sitemaps list has the same findings in each of them.
        known = set(findings)
        findings += (
            finding for finding in _sorted_findings(checked, wanted) if finding not in known
        )
        counts |= checked.findings.counts  # keeps the greater number of a file, and does not add
    return CheckResult(
        findings=findings,
        more=sum(max(0, n - MAX_KEPT) for (code, _), n in counts.items() if code in wanted),
        files=list(dict.fromkeys(name for sitemap in sitemaps for name in sitemap.files)),
        urls=sum(1 for _ in _entries(sitemaps)),
        pages_checked=bool(sitemaps) and all(result.built is not None for result in check.results),
        pages_asked=sum(host.count(links=False) for host in check.live.hosts),
        links_asked=sum(host.count(links=True) for host in check.live.hosts),
        interrupted=interrupted,
        left_out=dict(sum((sitemap.findings.left_out for sitemap in sitemaps), Counter())),
        accepted=sum(sitemap.findings.accepted for sitemap in sitemaps),
        gone=check.gone,
        unusable=check.errors,
    )


class _Result(NamedTuple):
    """The result for one sitemap."""

    checked: Checked
    built: SiteFolder | None  # the site that it was compared with
    decided: OwnersDecisions | None  # by the project of this site


class _Check:
    """A check, as far as it is. Ctrl-C may end it anywhere."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.results: list[_Result] = []
        self.gone: list[Gone] = []
        self.live = LivePages(options)
        self.errors: list[str] = []

    def check_all(self, arguments: Sequence[str], *, send_to_pages: bool) -> None:
        """Check the arguments. With `send_to_pages`, the pages get the headers of the user."""
        options = self.options
        for argument in arguments:
            for sitemap in _sitemaps(argument, options):
                try:
                    self._check_one(sitemap)
                except SitemapError as error:
                    self.errors.append(str(error))
        sitemaps = [result.checked for result in self.results]
        listed = [*_entries(sitemaps)]
        in_all = by_url(listed) if len(sitemaps) > 1 else {}
        for checked, built, _ in self.results:
            check_language_versions(checked.listed, checked.findings, built, in_all)
        if sitemaps:
            # These are about all sitemaps. The first one gets the findings.
            first, built, decided = self.results[0]
            file = first.files[0]
            check_requirements(listed, first.findings, file, options.require, options.min_dated)
            try:
                self.gone += find_gone(options, listed, first.findings, built, decided)
            except SitemapError as error:
                self.errors.append(str(error))
        if options.pages:
            hosts = most_frequent(origin_url(entry.loc) for entry in listed)
            with sending(options.header, hosts) if send_to_pages else nullcontext():
                for checked, built, _ in self.results:
                    self.live.request_pages(checked, built)

    def _check_one(self, sitemap: FoundFile) -> None:
        """Check one sitemap, and the built site that it is in, if any."""
        options = self.options
        path = Path(sitemap.name)
        folder = options.site or site_beside(path)
        decided = options.decided(folder) if folder else None
        findings = Findings(accepts=decided.accepts if decided else None)
        checked = check_protocol(
            sitemap,
            now=datetime.now(UTC),
            timeout=options.timeout,
            findings=findings,
            images=options.pages,
        )
        self.results.append(_Result(checked, None, decided))
        if checked.interrupted:
            raise KeyboardInterrupt
        check_same_day(checked, decided.days if decided else None)
        if checked.feeds:
            options.note(f"{first_names(checked.feeds)}: {_FEED}.")
        if IS_URL.match(sitemap.name) and not options.pages:  # which reads robots.txt anyway
            check_live_robots(checked.files[0], checked.listed, findings, options.timeout)
        if folder:
            # In a folder with several sitemaps, only the first of NAMES must list all pages.
            first = next((name for name in NAMES if is_file(path.with_name(name))), path.name)
            whole = options.site is not None or (path.name == first and not checked.feeds)
            built = check_site(checked.listed, folder, findings, whole=whole, decided=decided)
            if options.site and checked.listed and built is None:
                del self.results[-1]
                place = sitemap_place(folder.as_posix())
                found = "has no file for any page of the sitemap"
                raise SitemapError(Problem(code=Code.SITE, place=place, found=found))
            if built and decided:
                others = (entry for entry in checked.listed if entry.file not in checked.own)
                check_excluded(others, built.file_of, folder, decided, findings)
            self.results[-1] = _Result(checked, built, decided)


def _sitemaps(where: str, options: Options) -> Sequence[FoundFile]:
    """Return the sitemaps of a path or URL."""
    if options.is_copy(where):
        where = options.where(where)
        return [FoundFile(where, copy=folder_of(where))]
    if not is_folder(where):
        try:
            found = find_sitemaps(where, timeout=options.timeout)
        except SitemapError as error:
            return [FoundFile(where, error=error)]
        names = [file.name for file in found]
        if names != [where]:
            options.note(f"{where}: checking {first_names(names)}.")
        return found
    names = [name for name in NAMES if is_file(Path(where, name))]
    copies = {f"{name}.gz" for name in names}
    paths = [Path(where, name).as_posix() for name in names if name not in copies]
    return [FoundFile(path) for path in paths or [where]]


def _entries(sitemaps: Iterable[Checked]) -> Iterator[Listed]:
    """Yield the entries of all sitemaps. A file that several sitemaps list is read once."""
    read: set[str] = set()
    for checked in sitemaps:
        yield from (entry for entry in checked.listed if entry.file not in read)
        read.update(checked.files)


def _sorted_findings(checked: Checked, wanted: Container[CheckCode]) -> list[Finding]:
    """Return the findings of the wanted codes: first by file, as they were read, then by line."""
    order: dict[str | None, int] = {name: at for at, name in enumerate(checked.files)}
    last = len(order)  # for files of the built site
    kept = (finding for finding in checked.findings.kept if finding.code in wanted)
    return sorted(
        kept, key=lambda finding: (order.get(finding.place.file, last), finding.place.line or 0)
    )
