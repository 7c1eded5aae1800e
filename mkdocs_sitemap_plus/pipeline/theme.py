"""Adapt the sitemap to a theme whose script reads ``sitemap.xml``, and report its limits."""

from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Context, Decision, Outcome, Reason, State
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.split import Layout, extra_name, index_name, part_name
from mkdocs_sitemap_plus.wording import counted, first_names

_READ_BY_THEMES = "sitemap.xml"


def add_theme_notes(state: State, context: Context) -> State:
    """Return the state with notes on what the theme cannot do for pages that are left out."""
    site = context.site
    if not site.reads_sitemap:
        return state
    missing = [
        each.page
        for each in state.decisions
        if each.page is not None
        and each.left_out
        and each.left_out.reason not in (Reason.ERROR_PAGE, Reason.SAME_URL)
    ]
    home = [_home_is_missing(page) for page in missing if page.dest_uri == "index.html"]
    pages = [_pages_are_missing(missing)] if site.instant and missing else []
    return state.with_result(state.decisions, [*home, *pages])


def _home_is_missing(page: SourcePage) -> Problem:
    return Problem(
        code="home-left-out",
        place=Place(origin=Origin.PLUGIN, file=page.file),
        found="the home page is left out",
        done="The theme's version and language selectors then lead to the top of the other "
        "version or language instead of the same page.",
        note=True,
    )


def _pages_are_missing(missing: Sequence[SourcePage]) -> Problem:
    names = first_names([page.file for page in missing])
    return Problem(
        code="instant-navigation",
        found="navigation.instant reads the sitemap, which leaves out "
        f"{counted(len(missing), 'page')} ({names})",
        done=f"Links to {'it' if len(missing) == 1 else 'them'} load the whole page, without "
        "instant previews.",
        note=True,
    )


def split_for_theme(outcome: Outcome, filename: str) -> tuple[list[Decision], list[Decision]]:
    """Return the decisions whose entries go into the sitemap, and those for a second file.

    The script of Material's instant navigation treats every URL in ``sitemap.xml`` as a page of the
    theme. On a click it fetches the URL and puts the text into the page; a PDF would not be shown.
    With this script, what is not a page of the site goes into the second file.

    Args:
        outcome: with all decisions.
        filename: the name of the sitemap.
    """
    site = outcome.site
    listed = [decision for decision in outcome.decisions if decision.entry]
    if not (site.reads_sitemap and site.instant and filename == _READ_BY_THEMES):
        return listed, []
    pages = {page.dest_uri for page in site.pages}
    main: list[Decision] = []
    extra: list[Decision] = []
    for each in listed:
        is_page = each.page is not None and each.page.dest_uri in pages
        (main if is_page else extra).append(each)
    return main, extra


def theme_problems(
    site: Site, layout: Layout, extra: Sequence[Decision], written: Sequence[str]
) -> Iterator[Problem]:
    """Yield a problem if the theme can't read the sitemap, or a note if it needs a second file.

    Args:
        site: the built site.
        layout: how the sitemap is split into files.
        extra: the decisions whose entries are in the second file.
        written: the names of the files.
    """
    if site.reads_sitemap and part_name(_READ_BY_THEMES, 1) in written:
        yield _index_for_theme(layout)
    elif extra and index_name(layout.filename) in written:
        yield _two_files(layout.filename, extra)


def _index_for_theme(layout: Layout) -> Problem:
    """Return the problem of an index: it has no entries, and the script reads only entries."""
    return Problem(
        code="index-for-theme",
        place=Place(origin=Origin.PLUGIN, file=_READ_BY_THEMES),
        found=f"the site has more than {layout.max_urls:,} URLs or {layout.max_bytes:,} bytes, so "
        "this file became an index, which the theme's script can't read",
        done="Links load the whole page, without instant previews, and version and language "
        "selectors lead to the top of the other version or language.",
    )


def _two_files(filename: str, extra: Sequence[Decision]) -> Problem:
    one = len(extra) == 1
    are = "1 URL is not a page" if one else f"{len(extra):,} URLs are not pages"
    index = index_name(filename)
    return Problem(
        code="instant-navigation",
        found=f"navigation.instant treats every URL in {filename} as a page, and {are} "
        f"({first_names([each.name for each in extra])})",
        done=f"So {'it was' if one else 'they were'} moved to {extra_name(filename)}; {index} "
        "lists both files.",
        fix=f"Submit {index} to search engines.",
        note=True,
    )
