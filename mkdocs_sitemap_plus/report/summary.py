"""The one line that sums up a build."""

from collections import Counter

from mkdocs_sitemap_plus.decisions.decision import Decision, Outcome
from mkdocs_sitemap_plus.evidence import Change


def summary(outcome: Outcome) -> str:
    """Files, URLs, how many are dated and by what, what is left out and why.

    For example: ``sitemap.xml and sitemap.xml.gz: 12 URLs, 11 dated (10 git, 1 front matter),
    1 undated; 2 pages left out (1 excluded, 1 noindex).``
    """
    listed = [decision for decision in outcome.decisions if decision.entry]
    sources = Counter(map(_source, listed))
    undated = sources.pop("", 0)
    files = " and ".join(outcome.files[:2])
    if outcome.files[2:]:
        files += f", and {_plural(len(outcome.files) - 2, 'file')} beside them"
    dates = f"{sources.total()} dated{_counts(sources)}, {undated} undated"
    return f"{files}: {_plural(len(listed), 'URL')}, {dates}; {_left_out(outcome)}."


def _source(decision: Decision) -> str:
    because = decision.because.get("lastmod")
    if because is None:
        return ""
    return "git" if isinstance(because, Change) else str(because.voice)


def _left_out(outcome: Outcome) -> str:
    reasons = Counter(
        str(decision.left_out.reason) for decision in outcome.decisions if decision.left_out
    )
    if not reasons:
        return "nothing left out"
    return f"{_plural(reasons.total(), 'page')} left out{_counts(reasons)}"


def _counts(counter: Counter[str]) -> str:
    parts = [f"{count} {name}" for name, count in sorted(counter.items())]
    return f" ({', '.join(parts)})" if parts else ""


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
