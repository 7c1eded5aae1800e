"""The alarm: most pages with one date are a commit that says nothing of their content."""

from collections import Counter
from collections.abc import Iterable

from mkdocs_sitemap_plus.evidence import Change, Problem
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.wording import format_value

FEWEST_PAGES = 20
"""Of fewer dated pages, one commit may well have changed most."""

SHARE = 0.8
"""Of all dated pages: from here on it is one commit that dates the site."""


def one_commit_for_most(dates: Iterable[object], history: History) -> Problem | None:
    """A note where at least 20 pages are dated, and at least 80 % of them by one commit.

    Args:
        dates: who dates each dated page.
        history: asked for the commit's subject.
    """
    dates = list(dates)
    commits = Counter((each.repository, each.commit) for each in dates if isinstance(each, Change))
    if len(dates) < FEWEST_PAGES or not commits:
        return None
    (repository, commit), count = commits.most_common(1)[0]
    if count < SHARE * len(dates):
        return None
    return Problem(
        code="one-commit",
        found=f"{count} of {len(dates)} dated pages have their date from one commit, "
        f"{commit[:12]} {format_value(history.subject(repository, commit))}",
        done="Search engines may stop trusting such dates.",
        fix="If it did not change what readers see, add this line to .git-blame-ignore-revs: "
        f"{commit}",
        note=True,
    )
