"""The road: decide, then write."""

from dataclasses import replace
from datetime import datetime

from mkdocs_sitemap_plus.decisions.decide import decide
from mkdocs_sitemap_plus.decisions.decision import Outcome
from mkdocs_sitemap_plus.decisions.site_url import fault, site_url_problem
from mkdocs_sitemap_plus.evidence import Place, Problem, Voice
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.settings.values import Settings
from mkdocs_sitemap_plus.sitemap.urlset import render
from mkdocs_sitemap_plus.write import remove_sitemap, write_sitemap


def writes_for(site_url: str | None) -> bool:
    """Whether a site with this URL gets a sitemap from us; else its own is left alone."""
    return fault(site_url) is None


def generate(site: Site, settings: Settings, history: History, now: datetime) -> Outcome:
    """Decide on every page of `site` and write its sitemap.

    Args:
        site: the built site.
        settings: what its owner says.
        history: the repositories.
        now: the clock, aware; only dates in the future are held against it.

    Raises:
        SitemapError: the owner wants this build to stop, or the file can't be written.
    """
    url_problem = site_url_problem(site)
    known = (url_problem,) if url_problem else ()
    if not writes_for(site.url):
        return Outcome(site=site, decisions=(), problems=known)
    outcome = decide(site, settings, history, now)
    outcome = replace(outcome, problems=(*known, *outcome.problems))
    entries = [decision.entry for decision in outcome.decisions if decision.entry]
    if not entries:
        remove_sitemap(site.site_dir, settings.filename)
        return replace(outcome, problems=(*outcome.problems, _empty(settings.filename)))
    return replace(outcome, files=write_sitemap(site.site_dir, settings.filename, render(entries)))


def _empty(filename: str) -> Problem:
    return Problem(
        code="empty",
        place=Place(voice=Voice.PLUGIN, file=filename),
        found="no page of the site can be listed",
        done="no file is written, since the protocol has no empty sitemap",
    )
