"""What a theme whose script reads ``sitemap.xml`` asks of the files of a sitemap."""

from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.split import Layout, extra_name, index_name, part_name
from mkdocs_sitemap_plus.wording import first_names

READ_BY_THEMES = "sitemap.xml"


def parted(outcome: Outcome, filename: str) -> tuple[list[Decision], list[Decision]]:
    """The decisions that list something: for the sitemap itself, and for a file apart from it.

    Material's instant navigation takes all that ``sitemap.xml`` lists for pages of the theme: its
    script fetches them on a click and puts them into the window, where a PDF shows nothing. So with
    it what is no page of the site goes apart, and without it nothing.

    Args:
        outcome: of all decisions.
        filename: of the sitemap.
    """
    site = outcome.site
    listed = [decision for decision in outcome.decisions if decision.entry]
    if not (site.reads_sitemap and site.instant and filename == READ_BY_THEMES):
        return listed, []
    pages = {page.dest_uri for page in site.pages}
    apart = [each for each in listed if each.page is None or each.page.dest_uri not in pages]
    kept = [each for each in listed if each.page is not None and each.page.dest_uri in pages]
    return kept, apart


def theme_problems(
    site: Site, layout: Layout, apart: Sequence[Decision], written: Sequence[str]
) -> Iterator[Problem]:
    """What the files that were written mean for such a theme, or by its need.

    Args:
        site: the built site.
        layout: of the files.
        apart: what is not in the sitemap itself.
        written: the names of the files.
    """
    if site.reads_sitemap and part_name(READ_BY_THEMES, 1) in written:
        yield _index_for_theme(layout)
    elif apart and index_name(layout.filename) in written:
        yield _two_files(layout.filename, apart)


def _index_for_theme(layout: Layout) -> Problem:
    """The script reads the entries of ``sitemap.xml``, and an index has none."""
    return Problem(
        code="index-for-theme",
        place=Place(origin=Origin.PLUGIN, file=READ_BY_THEMES),
        found=f"the site has more than {layout.max_urls:,} URLs or {layout.max_bytes:,} bytes, so "
        "this file became an index, which the theme's script can't read",
        done="Links load the whole page, without instant previews, and version and language "
        "selectors lead to the top of the other version or language.",
    )


def _two_files(filename: str, apart: Sequence[Decision]) -> Problem:
    names = first_names([each.name for each in apart])
    are = "1 URL is not a page" if len(apart) == 1 else f"{len(apart):,} URLs are not pages"
    moved = "it was" if len(apart) == 1 else "they were"
    index = index_name(filename)
    return Problem(
        code="instant-navigation",
        found=f"navigation.instant treats every URL in {filename} as a page, and {are} ({names})",
        done=f"So {moved} moved to {extra_name(filename)}; {index} lists both files.",
        fix=f"Submit {index} to search engines.",
        note=True,
    )
