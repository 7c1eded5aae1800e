"""Say what a sitemap that the owner wrote listed otherwise than the one that replaces it."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from mkdocs_sitemap_plus.files import Unreadable, read_file
from mkdocs_sitemap_plus.generator.pages.site import SourcePage, Url
from mkdocs_sitemap_plus.generator.pipeline.decisions import Outcome
from mkdocs_sitemap_plus.html.site_folder import SiteFolder, keys_by_file
from mkdocs_sitemap_plus.html.tags import is_error_page
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.urls import url_key, without_form
from mkdocs_sitemap_plus.sitemap.xml import locs_of
from mkdocs_sitemap_plus.wording import counted, first_names

_MAX_PATTERNS = 10  # that a message suggests
_LIST_IT = "List what people should find by `extra_urls` or `extra_files`."


def replaced_by_ours(
    file: str, listed: Collection[str] | None, outcome: Outcome
) -> Iterator[Problem]:
    """Yield what an owner should know whose file or template of a sitemap is replaced.

    `listed` are the URLs in it; None if they are not known.
    """
    place = Place(Origin.PLUGIN, file)
    added, gone = pages_added(listed or (), outcome), urls_gone(listed or (), outcome)
    if added:
        is_one = len(added) == 1
        pages = f"{counted(len(added), 'page')} ({first_names([page.file for page in added])})"
        yield Problem(
            Code.REPLACED,
            f"this file, which is replaced, did not list {pages}",
            place,
            done=f"Now {'it is' if is_one else 'they are'} listed.",
            fix=f"To leave {'it' if is_one else 'them'} out: {_leave_out(added, outcome)}. "
            "Then delete this file.",
        )
    if gone:
        urls = f"{counted(len(gone), 'URL')} ({first_names(gone)})"
        yield Problem(
            Code.REPLACED,
            f"this file, which is replaced, also listed {urls}",
            place,
            done=f"Now {'it is' if len(gone) == 1 else 'they are'} not listed.",
            fix=f"{redirects(gone, outcome) or _LIST_IT} Then delete this file.",
        )
    if not added and not gone:
        yield Problem(
            Code.REPLACED,
            "this file is not published, because the plugin writes the sitemap",
            place,
            done="What it lists is not known." if listed is None else None,
            fix="Delete it. Options of sitemap-plus set values such as changefreq, and name "
            "further sitemaps (extra_sitemaps).",
            level=Level.NOTE,
        )


def listed_in(text: bytes) -> Collection[str] | None:
    """Return the URLs that a sitemap lists; None if it can't be read, or was not rendered."""
    if not text.strip():
        return ()
    with suppress(SitemapError):
        return None if b"{{" in text or b"{%" in text else locs_of(text.strip(), "")
    return None


def listed_by(file: Path) -> Collection[str] | None:
    """Return what `listed_in` returns of a file."""
    with suppress(Unreadable):
        return listed_in(read_file(file, MAX_BYTES))
    return None


def pages_added(before: Iterable[str], outcome: Outcome) -> list[SourcePage]:
    """Return the listed pages that are not among the URLs of the sitemap before, if it had any."""
    before = [*before]
    old, forms = set(map(keys_of(outcome), before)), {without_form(url_key(loc)) for loc in before}
    listed = {url_key(each.loc): each.target for each in (outcome.listed if before else ())}
    new = (
        page for key, page in listed.items() if key not in old and without_form(key) not in forms
    )
    return [page for page in new if isinstance(page, SourcePage)]


def urls_gone(
    before: Iterable[str], outcome: Outcome, no_pages: Iterable[str] = ()
) -> Sequence[str]:
    """Return the URLs before of which nothing is known now, not even why they are left out."""
    others = tuple(no_pages)
    key_of = keys_of(outcome, others)
    known = {url_key(loc) for loc in (*(each.loc for each in outcome.decisions), *others)}
    gone = {key_of(loc): loc for loc in before if not _is_of_error_page(loc)}
    return [loc for key, loc in gone.items() if key not in known]


def redirects(gone: Iterable[str], outcome: Outcome) -> str | None:
    """Return what to redirect, as a sentence: what is gone, but is listed in another form now."""
    now = {without_form(url_key(each.loc)): each.loc for each in outcome.listed}
    forms = ((loc, now.get(without_form(url_key(loc)))) for loc in gone)
    (was, new), *others = [(loc, new) for loc, new in forms if new] or [("", "")]
    more = f", and {counted(len(others), 'other')} likewise" if others else ""
    return f"No file answers the old address: redirect {was} to {new}{more}." if new else None


def keys_of(outcome: Outcome, others: Iterable[str] = ()) -> Callable[[str], str]:
    """Return a function that gives all URLs of a page of the build one key, by its built file.

    So it does with `others`, which are URLs of files that are no pages.
    """
    folder = SiteFolder(outcome.site.site_dir, outcome.site.url or "")
    files = [
        (each.loc, None if isinstance(each.target, Url) else each.target.dest_uri)
        for each in outcome.decisions
    ]
    return keys_by_file(folder, (*files, *((loc, folder.path_of(loc)) for loc in others)))


def _is_of_error_page(loc: str) -> bool:
    """Return whether a URL is that of the error page, which some builders list."""
    return is_error_page(f"{loc.rstrip('/').removesuffix('.html')}.html")


def _leave_out(added: Sequence[SourcePage], outcome: Outcome) -> str:
    """Return the options that leave these pages out: patterns that match no other listed page.

    A page in the text of another language has the source of a listed one.
    """
    built = {page.dest_uri for page in added}
    listed = (each.target for each in outcome.listed)
    pages = (page for page in listed if isinstance(page, SourcePage))
    others = {page.src_uri for page in pages if page.dest_uri not in built}
    kept = {folder for page in others for folder in PurePosixPath(page).parents}
    patterns = dict[str, None]()
    for page in sorted({page.src_uri for page in added} - others):
        *folders, _top = PurePosixPath(page).parents
        whole = [folder for folder in folders if folder not in kept]
        patterns[_pattern(f"{whole[-1]}/" if whole else page)] = None
    more = ", …" if len(patterns) > _MAX_PATTERNS else ""
    exclude = f"`exclude: [{', '.join([*patterns][:_MAX_PATTERNS])}{more}]`" if patterns else None
    copies = "`fallback_pages: false`" if any(page.is_fallback for page in added) else None
    return " and ".join(filter(None, (exclude, copies))) or "`transform`"


def _pattern(path: str) -> str:
    """Return the pattern that matches a path, as YAML in brackets has it."""
    pattern = re.sub(r"[\\*?\[]", r"\\\g<0>", f"/{path}")
    return (
        pattern if re.fullmatch(r"[\w./-]+", pattern) else "'{}'".format(pattern.replace("'", "''"))
    )
