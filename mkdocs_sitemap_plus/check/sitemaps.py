"""Check sitemaps as a whole: the protocol, the built site beside them, and the live pages."""

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
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
    NotChecked,
    Severity,
    check_requirements,
    most_frequent,
)
from mkdocs_sitemap_plus.check.all_entries import check_same_day
from mkdocs_sitemap_plus.check.decided import (
    Gone,
    OwnersDecisions,
    check_excluded,
    check_replaced,
    joined,
)
from mkdocs_sitemap_plus.check.gone import find_gone
from mkdocs_sitemap_plus.check.host_check import RATE
from mkdocs_sitemap_plus.check.language_versions import by_url, check_language_versions
from mkdocs_sitemap_plus.check.named import named_sitemaps
from mkdocs_sitemap_plus.check.protocol import Checked
from mkdocs_sitemap_plus.check.protocol import check as check_protocol
from mkdocs_sitemap_plus.check.robots_rules import check_live_robots
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.site_files import check_site, is_closed
from mkdocs_sitemap_plus.check.site_folder import SiteFolder, site_beside, sites_below
from mkdocs_sitemap_plus.check.web_pages import LivePages
from mkdocs_sitemap_plus.files import STDIN
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import TIMEOUT
from mkdocs_sitemap_plus.sitemap.client import Client
from mkdocs_sitemap_plus.sitemap.open_sitemaps import (
    IS_URL,
    FoundFile,
    Web,
    sitemaps_in,
)
from mkdocs_sitemap_plus.sitemap.urls import origin_url
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import first_names

_NO_SITE = (
    "Only the sitemap was checked. To find missing pages, noindex and redirects, check the built "
    "site, or use --pages"
)
_NO_SERVER = "Nothing was requested from the server, not even robots.txt; --pages does that"
_NO_REPORT = "what the owner left out is not known"
_FEED = "a feed lists only the newest pages, and Yandex reads none, so publish a sitemap too"


