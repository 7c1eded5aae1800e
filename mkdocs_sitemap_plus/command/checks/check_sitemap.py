"""Check sitemaps as a whole: the protocol, the built site beside them, and the live pages."""

import os
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.checks import page_rules as rules
from mkdocs_sitemap_plus.command.checks.bounds import BoundedWeb
from mkdocs_sitemap_plus.command.checks.git_rules import (
    Comparison,
    History,
    compare_with_git,
    dated,
    lastmod_git,
)
from mkdocs_sitemap_plus.command.checks.language_versions import check_language_versions
from mkdocs_sitemap_plus.command.checks.live_pages import (
    RATE,
    LivePages,
    RequestOptions,
    check_live_robots,
    is_closed_site,
)
from mkdocs_sitemap_plus.command.checks.mike import check_hosts
from mkdocs_sitemap_plus.command.checks.one_sitemap import Checked
from mkdocs_sitemap_plus.command.checks.one_sitemap import check as check_protocol
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.checks.protocol_rules import same_lastmod
from mkdocs_sitemap_plus.command.checks.rules import (
    CODES,
    RULES,
    EntryInFile,
    Finding,
    Findings,
    NotChecked,
    Rule,
    by_url,
    most_frequent,
)
from mkdocs_sitemap_plus.command.checks.site_files import (
    Gone,
    check_excluded,
    check_replaced,
    check_site,
    find_gone,
    is_closed,
    site_beside,
    sites_below,
)
from mkdocs_sitemap_plus.command.reader.client import Client
from mkdocs_sitemap_plus.command.reader.find import (
    IS_URL,
    FoundFile,
    NotReadError,
    Web,
    find_sitemaps,
    folder_of,
    named_by_robots,
    sitemaps_in,
)
from mkdocs_sitemap_plus.command.reader.read import collect_site
from mkdocs_sitemap_plus.command.reader.versions import current_versions, usable_versions
from mkdocs_sitemap_plus.files import STDIN, is_folder
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.problems import Code, Level, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import NAMES, TIMEOUT
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key, within
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted, first_names

_NO_SITE = (
    "Only the sitemap was checked. To find dead pages, noindex and redirects, check the built "
    "site, or use --pages"
)
_NO_SERVER = "Nothing was requested from the server, not even robots.txt; --pages does that"
_MANY = 10  # pages that show another date have one cause: a finding each would hide the others
_FEED = "a feed lists only the newest pages, and Yandex reads none, so publish a sitemap too"


AskGit = Callable[[str, Sequence[EntryInFile], SiteFolder | None], History | None]
"""Takes the name of a sitemap, its entries, and the built site that it is in, as far as that is
known. Returns what git says of its pages; None where nobody expects that it says anything. Raises
SitemapError with the reason if it is not asked."""


class Options(NamedTuple):
    """How sitemaps are checked; what the command and `check_sitemaps` take, and what is told."""

    site: Path | None = None
    pages: bool = False
    sample: int | None = None
    require: tuple[str, ...] = ()
    min_dated: Decimal = Decimal(0)
    since: str | None = None  # an older sitemap, a path or a URL
    timeout: float = TIMEOUT
    base_url: str | None = None  # the folder of a copy of the site, which is requested instead
    header: Mapping[str, str] = {}  # it may be a secret
    rate: float = RATE
    note: Callable[[str], None] = lambda _sentence: None
    progress: Callable[[int, int], None] = lambda _done, _all: None  # requests
    # Returns a problem with what else is known of its cause.
    explained: Callable[[Problem], Problem] = lambda problem: problem
    # Takes the folder of a built site; returns what its owner decided, as far as it is known.
    # Raises SitemapError if that can't be known.
    owner: Callable[[Path], Owner] = lambda _folder: Owner()
    dates: bool = False  # whether each date that is not git's has a finding of its own
    history: AskGit = lambda *_: None


