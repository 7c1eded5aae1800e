"""Make the report of a build, and write or keep it."""

import os
import posixpath
import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path

from mkdocs_sitemap_plus.files import Mark, absolute_path, exists, is_folder, path_from, real_path
from mkdocs_sitemap_plus.generator.kept_report import (
    ENDING,
    FORMAT,
    VERSION,
    Data,
    file_of_report,
    fingerprint,
    published_in,
)
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.output import write_if_changed, write_site_file
from mkdocs_sitemap_plus.generator.pages.site import OutReason, SourcePage, UncheckedSite, Url
from mkdocs_sitemap_plus.generator.pipeline.decisions import (
    Candidate,
    Decision,
    LeftOut,
    Outcome,
    files_in,
)
from mkdocs_sitemap_plus.generator.pipeline.select import reason_in_html
from mkdocs_sitemap_plus.gitdates import Change
from mkdocs_sitemap_plus.html import site_folder as no_pages
from mkdocs_sitemap_plus.html.tags import is_error_page
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry
from mkdocs_sitemap_plus.sitemap.protocol import lastmod_text
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path
from mkdocs_sitemap_plus.sitemap.write import json_value
from mkdocs_sitemap_plus.wording import format_value, json_text, with_relative_paths

_FIELDS = tuple(field.name for field in fields(UrlEntry))
_LOOKED_AT = 20  # reports of other folders, of each new one: a builder may keep thousands
_ORDER = ("listed", "undated", *_FIELDS)  # of the keys of "because"


def report_of(outcome: Outcome, others: Iterable[LeftOut] = (), commit: str | None = None) -> Data:
    """Return all results of a build, and what else is known of the site: `others`."""
    site, listed = outcome.site, outcome.listed
    sources = Counter(each.date_source for each in listed if each.date_source)
    reasons = Counter(str(each.reason) for each in outcome.left_out)
    docs_dir = _relative(site.docs_dir, site.root)
    report: Data = {
        "format": FORMAT,
        "version": VERSION,
        "site": json_value(
            {"url": site.url, "project_file": site.project_file, "docs_dir": docs_dir}
        ),
        "files": [*outcome.files],
        "counts": {
            "urls": len(listed),
            "dated": sources.total(),
            "undated": len(listed) - sources.total(),
            "left_out": reasons.total(),
            "by_source": dict(sorted(sources.items())),
            "by_reason": dict(sorted(reasons.items())),
        },
        "problems": [
            json_value({"code": each.code, "level": each.level, "place": each.place})
            | {"text": with_relative_paths(str(each), site.root)}
            for each in dict.fromkeys(outcome.problems)
        ],
        "pages": [_page(each, site) for each in outcome.decisions],
        "others": [_page(each, site) for each in others],
    }
    if not site.serving:  # which would write the report of each rebuild
        report["time"] = lastmod_text(datetime.now(UTC))
    if commit:
        report["commit"] = commit
    if outcome.files:
        dates = ((each.loc, each.entry.lastmod) for each in listed)
        entries = ((loc, lastmod_text(when) if when else "") for loc, when in dates)
        return report | {"fingerprint": fingerprint(entries)}
    why = [each for each in outcome.problems if each.code in (Code.EMPTY, Code.SITE_URL)]
    text = with_relative_paths(str(why[-1]), site.root) if why else "no page is listed"
    return report | {"no_sitemap": text}


def _page(decision: Decision, site: UncheckedSite) -> Data:
    target, page = decision.target, Data(loc=decision.loc or None)
    if isinstance(target, SourcePage):
        of_docs = posixpath.join(_relative(site.docs_dir, site.root), target.src_uri)
        is_usual = target.file in (target.src_uri, posixpath.normpath(of_docs))
        page["source"] = None if target.src_uri == target.dest_uri else target.src_uri
        page["file"] = None if is_usual else target.file  # what messages call it
        page |= {"dest": target.dest_uri, "title": target.title}
        page["fallback"] = target.is_fallback or None
    elif not isinstance(target, Url):
        page |= {"source": target.src_uri, "dest": target.dest_uri}
    if isinstance(decision, LeftOut):
        page["left_out"] = {name: getattr(decision, name) for name in ("reason", "detail", "place")}
    else:
        origins = {key: decision.origins[key] for key in _ORDER if key in decision.origins}
        page["entry"] = decision.entry
        page["because"] = {
            key: _because(each, site.root) if isinstance(each, Change) else each
            for key, each in origins.items()
        }
        if why := decision.undated:
            place = decision.origins.get("undated")
            page["undated"] = {
                "reason": why.reason,
                "detail": why.detail or None,
                "place": place if isinstance(place, Place) else None,
                "fix": why.fix,
            }
    page["rejected"] = [_rejected(problem, decision, site.root) for problem in decision.rejected]
    found: Data = json_value(page)
    return found


def _rejected(problem: Problem, decision: Decision, root: Path) -> Data:
    """Return a value that is not written, with the field of the entry that it is for."""
    place = problem.place or Place(Origin.PLUGIN)
    key, own = place.key or "", decision.overrides.places.items()
    named = (name for name, at in own if at.key and re.match(rf"{re.escape(at.key)}(?![^.[])", key))
    is_field = problem.code in (*_FIELDS, "exclude")
    field = next(named, str(problem.code) if is_field else None)
    text = with_relative_paths(str(problem), root)
    return {"field": field, "key": place.key, "file": place.file, "line": place.line, "text": text}


