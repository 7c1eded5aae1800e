"""When the pages of a sitemap last changed, by all rules that git has for it."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from mkdocs_sitemap_plus.built_site import Project, read_plugin_options
from mkdocs_sitemap_plus.built_site.by_url import pages_of, sources_below
from mkdocs_sitemap_plus.built_site.site import read_site
from mkdocs_sitemap_plus.check import Listed
from mkdocs_sitemap_plus.check.git import Dated, History, LastChange
from mkdocs_sitemap_plus.files import absolute_path
from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDate, NoDate
from mkdocs_sitemap_plus.lastmod import Dated as DatedPage
from mkdocs_sitemap_plus.lastmod import DateQuery, Reason, date_by_files
from mkdocs_sitemap_plus.lastmod.git import git_dates
from mkdocs_sitemap_plus.options import GitSettings, Settings, Shallow
from mkdocs_sitemap_plus.pages import Evidence, SourcePage, UncheckedSite
from mkdocs_sitemap_plus.pipeline import key_of
from mkdocs_sitemap_plus.pipeline.dates import date_queries
from mkdocs_sitemap_plus.pipeline.select import overrides_of
from mkdocs_sitemap_plus.sitemap import utc_day
from mkdocs_sitemap_plus.sitemap.find import IS_URL, folder_of
from mkdocs_sitemap_plus.sitemap.urls import url_key, within
from mkdocs_sitemap_plus.web.site_folder import SiteFolder

_Entries = Mapping[str, Listed]  # by `url_key`; each has a date


def last_changes(
    project: Project,
    entries: _Entries,
    built: SiteFolder | None,
    told: Mapping[str, str],
    *,
    is_named: bool,
) -> History:
    """Return what git says of the pages of entries, as far as their sources are known.

    `entries`, and `told`, the sources that a build has told, are by the `url_key`; each entry has a
    date. `built` is the site that the sitemap is in. A person named the project if it `is_named`:
    then the URLs need not be those of ``site_url``.
    """
    settings = read_plugin_options(project).settings
    folder = absolute_path(built.folder) if built else None
    is_own = is_named or (folder is not None and folder == project.site.site_dir)
    found = list[SourcePage]()
    if not project.is_alone:
        known = {entry.loc: told[key] for key, entry in entries.items() if key in told}
        below = _by_path(project, entries, built, is_own=is_own)
        by_path = {url: source for url, source in below.items() if url not in known}
        found += pages_of(known, project, settings, Evidence.REPORT)
        found += pages_of(by_path, project, settings, Evidence.PATH)
    missing = entries.keys() - {url_key(page.loc) for page in found}
    if built and folder and missing and (project.is_alone or is_own):
        # A built page is read only where its URL does not tell the source.
        here = replace(project.site, url=built.url or project.site.url)
        site = read_site(project._replace(site=here), folder, settings).site
        found += (p for p in site.pages if p.source_files and url_key(p.loc) in missing)
    else:
        site = project.site
    pages = {key: page for page in found if (key := url_key(page.loc)) in entries}
    site = replace(site, pages=(*pages.values(),))
    return _compared(entries, pages, site, settings, project) if pages else History()


def _by_path(
    project: Project, entries: _Entries, built: SiteFolder | None, *, is_own: bool
) -> dict[str, str]:
    """Return the sources that the paths of URLs tell: below ``site_url``, or in a preview."""
    url = project.site.url
    urls = {entry.loc for entry in entries.values()}
    inside = {each for each in urls if url and within(each, url)}
    below = sources_below(inside, url, project) if url else {}
    if is_own:
        for entry in entries.values():
            if entry.loc not in inside:
                of_file = folder_of(entry.file) if IS_URL.match(entry.file) else ""
                if folder := built.url if built else of_file:
                    below |= sources_below({entry.loc}, folder, project)
    return below


def _day(entry: Listed) -> date:
    return utc_day(entry.lastmod) if entry.lastmod else date.min


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
