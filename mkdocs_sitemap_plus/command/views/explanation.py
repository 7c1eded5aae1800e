"""Find pages of a report by what a person names, and say in lines where each value comes from."""

import posixpath
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.generator.pages.site import MARKDOWN, OutReason, built_paths
from mkdocs_sitemap_plus.gitdates import GitReason
from mkdocs_sitemap_plus.problems import Origin
from mkdocs_sitemap_plus.sitemap.entries import ENTRY_FIELDS
from mkdocs_sitemap_plus.sitemap.urls import joined, url_key, without_form


def find_pages(report: Data, name: str, more_names: Sequence[str] = ()) -> list[Data]:
    """Return the pages and files with this source path, built path or URL.

    `more_names` are further names of the same file. The name of a Markdown file also stands for the
    page that is built from it, since a plugin may have made the file during the build. A page comes
    before those that show its text in place of a translation.
    """
    names = [*_spellings(report, name), *more_names]
    docs_dir, base = report["site"]["docs_dir"], report["site"].get("url", "")
    paths = {posixpath.normpath(name) for name in names}
    urls = {url for name in names if (url := _url(name, base))}
    loose_urls = {*map(_loose_url, urls)}
    built = {path for name in paths if name.endswith(MARKDOWN) for path in built_paths(name)}

    def is_named(page: Data) -> bool:
        source = page.get("source", "")
        known = {source, posixpath.join(docs_dir, source), page.get("file"), page.get("dest")}
        return not paths.isdisjoint(known) or _url(page.get("loc", "")) in urls

    tests: tuple[Callable[[Data], bool], ...] = (
        is_named,
        lambda page: page.get("dest") in built,
        lambda page: _loose_url(page.get("loc", "")) in loose_urls,
    )
    pages = [*report["pages"], *report["others"]]
    found = ([page for page in pages if test(page)] for test in tests)
    return sorted(next(filter(None, found), []), key=lambda page: page.get("fallback", False))


def _spellings(report: Data, name: str) -> list[str]:
    """Return the paths and URLs that a person may mean by a name."""
    base = report["site"].get("url", "")
    scheme, _, address = base.partition("://")
    names = [name, unquote(name)]
    if "://" not in name:
        host = address.partition("/")[0]
        if host and name.startswith((f"{host}/", f"{host.removeprefix('www.')}/")):
            names.append(f"{scheme}://{name}")
        path = unquote(name).lstrip("/")  # patterns begin with a slash, as in /install.md
        names += [path, path.removeprefix(f"{report['site']['docs_dir']}/")] if path else [base]
    return [*dict.fromkeys(each for each in names if name and each)]


def _url(text: str, base: str = "") -> str | None:
    """Return a URL in the spelling that all URLs of one page share; None if it is not a URL."""
    url = joined(base, text)
    return url_key(url) if url and "://" in url else None


def _loose_url(url: str) -> str:
    """Return a URL without what servers add, remove or redirect, and without its query."""
    address = url.partition("://")[2].partition("?")[0].removeprefix("www.")
    return without_form(address)


_FROM_GIT = frozenset(map(str, GitReason))


def why_undated(page: Data) -> str:
    """Return why a page has no date, and the fix. The text is empty if no reason is known."""
    if not (why := page.get("undated")):
        return ""
    reason = why["reason"]
    text = f"{'git: ' if reason in _FROM_GIT else ''}{why.get('detail', reason)}"
    fix = why.get("fix")
    return f"{text}. {fix}" if fix else text


def origin_text(origin: Data, own_paths: Container[str] = ()) -> str:
    """Return a place as ``a.md:3: priority``, a commit as ``1234567890 a.md``, a file as ``a.md``.

    A path is left out if it is one of `own_paths`, the paths of the page itself.
    """
    if commit := str(origin.get("commit", "")):
        path = str(origin.get("path", ""))
        return commit[:10] if path in own_paths else f"{commit[:10]} {path}".strip()
    file, line = origin.get("file") or str(origin.get("path", "")), origin.get("line")
    if file in own_paths:
        file = f"line {line}" if line else ""
    elif line:
        file = f"{file}:{line}"
    return ": ".join(filter(None, (file, origin.get("key", ""))))


_Section = tuple[str, list[str], list[str]]
"""A label, such as the name of a field; lines with its values; lines with the reasons for them."""


