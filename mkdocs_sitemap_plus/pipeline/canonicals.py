"""Which pages name another one as canonical, and whether that is the fault of the whole site."""

from collections import Counter
from collections.abc import Sequence

from mkdocs_sitemap_plus.pages import OutReason, Site, SiteFile
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.web.site_folder import Canonical, PageAt, SiteFolder, other_canonical
from mkdocs_sitemap_plus.wording import counted, format_value

Reason = tuple[OutReason, str, Place] | None
"""Why a page or a file is left out: the reason, what was found, and where."""


def leave_out_not_canonical(
    files: Sequence[SiteFile], reasons: list[Reason], site: Site
) -> Problem | None:
    """Set the reason of each page that names another URL as canonical, if nothing else left it out.

    Where most of the pages that remain name one that no page of the site has, the theme or site_url
    is wrong: these are listed, and the result is the problem. Where most of all pages name one of
    the site, they are left out, and the result is a note.
    """
    found = _other_canonicals(files, reasons, site)
    absent = [at for at, canonical in found.items() if canonical.page is None]
    one, names = (
        Counter(each.page for each in found.values()).most_common(1)[0] if found else ("", 0)
    )
    is_one = one is not None and 2 * names > reasons.count(None)
    remaining = reasons.count(None) - (len(found) - len(absent))
    is_wrong = 2 * len(absent) > remaining
    for at, canonical in found.items():
        if canonical.page is not None or not is_wrong:
            place = Place(Origin.BUILT_PAGE, files[at].dest_uri)
            reasons[at] = OutReason.NOT_CANONICAL, f"canonical: {canonical.url}", place
    if is_one:
        return Problem(
            Code.CANONICAL,
            f"{counted(names, 'page names', 'pages name')} the page {one} as the canonical one",
            done="They are left out.",
            fix="If they are no copies of it, check the theme's rel=canonical.",
            level=Level.INFO,
        )
    if not is_wrong:
        return None
    first, of_pages = files[absent[0]], counted(remaining, "page names", "pages name")
    named = format_value(found[absent[0]].url)
    example = f"{first.file}: {named}, its URL is {format_value(first.loc)}"
    return Problem(
        Code.CANONICAL,
        f"{len(absent)} of {of_pages} a canonical URL that no page of the site has ({example})",
        done="These canonical URLs are ignored.",
        fix="Check site_url, and the theme's rel=canonical.",
    )


def _other_canonicals(
    files: Sequence[SiteFile], reasons: Sequence[Reason], site: Site
) -> dict[int, Canonical]:
    """Return the canonical URLs for which files, by their number, are not listed."""
    asked = [
        (at, file, file.built)
        for at, (file, out) in enumerate(zip(files, reasons, strict=True))
        if out is None and file.built and file.loc and file.built.names_other(file.loc)
    ]
    built = [PageAt(each.dest_uri, each.loc, each.built) for each in files if each.built]
    by_url = {url_key(page.loc): page for page in built if page.loc}
    by_path = {page.path: page for page in built}
    folder = SiteFolder(site.site_dir, site.url)

    def page_at(url: str) -> PageAt | None:
        if known := by_url.get(url_key(url.partition("#")[0])):
            return known
        page = folder.page_at(url)
        return by_path.get(page.path, page) if page else None

    pages = ((at, PageAt(file.dest_uri, file.loc, says)) for at, file, says in asked)
    found = ((at, other_canonical(page, page_at)) for at, page in pages)
    return {at: canonical for at, canonical in found if canonical}
