"""One page of a report, explained: listed or not and why, and where each field comes from."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from urllib.parse import urljoin

from mkdocs_sitemap_plus.output.json_report import Json
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.urls import comparable
from mkdocs_sitemap_plus.tools.html_report.rows import decided_by_build, said_by, why_undated

_NEAREST = 3
_FIELDS = tuple(field.name for field in fields(UrlEntry) if field.name != "loc")

_WHY = (
    "a plugin, a hook, a later change or another commit; to see which, add",
    "`report: report.json` to the plugin's options, build again, and run",
    "`mkdocs-sitemap-plus explain --report report.json`",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What is printed under one label.

    Attributes:
        label: the name of a field, or of what else is explained.
        values: one a line, at least one.
        because: where the values come from, and what was skipped; one a line.
    """

    label: str
    values: tuple[str, ...]
    because: tuple[str, ...] = ()


def find(report: Json, names: Sequence[str]) -> list[Json]:
    """The pages that one of some names means, in the order of the report.

    A name is a source path, also with the docs folder before it; a path in the built site; a
    URL, absolute or below the site's; or a title, if it is nothing else. A source may be several
    pages.
    """
    docs_dir, base = report["site"]["docs_dir"], report["site"].get("url", "")
    paths = {posixpath.normpath(name) for name in names}
    urls = {url for name in names if (url := _url(name, base))}
    found = [page for page in report["pages"] if _is_meant(page, docs_dir, paths, urls)]
    return found or [page for page in report["pages"] if page.get("title") in names]


def _is_meant(page: Json, docs_dir: str, paths: set[str], urls: set[object]) -> bool:
    source = page.get("source", "")
    own = {source, posixpath.join(docs_dir, source), page.get("dest", "")} - {"", f"{docs_dir}/"}
    return not own.isdisjoint(paths) or _url(page.get("loc", "")) in urls


def _url(text: str, base: str = "") -> object:
    """What is equal for URLs of one page; None for what is no URL."""
    try:
        url = urljoin(base, text)
        return comparable(url) if "://" in url else None
    except ValueError:
        return None


def nearest(report: Json, asked: str) -> list[str]:
    """Up to three names of pages: those in a folder of that name, or those that look like it."""
    names = [name for page in report["pages"] if (name := page.get("source"))]
    path = _short(asked, report["site"])
    inside = [name for name in names if path and name.startswith(f"{path}/")]
    return (inside or _alike(names, posixpath.splitext(path)[0]))[:_NEAREST]


def _short(asked: str, site: Json) -> str:
    """What is asked for as a path below the docs folder or the site's URL."""
    for before in (site.get("url", ""), f"{site['docs_dir']}/"):
        asked = asked.removeprefix(before)
    return asked.strip("/")


def _alike(names: Iterable[str], path: str) -> list[str]:
    """Names that look like a path, best first; endings do not count."""
    by_path: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for name in names:
        known = posixpath.splitext(name)[0]
        by_path.setdefault(known, []).append(name)
        by_stem.setdefault(_stem(known), []).append(name)
    near = [by_path[each] for each in get_close_matches(path, by_path, n=_NEAREST, cutoff=0.8)]
    near += [by_stem[each] for each in get_close_matches(_stem(path), by_stem, n=_NEAREST)]
    return list(dict.fromkeys(name for found in near for name in found))


def _stem(path: str) -> str:
    """The last name of a path; an index is called like its folder."""
    above, name = posixpath.split(path)
    return posixpath.basename(above) if name == "index" else name


def name_of(page: Json) -> str:
    """What a page is called: its source path, or the URL of what is not a page."""
    return str(page.get("source") or page.get("loc", ""))


def lines(page: Json) -> Iterator[Line]:
    """All that is known of a page.

    A commit's ``subject``, files that are ``newer`` than the sitemap, and the source that the page
    is ``made_of`` are printed if somebody put them there.
    """
    if "loc" in page:
        yield Line(label="loc", values=(page["loc"],))
    if "made_of" in page:
        yield Line(
            label="made of", values=(page["made_of"],), because=("found by its title or file name",)
        )
    yield from _fields(page) if "entry" in page else _not_listed(page.get("left_out"))
    yield from _rejected_otherwise(page)
    if decided_by_build(page):
        yield Line(label="decided by", values=_newer(page) or _WHY)