class CheckResult(NamedTuple):
    """The result for all sitemaps. The JSON has the same keys as this class has fields."""

    counts: dict[str, int]  # of all findings of the wanted codes, by their severity
    findings: list[Finding]  # of the wanted codes, by file and line
    more: int  # how many findings of these codes were not kept
    files: list[str]  # the names of the sitemap files that were read
    urls: int  # the number of their entries
    not_checked: list[NotChecked]  # what was not looked at
    pages_checked: bool  # whether all sitemaps were compared with the pages of a built site
    pages_asked: int  # how many pages were requested from the server
    links_asked: int  # how many of their language versions and images
    interrupted: bool  # whether Ctrl-C ended the check
    left_out: dict[str, int]  # how many pages the owners of built sites left out, by the reason
    accepted: int  # how many findings the owners accept for good
    gone: list[Gone]  # what an older sitemap lists, and is not listed now for a known reason
    unusable: list[str]  # for each sitemap that could not be checked, the reason


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

    `where` is a file, a folder with a ``sitemap.xml`` or ``sitemap-index.xml`` in it, the URL of a
    sitemap or a site, or ``-`` for the standard input. Indexes are followed. A sitemap in a folder
    with HTML files is compared with these; `site` names the built site if it is elsewhere.

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
    urls = [options.base_url] if options.base_url else [*filter(IS_URL.match, arguments)]
    check = _Check(options, urls)
    interrupted = True
    with suppress(KeyboardInterrupt):
        check.check_all(arguments)
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
    more: Counter[Severity] = Counter()
    for (code, _), count in counts.items():
        more[code.severity] += max(0, count - MAX_KEPT) if code in wanted else 0
    by_severity = more + Counter(finding.code.severity for finding in findings)
    skipped = (each for checked in sitemaps for each in checked.findings.not_checked)
    return CheckResult(
        counts={severity: by_severity[severity] for severity in Severity},
        findings=findings,
        more=more.total(),
        files=list(dict.fromkeys(name for sitemap in sitemaps for name in sitemap.files)),
        urls=sum(1 for _ in _entries(sitemaps)),
        not_checked=[*dict.fromkeys(skipped)],
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

    def __init__(self, options: Options, send_to: Sequence[str]) -> None:
        """Begin. The servers of the URLs `send_to` get the headers of the user."""
        self.options = options._replace(web=Web(options.timeout, options.header, send_to))
        self.has_urls = bool(send_to)
        self.results: list[_Result] = []
        self.gone: list[Gone] = []
        self.live = LivePages(options)
        self.errors: list[str] = []

    def check_all(self, arguments: Sequence[str]) -> None:
        """Check the arguments."""
        options = self.options
        for argument in arguments:
            for sitemap in named_sitemaps(argument, options):
                try:
                    self._check_one(sitemap)
                except SitemapError as error:
                    required = options.require or options.since
                    if required or not is_closed(sitemap.name, options.note):
                        self.errors.append(str(options.explained(error.problem)))
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
            client = self._client_of_pages(listed)
            for checked, built, _ in self.results:
                self.live.request_pages(checked, built, client)

    def _client_of_pages(self, listed: Sequence[Listed]) -> Client:
        """Return what requests the pages. Their host gets the headers if the user named no URL."""
        if self.has_urls:
            return self.options.web.client
        host = most_frequent(origin_url(entry.loc) for entry in listed)
        return Client(self.options.timeout, self.options.header, [host])

    def _check_one(self, sitemap: FoundFile) -> None:
        """Check one sitemap, and the built site that it is in, if any."""
        options = self.options
        path, on_web = Path(sitemap.name), IS_URL.match(sitemap.name)
        has_folder = not on_web and sitemap.name != STDIN
        folder = options.site or (site_beside(path) if has_folder else None)
        findings = Findings()
        decided = self._decided(folder, findings) if folder else None
        findings.accepts = decided.accepts if decided else None
        checked = check_protocol(
            sitemap._replace(site=options.site),
            now=datetime.now(UTC),
            web=options.web,
            findings=findings,
            images=options.pages,
        )
        self.results.append(_Result(checked, None, decided))
        if checked.interrupted:
            raise KeyboardInterrupt
        known_days = decided.days if decided else None
        check_same_day(checked.listed, findings, checked.own, known_days)
        if decided and has_folder:
            check_replaced(checked.listed, checked.files[0], checked.own, decided, findings)
        if checked.feeds:
            options.note(f"{first_names(checked.feeds)}: {_FEED}.")
        if on_web and not options.pages:  # which reads robots.txt anyway
            check_live_robots(checked.files[0], checked.listed, findings, options.web.client)
        others = sites_below(path, checked.files) if has_folder and not options.site else []
        if folder or others:
            self.results[-1] = self._compare(checked, folder, path, others, decided)
        if not options.pages:
            if self.results[-1].built is None:
                findings.skip("site", _NO_SITE)
            if not on_web:
                findings.skip("server", _NO_SERVER)

    def _compare(
        self,
        checked: Checked,
        folder: Path | None,
        path: Path,
        others: Sequence[Path],
        decided: OwnersDecisions | None,
    ) -> _Result:
        """Compare a sitemap with the built site in its `folder`, and with `others` in that folder.

        `path` is that of the sitemap, and `decided` is about the folder, which is None if it has no
        pages itself. Raises SitemapError if the user named a folder that has none of the pages.
        """
        options, top, findings = self.options, folder or path.parent, checked.findings
        # In a folder with several sitemaps, only the first of NAMES must list all pages.
        first = next(iter(sitemaps_in(path.parent)), path.name)
        is_whole = options.site is not None or (path.name == first and not checked.feeds)
        whole = [*([folder] if folder and is_whole else ()), *others]
        of_others = {other: self._decided(other, findings) for other in others}
        decided = joined(decided, top, of_others)
        findings.accepts = decided.accepts if decided else None
        built = check_site(checked.listed, top, findings, whole=whole, decided=decided)
        if options.site and checked.listed and built is None:
            del self.results[-1]
            place = sitemap_place(top.as_posix())
            found = "has no file for any page of the sitemap"
            raise SitemapError(Problem(code=Code.SITE, place=place, found=found))
        if built and decided:
            foreign = (entry for entry in checked.listed if entry.file not in checked.own)
            check_excluded(foreign, built.file_of, top, decided, findings)
        return _Result(checked, built, decided)

    def _decided(self, folder: Path, findings: Findings) -> OwnersDecisions | None:
        """Return what the owner of a built site decided; None if that is not known."""
        try:
            decided = self.options.decided(folder)
        except SitemapError as error:
            why = str(error).rstrip(".")
            findings.skip("decisions", f"what the project leaves out is not known: {why}")
            return None
        if decided is None or decided.unknown:
            findings.skip("project", (decided and decided.unknown) or _NO_REPORT)
        return decided


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
