"""Leave out the files that several pages claim: those of other versions, and of other languages."""

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from mkdocs_sitemap_plus.anysite import Page
from mkdocs_sitemap_plus.anysite.links import INDEXES
from mkdocs_sitemap_plus.problems import Code, Problem
from mkdocs_sitemap_plus.wording import counted, format_value

# Where a path may name a language, as in ``i18n/de/a.md``, ``a.de.md`` and ``po/de.po``.
_LANGUAGE = re.compile(r"(?<=/)[^/.]+(?=/|\.po)|(?<=\.)[^/.]+(?=\.)")


class Kept(NamedTuple):
    """The files that one page claims, and why other pages have none, by ``dest_uri``."""

    files: dict[str, str]
    doubts: dict[str, str]
    rivals: list[tuple[str, str]]  # each page that may be another version, and the first such


def without_rivals(
    claims: Mapping[str, str], pages: Sequence[Page], files: Collection[str]
) -> Kept:
    """Return the files that only one page of a language claims, or copies of one page.

    A page in another language than the home page has the same file only if it shows the same text,
    because nobody has translated it: the repository at HEAD, with these `files`, has files in its
    language, and none of this name.
    """
    by_name = {page.dest_uri: page for page in pages}
    home = by_name.get("index.html", pages[0]) if pages else None
    main = _language(home) if home else ""
    translated = _names_by_language(files)
    by_catalogue = _names_by_language(path for path in files if path.endswith(".po"))  # gettext
    claiming: dict[str, list[Page]] = defaultdict(list)
    for name, path in claims.items():
        claiming[path].append(by_name[name])
    kept = Kept({}, {}, [])
    for path, owners in claiming.items():
        by_language: dict[str, list[Page]] = defaultdict(list)
        for page in owners:
            names = translated.get(_language(page), ())
            is_main = len(owners) == 1 or _language(page) in (main, "")
            is_same = is_main or (names and _name(path) not in names)
            if is_same and _language(page) not in by_catalogue:
                by_language[main if is_main else _language(page)].append(page)
            else:
                kept.doubts[page.dest_uri] = f"{format_value(path)} is in another language"
        for rivals in by_language.values():
            if _are_one(rivals):
                kept.files.update((page.dest_uri, path) for page in rivals)
                continue
            for page in rivals:
                other = next(each.dest_uri for each in rivals if each is not page)
                why = f"it may be {format_value(path)}, but so may that of {format_value(other)}"
                kept.doubts[page.dest_uri] = why
                kept.rivals.append((page.dest_uri, other))
    return kept


def _names_by_language(files: Iterable[str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for language in _LANGUAGE.findall(f"/{path}"):
            found[language].add(_name(path))
    return found


def _language(page: Page) -> str:
    return page.language.partition("-")[0]


def _name(path: str) -> str:
    """Return the name of a file; for an index, with its folder."""
    folder, name = posixpath.split(path)
    is_index = posixpath.splitext(name)[0].lower() in INDEXES
    return posixpath.join(posixpath.basename(folder), name) if is_index else name


def _are_one(pages: Sequence[Page]) -> bool:
    """Return whether pages have one URL, or are a page and its copy as the index of its folder.

    mdBook writes its first chapter twice.
    """
    if len({page.loc or page.dest_uri for page in pages}) == 1:
        return True
    copies = {(posixpath.dirname(page.dest_uri), page.html_hash) for page in pages}
    is_index = (posixpath.basename(page.dest_uri) == "index.html" for page in pages)
    return len(copies) == 1 and len(pages) == 2 and any(is_index)


def versions_problem(rivals: Iterable[tuple[str, str]]) -> Problem | None:
    """Return that a folder has another version of the pages, so that both have no date."""
    pages = dict(rivals)
    folders = Counter(
        page.removesuffix(other)
        for pair in pages.items()
        for page, other in (pair, pair[::-1])
        if page.endswith(f"/{other}")
    )
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
