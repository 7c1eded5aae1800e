"""What the owner of a site decided about its pages, which is no finding."""

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.check import CheckCode, Finding, Findings, Listed
from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place


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
    findings.add(CheckCode.REPLACED, sitemap_place(file), reason)


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
            findings.add(CheckCode.EXCLUDED, entry.place, reason, entry.loc)
