"""HTML elements, and figures as inline SVG.

The widths of figures are in percent, so that their text keeps its size. Colours are CSS classes:
the Content-Security-Policy of the page allows no ``style`` attributes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil

from mkdocs_sitemap_plus.report.html_report.rows import Span
from mkdocs_sitemap_plus.wording import without_users

_HEIGHT = 180  # pixels of the plot, without the line of labels below it
_MAX_LABELS = 5  # labels below the plot; more would not fit on a phone


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(value: object) -> str:
    """Return a value as HTML, in which no URL has a user name or a password.

    Letters that are not printable or change direction are replaced.
    """
    if isinstance(value, Html):
        return value
    text = str(value)
    if not text.isprintable():
        text = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    return escape(without_users(text))


def element(name: str, *content: object, **attributes: object) -> Html:
    """Return an element. The parameter `class_` gives ``class``, and `data_key` ``data-key``."""
    pairs = (
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{''.join(pairs)}>{''.join(map(escaped, content))}</{name}>")


def lines(items: Iterable[Html]) -> Html:
    """Return HTML with a line for each item."""
    return Html("\n".join(items))


def bar(parts: Iterable[tuple[str, int]], total: int, text: str) -> Html:
    """Return a bar that is full at `total`. `text` describes it for screen readers.

    It shows `parts` from left to right. Each of them has a CSS class and a count.
    """
    drawn, x = [], 0.0
    for colour, count in parts:
        width = 100 * count / max(total, 1)
        if count:
            place = {"x": f"{x:.3f}%", "width": f"{width:.3f}%", "y": 0, "height": "100%"}
            drawn.append(element("rect", class_=colour, **place))
        x += width
    return element("svg", *drawn, class_="bar", role="img", aria_label=text)


def plot(kind: str, spans: Sequence[Span], colours: Mapping[str, str]) -> Html:
    """Return a figure with a column for each span. `colours` has a CSS class for each origin."""
    first, last = spans[0].number, spans[-1].number
    used = last - first + 1
    count = max(used, 12)
    start = first - (count - used) / 2  # if there are few columns, they stand in the middle
    top = _round_up(max(span.counts.total() for span in spans))
    text = f"Pages by the {kind} of their last change, {spans[0].label} to {spans[-1].label}"
    return element(
        "svg",
        *_grid(top),
        *(_column(span, (span.number - start) / count, 1 / count, top, colours) for span in spans),
        *_labels(spans, start, count),
        class_="plot",
        role="img",
        aria_label=text,
        width="100%",
        height=_HEIGHT + 24,
    )


def _round_up(most: int) -> int:
    """Return the next of 2, 4, 6, 8, 10, 20, 40 and so on, whose halves are whole numbers."""
    step: int = 10 ** (len(str(most)) - 1)
    return next(digit * step for digit in (2, 4, 6, 8, 10) if most <= digit * step)


def _y(share: float) -> int:
    return round(16 + (_HEIGHT - 16) * (1 - share))


def _grid(top: int) -> Iterator[Html]:
    for share in (1, 0.5, 0):
        y = _y(share)
        yield element("line", class_="grid", x1=0, x2="100%", y1=y, y2=y)
        if share:
            yield element("text", f"{round(top * share):,}", class_="tick", x=0, y=y - 4)


def _column(span: Span, left: float, width: float, top: int, colours: Mapping[str, str]) -> Html:
    """Return a column that fills 85 percent of `width`. Both lengths are shares of the figure."""
    place = {"x": f"{100 * (left + 0.075 * width):.3f}%", "width": f"{85 * width:.3f}%"}
    below, parts = 0, []
    for origin, colour in colours.items():
        if origin in span.counts:
            above = below + span.counts[origin]
            y = _y(above / top)
            height = max(_y(below / top) - y, 1)
            parts.append(element("rect", class_=colour, **place, y=y, height=height))
            below = above
    counts = ", ".join(f"{span.counts[each]:,} {each}" for each in colours if each in span.counts)
    return element("g", element("title", f"{span.label}: {counts}"), *parts)


def _labels(spans: Sequence[Span], start: float, count: int) -> Iterator[Html]:
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
        place = {"x": f"{100 * x:.3f}%", "y": _HEIGHT + 17, "text-anchor": anchor}
        yield element("text", span.label, class_="tick", **place)
