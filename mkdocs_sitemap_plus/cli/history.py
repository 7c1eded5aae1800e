"""Ask git when the pages of a sitemap last changed, so that ``check`` can compare its dates."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from mkdocs_sitemap_plus.built_site import (
    Project,
    find_project_of,
    project_of_url,
    read_plugin_options,
    read_project,
)
from mkdocs_sitemap_plus.built_site.by_url import pages_by_url
from mkdocs_sitemap_plus.built_site.site import read_site
from mkdocs_sitemap_plus.check import Listed, by_url
from mkdocs_sitemap_plus.check.git import Dated, History, LastChange
from mkdocs_sitemap_plus.check.site import SiteFolder
from mkdocs_sitemap_plus.cli.kept import report_of_build
from mkdocs_sitemap_plus.files import absolute_path
from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDate, NoDate
from mkdocs_sitemap_plus.lastmod import Dated as DatedPage
from mkdocs_sitemap_plus.lastmod import DateQuery, Reason, date_by_files
from mkdocs_sitemap_plus.lastmod.git import git_dates
from mkdocs_sitemap_plus.options import GitSettings, Settings, Shallow
from mkdocs_sitemap_plus.pages import SourcePage, UncheckedSite
from mkdocs_sitemap_plus.pages.project_file import project_files_in
from mkdocs_sitemap_plus.pipeline.dates import date_queries, key_of
from mkdocs_sitemap_plus.pipeline.select import overrides_of
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.report import Data
from mkdocs_sitemap_plus.report.read import read_report
from mkdocs_sitemap_plus.sitemap import utc_day
from mkdocs_sitemap_plus.sitemap.find import IS_URL, folder_of
from mkdocs_sitemap_plus.sitemap.urls import url_key, within
from mkdocs_sitemap_plus.web.stated_dates import read_date
from mkdocs_sitemap_plus.wording import format_value

_Entries = Mapping[str, Listed]  # by `url_key`; each has a date


def history_of(
    named: Project | None,
    report_file: Path | None,
    listed: Sequence[Listed],
    built: SiteFolder | None,
) -> History | None:
    """Return what git says of the pages of a sitemap; None if it knows no source of any.

    `named` is the project that a person named, and `built` the site that the sitemap is in, as far
    as they are known. Raises SitemapError with the reason if dates are not compared.
    """
    entries = {key: entry for key, entry in by_url(listed).items() if entry.lastmod}
    folder = absolute_path(built.folder) if built else None
    project = named or _project_of(folder, entries, built)
    if project is None or not entries:
        return None
    settings = read_plugin_options(project).settings
    report = read_report(report_file) if report_file else None
    if not report and (folder or not project.is_alone):
        report = report_of_build(folder or project.site.site_dir, project, named=bool(named))
    decided = _decided(report)
    asked = {
        key: entry
        for key, entry in entries.items()
        if key not in decided or decided[key][0] != _day(entry)
    }
    by_build = len(entries) - len(asked)
    pages, site = _pages(project, settings, asked, built, decided, is_named=bool(named))
    found = _compared(asked, pages, site, settings, project) if pages else History()
    is_known = found.changes or found.shallow or by_build
    return found._replace(by_build=by_build) if is_known else None


def _day(entry: Listed) -> date:
    return utc_day(entry.lastmod) if entry.lastmod else date.min


def _project_of(folder: Path | None, entries: _Entries, built: SiteFolder | None) -> Project | None:
    """Return the project of a built folder, or the one in the current folder if it says so.

    The latter says by ``site_url`` which URLs are its own. A built folder of another builder has a
    project without options. Raises SitemapError if the project here says nothing about the site.
    """
    if folder and (project := find_project_of(folder)):
        return project
    here = project_files_in(Path())
    if here:
        project, url = read_project(None), ""
        url = project.site.url or ""
        if url and any(within(entry.loc, url) for entry in entries.values()):
            return project
        if not built and entries:
            first = next(iter(entries.values()))
            if not IS_URL.match(first.file):
                return None
            says = f"says that its site is {format_value(url)}" if url else "has no site_url"
            found = f"{here[0]} {says}, and so {format_value(first.file)} may be of another project"
            fix = f"If it is of this one, name it: -f {here[0]}"
            raise SitemapError(Problem(code=Code.SITE, found=found, fix=fix))
    return project_of_url(folder, built.url) if folder and built and built.url else None


def _decided(report: Data | None) -> dict[str, tuple[date | None, str]]:
    """Return the day that the last build gave each URL, and the source of its page."""
    found = {}
    for page in report["pages"] if report else ():
        if "entry" in page:
            when = read_date(page["entry"].get("lastmod", ""))
            day = utc_day(when) if when else None
            found[url_key(page["entry"]["loc"])] = day, page.get("source", "")
    return found


def _pages(  # noqa: PLR0913 - what is known of the site
    project: Project,
    settings: Settings,
    asked: _Entries,
    built: SiteFolder | None,
    decided: Mapping[str, tuple[date | None, str]],
    *,
    is_named: bool,
) -> tuple[dict[str, SourcePage], UncheckedSite]:
    """Return the pages of entries whose source is known, by the `url_key` of these, and the site.

    A built page is read only where its URL does not tell the source.
    """
    found: list[SourcePage] = []
    site, folder = project.site, absolute_path(built.folder) if built else None
    is_own = is_named or (folder is not None and folder == site.site_dir)
    if not project.is_alone and asked:
        bases = {}
        for entry in asked.values():
            if site.url and within(entry.loc, site.url):
                bases[entry.loc] = site.url
            elif is_own:  # a preview, or another version
                of_file = folder_of(entry.file) if IS_URL.match(entry.file) else ""
                bases[entry.loc] = built.url if built else of_file
        known = {
            e.loc: decided[key][1] for key, e in asked.items() if decided.get(key, ("", ""))[1]
        }
        found += pages_by_url(bases, project, settings, known)
    missing = asked.keys() - {url_key(page.loc) for page in found}
    if folder and missing and (project.is_alone or is_own):
        site = read_site(project, folder, settings).site
        found += (p for p in site.pages if p.source_files and url_key(p.loc) in missing)
    pages = {key: page for page in found if (key := url_key(page.loc)) in asked}
    return pages, replace(site, pages=(*pages.values(),))


def _compared(
    asked: _Entries,
    pages: Mapping[str, SourcePage],
    site: UncheckedSite,
    settings: Settings,
    project: Project,
) -> History:
    """Return the first and the last day that git has for each page."""
    wanted = [(page, overrides_of(page, settings)[0]) for page in pages.values()]
    queries = date_queries(wanted, site, settings)
    keys = {key_of(page): key for key, page in pages.items()}
    docs_dir = site.docs_dir
    own = replace(settings.lastmod.git, shallow=Shallow.OMIT)  # a check fetches nothing
    with git_dates(own, site.root, project.repo_url) as git:
        if project.has_sources:
            git.start(docs_dir)
        answers = date_by_files(queries, git.tracked, git.last_changes)
        when = git.head_time(docs_dir)
    changes = {
        keys[key]: _change(pages[keys[key]], answer, queries[key])
        for key, answer in answers.items()
        if isinstance(answer, DatedPage)
    }
    files = {
        keys[key]: path
        for key, query in queries.items()
        if keys[key] in changes and (path := next(iter(query.source_files), None))
    }
    for later, days_of in _other_days(site.root, project.repo_url):
        some = {
            key: path
            for key, path in files.items()
            if (row := Dated(asked[key], _day(asked[key]), changes[key])).differs
            and row.is_late is later
        }
        days = days_of(set(some.values())) if some else {}
        for key, path in some.items():
            if path in days:
                first, last = changes[key].first, changes[key].last
                changes[key] = changes[key]._replace(
                    first=min(first, days[path]), last=max(last, days[path])
                )
    shallow = sum(
        isinstance(answer, NoDate) and answer.reason == Reason.SHALLOW
        for answer in answers.values()
    )
    return History(changes, head=utc_day(when) if when else None, shallow=shallow)


def _change(page: SourcePage, answer: DatedPage, query: DateQuery) -> LastChange:
    because, owner, day = answer.because, query.overrides, utc_day(answer.lastmod)
    by_owner = utc_day(owner.lastmod) if owner.lastmod else None
    return LastChange(
        source=page.file,
        commit=because.commit if isinstance(because, Change) else "",
        day=day,
        first=day,
        last=day,
        by_owner=by_owner,
        place=owner.places.get("lastmod") if by_owner else None,
    )


_Days = Callable[[Collection[Path]], Mapping[Path, date]]


def _other_days(root: Path, repo_url: str | None) -> Iterator[tuple[bool, _Days]]:
    """Yield what else git has for files, and whether it may be later than what the project takes.

    Other tools date a page by its own file alone, by the author or the committer, and by each
    commit, also one that renames the file or that its owner ignores.
    """

    def by(when: GitDate, change: GitChange) -> _Days:
        def days(files: Collection[Path]) -> Mapping[Path, date]:
            with git_dates(GitSettings(date=when, change=change), root, repo_url) as git:
                found = git.changes(files)
            return {path: utc_day(change.when) for path, change in found.items()}

        return days

    def plain(files: Collection[Path]) -> Mapping[Path, date]:
        with git_dates(GitSettings(), root, repo_url) as git:
            found = git.first_parent_times(files)
        return {path: utc_day(when) for path, when in found.items()}

    yield True, plain
    yield True, by(GitDate.COMMIT, GitChange.ANY)
    yield False, by(GitDate.AUTHOR, GitChange.ANY)
    yield False, by(GitDate.AUTHOR, GitChange.CONTENT)
