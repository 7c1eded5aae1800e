"""The sitemap that is there, compared with what was worked out; the file is what is published."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.lastmod.change import Change
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Decision, LeftOut, Outcome, Reason
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.parse import elements
from mkdocs_sitemap_plus.sitemap.read_entry import url_entry
from mkdocs_sitemap_plus.sitemap.split import Layout, files
from mkdocs_sitemap_plus.sitemap.urls import comparable, within
from mkdocs_sitemap_plus.tools.collect import collect
from mkdocs_sitemap_plus.wording import counted, first_names

_TEXTS = frozenset(("videos", "news"))
"""The fields that may read back from a file otherwise than they were written."""

_FIELDS = tuple(field.name for field in fields(UrlEntry) if field.name != "loc")


def as_published(outcome: Outcome, name: str) -> Outcome:
    """Return the outcome with the entries that the sitemap in the built site has.

    A field that is equal in both keeps its reason. For every other field, the value is that of the
    file and the reason is a place in the sitemap: only the build knows why.

    Args:
        outcome: what was worked out from the sources, the built pages and git.
        name: the name of the sitemap in the built site. If there is no such file, the outcome
            stays as it is, and a note says so.

    Raises:
        SitemapError: the sitemap can't be read.
    """
    path = outcome.site.site_dir / name
    place = Place(origin=Origin.SITEMAP, file=name)
    if not is_file(path):
        return replace(outcome, problems=(*outcome.problems, _absent(place)))
    found = collect(path.as_posix())
    unclaimed = _Entries(found.entries)
    # A page that is not listed can have the URL of one that is: listed pages come first.
    listed = [_listed(each, unclaimed, place) for each in outcome.decisions if each.entry]
    others = [_unlisted(each, unclaimed, place) for each in outcome.decisions if not each.entry]
    unknown = [_unknown(entry, outcome.site, place) for entry in unclaimed.rest()]
    decisions = sorted((*listed, *others, *unknown), key=lambda each: (each.loc or "", each.name))
    problems = [*outcome.problems, *(_short(each, name) for each in found.problems)]
    problems += _unexplained(decisions)
    return replace(outcome, decisions=tuple(decisions), problems=tuple(problems))


def _absent(place: Place) -> Problem:
    return Problem(
        code="no-sitemap",
        place=place,
        found="there is no such file in the built site",
        done="What `mkdocs-sitemap-plus build` would write is shown.",
        note=True,
    )


def _unexplained(decisions: Iterable[Decision]) -> list[Problem]:
    """Return a note on the pages that are in the sitemap for reasons that only the build knows."""
    names = [each.name for each in decisions if _is_unexplained(each)]
    if not names:
        return []
    note = Problem(
        code="decided-by-the-build",
        found=f"the sitemap has values of {counted(len(names), 'page')} that were decided during "
        f"the build ({first_names(names)})",
        fix="To see why, add `report: report.json` to the plugin's options, build again, and give "
        "that file to this command.",
        note=True,
    )
    return [note]


def _is_unexplained(decision: Decision) -> bool:
    out = [decision.left_out.place] if decision.left_out else []
    places = (each for each in (*out, *decision.because.values()) if isinstance(each, Place))
    return any(place.origin is Origin.SITEMAP for place in places)


def _short(problem: Problem, name: str) -> Problem:
    """Return a problem of the file without the folder of this machine; nobody can fix it here."""
    place = replace(problem.place, file=name) if problem.place else None
    return replace(problem, place=place, note=True)


class _Entries:
    """The entries of the file that no page has claimed yet."""

    def __init__(self, entries: Mapping[str, UrlEntry]) -> None:
        self._by_loc = dict(entries)
        self._locs = {comparable(loc): loc for loc in entries}

    def claim(self, loc: str | None) -> UrlEntry | None:
        """Return the entry of a URL, which is written the same or means the same."""
        entry = self._by_loc.pop(loc or "", None)
        if entry or not loc:
            return entry
        try:
            return self._by_loc.pop(self._locs.get(comparable(loc), ""), None)
        except ValueError:
            return None

    def rest(self) -> Iterable[UrlEntry]:
        return self._by_loc.values()


def _listed(decision: Decision, unclaimed: _Entries, place: Place) -> Decision:
    """Return the decision on a page that should be listed, as the file has it."""
    entry = unclaimed.claim(decision.loc)
    if entry is None or decision.entry is None:
        detail = "decided during the build"
        out = LeftOut(reason=Reason.NOT_IN_SITEMAP, detail=detail, place=place)
        return replace(decision, entry=None, left_out=out, because={}, undated=None)
    differing = _differing(decision.entry, entry)
    return replace(
        decision,
        loc=entry.loc,
        entry=entry,
        because=_because(decision, differing, entry, place),
        undated=None if "lastmod" in differing else decision.undated,
    )


def _because(
    decision: Decision, differing: frozenset[str], entry: UrlEntry, place: Place
) -> Mapping[str, Place | Change]:
    known = {
        name: why
        for name, why in decision.because.items()
        if ("lastmod" if name == "undated" else name) not in differing
    }
    return known | _decided_by_the_build(differing, entry, place)


def _decided_by_the_build(
    names: Iterable[str], entry: UrlEntry, place: Place
) -> dict[str, Place | Change]:
    """Return places in the sitemap as the reasons of some fields, in the order of an entry."""
    return {
        "undated" if name == "lastmod" and entry.lastmod is None else name: replace(place, key=name)
        for name in _FIELDS
        if name in names
    }


def _differing(ours: UrlEntry, theirs: UrlEntry) -> frozenset[str]:
    """Return the names of the fields whose values differ."""
    if isinstance(ours.lastmod, datetime):  # a file has whole seconds
        ours = replace(ours, lastmod=ours.lastmod.replace(microsecond=0))
    names = _unequal(ours, theirs)
    return names if names.isdisjoint(_TEXTS) else _unequal(_written_and_read(ours), theirs)


def _unequal(ours: UrlEntry, theirs: UrlEntry) -> frozenset[str]:
    return frozenset(name for name in _FIELDS if getattr(ours, name) != getattr(theirs, name))


def _written_and_read(entry: UrlEntry) -> UrlEntry:
    """Return the entry as a file has it: without what XML can't hold, for example."""
    (file,) = files([entry], Layout(filename="", base=""))
    _, element = elements(b"".join(file.pieces), "")
    return url_entry(element, "")[0] or entry


