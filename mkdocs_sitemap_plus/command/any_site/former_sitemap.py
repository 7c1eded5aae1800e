"""Keep what the sitemap of another builder had, and say what it had more than the new one."""

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import chain
from pathlib import Path

from mkdocs_sitemap_plus.command.any_site.project import is_by_zensical
from mkdocs_sitemap_plus.command.reader.read import collect, is_extra
from mkdocs_sitemap_plus.files import (
    Mark,
    Unreadable,
    exists,
    is_file,
    is_ours,
    path_from,
    read_start,
)
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.pages.site import SourcePage
from mkdocs_sitemap_plus.generator.pipeline.decisions import Outcome
from mkdocs_sitemap_plus.generator.replaced import keys_of, pages_added, redirects, urls_gone
from mkdocs_sitemap_plus.html.site_folder import NoPage, SiteFolder, keys_by_file
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.wording import counted, first_names, listing

_START = 4096  # bytes in which a sitemap has its first tag
_USE_PLUGIN = (
    "If MkDocs, ProperDocs or MaterialX builds this site, use the plugin sitemap-plus instead of "
    "this command."
)
_MANY = 10  # entries that do not change at one moment
_USUAL = ("sitemap.xml", "sitemap-index.xml", "sitemap_index.xml")


def sitemaps_left(outcome: Outcome) -> Iterator[Problem]:
    """Yield notes on sitemaps of other programs that are still there, and list the same pages.

    Those in the folder of the new one are what it replaces: an index of the builder, or its parts.
    In another folder, one may be what the script of a theme reads there. The owner's own files,
    which are copied from the docs folder, are meant.
    """
    site = outcome.site
    key_of, listed = keys_of(outcome), {url_key(each.loc) for each in outcome.listed}
    left = [
        name
        for name in _sitemaps_of_others(site.site_dir)
        if not (site.project_file and exists(site.docs_dir / name))
        and not listed.isdisjoint(map(key_of, _entries_of(site.site_dir / name)))
    ]
    main = outcome.files[0]
    instead = f"Name {main} instead of {{}} in robots.txt and to search engines"
    beside = [name for name in left if "/" not in name]
    below = [name for name in left if "/" in name]
    if beside:
        packed = (f"{name}.gz" for name in beside)
        files = [*beside, *(name for name in packed if is_file(site.site_dir / name))]
        paths = [Path(os.path.relpath(site.site_dir / name)).as_posix() for name in files]
        remove = f"`{shlex.join(['rm', *paths])}`"
        it = "it" if len(beside) == 1 else "them"
        yield _left(beside, f"{instead.format(it)}, and remove {it}: {remove}.")
    if below:
        yield _left(below, f"{instead.format('it' if len(below) == 1 else 'them')}.")


def _left(names: Sequence[str], fix: str) -> Problem:
    count = counted(len(names), "sitemap of another program is", "sitemaps of other programs are")
    lists = "lists" if len(names) == 1 else "list"
    found = f"{count} still there, and {lists} the same pages ({first_names(names, 10)})"
    return Problem(Code.WORSE, found, fix=fix, level=Level.NOTE)


