"""An outcome as JSON, in a shape that programs can rely on, and back.

``docs/report.md`` describes the shape; `VERSION` counts what would break its readers.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Skipped
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.output.write import write_if_changed
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Decision, LeftOut, Outcome
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.render import lastmod_text, priority_text
from mkdocs_sitemap_plus.wording import format_value

FORMAT = "mkdocs-sitemap-plus report"
VERSION = 1
"""Goes up when something is taken away or means something else; what is new does not count."""

Json = dict[str, Any]

_OF_ENTRIES = frozenset(field.name for field in fields(UrlEntry))


def report_of(outcome: Outcome) -> Json:
    """All that came of a build, as plain values.

    No clock and no folder of this machine is in it: equal outcomes of equal commits are equal.
    Paths are relative to the project file, with ``/``. What is not known is not there.
    """
    site = outcome.site
    return {
        "format": FORMAT,
        "version": VERSION,
        "site": _known(
            url=site.url,
            project_file=site.project_file,
            docs_dir=_relative(site.docs_dir, site.root),
        ),
        "files": list(outcome.files),
        "counts": _counts(outcome.decisions),
        "problems": [_problem(each, site.root) for each in dict.fromkeys(outcome.problems)],
        "pages": [_page(each, site) for each in outcome.decisions],
    }


def _known(**values: object) -> Json:
    return {key: value for key, value in values.items() if value not in (None, (), [], {})}


def _counts(decisions: Iterable[Decision]) -> Json:
    decisions = list(decisions)
    listed = [each for each in decisions if each.entry]
    sources = Counter(
        _origin(each.because["lastmod"]) for each in listed if "lastmod" in each.because
    )
    reasons = Counter(str(each.left_out.reason) for each in decisions if each.left_out)
    return {
        "urls": len(listed),
        "dated": sources.total(),
        "undated": len(listed) - sources.total(),
        "left_out": reasons.total(),
        "by_source": dict(sorted(sources.items())),
        "by_reason": dict(sorted(reasons.items())),
    }


def _problem(problem: Problem, root: Path) -> Json:
    return _known(
        code=problem.code,
        level="note" if problem.note else "warning",
        place=_place(problem.place) if problem.place else None,
        text=str(problem).replace(str(root), "."),
    )


def _page(decision: Decision, site: Site) -> Json:
    because = {key: _because(each, site.root) for key, each in decision.because.items()}
    return _known(
        loc=decision.loc,
        **_source(decision.page),
        entry=plain(decision.entry) if decision.entry else None,
        because=because,
        undated=_undated(decision.undated) if decision.undated else None,
        left_out=_left_out(decision.left_out) if decision.left_out else None,
        rejected=[_rejected(each, decision, site.root) for each in decision.rejected],
    )


def _rejected(problem: Problem, decision: Decision, root: Path) -> Json:
    place = problem.place or Place(origin=Origin.PLUGIN)
    return _known(
        field=_field(problem.code, place, decision),
        key=place.key,
        file=place.file,
        line=place.line,
        text=_problem(problem, root)["text"],
    )


def _field(code: str, place: Place, decision: Decision) -> str | None:
    """The field for which a value was given; None if there is none of that name."""
    key = place.key or ""
    for field, own in decision.overrides.places.items():
        if own.key and (key == own.key or key.startswith((f"{own.key}.", f"{own.key}["))):
            return field
    return code if code in _OF_ENTRIES else None


def _source(page: SourcePage | None) -> Json:
    if page is None:  # a URL that is no page
        return {}
    return {"source": page.src_uri, "dest": page.dest_uri, "title": page.title}


def _left_out(out: LeftOut) -> Json:
    return {"reason": str(out.reason), "detail": out.detail, "place": _place(out.place)}


def _undated(why: NoDate) -> Json:
    place = _place(why.place) if why.place else None
    fix = why.cause.fix if why.cause else None
    return _known(reason=str(why.reason), detail=why.detail, place=place, fix=fix)


def _because(because: Place | Change, root: Path) -> Json:
    return _place(because) if isinstance(because, Place) else _change(because, root)


def _origin(because: Place | Change) -> str:
    """``file`` is the source of that name: a dates file remembers what git said."""
    if isinstance(because, Place):
        return str(because.origin)
    return "file" if because.file else "git"


def _place(place: Place) -> Json:
    return _known(origin=str(place.origin), file=place.file, key=place.key, line=place.line)


def _change(change: Change, root: Path) -> Json:
    return _known(
        origin=_origin(change),
        file=change.file,
        repository=_relative(change.repository, root),
        path=change.path,
        commit=change.commit,
        when=lastmod_text(change.when),
        skipped=[_passed(each, root) for each in change.skipped],
    )


def _passed(skipped: Skipped, root: Path) -> Json:
    what = skipped.what
    path = _relative(Path(what), root) if PurePath(what).is_absolute() else what
    return {"what": path, "why": skipped.why}


def _relative(path: Path, root: Path) -> str:
    """From the folder of the project file; on another drive there is no such way, only a name."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:
        return path.name


