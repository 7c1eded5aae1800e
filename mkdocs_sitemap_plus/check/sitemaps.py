"""Check sitemaps as a whole: the protocol, the built site beside them, and the live pages."""

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, Protocol

from mkdocs_sitemap_plus.check import (
    CODES,
    MAX_KEPT,
    Finding,
    Listed,
    check_demands,
    most_frequent,
)
from mkdocs_sitemap_plus.check.host_check import RATE, HostCheck, How, Target
from mkdocs_sitemap_plus.check.protocol import Checked
from mkdocs_sitemap_plus.check.protocol import check as check_protocol
from mkdocs_sitemap_plus.check.site_files import (
    BuiltSite,
    by_url,
    check_language_versions,
    check_site,
    site_beside,
)
from mkdocs_sitemap_plus.check.web_pages import check_host, choose_pages, linked_targets
from mkdocs_sitemap_plus.files import is_file, is_folder
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.copies import Copy, common_folder, folder_of
from mkdocs_sitemap_plus.sitemap.fetch import AGENT, TIMEOUT, sending
from mkdocs_sitemap_plus.sitemap.open_sitemaps import IS_URL, NAMES, FoundFile, find_sitemaps
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key, within
from mkdocs_sitemap_plus.wording import counted, first_names

_LONG = 60  # seconds. If requesting the pages takes longer, a note says how long it takes


class Note(Protocol):
    """Shows how far a check is."""

    def __call__(self, text: str, *, is_warning: bool = False) -> None:
        """Show a sentence. `is_warning` says that pages were not requested."""


def _show_nothing(text: str, *, is_warning: bool = False) -> None:
    """Leave out the notes."""


class Options(NamedTuple):
    """How sitemaps are checked. The command has an option of each name but the last two."""

    site: Path | None = None
    pages: bool = False
    sample: int | None = None
    require: tuple[str, ...] = ()
    min_dated: Decimal = Decimal(0)
    timeout: float = TIMEOUT
    base_url: str | None = None  # the folder of a copy of the site, which is requested instead
    header: Mapping[str, str] = {}  # it may be a secret
    rate: float = RATE
    note: Note = _show_nothing
    progress: Callable[[int, int], None] = lambda _done, _all: None  # requests

    def where(self, argument: str) -> str:
        """Return what to open for an argument: of the preview, the sitemap in its folder."""
        if not self.is_copy(argument) or argument.lower().endswith((".xml", ".gz")):
            return argument
        return f"{argument.rstrip('/')}/{NAMES[0]}"

    def is_copy(self, url: str) -> bool:
        """Return whether a URL is one of the copy, in which all pages have their published URL."""
        return self.base_url is not None and within(f"{url.rstrip('/')}/", self.base_url)


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
    unusable: list[str]  # for each sitemap that could not be checked, the reason