def _sitemaps_of_others(site_dir: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(site_dir):
        folders.sort()
        for name in sorted(names):
            if not name.endswith(".xml"):
                continue
            path = path_from(site_dir, Path(folder, name))
            if not is_ours(site_dir / path, Mark.SITEMAP):
                with suppress(Unreadable):
                    start = read_start(site_dir / path, _START)
                    if re.search(rb"<(?:urlset|sitemapindex)[\s>]", start):
                        yield path


def _entries_of(file: Path) -> Mapping[str, UrlEntry]:
    """Return the entries of a sitemap, or of an index with its parts; none if it is neither."""
    with suppress(SitemapError):
        return collect(str(file)).entries
    return {}


def entries_before(site_dir: Path, filename: str) -> Mapping[str, UrlEntry]:
    """Return the entries of the sitemap in a built site, by ``loc``; empty if it can't be read.

    The sitemap is the file `filename`, or else one with a usual name of builders. If this package
    wrote an extra file beside it earlier, the entries of that file are returned too.
    """
    name = next((name for name in (filename, *_USUAL) if is_file(site_dir / name)), filename)
    extra = (file for file in sorted(site_dir.glob("*.xml")) if is_extra(file.name, name))
    ours = (file for file in extra if is_ours(file, Mark.SITEMAP))
    files = filter(is_file, (site_dir / name, *ours))
    return {loc: entry for file in files for loc, entry in _entries_of(file).items()}


def with_values_of(
    before: Mapping[str, UrlEntry], pages: Sequence[SourcePage], folder: SiteFolder
) -> Iterator[SourcePage]:
    """Yield the pages with the old sitemap's links and images; what a page says counts more."""
    key_of = keys_by_file(folder, ((page.loc, page.dest_uri) for page in pages))
    old = {key_of(loc): entry for loc, entry in before.items()}
    for page in pages:
        entry = old.get(url_key(page.loc))
        if not entry or not page.built:
            yield page
            continue
        links = {each.hreflang: each.href for each in entry.alternates}
        built = page.built._replace(alternates=page.built.alternates or links)
        yield page._replace(built=built, images=entry.images)


def no_pages_listed(no_pages: Mapping[NoPage, Sequence[str]]) -> Problem | None:
    """Return the note that some HTML files are no pages, with their paths; None without any."""
    if not no_pages:
        return None
    kinds = "; ".join(f"{kind}: {first_names(paths)}" for kind, paths in sorted(no_pages.items()))
    count = sum(map(len, no_pages.values()))
    found = f"{counted(count, 'HTML file is no page', 'HTML files are no pages')} ({kinds})"
    done = "It is not listed." if count == 1 else "They are not listed."
    return Problem(Code.NO_PAGE, found, done=done, level=Level.NOTE)


def missing_from_new(
    before: Mapping[str, UrlEntry],
    outcome: Outcome,
    settings: Settings,
    no_pages: Iterable[str],
    *,
    urls: bool = True,
) -> Problem | None:
    """Return the problem that the new sitemap lacks URLs or dates of `before`, the old entries.

    The result is None if nothing is missing. Pages that the owner left out, dates that the owner
    turned off, and the URLs of files that are `no_pages`, are not missing. Without `urls`, only
    dates are.
    """
    lacking = {
        url_key(each.loc)
        for each in outcome.listed
        if each.entry.lastmod is None and "undated" not in each.origins  # as its owner wants
    }
    key_of = keys_of(outcome)
    old = {key_of(loc): entry for loc, entry in before.items()}
    gone = urls_gone(before, outcome, no_pages) if urls else ()
    of_build = _time_of_build(before.values())
    undated = [
        entry.loc
        for key, entry in old.items()
        if settings.lastmod.sources and entry.lastmod not in (None, of_build) and key in lacking
    ]
    lost = []
    if gone:
        lost.append(f"{counted(len(gone), 'URL')} ({first_names(gone)})")
    if undated:
        dates = "the date" if len(undated) == 1 else "the dates"
        lost.append(f"{dates} of {counted(len(undated), 'page')} ({first_names(undated)})")
    if not lost:
        return None
    by_zensical = is_by_zensical(outcome.site.project_file, outcome.site.site_dir)
    has_plugin = outcome.site.project_file and not by_zensical
    fixes = (redirects(gone, outcome), _USE_PLUGIN if has_plugin else None)
    place, fix = Place(Origin.SITEMAP, outcome.files[0]), " ".join(filter(None, fixes)) or None
    found = f"compared with the old sitemap, the new sitemap lacks {listing(lost)}"
    return Problem(Code.WORSE, found, place, fix=fix)


def other_forms(before: Mapping[str, UrlEntry], outcome: Outcome) -> Problem | None:
    """Return the note that pages are listed in another form of their URL than before."""
    key_of, now = keys_of(outcome), {url_key(each.loc): each.loc for each in outcome.listed}
    keys = {loc: key_of(loc) for loc in before}
    forms = [(loc, now[key]) for loc, key in keys.items() if key in now and url_key(loc) != key]
    if not forms:
        return None
    old, new = forms[0]
    have = counted(len(forms), "URL has", "URLs have")
    found = f"{have} another form than in the old sitemap ({old}, now {new})"
    fix = "If the old form is right, let the page name it as canonical."
    return _note(outcome, found, "Both lead to the same file.", fix)


def new_pages(before: Mapping[str, UrlEntry], outcome: Outcome) -> Problem | None:
    """Return the note on listed pages that the sitemap of another builder did not list.

    Its owner may have left them out there, by an option of that builder. A builder may also have a
    sitemap for each language.
    """
    site_dir = outcome.site.site_dir
    others = (_entries_of(site_dir / name) for name in _sitemaps_of_others(site_dir))
    old = [*before, *chain.from_iterable(others)] if before else ()
    new = [page.loc for page in pages_added(old, outcome)]
    if not new:
        return None
    pages = f"{counted(len(new), 'page')} ({first_names(new)})"
    key = "`exclude`" if outcome.site.project_file else "--exclude"
    found = f"the sitemap that another program wrote did not list {pages}"
    done = f"Now {'it is' if len(new) == 1 else 'they are'} listed."
    return _note(outcome, found, done, f"{key} leaves pages out.")


def fields_missing_from_new(before: Mapping[str, UrlEntry], outcome: Outcome) -> Problem | None:
    """Return the note that the sitemap of another builder had more than dates; None if not.

    It names the values of entries that the new sitemap has without them. A value that all entries
    have is a builder's default.
    """
    key_of, new = keys_of(outcome), {url_key(each.loc): each.entry for each in outcome.listed}
    both = [(entry, new[key]) for loc, entry in before.items() if (key := key_of(loc)) in new]
    lost = []
    for field in ("priority", "changefreq", "images", "videos", "alternates"):
        count = sum(bool(getattr(old, field)) and not getattr(now, field) for old, now in both)
        if count and len({getattr(entry, field) for entry in before.values()}) > 1:
            lost.append(f"{field} of {counted(count, 'page')}")
    if not lost:
        return None
    found = f"the sitemap that another program wrote had more: {listing(lost)}"
    done = "The new sitemap has what stands in the built pages and in front matter."
    fix = "If you need priority, changefreq or images, write them there, under `sitemap`."
    return _note(outcome, found, done, fix)


def _note(outcome: Outcome, found: str, done: str, fix: str) -> Problem:
    place = Place(origin=Origin.SITEMAP, file=outcome.files[0])
    return Problem(Code.WORSE, found, place, done=done, fix=fix, level=Level.NOTE)


def _time_of_build(entries: Iterable[UrlEntry]) -> date | None:
    """Return the day that all entries have, as with MkDocs, or the moment of most (Jekyll)."""
    dates = Counter(entry.lastmod for entry in entries)
    ((value, count),) = dates.most_common(1) or [(None, 0)]
    is_of_most = count >= _MANY and 2 * count > dates.total()
    return value if is_of_most or (len(dates) == 1 and type(value) is date) else None
