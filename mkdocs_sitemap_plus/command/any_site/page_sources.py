"""Find the sources of the pages of any builder, by what their HTML and the repository say."""

import os
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import permutations
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, path_from, read_file, real_path, text_or_empty
from mkdocs_sitemap_plus.generator.made_from import FileLink, Head, file_link
from mkdocs_sitemap_plus.generator.pages.site import Evidence
from mkdocs_sitemap_plus.gitdates.at_head import AtHead
from mkdocs_sitemap_plus.gitdates.blobs import is_blob
from mkdocs_sitemap_plus.html.tags import ATTRIBUTES, attributes_of, find_links, find_tags
from mkdocs_sitemap_plus.problems import Code, Problem
from mkdocs_sitemap_plus.sitemap.protocol import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.wording import counted, format_value, listing


class BuiltPage(NamedTuple):
    """A built page whose source is wanted, with what its HTML says of it."""

    dest_uri: str  # the path in the built site
    loc: str  # its URL; two files with the same URL are one page
    links: Sequence[FileLink] = ()
    language: str = ""  # of ``<html lang>``, in lower case
    html_hash: int = 0  # the same for copies of a page, in whichever folder they are


class Sources(NamedTuple):
    """The files that pages are made from, and why others have none, by ``dest_uri``."""

    files: Mapping[str, str]  # relative to the top of the repository
    doubts: Mapping[str, str] = {}  # clauses such as `its links lead to 'a.md' and 'b.md'`
    several: Collection[str] = ()  # those with the path of several files
    rivals: Sequence[tuple[str, str]] = ()  # pages that may be other versions, and the first such
    evidence: Mapping[str, Evidence] = {}
    problem: Problem | None = None  # one that many pages share


def find_sources(
    pages: Sequence[BuiltPage],
    site_dir: Path | None,
    head: Head,
    docs_dir: Path | None = None,
    taken: Iterable[str] = (),
) -> Sources:
    """Return the source of each page.

    The first of these that a page has counts:

    1. the file that Sphinx copied into the site
    2. the file that the theme's link to edit the page leads to
    3. the file at the path of the page in `docs_dir`, the folder that the user named: the page
       itself if HEAD holds it there, for HTML that is written by hand
    4. the file that the theme's link to show the source leads to

    No file is the source of two pages. `pages` are also those that are not listed, since they may
    be those of another version. Without a `site_dir`, only their URLs are known. `taken` are the
    sources that are known already.
    """
    by: dict[Evidence, Sources] = {}
    if site_dir:
        by[Evidence.COPY] = _copied_files(pages, site_dir, head)
    by[Evidence.EDIT_LINK] = _edited_files(pages, head)
    if site_dir and docs_dir:
        by[Evidence.BYTES] = _pages_at_head(pages, site_dir, docs_dir, head)
    if docs_dir:
        by[Evidence.PATH] = _files_at_paths(pages, docs_dir, head)
    by[Evidence.VIEW_LINK] = _shown_files(pages, head)
    found, doubts, claimed = dict[str, str](), dict[str, str](), set(taken)
    evidence, several = dict[str, Evidence](), set[str]()
    rivals: list[tuple[str, str]] = []
    for kind, claims in by.items():
        new = {page: path for page, path in claims.files.items() if page not in found}
        for page, path in new.items():
            if path in claimed:
                doubts[page] = f"{format_value(path)} is that of another page"
        new = {page: path for page, path in new.items() if path not in claimed}
        kept = _without_rivals(new, pages, head.files)
        found |= kept.files
        evidence |= dict.fromkeys(kept.files, kind)
        doubts = {**claims.doubts, **doubts, **kept.doubts}
        rivals += kept.rivals
        several.update(claims.several)
        claimed.update(new.values())
    doubts = {page: why for page, why in doubts.items() if page not in found}
    problem = _versions_problem(rivals, found)
    return Sources(found, doubts, several - found.keys(), rivals, evidence, problem)


