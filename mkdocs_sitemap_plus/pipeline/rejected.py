"""Which values that the owner gave a page are not written."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Origin, Problem


def with_rejected(decisions: Iterable[Decision], problems: Iterable[Problem]) -> list[Decision]:
    """Return the decisions, each with the problems of the front matter of its page."""
    by_file: dict[str | None, dict[Problem, None]] = defaultdict(dict)
    for problem in problems:
        if problem.place and problem.place.origin is Origin.FRONT_MATTER:
            by_file[problem.place.file][problem] = None
    return [_with(each, by_file) for each in decisions] if by_file else [*decisions]


def _with(decision: Decision, by_file: Mapping[str | None, Iterable[Problem]]) -> Decision:
    found = by_file.get(decision.page.file, ()) if decision.page is not None else ()
    return replace(decision, rejected=(*decision.rejected, *found)) if found else decision
