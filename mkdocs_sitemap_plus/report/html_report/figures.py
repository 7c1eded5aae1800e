"""The figures above the table: counts, shares, and the plot of the last changes.

Lengths across are in percent of the figure, so that its text keeps its size in any window.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from math import ceil
from typing import NamedTuple

from mkdocs_sitemap_plus.pipeline import OutReason
from mkdocs_sitemap_plus.report.html_report.rows import Found, Row

WHY: dict[str, str] = {
    OutReason.EXCLUDED: "by an option, a rule or front matter",
    OutReason.ERROR_PAGE: "the page for addresses that do not exist",
    OutReason.FALLBACK_PAGE: "they have no translation, and show the text of another language",
    OutReason.SEARCH_PAGE: "the results of the theme's search",
    OutReason.NOT_BUILT: "the built site has no file for them",
    OutReason.NOINDEX: "they tell search engines not to index them",
    OutReason.REDIRECT: "they redirect to another page",
    OutReason.NOT_CANONICAL: "they name another URL as the canonical one",
    OutReason.UNKNOWN_PAGE: "they are canonical, but no pages of the build",
    OutReason.STATIC: "files that are copied as they are; `extra_files` can list them",
    OutReason.OUTSIDE: "their URL does not begin with the URL of the site",
    OutReason.UNUSABLE_URL: "the protocol does not allow their URL",
    OutReason.SAME_URL: "a newer page has the same URL",
}
_HEIGHT = 180  # pixels of the plot, without the line of labels below it
_MAX_LABELS = 5  # labels below the plot; more would not fit on a phone
_LAST_COLOUR = 4  # all origins after the first four share it


class Summary(NamedTuple):
    """The figures at the top."""

    pages: int
    listed: int
    dated: int
    left_out: str  # the most frequent reason; empty if there is none
    days: Sequence[date]  # the oldest, the median and the newest day; empty without any date


def summary_of(rows: Sequence[Row]) -> Summary:
    """Count the pages."""
    listed = [row for row in rows if row.reason is None]
    days = sorted(row.day for row in listed if row.day)
    reasons = Counter(row.reason for row in rows if row.reason is not None)
    most = next((reason for reason, _ in reasons.most_common(1)), "")
    of_days = (days[0], days[len(days) // 2], days[-1]) if days else ()
    return Summary(len(rows), len(listed), len(days), most, of_days)


def percent(part: int, whole: int) -> str:
    """Return a share in whole percent. Only an empty share is 0 %, and only the whole is 100 %."""
    if part in (0, whole):
        return "100 %" if part else "0 %"
    return f"{min(max(round(100 * part / whole), 1), 99)} %"


class Share(NamedTuple):
    """A part of a bar, and its line in the legend."""

    colour: str  # a CSS class
    pages: int
    name: str


def colours_of(rows: Iterable[Row]) -> dict[str, str]:
    """Return a CSS class for each origin of a date, the most frequent origin first."""
    counts = Counter(row.origin for row in rows if row.day)
    origins = sorted(counts, key=lambda origin: (-counts[origin], origin))
    return {origin: f"c{min(at, _LAST_COLOUR)}" for at, origin in enumerate(origins)}


def shares_of(rows: Iterable[Row], colours: Mapping[str, str]) -> list[Share]:
    """Return how many listed pages have their date from which origin, and how many have none."""
    counts = Counter(row.origin if row.day else "" for row in rows if row.reason is None)
    shares = [Share(colour, counts[origin], origin) for origin, colour in colours.items()]
    return shares + ([Share("c-none", counts[""], "without a date")] if counts[""] else [])


class Group(NamedTuple):
    """Pages that are left out for one reason."""

    reason: str
    why: str  # what the reason means; empty if that is not known
    rows: Sequence[Row]


def left_out(rows: Iterable[Row]) -> list[Group]:
    """Return the pages that are left out, the most frequent reason first."""
    by_reason: dict[str, list[Row]] = {}
    for row in rows:
        if row.reason is not None:
            by_reason.setdefault(row.reason, []).append(row)
    groups = [Group(reason, WHY.get(reason, ""), pages) for reason, pages in by_reason.items()]
    return sorted(groups, key=lambda group: (-len(group.rows), group.reason))


def by_code(findings: Iterable[Found]) -> list[Sequence[Found]]:
    """Return the findings of each code: first the errors, and the most frequent codes first."""
    codes: dict[str, list[Found]] = {}
    for finding in findings:
        codes.setdefault(finding.code, []).append(finding)
    return sorted(codes.values(), key=lambda some: (some[0].severity != "error", -len(some)))


class Section(NamedTuple):
    """A section of the site."""

    name: str  # empty for the top level
    listed: int
    dated: int
    left_out: int
    newest: date | None
    oldest: date | None

    @property
    def shares(self) -> tuple[Share, Share]:
        """The dated pages and the others."""
        undated = self.listed - self.dated
        return Share("c0", self.dated, "dated"), Share("c-none", undated, "undated")


def sections_in(rows: Iterable[Row]) -> list[Section]:
    """Return the sections, the one with most listed pages first."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row.section, []).append(row)
    sections = []
    for name, pages in by_name.items():
        listed = sum(row.reason is None for row in pages)
        days = [row.day for row in pages if row.day]
        newest, oldest = max(days, default=None), min(days, default=None)
        out = len(pages) - listed
        sections.append(Section(name, listed, len(days), out, newest, oldest))
    return sorted(sections, key=lambda section: (-section.listed, section.name))


