"""Explain the sitemap of a built site by what this package decides without a build."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.built_site import Project, built_folder, read_plugin_options
from mkdocs_sitemap_plus.built_site.others import with_others
from mkdocs_sitemap_plus.built_site.replaced import is_of_other_builder
from mkdocs_sitemap_plus.built_site.site import (
    BuiltSite,
    is_by_zensical,
    open_site,
    page_without_source,
)
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.pages import Site, SourcePage, UncheckedSite, Url
from mkdocs_sitemap_plus.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.pages.site_url import check_url, site_url_fault
from mkdocs_sitemap_plus.pipeline import (
    Candidate,
    Context,
    Decision,
    LeftOut,
    Listed,
    Outcome,
    OutReason,
)
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.problems import (
    ONLY_IN_SITEMAP,
    Code,
    Level,
    Origin,
    Place,
    Problem,
    SitemapError,
)
from mkdocs_sitemap_plus.sitemap import UrlEntry, differing_fields
from mkdocs_sitemap_plus.sitemap.collect import Collected, collect_own, first_locs
from mkdocs_sitemap_plus.sitemap.elements import url_entry
from mkdocs_sitemap_plus.sitemap.parse import elements
from mkdocs_sitemap_plus.sitemap.split import Layout, files
from mkdocs_sitemap_plus.sitemap.urls import joined, served_file, url_key
from mkdocs_sitemap_plus.wording import counted, distinct, first_names, format_value

_MAX_SAMPLE = 50  # URLs of a sitemap whose files are looked for


class DecidedSite(NamedTuple):
    """What this package decides about a built site."""

    site: Site
    pages: Outcome  # without files that are no page. Its own files are those that are there
    built: BuiltSite
    settings: Settings  # as the owner set them

    def outcome(self, *, every: bool) -> Outcome:
        """Return all decisions. `every` is that of `with_others`."""
        return with_others(self.pages, self.built, every=every)


def decided_site(project: Project, site_dir: Path | None) -> DecidedSite:
    """Return what is decided about a built site without the owner's function (``transform``).

    Nothing is written. Without `site_dir`, the built site is the folder that the project file
    names. Raises SitemapError if an option is invalid, if a file can't be read, or if neither the
    project file nor the sitemap has the URL of the site.
    """
    options = read_plugin_options(project)
    settings = replace(options.settings, transform=None)
    folder = built_folder(project, site_dir)
    name = settings.filename
    has_sitemap, sample = is_file(folder / name), list[str]()
    with suppress(SitemapError):  # of a sitemap that can't be read, `published_outcome` tells
        sample = first_locs((folder / name).as_posix(), _MAX_SAMPLE) if has_sitemap else []
    by_hand = (joined(project.site.url or "", "", url.loc) for url in settings.extra_urls)
    other_urls = {url_key(loc) for loc in by_hand if loc}
    pages = [loc for loc in sample if url_key(loc) not in other_urls]
    url = _published_url(project.site.url, folder, pages)
    problems = [*options.unknown]
    if url != project.site.url:
        problems += _other_url(project.site, url, name)
        project = project._replace(site=replace(project.site, url=url))
    with open_site(project, folder, settings) as (built, sources):
        site, url_problems = check_url(built.site)
        if site is None:
            raise SitemapError(*with_option_lines(url_problems, project.file))
        outcome = decide(Context(site, settings, sources, datetime.now(UTC)))
        written = tuple(file for file in (name, f"{name}.gz") if is_file(folder / file))
        problems += [*url_problems, *outcome.problems]
        if not has_sitemap:
            problems.append(_no_sitemap(name, options.settings))
        elif is_of_other_builder(folder, name):
            problems.append(_of_another_program(name, project, built.site))
        outcome = outcome._replace(problems=tuple(problems), files=written)
        return DecidedSite(site, outcome, built, options.settings)


def published_outcome(decided: DecidedSite, *, every: bool) -> Outcome:
    """Return what is decided about a site, with the values of the sitemap that is there.

    The results of the owner's function are in the sitemap. `every` is that of `with_others`. Raises
    SitemapError if the sitemap can't be read.
    """
    site, name = decided.site, decided.settings.filename
    outcome = decided.outcome(every=every)
    if name not in outcome.files:
        return outcome
    return _with_sitemap_entries(outcome, site, collect_own(site.site_dir, name), name)


def _published_url(url: str | None, folder: Path, sample: Sequence[str]) -> str | None:
    """Return the URL of the site from the pages in its sitemap, if `url` fits to none of them.

    The option may depend on the environment, and mike adds the version to it. If the sitemap does
    not help, return `url`. `sample` has URLs of the sitemap.
    """

    def served(base: str) -> int:
        return sum(served_file(folder, base, loc) is not None for loc in sample)

    if not sample or (url and not site_url_fault(url) and served(url)):
        return url
    shortest = min(sample, key=len)
    slashes = (at + 1 for at, letter in enumerate(shortest) if letter == "/")
    bases = [shortest[:end] for end in slashes if not site_url_fault(shortest[:end])]
    best = max(bases, key=lambda base: (served(base), len(base)), default="")
    return best if served(best) else url


def _other_url(site: UncheckedSite, url: str | None, name: str) -> Iterator[Problem]:
    """Yield a note if `url`, that of the sitemap, is not the one that the project file names."""
    if site.url and not site_url_fault(site.url):
        yield Problem(
            code=Code.SITE_URL,
            place=Place(origin=Origin.SITEMAP, file=name),
            found=f"its URLs begin with {url}, and site_url is {format_value(site.url)} here",
            done="This output shows the URLs of the file.",
            level=Level.INFO,
        )


def _of_another_program(name: str, project: Project, site: UncheckedSite) -> Problem:
    if is_by_zensical(site):
        fix = "Run `mkdocs-sitemap-plus build` after `zensical build`."
    elif project.is_alone:
        fix = "Run `mkdocs-sitemap-plus build` after that program."
    elif "sitemap-plus" in project.plugins:
        fix = "If that is not meant, let sitemap-plus write it last."
    else:
        fix = f"Add `- sitemap-plus` under plugins in {project.file.name}, and build again."
    return Problem(
        code=Code.NO_SITEMAP,
        place=Place(origin=Origin.SITEMAP, file=name),
        found="sitemap-plus did not write this file, or it was changed later",
        fix=fix,
        level=Level.INFO,
    )


def _no_sitemap(name: str, settings: Settings) -> Problem:
    but = ", without what the function of `transform` changes" if settings.transform else ""
    return Problem(
        code=Code.NO_SITEMAP,
        place=Place(origin=Origin.SITEMAP, file=name),
        found="there is no such file in the built site",
        done=f"This output shows what `mkdocs-sitemap-plus build` would write{but}.",
        level=Level.INFO,
    )


def _with_sitemap_entries(outcome: Outcome, site: Site, found: Collected, name: str) -> Outcome:
    """Return the outcome with the entries of the sitemap `name` in the built site.

    A field keeps its reason if it has the same value in the sitemap. Every other field gets the
    value of the sitemap, and the sitemap as its reason, since only the build knows the real reason.
    """
    is_foreign = is_of_other_builder(site.site_dir, name)
    place = Place(Origin.ANOTHER_PROGRAM if is_foreign else Origin.SITEMAP, file=name)
    entries = {url_key(loc): entry for loc, entry in found.entries.items()}
    # A listed page takes the entry of its URL before other pages with this URL.
    decisions = [
        _with_sitemap_entry(decision, entries.pop(url_key(decision.loc), None), place)
        for decision in sorted(outcome.decisions, key=lambda page: isinstance(page, LeftOut))
    ]
    unknown = [(Candidate(about=_found_at(entry.loc, site)), entry) for entry in entries.values()]
    decisions += [_as_in_sitemap(candidate, entry, place) for candidate, entry in unknown]
    decisions.sort(key=lambda decision: (decision.loc, decision.name))
    # Where git can't be asked, the build may have known dates that are not known here.
    is_dated = any(entry.lastmod for entry in found.entries.values())
    problems = [each for each in outcome.problems if not (is_dated and each.code is Code.NO_DATES)]
    for each in found.problems:  # their places have the path of the file, not its name
        named = each.place._replace(file=name) if each.place else None
        problems.append(each._replace(place=named, level=Level.INFO))
    if by_build := [each for each in decisions if _is_decided_by_build(each)]:
        names = distinct((each.name, each.loc) for each in by_build)
        pages = f"{counted(len(names), 'page')} ({first_names(names)})"
        what = f"for {pages}, the sitemap has values that were decided during the build"
        fix = (
            "To see why, add `report: report.json` to the plugin's options, build again, and give "
            "that file to this command."
        )
        problems.append(
            Problem(code=Code.DECIDED_BY_THE_BUILD, found=what, fix=fix, level=Level.INFO)
        )
    return outcome._replace(decisions=tuple(decisions), problems=tuple(problems))


def _is_decided_by_build(decision: Decision) -> bool:
    """Return whether the sitemap is the reason for a value, or for leaving the page out."""
    reasons = decision.because.values() if isinstance(decision, Listed) else [decision.place]
    return any(isinstance(why, Place) and why.origin is Origin.SITEMAP for why in reasons)


def _with_sitemap_entry(ours: Decision, entry: UrlEntry | None, place: Place) -> Decision:
    """Return a decision with the values of the page's entry in the sitemap.

    `entry` is None if the sitemap does not list the page.
    """
    if isinstance(ours, LeftOut):
        return _as_in_sitemap(ours, entry, place) if entry else ours
    if entry is None:
        return ours.left_out(OutReason.NOT_IN_SITEMAP, ONLY_IN_SITEMAP[place.origin], place)
    differing = () if ours.entry == entry else differing_fields(_as_written(ours.entry), entry)
    return _with_values(ours, entry, differing, place)


def _as_in_sitemap(candidate: Candidate, entry: UrlEntry, place: Place) -> Listed:
    """Return that only the sitemap is known to list it, and all its values."""
    listed = Listed(
        about=candidate.about,
        overrides=candidate.overrides,
        rejected=candidate.rejected,
        entry=entry,
        because={"listed": place},
    )
    # "lastmod" is always there, so that a page without a date gets the reason "undated".
    differing = ("lastmod", *differing_fields(UrlEntry(loc=entry.loc), entry))
    return _with_values(listed, entry, differing, place)


def _with_values(ours: Listed, entry: UrlEntry, differing: Iterable[str], place: Place) -> Listed:
    """Return a decision with the entry of the sitemap, the reason for all `differing` fields."""
    because, undated = dict(ours.because), ours.undated
    for name in differing:
        because.pop(name, None)  # so that the new reason stands at the end
        key = name
        if name == "lastmod":
            because.pop("undated", None)  # the reason for a missing lastmod
            # A build on another machine may have known a date that is not known here.
            key, undated = ("lastmod", undated) if entry.lastmod else ("undated", None)
        because[key] = place._replace(key=name)
    return replace(ours, entry=entry, because=because, undated=undated)


def _as_written(entry: UrlEntry) -> UrlEntry:
    """Return an entry after it was written and read again, which may change the form of a value."""
    (file,) = files([entry], Layout(filename="", base=""))
    _, element = elements(b"".join(file.pieces), "")
    return url_entry(element, "")[0] or entry


def _found_at(loc: str, site: Site) -> SourcePage | Url:
    """Return the page that has this URL; the URL itself if the built site has no file for it."""
    file = served_file(site.site_dir, site.url, loc)
    if file is None:
        return Url(loc)
    return page_without_source(file.relative_to(site.site_dir).as_posix(), loc)