_TEXTS = (
    ".adoc", ".asc", ".asciidoc", ".ipynb", ".markdown", ".md", ".mdown", ".mdx", ".mkd", ".mkdn",
    ".org", ".qmd", ".rmd", ".rst", ".textile", ".txt",
)  # fmt: skip
"""The endings of what pages are written in."""
_INDEXES = ("index", "readme", "_index")  # the names of files that make the page of their folder
_OF_FOLDER = (*_INDEXES, "__init__", "mod")  # and those of the code of a folder
_START = 1 << 12  # bytes or characters of a page in which its language is looked for
_SAYS_EDIT = re.compile(r"(?<![A-Za-z])[Ee]dit(?![a-z])")  # as in `edit-this-page`, `editLink`
_BEFORE = re.compile(rb"(/?[A-Za-z][^ \t\n\f\r/>]*|!--)?[^>]*>?\s*")


def page_of(dest_uri: str, loc: str, html: bytes) -> BuiltPage:
    """Return what a built page in UTF-8 says of its source."""
    links: dict[FileLink, None] = {}
    for found, start in find_links(html):
        attributes = attributes_of(found.decode("utf-8", "replace"))
        href = attributes.get("href", "").strip()
        if len(href) <= MAX_LOC_LENGTH and (link := file_link(href)):
            # The template of Docusaurus leads to GitHub's view of a file, not to its editor.
            named = (attributes.get(name, "") for name in ("class", "id", "rel"))
            says_edit, markup = any(map(_SAYS_EDIT.search, named)), _markup(attributes, html, start)
            edits = link.edits or says_edit
            links[link._replace(edits=edits, markup=markup, says_edit=says_edit)] = None
    language = language_of(html[:_START].decode("utf-8", "replace")).lower().replace("_", "-")
    return BuiltPage(dest_uri, loc, tuple(links), language, hash(html.replace(b"../", b"")))


def _markup(attributes: Mapping[str, str], html: bytes, start: int) -> tuple[str, ...]:
    """Return the names of a link's attributes, its class, the tag before it, and if text is."""
    before = html[max(0, start - 300) : start]
    tag = before[before.rfind(b"<") + 1 :] if b"<" in before else b""
    found = _BEFORE.match(tag)
    name = (found[1] or b"").decode("utf-8", "replace") if found else ""
    after_text = "" if found and found.end() == len(tag) else "text"
    return " ".join(sorted(attributes)), attributes.get("class", ""), name.lower(), after_text


def _edited_files(pages: Sequence[BuiltPage], head: Head) -> Sources:
    """A file of any kind may have the name of the page: a template, or code that is described."""
    targets = {page.dest_uri: _targets(page, head, edits=True) for page in pages}
    of_theme = _markup_of_themes(targets.values(), fewest=2)
    of_theme |= _markup_of_one_page(targets.values())
    found, doubts = dict[str, str](), dict[str, str]()
    for page in pages:
        links = targets[page.dest_uri]
        by_theme = [(link, path) for link, path in links if link.markup in of_theme]
        paths = {path or link.path: path for link, path in by_theme}
        doubt = ""
        if len(paths) > 1:
            doubt = f"its links lead to {listing([*map(format_value, paths)])}"
        elif paths:
            ((link, path),) = by_theme[:1]
            if path is None:
                doubt = _why_no_file(link, head)
            elif path.lower().endswith(_TEXTS) or _is_named_like(page.dest_uri, path):
                found[page.dest_uri] = path
        elif links:
            link, path = links[0]
            doubt = f"the link to {format_value(link.path)} is not the theme's"
            doubt = doubt if path else _why_no_file(link, head)
        elif others := [link.repository for link in page.links if link.edits]:
            doubt = f"its link leads to another repository, {format_value(others[0])}"
        if doubt:
            doubts[page.dest_uri] = doubt
    return Sources(found, doubts)


