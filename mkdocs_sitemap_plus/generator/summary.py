"""Make the summary line at the end of a build."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.generator.pages import OutReason, SourcePage, by_count, reasons_of
from mkdocs_sitemap_plus.generator.pipeline import Listed, Outcome, files_in
from mkdocs_sitemap_plus.gitdates import GitCode
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Code, Problem
from mkdocs_sitemap_plus.sitemap.write import index_name
from mkdocs_sitemap_plus.wording import counted, distinct, first_names, listing

_SAY_NOTHING_IS_DATED = (Code.NO_DATES, Code.NO_SOURCE, Code.SHALLOW, GitCode.NO_BLOBS)
"""Problems that give the reason if no page has a date; the summary does not repeat it."""


def summary(outcome: Outcome) -> str:
    """Return the summary line: pages, dates by source, and pages left out by reason.

    For example: ``sitemap.xml: 12 pages, 10 dated (git 9, front matter 1), 2 undated (docs/a.md,
    docs/b.md); 3 left out (2 excluded, 1 noindex)``. What is zero is not in it.
    """
    listed = outcome.listed
    parts = [_pages(listed), *_dates(listed, outcome.problems)]
    line = f"{_files(outcome.files)}: {', '.join(parts)}"
    out = Counter(str(decision.reason) for decision in outcome.left_out)
    if out:
        line += f"; {out.total():,} left out ({reasons_of(out)})"
    return line


def _pages(listed: Sequence[Listed]) -> str:
    """Return ``2 pages``, or ``2 URLs`` if one of them is not a page; and how many are copies."""
    files = files_in(listed)
    pages = sum(file.dest_uri.lower().endswith((".html", ".htm")) for file in files)
    number = counted(len(listed), "page" if pages == len(listed) else "URL")
    copies = sum(isinstance(file, SourcePage) and file.is_fallback for file in files)
    return f"{number} ({counted(copies, OutReason.FALLBACK_PAGE)})" if copies else number


def _dates(listed: Sequence[Listed], problems: Sequence[Problem]) -> Iterator[str]:
    dated = Counter(decision.date_source for decision in listed if decision.date_source)
    undated = [decision for decision in listed if not decision.date_source]
    if not dated:
        if not any(problem.code in _SAY_NOTHING_IS_DATED for problem in problems):
            reasons = Counter(str(each.undated.reason) for each in undated if each.undated)
            why = ", ".join(reason for reason, _ in by_count(reasons))
            yield f"none dated ({why})" if why else "none dated"
        return
    number = f"{dated.total():,} " if undated else "all " if len(listed) > 1 else ""
    sources = [f"{source} {count:,}" for source, count in by_count(dated)]
    yield f"{number}dated ({', '.join(sources if len(dated) > 1 else dated)})"
    if undated:
        names = distinct((decision.name, decision.loc) for decision in undated)
        yield f"{len(undated):,} undated ({first_names(names, MAX_OF_A_KIND)})"


def _files(names: Sequence[str]) -> str:
    """Return the names of the sitemap and its index. Parts of a sitemap are only counted."""
    sitemaps = sorted((name for name in names if name.endswith(".xml")), key=len)
    main, index = sitemaps[0], index_name(sitemaps[0])
    shown = [main, index] if index in sitemaps else [main]
    if parts := len(sitemaps) - len(shown):
        shown.append(counted(parts, "part"))
    return listing(shown)
