"""Find the report of a built site that its last build wrote.

A report that a command writes is no page, so it must not be published with the site.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.any_site.project import (
    NO_PROJECT_FILE,
    Project,
    built_folder,
    find_project_of,
    project_files_in,
    read_project,
)
from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.printing import print_line
from mkdocs_sitemap_plus.command.views.report_reader import (
    is_report_of,
    read_report,
    report_kept_of,
)
from mkdocs_sitemap_plus.files import absolute_path, is_file, is_folder
from mkdocs_sitemap_plus.generator.kept_report import Data, published_in
from mkdocs_sitemap_plus.generator.output import is_stream, shown_path
from mkdocs_sitemap_plus.generator.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.html.site_folder import SiteFolder, home_url
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError

_NO_REPORT = "no report of its build is kept here"
_BUILD = (
    "Build it here, or let the build write one with the option `report` or with --write-report, "
    "and name that file with --report"
)


class KeptReport(NamedTuple):
    """The report of a build, and what is known of the site."""

    report: Data
    site_dir: Path | None  # absolute; None if only the report is known
    project: Project | None  # None without a project file


def no_report(project: Project | None) -> str:
    """Return what is to be said where no report of a build is known."""
    if project is None or project.is_alone or project.has_plugin:
        return f"{_NO_REPORT}. {_BUILD}"
    plugin = f"{project.file.name} does not have the plugin sitemap-plus"
    return f"{_NO_REPORT}, and {plugin}. Add it, or run `mkdocs-sitemap-plus build`"


def open_project(config_file: Path | None) -> Project:
    """Read a project by `read_project`, and print its notes."""
    project = read_project(config_file)
    console.print_problems(project.notes)
    return project


def open_report(
    config_file: Path | None, site_dir: Path | None, report_file: Path | None
) -> KeptReport:
    """Return the report that a person named, or else that of the last build of a site.

    Without `site_dir`, the site is that of the project. Print a note if its sitemap is of another
    build. Raises SitemapError if there is no report.
    """
    if report_file:
        project = read_project(config_file) if config_file else None
        return KeptReport(read_report(report_file), site_dir and absolute_path(site_dir), project)
    if site_dir is None and not config_file and not project_files_in(Path()):
        fix = "Name it with -f, or the built site with -d."
        raise SitemapError(NO_PROJECT_FILE._replace(fix=fix))
    project = find_project_of(site_dir) if site_dir and not config_file else None
    if project is None and (config_file or project_files_in(Path())):
        project = read_project(config_file)
    console.print_problems(project.notes if project else ())
    folder = built_folder(project, site_dir)
    report = report_of_build(folder, project, named=config_file is not None)
    if report is None:
        place = Place(origin=Origin.OPTION, file=_relative(folder))
        raise SitemapError(Problem(code=Code.REPORT, place=place, found=no_report(project)))
    console.print_problems(other_build(report, folder))
    return KeptReport(report, folder, project)


def note_unknown_project(kept: KeptReport, subjects: Iterable[str]) -> None:
    """Say why commits have no subject, if no project file tells in which repository they are."""
    if kept.project is None and not all(subjects):
        found = "the repository of this site is not known here, so its commits have no subject"
        print_line("Note", f"{found}. Name the project file with -f.")


def report_of_build(site_dir: Path, project: Project | None, *, named: bool = False) -> Data | None:
    """Return the report of the build of a folder; None if it is not known.

    It is kept in the user's cache or in the file of the option ``report``. The folder may have been
    renamed since: then it has the sitemap that the report of the project is about. If a person has
    `named` the project, its report counts too if the home page of the folder has the URL of that
    build: a version of mike has another one. Raises SitemapError if the file of the option can't be
    read.
    """
    kept = report_kept_of(site_dir)
    if project is None:
        return kept
    is_own = site_dir == project.site.site_dir
    name = project.own_options.get("report")
    if isinstance(name, str) and is_file(file := project.site.root / name):
        of_project: Data | None = read_report(file)
    else:
        of_project = kept if is_own else report_kept_of(project.site.site_dir)
    if is_own or (of_project and is_report_of(of_project, site_dir)):
        return of_project
    if kept or not of_project or not named:
        return kept
    url = home_url(SiteFolder(site_dir, ""))
    return of_project if url and url == of_project["site"].get("url") else None


def place_of(data: Data, project: Project | None) -> Place:
    """Return a place of a report. That of an option or a rule gets its line in the project file."""
    place = Place(Origin(data["origin"]), data.get("file"), data.get("key"), data.get("line"))
    if project and place.origin in (Origin.OPTION, Origin.RULE):
        problem = Problem(code=Code.OPTION, found="", place=place)
        place = next(iter(with_option_lines([problem], project.file))).place or place
    return place


def why_no_sitemap(problem: Problem) -> Problem:
    """Return a problem; if it is that a folder has no sitemap, with what its last build said.

    If nothing is known of it, the built site of the project here is named.
    """
    place = problem.place
    if problem.code not in (Code.SITEMAP, Code.NO_SITEMAP) or not place or not place.file:
        return problem
    named = absolute_path(place.file)
    report = report_kept_of(named)
    if why := report and report.get("no_sitemap"):
        return problem._replace(fix=why)
    with suppress(SitemapError):  # where there is no project
        site_dir = read_project(None).site.site_dir
        if named == site_dir and not is_folder(named):
            return problem._replace(fix="Build the site first, or name its folder.")
        if named != site_dir and is_folder(named) and site_dir.is_relative_to(Path.cwd()):
            return problem._replace(fix=f"The built site of this project is {_relative(site_dir)}.")
    return problem


def other_build(report: Data, site_dir: Path) -> Iterator[Problem]:
    """Yield a note if a built site has another sitemap than the report is about."""
    if is_report_of(report, site_dir):
        return
    when = report.get("time", "").replace("T", " ").removesuffix("+00:00")
    at = f", commit {report['commit'][:10]}" if "commit" in report else ""
    yield Problem(
        code=Code.REPORT,
        place=Place(origin=Origin.SITEMAP, file=_relative(site_dir)),
        found=f"the sitemap is not that of the last build that is known here ({when} UTC{at})",
        done="This output is about that build.",
        fix="If it is not what you want, build the site again.",
        level=Level.NOTE,
    )


def _relative(folder: Path) -> str:
    return Path(os.path.relpath(folder)).as_posix()


def refuse_published(output: Path, project: Project | None, site_dir: Path | None = None) -> None:
    """Raise SitemapError if a file would be part of a site, or of the sources of the project."""
    if project is None and project_files_in(Path()):  # the report alone was named
        with suppress(SitemapError):
            project = read_project(None)
    docs_dir = project and project.site.docs_dir
    folder = published_in(output, site_dir or (project and project.site.site_dir), docs_dir)
    if folder and not is_stream(output):
        place = Place(origin=Origin.OPTION, file=shown_path(output))
        found, done = f"it is in {folder}, where it would be published", "Nothing is written."
        fix = "Name a file in another folder."
        raise SitemapError(Problem(Code.WRITE, found, place, done=done, fix=fix))