@lru_cache(maxsize=1024)  # most pages are in one repository
def _relative(path: Path | str, root: Path) -> str:
    if not os.path.isabs(path):  # noqa: PTH117 - it may be any text
        return str(path)
    try:
        return Path(os.path.relpath(real_path(path), real_path(root))).as_posix()
    except ValueError:  # it is on another drive
        return Path(path).name


def _because(change: Change, root: Path) -> Data:
    top = _relative(change.repository, root)
    return {
        "origin": change.source,
        "repository": top,
        "path": posixpath.normpath(posixpath.join(top, change.path)),
        "commit": change.commit or None,
        "when": change.when,
        "skipped": [{"what": _relative(what, root), "why": why} for what, why in change.skipped],
        "note": change.note or None,
        "before": change.before or None,
    }


def to_json(report: Data) -> bytes:
    """Return a report as UTF-8. Each page has a line of its own, so that diffs are short."""
    head = {key: value for key, value in report.items() if key not in ("pages", "others")}
    text = json_text(head, indent=2).removesuffix("\n}")
    for key in ("pages", "others"):
        lines = ",\n".join(f"    {json_text(each)}" for each in report[key])
        text += f',\n  "{key}": ' + (f"[\n{lines}\n  ]" if lines else "[]")
    # A name that is not UTF-8 has lone surrogates. They are written as \udcff, which JSON allows.
    return f"{text}\n}}\n".encode("utf-8", "backslashreplace")


def write_report(
    outcome: Outcome,
    settings: Settings,
    unpublished: Iterable[LeftOut] = (),
    commit: str | None = None,
    *,
    keeps: bool = False,
) -> Problem | None:
    """Write the report into the file of the option ``report``, or else keep it in the user's cache.

    Return a problem if the file can't be written. `unpublished` are sources that the builder leaves
    out of the site, and `commit` is the one that is built. ``serve`` keeps no report. A report that
    is written into a file is kept too if it `keeps`: where no option tells the next command of it.
    """
    site, name = outcome.site, settings.report
    if name is None and site.serving:
        return None
    data = to_json(report_of(outcome, chain(unpublished, _other_files(outcome)), commit))
    if name is None or keeps:
        keep(site.site_dir, data)
    if name is None:
        return None
    path, fix = absolute_path(site.root / name), None
    # Without a project file, the folder of the sources is the whole repository.
    docs_dir = site.docs_dir if site.project_file else None
    if folder := published_in(path, site.site_dir, docs_dir):
        found = f"is in {folder}, where it would be published"
    else:
        try:
            write_if_changed(path, data, Mark.REPORT)
        except SitemapError as error:
            found, fix = error.problem.found.removeprefix("it "), error.problem.fix
        else:
            return None
    return Problem(
        Code.REPORT,
        f"is {format_value(name)}, which {found}",
        site.option("report"),
        done="No report is written.",
        fix=fix,
    )


def keep(site_dir: Path, report: bytes) -> None:
    """Write a report into the user's cache.

    Its first line is the built folder. The first report of a folder looks at some others, whose
    names follow its own and are as good as random, and removes those of folders that are gone. A
    cache that can't be written is no error: only what reads the report needs it, and says so.
    """
    file = file_of_report(site_dir)
    if file is None:
        return
    with suppress(OSError, SitemapError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_first = not exists(file)
        write_site_file(file, os.fsencode(real_path(site_dir)) + b"\n" + report)
        others = sorted(file.parent.glob(f"*{ENDING}")) if is_first else []
        start = bisect(others, file)
        for other in [*others[start:], *others[:start]][:_LOOKED_AT]:
            with other.open("rb") as lines:
                folder = lines.readline().removesuffix(b"\n")
            if not is_folder(folder):
                other.unlink(missing_ok=True)


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
            place = Place(Origin.BUILT_PAGE, dest_uri)
            yield Candidate(target=file).left_out(*_reason(file, outcome), place)


def _reason(file: SourcePage, outcome: Outcome) -> tuple[OutReason, str]:
    site, path = outcome.site, file.dest_uri
    is_copied = exists(site.docs_dir / path)
    is_html = path.endswith((".html", ".htm"))
    to_list = "; to list it, use `extra_files`" if site.project_file else ""
    if not is_copied and is_error_page(path):
        return OutReason.ERROR_PAGE, "servers show it for addresses that do not exist"
    if not is_copied and posixpath.basename(path) == "search.html":
        return OutReason.SEARCH_PAGE, "the results of the theme's search"
    if not is_copied and site.is_print_page(path):
        return OutReason.PRINT_PAGE, "mkdocs-print-site-plugin repeats all pages there"
    no_page, is_beside, page = None, False, file
    if is_html:
        says, no_page = no_pages.read_html(site.site_dir, path)
        page = file._replace(built=says)
        no_page = None if is_copied else no_page
        is_beside = bool(no_page and no_pages.is_beside_pages(site.site_dir, path))
    if is_html and not is_beside:
        if in_html := reason_in_html(page, trust_canonicals=True):
            return in_html
        if page.built and page.built.canonical and not is_copied:
            return OutReason.UNKNOWN_PAGE, f"canonical, but no page of the build{to_list}"
    what = f"copied as it is{to_list}" if is_copied else f"no page of the build{to_list}"
    if path in outcome.files:
        what = "a sitemap, which lists pages"
    elif no_page:
        what = no_page
    return OutReason.STATIC, what
