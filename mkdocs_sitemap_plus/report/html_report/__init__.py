"""A report as one HTML file that needs no network: figures, and a table of all pages.

`report.html` is a template of Jinja2, which escapes all that it is given. The rows of the table are
in the file as JSON, from which `report.js` lays out those that are looked at: a browser needs
seconds for the elements of 10,000 rows. The first rows are also there as HTML, for whoever has
JavaScript turned off.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from mkdocs_sitemap_plus.report.data import ReportData
from mkdocs_sitemap_plus.report.html_report import figures
from mkdocs_sitemap_plus.report.html_report.rows import Checked, Row, rows_of
from mkdocs_sitemap_plus.sitemap import Changefreq
from mkdocs_sitemap_plus.wording import counted, without_users

_FOLDER = Path(__file__).parent
_FIRST = 500  # rows that are laid out at once
_MOST = 10_000  # rows that are added on request, and printed: Chromium can't print 50,000
_MAX_OLDEST = 10
_MAX_NAMED = 20  # pages that are listed below one reason or code. The table has all pages


class _Choices(NamedTuple):
    """What the table can be filtered by. A row has the place of its own choice in each list."""

    origins: Sequence[str]
    reasons: Sequence[str]
    sections: Sequence[str]
    codes: Sequence[str]


def to_html(report: ReportData, checked: Checked | None = None) -> bytes:
    """Return the HTML file, in UTF-8. Equal reports give equal bytes.

    `checked` is what `check` found; None if nothing was checked. The Content-Security-Policy of the
    file allows no other style and script than those in it.
    """
    rows = rows_of(report, checked.findings if checked else ())
    style, script = (_own_text(f"report.{kind}") for kind in ("css", "js"))
    url = without_users(report["site"].get("url", ""))
    choices = _choices(rows)
    colours = figures.colours_of(rows)
    template = _environment().get_template("report.html")
    page = template.render(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        title=url.partition("://")[2].rstrip("/") or report["site"]["project_file"],
        report=report,
        summary=figures.summary_of(rows),
        plot=figures.plot_of(rows, colours),
        colours=colours,
        shares=figures.shares_of(rows, colours),
        groups=figures.left_out(rows),
        sections=figures.sections_in(rows),
        oldest=sorted((row for row in rows if row.day), key=lambda row: (row.instant, row.path)),
        checked=checked,
        codes=figures.by_code(checked.findings) if checked else (),
        choices=choices,
        columns=_columns(rows),
        rows=rows,
        data=_data(rows, choices, report["site"].get("url", "")),
        first=_FIRST,
        max_named=_MAX_NAMED,
        max_oldest=_MAX_OLDEST,
    )
    return page.encode("utf-8", "replace")


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"number": "{:,}".format, "counted": counted}
    environment.globals["percent"] = figures.percent
    return environment


def _finalized(value: object) -> object:
    """Return a value of the template as `_shown`, unless it is HTML already."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else _shown(value)


def _shown(text: str) -> str:
    """Return a text as the report may show it, before it is escaped.

    No URL in it has a user name or a password. Letters that are not printable or change direction
    are replaced.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    return without_users(text)


def _own_text(name: str) -> Markup:
    return Markup((_FOLDER / name).read_text("utf-8"))  # noqa: S704 - a file of this package


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _choices(rows: Sequence[Row]) -> _Choices:
    return _Choices(
        origins=sorted({row.origin for row in rows if row.origin}),
        reasons=sorted({row.reason for row in rows if row.reason is not None}),
        sections=sorted({row.section for row in rows}),
        codes=sorted({code for row in rows for code in row.found}),
    )


def _columns(rows: Sequence[Row]) -> dict[str, str]:
    """Return the headings of the columns, by CSS class."""
    names = {"page": "Page", "date": "Last changed"}
    if any(row.changefreq for row in rows):
        names["freq"] = "changefreq"
    if any(row.priority for row in rows):
        names["prio"] = "priority"
    return names | {"status": "Status"}


def _data(rows: Sequence[Row], choices: _Choices, base: str) -> Markup:
    """Return the rows as JSON that can stand in a script element, with a line for each row."""
    base = _shown(base)
    names = {key: [*map(_shown, names)] for key, names in choices._asdict().items()}
    head = _json(
        {"base": base, "first": _FIRST, "most": _MOST, "frequencies": [*Changefreq]} | names
    )
    places = [{name: at for at, name in enumerate(names)} for names in choices]
    lines = Markup(",\n").join(_json(_values(row, places, base)) for row in rows)
    return head[:-1] + Markup(',"rows":[\n') + lines + Markup("\n]}")


def _json(value: object) -> Markup:
    return htmlsafe_json_dumps(value, ensure_ascii=False, separators=(",", ":"))


def _values(row: Row, places: Sequence[Mapping[str, int]], base: str) -> list[object]:
    """Return what `report.js` needs of a row, in the order in which it reads it.

    A URL that is `base` and the path is written as 1. Empty values at the end are left out.
    """
    origins, reasons, sections, codes = places
    url, path = row.url and _shown(row.url), _shown(row.path)
    values: list[object] = [
        _shown(row.name),
        1 if url == base + path else url,
        path,
        _shown(row.source),
        sections[row.section],
        _shown(row.lastmod),
        "" if row.instant == row.lastmod[:19] else row.instant,
        origins.get(row.origin),
        _shown(row.note),
        reasons.get(row.reason or ""),
        _shown(row.detail),
        _shown(row.changefreq),
        _shown(row.priority),
        [codes[code] for code in row.found],
    ]
    while values[-1] in ("", None, []):
        values.pop()
    return values
