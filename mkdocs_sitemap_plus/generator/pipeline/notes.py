"""Say what owners should know of front matter, of pages left out, and of themes with a script."""

from collections.abc import Iterable, Iterator, Sequence

from mkdocs_sitemap_plus.generator.options.fields import key_of_other_tool
from mkdocs_sitemap_plus.generator.pages.site import OutReason, Site, SourcePage, UncheckedSite, Url
from mkdocs_sitemap_plus.generator.pipeline.decisions import (
    BuildState,
    Decision,
    LeftOut,
    Listed,
    Outcome,
    files_in,
    listed_in,
)
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.write import Layout, extra_name, index_name, part_name
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, shorten


def unreadable(page: SourcePage, known: frozenset[str]) -> list[Problem]:
    """Return a warning if unreadable front matter has a key that this plugin reads."""
    broken = page.broken
    if broken is None or broken.keys.isdisjoint(known):
        return []
    found = f"the front matter can't be read ({broken.reason})"
    if broken.key:
        found = f"is {format_value(broken.value)}, which can't be read ({broken.reason})"
    done = "All front matter of this page is ignored."
    if broken.is_shown:
        done = "MkDocs ignores all front matter of this page, and shows it as text."
    place = Place(Origin.FRONT_MATTER, page.file, broken.key, broken.line)
    return [Problem(Code.FRONT_MATTER, found, place, done=done, fix=broken.fix)]


def twice(page: SourcePage, known: frozenset[str]) -> Iterator[Problem]:
    """Yield a warning for each key of ours that stands twice: YAML forgets the first value."""
    for key in page.twice:
        if key.partition(".")[0] in known:
            place = Place(Origin.FRONT_MATTER, page.file, key, page.lines.get(key))
            done = "Only this value counts, which is the last one."
            yield Problem(Code.FRONT_MATTER, "stands twice", place, done=done, fix="Delete one.")


def unread_keys(work: BuildState) -> Iterator[Problem]:
    """Yield the notes on keys of front matter that only other tools read."""
    posts = {post for page in work.context.site.pages for post in page.posts}
    pages = (each.target for each in work.listed if isinstance(each.target, SourcePage))
    for page in pages:
        key = key_of_other_tool(page.meta)
        if key is None or (key == "draft" and page.src_uri in posts):  # a blog can publish drafts
            continue
        place = Place(Origin.FRONT_MATTER, page.file, key, page.lines.get(key))
        found = f"is {format_value(page.meta[key])}, but this plugin does not read that key"
        done, fix = "The page is listed.", "To leave it out, write `sitemap: false`."
        if key == "draft":
            found = found.replace("this plugin", "MkDocs")
            done = "The page is published and listed."
            fix = (
                "To keep it unpublished, use draft_docs in mkdocs.yml. To leave it out of the "
                "sitemap only, write `sitemap: false`."
            )
        yield Problem(Code.NEAR_MISS, found, place, done=done, fix=fix, level=Level.NOTE)


def left_out_by_mistake(decisions: Sequence[Decision], site: Site) -> Iterator[Problem]:
    """Yield the problems of pages that are left out, though their owner may want them listed."""
    left_out = [each for each in decisions if isinstance(each, LeftOut)]
    yield from _unreadable_problem(left_out)
    yield from _noindex_note(left_out)
    yield from _url_problems(left_out, site)


def _unreadable_problem(left_out: Iterable[LeftOut]) -> Iterator[Problem]:
    not_built = [each for each in left_out if each.reason is OutReason.NOT_BUILT]
    built = [(file.dest_uri, file.built.unreadable) for file in files_in(not_built) if file.built]
    faults = {name: why for name, why in built if why is not None}
    if faults:
        first, why = next(iter(faults.items()))
        files = counted(len(faults), "file")
        found = f"{files} of the built site can't be read ({shorten(first)}: {why})"
        yield Problem(Code.UNREADABLE, found, done="No such page is listed.")


def _noindex_note(left_out: Iterable[LeftOut]) -> Iterator[Problem]:
    noindex = [each for each in left_out if each.reason is OutReason.NOINDEX]
    pages = [file.file for file in files_in(noindex) if file.built and file.built.noindex_in_body]
    if pages:
        these = counted(len(pages), "page has", "pages have")
        names = first_names([*dict.fromkeys(pages)], MAX_OF_A_KIND)
        them = "the page is" if len(pages) == 1 else "these pages are"
        yield Problem(
            Code.NOINDEX_IN_BODY,
            f"{these} a robots meta tag with noindex in the text ({names})",
            done=f"Search engines obey it there, so {them} not listed.",
            fix="If the tag is an example, write it as code.",
            level=Level.NOTE,
        )


