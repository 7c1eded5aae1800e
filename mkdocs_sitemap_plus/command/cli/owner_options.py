"""Say what the owner of a built site decided, so that ``check`` does not contradict it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.command.any_site.project import Project
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.checks.page_rules import lastmod_differs
from mkdocs_sitemap_plus.command.cli.kept import NO_REPORT, place_of
from mkdocs_sitemap_plus.command.views.report_reader import is_report_of
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.problems import Origin
from mkdocs_sitemap_plus.sitemap.urls import url_key


def owner_of(report: Data | None, project: Project | None, site_dir: Path) -> Owner:
    """Return what the build of a site decided. Who writes `page_dates: false` accepts other dates.

    Without a report, nothing is known to be left out.
    """
    accepts_dates = project is not None and project.own_options.get("page_dates") is False
    pages: Sequence[Data] = [*report["pages"], *report["others"]] if report else ()
    return Owner(
        report,
        site_dir,
        is_of_folder=report is not None and is_report_of(report, site_dir),
        why_gone=lambda locs: _by_decision(locs, pages, project),
        accepts=(lambda finding: finding.rule is lastmod_differs) if accepts_dates else None,
        transforms=project is not None and "transform" in project.own_options,
        why_unknown=None if report else f"what the owner left out is not known: {NO_REPORT}",
    )


def _by_decision(
    locs: Iterable[str], pages: Iterable[Data], project: Project | None
) -> dict[str, str]:
    """Return why URLs that were listed before are left out now, by URL."""
    left_out = {
        url_key(page["loc"]): page for page in pages if "left_out" in page and "loc" in page
    }
    return {
        loc: _reason(left_out[url_key(loc)], project) for loc in locs if url_key(loc) in left_out
    }


def _reason(page: Data, project: Project | None) -> str:
    out = page["left_out"]
    place = out["place"]
    if place["origin"] not in (Origin.FRONT_MATTER, Origin.OPTION, Origin.RULE):
        return f"{out['reason']}: {out['detail']}"
    return f"{out['reason']} by {place_of(place, project)}"
