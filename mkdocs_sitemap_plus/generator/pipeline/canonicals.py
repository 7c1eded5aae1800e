"""Which pages name another one as canonical, and whether that is the fault of the whole site."""

from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import urljoin

from mkdocs_sitemap_plus.generator.options.fields import ExtraUrl
from mkdocs_sitemap_plus.generator.pages import OutReason, Site, SiteFile
from mkdocs_sitemap_plus.html.site_folder import Canonical, PageAt, SiteFolder, other_canonical
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.wording import counted, first_names, format_value

Reason = tuple[OutReason, str, Place] | None
"""Why a page or a file is left out: the reason, what was found, and where."""


def leave_out_not_canonical(
    files: Sequence[SiteFile], reasons: list[Reason], site: Site, extra_urls: Sequence[ExtraUrl]
) -> Iterator[Problem]:
    """Set the reason of each page that names another URL as canonical, if nothing else left it out.

    Yield what is wrong, or worth a note. Where most of the pages that remain name one that no page
    of the site has, the theme or site_url is wrong, and these are listed. So are pages that name
    two.
    """
    found = _other_canonicals(files, reasons, site)
    yield from _two_canonicals(files, reasons)
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
        yield Problem(
            Code.CANONICAL,
            f"{counted(names, 'page names', 'pages name')} the page {one} as the canonical one",
            done="They are left out.",
            fix="If they are no copies of it, check the theme's rel=canonical.",
            level=Level.INFO,
        )
    if is_wrong:
        first, of_pages = files[absent[0]], counted(remaining, "page names", "pages name")
        named = format_value(found[absent[0]].url)
        example = f"{first.file}: {named}, its URL is {format_value(first.loc)}"
        yield Problem(
            Code.CANONICAL,
            f"{len(absent)} of {of_pages} a canonical URL that no page of the site has ({example})",
            done="These canonical URLs are ignored.",
            fix="Check site_url, and the theme's rel=canonical.",
        )
    elsewhere = {url_key(urljoin(site.url, str(each.loc))) for each in extra_urls}
    folder = SiteFolder(site.site_dir, site.url)
    lost = () if is_wrong else (at for at in absent if found[at].is_nowhere(folder, elsewhere))
    if lines := [f"{files[at].file}: {format_value(found[at].url)}" for at in lost]:
        yield Problem(
            Code.CANONICAL,
            f"{counted(len(lines), 'page names', 'pages name')} a canonical URL below {site.url} "
            f"that nothing here has ({first_names(lines)})",
            done="It is left out." if len(lines) == 1 else "They are left out.",
            fix="Publish what rel=canonical names, or let the page name itself.",
            level=Level.INFO,
        )


def _two_canonicals(files: Sequence[SiteFile], reasons: Sequence[Reason]) -> Iterator[Problem]:
    """Yield the problem of pages that name two different URLs as canonical; they are listed."""
    both = [
        f"{file.file}: {format_value(file.built.canonical)} and {format_value(second)}"
        for file, out in zip(files, reasons, strict=True)
        if out is None and file.built and (second := file.built.second_canonical(file.loc))
    ]
    if both:
        pages = counted(len(both), "page names", "pages name")
        yield Problem(
            Code.CANONICAL,
            f"{pages} two different canonical URLs ({first_names(both)})",
            done=f"Search engines ignore both: {'it is' if len(both) == 1 else 'they are'} listed.",
            fix="Let one place write rel=canonical: the theme, or front matter.",
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
