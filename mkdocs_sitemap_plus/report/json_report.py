"""Make the report of a build, and write or keep it."""

import os
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path, PurePath
from typing import TypeVar

from mkdocs_sitemap_plus.files import absolute_path, exists, path_from, real_path
from mkdocs_sitemap_plus.gitdates import Change, GitProblem, NoDate
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.output import write_if_changed
from mkdocs_sitemap_plus.pages import Listable, SourcePage, Url
from mkdocs_sitemap_plus.pipeline import (
    Candidate,
    Decision,
    LeftOut,
    Listed,
    Outcome,
    OutReason,
    files_in,
    source_of,
)
from mkdocs_sitemap_plus.pipeline.select import reason_in_html
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.report import (
    FORMAT,
    VERSION,
    Because,
    LeftOutData,
    PageData,
    PlaceData,
    ProblemData,
    Rejected,
    ReportData,
    SiteData,
    Undated,
    fingerprint,
    keep,
)
from mkdocs_sitemap_plus.sitemap import UrlEntry, lastmod_text
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path
from mkdocs_sitemap_plus.sitemap.write import is_empty, json_value
from mkdocs_sitemap_plus.web.html import is_error_page, is_made_by_sphinx
from mkdocs_sitemap_plus.web.says import read_built_page
from mkdocs_sitemap_plus.wording import format_value, json_text, with_relative_paths

_T = TypeVar("_T")
_FIELDS = tuple(field.name for field in fields(UrlEntry))
_ORDER = ("listed", "undated", *_FIELDS)  # of the keys of "because"


def report_of(
    outcome: Outcome, others: Iterable[LeftOut] = (), commit: str | None = None
) -> ReportData:
    """Return all results of a build, and what else is known of the site: `others`.

    Paths are relative to the folder of the project file, with ``/``. Empty values of the site, of a
    page and of a problem are left out.
    """
    site, decisions = outcome.site, outcome.decisions
    urls = len(outcome.listed)
    sources = Counter(each.date_source for each in outcome.listed if each.date_source)
    reasons = Counter(str(each.reason) for each in outcome.left_out)
    report = ReportData(
        format=FORMAT,
        version=VERSION,
        site=_filled(
            SiteData,
            url=site.url,
            project_file=site.project_file,
            docs_dir=_relative(site.docs_dir, site.root),
        ),
        files=list(outcome.files),
        counts={
            "urls": urls,
            "dated": sources.total(),
            "undated": urls - sources.total(),
            "left_out": reasons.total(),
            "by_source": dict(sorted(sources.items())),
            "by_reason": dict(sorted(reasons.items())),
        },
        problems=[_problem(each, site.root) for each in dict.fromkeys(outcome.problems)],
        pages=[_page(each, outcome) for each in decisions],
        others=[_page(each, outcome) for each in others],
    )
    if not site.serving:  # which would write the report of each rebuild
        report["time"] = lastmod_text(datetime.now(UTC))
    if commit:
        report["commit"] = commit
    if outcome.files:
        report["fingerprint"] = fingerprint(each.entry for each in outcome.listed)
    else:
        report["no_sitemap"] = _why_no_sitemap(outcome)
    return report


def _why_no_sitemap(outcome: Outcome) -> str:
    """Return why a build wrote no sitemap."""
    codes = (Code.EMPTY, Code.SITE_URL)
    why = [problem for problem in outcome.problems if problem.code in codes]
    return with_relative_paths(str(why[-1]), outcome.site.root) if why else "no page is listed"


def _filled(kind: Callable[..., _T], **values: object) -> _T:
    """Return a value of this type without its empty keys."""
    return kind(**{key: value for key, value in values.items() if value or not is_empty(value)})


def _problem(problem: Problem, root: Path) -> ProblemData:
    return _filled(
        ProblemData,
        code=problem.code,
        level=problem.level,
        place=problem.place and _place(problem.place),
        text=with_relative_paths(str(problem), root),
    )


