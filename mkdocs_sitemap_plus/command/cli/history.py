"""Ask git when the pages of a sitemap last changed, so that ``check`` can compare its dates."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.any_site.project import (
    Project,
    project_files_in,
    project_of_url,
    read_project,
)
from mkdocs_sitemap_plus.command.checks.git_rules import History, dated
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile
from mkdocs_sitemap_plus.command.cli.kept import report_of_build
from mkdocs_sitemap_plus.command.reader.find import IS_URL, STDIN_NAME, folder_of
from mkdocs_sitemap_plus.files import absolute_path, repository_folder
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.html.stated_dates import read_date
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import utc_day
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key, within
from mkdocs_sitemap_plus.wording import format_value

_Entries = Mapping[str, EntryInFile]  # by `url_key`; each has a date


class Given(NamedTuple):
    """What a person named in the call."""

    project: Project | None  # that of this folder if nothing is named
    config_file: Path | None
    report_file: Path | None
    report: Data | None  # what is in that file
    where: Sequence[str]  # files, folders and URLs of sitemaps
    site_url: str | None  # with a slash at its end
    docs_dir: Path | None
    needs_git: bool  # so it is said if there is no repository


KnownSite = Callable[[Path], tuple[Data | None, Project | None]]
"""Takes a built folder; returns the report of its build, and its project."""


def history_of(
    given: Given,
    known_site: KnownSite,
    sitemap: str,
    listed: Sequence[EntryInFile],
    built: SiteFolder | None,
) -> History | None:
    """Return what git says of the dates of a sitemap; None if it has none, or is in no clone.

    `sitemap` is its path or URL, and `built` the site that it is in, as far as that is known.
    Raises SitemapError with the reason if git is not asked.
    """
    entries = dated(listed)
    if not entries:
        return None
    on_web = bool(IS_URL.match(sitemap))
    folder = absolute_path(built.folder) if built else None
    root = folder_of(sitemap) if on_web else f"{origin_url(next(iter(entries.values())).loc)}/"
    url = built.url if built else root
    report, project_of_site = known_site(built.folder) if built else (None, None)
    project = _project(given, folder, project_of_site, entries, url)
    folders = (project.site.docs_dir,) if project else (Path.cwd(), *([folder] if folder else ()))
    if not any(os.path.lexists(repository_folder(each) / ".git") for each in folders):
        if given.config_file or given.docs_dir or given.needs_git:
            raise SitemapError(Problem(Code.SITE, "there is no git repository"))
        return None
    if project is None:
        raise _no_project(given, entries)
    report = report or given.report
    if not report and (folder or not project.is_alone):  # the folder may be a copy
        site_dir, is_named = folder or project.site.site_dir, given.config_file is not None
        report = report_of_build(site_dir, project, named=is_named)
    decided = _decided(report)
    asked = {
        key: entry
        for key, entry in entries.items()
        if key not in decided or not entry.lastmod or decided[key][0] != utc_day(entry.lastmod)
    }
    by_build = len(entries) - len(asked)
    if not asked:
        return History(by_build=by_build)
    from mkdocs_sitemap_plus.command.any_site.last_changes import AskedDates, last_changes  # noqa: PLC0415 - 60 ms; all may be known

    sources = {key: source for key, (_, source) in decided.items() if source}
    own_folder = folder or (None if on_web or sitemap == STDIN_NAME else Path(sitemap).parent)
    urls = {entry.loc for entry in listed}
    dates = AskedDates(asked, urls, own_folder, url, built, sources)
    found = last_changes(project, dates, is_named=given.config_file is not None)
    if project.is_alone and not project.has_sources and not found.changes:
        raise _no_project(given, entries)
    return found._replace(by_build=by_build)


def _no_project(given: Given, entries: _Entries) -> SitemapError:
    """Return why nothing tells of which files the pages are made."""
    here = project_files_in(Path())
    if not here:
        return SitemapError(Problem(code=Code.SITE, found="no project file, no --docs-dir"))
    own = given.site_url or read_project(None).site.url
    says = f"says that its site is {format_value(own)}" if own else "has no site_url"
    first = next(iter(entries.values()))
    host = origin_url(first.loc)
    other = first.file if host is None or host == origin_url(own or "") else host
    found = f"{here[0]} {says}, and so {format_value(other)} may be of another project"
    fix = f"If it is of this one, name it: -f {here[0]}"
    return SitemapError(Problem(code=Code.SITE, found=found, fix=fix))


def _project(
    given: Given, folder: Path | None, of_site: Project | None, entries: _Entries, url: str
) -> Project | None:
    """Return the project that a person named, or the one that the site or this folder has.

    The latter says by ``site_url`` which URLs are its own. A built folder of another builder has a
    project without options, and the URL that a person named, or else `url`.
    """
    if given.docs_dir:
        return project_of_url(folder or Path(), given.site_url or url, given.docs_dir)
    project = given.project if given.config_file else of_site
    if project is None and project_files_in(Path()):
        here = read_project(None)
        own = given.site_url or here.site.url or ""
        project = here if own and any(within(e.loc, own) for e in entries.values()) else None
    if project is None and folder and (url := given.site_url or url):
        project = project_of_url(folder, url)
    if project and given.site_url:
        project = project._replace(site=replace(project.site, url=given.site_url))
    return project


def _decided(report: Data | None) -> dict[str, tuple[date | None, str]]:
    """Return the day that the last build gave each URL, and the source of its page."""
    found = {}
    for page in report["pages"] if report else ():
        if "entry" in page:
            when = read_date(page["entry"].get("lastmod", ""))
            day = utc_day(when) if when else None
            found[url_key(page["entry"]["loc"])] = day, page.get("source", "")
    return found
