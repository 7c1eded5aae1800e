"""The alarm: one commit changed most pages at once, as a change of formatting does."""

from collections import Counter
from collections.abc import Iterable

from mkdocs_sitemap_plus.lastmod.change import Change
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.git.revisions import USUAL_NAME
from mkdocs_sitemap_plus.options.settings import GitSettings
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import counted, format_value

FEWEST_PAGES = 20
"""Of fewer dated pages, one commit may well have changed most."""

SHARE = 0.8
"""Of all dated pages: from here on it is one commit that dates the site."""


def one_commit_for_most(
    dates: Iterable[object], history: History, settings: GitSettings
) -> Problem | None:
    """Return a note if one commit changed at least 80 % of at least 20 dated pages last.

    A page that the commit added does not count: it has no older date.

    Args:
        dates: what dates each dated page.
        history: asked for the commit's subject.
        settings: the options under ``lastmod.git``.
    """
    dates = list(dates)
    changes = [each for each in dates if isinstance(each, Change)]
    commits = Counter((each.repository, each.commit) for each in changes if not each.added)
    if len(dates) < FEWEST_PAGES or not commits:
        return None
    (repository, commit), count = commits.most_common(1)[0]
    if count < SHARE * len(dates):
        return None
    added = sum((each.repository, each.commit) == (repository, commit) for each in changes) - count
    subject = format_value(history.subject(repository, commit))
    file = settings.ignore_revs_file or USUAL_NAME
    return Problem(
        code="one-commit",
        found=f"{count:,} of {counted(len(dates), 'dated page')} were last changed by one commit, "
        f"{commit[:12]} {subject}",
        done="Search engines may stop trusting such dates.",
        fix=f"If it did not change what readers see, ignore it: {_effect(count, added)}. "
        f"Add this line to {file}: {commit}",
        note=True,
    )


def _effect(count: int, added: int) -> str:
    """Return what dates pages get if the commit is ignored."""
    older = f"{counted(count, 'page')} then get an older date"
    if not added:
        return older
    return f"{older}, and {added:,} that it added {'gets' if added == 1 else 'get'} none"
