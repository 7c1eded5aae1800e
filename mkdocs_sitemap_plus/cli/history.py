"""Ask git when the pages of a sitemap last changed, so that ``check`` can compare its dates."""

import os
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from mkdocs_sitemap_plus.built_site import (
    Project,
    find_project_of,
    project_of_url,
    read_project,
)
from mkdocs_sitemap_plus.check import Listed, by_url
from mkdocs_sitemap_plus.check.git import History
from mkdocs_sitemap_plus.cli.kept import report_of_build
from mkdocs_sitemap_plus.files import absolute_path, repository_folder
from mkdocs_sitemap_plus.pages.project_file import project_files_in
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.report import Data
from mkdocs_sitemap_plus.report.read import read_report
from mkdocs_sitemap_plus.sitemap import utc_day
from mkdocs_sitemap_plus.sitemap.find import IS_URL
from mkdocs_sitemap_plus.sitemap.urls import url_key, within
from mkdocs_sitemap_plus.web.site_folder import SiteFolder
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
    if not asked:
        return History(by_build=by_build)
    from mkdocs_sitemap_plus.built_site.last_changes import last_changes  # noqa: PLC0415 - all may be known

    sources = {key: source for key, (_, source) in decided.items() if source}
    found = last_changes(project, asked, built, sources, is_named=bool(named))
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
    on_web = any(IS_URL.match(entry.file) for entry in entries.values())
    if on_web and not here and os.path.lexists(repository_folder(Path.cwd()) / ".git"):
        found = "no mkdocs.yml here tells of which file a page is made"
        fix = "Build the site, and name its folder"
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