def _newer(page: Json) -> tuple[str, ...]:
    changed = ", ".join(page.get("newer", ()))
    return (f"an older state: {changed} changed since; build the site again",) if changed else ()


def _not_listed(out: Json | None) -> Iterator[Line]:
    if out is None:
        return
    said = _said(out["place"])
    yield Line(
        label=out["reason"],
        values=(said,) if said.endswith(out["detail"]) else (out["detail"], said),
    )


def _fields(page: Json) -> Iterator[Line]:
    """Each field that has a value, or for which it is known why it has none."""
    entry, because = page["entry"], page.get("because", {})
    listed = because.get("listed", {})
    if listed.get("origin", "built page") != "built page":
        yield Line(label="listed", values=("yes",), because=(_said(listed),))
    rejected = _rejected(page)
    for name in _FIELDS:
        texts = tuple(each["text"] for each in rejected.get(name, ()))
        if name in entry:
            why = (*_because(because.get(name), entry[name]), *texts)
            yield Line(label=name, values=tuple(_values(entry[name])), because=why)
        elif name == "lastmod":
            yield Line(label=name, values=("none",), because=texts or (_undated(page),))
        elif name in because or texts:
            why = texts or tuple(_because(because[name], None))
            yield Line(label=name, values=("none",), because=why)


def _undated(page: Json) -> str:
    """Why a page has no date: a place where its owner says so, or what kept it from being known."""
    place = page.get("because", {}).get("undated")
    return _said(place) if place else why_undated(page) or "no source has a date for it"


def _rejected(page: Json) -> dict[str, list[Json]]:
    """Values that are not written, by the field that they were given for."""
    by_field: dict[str, list[Json]] = {}
    for each in page.get("rejected", ()):
        by_field.setdefault(each.get("field", ""), []).append(each)
    return by_field


def _rejected_otherwise(page: Json) -> Iterator[Line]:
    """Values that no printed field has, such as an unknown key."""
    texts = [
        each["text"]
        for field, found in _rejected(page).items()
        for each in found
        if field not in _FIELDS or "entry" not in page
    ]
    if texts:
        yield Line(label="rejected", values=tuple(texts))


def _values(value: object) -> Iterator[str]:
    """One a line: a URL, or the fields of an alternate or a video."""
    for each in value if isinstance(value, list) else [value]:
        yield " ".join(map(str, each.values())) if isinstance(each, dict) else str(each)


def _because(because: Json | None, value: object) -> Iterator[str]:
    if because is None:
        return
    yield _said(because)
    if "when" in because and because["when"] != value:
        yield f"its date: {because['when']}"
    yield from map(_skipped, because.get("skipped", []))


def _said(because: Json) -> str:
    """``front matter: a.md:3: priority``, or ``git: 1a2b3c4d5e docs/a.md "Subject"``."""
    if because["origin"] == "sitemap":
        return f"{because.get('file', '')}: decided during the build"
    subject = f' "{because["subject"]}"' if because.get("subject") else ""
    where = said_by(because)
    return f"{because['origin']}: {where}{subject}" if where else str(because["origin"])


def _skipped(skipped: Json) -> str:
    what = skipped["what"]
    commit = len(what) in (40, 64) and set(what) <= set("0123456789abcdef")
    return f"skipped: {what[:10] if commit else what}: {skipped['why']}"


def text(found: Iterable[Line], indent: str = "  ") -> Iterator[tuple[str, bool]]:
    """Aligned lines, and whether each is a reason."""
    listed = list(found)
    width = max((len(line.label) for line in listed), default=0) + 2
    for line in listed:
        first = line.label
        for value in line.values:
            yield f"{indent}{first:{width}}{value}", False
            first = ""
        for reason in line.because:
            yield f"{indent}{'':{width}}{reason}", True
