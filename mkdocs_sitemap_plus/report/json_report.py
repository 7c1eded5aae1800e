"""Write and read JSON reports; ``docs/reference/report-json.md`` has the format."""

import json
import os
from collections import Counter
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from mkdocs_sitemap_plus.files import absolute_path
from mkdocs_sitemap_plus.lastmod import Change
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.output import write_if_changed
from mkdocs_sitemap_plus.pipeline import Decision, Outcome, source_of
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import UrlEntry, lastmod_text
from mkdocs_sitemap_plus.sitemap.render import decimal_text
from mkdocs_sitemap_plus.wording import format_value, json_text, with_relative_paths

FORMAT = "mkdocs-sitemap-plus report"
VERSION = 1  # of the format. New keys do not change it; removed or redefined keys do.

Json = dict[str, Any]

_FIELDS = tuple(each.name for each in fields(UrlEntry))
_ORDER = ("listed", "undated", *_FIELDS)  # of the keys of "because"


def report_of(outcome: Outcome) -> Json:
    """Return all results of a build as JSON values.

    A report has no time of its build, and its paths are relative to the folder of the project file,
    with ``/``. So equal commits give equal reports. Empty values of the site, of a page and of a
    problem are left out.
    """
    site, decisions = outcome.site, outcome.decisions
    urls = sum(each.entry is not None for each in decisions)
    sources = Counter(each.date_source for each in decisions if each.date_source)
    reasons = Counter(str(each.left_out.reason) for each in decisions if each.left_out)
    return {
        "format": FORMAT,
        "version": VERSION,
        "site": _without_empty(
            url=site.url,
            project_file=site.project_file,
            docs_dir=_relative(site.docs_dir, site.root),
        ),
        "files": list(outcome.files),
        "counts": {
            "urls": urls,
            "dated": sources.total(),
            "undated": urls - sources.total(),
            "left_out": reasons.total(),
            "by_source": dict(sorted(sources.items())),
            "by_reason": dict(sorted(reasons.items())),
        },
        "problems": [_problem(each, site.root) for each in dict.fromkeys(outcome.problems)],
        "pages": [page_as_json(each, site.root) for each in decisions],
    }


def _without_empty(**values: object) -> Json:
    return {key: value for key, value in values.items() if value not in (None, (), [], {})}


def _problem(problem: Problem, root: Path) -> Json:
    return _without_empty(
        code=problem.code,
        level=problem.level,
        place=_place(problem.place),
        text=with_relative_paths(str(problem), root),
    )


def page_as_json(decision: Decision, root: Path) -> Json:
    """Return what a report has of one page; `root` is the folder of the project file."""
    page, out, undated = decision.page, decision.left_out, decision.undated
    values: Json = {"loc": decision.loc}
    if page:
        values |= {"source": page.src_uri, "dest": page.dest_uri, "title": page.title}
    values["entry"] = json_value(decision.entry)
    keys = [key for key in _ORDER if key in decision.because]
    values["because"] = {key: _because(decision.because[key], root) for key in keys}
    if undated:
        values["undated"] = _without_empty(
            reason=str(undated.reason),
            detail=undated.detail,
            place=_place(undated.place),
            fix=undated.cause.fix if undated.cause else None,
        )
    if out:
        place = _place(out.place)
        values["left_out"] = {"reason": str(out.reason), "detail": out.detail, "place": place}
    values["rejected"] = [_rejected(each, decision, root) for each in decision.rejected]
    return _without_empty(**values)


def _rejected(problem: Problem, decision: Decision, root: Path) -> Json:
    place = problem.place or Place(origin=Origin.PLUGIN)
    return _without_empty(
        field=_field(problem.code, place.key or "", decision),
        key=place.key,
        file=place.file,
        line=place.line,
        text=with_relative_paths(str(problem), root),
    )


def _field(code: str, key: str, decision: Decision) -> str | None:
    """Return the field of the entry that a problem is about; None if it is about no field."""
    for field, place in decision.overrides.places.items():
        if place.key and (key == place.key or key.startswith((f"{place.key}.", f"{place.key}["))):
            return field
    return code if code in _FIELDS else None


def _place(place: Place | None) -> Json | None:
    if place is None:
        return None
    return _without_empty(origin=str(place.origin), file=place.file, key=place.key, line=place.line)


