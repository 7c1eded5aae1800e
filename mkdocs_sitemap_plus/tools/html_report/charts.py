"""Figures as inline SVG, drawn in Python: widths in percent, so that text keeps its size.

Colours are classes, since the page's Content-Security-Policy allows no ``style`` attributes.
"""

from collections.abc import Mapping, Sequence
from html import escape

from mkdocs_sitemap_plus.tools.html_report.rows import Span

_HEIGHT = 180
"""Of the plot, in pixels, without the line of labels under it."""

_GAP = 0.15
"""Of a column's width, which stays free."""

_MOST_LABELS = 5
"""Under the plot; they fit on a phone."""


def timeline(kind: str, spans: Sequence[Span], colours: Mapping[str, str]) -> str:
    """A column for each span of time, stacked by who says the date.

    Args:
        kind: what a span is, such as ``month``.
        spans: in order, at least one.
        colours: the class of each voice; the first is at the bottom.
    """
    first, last = spans[0].number, spans[-1].number
    count, top = max(last - first + 1, 12), _round_up(max(span.total for span in spans))
    start = first - (count - (last - first + 1)) / 2
    parts = [
        _grid(top),
        *_columns(spans, start, count, top, colours),
        *_labels(spans, start, count),
    ]
    what = f"Pages by the {kind} of their last change, {spans[0].label} to {spans[-1].label}"
    return (
        f'<svg class="plot" role="img" aria-label="{escape(what)}" width="100%" '
        f'height="{_HEIGHT + 24}">{"".join(parts)}</svg>'
    )


def _round_up(most: int) -> int:
    """The next of 2, 4, 6, 8, 10, 20, 40, …: half of it is a whole number."""
    step = 1
    while True:
        for digit in (2, 4, 6, 8, 10):
            if most <= digit * step:
                return digit * step
        step *= 10


def _grid(top: int) -> str:
    lines = []
    for share in (1, 0.5, 0):
        y = _y(share)
        lines.append(f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>')
        if share:
            lines.append(f'<text class="tick" x="0" y="{y - 4}">{round(top * share):,}</text>')
    return "".join(lines)


def _y(share: float) -> int:
    return round(16 + (_HEIGHT - 16) * (1 - share))


def _columns(
    spans: Sequence[Span], start: float, count: int, top: int, colours: Mapping[str, str]
) -> list[str]:
    width = 100 / count
    drawn = []
    for span in spans:
        x = (span.number - start + _GAP / 2) * width
        below, parts = 0, []
        for origin, colour in colours.items():
            if origin in span.counts:
                above = below + span.counts[origin]
                y = _y(above / top)
                height = max(_y(below / top) - y, 1)
                parts.append(
                    f'<rect class="{colour}" x="{x:.3f}%" width="{width * (1 - _GAP):.3f}%" '
                    f'y="{y}" height="{height}"/>'
                )
                below = above
        says = ", ".join(f"{span.counts[each]:,} {each}" for each in colours if each in span.counts)
        drawn.append(f"<g><title>{escape(f'{span.label}: {says}')}</title>{''.join(parts)}</g>")
    return drawn


def _labels(spans: Sequence[Span], start: float, count: int) -> list[str]:
    """The first, the last, and some between them that keep their distance."""
    least = count / (_MOST_LABELS - 1) * 0.8
    chosen = [spans[0]]
    for span in spans[1:-1]:
        far = span.number - chosen[-1].number >= least
        if far and spans[-1].number - span.number >= least:
            chosen.append(span)
    if len(spans) > 1:
        close = spans[-1].number - chosen[-1].number < least / 2
        chosen = [*(chosen[:-1] if close else chosen), spans[-1]]
    return [_label(span, (span.number - start) / count * 100, 100 / count) for span in chosen]


def _label(span: Span, left: float, width: float) -> str:
    """Below its column; near a side of the plot, from the column's own side on."""
    right = left + width
    anchor = "start" if left < 10 else "end" if right > 90 else "middle"
    place = {"start": left, "end": right}.get(anchor, (left + right) / 2)
    y = _HEIGHT + 17
    return f'<text class="tick" x="{place:.3f}%" y="{y}" text-anchor="{anchor}">{span.label}</text>'


def bar(parts: Sequence[tuple[str, int]], total: int, what: str) -> str:
    """A line of shares.

    Args:
        parts: class and count of each, from the left.
        total: the count that fills the line.
        what: what it shows, for those who do not see it.
    """
    drawn, x = [], 0.0
    for colour, count in parts:
        width = 100 * count / max(total, 1)
        if count:
            drawn.append(
                f'<rect class="{colour}" x="{x:.3f}%" width="{width:.3f}%" y="0" height="100%"/>'
            )
        x += width
    return f'<svg class="bar" role="img" aria-label="{escape(what)}">{"".join(drawn)}</svg>'