class CheckResult(NamedTuple):
    """The result for all sitemaps. The JSON has the same keys as this class has fields."""

    counts: dict[str, int]  # of all findings, by their level
    findings: list[Finding]  # by file and line
    files: list[str]  # the names of the sitemap files that were read
    urls: int  # the number of their entries
    not_checked: list[NotChecked]  # what was not looked at
    pages_checked: bool  # whether all sitemaps were compared with the pages of a built site
    pages_asked: int  # how many pages were requested from the server
    interrupted: bool  # whether Ctrl-C ended the check
    left_out: dict[str, int]  # how many pages the owners of built sites left out, by the reason
    accepted: int  # how many findings the owners accept for good
    git: Comparison | None  # what git says of the dates; None if it was not asked
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
    return check_sitemaps([os.fspath(where)], options)


def check_sitemaps(
    arguments: Sequence[str], options: Options, ignored: Collection[str] = ()
) -> CheckResult:
    """Check the sitemaps that a person named; findings of `ignored` codes count if they stop it."""
    urls = [options.base_url] if options.base_url else [*filter(IS_URL.match, arguments)]
    check = _Check(options, urls)
    interrupted = True
    with suppress(KeyboardInterrupt):
        check.check_all(arguments)
        interrupted = False
    sitemaps = [result.checked for result in check.results]
    findings: dict[Finding, None] = {}  # a file that several sitemaps list has them in each
    wrong = {each.loc for each in check.compared.wrong} if check.compared else ()
    for checked in sitemaps:
        kept = [each for each in checked.findings.kept if each.stops or each.code not in ignored]
        findings |= dict.fromkeys(_sorted(_one_for_all(kept, wrong), checked.files))
    findings |= dict.fromkeys(each for each in check.findings.kept if each.code not in ignored)
    levels = Counter(finding.level for finding in findings)
    compared = check.compared and check.compared.with_unknown(check.unasked)
    if compared and lastmod_git.code in ignored:
        compared = compared.with_accepted()
    return CheckResult(
        counts={level: levels[level] for level in (Level.ERROR, Level.WARNING)},
        findings=[*findings],
        files=list(dict.fromkeys(name for sitemap in sitemaps for name in sitemap.files)),
        urls=sum(1 for _ in _entries(sitemaps)),
        not_checked=[
            *dict.fromkeys(n for each in sitemaps for n in each.findings.not_checked),
            *check.findings.not_checked,
        ],
        pages_checked=bool(sitemaps)
        and all(result.built or result.of_others for result in check.results),
        pages_asked=check.live.asked if check.live else 0,
        interrupted=interrupted,
        left_out=dict(sum((sitemap.findings.left_out for sitemap in sitemaps), Counter())),
        accepted=sum(sitemap.findings.accepted for sitemap in sitemaps),
        git=compared,
        gone=check.gone,
        unusable=check.errors,
    )


def _one_for_all(findings: Sequence[Finding], wrong: Container[str | None]) -> list[Finding]:
    """Return the findings; one about pages that show other dates stands for all, if they are many.

    Where the date of the sitemap is `wrong` by git, the page's own date is no second finding.
    """
    shown = [each for each in findings if each.rule is rules.lastmod_differs]
    others = [each for each in findings if each.rule is not rules.lastmod_differs]
    shown = [each for each in shown if each.loc not in wrong]
    if len(shown) >= _MANY:
        reason = f"{shown[0].reason}; {len(shown):,} pages show another day than their lastmod"
        shown = [shown[0]._replace(reason=reason)]
    return others + shown


class _Result(NamedTuple):
    checked: Checked
    built: SiteFolder | None  # the site that it was compared with
    owner: Owner  # by the project of this site
    of_others: bool = False  # whether it is an index of other sites, without pages beside it