def _because(because: Place | Change, root: Path) -> Json | None:
    if isinstance(because, Place):
        return _place(because)
    return _without_empty(
        origin=source_of(because),
        file=because.file,
        repository=_relative(because.repository, root),
        path=because.path,
        commit=because.commit,
        when=lastmod_text(because.when),
        skipped=[{"what": _relative(each.what, root), "why": each.why} for each in because.skipped],
    )


def _relative(path: Path | str, root: Path) -> str:
    """Make an absolute path relative to `root`. Return any other text unchanged."""
    if not PurePath(path).is_absolute():
        return str(path)
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:  # it is on another drive
        return PurePath(path).name


def json_value(value: object) -> object:
    """Return an entry, or a value in it, as a JSON value without fields that are not set."""
    if is_dataclass(value):
        return _without_empty(
            **{each.name: json_value(getattr(value, each.name)) for each in fields(value)}
        )
    if isinstance(value, tuple):
        return [json_value(each) for each in value]
    if isinstance(value, date):
        return lastmod_text(value)
    if isinstance(value, Decimal):
        return decimal_text(value)
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def to_json(report: Json) -> bytes:
    """Return a report as UTF-8. Each page has a line of its own, so that diffs are short."""
    head = {key: value for key, value in report.items() if key != "pages"}
    pages = ",\n".join(f"    {json_text(each)}" for each in report["pages"])
    items = f"[\n{pages}\n  ]" if pages else "[]"
    text = json_text(head, indent=2).removesuffix("\n}")
    text += f',\n  "pages": {items}\n}}\n'
    # A name that is not UTF-8 has lone surrogates. They are written as \udcff, which JSON allows.
    return text.encode("utf-8", "backslashreplace")


def write_report(outcome: Outcome, settings: Settings) -> Problem | None:
    """Write the report if the option is set; return a problem if it can't be written."""
    site, name = outcome.site, settings.report
    if name is None:
        return None
    path = absolute_path(site.root / name)
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
        code=Code.REPORT,
        place=site.option("report"),
        found=f"is {format_value(name)}, which {found}",
        done="No report is written.",
    )


# The types that the readers of reports rely on. A list holds the type of all items. A mapping
# with "*" holds the type of all values. A key that ends in "?" may be absent.
_PLACE = {"origin": str, "file?": str, "key?": str, "line?": int}
_BECAUSE = _PLACE | {
    "repository?": str,
    "path?": str,
    "commit?": str,
    "when?": str,
    "skipped?": [{"what": str, "why": str}],
}
_PAGE = {
    "loc?": str,
    "source?": str,
    "dest?": str,
    "title?": str,
    "entry?": {"loc": str, "lastmod?": str, "changefreq?": str, "priority?": str},
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
    """Return a report from the bytes of `to_json`, of any release with this `VERSION`.

    Raises SitemapError if they are no report, a damaged one, or one of another version.
    """
    try:
        report = json.loads(data)
    except (ValueError, RecursionError):
        report = None
    expected = None
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        found = "is not a report of this plugin"
    elif report.get("version") != VERSION:
        found = f"is a report of version {format_value(report.get('version'))}"
        expected = f"of version {VERSION}"
    elif fault := _fault(report, _REPORT, ""):
        found = f"is a damaged report: {fault} is missing or has a wrong type"
    else:
        return report
    place = Place(origin=Origin.OPTION, file=name)
    raise SitemapError(Problem(code=Code.REPORT, place=place, found=found, expected=expected))


def _fault(value: Any, types: Any, where: str) -> str | None:  # noqa: ANN401 - any JSON
    """Return the dotted key of the first value that is missing or of a wrong type, or None."""
    if isinstance(types, type):
        return None if isinstance(value, types) else where
    if not isinstance(value, type(types)):
        return where
    if isinstance(types, list):
        parts = [(f"{where}[{number}]", each, types[0]) for number, each in enumerate(value)]
    elif "*" in types:
        parts = [(f"{where}.{key}", each, types["*"]) for key, each in value.items()]
    else:
        parts = []
        for key, each in types.items():
            name = key.removesuffix("?")
            if name in value or name == key:
                parts.append((f"{where}.{name}".lstrip("."), value.get(name), each))
    faults = (_fault(inner, its_types, at) for at, inner, its_types in parts)
    return next(filter(None, faults), None)
