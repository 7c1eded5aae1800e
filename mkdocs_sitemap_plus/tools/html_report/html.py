"""A report as one HTML file that needs no network: figures, and a table of all pages."""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from mkdocs_sitemap_plus.output.json_report import Json
from mkdocs_sitemap_plus.tools.html_report.charts import bar, timeline
from mkdocs_sitemap_plus.tools.html_report.rows import Row, Section, rows_of, sections_of, spans_of
from mkdocs_sitemap_plus.wording import counted

_WHY = {
    "excluded": "by an option, a rule or front matter",
    "error page": "the page for addresses that lead nowhere",
    "not built": "no file of the built site belongs to them",
    "noindex": "they tell search engines not to index them",
    "redirect": "they lead to another page",
    "not canonical": "they name another URL as the canonical one",
    "outside the site": "their URL is not under the site's own",
    "unusable URL": "the protocol does not allow their URL",
    "same URL": "a newer page has the same URL",
    "not in the sitemap": "decided during the build",
}
_OLDEST = 10
_MOST_NAMED = 20
"""Pages of one reason that are named; the table has them all."""

_CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


def to_html(report: Json) -> Iterator[bytes]:
    """The file in pieces: UTF-8; equal reports give equal bytes.

    The two inline blocks are the only style and script that the page's Content-Security-Policy
    lets in, by their hashes; all that comes from the report is text.
    """
    rows = rows_of(report)
    style, script = _asset("report.css"), _asset("report.js")
    page = Template(_asset("report.html")).substitute(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        title=_text(_title(report)),
        head=_head(report),
        tiles="\n".join(_tiles(rows)),
        body="\n".join(filter(None, _sections(report, rows))),
        controls=_controls(rows),
        columns=_columns(rows),
        rows="\0",
        pages=counted(len(rows), "page"),
    )
    top, _, bottom = page.partition("\0")
    freq, priority = _shown(rows)
    yield _bytes(top)
    for row in rows:
        yield _bytes(_table_row(row, freq=freq, priority=priority))
    yield _bytes(bottom)


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _text(text: str) -> str:
    """Any text as HTML; what can't be printed, or turns text around, is shown as such."""
    if not text.isprintable():
        text = "".join(
            letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
        )
    return escape(text)


def _title(report: Json) -> str:
    url: str = report["site"].get("url", "")
    return url.partition("://")[2].rstrip("/") or report["site"]["project_file"]


def _link(row: Row) -> str:
    name = _text(row.name)
    return f'<a href="{_text(row.url)}" rel="noreferrer">{name}</a>' if row.url else name


def _time(day: date | None) -> str:
    return f'<time datetime="{day}">{day}</time>' if day else '<span class="none">&ndash;</span>'


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in text)


def _head(report: Json) -> str:
    files = ", ".join(f"<code>{_text(name)}</code>" for name in report["files"])
    title = _text(_title(report)).replace("/", "/<wbr>")
    return f"<h1>{title}</h1>\n<p>{files or 'No file was written.'}</p>"


