"""What a theme whose script reads ``sitemap.xml`` (Material) needs, and what it can't do."""

from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.generator.pages.site import OutReason, UncheckedSite, Url
from mkdocs_sitemap_plus.generator.pipeline.decisions import LeftOut, Listed, Outcome, Work
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.write import Layout, extra_name, index_name, part_name
from mkdocs_sitemap_plus.wording import counted, first_names

_READ_BY_THEMES = "sitemap.xml"


def add_theme_notes(work: Work) -> None:
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
            file = each.about
            if not isinstance(file, Url) and file.dest_uri == "index.html":
                place, found = Place(Origin.PLUGIN, file.file), "the home page is left out"
                problem = Problem(Code.HOME_LEFT_OUT, found, place, done=done, level=Level.INFO)
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
    main = [p for p in listed if not isinstance(p.about, Url) and p.about.dest_uri in pages]
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
            level=Level.INFO,
        )
