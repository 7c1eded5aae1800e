"""Find what an older sitemap lists, and the checked ones do not list any more."""

from collections.abc import Sequence

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.check.decided import Gone, OwnersDecisions
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.site_files import HTML, conflicts
from mkdocs_sitemap_plus.check.site_folder import SiteFolder
from mkdocs_sitemap_plus.sitemap.collect import collect_site
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.web.says import read_built_page
from mkdocs_sitemap_plus.wording import shorten


def find_gone(
    options: Options,
    listed: Sequence[Listed],
    findings: Findings,
    built: SiteFolder | None,
    decided: OwnersDecisions | None,
) -> list[Gone]:
    """Return the URLs of the sitemap ``--since`` that are gone for a known reason; report others.

    A reason stands in the page that is still built, as a redirect or a noindex, or is known to the
    project. Raises SitemapError if the older sitemap can't be read.
    """
    if options.since is None:
        return []
    now_listed = {url_key(entry.loc) for entry in listed}
    before = collect_site(options.since, options.web).entries
    missing = [loc for loc in before if url_key(loc) not in now_listed]
    known = {loc: why for loc in missing if (why := _why_in_html(loc, built))}
    if decided:
        known |= decided.why_gone([loc for loc in missing if loc not in known])
    place = sitemap_place(options.since)
    for loc in missing:
        if loc not in known:
            reason = f"is not listed any more{_still_built(loc, built)}"
            findings.add(CheckCode.GONE, place, reason, loc)
    return [Gone(loc, shorten(known[loc])) for loc in missing if loc in known]


def _why_in_html(loc: str, built: SiteFolder | None) -> str | None:
    file = built.file_of(loc) if built else None
    page = read_built_page(file) if file and file.suffix.lower() in HTML else None
    return next((why for _, why in conflicts(loc, page)), None) if page else None


def _still_built(loc: str, built: SiteFolder | None) -> str:
    if built is None:
        return ""
    return ", though its page is still built" if built.file_of(loc) else ", and is not built"
