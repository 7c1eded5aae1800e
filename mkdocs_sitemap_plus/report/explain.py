"""One page of a report, explained: in or out and why, and where each field comes from."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from urllib.parse import urljoin

from mkdocs_sitemap_plus.pages.urls import comparable
from mkdocs_sitemap_plus.report.data import Json
from mkdocs_sitemap_plus.report.rows import said_by

_NEAREST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What is said under one label.

    Attributes:
        label: the name of a field, or ``because``.
        values: one a line, at least one.
        because: who says so, and what was looked at beside it; one a line.
    """

    label: str
    values: tuple[str, ...]
    because: tuple[str, ...] = ()


def find(report: Json, names: Sequence[str]) -> list[Json]:
    """The pages that one of some names means, in the order of the report.

    A name is a source path, also with the docs folder before it; a path in the built site; or a
    URL, absolute or below the site's. A source may be several pages.
    """
    docs_dir, base = report["site"]["docs_dir"], report["site"].get("url", "")
    paths = {posixpath.normpath(name) for name in names}
    urls = {url for name in names if (url := _url(name, base))}
    return [page for page in report["pages"] if _is_meant(page, docs_dir, paths, urls)]


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
    """Up to three names of pages that look like `asked`, best first; endings do not count."""
    by_path: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for name in filter(None, (page.get("source") for page in report["pages"])):
        path = posixpath.splitext(name)[0]
        by_path.setdefault(path, []).append(name)
        by_stem.setdefault(posixpath.basename(path), []).append(name)
    path = posixpath.splitext(asked.strip("/"))[0]
    near = [by_path[each] for each in get_close_matches(path, by_path, n=_NEAREST, cutoff=0.8)]
    stem = posixpath.basename(path)
    near += [by_stem[each] for each in get_close_matches(stem, by_stem, n=_NEAREST)]
    return list(dict.fromkeys(name for names in near for name in names))[:_NEAREST]


def name_of(page: Json) -> str:
    """What a page is called: its source path, or the URL of what is no page."""
    return str(page.get("source") or page.get("loc", ""))


def lines(page: Json) -> Iterator[Line]:
    """All that is said of a page; a commit's ``subject`` is shown if somebody put it there."""
    entry, because = page.get("entry"), page.get("because", {})
    if "loc" in page:
        yield Line(label="loc", values=(page["loc"],))
    if entry is None:
        yield from _left_out(page.get("left_out"))
        return
    if because.get("listed", {}).get("voice", "built page") != "built page":
        yield Line(label="listed", values=("yes",), because=(_said(because["listed"]),))
    if "lastmod" not in entry:
        yield _undated(because)
    for name, value in entry.items():
        if name != "loc":
            yield Line(
                label=name,
                values=tuple(_values(value)),
                because=tuple(_because(because.get(name), value)),
            )


def _left_out(out: Json | None) -> Iterator[Line]:
    if out is None:
        return
    said = _said(out["place"])
    yield Line(
        label=out["reason"],
        values=(said,) if said.endswith(out["detail"]) else (out["detail"], said),
    )


def _undated(because: Json) -> Line:
    if "undated" in because:
        return Line(label="lastmod", values=("none",), because=(_said(because["undated"]),))
    return Line(label="lastmod", values=("none",), because=("no source of dates knows the page",))


def _values(value: object) -> Iterator[str]:
    """One a line: a URL, or the fields of an alternate or a video."""
    for each in value if isinstance(value, list) else [value]:
        yield " ".join(map(str, each.values())) if isinstance(each, dict) else str(each)


def _because(because: Json | None, value: object) -> Iterator[str]:
    if because is None:
        return
    yield _said(because)
    if "when" in because and because["when"] != value:
        yield f"of {because['when']}"
    yield from map(_passed, because.get("passed", []))


def _said(because: Json) -> str:
    """``front matter: a.md:3: priority``, or ``git: 1a2b3c4d5e docs/a.md "Subject"``."""
    subject = f' "{because["subject"]}"' if because.get("subject") else ""
    where = said_by(because)
    return f"{because['voice']}: {where}{subject}" if where else str(because["voice"])


def _passed(passed: Json) -> str:
    what = passed["what"]
    commit = len(what) in (40, 64) and set(what) <= set("0123456789abcdef")
    return f"passed over: {what[:10] if commit else what}: {passed['why']}"


def text(found: Iterable[Line], indent: str = "  ") -> Iterator[tuple[str, bool]]:
    """Aligned lines, and whether each says who says so."""
    listed = list(found)
    width = max((len(line.label) for line in listed), default=0) + 2
    for line in listed:
        first = line.label
        for value in line.values:
            yield f"{indent}{first:{width}}{value}", False
            first = ""
        for reason in line.because:
            yield f"{indent}{'':{width}}{reason}", True