def _why_no_file(link: FileLink, head: Head) -> str:
    parts = link.path.split("/")
    splits = [("/".join(parts[:at]), "/".join(parts[at:])) for at in range(1, len(parts))]
    known = next((path for ref, path in splits if ref in ("HEAD", *head.refs)), None)
    if known is None and (ref := next((ref for ref, path in splits if path in head.files), "")):
        built = sorted(name for name in head.refs if not re.fullmatch("[0-9a-f]{40,}", name))
        names = f"{listing(map(format_value, built), 'or')} is built" if built else "is not built"
        return f"its link is of branch {format_value(ref)}, but {names}"
    return f"its link leads to {format_value(known or link.path)}, which is no file at HEAD"


def _shown_files(pages: Sequence[BuiltPage], head: Head) -> Sources:
    """Return the one text to which the theme of each page links, if it is named like the page."""
    targets = {page.dest_uri: _targets(page, head, edits=False) for page in pages}
    of_theme = _markup_of_themes(targets.values(), fewest=max(3, len(pages) / 3))
    found = {}
    for page in pages:
        paths = {
            path
            for link, path in targets[page.dest_uri]
            if path and link.markup in of_theme and path.lower().endswith(_TEXTS)
        }
        named = [path for path in paths if _is_named_like(page.dest_uri, path)]
        if len(named) == 1:
            found[page.dest_uri] = named[0]
    return Sources(found)


_Target = tuple[FileLink, str | None]  # a link, and the file at HEAD; None: it is no file at HEAD


def _targets(page: BuiltPage, head: Head, *, edits: bool) -> list[_Target]:
    """Return the links of a page into this repository; without a remote, into any."""
    return [
        (link, head.file_of(link))
        for link in page.links
        if link.edits is edits and head.is_of_repository(link)
    ]


def _markup_of_themes(pages: Iterable[Sequence[_Target]], fewest: float) -> set[tuple[str, ...]]:
    """The link of a footer, such as that to the licence, leads to one file on all pages."""
    files = {(link.markup, path) for links in pages for link, path in links if path}
    counts = Counter(markup for markup, _ in files)
    return {markup for markup, count in counts.items() if count >= fewest}


def _markup_of_one_page(pages: Iterable[Sequence[_Target]]) -> set[tuple[str, ...]]:
    """Return the markup that one page alone has, as that of a template, and that says edit."""
    links = Counter(link.markup for links in pages for link, _ in links)
    says_edit = (link for links in pages for link, path in links if path and link.says_edit)
    return {link.markup for link in says_edit if links[link.markup] == 1}


def _is_named_like(page: str, path: str) -> bool:
    """Of an index, the name is that of its folder; the home page has the name of any index."""
    folder, stem = posixpath.split(_plain(posixpath.splitext(path)[0]))
    names = (stem, posixpath.basename(folder)) if stem in _OF_FOLDER else (stem,)
    above, name = posixpath.split(_plain(page.removesuffix(".html")))
    if name == "index" and not above:
        return stem in _INDEXES
    return (posixpath.basename(above) if name == "index" else name) in names


def _plain(path: str) -> str:
    """Return a path as builders spell it in URLs."""
    return path.lower().replace(" ", "-")


def _copied_files(pages: Sequence[BuiltPage], site_dir: Path, head: Head) -> Sources:
    """The copies of a site come from one folder at HEAD: from the one that has most of them."""
    built = {page.dest_uri for page in pages}
    above = {str(folder) for page in built for folder in PurePosixPath(page).parents}
    sites = [folder for folder in above if (site_dir / folder / "_sources").is_dir()]
    named: dict[str, list[str]] = defaultdict(list)
    for path in head.files if sites else ():
        named[posixpath.basename(path)].append(path)
    found: dict[str, str] = {}
    for site in sorted(sites):
        originals = [  # a page, and the folder and path of a file
            (page, path.removesuffix(source), path)
            for page, source, copy in _copies(site_dir, site, built)
            for path in named[posixpath.basename(source)]
            if f"/{path}".endswith(f"/{source}")
            and text_or_empty(copy) == text_or_empty(head.top / path)
        ]
        counts = Counter(folder for _, folder, _ in originals).most_common(2)
        if (counts and counts[0][1] != counts[-1][1]) or len(counts) == 1:
            found |= {page: path for page, folder, path in originals if folder == counts[0][0]}
    return Sources(found)


