"""Choose the source of each page of a site by the links of its pages into one repository.

A wrong source gives a wrong date, and a missing one only none. So a page has no source where two
answers are possible.
"""

import posixpath
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mkdocs_sitemap_plus.web.edit_links import FileLink, LinkedPage
from mkdocs_sitemap_plus.web.page_names import INDEXES, alike, is_named_like, stem
from mkdocs_sitemap_plus.web.rival_pages import without_rivals
from mkdocs_sitemap_plus.wording import format_value

_MARKDOWN = (".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd")
MARKUP = (*_MARKDOWN, ".rst", ".adoc", ".asciidoc", ".asc", ".org", ".textile", ".ipynb")
_TEMPLATES = frozenset(
    ("templates", "_templates", "layouts", "_layouts", "_includes", "partials", "archetypes")
)
_SHARE = 10  # the markup of a layout is on at least a tenth of the pages of the most frequent one


class HeadFiles(NamedTuple):
    """What a repository holds at HEAD."""

    repositories: Collection[str]  # its names, as from `repository_key`; empty if it has none
    refs: Collection[str]  # the names of HEAD: its id, and the branches and tags that point to it
    files: Collection[str]  # relative to the top, with ``/``


_Target = tuple[FileLink, str | None]  # a link, and the file at HEAD; None: it is no file at HEAD