class Span(NamedTuple):
    """A day, month, quarter or year in which pages last changed."""

    number: int  # the next span has the next number
    label: str  # a name such as ``2026-05``
    counts: Counter[str]  # of pages, by the origin of their dates


_Kind = tuple[float, str, Callable[[date], int], Callable[[date], str]]
_KINDS: tuple[_Kind, ...] = (
    (62, "day", date.toordinal, date.isoformat),
    (3 * 366, "month", lambda day: day.year * 12 + day.month, lambda day: day.isoformat()[:7]),
    (
        12 * 366,
        "quarter",
        lambda day: day.year * 4 + (day.month - 1) // 3,
        lambda day: f"{day.year} Q{(day.month + 2) // 3}",
    ),
    (float("inf"), "year", lambda day: day.year, lambda day: str(day.year)),
)
"""For each kind of span: the most days that it is used for, its name, and functions that return
number and label of the span of a day."""


def spans_of(rows: Iterable[Row]) -> tuple[str, list[Span]]:
    """Return the kind of span, and the spans in which a page last changed, in order.

    With more time between the oldest and the newest date, the spans are longer. So a figure never
    has too many columns.
    """
    dated = sorted((row.day, row.origin) for row in rows if row.day)
    if not dated:
        return "day", []
    days = (dated[-1][0] - dated[0][0]).days
    _, kind, number_of, label_of = next(each for each in _KINDS if days <= each[0])
    found: dict[int, Span] = {}
    for day, origin in dated:
        new = Span(number=number_of(day), label=label_of(day), counts=Counter())
        found.setdefault(new.number, new).counts[origin] += 1
    return kind, list(found.values())


class Part(NamedTuple):
    """The part of a column that one origin has, in pixels."""

    colour: str
    y: int
    height: int


class Column(NamedTuple):
    """The column of a span."""

    title: str
    x: float  # in percent, as the width
    width: float
    parts: Sequence[Part]


class Label(NamedTuple):
    """The name of a span, below its column."""

    text: str
    x: float  # in percent
    anchor: str  # ``start``, ``middle`` or ``end``: which point of the text is at `x`


class Plot(NamedTuple):
    """The figure of all spans."""

    kind: str  # such as ``month``
    text: str  # describes it for screen readers
    spans: Sequence[Span]
    grid: Sequence[tuple[int, str]]  # the height of each line in pixels, and what it stands for
    columns: Sequence[Column]
    labels: Sequence[Label]
    height: int = _HEIGHT


def plot_of(rows: Iterable[Row], colours: Mapping[str, str]) -> Plot | None:
    """Return a figure with a column for each span; None if no page has a date."""
    kind, spans = spans_of(rows)
    if not spans:
        return None
    first, last = spans[0].number, spans[-1].number
    used = last - first + 1
    count = max(used, 12)
    start = first - (count - used) / 2  # if there are few columns, they stand in the middle
    top = _round_up(max(span.counts.total() for span in spans))
    return Plot(
        kind=kind,
        text=f"Pages by the {kind} of their last change, {spans[0].label} to {spans[-1].label}",
        spans=spans,
        grid=[(_y(1), f"{top:,}"), (_y(0.5), f"{top // 2:,}"), (_y(0), "")],
        columns=[
            _column(span, (span.number - start) / count, count, top, colours) for span in spans
        ],
        labels=[*_labels(spans, start, count)],
    )


def _round_up(most: int) -> int:
    """Return the next of 2, 4, 6, 8, 10, 20, 40 and so on, whose halves are whole numbers."""
    step: int = 10 ** (len(str(most)) - 1)
    return next(digit * step for digit in (2, 4, 6, 8, 10) if most <= digit * step)


def _y(share: float) -> int:
    return round(16 + (_HEIGHT - 16) * (1 - share))


def _column(span: Span, left: float, count: int, top: int, colours: Mapping[str, str]) -> Column:
    """Return a column that fills 85 percent of its place, one of `count` in the figure."""
    below, parts = 0, []
    for origin, colour in colours.items():
        if origin in span.counts:
            above = below + span.counts[origin]
            y = _y(above / top)
            parts.append(Part(colour, y, max(_y(below / top) - y, 1)))
            below = above
    counts = ", ".join(f"{span.counts[name]:,} {name}" for name in colours if name in span.counts)
    return Column(f"{span.label}: {counts}", 100 * left + 7.5 / count, 85 / count, parts)


def _labels(spans: Sequence[Span], start: float, count: int) -> Iterator[Label]:
    """Yield the labels of the last column, and of others at equal distances from the first column.

    A label is centred below its column, but not at the ends of the figure.
    """
    first, last = spans[0].number, spans[-1].number
    step = ceil(count / _MAX_LABELS)
    for span in spans:
        is_in_step = (span.number - first) % step == 0 and last - span.number > step / 2
        if not is_in_step and span.number != last:
            continue
        left = (span.number - start) / count
        right = left + 1 / count
        anchor, x = "middle", (left + right) / 2
        if left < 0.1:
            anchor, x = "start", left
        elif right > 0.9:
            anchor, x = "end", right
        yield Label(span.label, 100 * x, anchor)