class _Check:
    """A check, as far as it is. Ctrl-C may end it anywhere."""

    def __init__(self, options: Options, urls: Sequence[str]) -> None:
        """Begin. The servers of these URLs get the headers of the user."""
        self.options, self.urls = options, urls
        self.web = BoundedWeb(options.timeout, options.header, urls, options.note)
        for url in (*urls, options.base_url, options.since):
            self.web.given(url or "")
        self.results: list[_Result] = []
        self.gone: list[Gone] = []
        self.compared: Comparison | None = None
        self.unasked = 0  # dates of sitemaps of which git was not asked
        self.live: LivePages | None = None
        self.findings = Findings()  # about sites without a sitemap
        self.dated = set[str]()  # the files whose dates were judged
        self.errors: list[str] = []

    def check_all(self, arguments: Sequence[str]) -> None:
        options = self.options
        for argument in arguments:
            self.web.given(argument)
            for sitemap in _named(argument, options, self.web):
                self._check_named(sitemap)
        sitemaps = [result.checked for result in self.results]
        listed = [*_entries(sitemaps)]
        in_all = by_url(listed) if len(sitemaps) > 1 else {}
        for checked, built, *_ in self.results:
            check_language_versions(checked.listed, checked.findings, built, in_all)
        check_hosts((built, checked.findings) for checked, built, *_ in self.results if built)
        if sitemaps:
            self._check_requirements(listed)
        self._say_what_is_not_read()
        if options.pages:
            client = self._client_of_pages(listed)
            how = RequestOptions(client, self.web, options.rate, options.progress)
            self.live = LivePages(how, options.sample, options.base_url)
            for checked, built, *_ in self.results:
                self.live.request_pages(checked, built)

    def _say_what_is_not_read(self) -> None:
        self.errors += self.web.problems()
        if urls := self.web.elsewhere:
            first = shlex.join(["mkdocs-sitemap-plus", "check", urls[0]])
            lead = counted(len(urls), "sitemap leads", "sitemaps lead")
            it = "it" if len(urls) == 1 else "the first"
            why = f"{lead} to another host, which was not asked. `{first}` reads {it}"
            if self.results:
                self.findings.skip("parts", why)
            else:  # nothing was checked
                self.errors.append(f"{why}.")

    def _check_named(self, sitemap: FoundFile) -> None:
        """Check a sitemap, and the sites that it lists as if a person had named them."""
        options = self.options
        try:
            for site in self._check_one(sitemap):
                for name in _in_folder(str(site)):
                    self._check_one(FoundFile(name))
        except SitemapError as error:
            if isinstance(error, NotReadError) and sitemap.hosts:  # all of them are one line
                return
            required = options.require or options.since
            if required or not self._is_closed(sitemap.name, error.problem):
                self.errors.append(str(options.explained(error.problem)))

    def _is_closed(self, sitemap: str, problem: Problem) -> bool:
        """Return whether a site without a sitemap is noindex as a whole, and say so.

        A preview of it is expected to be, and the owner of a built site may mean it.
        """
        if not IS_URL.match(sitemap):
            return is_closed(sitemap, self.options.note)
        # robots.txt may lead elsewhere.
        is_named = origin_url(sitemap) in map(origin_url, self.urls)
        if self.options.base_url or not is_named:
            return False
        return is_closed_site(sitemap, problem, self.web.client, self.findings)

    def _client_of_pages(self, listed: Sequence[EntryInFile]) -> Client:
        """Return what requests the pages. Their host gets the headers if the user named no URL."""
        if self.urls:
            return self.web.client
        host = most_frequent(Counter(origin_url(entry.loc) for entry in listed))
        return Client(self.options.timeout, self.options.header, [host])

    def _check_requirements(self, listed: Sequence[EntryInFile]) -> None:
        (first, _, owner, _), options = self.results[0], self.options
        place = sitemap_place(first.files[0])
        keys = frozenset(entry.key for entry in listed) if options.require else frozenset()
        for url in options.require:
            if url_key(url) not in keys:
                first.findings.add(rules.required_absent, place, "is not listed", url)
        for clause in rules.too_few_dates.find(listed, options.min_dated, owner.undated):
            first.findings.add(rules.too_few_dates, place, clause)
        if options.since is None or any(each.checked.findings.stopped for each in self.results):
            return
        try:
            before = collect_site(options.since, self.web).entries
        except SitemapError as error:
            self.errors.append(str(error))
        else:
            known, lost = find_gone(before, listed, [each[1:3] for each in self.results])
            self.gone += known
            place = sitemap_place(options.since)
            for locs, clause, fix in lost:
                first.findings.add(rules.gone, place, clause, locs[0], fix, urls=locs)

    def _check_one(self, sitemap: FoundFile) -> list[Path]:
        """Check one sitemap, and the built site that it is in. Return the sites that it lists."""
        options = self.options
        path, on_web = Path(sitemap.name), IS_URL.match(sitemap.name)
        has_folder = not on_web and sitemap.name != STDIN
        folder = options.site or (site_beside(path) if has_folder else None)
        findings = Findings(note=options.note)
        owner = self._owner(folder, findings) if folder else Owner()
        findings.accepts = owner.accepts
        start, now = sitemap._replace(site=options.site), datetime.now(UTC)
        checked = check_protocol(start, now=now, web=self.web, findings=findings)
        # Those that the build wrote may have no mark of ours.
        checked = checked._replace(own=checked.own | owner.written(checked.files))
        self.results.append(_Result(checked, None, owner))
        if checked.interrupted:
            raise KeyboardInterrupt
        if checked.feeds and not checked.origins.keys() - {*checked.feeds}:
            options.note(f"{first_names(checked.feeds)}: {_FEED}.")
        if on_web and not options.pages and self.web.may_ask(sitemap.name):  # --pages reads it
            _check_robots(checked, self.web, named_there=bool(sitemap.hosts))
        below = sites_below(path, checked.files) if has_folder and not options.site else []
        built = self._compare(checked, folder, path, below, owner) if folder else None
        result = _Result(checked, built, owner, of_others=bool(below) and not folder)
        self.results[-1] = result
        if self.dated.intersection(checked.files):  # an index may list what was read before
            fresh = [entry for entry in checked.listed if entry.file not in self.dated]
            result = result._replace(checked=checked._replace(listed=fresh))
        # The sitemaps of other sites are checked after the index that lists them.
        self.dated.update(() if result.of_others else checked.files)
        known = self._compare_with_git(result, on_web=bool(on_web))
        _check_dates(result.checked, owner, has_folder=has_folder, known=known)
        if not options.pages:
            if built is None and not below:
                findings.skip("site", _NO_SITE)
            if not on_web:
                findings.skip("server", _NO_SERVER)
        return below

    def _compare_with_git(self, result: "_Result", *, on_web: bool) -> bool:
        """Compare the dates of a sitemap with git; return whether there is a finding."""
        listed, findings = result.checked.listed, result.checked.findings
        if result.of_others:  # each of them is checked, too
            return False
        try:
            history = self.options.history(result.checked.files[0], listed, result.built)
        except SitemapError as error:
            findings.skip("git", f"Git was not asked: {str(error).rstrip('.')}")
            self.unasked += len(dated(listed))
            return False
        if history is None:
            return False
        before = len(findings.kept)
        now = datetime.now(UTC).date()
        found = compare_with_git(
            listed, history, findings, today=now, each=self.options.dates, on_web=on_web
        )
        self.compared = found.and_more(self.compared) if self.compared else found
        return len(findings.kept) > before

    def _compare(
        self, checked: Checked, folder: Path, path: Path, below: Sequence[Path], owner: Owner
    ) -> SiteFolder | None:
        """Compare a sitemap at a path with the built site in its `folder`, but for sites `below`.

        Raises SitemapError if the user named a folder that has none of the pages.
        """
        options, findings = self.options, checked.findings
        # In a folder with several sitemaps, only the first of NAMES must list all pages.
        first = next(iter(sitemaps_in(path.parent)), path.name)
        is_whole = options.site is not None or (path.name == first and not checked.feeds)
        is_whole = is_whole and not findings.stopped  # otherwise what is not listed is not known
        built = check_site(checked.listed, folder, findings, owner, below, is_whole=is_whole)
        if options.site and checked.listed and built is None:
            del self.results[-1]
            place = sitemap_place(folder.as_posix())
            found = "has no file for any page of the sitemap"
            raise SitemapError(Problem(code=Code.SITE, place=place, found=found))
        if built:
            foreign = (entry for entry in checked.listed if entry.file not in checked.own)
            check_excluded(foreign, built, owner, findings)
        return built

    def _owner(self, folder: Path, findings: Findings) -> Owner:
        try:
            owner = self.options.owner(folder)
        except SitemapError as error:
            why = str(error).rstrip(".")
            findings.skip("decisions", f"what the project leaves out is not known: {why}")
            return Owner()
        if owner.why_unknown:
            findings.skip("project", owner.why_unknown)
        return owner


