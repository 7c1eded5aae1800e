"""Say what the owner of a built site decided, so that ``check`` does not contradict it."""

from pathlib import Path

from mkdocs_sitemap_plus.command.any_site.project import Project
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.checks.page_rules import lastmod_differs
from mkdocs_sitemap_plus.command.cli.kept import NO_REPORT, place_of
from mkdocs_sitemap_plus.command.views.report_reader import is_report_of
from mkdocs_sitemap_plus.generator.kept_report import Data


def owner_of(report: Data | None, project: Project | None, site_dir: Path) -> Owner:
    """Return what the build of a site decided. Who writes `page_dates: false` accepts other dates.

    Without a report, nothing is known to be left out.
    """
    accepts_dates = project is not None and project.own_options.get("page_dates") is False
    return Owner(
        report,
        site_dir,
        is_of_folder=report is not None and is_report_of(report, site_dir),
        place_of=lambda place: place_of(dict(place), project),
        accepts=(lambda finding: finding.rule is lastmod_differs) if accepts_dates else None,
        transforms=project is not None and "transform" in project.own_options,
        why_unknown=None if report else f"what the owner left out is not known: {NO_REPORT}",
    )
