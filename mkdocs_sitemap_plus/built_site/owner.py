"""Say what the owner of a built site decided, so that ``check`` does not contradict it."""

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from urllib.parse import unquote

from mkdocs_sitemap_plus.built_site import Project, read_plugin_options
from mkdocs_sitemap_plus.built_site.published import DecidedSite
from mkdocs_sitemap_plus.check import CODES_URL, CheckCode, Finding
from mkdocs_sitemap_plus.check.decided import OwnersDecisions
from mkdocs_sitemap_plus.files import absolute_path, path_from
from mkdocs_sitemap_plus.lastmod.git import git_dates
from mkdocs_sitemap_plus.options import GitSettings, Settings
from mkdocs_sitemap_plus.options.patterns import Patterns
from mkdocs_sitemap_plus.pages import Site, SiteFile, SourcePage, Url
from mkdocs_sitemap_plus.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.pipeline import Decision, LeftOut, Listed, Outcome, OutReason
from mkdocs_sitemap_plus.problems import Code, Origin, Problem
from mkdocs_sitemap_plus.sitemap import utc_day
from mkdocs_sitemap_plus.sitemap.urls import path_below, url_key
from mkdocs_sitemap_plus.wording import closest

_CODES = frozenset(map(str, CheckCode))
_UNDECIDED = (OutReason.NO_CANONICAL, OutReason.UNUSABLE_URL)
"""Why pages are left out though nobody decided it."""


def owners_decisions(project: Project, decided: DecidedSite) -> OwnersDecisions:
    """Return what the options, the sources and the built pages of a project decide.

    No code of the project is run. So a page that the sitemap lacks counts as left out if the
    owner's function (``transform``) may have removed it.
    """
    site, settings, outcome = decided.site, decided.settings, decided.outcome(every=True)
    left_out: dict[str, str] = {}
    listed = set()
    for file, decision in _files(outcome):
        if isinstance(decision, Listed):
            listed.add(file.dest_uri)
            if settings.transform:
                left_out[file.dest_uri] = str(OutReason.TRANSFORM)
        elif decision.reason not in _UNDECIDED:
            left_out[file.dest_uri] = str(decision.reason)
    by_hand = (decision.loc for decision in outcome.decisions if isinstance(decision.about, Url))

    def why_gone(locs: Sequence[str]) -> Mapping[str, str]:
        known, unknown = _by_decision(locs, outcome, project, settings)
        return known | _by_commit(unknown, site, settings.lastmod.git, project.repo_url)

    return OwnersDecisions(
        url=site.url,
        filename=settings.filename if "sitemap-plus" in project.plugins else None,
        left_out=left_out,
        excluded=frozenset(
            path
            for path, reason in left_out.items()
            if reason == OutReason.EXCLUDED and path not in listed
        ),
        elsewhere=frozenset(url_key(loc) for loc in by_hand if loc),
        days=frozenset(_days(outcome)),
        why_gone=why_gone,
        accepts=_acceptance(site, outcome, settings.check.ignore or {}),
    )


def unknown_codes(project: Project) -> Iterator[Problem]:
    """Yield a problem for each key of the option ``check.ignore`` that is no code of a finding."""
    settings = read_plugin_options(project).settings
    for code in settings.check.ignore or ():
        if code not in _CODES:
            place = project.site.option("check.ignore").under(code)
            yield Problem(
                code=Code.UNKNOWN_KEY,
                place=place,
                found="is not a code of `check`",
                suggestion=closest(code, _CODES),
                done="It is ignored.",
                fix=f"All codes: {CODES_URL}",
            )


def _files(outcome: Outcome) -> Iterator[tuple[SiteFile, Decision]]:
    """Yield the pages and other files of the site, each with its decision."""
    for decision in outcome.decisions:
        if not isinstance(decision.about, Url):
            yield decision.about, decision


def _days(outcome: Outcome) -> Iterator[date]:
    """Yield the days of the dates that are decided, in UTC."""
    for decision in outcome.listed:
        if decision.entry.lastmod:
            yield utc_day(decision.entry.lastmod)