def _url_problems(left_out: Iterable[LeftOut], site: Site) -> Iterator[Problem]:
    outside = f"is not under the sitemap's own folder {site.url}"
    by_fault: dict[str, list[LeftOut]] = {}
    for each in left_out:
        if each.reason is OutReason.UNUSABLE_URL:
            by_fault.setdefault(each.detail, []).append(each)
        elif each.reason is OutReason.OUTSIDE and not site.serving:
            by_fault.setdefault(outside, []).append(each)
    for fault, (first, *others) in by_fault.items():
        more = f" (likewise {counted(len(others), 'more page')})" if others else ""
        yield Problem(
            Code.LOC,
            f"its URL {shorten(first.loc, 100)} {fault}{more}",
            Place(Origin.PLUGIN, first.name),
            done="They are left out." if others else "The page is left out.",
        )


def same_url_notes(decisions: Iterable[Decision]) -> Iterator[Problem]:
    """Yield a note for each page that is not listed because another page has its URL."""
    listed = {each.name for each in listed_in(decisions)}
    for each in decisions:
        if isinstance(each, Listed) or each.reason is not OutReason.SAME_URL:
            continue
        is_overwritten = isinstance(each.target, SourcePage) and each.target.replaced_by is not None
        why = "the other page is written over it"
        if each.detail in listed:
            why = "the other page is listed, with its own date and front matter"
        yield Problem(
            Code.SAME_URL,
            f"this page has the same URL as {each.detail}",
            Place(Origin.PLUGIN, each.name),
            done=f"{'It is not published' if is_overwritten else 'It is not listed'}: {why}.",
            fix="Rename one of them." if is_overwritten else None,
            level=Level.NOTE,
        )


_READ_BY_THEMES = "sitemap.xml"


def add_theme_notes(work: BuildState) -> None:
    """Note what the theme cannot do if the home page is left out."""
    if not (work.listed and work.context.site.has_selectors):
        return
    done = (
        "The version and language selectors of the theme then open the home page of the other "
        "version or language instead of the same page."
    )
    harmless = (OutReason.ERROR_PAGE, OutReason.SAME_URL)  # with the same URL, another is listed
    for each in work.decisions:
        if isinstance(each, LeftOut) and each.reason not in harmless:
            file = each.target
            if not isinstance(file, Url) and file.dest_uri == "index.html":
                place, found = Place(Origin.PLUGIN, file.file), "the home page is left out"
                problem = Problem(Code.HOME_LEFT_OUT, found, place, done=done, level=Level.NOTE)
                work.problems.append(problem)


def split_for_theme(outcome: Outcome, filename: str) -> tuple[list[Listed], list[Listed]]:
    """Return the decisions whose entries go into the sitemap, and those for a second file.

    Material's instant navigation takes every URL in ``sitemap.xml`` for a page of the theme, so
    that it would not show a PDF. What is no page of the site goes into the second file.
    """
    site, listed = outcome.site, outcome.listed
    if not (site.reads_sitemap and site.instant and filename == _READ_BY_THEMES):
        return listed, []
    pages = {page.dest_uri for page in site.pages}
    main = [p for p in listed if not isinstance(p.target, Url) and p.target.dest_uri in pages]
    return main, [page for page in listed if page not in main]


def theme_problems(
    site: UncheckedSite, layout: Layout, extra: Sequence[Listed], written: Sequence[str]
) -> Iterator[Problem]:
    """Yield a problem if the theme can't read the sitemap, or a note if it needs a second file."""
    filename, index = layout.filename, index_name(layout.filename)
    if site.reads_sitemap and part_name(_READ_BY_THEMES, 1) in written:
        limit = f"{layout.max_urls:,} URLs or {layout.max_bytes:,} bytes"
        yield Problem(
            Code.INDEX_FOR_THEME,
            f"the sitemap has more than {limit}, so this file became an index, which the script of "
            "the theme can't read",
            Place(Origin.PLUGIN, _READ_BY_THEMES),
            done="Links load the whole page, without instant previews. Version and language "
            "selectors open the home page of the other version or language.",
        )
    elif extra and index in written:
        are = counted(len(extra), "URL is not a page", "URLs are not pages")
        were = "it was" if len(extra) == 1 else "they were"
        names = first_names([page.name for page in extra])
        yield Problem(
            Code.INSTANT_NAVIGATION,
            f"navigation.instant treats every URL in {filename} as a page, and {are} ({names})",
            done=f"So {were} moved to {extra_name(filename)}; {index} lists both files.",
            fix=f"Submit {index} to search engines.",
            level=Level.NOTE,
        )