def _check_dates(checked: Checked, owner: Owner, *, has_folder: bool, known: bool) -> None:
    """Judge the dates of a sitemap together. What git says of them is `known`."""
    findings = checked.findings
    for file, clause in () if known else same_lastmod.find(checked.listed, checked.own, owner.days):
        findings.add(same_lastmod, sitemap_place(file), clause)
    if has_folder:
        check_replaced(checked.listed, checked.files[0], checked.own, owner, findings)


def _check_robots(checked: Checked, web: Web, *, named_there: bool) -> None:
    """Judge the robots.txt of the host that a sitemap came from, as search engines read it.

    If the sitemap is `named_there`, all that are named there are checked, and so are not looked at.
    A robots.txt that can't be read is no finding here: no page was requested.
    """
    sitemap = checked.files[0]
    root = f"{origin_url(sitemap)}/"
    try:
        response = web.robots(root)
    except SitemapError as error:
        checked.findings.skip("robots.txt", f"{root}robots.txt {error.problem.found}")
        return
    if response and response.is_failure:
        checked.findings.skip("robots.txt", f"{root}robots.txt answers {response.answer}")
    if response and response.status == 200:
        robots, urls = response.as_robots(), (sitemap, checked.moved_to)
        asked = None if named_there else web
        check_live_robots(robots, root, checked.listed, checked.findings, urls=urls, web=asked)


