"""Which pages ask for their date, and what they are made of."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mkdocs_sitemap_plus.files import Search, repository_folder
from mkdocs_sitemap_plus.lastmod.parts import Found, Parts
from mkdocs_sitemap_plus.lastmod.sources import Key, Undated
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.options.settings import Includer, Settings
from mkdocs_sitemap_plus.pages.includes import Include
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.pipeline.merge_overrides import Heard
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value


def key_of(page: SourcePage) -> Key:
    """What names a page: two sources may be built to one file, one source to several."""
    return page.dest_uri, page.src_uri


def undated(
    site: Site, decisions: Iterable[Decision], heard: Heard, settings: Settings
) -> dict[Key, Undated]:
    """The pages that are listed, and those that a listed view shows."""
    search = Search((repository_folder(site.root), site.docs_dir))
    kinds = frozenset(settings.lastmod.includes)
    parts = Parts(including=site.including, kinds=kinds, search=search)
    by_src_uri = {page.src_uri: key_of(page) for page in site.pages}
    return {
        key_of(page): Undated(
            overrides=heard.overrides[key_of(page)],
            sources=page.sources,
            parts=_parts(page, heard.overrides[key_of(page)], parts),
            generated=page.path is not None,
            lists=tuple(by_src_uri[each] for each in page.lists if each in by_src_uri),
        )
        for page in _asking(list(decisions))
    }


def missing_depends(pages: Iterable[Undated]) -> Iterator[Problem]:
    """Yield a note for each name under ``sitemap.depends`` for which there is no file."""
    for page in pages:
        for name in page.overrides.depends or ():
            if name in page.parts.missing:
                yield Problem(
                    code="depends",
                    place=page.overrides.places["depends"],
                    found=f"has the pattern {format_value(name)}, which matches no file",
                    note=True,
                )


def unsearched(site: Site, asking: Mapping[Key, Undated]) -> Iterator[Problem]:
    """Yield one problem for each pattern of a page that was not searched."""
    files = {key_of(page): page.file for page in site.pages}
    for key, page in asking.items():
        for pattern, reason in page.parts.unsearched:
            named = pattern in (page.overrides.depends or ())
            place = Place(origin=Origin.FRONT_MATTER, file=files.get(key, key[1]))
            yield Problem(
                code="unsearched",
                place=page.overrides.places["depends"] if named else place,
                found=f"{'has' if named else 'includes'} the pattern {format_value(pattern)}",
                done=f"{reason} The page gets no date from it.",
                note=not named,
            )


def _asking(decisions: list[Decision]) -> Iterator[SourcePage]:
    pages = [each.page for each in decisions if each.page is not None and not each.left_out]
    shown = {each for page in pages for each in page.lists}
    for page, out in ((each.page, each.left_out) for each in decisions):
        if page is not None and (out is None or page.src_uri in shown):
            yield page


def _parts(page: SourcePage, overrides: Overrides, parts: Parts) -> Found:
    depends = (Include(kind=Includer.DEPENDS, name=name) for name in overrides.depends or ())
    path = page.path or next(iter(page.sources), None)
    found = parts.of(path, (*page.includes, *depends))
    return replace(found, files=found.files.union(page.collected)) if page.collected else found