def _page(decision: Decision, outcome: Outcome) -> PageData:
    """Return what a report has of one page of an outcome."""
    about, root = decision.about, outcome.site.root
    listed = decision if isinstance(decision, Listed) else None
    because = listed.because if listed else {}
    undated = listed.undated if listed else None
    return _filled(
        PageData,
        loc=decision.loc or None,
        source=_source(about),
        file=_other_name(about, outcome) if isinstance(about, SourcePage) else None,
        dest=None if isinstance(about, Url) else about.dest_uri,
        title=about.title if isinstance(about, SourcePage) else None,
        fallback=(isinstance(about, SourcePage) and about.is_fallback) or None,
        entry=json_value(listed.entry) if listed else None,
        because={key: _because(because[key], root) for key in _ORDER if key in because},
        undated=_undated(listed, undated) if listed and undated else None,
        left_out=_left_out(decision) if isinstance(decision, LeftOut) else None,
        rejected=[_rejected(problem, decision, root) for problem in decision.rejected],
    )


def _source(about: Listable) -> str | None:
    """Return the path of a source in the docs folder; None if it is not known."""
    if isinstance(about, Url):
        return None
    is_unknown = isinstance(about, SourcePage) and about.src_uri == about.dest_uri
    return None if is_unknown else about.src_uri


def _other_name(page: SourcePage, outcome: Outcome) -> str | None:
    """Return what messages call a page, if that is not the path of its source."""
    docs_dir = _relative(outcome.site.docs_dir, outcome.site.root)
    usual = (page.src_uri, posixpath.normpath(posixpath.join(docs_dir, page.src_uri)))
    return None if page.file in usual else page.file


def _left_out(decision: LeftOut) -> LeftOutData:
    place = _place(decision.place)
    return LeftOutData(reason=str(decision.reason), detail=decision.detail, place=place)


def _undated(listed: Listed, undated: NoDate) -> Undated:
    place = listed.because.get("undated")
    return _filled(
        Undated,
        reason=str(undated.reason),
        detail=undated.detail or None,
        place=_place(place) if isinstance(place, Place) else None,
        fix=_fix(undated.cause) if undated.cause else None,
    )


def _fix(cause: GitProblem) -> str | None:
    from mkdocs_sitemap_plus.lastmod.git_words import fix_of  # noqa: PLC0415 - if git has no dates

    return fix_of(cause)