def _copies(site_dir: Path, site: str, built: set[str]) -> Iterator[tuple[str, str, Path]]:
    """Yield each page of a Sphinx site, the path of its source, and the copy of that."""
    folder = site_dir / site / "_sources"
    for copy in folder.rglob("*.*"):
        source = copy.relative_to(folder).as_posix()
        shorter = source.removesuffix(".txt")
        source = shorter if posixpath.splitext(shorter)[1] else source  # no second .txt is added
        stem = posixpath.normpath(posixpath.join(site, posixpath.splitext(source)[0]))
        for page in (f"{stem}.html", f"{stem}/index.html"):
            if page in built:
                yield page, source, copy


def _pages_at_head(
    pages: Sequence[BuiltPage], site_dir: Path, docs_dir: Path, head: Head
) -> Sources:
    """Return the files at the paths of pages that are these very pages, and are committed.

    Where the folder of sources is that of the site, the owner says that nobody builds the pages. A
    page is none that says otherwise, and none that may just have been built over.
    """
    folder, site_dir = real_path(docs_dir), real_path(site_dir)
    of_site = _generator(site_dir / "index.html")
    found, doubts = dict[str, str](), dict[str, str]()
    for page in pages:
        file, path = site_dir / page.dest_uri, path_from(head.top, folder / page.dest_uri)
        blob, name = head.files.get(path), format_value(path)
        if blob is not None and is_blob(file, blob):
            if maker := _generator(file):
                doubts[page.dest_uri] = f"{name} names its generator, {format_value(maker)}"
            elif of_site:
                doubts[page.dest_uri] = f"the home page names {format_value(of_site)} as generator"
            else:
                found[page.dest_uri] = path
        elif folder == site_dir:
            why = "is not as HEAD holds it, so it may have just been built"
            doubts[page.dest_uri] = f"{name} {why if blob else 'is not committed'}"
    return Sources(found, doubts)


def is_written_at_head(site_dir: Path, head: AtHead) -> bool:
    """Return whether HEAD holds a home page without a generator, as of HTML written by hand."""
    home = real_path(site_dir) / "index.html"
    return path_from(head.top, home) in head.files and not _generator(home)


def _generator(page: Path) -> str:
    with suppress(Unreadable):
        return generator_of(read_file(page))
    return ""


_MAKE_PAGES = (*_TEXTS, ".htm", ".html", ".liquid", ".njk", ".webc")  # a template may, too
# Front matter that gives a page an address or the last part of one, or none.
_ADDRESS = re.compile(r"(?m)^(url|slug|permalink|draft)[ \t]*[:=][ \t]*(.*)$")


def _files_at_paths(pages: Sequence[BuiltPage], docs_dir: Path, head: Head) -> Sources:
    """Return the one file at the path of each page: ``a/b.md`` of ``a/b.html`` or ``a/b/``."""
    folder = real_path(docs_dir)
    named: dict[str, list[str]] = defaultdict(list)  # by path without ending
    indexes: dict[str, list[str]] = defaultdict(list)  # by folder
    for path in _paths(folder):
        stem = _plain(posixpath.splitext(path)[0])
        where, last = posixpath.split(stem)
        if last in _INDEXES:
            indexes[where].append(path)
        if last not in ("index", "_index"):
            named[stem].append(path)
    built = {page.dest_uri for page in pages}
    own = {_plain(page).removesuffix("/index.html").removesuffix(".html") for page in built}
    found, doubts, several = dict[str, str](), dict[str, str](), set[str]()
    for page in built:
        path = page.removesuffix(".html")
        is_index = path == "index" or path.endswith("/index")
        path = posixpath.dirname(path) if is_index else path
        possible: list[str] = []
        if not (is_index and f"{path}.html" in built):
            possible += named[_plain(path)]
        if is_index or posixpath.join(path, "index.html") not in built:
            possible += _best_index(indexes[_plain(path)], own)
        if len(possible) > 1:
            doubts[page] = with_path_of(possible)
            several.add(page)
        elif possible and (why := _makes_no_page(folder / possible[0], path)):
            doubts[page] = f"{with_path_of(possible)}, {why}"
        elif possible:
            found[page] = path_from(head.top, folder / possible[0])
    return Sources(found, doubts, several)


