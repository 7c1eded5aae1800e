"""The one line that sums up a build."""

from collections import Counter
from collections.abc import Sequence

from mkdocs_sitemap_plus.lastmod import Change
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND
from mkdocs_sitemap_plus.sitemap.split import index_name
from mkdocs_sitemap_plus.wording import counted, first_names


def summary(outcome: Outcome) -> str:
    """Return the line: files, URLs, how many are dated and by what, what is left out and why.

    For example: ``sitemap.xml and sitemap.xml.gz: 12 URLs, 11 dated (10 git, 1 front matter),
    1 undated (docs/new.md); 2 pages left out (1 excluded, 1 noindex).`` With more than one sitemap
    the others are counted: ``sitemap.xml, 20 parts and their .gz: ...``. If nothing is dated, the
    line begins with that: ``0 of 12 pages have a date (shallow clone); sitemap.xml ...``.
    """
    listed = [decision for decision in outcome.decisions if decision.entry]
    dated = Counter(map(_source, (each for each in listed if "lastmod" in each.because)))
    undated = [each for each in listed if "lastmod" not in each.because]
    start = f"{_nothing_dated(undated)}; " if undated and not dated else ""
    dates = f", {dated.total():,} dated{_counts(dated)}, {_undated(undated)}" if dated else ""
    urls = counted(len(listed), "URL")
    return f"{start}{_files(outcome.files)}: {urls}{dates}; {_left_out(outcome)}."


def _nothing_dated(undated: Sequence[Decision]) -> str:
    """Return ``0 of 12 pages have a date (shallow clone)``; the commonest reason comes first."""
    reasons = Counter(str(each.undated.reason) for each in undated if each.undated)
    why = ", ".join(reason for reason, _ in reasons.most_common())
    has = "has" if len(undated) == 1 else "have"
    return f"0 of {_pages(undated)} {has} a date{f' ({why})' if why else ''}"


def _undated(undated: Sequence[Decision]) -> str:
    """Return ``2 undated (docs/new.md, docs/tags.md)``; of many, the first five names."""
    names = [each.name for each in undated]
    shown = f" ({first_names(names, MAX_OF_A_KIND)})" if names else ""
    return f"{len(undated):,} undated{shown}"


def _pages(decisions: Sequence[Decision]) -> str:
    """Return their number; an extra URL is not a page."""
    noun = "page" if all(decision.page is not None for decision in decisions) else "URL"
    return counted(len(decisions), noun)


def _files(names: Sequence[str]) -> str:
    """The sitemap and its archive, by name; beside more of them its index, and how many parts."""
    sitemaps = sorted((name for name in names if name.endswith(".xml")), key=len)
    if len(sitemaps) < 2:
        return " and ".join(names)
    main, index = sitemaps[0], index_name(sitemaps[0])
    told = [main, index] if index in sitemaps else [main]
    parts = len(sitemaps) - len(told)
    if parts:
        told.append(counted(parts, "part"))
    return f"{', '.join(told)} and their .gz"


def _source(decision: Decision) -> str:
    because = decision.because["lastmod"]
    if isinstance(because, Change):
        return "file" if because.file else "git"
    return str(because.origin)


def _left_out(outcome: Outcome) -> str:
    out = [decision for decision in outcome.decisions if decision.left_out]
    if not out:
        return "nothing left out"
    reasons = Counter(str(decision.left_out.reason) for decision in out if decision.left_out)
    return f"{_pages(out)} left out{_counts(reasons)}"


def _counts(counter: Counter[str]) -> str:
    parts = [f"{count:,} {name}" for name, count in sorted(counter.items())]
    return f" ({', '.join(parts)})" if parts else ""
