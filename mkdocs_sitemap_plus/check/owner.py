"""What the owner of a site decided, which is no finding, and what is gone for a reason."""

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.check import Finding, Findings, Listed
from mkdocs_sitemap_plus.check import page_rules as rules
from mkdocs_sitemap_plus.check.site_folder import SiteFolder
from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.web.says import PageSays, read_built_page
from mkdocs_sitemap_plus.wording import format_value, shorten


class OwnersDecisions(NamedTuple):
    """What the build of a site decided, and what its project accepts.

    The checker knows nothing of builds and projects: who calls it hands this in.
    """

    url: str
    """The URL of the site, with a slash at its end."""
    filename: str | None
    """The name of the sitemap that this package should have written there; None for no sitemap."""
    left_out: Mapping[str, str]
    """Why pages are not listed, such as ``excluded``, by the paths of their built files."""
    excluded: frozenset[str]
    """The paths of the built files of pages that an option or front matter excludes."""
    elsewhere: frozenset[str]
    """The `url_key` of URLs that the owner lists by hand, whose pages another build may make."""
    days: frozenset[date] | None
    """The days (in UTC) of the dates that the project has for its pages; None if not known."""
    why_gone: Callable[[Sequence[str]], Mapping[str, str]]
    """Takes URLs that were listed before. Returns clauses that say why, as far as it is known."""
    accepts: Callable[[Finding], bool] | None
    """Tells whether the owner accepts a finding for good; None if the owner accepts none."""
    undated: Mapping[str, str] = {}
    """Why entries have no date, in words, by the `url_key` of their URLs."""
    unknown: str | None = None
    """Why it is not known what the owner left out, as a clause."""


class Gone(NamedTuple):
    """A URL that an older sitemap lists, and no checked one."""

    loc: str
    why: str  # a clause, such as ``redirects to 'https://example.com/b/'``


def joined(
    own: OwnersDecisions | None, folder: Path, others: Mapping[Path, OwnersDecisions | None]
) -> OwnersDecisions | None:
    """Return what is decided about the built site in a folder, and about others in this folder."""
    known = {other: decided for other, decided in others.items() if decided}
    if not known:
        return own
    sites = ([own] if own else []) + [*known.values()]
    left_out = {
        (other.relative_to(folder) / path).as_posix(): why
        for other, decided in known.items()
        for path, why in decided.left_out.items()
    }

    def why_gone(locs: Sequence[str]) -> Mapping[str, str]:
        return ChainMap(*({**decided.why_gone(locs)} for decided in sites))

    def accepts(finding: Finding) -> bool:
        return any(decided.accepts and decided.accepts(finding) for decided in sites)

    excluded = {
        (other.relative_to(folder) / path).as_posix()
        for other, decided in known.items()
        for path in decided.excluded
    }
    return OwnersDecisions(
        url=own.url if own else "",
        filename=own.filename if own else None,
        excluded=frozenset(excluded | (own.excluded if own else set())),
        left_out=left_out | dict(own.left_out if own else {}),
        elsewhere=frozenset().union(*(decided.elsewhere for decided in sites)),
        days=frozenset().union(*(decided.days or () for decided in sites)),
        why_gone=why_gone,
        accepts=accepts,
        undated=dict(ChainMap(*(dict(decided.undated) for decided in sites))),
    )


def check_replaced(
    listed: Sequence[Listed],
    file: str,
    own: Collection[str],
    decided: OwnersDecisions,
    findings: Findings,
) -> None:
    """Report a sitemap without dates that another program wrote in place of the project's.

    `file` is the path of the sitemap with the entries `listed`. Of its files, this package wrote
    those in `own`.
    """
    is_ours = own or Path(file).name != decided.filename
    if is_ours or not listed or not decided.days or any(each.lastmod for each in listed):
        return
    reason = "has no dates, though the project has them: sitemap-plus did not write this file"
    findings.add(rules.replaced, sitemap_place(file), reason)


def check_excluded(
    listed: Iterable[Listed],
    file_of: Callable[[str], Path | None],
    folder: Path,
    decided: OwnersDecisions,
    findings: Findings,
) -> None:
    """Report entries of another program's sitemap that the owner excludes.

    A sitemap of this package obeys the options, perhaps those of another project file. `file_of`
    returns the file of a URL in the built site at `folder`.
    """
    for entry in listed if decided.excluded else ():
        file = file_of(entry.loc)
        if file and path_from(folder, file) in decided.excluded:
            reason = "is listed, though the project excludes it"
            findings.add(rules.replaced, entry.place, reason, entry.loc)


def find_gone(
    before: Iterable[str],
    listed: Sequence[Listed],
    built: SiteFolder | None,
    decided: OwnersDecisions | None,
) -> tuple[list[Gone], dict[str, str]]:
    """Return which URLs of an older sitemap are gone for a known reason; then the others.

    A reason stands in the page that is still built, as a redirect or a noindex, or is known to the
    project. The others have a clause for a finding.
    """
    now_listed = {url_key(entry.loc) for entry in listed}
    known, clauses = dict[str, str](), dict[str, str]()
    for loc in before:
        if url_key(loc) in now_listed:
            continue
        file = built.file_of(loc) if built else None
        says = read_built_page(file) if file and file.suffix.lower() in (".html", ".htm") else None
        if says and (why := _why_left_out(loc, says)):
            known[loc] = why
        still_built = ", though its page is still built" if file else ", and is not built"
        clauses[loc] = f"is not listed any more{still_built if built else ''}"
    if decided:
        known |= decided.why_gone([loc for loc in clauses if loc not in known])
    unknown = {loc: clause for loc, clause in clauses.items() if loc not in known}
    return [Gone(loc, shorten(known[loc])) for loc in clauses if loc in known], unknown


def _why_left_out(loc: str, says: PageSays) -> str | None:
    """Return why a built page is not listed, by what it says itself."""
    if says.noindex is not None:
        return f"has the robots meta tag {format_value(says.noindex)}"
    if says.leads_elsewhere(loc):
        return f"redirects to {format_value(says.redirect)}"
    if says.names_other(loc):
        return f"names {format_value(says.canonical)} as its canonical URL"
    return None
