"""Leave out the sources that several pages may be made from, and those of other languages."""

import posixpath
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence

from mkdocs_sitemap_plus.web.edit_links import LinkedPage
from mkdocs_sitemap_plus.web.page_names import INDEXES, forms_of_file, forms_of_page, stem
from mkdocs_sitemap_plus.wording import format_value

_CATALOGUE = ".po"  # of gettext; such a file may have the text of a whole site
_USUAL = "en"  # the language of a site's sources if all of its pages have one language
_CHINESE = {"zh-hans": "zh-cn", "zh-hant": "zh-tw", "zh-cn": "zh-hans", "zh-tw": "zh-hant"}


def without_rivals(
    found: Mapping[str, str],
    pages: Iterable[LinkedPage],
    files: Iterable[str],
    taken: Container[str],
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the sources that only one page of a language has, and no translation of another.

    The second result says why the other pages have none. Both are by ``dest_uri``.
    """
    by_name = {page.dest_uri: page for page in pages}
    languages = {page.links.language for page in by_name.values()} - {""}
    home = by_name.get("index.html")
    main = (home.links.language if home and len(languages) > 1 else "") or _USUAL
    translated = {code: _translated(code, files) for code in languages - {main}}
    # Without any file of a language, its texts are translated somewhere else, such as at Crowdin.
    elsewhere = {code for code, (names, indexes) in translated.items() if not (names or indexes)}
    owners: dict[str, list[LinkedPage]] = defaultdict(list)
    for name, path in found.items():
        owners[path].append(by_name[name])
    shared = {path for path, claiming in owners.items() if _are_rivals(claiming)}
    sources, doubts = {}, {}
    for name, path in found.items():
        language = by_name[name].links.language
        if path in shared:
            others = (page.dest_uri for page in owners[path] if page.dest_uri != name)
            rival = format_value(next(others, name))
            doubts[name] = f"it may be {format_value(path)}, but so may that of {rival}"
        elif path in taken:
            doubts[name] = f"{format_value(path)} is that of another page"
        elif _is_original(path, name, language, translated) or (
            len(owners[path]) > 1 and language in elsewhere
        ):
            doubts[name] = f"{format_value(path)} is in another language"
        else:
            sources[name] = path
    return sources, doubts


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
    path: str, page: str, language: str, translated: Mapping[str, tuple[set[str], set[str]]]
) -> bool:
    """Return whether a file is the original of what the page translates."""
    names, indexes = translated.get(language, (set[str](), set[str]()))
    if _is_in(path, language) or not (names or indexes):
        return False
    if _CATALOGUE in names or stem(path) in names:
        return True
    is_home = _code(page.removesuffix("/index.html")) in ("index.html", *_codes(language))
    return bool(indexes) and (is_home or not indexes.isdisjoint(forms_of_page(page)))


def _translated(language: str, files: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the names of files in a language, without endings, and those of its indexes."""
    names, indexes = set[str](), set[str]()
    for path in files:
        if _is_in(path, language):
            name = _CATALOGUE if path.endswith(_CATALOGUE) else stem(path)
            if name in INDEXES:
                indexes |= forms_of_file(path)
            else:
                names.add(name)
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
