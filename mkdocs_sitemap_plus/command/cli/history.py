"""Ask git when the pages of a sitemap last changed, so that ``check`` can compare its dates."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.any_site.project import (
    Project,
    find_project_of,
    project_of_url,
    read_project,
)
from mkdocs_sitemap_plus.command.checks.git_rules import History, dated
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile
from mkdocs_sitemap_plus.command.cli.kept import report_of_build
from mkdocs_sitemap_plus.command.reader.find import IS_URL, STDIN_NAME, folder_of
from mkdocs_sitemap_plus.command.views.report_reader import read_report
from mkdocs_sitemap_plus.files import absolute_path, repository_folder
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.generator.pages.project_file import project_files_in
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.html.stated_dates import read_date
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import utc_day
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key, within
from mkdocs_sitemap_plus.wording import format_value

_Entries = Mapping[str, EntryInFile]  # by `url_key`; each has a date


class GivenHistory(NamedTuple):
    """What a person named in the call."""

    project: Project | None = None
    report_file: Path | None = None
    site_url: str | None = None  # with a slash at its end
    docs_dir: Path | None = None


def history_of(
    given: GivenHistory, sitemap: str, listed: Sequence[EntryInFile], built: SiteFolder | None
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
    project = _project(given, folder, entries, url)
    folders = (project.site.docs_dir,) if project else (Path.cwd(), *([folder] if folder else ()))
    if not any(os.path.lexists(repository_folder(each) / ".git") for each in folders):
        return None
    if project is None:
        raise _no_project(given, entries)
    report = read_report(given.report_file) if given.report_file else None
    if not report and (folder or not project.is_alone):
        site_dir = folder or project.site.site_dir
        report = report_of_build(site_dir, project, named=bool(given.project))
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
    found = last_changes(project, dates, is_named=given.project is not None)
    if project.is_alone and not project.has_sources and not found.changes:
        raise _no_project(given, entries)
    return found._replace(by_build=by_build)


def _no_project(given: GivenHistory, entries: _Entries) -> SitemapError:
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
    given: GivenHistory, folder: Path | None, entries: _Entries, url: str
) -> Project | None:
    """Return the project that a person named, or the one that the site or this folder has.

    The URL of the site is the one that a person named, or else `url` without a project file.
    """
    if given.docs_dir:
        return project_of_url(folder or Path(), given.site_url or url, given.docs_dir)
    project = given.project or _project_of(given, folder, entries, given.site_url or url)
    if project and given.site_url:
        project = project._replace(site=replace(project.site, url=given.site_url))
    return project


def _project_of(
    given: GivenHistory, folder: Path | None, entries: _Entries, url: str
) -> Project | None:
    """Return the project of a built folder, or the one in the current folder if it says so.

    The latter says by ``site_url`` which URLs are its own. A built folder of another builder has a
    project without options.
    """
    if folder and (project := find_project_of(folder)):
        return project
    if project_files_in(Path()):
        project = read_project(None)
        own = given.site_url or project.site.url or ""
        if own and any(within(entry.loc, own) for entry in entries.values()):
            return project
    return project_of_url(folder, url) if folder and url else None


def _decided(report: Data | None) -> dict[str, tuple[date | None, str]]:
    """Return the day that the last build gave each URL, and the source of its page."""
    found = {}
    for page in report["pages"] if report else ():
        if "entry" in page:
            when = read_date(page["entry"].get("lastmod", ""))
            day = utc_day(when) if when else None
            found[url_key(page["entry"]["loc"])] = day, page.get("source", "")
    return found