def page_sources(
    pages: Sequence[LinkedPage],
    head: HeadFiles,
    copied: Mapping[str, str] | None = None,
    taken: Container[str] = (),
    left_out: Sequence[LinkedPage] = (),
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sources of pages as paths in the repository, and why others have none.

    Both are by ``dest_uri``. A page without such links is in neither.

    `pages` are those that belong to the site, and `left_out` other pages beside them, such as those
    of an old version; redirects are neither. `copied` are the sources that are known by their copy
    in the site, and `taken` those of further pages. Of these, the first that a page has counts:

    1. the file that Sphinx copied beside the page
    2. the file of its one edit link, if that is the link of a theme, or named like the page
    3. the file of its one other link to a file of a markup language, if that is the link of a theme
       and named like the page

    But no file is a source if two pages of one language claim it, and none is that of a translation
    if the translation has a file of its own, or the repository has none in its language.
    """
    targets = _targets(pages, left_out, head)
    edits = {page: [pair for pair in pairs if pair[0].edits] for page, pairs in targets.items()}
    views = {page: [*_views(page, pairs)] for page, pairs in targets.items()}
    edit_markup = _of_layouts([edits[page.dest_uri] for page in pages])
    view_markup = _of_layouts([views[page.dest_uri] for page in pages])
    found, doubts = dict(copied or {}), {}
    for page, pairs in edits.items():
        if page in found or not pairs:
            continue
        if not (path := _only_file(pairs)) or _is_template(path, page):
            doubts[page] = _why_no_file(pairs)
            continue
        by_theme = any("edit" in link.markup[2].split() for link, _ in pairs)
        by_theme = by_theme or any(link.markup in edit_markup for link, _ in pairs)
        if _is_markup(path):
            is_source = by_theme or alike(page, path)
        else:  # it may be code that the text is about
            is_source = by_theme and (is_named_like(page, path) or any(map(_has_class, pairs)))
        if is_source:
            found[page] = path
    for page, pairs in views.items():
        of_theme = [pair for pair in pairs if pair[0].markup in view_markup]
        # The name of the home page can't tell its source from a README that its text links to.
        named = of_theme if page == "index.html" else pairs
        if of_theme and page not in found and not edits[page] and (path := _only_file(named)):
            found[page] = path
    own = {page.dest_uri for page in pages}
    # A list of posts may have the link of a post, and an old version has that of its new one.
    found = {page: path for page, path in found.items() if page in own or _may_show(page, path)}
    sources, rivals = without_rivals(found, (*pages, *left_out), head.files, taken)
    return {page: path for page, path in sources.items() if page in own}, doubts | rivals


def _has_class(pair: _Target) -> bool:
    """Return whether a link has a class, as those of themes; Sphinx gives one to links in texts."""
    names = pair[0].markup[1].split()
    return pair[0].markup[2] == "edit" or (bool(names) and "external" not in names)


def _may_show(page: str, path: str) -> bool:
    is_index = posixpath.basename(page) == "index.html" and stem(path) in INDEXES
    return is_index or alike(page, path)


def _targets(
    pages: Sequence[LinkedPage], left_out: Sequence[LinkedPage], head: HeadFiles
) -> dict[str, list[_Target]]:
    """Return the links of each page into this repository, with the files that they lead to."""
    own = {page.dest_uri: page.links.links for page in (*pages, *left_out)}
    own_names = head.repositories
    shared = None if own_names else shared_repository(pages, head)
    inside = {
        page: [
            link
            for link in links
            if (link.repository in own_names if own_names else _place(link) == shared)
        ]
        for page, links in own.items()
    }
    listed = (inside[page.dest_uri] for page in pages)
    refs = sorted(_refs(listed, head), key=len, reverse=True)
    return {
        page: [(link, _file_of(link, refs, head.files)) for link in links]
        for page, links in inside.items()
    }


def _place(link: FileLink) -> str:
    return f"{link.host}/{link.repository}"


def shared_repository(pages: Iterable[LinkedPage], head: HeadFiles) -> str | None:
    """Return the host and the path of the repository that most pages share; None without one.

    Only links to files that HEAD holds count, and only those to edit a page if there are any.
    """
    links = [
        [
            link
            for link in page.links.links
            if link.path in head.files or any(_possible_refs(link, head))
        ]
        for page in pages
    ]
    edits = [[link for link in of_page if link.edits] for of_page in links]
    places = [set(map(_place, of_page)) for of_page in (edits if any(edits) else links)]
    counts = Counter(place for of_page in places for place in of_page)
    most = [place for place, count in counts.items() if count == max(counts.values())]
    is_of_most = bool(most) and 2 * counts[most[0]] > sum(map(bool, places))
    return most[0] if is_of_most and len(most) == 1 else None


def _refs(pages: Iterable[Sequence[FileLink]], head: HeadFiles) -> Collection[str]:
    """Return the branch, tag or commit of the links: the names of HEAD, or the most frequent one.

    A name may have slashes, and is told from the path behind it by the files that there are.
    """
    pages = [*pages]
    edits = [[link for link in links if link.edits] for links in pages]
    for chosen in (edits, pages):
        names = ({ref for link in links for ref in _possible_refs(link, head)} for links in chosen)
        counts = Counter(ref for page in names for ref in page)
        if not counts:
            continue
        if at_head := {ref for ref in counts if ref in head.refs or ref == "HEAD"}:
            return at_head
        # Of `main` and `main/docs`, only the first can be a branch if both are equally frequent.
        best, *others = sorted(counts, key=lambda ref: (-counts[ref], len(ref), ref))
        rivals = [ref for ref in others if counts[ref] == counts[best]]
        return {best} if all(ref.startswith(f"{best}/") for ref in rivals) else ()
    return ()


def _possible_refs(link: FileLink, head: HeadFiles) -> Iterator[str]:
    if link.ref is not None:
        if link.ref and link.path in head.files:
            yield link.ref
        return
    end = link.path.find("/")
    while end > 0:
        if link.path[end + 1 :] in head.files:
            yield link.path[:end]
        end = link.path.find("/", end + 1)


def _file_of(link: FileLink, refs: Iterable[str], files: Container[str]) -> str | None:
    if link.ref is not None:
        path = link.path if not link.ref or link.ref in refs else None
    else:
        starts = (f"{ref}/" for ref in refs)
        path = next((link.path[len(ref) :] for ref in starts if link.path.startswith(ref)), None)
    return path if path in files else None


def _only_file(pairs: Iterable[_Target]) -> str | None:
    """Return the file to which all of these links lead; None if they lead to several places."""
    places = {path or (link.ref, link.path): path for link, path in pairs}
    return next(iter(places.values())) if len(places) == 1 else None


def _why_no_file(pairs: Sequence[_Target]) -> str:
    """Say why links to edit a page name no source."""
    links = list(dict.fromkeys(path or link.path for link, path in pairs))
    if len(links) > 1:
        return f"its links lead to {format_value(links[0])} and {format_value(links[1])}"
    is_file = pairs[0][1] is not None
    why = "which is a template" if is_file else "which is no file at HEAD"
    return f"its link leads to {format_value(links[0])}, {why}"


def _views(page: str, pairs: Iterable[_Target]) -> Iterator[_Target]:
    """Yield the links to files of a markup language that are named like the page."""
    for link, path in pairs:
        is_text = path and _is_markup(path) and not _is_template(path, page)
        if path and is_text and is_named_like(page, path):
            yield link, path


def _of_layouts(pages: Sequence[Sequence[_Target]]) -> Collection[tuple[str, ...]]:
    """Return the markup of the links that a theme prints: the markup of links on several pages.

    Several pages may also begin a sentence in the same way, so of links with text before them,
    only those count that most pages have.
    """
    linked = [{link.markup for link, path in pairs if path} for pairs in pages]
    counts = Counter(markup for markups in linked for markup in markups)
    fewest = max(2, max(counts.values(), default=0) / _SHARE)
    most = max(3, len(linked) / 2)
    return {markup for markup, count in counts.items() if count >= (most if markup[-1] else fewest)}


def _is_markup(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in MARKUP


def _is_template(path: str, page: str) -> bool:
    """Return whether a file is in a folder of templates, which are the source of no page."""
    folders = _TEMPLATES.intersection(path.split("/")[:-1])
    return not folders.issubset(page.split("/"))
