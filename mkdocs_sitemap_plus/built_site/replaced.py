"""Compare a new sitemap with the one that it replaced, which a builder or the plugin wrote."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from mkdocs_sitemap_plus.built_site.docs_folder import docs_files, loc_of
from mkdocs_sitemap_plus.built_site.project import Project
from mkdocs_sitemap_plus.files import Unreadable, is_file, read_start
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.output.write import own_files
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.split import extra_name
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.tools.collect import collect
from mkdocs_sitemap_plus.wording import counted, first_names, listing

_ZENSICAL = b'content="zensical-'
_HEAD = 1 << 14  # bytes of the home page in which its builder is looked for


def entries_before(site_dir: Path, filename: str) -> Mapping[str, UrlEntry]:
    """Return the entries of the sitemap in a built site, by ``loc``; none if it can't be read.

    It is the one called `filename`, or else ``sitemap.xml``, as builders call theirs. The extra
    file that an earlier build of ours wrote beside it belongs to it.
    """
    name = next((name for name in (filename, "sitemap.xml") if is_file(site_dir / name)), filename)
    extra = extra_name(name).removesuffix(".xml")
    found: dict[str, UrlEntry] = {}
    for each in (name, *sorted(own_files(site_dir, name))):
        if is_file(site_dir / each) and (each == name or each.startswith(extra)):
            with suppress(SitemapError):
                found |= collect(str(site_dir / each)).entries
    return found


def worse_than_before(
    before: Mapping[str, UrlEntry], outcome: Outcome, project: Project, settings: Settings
) -> Problem | None:
    """Return the problem that `before` had more URLs or more dates than the new sitemap has.

    What the owner left out, or wants to be undated, is not missing.
    """
    decisions = {url_key(each.loc): each for each in outcome.decisions if each.loc}
    old = {url_key(loc): entry for loc, entry in before.items()}
    gone = [entry.loc for key, entry in old.items() if key not in decisions]
    if gone:
        unpublished = {*_unpublished(project)}
        gone = [loc for loc in gone if url_key(loc) not in unpublished]
    wanted = settings.lastmod.sources and not _has_day_of_build(before.values())
    undated = [
        entry.loc
        for key, entry in old.items()
        if wanted and entry.lastmod and key in decisions and _lacks_date(decisions[key])
    ]
    kinds = ((gone, "other URL"), (undated, "more date"))
    lost = [f"{counted(len(locs), kind)} ({first_names(locs)})" for locs, kind in kinds if locs]
    if not lost:
        return None
    fix = (
        "If MkDocs, ProperDocs or MaterialX builds this site, it can run the plugin sitemap-plus, "
        "which knows more of the site than this command."
    )
    return Problem(
        code="worse",
        place=Place(origin=Origin.SITEMAP, file=outcome.files[0]),
        found=f"it replaces a sitemap that had {listing(lost)}",
        fix=None if _is_by_zensical(project, outcome.site.site_dir) else fix,
    )


def _lacks_date(decision: Decision) -> bool:
    """Return whether an entry has no date, and not because its owner wants none."""
    entry = decision.entry
    return entry is not None and entry.lastmod is None and "undated" not in decision.because


def _has_day_of_build(entries: Iterable[UrlEntry]) -> bool:
    """Return whether all entries have the same day without a time, as MkDocs writes it."""
    dates = {entry.lastmod for entry in entries}
    return len(dates) == 1 and not any(isinstance(each, datetime) for each in dates)


def _unpublished(project: Project) -> Iterator[str]:
    """Yield the keys of the URLs of drafts, and of pages that ``exclude_docs`` keeps back."""
    for file in docs_files(project):
        if not file.published and (loc := loc_of(project, file.dest_uri)):
            yield url_key(loc)


def _is_by_zensical(project: Project, site_dir: Path) -> bool:
    """Return whether Zensical built a site; it runs no plugins of MkDocs."""
    if project.file.suffix.lower() == ".toml":
        return True
    with suppress(Unreadable):
        return _ZENSICAL in read_start(site_dir / "index.html", _HEAD)
    return False