def lines(page: Data) -> Iterator[tuple[str, bool]]:
    """Yield the lines that explain a page of a report, and whether each line is a reason."""
    sections = [*_sections(page)]
    width = max((len(label) for label, _, _ in sections), default=0) + 2
    for label, values, reasons in sections:
        for number, value in enumerate(values):
            start = "" if number else label
            yield f"  {start:{width}}{value}", False
        for reason in reasons:
            yield f"  {'':{width}}{reason}", True


class PageLine(NamedTuple):
    """A page in one line."""

    name: str  # the path of its source or its built file, or else its URL
    day: str  # as the sitemap has it; ``none``, or ``-`` for a page that is not listed
    why: str


def row_of(page: Data, docs_dir: str) -> PageLine:
    """Return a page in one line; its own path, in `docs_dir`, is no reason."""
    name = page.get("source") or page.get("dest") or page.get("loc", "")
    own_paths = (page.get("source", ""), f"{docs_dir}/{name}", page.get("file", ""))
    if out := page.get("left_out"):
        place = _origin(out["place"], own_paths)
        why = place if place.endswith(out["detail"]) else out["detail"]
        return PageLine(name, "-", f"{out['reason']} ({why})")
    if lastmod := page["entry"].get("lastmod"):
        return PageLine(name, lastmod[:10], _origin(page.get("because", {})["lastmod"], own_paths))
    origin = page.get("because", {}).get("undated")
    return PageLine(name, "none", _origin(origin, own_paths) if origin else why_undated(page))


_LONGEST = 60  # letters of a column that the others are aligned to


def table(rows: Sequence[PageLine]) -> Iterator[str]:
    """Yield the rows with their columns aligned; a longer name moves only its own row."""
    names = max((len(row.name) for row in rows if len(row.name) <= _LONGEST), default=0)
    days = max((len(row.day) for row in rows), default=0)
    for row in rows:
        yield f"{row.name:{names}}  {row.day:{days}}  {row.why}"


def _sections(page: Data) -> Iterator[_Section]:
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


def _fields(page: Data, rejected: Iterable[Data]) -> Iterator[_Section]:
    entry, origins = page["entry"], page.get("because", {})
    listed = origins.get("listed")
    if listed and listed["origin"] != Origin.BUILT_PAGE:
        yield "listed", ["yes"], [_origin(listed)]
    for name in ENTRY_FIELDS:
        why = [each["text"] for each in rejected if each.get("field") == name]
        if (value := entry.get(name)) is not None:
            values = [*map(_value, value if isinstance(value, list) else [value])]
            reasons = [*_reasons(origins.get(name), value), *why]
            if name == "lastmod" and "uncommitted" in page:
                reasons.append(page["uncommitted"])
            yield name, values, reasons
        elif why:
            yield name, ["none"], why
        elif name == "lastmod":
            undated = why_undated(page) or "no source has a date for it"
            place = origins.get("undated")
            yield name, ["none"], [_origin(place) if place else undated]
        elif name in origins:
            yield name, ["none"], [*_reasons(origins[name], None)]


def _value(value: object) -> str:
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _reasons(reason: Data | None, value: object) -> Iterator[str]:
    """Yield where a value comes from, the date of its commit if it differs, and skipped commits."""
    if reason is None:
        return
    yield _origin(reason)
    if "when" in reason and reason["when"] != value:
        yield f"{'commit ' if 'commit' in reason else ''}date in UTC: {reason['when']}"
    if "note" in reason:
        yield reason["note"]
    for skipped in reason.get("skipped", []):
        what, why = skipped["what"], skipped["why"]
        is_commit = len(what) in (40, 64) and set(what) <= set("0123456789abcdef")
        what = what[:10] if is_commit else what
        own_file = why.removesuffix(" itself changed earlier")
        older = f"{own_file} itself: {what} (older)"  # it counts, but an included file is newer
        yield f"skipped: {what}: {why}" if own_file == why else older


def _origin(reason: Data, own_paths: Container[str] = ()) -> str:
    """Return ``front matter: a.md:3: priority``, or ``git: 1a2b3c4d5e docs/a.md "Subject"``."""
    subject = f' "{found}"' if (found := reason.get("subject")) else ""
    where = origin_text(reason, own_paths)
    return f"{reason['origin']}: {where}{subject}" if where else str(reason["origin"])
