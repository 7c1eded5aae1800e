"""What the owner of a site decided about its pages, which is no finding."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
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
