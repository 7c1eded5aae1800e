"""Choose the source of each page of a site by the links of its pages into one repository.

A wrong source gives a wrong date, and a missing one only none. So a page has no source where two
answers are possible.
"""

import posixpath
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from mkdocs_sitemap_plus.web.edit_links import FileLink, PageLinks

_MARKDOWN = (".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd")
MARKUP = (*_MARKDOWN, ".rst", ".adoc", ".asciidoc", ".asc", ".org", ".textile", ".ipynb")
_INDEXES = ("index", "readme", "_index")
_ORDER = re.compile(r"\A(?:\d{4}-\d\d?-\d\d?-|\d{1,4}-)(?=.)")  # a date, or a place in a menu
_OF_LANGUAGE = re.compile(r"\.[a-z]{2}(?:[-_][A-Za-z]{2,4})?\Z")  # the end of ``a.de`` (Hugo)
_TEMPLATES = frozenset(
    ("templates", "_templates", "layouts", "_layouts", "_includes", "partials", "archetypes")
)
_SHARE = 10  # the markup of a layout is on at least a tenth of the pages of the most frequent one
_CATALOGUE = ".po"  # of gettext; such a file may have the text of a whole site
_USUAL = "en"  # the language of a site's sources if all of its pages have one language
_CHINESE = {"zh-hans": "zh-cn", "zh-hant": "zh-tw", "zh-cn": "zh-hans", "zh-tw": "zh-hant"}


class HeadFiles(NamedTuple):
    """What a repository holds at HEAD."""

    repositories: Collection[str]  # its names, as from `repository_key`; empty if it has none
    refs: Collection[str]  # the names of HEAD: its id, and the branches and tags that point to it
    files: Collection[str]  # relative to the top, with ``/``


class LinkedPage(NamedTuple):
    """A page whose source is wanted."""

    dest_uri: str  # the path in the built site
    loc: str  # its URL; two files with the same URL are one page
    links: PageLinks


_Target = tuple[FileLink, str | None]  # a link, and the file at HEAD; None: it is no file at HEAD


