"""When the pages of a sitemap last changed, by all rules that git has for it.

The pages are known by their URLs alone: nothing needs to be built. Whose docs folder has their
sources is what somebody stated. A path alone proves nothing: languages that are built apart, a
project below another one and the blog of another builder have the same paths as these pages.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.any_site.built_site import read_site, with_sources
from mkdocs_sitemap_plus.command.any_site.page_sources import BuiltPage
from mkdocs_sitemap_plus.command.any_site.project import Project, read_plugin_options, read_project
from mkdocs_sitemap_plus.command.any_site.source_files import (
    check_docs_dir,
    folder_meta,
    with_source_text,
)
from mkdocs_sitemap_plus.command.checks.git_rules import (
    ComparedEntry,
    History,
    LastChange,
    NotJudged,
)
from mkdocs_sitemap_plus.command.checks.mike import is_version
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile
from mkdocs_sitemap_plus.command.reader.find import common_folder
from mkdocs_sitemap_plus.command.reader.versions import (
    LIST,
    Versions,
    names_of,
    usable_versions,
    versions_of,
)
from mkdocs_sitemap_plus.files import Unreadable, absolute_path, is_file, path_from, real_path
from mkdocs_sitemap_plus.generator.lastmod.date_source import (
    Dated,
    DateQuery,
    Reason,
    date_by_files,
)
from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates
from mkdocs_sitemap_plus.generator.options.settings import GitSettings, Settings, Shallow
from mkdocs_sitemap_plus.generator.pages.site import Evidence, MadeFrom, SourcePage
from mkdocs_sitemap_plus.generator.pipeline.date_pages import date_queries
from mkdocs_sitemap_plus.generator.pipeline.decisions import key_of
from mkdocs_sitemap_plus.generator.pipeline.select import overrides_of
from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDate, NoDate
from mkdocs_sitemap_plus.gitdates.at_head import AtHead, at_head, content_at, subject_of_last
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import utc_day
from mkdocs_sitemap_plus.sitemap.urls import path_below, url_key, within

_PROJECT_FILE = re.compile(r"(?:.*/)?[^/]*(?:mkdocs|properdocs|zensical)[^/]*\.(?:ya?ml|toml)")
_DEPLOYED = "refs/remotes/origin/gh-pages"
_MAX_LIST = 1 << 20  # bytes of a list of versions
_OF_MIKE = re.compile(r"Deployed ([0-9a-f]{7,64}) to ")  # the subject of a commit of mike


class Version(NamedTuple):
    """A version of a site, in a folder of its own."""

    url: str  # of the folder, with a slash at its end
    commit: str | None  # from which it was deployed, perhaps on another branch, as far as known


class Root(NamedTuple):
    """A folder on the web, and the project whose docs folder has its sources at the same paths."""

    url: str  # with a slash at its end
    project: Project | None  # None: several, and so nobody knows


def roots_of(project: Project) -> Sequence[Root]:
    """Return the folders on the web of a project, and what is in them; the deepest first.

    They are its ``site_url``, those that ``alternates`` gives to its languages, and the
    ``site_url`` of other project files at HEAD that is below its own.
    """
    url = project.site.url
    own = [Root(url, project)] if url else []
    found = {root.url: root for root in (*_of_languages(project), *own)}
    for root in _of_others(project, url) if url else ():
        known = found.setdefault(root.url, root)
        folders = {each.project and real_path(each.project.site.docs_dir) for each in (known, root)}
        if len(folders) > 1:
            found[root.url] = known._replace(project=None)
    return sorted(found.values(), key=lambda root: len(root.url), reverse=True)


def _of_languages(project: Project) -> Iterator[Root]:
    site, languages = project.site, _settings(project).alternates
    for language in languages if isinstance(languages, tuple) else ():
        docs_dir = absolute_path(site.root / language.docs_dir)
        of_language = replace(site, url=language.url, docs_dir=docs_dir)
        yield Root(language.url, project._replace(site=of_language))


def _of_others(project: Project, url: str) -> Iterator[Root]:
    read, own = at_head(project.site.root), real_path(project.file)
    if not isinstance(read, AtHead):
        return
    for path in sorted(read.files):
        if _PROJECT_FILE.fullmatch(path) and real_path(read.top / path) != own:
            with suppress(SitemapError):
                other = read_project(read.top / path)
                below = other.site.url
                if below and below != url and within(below, url):
                    yield Root(below, other)


def version_of(project: Project, urls: Collection[str], folder: Path | None) -> Version | None:
    """Return the version of which these are all URLs; None if nothing says that it is one.

    That does a ``versions.json`` beside the `folder` of the sitemap, or at the top of the branch
    that mike deployed, if it names the first folder below ``site_url`` that all URLs share. Without
    either, the project file does if it has mike.
    """
    base, shared = project.site.url, common_folder(urls) if urls else ""
    if not base or not shared.startswith(base) or shared == base:
        return None
    name = shared.removeprefix(base).partition("/")[0]
    versions = (folder and usable_versions(folder.parent)) or _deployed(project.site.root)
    is_stated = name in names_of(versions) if versions else project.has_versions
    if not is_stated:
        return None
    own = next((each for each, aliases in (versions or {}).items() if name in aliases), name)
    deployed = _OF_MIKE.match(subject_of_last(project.site.root, _DEPLOYED, own))
    return Version(f"{base}{name}/", deployed[1] if deployed else None)


def _deployed(root: Path) -> Versions | None:
    with suppress(Unreadable):
        listed = content_at(root, _DEPLOYED, LIST, _MAX_LIST)
        return versions_of(listed) if listed else None
    return None


class AskedDates(NamedTuple):
    """The dates of a sitemap that git is asked about, and what is known of the sitemap."""

    entries: Mapping[str, EntryInFile]  # by `url_key`: those with a date that are asked about
    urls: Collection[str]  # all that it lists
    folder: Path | None  # in which it is; None on the web
    url: str  # of its folder; empty if it is not known
    built: SiteFolder | None  # the built site that it is in
    known_sources: Mapping[str, str]  # sources that the last build has told, by `url_key`


def last_changes(project: Project, asked: AskedDates, *, is_named: bool) -> History:
    """Return what git says of the pages of entries, and why it says nothing of others.

    A person named the project if it `is_named`: then the URLs need not be those of ``site_url``.
    """
    built, found = asked.built, _Found()
    is_own = is_named or bool(built and absolute_path(built.folder) == project.site.site_dir)
    if not project.is_alone:
        _find_by_path(project, asked, found, is_own=is_own)
    elif not built:
        found.add(project, *pages_at_paths((e.loc for e in asked.entries.values()), project))
    missing = asked.entries.keys() - found.keys()
    if built and missing and (project.is_alone or is_own):
        # A built page is read only where its URL does not tell the source.
        pages = _built_pages(project, built, found.version)
        found.add(project, [page for page in pages if url_key(page.loc) in missing])
    changes, not_judged, head = dict[str, LastChange](), dict[str, NotJudged](), None
    for of_project, pages in found.by_project.values():
        some = _compared(asked.entries, pages, of_project, found.version, project.site.root)
        changes |= some.changes
        not_judged |= some.not_judged
        head = head or some.head
    several = {url_key(url) for url in found.several}
    for key in (key for key in asked.entries if key not in changes):
        not_judged.setdefault(key, NotJudged.TWO_SOURCES if key in several else NotJudged.NO_SOURCE)
    is_listed = bool(asked.folder and is_version(asked.folder))
    is_of_version = is_listed or found.version is not None
    return History(changes, not_judged, head=head, is_version=is_of_version)


class _Found:
    """The pages whose source is known, and what is known of others."""

    def __init__(self) -> None:
        self.by_project: dict[tuple[Path, Path], tuple[Project, list[SourcePage]]] = {}
        self.several: set[str] = set()  # the URLs that may have several sources
        self.version: Version | None = None  # if the site is one

    def add(
        self, project: Project, pages: Iterable[SourcePage], several: Iterable[str] = ()
    ) -> None:
        key = project.file, project.site.docs_dir
        known = self.by_project.setdefault(key, (project, []))[1]
        # Hugo's page of a section lists what is in it: its date is rightly that of the newest.
        known += (p for p in pages if p.source_files and p.source_files[0].stem != "_index")
        self.several.update(several)

    def add_possible(self, project: Project, sources: Mapping[str, Collection[str]]) -> None:
        one = {url: next(iter(each)) for url, each in sources.items() if len(each) == 1}
        pages = pages_of(one, project, Evidence.PATH)
        self.add(project, pages, sources.keys() - one.keys())

    def keys(self) -> set[str]:
        return {url_key(page.loc) for _, pages in self.by_project.values() for page in pages}


def _find_by_path(project: Project, asked: AskedDates, found: _Found, *, is_own: bool) -> None:
    """Find the pages whose source the last build told, or the path of their URL tells."""
    reported = asked.known_sources
    known = {e.loc: reported[key] for key, e in asked.entries.items() if key in reported}
    found.add(project, pages_of(known, project, Evidence.REPORT))
    unknown = {entry.loc for entry in asked.entries.values()} - known.keys()
    others = {*asked.urls}
    for root in roots_of(project):
        inside = {url for url in others if within(url, root.url)}
        others -= inside
        if root.project is project:
            found.version = version_of(project, inside, asked.folder)
            sources = possible_sources(unknown & inside, root.url, project)
            if found.version:
                of_version = possible_sources(unknown & inside, found.version.url, project)
                sources = {
                    url: [*dict.fromkeys((*sources.get(url, ()), *of_version.get(url, ())))]
                    for url in sources.keys() | of_version.keys()
                }
            found.add_possible(project, sources)
        elif root.project and (here := unknown & inside):
            with suppress(SitemapError):  # of no use in this repository, so nobody knows
                found.add_possible(root.project, possible_sources(here, root.url, root.project))
    if is_own and asked.url and (preview := unknown & others):
        found.add_possible(project, possible_sources(preview, asked.url, project))


def _built_pages(
    project: Project, built: SiteFolder, version: Version | None
) -> Iterable[SourcePage]:
    """Return the built pages with their sources.

    A folder below that of the project which is no version has other sources at the same paths, as
    that of a language: there the pages must name theirs.
    """
    url = project.site.url
    is_other = url and within(built.url, url) and built.url != url and not version
    site = project.site if project.is_alone else replace(project.site, url=built.url or url)
    if is_other and not project.is_alone:
        project = project._replace(has_sources=False)
        site = replace(site, project_file="")
    here = project._replace(site=site)
    return read_site(here, absolute_path(built.folder), _settings(project)).site.pages


def _settings(project: Project) -> Settings:
    """Return the options of a project. Raises SitemapError if one is invalid."""
    return read_plugin_options(project).settings


def _day(entry: EntryInFile) -> date:
    return utc_day(entry.lastmod) if entry.lastmod else date.min


def _compared(
    asked: Mapping[str, EntryInFile],
    found: Sequence[SourcePage],
    project: Project,
    version: Version | None,
    root: Path,
) -> History:
    """Return the first and the last day that git has for each page; `root` is where it is told."""
    pages = {key: page for page in found if (key := url_key(page.loc)) in asked}
    if not pages:
        return History()
    settings, site = _settings(project), replace(project.site, pages=(*pages.values(),))
    to_date = [(page, overrides_of(page, settings)[0]) for page in pages.values()]
    keys = {key_of(page): key for key, page in pages.items()}
    by_page = date_queries(to_date, site, settings)
    docs_dir = site.docs_dir
    own = replace(settings.lastmod.git, shallow=Shallow.OMIT)  # a check fetches nothing
    with git_dates(own, site.root, project.repo_url) as git:
        if project.has_sources:
            git.start(docs_dir)
        found_dates = date_by_files(by_page, git.tracked, git.last_changes)
        when = git.head_time(docs_dir)
    queries = {keys[key]: query for key, query in by_page.items()}
    answers = {keys[key]: answer for key, answer in found_dates.items()}
    changes = {
        key: _change(pages[key], path_from(root, site.root / pages[key].file), answer, queries[key])
        for key, answer in answers.items()
        if isinstance(answer, Dated)
    }
    files = {key: queries[key].source_files[0] for key in changes if queries[key].source_files}
    for later, days_of in _other_days(site.root, project.repo_url, version):
        some = {
            key: path
            for key, path in files.items()
            if (row := ComparedEntry(asked[key], _day(asked[key]), changes[key])).differs
            and row.is_late is later
        }
        days = days_of(set(some.values())) if some else {}
        for key, path in some.items():
            if day := days.get(path):
                change = changes[key]
                first, last = min(change.first, day), max(change.last, day)
                changes[key] = change._replace(first=first, last=last)
    not_judged = {
        key: _NOT_JUDGED.get(answer.reason, NotJudged.NO_DATE)
        for key, answer in answers.items()
        if isinstance(answer, NoDate)
    }
    return History(changes, not_judged, head=utc_day(when) if when else None)


_NOT_JUDGED: Mapping[str, NotJudged] = {
    Reason.SHALLOW: NotJudged.SHALLOW,
    Reason.UNKNOWN_INCLUDE: NotJudged.NO_SOURCE,
    Reason.UNKNOWN_SOURCE: NotJudged.NO_SOURCE,
}


def _change(page: SourcePage, source: str, answer: Dated, query: DateQuery) -> LastChange:
    origin, owner, day = answer.origin, query.overrides, utc_day(answer.lastmod)
    commit = origin.commit if isinstance(origin, Change) else ""
    by_owner = utc_day(owner.lastmod) if owner.lastmod else None
    place = owner.places.get("lastmod") if by_owner else None
    evidence = page.made_from[0].evidence
    return LastChange(source, evidence, commit, day, day, day, by_owner, place)


_Days = Callable[[Collection[Path]], Mapping[Path, date]]


def _other_days(
    root: Path, repo_url: str | None, version: Version | None
) -> Iterator[tuple[bool, _Days]]:
    """Yield what else git has for files, and whether it may be later than what the project takes.

    Other tools date a page by its own file alone, by the author or the committer, and by each
    commit, also one that renames the file or that its owner ignores. What was picked for an old
    version may be later on its branch.
    """

    def by(settings: GitSettings, files: Collection[Path]) -> Mapping[Path, date]:
        with git_dates(settings, root, repo_url) as git:
            found = git.changes(files)
        return {path: utc_day(change.when) for path, change in found.items()}

    def plain(files: Collection[Path], revision: str = "HEAD") -> Mapping[Path, date]:
        with git_dates(GitSettings(), root, repo_url) as git:
            found = git.first_parent_times(files, revision)
        return {path: utc_day(when) for path, when in found.items()}

    yield True, plain
    if version and version.commit:
        yield True, partial(plain, revision=version.commit)
    yield True, partial(by, GitSettings(date=GitDate.COMMIT, change=GitChange.ANY))
    yield False, partial(by, GitSettings(date=GitDate.AUTHOR, change=GitChange.ANY))
    yield False, partial(by, GitSettings(date=GitDate.AUTHOR, change=GitChange.CONTENT))


def possible_sources(
    urls: Iterable[str], folder: str, project: Project
) -> Mapping[str, Sequence[str]]:
    """Return the sources that each of these URLs may have, by its path below a folder's URL.

    They are relative to the docs folder. Raises SitemapError without one.
    """
    check_docs_dir(project.site)
    layout = project.layout(project.languages(project.site.site_dir))
    paths = {url: path for url in urls if (path := _path_below(url, folder)) is not None}
    built = {url: dest for url, path in paths.items() if (dest := layout.built_path(path))}
    sources = layout.sources({*built.values()}, {*built.values()})
    found = {url: sources[dest] for url, dest in built.items() if dest in sources}
    files = {url: paths[url].lstrip("/") for url in built.keys() - found.keys()}  # MkDocs copies
    copied = {url: [path] for url, path in files.items() if is_file(layout.docs_dir / path)}
    return {**found, **copied}


def _path_below(url: str, folder: str) -> str | None:
    return None if "?" in url else path_below(url, folder)


def pages_of(
    sources: Mapping[str, str], project: Project, evidence: Evidence
) -> Iterator[SourcePage]:
    """Yield the pages of sources, given by URL, with what they say. `dest_uri` is the URL."""
    inherited = folder_meta(project.site.docs_dir, project.plugins.get("meta"))
    settings = _settings(project)
    for url, source in sources.items():
        page = _page(url, source)._replace(
            made_from=(MadeFrom(project.site.docs_dir / source, evidence),),
            parts=project.parts_of(source),
        )
        yield with_source_text(page, project.site, settings.lastmod, inherited)


def pages_at_paths(
    urls: Iterable[str], project: Project
) -> tuple[Sequence[SourcePage], Collection[str]]:
    """Return the pages whose paths below the URL of the site are those of one source.

    The project is that of any builder, whose docs folder a person named; the rules are those of its
    built pages. Returned as well are the URLs that may have several sources.
    """
    site = project.site
    layout = project.layout()._replace(directory_urls=False)
    built = {
        dest: url
        for url in urls
        if (path := _path_below(url, site.url or "")) is not None
        and (dest := layout.built_path(path))
    }
    pages = [_page(url, dest)._replace(dest_uri=dest) for dest, url in built.items()]
    asked = [BuiltPage(page.dest_uri, page.loc) for page in pages]
    pages, found, _ = with_sources(pages, asked, project, None)
    return pages, {built[dest] for dest in found.several}


def _page(url: str, src_uri: str) -> SourcePage:
    return SourcePage(src_uri, src_uri, url, url, meta={}, built=None)
