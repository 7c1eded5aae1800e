"""The road: decide, then write."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.options.settings import Settings, Split
from mkdocs_sitemap_plus.output.json_report import report_of, to_json
from mkdocs_sitemap_plus.output.write import (
    name_in_robots,
    remove_files,
    write_beside,
    write_files,
    write_if_changed,
)
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.pipeline.extra_sitemaps import extra_sitemaps
from mkdocs_sitemap_plus.pipeline.site_url import fault, site_url_problem
from mkdocs_sitemap_plus.pipeline.theme import parted, theme_problems
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.render import STYLESHEET, stylesheet
from mkdocs_sitemap_plus.sitemap.split import Layout, files, index_name
from mkdocs_sitemap_plus.wording import counted, format_value


def writes_for(site_url: str | None) -> bool:
    """Whether a site with this URL gets a sitemap from us; else its own is left alone."""
    return fault(site_url) is None


def _nobody(doing: str) -> None:
    """Nobody is told what is being done."""


def generate(
    site: Site,
    settings: Settings,
    history: History,
    now: datetime,
    tell: Callable[[str], None] = _nobody,
) -> Outcome:
    """Decide on every page of `site` and write its sitemap, in as many files as it takes.

    Args:
        site: the built site.
        settings: what its owner says.
        history: the repositories.
        now: the clock, aware; only dates in the future are held against it.
        tell: is told what is being done, in a few words, before each part that may take long.

    Raises:
        SitemapError: the owner wants this build to stop, or a file can't be written.
    """
    url_problem = site_url_problem(site)
    known = (url_problem,) if url_problem else ()
    if not writes_for(site.url):
        return Outcome(site=site, decisions=(), problems=known)
    tell(f"dating {counted(len(site.pages), 'page')}")
    outcome = decide(site, settings, history, now)
    outcome = replace(outcome, problems=(*known, *outcome.problems))
    listed, apart = parted(outcome, settings.filename)
    if not listed and not apart:
        remove_files(site.site_dir, settings.filename)
        return replace(outcome, problems=(*outcome.problems, _empty(settings.filename)))
    others, problems = extra_sitemaps(site, settings)
    layout = _layout(site, settings, others)
    tell(f"writing {counted(len(listed) + len(apart), 'URL')}")
    if settings.stylesheet:
        write_beside(site.site_dir, STYLESHEET, stylesheet())
    made = files(_entries(listed), layout, _entries(apart))
    written = write_files(site.site_dir, made, settings.filename)
    beside = index_name(settings.filename)
    first = beside if beside in written else settings.filename
    robots = named_in_robots(site, first) if settings.robots_txt else None
    of_theme = theme_problems(site, layout, apart, written)
    problems = [*outcome.problems, *problems, *of_theme, *([robots] if robots else ())]
    return replace(outcome, files=written, problems=tuple(problems))


def _entries(decisions: list[Decision]) -> list[UrlEntry]:
    return [decision.entry for decision in decisions if decision.entry]


def _layout(site: Site, settings: Settings, others: tuple[str, ...]) -> Layout:
    return Layout(
        filename=settings.filename,
        base=site.url or "",
        max_urls=settings.max_urls,
        max_bytes=settings.max_bytes,
        sections=settings.split is Split.SECTION,
        others=others,
        stylesheet=STYLESHEET if settings.stylesheet else None,
    )


def named_in_robots(site: Site, name: str) -> Problem | None:
    """Name the sitemap in ``robots.txt``; robots read it at the root of a host only (RFC 9309 2.3).

    Args:
        site: the built site, which has a URL.
        name: the file name of the sitemap, or of the index.

    Raises:
        SitemapError: the file can't be written.
    """
    url = site.url or ""
    if urlsplit(url).path != "/":
        return Problem(
            code="robots-txt",
            place=Place(origin=Origin.OPTION, file=site.project_file, key="robots_txt"),
            found=f"is set, but robots.txt is read only at the root of a host, not under {url}",
            done="None is written.",
            fix=f"Add the line 'Sitemap: {url}{name}' to {urljoin(url, '/robots.txt')}.",
        )
    return name_in_robots(site.site_dir, f"{url}{name}")


def replaced(file: str) -> Problem:
    """The note that a file or template of the site's owner is replaced by our sitemap.

    Args:
        file: its path from the folder of the project file.
    """
    return Problem(
        code="replaced",
        place=Place(origin=Origin.PLUGIN, file=file),
        found="this file is not published, since the plugin writes the sitemap",
        fix="Delete it. Set values such as changefreq and priority as options of sitemap-plus.",
        note=True,
    )


def write_report(outcome: Outcome, settings: Settings) -> Problem | None:
    """Write the report on `outcome`, where the owner wants one; or what is wrong with its path."""
    site, name = outcome.site, settings.report
    if name is None:
        return None
    path = Path(os.path.abspath(site.root / name))  # noqa: PTH100 - resolve() follows links
    if path.is_relative_to(site.docs_dir):
        return _no_report(site, name, "is in the docs folder, where it would be published")
    if path.is_relative_to(site.site_dir):
        return _no_report(site, name, "is in the built site, where it would be published")
    try:
        write_if_changed(path, to_json(report_of(outcome)))
    except OSError as error:
        return _no_report(site, name, f"can't be written ({error.strerror})")
    return None


def _no_report(site: Site, name: str, fault: str) -> Problem:
    return Problem(
        code="report",
        place=Place(origin=Origin.OPTION, file=site.project_file, key="report"),
        found=f"is {format_value(name)}, which {fault}",
        done="No report is written.",
    )


def _empty(filename: str) -> Problem:
    return Problem(
        code="empty",
        place=Place(origin=Origin.PLUGIN, file=filename),
        found="no page of the site can be listed",
        done="No file is written, since a sitemap must not be empty.",
    )