def plain(value: object) -> object:
    """A value of `sitemap.entry` as JSON knows it; fields that say nothing are not there."""
    if is_dataclass(value):
        return _known(**{each.name: plain(getattr(value, each.name)) for each in fields(value)})
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, date):
        return lastmod_text(value)
    if isinstance(value, Decimal):
        return priority_text(value)
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def to_json(report: Json) -> bytes:
    """The file: UTF-8, one line a page, so that two reports can be compared line by line."""
    head = {key: value for key, value in report.items() if key != "pages"}
    pages = ",\n".join(f"    {_line(page)}" for page in report["pages"])
    text = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    text += f',\n  "pages": [\n{pages}\n  ]\n}}\n' if pages else ',\n  "pages": []\n}\n'
    # Of a name that is not UTF-8 the escape of Python is that of JSON.
    return text.encode("utf-8", "backslashreplace")


def _line(page: Json) -> str:
    return json.dumps(page, ensure_ascii=False)


def write_report(outcome: Outcome, settings: Settings) -> Problem | None:
    """Write the report on `outcome` if the option is set; return what is wrong with its path."""
    site, name = outcome.site, settings.report
    if name is None:
        return None
    path = Path(os.path.abspath(site.root / name))  # noqa: PTH100 - resolve() follows links
    if path.is_relative_to(site.docs_dir):
        found = "is in the docs folder, where it would be published"
    elif path.is_relative_to(site.site_dir):
        found = "is in the built site, where it would be published"
    else:
        try:
            write_if_changed(path, to_json(report_of(outcome)))
        except OSError as error:
            found = f"can't be written ({error.strerror})"
        else:
            return None
    return Problem(
        code="report",
        place=Place(origin=Origin.OPTION, file=site.project_file, key="report"),
        found=f"is {format_value(name)}, which {found}",
        done="No report is written.",
    )


# What readers here rely on, as types: a list has one for all, a mapping with "*" one for all
# values, and a name that ends in "?" may be absent.
_PLACE = {"origin": str, "file?": str, "key?": str, "line?": int}
_BECAUSE = _PLACE | {
    "repository?": str,
    "path?": str,
    "commit?": str,
    "when?": str,
    "skipped?": [{"what": str, "why": str}],
}
_ENTRY = {"loc": str, "lastmod?": str, "changefreq?": str, "priority?": str}
_PAGE = {
    "loc?": str,
    "source?": str,
    "dest?": str,
    "title?": str,
    "entry?": _ENTRY,
    "because?": {"*": _BECAUSE},
    "undated?": {"reason": str, "detail?": str, "place?": _PLACE, "fix?": str},
    "left_out?": {"reason": str, "detail": str, "place": _PLACE},
    "rejected?": [{"text": str, "field?": str, "key?": str, "file?": str, "line?": int}],
}
_REPORT = {
    "site": {"url?": str, "project_file": str, "docs_dir": str},
    "files": [str],
    "counts": {"*": object},
    "problems": [{"code": str, "level": str, "text": str}],
    "pages": [_PAGE],
}


def from_json(data: bytes, name: str) -> Json:
    """Read what `to_json` wrote, also a later one of the same version.

    Args:
        data: the file.
        name: what to call it.

    Raises:
        SitemapError: it is no report, or one that can't be read here.
    """
    try:
        report = json.loads(data)
    except (ValueError, RecursionError):
        report = None
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        raise _unreadable(name, "is no report of this plugin")
    if report.get("version") != VERSION:
        raise _unreadable(
            name, f"is a report of version {format_value(report.get('version'))}", str(VERSION)
        )
    fault = _misfit(report, _REPORT, "")
    if fault:
        raise _unreadable(name, f"is a damaged report: {fault} is not there or of another kind")
    return report


def _misfit(value: object, shape: object, where: str) -> str | None:
    """The dotted name of the first value that does not fit; None if all do."""
    if isinstance(shape, type):
        return None if isinstance(value, shape) else where
    if isinstance(shape, list):
        if not isinstance(value, list):
            return where
        inside = ((each, shape[0], f"{where}[{i}]") for i, each in enumerate(value))
        return next((fault for each in inside if (fault := _misfit(*each))), None)
    if not isinstance(value, dict) or not isinstance(shape, Mapping):
        return where
    return next(
        (fault for each in _members(value, shape, where) if (fault := _misfit(*each))), None
    )


def _members(
    value: Json, shape: Mapping[str, object], where: str
) -> Iterable[tuple[object, object, str]]:
    if "*" in shape:
        return [(each, shape["*"], f"{where}.{key}") for key, each in value.items()]
    names = ((key.removesuffix("?"), key) for key in shape)
    return [
        (value.get(name), shape[key], f"{where}.{name}".lstrip("."))
        for name, key in names
        if name in value or name == key
    ]


def _unreadable(name: str, found: str, expected: str | None = None) -> SitemapError:
    place = Place(origin=Origin.OPTION, file=name)
    return SitemapError(Problem(code="report", place=place, found=found, expected=expected))