def _makes_no_page(file: Path, path: str) -> str:
    """Return why a file does not make the page at its path; empty if it does."""
    if not file.name.lower().endswith(_TEXTS):
        return "a template"
    written = _ADDRESS.findall(_front_matter(file))
    is_elsewhere = any(_is_elsewhere(key, value, path) for key, value in written)
    return "which has another address or is a draft" if is_elsewhere else ""


def _is_elsewhere(key: str, written: str, path: str) -> bool:
    """Return whether a line of front matter gives a page another address than a path, or none."""
    value = written.strip(" \t\r'\"")
    if key == "draft":
        return value.startswith("true")
    address = re.sub(r"(?:(?:\A|/)index)?(?:\.html)?\Z", "", value.strip("/"))
    return address != path and not (key == "slug" and address == posixpath.basename(path))


def with_path_of(paths: Sequence[str]) -> str:
    """Return the clause that a page has the path of files."""
    return f"its path is that of {listing(map(format_value, sorted(paths)))}"


def _paths(folder: Path) -> Iterator[str]:
    for above, _, names in os.walk(folder):
        for name in names:
            if name.lower().endswith(_MAKE_PAGES):
                yield path_from(folder, Path(above, name))


def _best_index(paths: Sequence[str], own: Container[str]) -> list[str]:
    """A README makes the page of a folder only without an index, and without a page of its own."""
    readmes = [path for path in paths if posixpath.basename(path).lower().startswith("readme.")]
    others = [path for path in paths if path not in readmes]
    return others or [path for path in readmes if _plain(posixpath.splitext(path)[0]) not in own]


def _front_matter(file: Path) -> str:
    text = text_or_empty(file)
    return text[3:].partition(f"\n{text[:3]}")[0] if text.startswith(("---", "+++")) else ""


# Where a path may name a language, as in ``i18n/de/a.md``, ``a.de.md`` and ``po/de.po``.
_LANGUAGE = re.compile(r"(?<=/)[^/.]+(?=/|\.po)|(?<=\.)[^/.]+(?=\.)")


def _without_rivals(
    claims: Mapping[str, str], pages: Sequence[BuiltPage], files: Collection[str]
) -> Sources:
    """Return the files that only one page of a language claims, or copies of one page.

    A page in another language than the home page has the same file only if it shows the same text,
    because nobody has translated it: the repository at HEAD, with these `files`, has files in its
    language, and none of this name.
    """
    if not claims:
        return Sources({})
    by_name = {page.dest_uri: page for page in pages}
    home = by_name.get("index.html", pages[0]) if pages else None
    main = _language(home) if home else ""
    translated = cache(partial(_names_by_language, files))  # if there are other languages
    by_catalogue = _names_by_language(path for path in files if path.endswith(".po"))  # gettext
    claiming: dict[str, list[BuiltPage]] = defaultdict(list)
    for name, path in claims.items():
        claiming[path].append(by_name[name])
    found, doubts, versions = dict[str, str](), dict[str, str](), list[tuple[str, str]]()
    alone = [owners[0].dest_uri for owners in claiming.values() if len(owners) == 1]
    for path, owners in claiming.items():
        by_language: dict[str, list[BuiltPage]] = defaultdict(list)
        for page in owners:
            is_main = len(owners) == 1 or _language(page) in (main, "")
            names = () if is_main else translated().get(_language(page), ())
            is_same = is_main or (names and _name(path) not in names)
            if is_same and _language(page) not in by_catalogue:
                by_language[main if is_main else _language(page)].append(page)
            else:
                doubts[page.dest_uri] = f"{format_value(path)} is in another language"
        for rivals in by_language.values():
            if _are_one(rivals, alone):
                found |= {page.dest_uri: path for page in rivals}
                continue
            for page in rivals:
                other = next(each.dest_uri for each in rivals if each is not page)
                why = f"it may be {format_value(path)}, but so may that of {format_value(other)}"
                doubts[page.dest_uri] = why
                versions.append((page.dest_uri, other))
    return Sources(found, doubts, rivals=versions)


