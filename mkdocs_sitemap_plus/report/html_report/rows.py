"""Turn the pages of a JSON report into rows of a table, and into counts over time."""

from collections import Counter
from collections.abc import Callable, Container, Iterable
from datetime import UTC, date, datetime
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.report.json_report import Json
from mkdocs_sitemap_plus.sitemap.split import sections_of
from mkdocs_sitemap_plus.sitemap.urls import origin_url

_BUILD = "sitemap"  # the origin of a value that the build decided for a reason that is not known


class Row(NamedTuple):
    """A page of the report, or a URL that is not a page."""

    name: str  # its title, or otherwise its path or URL
    url: str | None  # None if it can't be a link
    path: str  # the unescaped path from the URL of the site to its URL; or its source path
    source: str  # its source path; empty for a URL that is not a page
    section: str  # see `split.sections_of`
    day: date | None  # of its last change; None if it is undated or left out
    lastmod: str  # as the sitemap writes it
    instant: str  # the date in UTC, as a text that sorts by time
    origin: str  # where the date comes from, such as ``git``; empty without a date
    because: str  # the commit or place of the date, or why it has no date
    changefreq: str
    priority: str
    reason: str | None  # why it is left out; None if it is listed
    detail: str  # more about the reason, such as the rule or the canonical URL


def rows_of(report: Json) -> list[Row]:
    """Return all pages in the order of the report."""
    base, docs_dir = report["site"].get("url", ""), report["site"]["docs_dir"]
    paths = [_path(page, base) for page in report["pages"]]
    sections = sections_of([path.split("/") for path in paths])
    pages = zip(report["pages"], paths, sections, strict=True)
    return [_row(page, path, section, docs_dir) for page, path, section in pages]


def _path(page: Json, base: str) -> str:
    loc: str = page.get("loc", "")
    if base and loc.startswith(base):
        return unquote(loc.removeprefix(base))
    return unquote(urlsplit(loc).path).lstrip("/") if _is_link(loc) else page.get("source", loc)


def _is_link(url: str) -> bool:
    """Return whether a URL may be a link. Report files are not trusted."""
    return url.startswith(("https://", "http://")) and origin_url(url) is not None


def _row(page: Json, path: str, section: str, docs_dir: str) -> Row:
    entry, out, because = (page.get(key, {}) for key in ("entry", "left_out", "because"))
    source, loc, lastmod = page.get("source", ""), page.get("loc", ""), entry.get("lastmod", "")
    own_paths = (source, f"{docs_dir}/{source}")
    cause = because.get("lastmod" if "lastmod" in entry else "undated", {})
    origin, why = cause.get("origin", ""), origin_text(cause, own_paths)
    if origin == _BUILD:
        origin = "the build"
        why = "" if "lastmod" in entry else "decided during the build"
    day, instant = _when(lastmod)
    detail: str = out.get("detail", "")
    place = out.get("place", {})
    if detail == place.get("key"):  # the key alone, without the file
        detail = f"{place['origin']}: {origin_text(place, own_paths)}"
    return Row(
        name=page.get("title") or path or source or loc,
        url=loc if _is_link(loc) else None,
        path=path or "/",
        source=source,
        section=section,
        day=day,
        lastmod=lastmod,
        instant=instant,
        origin=origin if lastmod else "",
        because=why or why_undated(page),
        changefreq=entry.get("changefreq", ""),
        priority=entry.get("priority", ""),
        reason=out.get("reason"),
        detail=detail,
    )


def _when(lastmod: str) -> tuple[date | None, str]:
    """Return the day in the time zone of the date, and the time in UTC as a text.

    For an invalid date, return None and an empty text.
    """
    try:
        when = datetime.fromisoformat(lastmod)
        at = when.astimezone(UTC) if when.tzinfo else when
    except (ValueError, OverflowError):
        return None, ""
    return when.date(), at.isoformat()[:19]


def decided_by_build(page: Json) -> bool:
    """Return whether a value of a page was decided for a reason that only the build knew."""
    places = [*page.get("because", {}).values(), page.get("left_out", {}).get("place", {})]
    return any(place.get("origin") == _BUILD for place in places)


_FROM_GIT = (
    "no git repository",
    "git failed",
    "not committed",
    "shallow clone",
    "ignored commits",
    "invalid commit date",
)
_FIXES = {"shallow clone": "Run `git fetch --unshallow`."}


def why_undated(page: Json) -> str:
    """Return why a page has no date, and the fix. The text is empty if no reason is known."""
    why = page.get("undated", {})
    reason = why.get("reason", "")
    text = f"{'git: ' if reason in _FROM_GIT else ''}{why.get('detail', reason)}"
    fix = why.get("fix") or _FIXES.get(reason)
    return f"{text}. {fix}" if fix else text


def origin_text(because: Json, own_paths: Container[str] = ()) -> str:
    """Return a place as ``a.md:3: priority``, a commit as ``1234567890 a.md``, a file as ``a.md``.

    A path is left out if it is one of `own_paths`, the paths of the page itself.
    """
    if "commit" in because:
        commit, path = because["commit"][:10], because.get("path", "")
        return str(commit) if path in own_paths else f"{commit} {path}".strip()
    file, line = because.get("file") or because.get("path", ""), because.get("line")
    if file in own_paths:
        file = f"line {line}" if line else ""
    elif line:
        file = f"{file}:{line}"
    return ": ".join(filter(None, (file, because.get("key", ""))))


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
