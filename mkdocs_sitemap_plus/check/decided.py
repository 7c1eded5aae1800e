"""What the owner of a site decided about its pages, which is no finding."""

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.check import Finding


class OwnersDecisions(NamedTuple):
    """The decisions of the project that a built site belongs to.

    The checker knows nothing of projects: who calls it hands this in.
    """

    left_out: Mapping[str, str]
    """Why pages are not listed, such as ``excluded``, by the paths of their built files."""
    elsewhere: frozenset[str]
    """The `url_key` of URLs that the owner lists by hand, whose pages another build may make."""
    days: frozenset[date]
    """The days (in UTC) of the dates that the project has for its pages."""
    why_gone: Callable[[Sequence[str]], Mapping[str, str]]
    """Takes URLs that were listed before. Returns clauses that say why, as far as it is known."""
    accepts: Callable[[Finding], bool] | None
    """Tells whether the owner accepts a finding for good; None if the owner accepts none."""


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

    return OwnersDecisions(
        left_out=left_out | dict(own.left_out if own else {}),
        elsewhere=frozenset().union(*(decided.elsewhere for decided in sites)),
        days=frozenset().union(*(decided.days for decided in sites)),
        why_gone=why_gone,
        accepts=accepts,
    )
