"""Adapt the sitemap to a theme whose script reads ``sitemap.xml``, and report its limits."""

from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.pages import UncheckedSite, Url
from mkdocs_sitemap_plus.pipeline import (
    Context,
    Decided,
    Decision,
    LeftOut,
    Listed,
    Outcome,
    OutReason,
    listed_in,
)
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.split import Layout, extra_name, index_name, part_name
from mkdocs_sitemap_plus.wording import counted, distinct, first_names

_READ_BY_THEMES = "sitemap.xml"


def add_theme_notes(decisions: Sequence[Decision], context: Context) -> Decided:
    """Note what the theme cannot do for pages that are left out."""
    site = context.site
    if not site.reads_sitemap or not listed_in(decisions):
        return decisions, ()
    # No link leads to an error page. With the same URL, another page is listed.
    harmless = (OutReason.ERROR_PAGE, OutReason.SAME_URL)
    missing = [
        (decision.about, decision.reason)
        for decision in decisions
        if isinstance(decision, LeftOut) and decision.reason not in harmless
        if not isinstance(decision.about, Url)
    ]
    notes = [
        Problem(
            code=Code.HOME_LEFT_OUT,
            place=Place(origin=Origin.PLUGIN, file=file.file),
            found="the home page is left out",
            done="The version and language selectors of the theme then open the home page of the "
            "other version or language instead of the same page.",
            level=Level.INFO,
        )
        for file, _ in missing
        if file.dest_uri == "index.html"
    ]
    # A redirect has to load a whole page anyway.
    fetched = [file for file, reason in missing if reason is not OutReason.REDIRECT]
    if site.instant and fetched:
        pages = counted(len(fetched), "page")
        names = first_names(distinct((file.file, file.loc) for file in fetched))
        them = "it" if len(fetched) == 1 else "them"
        found = f"navigation.instant reads the sitemap, which leaves out {pages} ({names})"
        done = f"Links to {them} load the whole page, without instant previews."
        notes.append(
            Problem(code=Code.INSTANT_NAVIGATION, found=found, done=done, level=Level.INFO)
        )
    return decisions, notes


def split_for_theme(outcome: Outcome, filename: str) -> tuple[list[Listed], list[Listed]]:
    """Return the decisions whose entries go into the sitemap, and those for a second file.

    The script of Material's instant navigation treats every URL in ``sitemap.xml`` as a page of the
    theme. On a click it fetches the URL and puts the text into the page. A PDF would not be shown.
    So with this script, what is not a page of the site goes into the second file.
    """
    site, listed = outcome.site, outcome.listed
    if not (site.reads_sitemap and site.instant and filename == _READ_BY_THEMES):
        return listed, []
    pages = {page.dest_uri for page in site.pages}
    main: list[Listed] = []
    extra: list[Listed] = []
    for decision in listed:
        about = decision.about
        is_page = not isinstance(about, Url) and about.dest_uri in pages
        (main if is_page else extra).append(decision)
    return main, extra


def theme_problems(
    site: UncheckedSite, layout: Layout, extra: Sequence[Listed], written: Sequence[str]
) -> Iterator[Problem]:
    """Yield a problem if the theme can't read the sitemap, or a note if it needs a second file.

    The script of the theme reads entries, and an index has none. `extra` are the decisions whose
    entries are in the second file. `written` are the names of all written files.
    """
    filename, index = layout.filename, index_name(layout.filename)
    if site.reads_sitemap and part_name(_READ_BY_THEMES, 1) in written:
        limit = f"{layout.max_urls:,} URLs or {layout.max_bytes:,} bytes"
        yield Problem(
            code=Code.INDEX_FOR_THEME,
            place=Place(origin=Origin.PLUGIN, file=_READ_BY_THEMES),
            found=f"the sitemap has more than {limit}, so this file became an index, which the "
            "script of the theme can't read",
            done="Links load the whole page, without instant previews. Version and language "
            "selectors open the home page of the other version or language.",
        )
    elif extra and index in written:
        are = counted(len(extra), "URL is not a page", "URLs are not pages")
        were = "it was" if len(extra) == 1 else "they were"
        names = first_names([decision.name for decision in extra])
        yield Problem(
            code=Code.INSTANT_NAVIGATION,
            found=f"navigation.instant treats every URL in {filename} as a page, and {are} "
            f"({names})",
            done=f"So {were} moved to {extra_name(filename)}; {index} lists both files.",
            fix=f"Submit {index} to search engines.",
            level=Level.INFO,
        )
