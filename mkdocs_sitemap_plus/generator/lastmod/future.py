"""Say which dates are in the future."""

from collections.abc import Iterator

from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.gitdates import Change
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem, invalid
from mkdocs_sitemap_plus.wording import counted


def future_problems(dates: Dates) -> Iterator[Problem]:
    """Yield the problems of pages whose date is in the future: one of all changes together."""
    future = [dated for key, dated in dates.future.items() if key in dates.queries]
    changes = [dated.because for dated in future if isinstance(dated.because, Change)]
    for dated in future:
        if isinstance(dated.because, Place):
            fault = invalid(Code.LASTMOD, dated.because, dated.lastmod, fault="is in the future")
            yield fault._replace(done="No lastmod is written.")
    if changes:
        first = min(changes, key=lambda change: (change.path, change.commit))
        commit = f"{first.commit[:12]}, " if first.commit else ""
        what = "commit" if commit else "change"
        yield Problem(
            code=Code.FUTURE,
            found=f"{counted(len(changes), 'page has', 'pages have')} a last {what} that is dated "
            f"in the future ({first.path}: {commit}{first.when.isoformat()})",
            done="Dates more than 24 hours ahead are not used.",
            level=Level.INFO,
        )
