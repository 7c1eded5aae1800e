"""A report's pages as the HTML shows them: rows, sections and spans of time."""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.output.json_report import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A page.

    Attributes:
        name: its title, or what else it is called.
        url: its address, if that can be a link.
        path: the address below the site's, readable; the source path of a page without one.
        source: its source path; empty for a URL that is no page.
        section: the first segment of the path, if there are pages below it; else empty.
        day: when it last changed; None if that is not known, or if it is left out.
        lastmod: the same, as the sitemap writes it.
        instant: the same in UTC, so that texts sort as dates do.
        origin: who says the date; empty if nobody does.
        by: where they say it; of an undated page who wants it so; of one left out who says that.
        changefreq: as in the sitemap.
        priority: as in the sitemap.
        reason: why it is left out; None if it is listed.
        detail: what exactly was found.
    """

    name: str
    url: str | None
    path: str
    source: str
    section: str
    day: date | None
    lastmod: str
    instant: str
    origin: str
    by: str
    changefreq: str
    priority: str
    reason: str | None
    detail: str


def rows_of(report: Json) -> list[Row]:
    """All pages in the order of the report."""
    base, docs_dir = report["site"].get("url", ""), report["site"]["docs_dir"]
    paths = [_path(page, base) for page in report["pages"]]
    deep = {path.split("/")[0] for path in paths if any(path.split("/")[1:])}
    return [
        _row(page, path, path.split("/")[0] if path.split("/")[0] in deep else "", docs_dir)
        for page, path in zip(report["pages"], paths, strict=True)
    ]


def _path(page: Json, base: str) -> str:
    loc: str = page.get("loc", "")
    if base and loc.startswith(base):
        return unquote(loc.removeprefix(base))
    return unquote(urlsplit(loc).path).lstrip("/") if _is_web(loc) else page.get("source", loc)


def _is_web(url: str) -> bool:
    """Whether a URL may be a link. A report is a file, and whoever wrote it may have meant ill."""
    if not url.startswith(("https://", "http://")):
        return False
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False


_BUILD = "sitemap"
"""The origin of what is in the sitemap for a reason that only the build knows."""


def decided_by_build(page: Json) -> bool:
    """Whether the reason for a part of a page is known only to the build."""
    places = [*page.get("because", {}).values(), page.get("left_out", {}).get("place", {})]
    return any(place.get("origin") == _BUILD for place in places)


def _row(page: Json, path: str, section: str, docs_dir: str) -> Row:
    entry, out = page.get("entry", {}), page.get("left_out", {})
    because, source, loc = page.get("because", {}), page.get("source", ""), page.get("loc", "")
    says = because.get("lastmod", {}) if "lastmod" in entry else because.get("undated", {})
    day, instant = _when(entry.get("lastmod", ""))
    return Row(
        name=page.get("title") or path or source or loc,
        url=loc if _is_web(loc) else None,
        path=path or "/",
        source=source,
        section=section,
        day=day,
        lastmod=entry.get("lastmod", ""),
        instant=instant,
        origin=_origin(says) if "lastmod" in entry else "",
        by=_by(out.get("place") or says, (source, f"{docs_dir}/{source}"), entry)
        or why_undated(page),
        changefreq=entry.get("changefreq", ""),
        priority=entry.get("priority", ""),
        reason=out.get("reason"),
        detail=_detail(out, (source, f"{docs_dir}/{source}")),
    )


def _when(lastmod: str) -> tuple[date | None, str]:
    """The day as it is written, and the instant in UTC."""
    try:
        when = datetime.fromisoformat(lastmod)
        at = when.astimezone(UTC) if when.tzinfo else when
    except (ValueError, OverflowError):
        return None, ""
    return when.date(), at.isoformat()[:19]


def _detail(out: Json, own: Container[str]) -> str:
    """Why exactly a page is left out; a key alone is shown with where it is."""
    detail: str = out.get("detail", "")
    place = out.get("place", {})
    return f"{place['origin']}: {said_by(place, own)}" if detail == place.get("key") else detail


def _origin(because: Json) -> str:
    """What a date comes from, as people call it."""
    origin: str = because.get("origin", "")
    return "the build" if origin == _BUILD else origin


_SOURCES = {
    "no git repository": "git",
    "git failed": "git",
    "not committed": "git",
    "shallow clone": "git",
    "ignored commits": "git",
    "invalid commit date": "git",
}
_FIXES = {"shallow clone": "Run `git fetch --unshallow`."}


def why_undated(page: Json) -> str:
    """What kept the date of a page from being known, and the fix; empty if that is not known."""
    why = page.get("undated", {})
    reason = why.get("reason", "")
    source = f"{_SOURCES[reason]}: " if reason in _SOURCES else ""
    fix = why.get("fix") or _FIXES.get(reason)
    text = why.get("detail", reason)
    return f"{source}{text}. {fix}" if fix else f"{source}{text}"


def _by(because: Json, own: Container[str], entry: Json) -> str:
    """Where that is written; of what only the build knows, the origin says all."""
    if because.get("origin") == _BUILD:
        return "" if "lastmod" in entry else "decided during the build"
    return said_by(because, own)


def said_by(because: Json, own: Container[str] = ()) -> str:
    """Where somebody says something: ``a.md:3: priority``, or a commit and the file it changed.

    Args:
        because: a place or a change of a report.
        own: the paths that go without saying.
    """
    if "commit" in because:
        commit, path = because["commit"][:10], because.get("path", "")
        return str(commit) if path in own else f"{commit} {path}".strip()
    file, line = because.get("file", ""), because.get("line")
    if file in own:
        file = f"line {line}" if line else ""
    elif line:
        file = f"{file}:{line}"
    return ": ".join(filter(None, (file, because.get("key", ""))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Pages that share the first segment of their path; `name` is empty for those at the top."""

    name: str
    listed: int
    dated: int
    left_out: int
    newest: date | None
    oldest: date | None