def _acceptance(
    site: Site, outcome: Outcome, ignore: Mapping[str, Patterns]
) -> Callable[[Finding], bool] | None:
    """Return whether a finding is one that ``check.ignore`` names; None without this option.

    A pattern may match the source of a page, its built file, or the path of its URL.
    """
    if not ignore:
        return None
    names: dict[str, set[str]] = defaultdict(set)
    for file, _ in _files(outcome):
        of_file = {file.dest_uri}
        if isinstance(file, SourcePage):
            of_file.add(file.src_uri)
        names[(site.site_dir / file.dest_uri).as_posix()] |= of_file
        names[url_key(file.loc)] |= of_file

    def accepts(finding: Finding) -> bool:
        patterns = ignore.get(finding.code)
        if patterns is None:
            return False
        found: set[str] = set()
        if finding.loc:
            found |= names[url_key(finding.loc)]
            found.add(path_below(finding.loc, site.url) or finding.loc)
        elif finding.place.file:
            found |= names[absolute_path(finding.place.file).as_posix()]
            found.add(Path(finding.place.file).name)
        return any(patterns.match_file(name) for name in found if name)

    return accepts


def _by_decision(
    locs: Sequence[str], outcome: Outcome, project: Project, settings: Settings
) -> tuple[dict[str, str], list[str]]:
    """Return why URLs that were listed before are left out now, and the URLs of no page."""
    decisions = {url_key(decision.loc): decision for decision in outcome.decisions if decision.loc}
    known, left_out, unknown = {}, {}, []
    for loc in locs:
        decision = decisions.get(url_key(loc))
        if decision is None:
            unknown.append(loc)
        elif isinstance(decision, LeftOut):
            left_out[loc] = decision
        elif settings.transform and not isinstance(decision.about, Url):
            known[loc] = "perhaps removed by `transform`"
    return known | dict(
        zip(left_out, _reasons([*left_out.values()], project), strict=True)
    ), unknown


def _reasons(left_out: Sequence[LeftOut], project: Project) -> Iterator[str]:
    """Yield why pages are left out, with the line of the option if one does so."""
    by_owner = (Origin.FRONT_MATTER, Origin.OPTION, Origin.RULE)
    placed = with_option_lines(
        [Problem(code=Code.OPTION, found="", place=page.place) for page in left_out], project.file
    )
    for page, problem in zip(left_out, placed, strict=True):
        owned = page.place.origin in by_owner
        yield f"{page.reason} by {problem.place}" if owned else f"{page.reason}: {page.detail}"


def _by_commit(
    locs: Sequence[str], site: Site, settings: GitSettings, repository: str | None
) -> dict[str, str]:
    """Return which commits removed the sources of pages with these URLs, as far as it is known."""
    sources: dict[Path, list[str]] = defaultdict(list)
    for loc in locs:
        for source in _possible_sources(loc, site):
            sources[source].append(loc)
    known: dict[str, str] = {}
    with git_dates(settings, site.root, repository) as history:
        for source, removed in history.removed(sources).items():
            name, commit = path_from(site.root, source), removed.commit[:12]
            done = f"renamed to {removed.renamed_to}" if removed.renamed_to else "deleted"
            why = f"its source {name} was {done} by the commit {commit}"
            known |= dict.fromkeys(sources[source], why)
    return known


def _possible_sources(loc: str, site: Site) -> Iterator[Path]:
    """Yield the sources that a page with this URL may have had."""
    path = path_below(loc, site.url)
    if path is None:
        return
    path = unquote(path.partition("?")[0])
    stem = path.removesuffix(".html").removesuffix("/")
    names = [f"{stem}.md"] if stem else []
    if path.endswith("/") or not stem:
        names += [posixpath.join(stem, name) for name in ("index.md", "README.md")]
    yield from (site.docs_dir / name for name in names if "\0" not in name)
