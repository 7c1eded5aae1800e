"""The rows of the table of all pages, made of a JSON report and of what `check` found."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.report.data import PageData, ReportData
from mkdocs_sitemap_plus.report.phrases import origin_text, why_undated
from mkdocs_sitemap_plus.sitemap.split import sections_of
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key


class Found(NamedTuple):
    """One finding of `check`."""

    code: str
    severity: str  # ``error`` or ``warning``
    place: str  # such as ``site/sitemap.xml:3``
    loc: str  # the URL of the entry; empty for a finding about a file
    reason: str  # a clause
    fix: str  # a sentence
    url: str  # of what the documentation says of the code


class Checked(NamedTuple):
    """What `check` says of the sitemap."""

    findings: Sequence[Found] = ()
    more: int = 0  # further findings, of which only the number is known
    unusable: Sequence[str] = ()  # why sitemaps could not be checked


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
    note: str  # the origin and the commit or place of the date, or why a listed page has none
    changefreq: str
    priority: str
    reason: str | None  # why it is left out; None if it is listed
    detail: str  # more about the reason, such as the rule or the canonical URL
    found: Sequence[str]  # the codes of `check`, each once


def rows_of(report: ReportData, findings: Iterable[Found] = ()) -> list[Row]:
    """Return all pages in the order of the report."""
    base, docs_dir = report["site"].get("url", ""), report["site"]["docs_dir"]
    codes: dict[str, dict[str, None]] = {}  # by URL, in the order in which they were found
    for finding in findings:
        codes.setdefault(url_key(finding.loc), {})[finding.code] = None
    paths = [_path(page, base) for page in report["pages"]]
    sections = sections_of([path.split("/") for path in paths])
    pages = zip(report["pages"], paths, sections, strict=True)
    return [_row(page, path, section, docs_dir, codes) for page, path, section in pages]


def _path(page: PageData, base: str) -> str:
    loc = page.get("loc", "")
    if base and loc.startswith(base):
        return unquote(loc.removeprefix(base))
    return unquote(urlsplit(loc).path).lstrip("/") if _is_link(loc) else page.get("source", loc)


def _is_link(url: str) -> bool:
    """Return whether a URL may be a link. Report files are not trusted."""
    return url.startswith(("https://", "http://")) and origin_url(url) is not None


def _row(
    page: PageData, path: str, section: str, docs_dir: str, codes: Mapping[str, Iterable[str]]
) -> Row:
    source, loc, entry = page.get("source", ""), page.get("loc", ""), page.get("entry")
    own_paths = (source, f"{docs_dir}/{source}")
    lastmod = entry.get("lastmod", "") if entry else ""
    origin, note = _date_note(page, own_paths, dated=bool(lastmod))
    day, instant = _when(lastmod)
    out = page.get("left_out")
    detail = out["detail"] if out else ""
    if out and detail == out["place"].get("key"):  # the key alone, without the file
        detail = f"{out['place']['origin']}: {origin_text(out['place'], own_paths)}"
    return Row(
        name=page.get("title") or path or source or loc,
        url=loc if _is_link(loc) else None,
        path=path or "/",
        source=source,
        section=section,
        day=day,
        lastmod=lastmod,
        instant=instant,
        origin=origin,
        note="" if out else note,
        changefreq=entry.get("changefreq", "") if entry else "",
        priority=entry.get("priority", "") if entry else "",
        reason=out["reason"] if out else None,
        detail=detail,
        found=[*codes.get(url_key(loc), ())] if codes else (),
    )


def _date_note(page: PageData, own_paths: Sequence[str], *, dated: bool) -> tuple[str, str]:
    """Return where the date of a page comes from, and the text below the date."""
    cause = page.get("because", {}).get("lastmod" if dated else "undated")
    if not dated:
        place = origin_text(cause, own_paths) if cause else ""
        return "", place or why_undated(page)
    if cause is None:
        return "", ""
    return cause["origin"], f"{cause['origin']} {origin_text(cause, own_paths)}".rstrip()


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