def sections_of(rows: Iterable[Row]) -> list[Section]:
    """The largest first."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row.section, []).append(row)
    found = [_section(name, members) for name, members in by_name.items()]
    return sorted(found, key=lambda each: (-each.listed, each.name))


def _section(name: str, rows: list[Row]) -> Section:
    days = [row.day for row in rows if row.day]
    listed = sum(row.reason is None for row in rows)
    return Section(
        name=name,
        listed=listed,
        dated=len(days),
        left_out=len(rows) - listed,
        newest=max(days, default=None),
        oldest=min(days, default=None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A day, month, quarter or year in which pages last changed.

    Attributes:
        number: spans follow each other by one.
        label: such as ``2026-05``.
        counts: pages by who says their date.
    """

    number: int
    label: str
    counts: dict[str, int]

    @property
    def total(self) -> int:
        """All pages."""
        return sum(self.counts.values())


_Kind = tuple[str, Callable[[date], int], Callable[[date], str]]
_KINDS: tuple[tuple[int, _Kind], ...] = (
    (62, ("day", date.toordinal, date.isoformat)),
    (3 * 366, ("month", lambda day: day.year * 12 + day.month, lambda day: day.isoformat()[:7])),
    (
        12 * 366,
        (
            "quarter",
            lambda day: day.year * 4 + (day.month - 1) // 3,
            lambda day: f"{day.year} Q{(day.month + 2) // 3}",
        ),
    ),
)
_YEARS: _Kind = ("year", lambda day: day.year, lambda day: str(day.year))


def spans_of(rows: Iterable[Row]) -> tuple[str, list[Span]]:
    """What a span is, and the spans in which any page last changed, in order.

    Days of up to two months, months of up to three years, quarters of up to twelve, else years:
    so many columns as one can tell apart.
    """
    dated = [(row.day, row.origin) for row in rows if row.day]
    if not dated:
        return "day", []
    days = [day for day, _ in dated]
    length = (max(days) - min(days)).days
    kind, number_of, label_of = next((kind for most, kind in _KINDS if length <= most), _YEARS)
    found: dict[int, tuple[str, dict[str, Any]]] = {}
    for day, origin in sorted(dated):
        _, counts = found.setdefault(number_of(day), (label_of(day), {}))
        counts[origin] = counts.get(origin, 0) + 1
    return kind, [
        Span(number=number, label=label, counts=counts) for number, (label, counts) in found.items()
    ]
