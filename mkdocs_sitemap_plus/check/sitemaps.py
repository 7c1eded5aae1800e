"""Check sitemaps as a whole: the protocol, the built site beside them, and the live pages."""

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, Protocol

from mkdocs_sitemap_plus.check import (
    MAX_KEPT,
    CheckCode,
    Finding,
    Findings,
    Listed,
    check_requirements,
)
from mkdocs_sitemap_plus.check.decided import Decided, Gone
from mkdocs_sitemap_plus.check.gone import find_gone
from mkdocs_sitemap_plus.check.protocol import Checked, check_same_day
from mkdocs_sitemap_plus.check.protocol import check as check_protocol
from mkdocs_sitemap_plus.check.robots_rules import check_live_robots
from mkdocs_sitemap_plus.check.site_files import (
    SiteFolder,
    by_url,
    check_language_versions,
    check_site,
    site_beside,
)
from mkdocs_sitemap_plus.check.web_pages import RATE, check_pages, choose_pages
from mkdocs_sitemap_plus.files import is_file, is_folder
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.fetch import AGENT, TIMEOUT
from mkdocs_sitemap_plus.sitemap.open_sitemaps import IS_URL, NAMES, FoundFile, find_sitemaps
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key
from mkdocs_sitemap_plus.wording import counted, first_names

_FEED = "a feed lists only the newest pages, and Yandex reads none, so publish a sitemap too"
_LONG = 60  # seconds. If requesting the pages takes longer, a note says how long it takes


class Note(Protocol):
    """Shows how far a check is."""

    def __call__(self, text: str, *, is_warning: bool) -> None:
        """Show a sentence. `is_warning` says that pages were not requested."""


def _not_known(folder: Path) -> Decided | None:  # noqa: ARG001 - see `Options.decided`
    """Know nothing of the project of a built site."""
    return None


def _show_nothing(text: str, *, is_warning: bool) -> None:
    """Leave out the notes."""


class Options(NamedTuple):
    """How sitemaps are checked. The command has an option of each name but the last two."""

    site: Path | None = None
    pages: bool = False
    sample: int | None = None
    require: tuple[str, ...] = ()
    min_dated: Decimal = Decimal(0)
    since: str | None = None
    timeout: float = TIMEOUT
    note: Note = _show_nothing
    # Takes the folder of a built site; returns what its project decides, if there is a project.
    decided: Callable[[Path], Decided | None] = _not_known


class CheckResult(NamedTuple):
    """The result for all sitemaps. The JSON has the same keys as this class has fields."""

    findings: list[Finding]  # of the wanted codes, by file and line
    more: int  # how many findings of these codes were not kept
    files: list[str]  # the names of the sitemap files that were read
    urls: int  # the number of their entries
    pages_checked: bool  # whether all sitemaps were compared with the pages of a built site
    pages_asked: int  # how many pages were requested from the server
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
) -> CheckResult:
    """Check a sitemap as the command ``check`` does, and return all that it reports.

    `where` is a file, a folder with a ``sitemap.xml`` or ``sitemap-index.xml`` in it, or the URL of
    a sitemap or a site. Indexes are followed. A sitemap in a folder with HTML files is compared
    with these; `site` names the built site if it is elsewhere.

    With `pages`, the listed pages of the most frequent host are requested, at most ten in a second,
    or `sample` of them. `require` has URLs that must be listed. `min_dated` is the least share of
    the entries with a date, from 0 to 100. `since` is an older sitemap: what it lists and is gone
    now is reported. A server may be silent for `timeout` seconds.

    The command knows the project of a built site too, and so does not report pages that its options
    leave out. This function knows only the files of the site.

    What can't be checked is in the field `unusable` of the result, and raises no error.
    """
    folder = None if site is None else Path(site)
    share = Decimal(str(min_dated))
    old = None if since is None else os.fspath(since)
    options = Options(folder, pages, sample, tuple(require), share, old, timeout)
    return check_sitemaps([os.fspath(where)], options, frozenset(CheckCode))


