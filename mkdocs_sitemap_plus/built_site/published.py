"""Explain the sitemap of a built site: compare its entries with those that are decided here."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.built_site.project import (
    Project,
    built_folder,
    read_plugin_options,
    settings_with_transform,
)
from mkdocs_sitemap_plus.built_site.site import open_site, page_without_source
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.generate import site_url_fault, site_url_problem
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.pipeline.decision import Context, Decision, Outcome, Reason
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.elements import url_entry
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.parse import elements
from mkdocs_sitemap_plus.sitemap.split import Layout, files
from mkdocs_sitemap_plus.sitemap.urls import url_key, within
from mkdocs_sitemap_plus.tools.collect import collect
from mkdocs_sitemap_plus.wording import counted, first_names

_FIELDS = tuple(field.name for field in fields(UrlEntry) if field.name != "loc")


@contextmanager
def published_outcome(project: Project, site_dir: Path | None) -> Iterator[tuple[Outcome, History]]:
    """Yield the outcome of a built site with the values of its sitemap, and the git history.

    Nothing is written. At the end, the history is closed. Without `site_dir`, the built site is the
    folder that the project file names.

    Raises:
        SitemapError: an option is invalid, or something can't be read.
    """
    options = read_plugin_options(project)
    settings = settings_with_transform(project, options)
    folder = built_folder(project, site_dir)
    with open_site(project, folder, settings) as (site, history):
        problem = site_url_problem(site)
        if problem and site_url_fault(site.url):
            raise SitemapError(problem)
        outcome = decide(Context(site, settings, history, datetime.now(UTC)))
        names = (settings.filename, f"{settings.filename}.gz")
        problems = (*options.unknown, *([problem] if problem else []), *outcome.problems)
        written = tuple(name for name in names if is_file(folder / name))
        outcome = outcome._replace(problems=problems, files=written)
        yield _take_entries(outcome, settings.filename), history


def _take_entries(outcome: Outcome, name: str) -> Outcome:
    """Return the outcome with the entries of the sitemap in the built site.

    A field that is equal in both keeps its reason. Every other field gets the value of the sitemap.
    Its reason is then the sitemap, since only the build knows why. If there is no file `name`, the
    outcome only gets a note.
    """
    place = Place(origin=Origin.SITEMAP, file=name)
    path = outcome.site.site_dir / name
    if not is_file(path):
        what = "there is no such file in the built site"
        done = "What `mkdocs-sitemap-plus build` would write is shown."
        note = Problem(code="no-sitemap", place=place, found=what, done=done, note=True)
        return outcome._replace(problems=(*outcome.problems, note))
    found = collect(path.as_posix())
    entries = {url_key(loc): entry for loc, entry in found.entries.items()}
    # A listed page takes the entry of its URL before other pages with this URL.
    listed_first = sorted(outcome.decisions, key=lambda each: each.entry is None)
    decisions = [
        _take_entry(each, entries.pop(url_key(each.loc or ""), None), place)
        for each in listed_first
    ]
    for entry in entries.values():  # pages that are not known here
        decision = Decision(page=_page_at(entry.loc, outcome.site), loc=entry.loc)
        decisions.append(_take_entry(decision, entry, place))
    decisions.sort(key=lambda each: (each.loc or "", each.name))
    problems = list(outcome.problems)
    for each in found.problems:  # their places get the file's name, not its path
        own_place = each.place._replace(file=name) if each.place else None
        problems.append(each._replace(place=own_place, note=True))
    if names := [each.name for each in decisions if _is_decided_by_build(each)]:
        pages = f"{counted(len(names), 'page')} that were decided during the build"
        what = f"the sitemap has values of {pages} ({first_names(names)})"
        fix = (
            "To see why, add `report: report.json` to the plugin's options, build again, and give "
            "that file to this command."
        )
        problems.append(Problem(code="decided-by-the-build", found=what, fix=fix, note=True))
    return outcome._replace(decisions=tuple(decisions), problems=tuple(problems))


def _is_decided_by_build(decision: Decision) -> bool:
    """Return whether the sitemap is the reason for something, since the build's is not known."""
    out = [decision.left_out.place] if decision.left_out else []
    places = (each for each in (*out, *decision.because.values()) if isinstance(each, Place))
    return any(place.origin is Origin.SITEMAP for place in places)


def _take_entry(ours: Decision, entry: UrlEntry | None, place: Place) -> Decision:
    """Return a decision with the values of the page's entry in the sitemap; None: it has none."""
    if entry is None:
        if ours.entry is None:
            return ours
        return ours.without_entry(Reason.NOT_IN_SITEMAP, "decided during the build", place)
    if ours.entry:
        differing = _differing_fields(ours.entry, entry)
        because = {
            key: why
            for key, why in ours.because.items()
            if ("lastmod" if key == "undated" else key) not in differing
        }
    else:
        differing = _differing_fields(UrlEntry(loc=entry.loc), entry) | {"lastmod"}
        because = {"listed": place}
    for name in _FIELDS:
        if name in differing:
            undated = name == "lastmod" and entry.lastmod is None
            because["undated" if undated else name] = place._replace(key=name)
    return ours._replace(
        loc=entry.loc,
        entry=entry,
        left_out=None,
        because=because,
        undated=None if "lastmod" in differing else ours.undated,
    )


def _differing_fields(ours: UrlEntry, theirs: UrlEntry) -> frozenset[str]:
    """Return the names of the fields whose values differ; writing may have changed a value."""
    if ours == theirs:
        return frozenset()
    (file,) = files([ours], Layout(filename="", base=""))
    _, element = elements(b"".join(file.pieces), "")
    ours = url_entry(element, "")[0] or ours
    return frozenset(name for name in _FIELDS if getattr(ours, name) != getattr(theirs, name))


def _page_at(loc: str, site: Site) -> SourcePage | None:
    """Return the page that has this URL; None if the built site has no file for it."""
    if not site.url or not within(loc, site.url):
        return None
    path = unquote(urlsplit(loc).path).removeprefix(unquote(urlsplit(site.url).path))
    ends_in_slash = path.endswith("/") or not path
    for name in [f"{path}index.html"] if ends_in_slash else [path, f"{path}.html"]:
        inside = {"..", "/", "//"}.isdisjoint(PurePosixPath(name).parts)
        if inside and is_file(site.site_dir / name):
            return page_without_source(name, loc)
    return None
