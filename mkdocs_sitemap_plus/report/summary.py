"""The one line that sums up a build."""

from collections import Counter
from collections.abc import Sequence

from mkdocs_sitemap_plus.decisions.decision import Decision, Outcome
from mkdocs_sitemap_plus.evidence import Change
from mkdocs_sitemap_plus.sitemap.names import index_name


def summary(outcome: Outcome) -> str:
    """Files, URLs, how many are dated and by what, what is left out and why.

    For example: ``sitemap.xml and sitemap.xml.gz: 12 URLs, 11 dated (10 git, 1 front matter),
    1 undated; 2 pages left out (1 excluded, 1 noindex).`` With more than one sitemap the others are
    counted: ``sitemap.xml, 20 parts and their .gz: ...``.
    """
    listed = [decision for decision in outcome.decisions if decision.entry]
    sources = Counter(map(_source, listed))
    undated = sources.pop("", 0)
    files = _files(outcome.files)
    dates = f"{sources.total()} dated{_counts(sources)}, {undated} undated"
    return f"{files}: {_plural(len(listed), 'URL')}, {dates}; {_left_out(outcome)}."


def _files(names: Sequence[str]) -> str:
    """The sitemap and its archive, by name; beside more of them its index, and how many parts."""
    sitemaps = sorted((name for name in names if name.endswith(".xml")), key=len)
    if len(sitemaps) < 2:
        return " and ".join(names)
    main, index = sitemaps[0], index_name(sitemaps[0])
    told = [main, index] if index in sitemaps else [main]
    parts = len(sitemaps) - len(told)
    if parts:
        told.append(_plural(parts, "part"))
    return f"{', '.join(told)} and their .gz"


def _source(decision: Decision) -> str:
    because = decision.because.get("lastmod")
    if because is None:
        return ""
    if isinstance(because, Change):
        return "file" if because.file else "git"
    return str(because.voice)


def _left_out(outcome: Outcome) -> str:
    out = [decision for decision in outcome.decisions if decision.left_out]
    if not out:
        return "nothing left out"
    reasons = Counter(str(decision.left_out.reason) for decision in out if decision.left_out)
    noun = "page" if all(decision.page is not None for decision in out) else "URL"
    return f"{_plural(len(out), noun)} left out{_counts(reasons)}"


def _counts(counter: Counter[str]) -> str:
    parts = [f"{count} {name}" for name, count in sorted(counter.items())]
    return f" ({', '.join(parts)})" if parts else ""


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