def check_sitemaps(
    arguments: Sequence[str], options: Options, wanted: Container[CheckCode]
) -> CheckResult:
    """Check the sitemaps that a person named, and return the findings of the wanted codes."""
    results: list[_Result] = []
    errors: list[str] = []
    for argument in arguments:
        for sitemap in _sitemaps(argument, options):
            try:
                results.append(_check(sitemap, options))
            except SitemapError as error:
                errors.append(str(error))
    sitemaps = [result.checked for result in results]
    listed = [*_entries(sitemaps)]
    in_all = by_url(listed) if len(sitemaps) > 1 else {}
    for checked, built, _ in results:
        check_language_versions(checked.listed, checked.findings, built, in_all)
    requested: set[str] = set()
    with_pages = sitemaps if options.pages else []
    pages_asked = sum(_request_pages(checked, options, requested) for checked in with_pages)
    gone: list[Gone] = []
    if sitemaps:
        # These are about all sitemaps. The first sitemap gets the findings.
        first, built, decided = results[0]
        file = first.files[0]
        check_requirements(listed, first.findings, file, options.require, options.min_dated)
        if options.since:
            gone = find_gone(options.since, listed, first.findings, built, decided)
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
        urls=len(listed),
        pages_checked=bool(results) and all(built is not None for _, built, _ in results),
        pages_asked=pages_asked,
        left_out=dict(sum((sitemap.findings.left_out for sitemap in sitemaps), Counter())),
        accepted=sum(sitemap.findings.accepted for sitemap in sitemaps),
        gone=gone,
        unusable=errors,
    )


class _Result(NamedTuple):
    """The result for one sitemap."""

    checked: Checked
    built: SiteFolder | None  # the site that it was compared with
    decided: Decided | None  # by the project of this site


def _sitemaps(where: str, options: Options) -> Sequence[FoundFile]:
    """Return the sitemaps of a path or URL."""
    if not is_folder(where):
        try:
            found = find_sitemaps(where, timeout=options.timeout)
        except SitemapError as error:
            return [FoundFile(where, error=error)]
        names = [file.name for file in found]
        if names != [where]:
            options.note(f"{where}: checking {first_names(names)}.", is_warning=False)
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


def _check(sitemap: FoundFile, options: Options) -> _Result:
    """Check one sitemap, and compare it with a built site if there is one."""
    path, built = Path(sitemap.name), None
    folder = options.site or site_beside(path)
    decided = options.decided(folder) if folder else None
    findings = Findings(accepts=decided.accepts if decided else None)
    now = datetime.now(UTC)
    checked = check_protocol(sitemap, now=now, timeout=options.timeout, findings=findings)
    check_same_day(checked, decided.days if decided else None)
    if checked.feeds:
        options.note(f"{first_names(checked.feeds)}: {_FEED}.", is_warning=False)
    if IS_URL.match(sitemap.name) and not options.pages:  # which reads robots.txt anyway
        check_live_robots(checked.files[0], checked.listed, findings, options.timeout)
    if folder:
        # In a folder with several sitemaps, only the first of NAMES must list all pages.
        first = next((name for name in NAMES if is_file(path.with_name(name))), path.name)
        whole = options.site is not None or (path.name == first and not checked.feeds)
        built = check_site(checked.listed, folder, findings, whole=whole, decided=decided)
        if options.site and checked.listed and built is None:
            place = sitemap_place(folder.as_posix())
            found = "has no file for any page of the sitemap"
            raise SitemapError(Problem(code=Code.SITE, place=place, found=found))
    return _Result(checked, built, decided)


def _request_pages(checked: Checked, options: Options, requested: set[str]) -> int:
    """Request the pages of a sitemap. Return how many were requested; note why others were not.

    `requested` has the `url_key` of all pages of earlier sitemaps. Those of this sitemap are added.
    """
    listed = [entry for entry in checked.listed if url_key(entry.loc) not in requested]
    pages = choose_pages(listed, options.sample)
    if not pages:
        return 0
    requested.update(url_key(page.loc) for page in pages)
    what = f"{counted(len(pages), 'page')} of {origin_url(pages[0].loc)}"
    if (seconds := len(pages) / RATE) > _LONG:
        text = f"requesting {what}, which takes {seconds / 60:.0f} min."
        options.note(text, is_warning=False)
    checker = check_pages(pages, checked.findings, options.timeout)
    if checker.disallowed:
        why = f"robots.txt disallows {checker.disallowed:,} of them for {AGENT}"
        options.note(f"{what}: {why}.", is_warning=False)
    if checker.stopped:
        left = len(pages) - checker.requested - checker.disallowed
        why = f"{left:,} were not requested: {checker.stopped}"
        options.note(f"{what}: {why}.", is_warning=True)
    return checker.requested
