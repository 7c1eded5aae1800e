"""Explain a page of a report in lines: where each value comes from, or why it is left out."""

from collections.abc import Iterable, Iterator

from mkdocs_sitemap_plus.pipeline import OutReason
from mkdocs_sitemap_plus.problems import Origin
from mkdocs_sitemap_plus.report.data import Because, PageData, PlaceData, Rejected
from mkdocs_sitemap_plus.report.phrases import origin_text, why_undated
from mkdocs_sitemap_plus.sitemap import ENTRY_FIELDS
from mkdocs_sitemap_plus.sitemap.urls import joined

Section = tuple[str, list[str], list[str]]
"""A label, such as the name of a field; lines with its values; lines with the reasons for them."""


def lines(page: PageData) -> Iterator[tuple[str, bool]]:
    """Yield the lines that explain a page of a report, and whether each line is a reason."""
    sections = [*_sections(page)]
    width = max((len(label) for label, _, _ in sections), default=0) + 2
    for label, values, reasons in sections:
        for number, value in enumerate(values):
            start = "" if number else label
            yield f"  {start:{width}}{value}", False
        for reason in reasons:
            yield f"  {'':{width}}{reason}", True


def line_of(page: PageData) -> str:
    """Return one line: the URL of a page, and its date or the reason why it has none."""
    name = page.get("loc") or page.get("source") or page.get("dest", "")
    if out := page.get("left_out"):
        place = _origin(out["place"])
        why = place if place.endswith(out["detail"]) else out["detail"]
        return f"{name}  -  {out['reason']} ({why})"
    if lastmod := page["entry"].get("lastmod"):
        return f"{name}  {lastmod}  {_origin(page.get('because', {})['lastmod'])}"
    because = page.get("because", {}).get("undated")
    return f"{name}  none  {_origin(because) if because else why_undated(page)}"


def _sections(page: PageData) -> Iterator[Section]:
    if "loc" in page:
        yield "loc", [page["loc"]], []
    rejected = page.get("rejected", [])
    if "entry" in page:
        if page.get("fallback"):
            other = "no translation: it shows the text of another language"
            yield "fallback page", [other, "`fallback_pages: false` leaves such pages out"], []
        yield from _fields(page, rejected)
        rejected = [each for each in rejected if each.get("field") not in ENTRY_FIELDS]
    elif out := page.get("left_out"):
        place, detail = _origin(out["place"]), out["detail"]
        if out["reason"] == OutReason.REDIRECT:  # the tag is often relative
            written = detail.removeprefix("refresh: ")
            target = joined(page.get("loc", ""), written) or written
            detail = f"to {target}" + (f" ({detail})" if written != target else "")
        if out["reason"] == OutReason.NOINDEX:  # no key of front matter
            detail = f"{detail} (a meta tag of the built page)"
        # A detail that is the key of an option stands at the end of the place already.
        values = [place] if place.endswith(detail) else [detail, place]
        yield out["reason"], values, []
    if rejected:
        yield "rejected", [each["text"] for each in rejected], []


def _fields(page: PageData, rejected: Iterable[Rejected]) -> Iterator[Section]:
    """Yield a section for each field with a value or a reason, and always one for ``lastmod``."""
    entry, because = page["entry"], page.get("because", {})
    listed = because.get("listed")
    if listed and listed["origin"] != Origin.BUILT_PAGE:
        yield "listed", ["yes"], [_origin(listed)]
    for name in ENTRY_FIELDS:
        why = [each["text"] for each in rejected if each.get("field") == name]
        if (value := entry.get(name)) is not None:
            values = [*map(_value, value if isinstance(value, list) else [value])]
            reasons = [*_reasons(because.get(name), value), *why]
            if name == "lastmod" and "uncommitted" in page:
                reasons.append(page["uncommitted"])
            yield name, values, reasons
        elif why:
            yield name, ["none"], why
        elif name == "lastmod":
            undated = why_undated(page) or "no source has a date for it"
            place = because.get("undated")
            yield name, ["none"], [_origin(place) if place else undated]
        elif name in because:
            yield name, ["none"], [*_reasons(because[name], None)]


def _value(value: object) -> str:
    """Return a value as one line, such as a URL or the fields of a video."""
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _reasons(reason: Because | None, value: object) -> Iterator[str]:
    """Yield where a value comes from, the date of its commit if it differs, and skipped commits."""
    if reason is None:
        return
    yield _origin(reason)
    if "when" in reason and reason["when"] != value:
        yield f"{'commit ' if 'commit' in reason else ''}date in UTC: {reason['when']}"
    for skipped in reason.get("skipped", []):
        what, why = skipped["what"], skipped["why"]
        is_commit = len(what) in (40, 64) and set(what) <= set("0123456789abcdef")
        what = what[:10] if is_commit else what
        own_file = why.removesuffix(" itself changed earlier")
        older = f"{own_file} itself: {what} (older)"  # it counts, but an included file is newer
        yield f"skipped: {what}: {why}" if own_file == why else older


def _origin(reason: PlaceData | Because) -> str:
    """Return ``front matter: a.md:3: priority``, or ``git: 1a2b3c4d5e docs/a.md "Subject"``."""
    subject = f' "{found}"' if (found := reason.get("subject")) else ""
    where = origin_text(reason)
    return f"{reason['origin']}: {where}{subject}" if where else str(reason["origin"])