def _entries(sitemaps: Iterable[Checked]) -> Iterator[EntryInFile]:
    """Yield the entries of all sitemaps. A file that several sitemaps list is read once."""
    read: set[str] = set()
    for checked in sitemaps:
        yield from (entry for entry in checked.listed if entry.file not in read)
        read.update(checked.files)


def _sorted(findings: Iterable[Finding], files: Sequence[str]) -> list[Finding]:
    """Return findings first by file, as the files were read, then by line."""
    order: dict[str | None, int] = {name: at for at, name in enumerate(files)}
    last = len(order)  # for files of the built site
    return sorted(findings, key=lambda f: (order.get(f.place.file, last), f.place.line or 0))


def _named(where: str, options: Options, web: Web) -> Sequence[FoundFile]:
    """Return the sitemaps of a path or URL that a person named."""
    if options.base_url and within(f"{where.rstrip('/')}/", options.base_url):  # of the preview
        if not where.lower().endswith((".xml", ".gz")):
            where = f"{where.rstrip('/')}/{NAMES[0]}"
        return [FoundFile(where, copy=folder_of(where))]
    if not is_folder(where):
        try:
            found = find_sitemaps(where, web)
        except SitemapError as error:
            return [FoundFile(where, error=error)]
        names = [file.name for file in found]
        if names != [where]:
            options.note(f"{where}: checking {first_names(names)}.")
        return found
    paths = _in_folder(where)
    if not paths and (versions := _versions(where)):
        options.note(f"{where}: checking {first_names(versions)}.")
        paths = [path for version in versions for path in _in_folder(version) or [version]]
    return [FoundFile(path) for path in paths or [where]]


def _in_folder(folder: str) -> list[str]:
    """Return the paths of the sitemaps in a folder, without compressed copies."""
    names = dict.fromkeys((*sitemaps_in(folder), *named_by_robots(folder)))
    copies = {f"{name}.gz" for name in names}
    return [Path(folder, name).as_posix() for name in names if name not in copies]


def _versions(folder: str) -> list[str]:
    """Return the folders of mike's versions in a folder, without old ones that have no sitemap."""
    versions = usable_versions(Path(folder))
    paths = {name: Path(folder, name).as_posix() for name in versions}
    current = current_versions(versions)
    return [path for name, path in paths.items() if name in current or _in_folder(path)]


def all_rules() -> Mapping[str, Rule]:
    """Return all rules by their codes, in the order of the documentation."""
    return {code: RULES[code] for code in CODES}
