"""Explain the sitemap of a built site by what this package decides without a build."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from mkdocs_sitemap_plus.built_site import Project, built_folder, read_plugin_options
from mkdocs_sitemap_plus.built_site.others import with_others
from mkdocs_sitemap_plus.built_site.site import is_by_zensical, open_site, page_without_source
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.generate import site_url_fault, site_url_problem
from mkdocs_sitemap_plus.gitdates import GitDates
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.pipeline import Context, Decision, Outcome, OutReason
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import UrlEntry, differing_fields
from mkdocs_sitemap_plus.sitemap.collect import Collected, collect
from mkdocs_sitemap_plus.sitemap.elements import url_entry
from mkdocs_sitemap_plus.sitemap.parse import elements
from mkdocs_sitemap_plus.sitemap.split import Layout, files
from mkdocs_sitemap_plus.sitemap.urls import served_file, url_key
from mkdocs_sitemap_plus.wording import counted, first_names, format_value

_MAX_SAMPLE = 50  # URLs of a sitemap whose files are looked for


@contextmanager
def published_outcome(
    project: Project, site_dir: Path | None, *, every: bool
) -> Iterator[tuple[Outcome, GitDates]]:
    """Yield the outcome of a built site with the values of its sitemap, and the git history.

    Nothing is written, and the owner's function (``transform``) is not called: its results are in
    the sitemap. At the end, the history is closed. Without `site_dir`, the built site is the folder
    that the project file names. `every` is that of `with_others`. Raises SitemapError if an option
    is invalid, if a file can't be read, or if neither the project file nor the sitemap has the URL
    of the site.
    """
    options = read_plugin_options(project)
    settings = replace(options.settings, transform=None)
    folder = built_folder(project, site_dir)
    name = settings.filename
    found = collect((folder / name).as_posix()) if is_file(folder / name) else None
    url = _published_url(project.site.url, folder, found.entries if found else {})
    problems = [*options.unknown]
    if url != project.site.url:
        problems += _other_url(project.site, url, name)
        project = project._replace(site=project.site._replace(url=url))
    with open_site(project, folder, settings) as (built, history):
        problem = site_url_problem(built.site)
        # A fault allows no sitemap. Other problems of the URL are only reported.
        if problem and site_url_fault(built.site.url):
            raise SitemapError(problem)
        outcome = decide(Context(built.site, settings, history, datetime.now(UTC)))
        written = tuple(file for file in (name, f"{name}.gz") if is_file(folder / file))
        problems += filter(None, (problem, *outcome.problems))
        outcome = with_others(outcome, built, every=every)
        if found is None:
            problems.append(_no_sitemap(name, options.settings))
        outcome = outcome._replace(problems=tuple(problems), files=written)
        if found is not None:
            zensical = is_by_zensical(built.site)
            outcome = _with_sitemap_entries(outcome, found, name, zensical=zensical)
        yield outcome, history


def _published_url(url: str | None, folder: Path, locs: Iterable[str]) -> str | None:
    """Return the URL of the site from its sitemap, if the built site has no file for `url`.

    The option may depend on the environment, and mike adds the version to it. If the sitemap does
    not help, return `url`.
    """
    sample = [*islice(locs, _MAX_SAMPLE)]

    def served(base: str) -> int:
        return sum(served_file(folder, base, loc) is not None for loc in sample)

    if not sample or (url and not site_url_fault(url) and served(url)):
        return url
    shortest = min(sample, key=len)
    slashes = (at + 1 for at, letter in enumerate(shortest) if letter == "/")
    bases = [shortest[:end] for end in slashes if not site_url_fault(shortest[:end])]
    best = max(bases, key=lambda base: (served(base), len(base)), default="")
    return best if served(best) else url


def _other_url(site: Site, url: str | None, name: str) -> Iterator[Problem]:
    """Yield a note if `url`, that of the sitemap, is not the one that the project file names."""
    if site.url and not site_url_fault(site.url):
        yield Problem(
            code="site-url",
            place=Place(origin=Origin.SITEMAP, file=name),
            found=f"its URLs begin with {url}, and site_url is {format_value(site.url)} here",
            done="This output shows the URLs of the file.",
            note=True,
        )


def _no_sitemap(name: str, settings: Settings) -> Problem:
    but = ", without what the function of `transform` changes" if settings.transform else ""
    return Problem(
        code="no-sitemap",
        place=Place(origin=Origin.SITEMAP, file=name),
        found="there is no such file in the built site",
        done=f"This output shows what `mkdocs-sitemap-plus build` would write{but}.",
        note=True,
    )


def _with_sitemap_entries(
    outcome: Outcome, found: Collected, name: str, *, zensical: bool
) -> Outcome:
    """Return the outcome with the entries of the sitemap `name` in the built site.

    A field keeps its reason if it has the same value in the sitemap. Every other field gets the
    value of the sitemap, and the sitemap as its reason, since only the build knows the real reason.
    """
    place = Place(origin=Origin.SITEMAP, file=name)
    entries = {url_key(loc): entry for loc, entry in found.entries.items()}
    # A listed page takes the entry of its URL before other pages with this URL.
    listed_first = sorted(outcome.decisions, key=lambda each: each.entry is None)
    decisions = [
        _with_sitemap_entry(each, entries.pop(url_key(each.loc or ""), None), place)
        for each in listed_first
    ]
    for entry in entries.values():  # of pages that are not known
        decision = Decision(page=_page_at(entry.loc, outcome.site), loc=entry.loc)
        decisions.append(_with_sitemap_entry(decision, entry, place))
    decisions.sort(key=lambda each: (each.loc or "", each.name))
    problems = list(outcome.problems)
    dated = any(each.entry and each.entry.lastmod for each in outcome.decisions)
    if zensical and dated and not any(each.lastmod for each in found.entries.values()):
        what = "it has no dates: `zensical build` has replaced it"
        fix = "Run `mkdocs-sitemap-plus build` after `zensical build`."
        problems.append(Problem(code="no-sitemap", place=place, found=what, fix=fix, note=True))
    for each in found.problems:  # their places have the path of the file, not its name
        named = each.place._replace(file=name) if each.place else None
        problems.append(each._replace(place=named, note=True))
    if names := [each.name for each in decisions if _is_decided_by_build(each)]:
        pages = f"{counted(len(names), 'page')} ({first_names(names)})"
        what = f"for {pages}, the sitemap has values that were decided during the build"
        fix = (
            "To see why, add `report: report.json` to the plugin's options, build again, and give "
            "that file to this command."
        )
        problems.append(Problem(code="decided-by-the-build", found=what, fix=fix, note=True))
    return outcome._replace(decisions=tuple(decisions), problems=tuple(problems))


def _is_decided_by_build(decision: Decision) -> bool:
    """Return whether the sitemap is the reason for a value, or for leaving the page out."""
    reasons = list(decision.because.values())
    if decision.left_out:
        reasons.append(decision.left_out.place)
    return any(isinstance(each, Place) and each.origin is Origin.SITEMAP for each in reasons)


def _with_sitemap_entry(ours: Decision, entry: UrlEntry | None, place: Place) -> Decision:
    """Return a decision with the values of the page's entry in the sitemap.

    `entry` is None if the sitemap does not list the page.
    """
    if ours.entry is None and entry is None:
        return ours
    if entry is None:
        return ours.without_entry(OutReason.NOT_IN_SITEMAP, "decided during the build", place)
    if ours.entry:
        differing = () if ours.entry == entry else differing_fields(_as_written(ours.entry), entry)
        because = dict(ours.because)
    else:
        # "lastmod" is always there, so that a page without a date gets the reason "undated".
        differing = ("lastmod", *differing_fields(UrlEntry(loc=entry.loc), entry))
        because = {"listed": place}
    if "lastmod" in differing:
        because.pop("undated", None)  # the reason for a missing lastmod
    for name in differing:
        because.pop(name, None)  # so that the new reason stands at the end
        undated = name == "lastmod" and entry.lastmod is None
        because["undated" if undated else name] = place._replace(key=name)
    return ours._replace(
        loc=entry.loc,
        entry=entry,
        left_out=None,
        because=because,
        undated=None if "lastmod" in differing else ours.undated,
    )


def _as_written(entry: UrlEntry) -> UrlEntry:
    """Return an entry after it was written and read again, which may change the form of a value."""
    (file,) = files([entry], Layout(filename="", base=""))
    _, element = elements(b"".join(file.pieces), "")
    return url_entry(element, "")[0] or entry


def _page_at(loc: str, site: Site) -> SourcePage | None:
    """Return the page that has this URL; None if the built site has no file for it."""
    file = served_file(site.site_dir, site.url, loc) if site.url else None
    return page_without_source(file.relative_to(site.site_dir).as_posix(), loc) if file else None