def page_sources(
    pages: Sequence[LinkedPage],
    head: HeadFiles,
    copied: Mapping[str, str] | None = None,
    taken: Container[str] = (),
    left_out: Sequence[LinkedPage] = (),
) -> dict[str, str]:
    """Return the sources of pages, by ``dest_uri``, as paths in the repository.

    `pages` are those that belong to the site, and `left_out` other pages beside them, such as those
    of an old version; redirects are neither. `copied` are the sources that are known by their copy
    in the site, and `taken` those of further pages. Of these, the first that a page has counts:

    1. the file that Sphinx copied beside the page
    2. the file of its one edit link, if that is the link of a theme, or named like the page
    3. the file of its one other link to a file of a markup language, if that is the link of a theme
       and named like the page

    But no file is a source if two pages of one language claim it, and none is that of a translation
    if the translation has a file of its own.
    """
    targets = _targets(pages, left_out, head)
    edits = {page: [pair for pair in pairs if pair[0].edits] for page, pairs in targets.items()}
    views = {page: [*_views(page, pairs)] for page, pairs in targets.items()}
    edit_markup = _of_layouts([edits[page.dest_uri] for page in pages])
    view_markup = _of_layouts([views[page.dest_uri] for page in pages])
    found = dict(copied or {})
    for page, pairs in edits.items():
        if page in found or not (path := _only_file(pairs)) or _is_template(path, page):
            continue
        by_theme = any("edit" in link.markup[2].split() for link, _ in pairs)
        by_theme = by_theme or any(link.markup in edit_markup for link, _ in pairs)
        if _is_markup(path):
            is_source = by_theme or _alike(page, path) > 0
        else:  # it may be code that the text is about
            is_source = by_theme and _is_named_like(page, path)
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
    found = {page: path for page, path in found.items() if page in own or _alike(page, path)}
    sources = without_rivals(found, (*pages, *left_out), head.files, taken)
    return {page: path for page, path in sources.items() if page in own}


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

    Only links to files that HEAD holds count.
    """
    places = [
        {
            _place(link)
            for link in page.links.links
            if link.path in head.files or any(_possible_refs(link, head))
        }
        for page in pages
    ]
    counts = Counter(place for page in places for place in page)
    linked = sum(map(bool, places))
    return next((place for place, count in counts.items() if 2 * count > linked), None)


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


def _views(page: str, pairs: Iterable[_Target]) -> Iterator[_Target]:
    """Yield the links to files of a markup language that are named like the page."""
    for link, path in pairs:
        is_text = path and _is_markup(path) and not _is_template(path, page)
        if path and is_text and _is_named_like(page, path):
            yield link, path


def _of_layouts(pages: Sequence[Sequence[_Target]]) -> Collection[tuple[str, ...]]:
    """Return the markup of the links that a theme prints: the markup of links on several pages.

    Several pages may also begin a sentence in the same way, so of links with text before them,
    only those count that most pages have.
    """
    linked = [{link.markup for link, path in pairs if path} for pairs in pages]
    counts = Counter(markup for markups in linked for markup in markups)
    fewest = max(2, max(counts.values(), default=0) / _SHARE)
    most = max(2, len(linked) / 2)
    return {markup for markup, count in counts.items() if count >= (most if markup[-1] else fewest)}


def _is_markup(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in MARKUP


def _is_named_like(page: str, path: str) -> bool:
    is_home = page == "index.html" and _stem(path) in _INDEXES
    return is_home or _alike(page, path) > 0


def _alike(page: str, path: str) -> int:
    """Return how many names at the end of a page's path and of a source's path are the same.

    An index has the name of its folder, so the home page has none. A date or a number before a
    name, and a language behind it, do not count.
    """
    names = page.removesuffix(".html").split("/")
    names = names[:-1] if _plain(names[-1]) == "index" else names
    of_file = posixpath.splitext(path)[0].split("/")
    of_folder = of_file[:-1] if _plain(of_file[-1]) in _INDEXES else of_file
    return max(_same_at_end(names, of_file), _same_at_end(names, of_folder))


def _same_at_end(names: Sequence[str], others: Sequence[str]) -> int:
    pairs = zip(reversed(names), reversed(others), strict=False)
    return len([*takewhile(lambda pair: _is_same(*pair), pairs)])


def _is_same(name: str, other: str) -> bool:
    """Return whether names are the same: ``2016-12-15-2016-in-jest`` is ``2016-in-jest``."""
    if name == other:  # as most are, and the forms of 10,000 pages take time
        return True
    forms = {_spelled(name), _plain(name)}
    return not forms.isdisjoint((_spelled(other), _plain(other)))


def _stem(path: str) -> str:
    return _plain(posixpath.splitext(posixpath.basename(path))[0])


def _plain(name: str) -> str:
    return _ORDER.sub("", _spelled(name))


def _spelled(name: str) -> str:
    stem = unicodedata.normalize("NFC", _OF_LANGUAGE.sub("", name)).casefold()
    return re.sub("(?<=.)[ _.]", "-", stem)


def _is_template(path: str, page: str) -> bool:
    """Return whether a file is in a folder of templates, which are the source of no page."""
    folders = _TEMPLATES.intersection(path.split("/")[:-1])
    return not folders.issubset(page.split("/"))


def without_rivals(
    found: Mapping[str, str],
    pages: Iterable[LinkedPage],
    files: Iterable[str],
    taken: Container[str],
) -> dict[str, str]:
    """Return the sources that only one page of a language has, and no translation of another."""
    by_name = {page.dest_uri: page for page in pages}
    languages = {page.links.language for page in by_name.values()} - {""}
    home = by_name.get("index.html")
    main = home.links.language if home and len(languages) > 1 else _USUAL
    translated = {code: _translated(code, files) for code in languages - {main}}
    owners: dict[str, list[LinkedPage]] = defaultdict(list)
    for name, path in found.items():
        owners[path].append(by_name[name])
    shared = {path for path, claiming in owners.items() if _are_rivals(claiming)}
    return {
        name: path
        for name, path in found.items()
        if path not in shared
        and path not in taken
        and not _is_original(path, name, by_name[name].links.language, translated)
    }


def _are_rivals(pages: Iterable[LinkedPage]) -> bool:
    """Return whether different pages among these may have one language, such as ``en-us`` and none.

    Old versions of a site may state their language less exactly than new ones.
    """
    by_language: dict[str, list[LinkedPage]] = defaultdict(list)
    for page in pages:
        by_language[page.links.language].append(page)
    for language in by_language:
        parts = language.split("-") if language else []
        wider = ("-".join(parts[:end]) for end in range(len(parts) + 1))
        if not _are_one([page for each in wider for page in by_language.get(each, ())]):
            return True
    return False


def _are_one(pages: Sequence[LinkedPage]) -> bool:
    """Return whether pages have one URL, or are a page and its copy as the index of its folder.

    mdBook writes its first chapter twice.
    """
    if len({page.loc or page.dest_uri for page in pages}) == 1:
        return True
    copies = {(posixpath.dirname(page.dest_uri), page.links.html_hash) for page in pages}
    is_index = (posixpath.basename(page.dest_uri) == "index.html" for page in pages)
    return len(copies) == 1 and len(pages) == 2 and any(is_index)


def _is_original(
    path: str, page: str, language: str, translated: Mapping[str, tuple[set[str], list[str]]]
) -> bool:
    """Return whether a file is the original of what the page translates."""
    names, indexes = translated.get(language, ((), ()))
    if _is_in(path, language) or not (names or indexes):
        return False
    if _CATALOGUE in names or _stem(path) in names:
        return True
    is_home = _code(page.removesuffix("/index.html")) in ("index.html", *_codes(language))
    return any(is_home or _alike(page, index) for index in indexes)


def _translated(language: str, files: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return the names of files in a language, without endings, and the paths of its indexes."""
    names, indexes = set(), []
    for path in files:
        if _is_in(path, language):
            stem = _CATALOGUE if path.endswith(_CATALOGUE) else _stem(path)
            if stem in _INDEXES:
                indexes.append(path)
            else:
                names.add(stem)
    return names, indexes


def _is_in(path: str, language: str) -> bool:
    """Return whether a path names a language: ``i18n/de/a.md``, ``a.de.md`` and ``po/de.po`` do."""
    lower = f"/{_code(path)}"
    names = ((f"/{code}/", f".{code}.", f"/{code}{_CATALOGUE}") for code in _codes(language))
    return any(name in lower for forms in names for name in forms)


def _codes(language: str) -> set[str]:
    return {language, language.partition("-")[0], _CHINESE.get(language, language)}


def _code(text: str) -> str:
    return text.casefold().replace("_", "-")