def check_sitemap(  # noqa: PLR0913 - what the command has as options
    where: str | os.PathLike[str],
    *,
    site: str | os.PathLike[str] | None = None,
    pages: bool = False,
    sample: int | None = None,
    require: Iterable[str] = (),
    min_dated: float | Decimal = 0,
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
    is the least share of the entries with a date, from 0 to 100. A server may be silent for
    `timeout` seconds.

    What can't be checked is in the field `unusable` of the result, and raises no error. Nor does
    Ctrl-C: `interrupted` is then true, and the result has what was found until then.
    """
    options = Options(
        site=None if site is None else Path(site),
        pages=pages,
        sample=sample,
        require=tuple(require),
        min_dated=Decimal(str(min_dated)),
        timeout=timeout,
        base_url=base_url and f"{base_url.rstrip('/')}/",
        header=headers or {},
        rate=rate,
    )
    return check_sitemaps([os.fspath(where)], options, CODES)


def check_sitemaps(
    arguments: Sequence[str], options: Options, wanted: Container[str]
) -> CheckResult:
    """Check the sitemaps that a person named, and return the findings of the wanted codes."""
    check = _Check(options)
    urls = [options.base_url] if options.base_url else [*filter(IS_URL.match, arguments)]
    interrupted = True
    with suppress(KeyboardInterrupt), sending(options.header, *urls):
        check.check_all(arguments, send_to_pages=not urls)
        interrupted = False
    sitemaps = [checked for checked, _ in check.results]
    findings: list[Finding] = []
    counts: Counter[tuple[str, str | None]] = Counter()
    for checked in sitemaps:
        # A file that several sitemaps list has the same findings in each of them.
        known = set(findings)
        findings += (each for each in _sorted_findings(checked, wanted) if each not in known)
        counts |= checked.findings.counts  # keeps the greater number of a file, and does not add
    return CheckResult(
        findings=findings,
        more=sum(max(0, n - MAX_KEPT) for (code, _), n in counts.items() if code in wanted),
        files=list(dict.fromkeys(name for each in sitemaps for name in each.files)),
        urls=sum(1 for _ in _entries(sitemaps)),
        pages_checked=bool(sitemaps) and all(built is not None for _, built in check.results),
        pages_asked=sum(host.count(links=False) for host in check.hosts),
        links_asked=sum(host.count(links=True) for host in check.hosts),
        interrupted=interrupted,
        unusable=check.errors,
    )


class _Check:
    """A check, as far as it is. Ctrl-C may end it anywhere."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.results: list[tuple[Checked, BuiltSite | None]] = []
        self.hosts: list[HostCheck] = []
        self.errors: list[str] = []
        self._requested: set[str] = set()  # the `url_key` of all that was requested

    def check_all(self, arguments: Sequence[str], *, send_to_pages: bool) -> None:
        """Check the arguments. With `send_to_pages`, the pages get the headers of the user."""
        options = self.options
        for argument in arguments:
            for sitemap in _sitemaps(argument, options):
                try:
                    self._check_one(sitemap)
                except SitemapError as error:
                    self.errors.append(str(error))
        sitemaps = [checked for checked, _ in self.results]
        listed = [*_entries(sitemaps)]
        in_all = by_url(listed) if len(sitemaps) > 1 else {}
        for checked, built in self.results:
            check_language_versions(checked.listed, checked.findings, built, in_all)
        if sitemaps:
            # --require and --min-dated are about all sitemaps. The first one gets the findings.
            first, file = sitemaps[0], sitemaps[0].files[0]
            check_demands(listed, first.findings, file, options.require, options.min_dated)
        if options.pages:
            hosts = most_frequent(origin_url(entry.loc) for entry in listed)
            with sending(options.header, hosts) if send_to_pages else nullcontext():
                for checked, built in self.results:
                    self._request_pages(checked, built)

    def _check_one(self, sitemap: FoundFile) -> None:
        """Check one sitemap, and the built site that it is in, if any."""
        options = self.options
        checked = check_protocol(
            sitemap, now=datetime.now(UTC), timeout=options.timeout, images=options.pages
        )
        self.results.append((checked, None))
        if checked.interrupted:
            raise KeyboardInterrupt
        path = Path(checked.files[0])
        if folder := options.site or site_beside(path):
            # In a folder with several sitemaps, only the first of NAMES must list all pages.
            first = next((name for name in NAMES if is_file(path.with_name(name))), path.name)
            whole = options.site is not None or path.name == first
            built = check_site(checked.listed, folder, checked.findings, whole=whole)
            if options.site and checked.listed and built is None:
                del self.results[-1]
                place = sitemap_place(folder.as_posix())
                found = "has no file for any page of the sitemap"
                raise SitemapError(Problem(code="site", place=place, found=found))
            self.results[-1] = (checked, built)

    def _request_pages(self, checked: Checked, built: BuiltSite | None) -> None:
        """Request the pages of a sitemap, and what they name; note what is not requested."""
        options = self.options
        note = options.note
        fresh = [entry for entry in checked.listed if url_key(entry.loc) not in self._requested]
        pages = choose_pages(fresh, options.sample, checked.origins)
        left_out = sum(
            origin_url(entry.loc) not in checked.origins[entry.file]
            for entry in fresh
            if entry.can_be_requested
        )
        if left_out:
            what = f"{counted(left_out, 'page')} on other hosts"
            note(f"{what}: this sitemap may not list them, so they were not requested.")
        if not pages:
            return
        self._requested.update(url_key(page.loc) for page in pages)
        known = self._requested | {url_key(entry.loc) for entry in checked.listed}
        links, elsewhere = linked_targets(pages, known, checked.origins)
        self._requested.update(url_key(link.url) for link in links)
        if elsewhere:
            what = counted(elsewhere, "image or language version", "images and language versions")
            note(f"{what} on other hosts: not requested.")
        copy = _copy_of(checked, built, options)
        how = How(options.timeout, options.rate, copy, options.progress)
        by_host: dict[str, list[Target]] = {}
        outside = 0
        for target in (*(Target(page, page.loc) for page in pages), *links):
            if (asked := how.url_of(target.url)) is None:
                outside += 1
            else:
                by_host.setdefault(origin_url(asked) or "", []).append(target)
        if outside and copy:
            what = f"{counted(outside, 'URL')} outside of {copy.published}"
            note(f"{what}: the preview does not have them, so they were not requested.")
        for host, targets in by_host.items():
            self._request_host(host, targets, checked, how)

    def _request_host(
        self, host: str, targets: Sequence[Target], checked: Checked, how: How
    ) -> None:
        note = self.options.note
        what = f"{counted(sum(not target.kind for target in targets), 'page')} of {host}"
        if (seconds := len(targets) / how.rate) > _LONG:
            note(f"requesting {what}, which takes {seconds / 60:.0f} min.")
        check = check_host(targets, checked.findings, how)
        self.hosts.append(check)
        for text in check.notes:
            note(f"{text}.")
        if check.disallowed:
            why = f"robots.txt disallows {check.disallowed:,} of them for {AGENT}"
            note(f"{what}: {why}.")
        if check.stopped:
            left = len(targets) - len(check.answers) - check.disallowed
            note(f"{what}: {left:,} were not requested: {check.stopped}.", is_warning=True)
        if check.interrupted:
            raise KeyboardInterrupt


def _copy_of(checked: Checked, built: BuiltSite | None, options: Options) -> Copy | None:
    """Return where the site of a sitemap is published, and its copy; None without ``--base-url``.

    Only a built site, or a sitemap on the web, tells the address exactly. Otherwise it is the
    folder that has all listed pages.
    """
    if options.base_url is None:
        return None
    file = checked.files[0]
    if built:
        return Copy(built.url, options.base_url)
    if IS_URL.match(file) and not options.is_copy(file):
        return Copy(folder_of(file), options.base_url)
    host = most_frequent(origin_url(entry.loc) for entry in checked.listed)
    locs = [entry.loc for entry in checked.listed if origin_url(entry.loc) == host]
    return Copy(common_folder(locs), folder_of(file) if IS_URL.match(file) else options.base_url)


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
        yield from (each for each in checked.listed if each.file not in read)
        read.update(checked.files)


def _sorted_findings(checked: Checked, wanted: Container[str]) -> list[Finding]:
    """Return the findings of the wanted codes: first by file, as they were read, then by line."""
    order: dict[str | None, int] = {name: at for at, name in enumerate(checked.files)}
    last = len(order)  # for files of the built site
    kept = (finding for finding in checked.findings.kept if finding.code in wanted)
    return sorted(kept, key=lambda each: (order.get(each.place.file, last), each.place.line or 0))