def _unlisted(decision: Decision, unclaimed: _Entries, place: Place) -> Decision:
    """Return the decision on a page that should not be listed, as the file has it."""
    entry = unclaimed.claim(decision.loc)
    if entry is None:
        return decision
    because = _all_by_the_build(entry, place)
    return replace(decision, loc=entry.loc, entry=entry, left_out=None, because=because)


def _unknown(entry: UrlEntry, site: Site, place: Place) -> Decision:
    """Return a decision on an entry whose page nobody here knows."""
    because = _all_by_the_build(entry, place)
    page = _built_page(entry.loc, site)
    return Decision(page=page, loc=entry.loc, entry=entry, because=because)


def _all_by_the_build(entry: UrlEntry, place: Place) -> Mapping[str, Place | Change]:
    given = {name for name in _FIELDS if getattr(entry, name) not in (None, ())}
    return {"listed": place} | _decided_by_the_build(given | {"lastmod"}, entry, place)


def _built_page(loc: str, site: Site) -> SourcePage | None:
    """Return the page that a URL of this site leads to, without its source; None for other URLs."""
    if not site.url or not within(loc, site.url):
        return None
    top = unquote(urlsplit(site.url).path)
    path = unquote(urlsplit(loc).path).removeprefix(top)
    names = [f"{path}index.html"] if path.endswith("/") or not path else [path, f"{path}.html"]
    inside = (name for name in names if ".." not in PurePosixPath(name).parts and "\0" not in name)
    dest_uri = next((name for name in inside if is_file(site.site_dir / name)), None)
    if dest_uri is None:
        return None
    return SourcePage(
        src_uri=dest_uri, file=dest_uri, dest_uri=dest_uri, loc=loc, meta={}, built=None
    )
