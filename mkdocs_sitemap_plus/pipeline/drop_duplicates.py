"""One entry a URL."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby

from mkdocs_sitemap_plus.pipeline.decision import Decision, LeftOut, Reason
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.entry import to_datetime


def one_a_url(decisions: Iterable[Decision]) -> Iterator[Decision]:
    """Sorted by URL; of several pages with one URL the newest stays."""
    by_loc = sorted(decisions, key=lambda each: (each.loc or "", each.name))
    for _, group in groupby(by_loc, key=lambda each: each.loc):
        same = list(group)
        if len(same) == 1:
            yield same[0]
            continue
        listed = [decision for decision in same if decision.entry]
        newest = max(listed, key=_age, default=None)
        for decision in same:
            if decision.entry and newest and decision is not newest:
                yield _second(decision, newest)
            else:
                yield decision


def _age(decision: Decision) -> datetime:
    when = decision.entry.lastmod if decision.entry else None
    if when is None:
        return datetime.min.replace(tzinfo=UTC)
    return to_datetime(when)


def _second(decision: Decision, newest: Decision) -> Decision:
    file = decision.page.dest_uri if decision.page is not None else None
    place = Place(origin=Origin.BUILT_PAGE, file=file)
    out = LeftOut(reason=Reason.SAME_URL, detail=newest.name, place=place)
    return replace(decision, entry=None, left_out=out, because={}, undated=None)