def _names_by_language(files: Iterable[str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for language in _LANGUAGE.findall(f"/{path}"):
            found[language].add(_name(path))
    return found


def _language(page: BuiltPage) -> str:
    return page.language.partition("-")[0]


def _name(path: str) -> str:
    folder, name = posixpath.split(path)
    is_index = posixpath.splitext(name)[0].lower() in _INDEXES
    return posixpath.join(posixpath.basename(folder), name) if is_index else name


def _are_one(pages: Sequence[BuiltPage], alone: Iterable[str]) -> bool:
    """Return whether pages have one URL, or are a page and its copy as the index of a folder above.

    mdBook writes its first chapter twice. The home page of another version may be a copy as well,
    but in its folder, no page is `alone`.
    """
    if len({page.loc or page.dest_uri for page in pages}) == 1:
        return True
    if len(pages) != 2 or pages[0].html_hash != pages[1].html_hash:
        return False
    for index, copy in permutations(page.dest_uri for page in pages):
        top, folder = posixpath.dirname(index), posixpath.dirname(copy)
        is_part = folder == top or any(_is_below(page, folder) for page in alone)
        if posixpath.basename(index) == "index.html" and is_part and _is_below(copy, top):
            return True
    return False


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _versions_problem(rivals: Iterable[tuple[str, str]], dated: Collection[str]) -> Problem | None:
    """A folder is no other version if a page of it alone has a file: those at HEAD have each."""
    pages = dict(rivals)
    folders = Counter(
        page.removesuffix(other)
        for pair in pages.items()
        for page, other in (pair, pair[::-1])
        if page.endswith(f"/{other}")
    )
    for folder in {name for page in dated for name in folders if page.startswith(name)}:
        del folders[folder]
    if not folders:
        return None
    ((folder, _),) = folders.most_common(1)
    page = next(page for page in pages if page.startswith(folder))
    return Problem(
        code=Code.NO_SOURCE,
        found=f"{counted(len(pages), 'page has', 'pages have')} no date, since two built pages "
        f"claim each file ({page} and {pages[page]})",
        done="Only one of these versions can be that of this commit.",
        fix=f"Leave out the other one with --exclude {folder}",
    )


def generator_of(page: bytes) -> str:
    """Return what made a page, as the page says; empty if it does not say that.

    The themes of MkDocs itself have no tag for it, but a comment on the home page.
    """
    if found := re.search(rb"<!--\s+MkDocs version : ([0-9.]+)", page):
        return f"MkDocs {found[1].decode('ascii')}"
    for name, written, _ in find_tags(page) if b"generator" in page.lower() else ():
        attributes = attributes_of(written.decode("utf-8", "replace")) if name == b"meta" else {}
        if attributes.get("name", "").strip().lower() == "generator":
            return attributes.get("content", "").strip()
    return ""


def language_of(html: str) -> str:
    """Return the language code in the ``html`` tag of a page; empty if it has none."""
    tag = re.search(rf"(?i)<html(?=[ \t\n\f\r])({ATTRIBUTES})>", html[:_START])
    return attributes_of(tag[1]).get("lang", "").strip() if tag else ""