def _tiles(rows: Sequence[Row]) -> Iterator[str]:
    listed = [row for row in rows if row.reason is None]
    days = sorted(row.day for row in listed if row.day)
    yield _tile("listed", f"{len(listed):,}", f"of {counted(len(rows), 'page')}")
    yield _tile("dated", _percent(len(days), len(listed)), f"{len(days):,} of {len(listed):,}")
    yield _tile("left out", f"{len(rows) - len(listed):,}", _most_common(rows))
    if days:
        yield _tile("newest change", _time(days[-1]), f"the oldest: {_time(days[0])}")
        middle = days[len(days) // 2]
        yield _tile("median date", _time(middle), "half of the dates are older")


def _tile(label: str, figure: str, more: str) -> str:
    return f"<div><dt>{label}</dt><dd>{figure}</dd><dd>{more}</dd></div>"


def _percent(part: int, whole: int) -> str:
    """In whole percent; 0 % and 100 % mean none and all."""
    if part in (0, whole):
        return "100 %" if part else "0 %"
    return f"{min(max(round(100 * part / whole), 1), 99)} %"


def _most_common(rows: Sequence[Row]) -> str:
    reasons = Counter(row.reason for row in rows if row.reason)
    return f"most: {_text(reasons.most_common(1)[0][0] or '')}" if reasons else "nothing"


def _sections(report: Json, rows: Sequence[Row]) -> Iterator[str]:
    colours = _colours(rows)
    yield _problems(report)
    yield _times(rows, colours)
    yield _sources(rows, colours)
    yield _left_out(rows)
    yield _oldest(rows)
    yield _by_section(rows)


def _colours(rows: Iterable[Row]) -> dict[str, str]:
    """The class of each voice that dates a page; the most frequent first."""
    origins = Counter(row.origin for row in rows if row.day)
    by_count = sorted(origins, key=lambda origin: (-origins[origin], origin))
    return {origin: f"c{min(i, 4)}" for i, origin in enumerate(by_count)}


def _card(title: str, content: str, kind: str = "") -> str:
    return f'<section class="card {kind}">\n<h2>{title}</h2>\n{content}\n</section>'


def _problems(report: Json) -> str:
    problems = report["problems"]
    items = "\n".join(
        f'<li><span class="badge {"warning" if each["level"] == "warning" else "note"}">'
        f"{_text(each['level'])}</span> {_text(each['text'])}</li>"
        for each in problems
    )
    return (
        _card("Warnings and notes", f'<ul class="problems">\n{items}\n</ul>', "wide")
        if items
        else ""
    )


def _times(rows: Sequence[Row], colours: Mapping[str, str]) -> str:
    kind, spans = spans_of(rows)
    if not spans:
        return _card("When pages last changed", "<p>No page has a date.</p>", "wide")
    body = "\n".join(
        f'<tr><th scope="row">{span.label}</th><td>{span.total:,}</td></tr>' for span in spans
    )
    table = (
        f'<details><summary>As a table</summary>\n<table class="small"><thead><tr>'
        f'<th scope="col">{kind.capitalize()}</th><th scope="col">Pages</th></tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></details>"
    )
    plot = timeline(kind, spans, colours)
    return _card("When pages last changed", f"{plot}\n{_legend(colours)}\n{table}", "wide")


def _legend(colours: Mapping[str, str]) -> str:
    items = (
        f'<li><i class="{colour}"></i>{_text(origin)}</li>' for origin, colour in colours.items()
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _sources(rows: Sequence[Row], colours: Mapping[str, str]) -> str:
    listed = [row for row in rows if row.reason is None]
    counts = Counter(row.origin if row.day else "" for row in listed)
    shares = [(colour, counts[origin], origin) for origin, colour in colours.items()]
    shares += [("c-none", counts[""], "without a date")] if counts[""] else []
    items = "\n".join(
        f'<li><i class="{colour}"></i>{_text(name)} <b>{count:,}</b> '
        f"<small>{_percent(count, len(listed))}</small></li>"
        for colour, count, name in shares
    )
    said = ", ".join(f"{count:,} {name}" for _, count, name in shares)
    line = bar([(colour, count) for colour, count, _ in shares], len(listed), said)
    return _card("Sources of dates", f'{line}\n<ul class="shares">\n{items}\n</ul>')


def _by_section(rows: Sequence[Row]) -> str:
    sections = sections_of(rows)
    most = max((each.listed for each in sections), default=0)
    body = "\n".join(_section_row(each, most) for each in sections)
    heads = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Section", "Pages", "Left out", "Newest", "Oldest")
    )
    table = (
        f'<table class="small sections"><thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table>"
    )
    return _card("By section", table, "wide")


def _section_row(section: Section, most: int) -> str:
    shares = [("c0", section.dated), ("c-none", section.listed - section.dated)]
    line = bar(shares, most, f"{section.dated:,} of {section.listed:,} dated")
    name = _text(section.name) or "<em>top level</em>"
    return (
        f'<tr><th scope="row">{name}</th><td>{line}{section.listed:,}</td>'
        f"<td>{section.left_out:,}</td><td>{_time(section.newest)}</td>"
        f"<td>{_time(section.oldest)}</td></tr>"
    )


def _left_out(rows: Sequence[Row]) -> str:
    by_reason: dict[str, list[Row]] = {}
    for row in rows:
        if row.reason is not None:
            by_reason.setdefault(row.reason, []).append(row)
    if not by_reason:
        return _card("Left out", "<p>Every page is in the sitemap.</p>")
    ordered = sorted(by_reason.items(), key=lambda each: (-len(each[1]), each[0]))
    return _card("Left out", "\n".join(_reason(reason, out) for reason, out in ordered))


def _reason(reason: str, rows: Sequence[Row]) -> str:
    why = f": {_WHY[reason]}" if reason in _WHY else ""
    items = "\n".join(
        f"<li>{_link(row)} <small>{_text(row.detail)}</small></li>" for row in rows[:_MOST_NAMED]
    )
    more = len(rows) - _MOST_NAMED
    items += f"\n<li>and {counted(more, 'more page')}, see the table</li>" if more > 0 else ""
    return (
        f"<details><summary><b>{len(rows):,}</b> {_text(reason)}<small>{why}</small></summary>\n"
        f'<ul class="pages">\n{items}\n</ul></details>'
    )


def _oldest(rows: Sequence[Row]) -> str:
    dated = sorted((row for row in rows if row.day), key=lambda row: (row.instant, row.path))
    if not dated:
        return ""
    items = "\n".join(f"<li>{_time(row.day)} {_link(row)}</li>" for row in dated[:_OLDEST])
    return _card("Oldest pages", f'<ol class="oldest">\n{items}\n</ol>')


def _shown(rows: Iterable[Row]) -> tuple[bool, bool]:
    """Whether any page has a changefreq, and a priority: most sites have none."""
    rows = list(rows)
    return any(row.changefreq for row in rows), any(row.priority for row in rows)


def _columns(rows: Sequence[Row]) -> str:
    freq, priority = _shown(rows)
    names = [
        ("page", "Page"),
        ("date", "Last changed"),
        *([("freq", "changefreq")] if freq else []),
        *([("prio", "priority")] if priority else []),
        ("status", "Status"),
    ]
    return "".join(f'<th scope="col" class="{kind}">{name}</th>' for kind, name in names)


def _controls(rows: Sequence[Row]) -> str:
    """The options of both selects: which pages, and which section."""
    origins = sorted({row.origin for row in rows if row.origin})
    reasons = sorted({row.reason for row in rows if row.reason})
    sections = sorted({row.section for row in rows})
    show = [
        _option("", "All pages"),
        _option("listed", "In the sitemap"),
        _option("undated", "Without a date"),
        *(_option(_tag("by", each), f"Dated by {each}") for each in origins),
        *([_option("out", "Left out")] if reasons else []),
        *(_option(_tag("why", each), f"Left out: {each}") for each in reasons),
    ]
    within = [
        _option("", "All sections"),
        *(_option(_tag("in", each), each or "top level") for each in sections),
    ]
    return (
        f'<label>Show <select id="show">{"".join(show)}</select></label>\n'
        f'<label>Section <select id="section">{"".join(within)}</select></label>'
    )


def _option(value: str, name: str) -> str:
    return f'<option value="{_text(value)}">{_text(name)}</option>'


def _tag(kind: str, name: str) -> str:
    """A word that stands for a name; names that differ have words that differ."""
    return f"{kind}:{name.encode('utf-8', 'replace').hex()}"


def _tags(row: Row) -> str:
    if row.reason is None:
        status = f"listed {_tag('by', row.origin) if row.origin else 'undated'}"
    else:
        status = f"out {_tag('why', row.reason)}"
    return f"{status} {_tag('in', row.section)}"


def _table_row(row: Row, *, freq: bool, priority: bool) -> str:
    where = f"<small>{_text(row.source or row.path)}</small>"
    key = _text(row.path.lower())
    cells = [
        f'<th scope="row" class="page" data-key="{key}">{_link(row)}{where}</th>',
        _date_cell(row),
    ]
    if freq:
        rank = _CHANGEFREQS.index(row.changefreq) if row.changefreq in _CHANGEFREQS else ""
        cells.append(f'<td class="freq" data-key="{rank}">{_text(row.changefreq)}</td>')
    if priority:
        cells.append(f'<td class="prio">{_text(row.priority)}</td>')
    cells.append(_status_cell(row))
    return f'<tr data-tags="{_text(_tags(row))}">{"".join(cells)}</tr>\n'


def _date_cell(row: Row) -> str:
    if row.lastmod:
        origin = f"<small>{_text(row.origin)} {_text(row.by)}</small>"
        said = f'<time datetime="{_text(row.lastmod)}">{_text(row.lastmod[:10])}</time>{origin}'
    else:
        by = f"<small>{_text(row.by)}</small>" if row.by and row.reason is None else ""
        said = f'<span class="none">&ndash;</span>{by}'
    return f'<td class="date" data-key="{_text(row.instant)}">{said}</td>'


def _status_cell(row: Row) -> str:
    if row.reason is None:
        kind, text = ("in", "listed") if row.lastmod else ("half", "undated")
        return f'<td class="status"><span class="badge {kind}">{text}</span></td>'
    said = f"<small>{_text(row.detail)}</small>" if row.detail else ""
    return f'<td class="status"><span class="badge out">{_text(row.reason)}</span>{said}</td>'
