"""A report as one HTML file that needs no network: figures, and a table of all pages.

`element` escapes all text that comes from the JSON report.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path
from string import Template

from mkdocs_sitemap_plus.report.html_report.markup import Html, bar, element, escaped, lines, plot
from mkdocs_sitemap_plus.report.html_report.rows import Row, rows_of, spans_of
from mkdocs_sitemap_plus.report.json_report import Json
from mkdocs_sitemap_plus.sitemap import Changefreq
from mkdocs_sitemap_plus.wording import counted

_WHY = {
    "excluded": "by an option, a rule or front matter",
    "error page": "the page for addresses that do not exist",
    "fallback page": "they have no translation, and show the text of another language",
    "search page": "the results of the theme's search",
    "not built": "the built site has no file for them",
    "noindex": "they tell search engines not to index them",
    "redirect": "they redirect to another page",
    "not canonical": "they name another URL as the canonical one",
    "no canonical": "they come from no source file, and have no rel=canonical",
    "static file": "files that are copied as they are; `extra_files` can list them",
    "outside the site": "their URL does not begin with the URL of the site",
    "unusable URL": "the protocol does not allow their URL",
    "same URL": "a newer page has the same URL",
    "not in the sitemap": "decided during the build",
}
_MAX_OLDEST = 10
_MAX_NAMED = 20  # pages that are listed below one reason. The table has all pages
_FREQUENCIES: tuple[str, ...] = tuple(Changefreq)
_NO_DATE = Html('<span class="none">&ndash;</span>')


def to_html(report: Json) -> Iterator[bytes]:
    """Yield the HTML file in pieces, in UTF-8. Equal reports give equal bytes.

    The Content-Security-Policy of the file allows no other style and script than those in it.
    """
    rows = rows_of(report)
    folder = Path(__file__).parent
    style, script = ((folder / f"report.{kind}").read_text("utf-8") for kind in ("css", "js"))
    url: str = report["site"].get("url", "")
    title = url.partition("://")[2].rstrip("/") or report["site"]["project_file"]
    heading = element("h1", Html(escaped(title).replace("/", "/<wbr>")))
    names = Html(", ".join(element("code", name) for name in report["files"]))
    columns = _columns(rows)
    headings = (element("th", name, scope="col", class_=kind) for kind, name in columns.items())
    page = Template((folder / "report.html").read_text("utf-8")).substitute(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        title=escaped(title),
        head=lines([heading, element("p", names or "No file was written.")]),
        tiles=lines(_tiles(rows)),
        body="\n".join(filter(None, _cards(report, rows))),
        controls=_controls(rows),
        columns=Html("".join(headings)),
        rows="\0",  # replaced below, so that not all rows are in memory as HTML at once
        pages=counted(len(rows), "page"),
    )
    top, _, bottom = page.partition("\0")
    yield top.encode("utf-8", "replace")
    for row in rows:
        yield f"{_table_row(row, columns)}\n".encode("utf-8", "replace")
    yield bottom.encode("utf-8", "replace")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _tiles(rows: Sequence[Row]) -> Iterator[Html]:
    listed = [row for row in rows if row.reason is None]
    days = sorted(row.day for row in listed if row.day)
    reasons = Counter(row.reason for row in rows if row.reason)
    most = f"most: {reasons.most_common(1)[0][0]}" if reasons else "nothing"
    yield _tile("listed", f"{len(listed):,}", f"of {counted(len(rows), 'page')}")
    yield _tile("dated", _percent(len(days), len(listed)), f"{len(days):,} of {len(listed):,}")
    yield _tile("left out", f"{len(rows) - len(listed):,}", most)
    if days:
        yield _tile("newest change", _time(days[-1]), Html(f"the oldest: {_time(days[0])}"))
        yield _tile("median date", _time(days[len(days) // 2]), "half of the dates are older")


def _tile(label: str, figure: str, more: str) -> Html:
    return element("div", element("dt", label), element("dd", figure), element("dd", more))


def _time(day: date | None) -> Html:
    return element("time", day, datetime=day) if day else _NO_DATE


def _percent(part: int, whole: int) -> str:
    """Return a share in whole percent. Only an empty share is 0 %, and only the whole is 100 %."""
    if part in (0, whole):
        return "100 %" if part else "0 %"
    return f"{min(max(round(100 * part / whole), 1), 99)} %"


def _cards(report: Json, rows: Sequence[Row]) -> Iterator[Html]:
    dated = [row for row in rows if row.day]
    origins = Counter(row.origin for row in dated)
    by_count = sorted(origins, key=lambda origin: (-origins[origin], origin))
    colours = {origin: f"c{min(number, 4)}" for number, origin in enumerate(by_count)}
    if report["problems"]:
        yield _card("Warnings and notes", _problems(report["problems"]), kind="card wide")
    yield _card("When pages last changed", _times(rows, colours), kind="card wide")
    yield _card("Sources of dates", _sources(rows, colours))
    yield _card("Left out", _left_out(rows))
    if dated:
        oldest = sorted(dated, key=lambda row: (row.instant, row.path))[:_MAX_OLDEST]
        items = (element("li", _time(row.day), " ", _link(row)) for row in oldest)
        yield _card("Oldest pages", element("ol", lines(items), class_="oldest"))
    yield _card("By section", _by_section(rows), kind="card wide")


def _card(title: str, content: Html, *, kind: str = "card") -> Html:
    return element("section", lines([element("h2", title), content]), class_=kind)


def _link(row: Row) -> Html:
    if row.url:
        return element("a", row.name, href=row.url, rel="noreferrer")
    return Html(escaped(row.name))


def _problems(problems: Iterable[Json]) -> Html:
    items = []
    for problem in problems:
        kind = "badge warning" if problem["level"] == "warning" else "badge note"
        badge = element("span", problem["level"], class_=kind)
        items.append(element("li", badge, " ", problem["text"]))
    return element("ul", lines(items), class_="problems")


def _times(rows: Sequence[Row], colours: Mapping[str, str]) -> Html:
    kind, spans = spans_of(rows)
    if not spans:
        return element("p", "No page has a date.")
    legend = (element("li", element("i", class_=colours[name]), name) for name in colours)
    of_spans = ((span.label, f"{span.counts.total():,}") for span in spans)
    table = _table((kind.capitalize(), "Pages"), of_spans, kind="small")
    details = element("details", element("summary", "As a table"), table)
    return lines([plot(kind, spans, colours), element("ul", *legend, class_="legend"), details])


def _table(heads: Iterable[str], rows: Iterable[Sequence[object]], *, kind: str) -> Html:
    """Return a table. The first cell of each row is a heading."""
    head = element("tr", *(element("th", name, scope="col") for name in heads))
    body = lines(
        element("tr", element("th", first, scope="row"), *(element("td", each) for each in others))
        for first, *others in rows
    )
    return element("table", element("thead", head), element("tbody", body), class_=kind)


def _sources(rows: Sequence[Row], colours: Mapping[str, str]) -> Html:
    listed = [row for row in rows if row.reason is None]
    counts = Counter(row.origin if row.day else "" for row in listed)
    shares = [(colour, counts[origin], origin) for origin, colour in colours.items()]
    if counts[""]:
        shares.append(("c-none", counts[""], "without a date"))
    items = []
    for colour, count, name in shares:
        sign, number = element("i", class_=colour), element("b", f"{count:,}")
        percent = element("small", _percent(count, len(listed)))
        items.append(element("li", sign, name, " ", number, " ", percent))
    text = ", ".join(f"{count:,} {name}" for _, count, name in shares)
    line = bar([(colour, count) for colour, count, _ in shares], len(listed), text)
    return lines([line, element("ul", lines(items), class_="shares")])


def _left_out(rows: Sequence[Row]) -> Html:
    by_reason: dict[str, list[Row]] = {}
    for row in rows:
        if row.reason is not None:
            by_reason.setdefault(row.reason, []).append(row)
    if not by_reason:
        return element("p", "Every page is in the sitemap.")
    blocks = []
    for reason, out in sorted(by_reason.items(), key=lambda each: (-len(each[1]), each[0])):
        why = f": {_WHY[reason]}" if reason in _WHY else ""
        named = out[:_MAX_NAMED]
        items = [element("li", _link(row), " ", element("small", row.detail)) for row in named]
        if len(out) > _MAX_NAMED:
            more = counted(len(out) - _MAX_NAMED, "more page")
            items.append(element("li", f"and {more}, see the table"))
        count = element("b", f"{len(out):,}")
        summary = element("summary", count, f" {reason}", element("small", why))
        pages = element("ul", lines(items), class_="pages")
        blocks.append(element("details", summary, pages))
    return lines(blocks)


def _by_section(rows: Sequence[Row]) -> Html:
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row.section, []).append(row)
    listed = {name: sum(row.reason is None for row in some) for name, some in by_name.items()}
    sections: list[Sequence[object]] = []
    for name in sorted(by_name, key=lambda name: (-listed[name], name)):
        days = [row.day for row in by_name[name] if row.day]
        shares = [("c0", len(days)), ("c-none", listed[name] - len(days))]
        text = f"{len(days):,} of {listed[name]:,} dated"
        count = Html(bar(shares, max(listed.values()), text) + f"{listed[name]:,}")
        left_out = f"{len(by_name[name]) - listed[name]:,}"
        newest, oldest = _time(max(days, default=None)), _time(min(days, default=None))
        sections.append((name or element("em", "top level"), count, left_out, newest, oldest))
    heads = ("Section", "Pages", "Left out", "Newest", "Oldest")
    return _table(heads, sections, kind="small sections")


def _columns(rows: Iterable[Row]) -> dict[str, str]:
    """Return the headings of the columns, by CSS class."""
    names = {"page": "Page", "date": "Last changed"}
    if any(row.changefreq for row in rows):
        names["freq"] = "changefreq"
    if any(row.priority for row in rows):
        names["prio"] = "priority"
    return names | {"status": "Status"}


def _controls(rows: Sequence[Row]) -> Html:
    origins = sorted({row.origin for row in rows if row.origin})
    reasons = sorted({row.reason for row in rows if row.reason})
    show = {"": "All pages", "listed": "In the sitemap", "undated": "Without a date"}
    show |= {_tag("by", each): f"Dated by {each}" for each in origins}
    if reasons:
        show["out"] = "Left out"
    show |= {_tag("why", each): f"Left out: {each}" for each in reasons}
    names = sorted({row.section for row in rows})
    sections = {"": "All sections"} | {_tag("in", each): each or "top level" for each in names}
    selects = []
    for label, name, choices in (("Show ", "show", show), ("Section ", "section", sections)):
        options = (element("option", text, value=value) for value, text in choices.items())
        selects.append(element("label", label, element("select", *options, id=name)))
    return lines(selects)


def _tag(kind: str, name: str) -> str:
    """Return a tag. The name is in hexadecimal digits, as blanks in `data-tags` separate tags."""
    return f"{kind}:{name.encode('utf-8', 'replace').hex()}"


def _table_row(row: Row, columns: Container[str]) -> Html:
    by_origin = _tag("by", row.origin) if row.origin else "undated"
    tags = f"listed {by_origin}" if row.reason is None else f"out {_tag('why', row.reason)}"
    source = element("small", row.source or row.path)
    key = row.path.lower()
    cells = [element("th", _link(row), source, scope="row", class_="page", data_key=key)]
    cells.append(element("td", *_date(row), class_="date", data_key=row.instant))
    if "freq" in columns:
        rank = _FREQUENCIES.index(row.changefreq) if row.changefreq in _FREQUENCIES else ""
        cells.append(element("td", row.changefreq, class_="freq", data_key=rank))
    if "prio" in columns:
        cells.append(element("td", row.priority, class_="prio"))
    cells.append(element("td", *_status(row), class_="status"))
    return element("tr", *cells, data_tags=f"{tags} {_tag('in', row.section)}")


def _date(row: Row) -> Iterator[Html]:
    if row.lastmod:
        yield element("time", row.lastmod[:10], datetime=row.lastmod)
        yield element("small", f"{row.origin} {row.because}")
    else:
        yield _NO_DATE
        if row.because and row.reason is None:
            yield element("small", row.because)


def _status(row: Row) -> Iterator[Html]:
    if row.reason is None:
        kind, text = ("badge in", "listed") if row.lastmod else ("badge half", "undated")
        yield element("span", text, class_=kind)
    else:
        yield element("span", row.reason, class_="badge out")
        if row.detail:
            yield element("small", row.detail)