def _rejected(problem: Problem, decision: Decision, root: Path) -> Rejected:
    place = problem.place or Place(origin=Origin.PLUGIN)
    return _filled(
        Rejected,
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


def _place(place: Place) -> PlaceData:
    values = {"file": place.file, "key": place.key, "line": place.line}
    return _filled(PlaceData, origin=str(place.origin), **values)


def _because(because: Place | Change, root: Path) -> PlaceData | Because:
    if isinstance(because, Place):
        return _place(because)
    repository = _relative(because.repository, root)
    return _filled(
        Because,
        origin=source_of(because),
        repository=repository,
        path=posixpath.normpath(posixpath.join(repository, because.path)),
        commit=because.commit or None,
        when=lastmod_text(because.when),
        skipped=[{"what": _relative(each.what, root), "why": each.why} for each in because.skipped],
    )


_real_path = lru_cache(maxsize=8)(real_path)


@lru_cache(maxsize=1024)  # most pages are in one repository
def _relative(path: Path | str, root: Path) -> str:
    """Make an absolute path relative to `root`. Return any other text unchanged."""
    if not PurePath(path).is_absolute():
        return str(path)
    try:
        return Path(os.path.relpath(real_path(path), _real_path(root))).as_posix()
    except ValueError:  # it is on another drive
        return PurePath(path).name


def to_json(report: ReportData) -> bytes:
    """Return a report as UTF-8. Each page has a line of its own, so that diffs are short."""
    head = {key: value for key, value in report.items() if key not in ("pages", "others")}
    text = json_text(head, indent=2).removesuffix("\n}")
    for key, pages in (("pages", report["pages"]), ("others", report["others"])):
        lines = ",\n".join(f"    {json_text(each)}" for each in pages)
        text += f',\n  "{key}": ' + (f"[\n{lines}\n  ]" if pages else "[]")
    # A name that is not UTF-8 has lone surrogates. They are written as \udcff, which JSON allows.
    return f"{text}\n}}\n".encode("utf-8", "backslashreplace")


def write_report(
    outcome: Outcome,
    settings: Settings,
    unpublished: Iterable[LeftOut] = (),
    commit: str | None = None,
) -> Problem | None:
    """Write the report into the file of the option ``report``, or else keep it in the user's cache.

    Return a problem if the file can't be written. `unpublished` are sources that the builder leaves
    out of the site, and `commit` is the one that is built. ``serve`` keeps no report.
    """
    site, name = outcome.site, settings.report
    if name is None and site.serving:
        return None
    data = to_json(report_of(outcome, chain(unpublished, _other_files(outcome)), commit))
    if name is None:
        keep(site.site_dir, data)
        return None
    path = absolute_path(site.root / name)
    if path.is_relative_to(site.docs_dir):
        found = "is in the docs folder, where it would be published"
    elif path.is_relative_to(site.site_dir):
        found = "is in the built site, where it would be published"
    else:
        try:
            write_if_changed(path, data)
        except SitemapError as error:
            found = error.problem.found.replace("it can't", "can't")
        else:
            return None
    return Problem(
        code=Code.REPORT,
        place=site.option("report"),
        found=f"is {format_value(name)}, which {found}",
        done="No report is written.",
    )


def _other_files(outcome: Outcome) -> Iterator[LeftOut]:
    """Yield a decision on each file of the built site that is no page, and not listed either."""
    site = outcome.site
    known = {file.dest_uri for file in files_in(outcome.decisions)}
    for folder, folders, names in os.walk(site.site_dir):
        folders.sort()
        inside = f"{path_from(site.site_dir, folder)}/" if folder != str(site.site_dir) else ""
        for name in sorted(names):
            dest_uri = f"{inside}{name}"
            if dest_uri in known:
                continue
            path = dest_uri.removesuffix(name) if name == "index.html" else dest_uri
            file = SourcePage(
                src_uri=dest_uri,
                file=dest_uri,
                dest_uri=dest_uri,
                loc=joined(site.url or "", quote_path(path)) or "",
                meta={},
                built=None,
            )
            place = Place(origin=Origin.BUILT_PAGE, file=dest_uri)
            yield Candidate(about=file).left_out(*_reason(file, outcome), place)


def _reason(file: SourcePage, outcome: Outcome) -> tuple[OutReason, str]:
    """Return why a file of the built site is not listed."""
    site, path = outcome.site, file.dest_uri
    is_copied = exists(site.docs_dir / path)
    by_sphinx = not is_copied and is_made_by_sphinx(site.site_dir, path)
    to_list = "; to list it, use `extra_files`" if site.project_file else ""
    if not is_copied and is_error_page(path):
        return OutReason.ERROR_PAGE, "servers show it for addresses that do not exist"
    if not is_copied and posixpath.basename(path) == "search.html":
        return OutReason.SEARCH_PAGE, "the results of the theme's search"
    if path.endswith((".html", ".htm")) and not by_sphinx:
        page = file._replace(built=read_built_page(site.site_dir / path))
        if in_html := reason_in_html(page, trust_canonicals=True):
            return in_html
        if page.built and page.built.canonical and not is_copied:
            return OutReason.UNKNOWN_PAGE, f"canonical, but no page of the build{to_list}"
    what = f"copied as it is{to_list}" if is_copied else f"no page of the build{to_list}"
    if path in outcome.files:
        what = "a sitemap, which lists pages"
    elif by_sphinx:
        what = "Sphinx makes it beside the pages"
    return OutReason.STATIC, what
