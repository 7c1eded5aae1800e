"""Compare the names of built pages and of the files that they may be made from."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable

INDEXES = ("index", "readme", "_index")
"""The names of files that make the page of their folder."""

_ORDER = re.compile(r"\A(?:\d{4}-\d\d?-\d\d?-|\d{1,4}-)(?=.)")  # a date, or a place in a menu
_OF_LANGUAGE = re.compile(r"\.[a-z]{2}(?:[-_][A-Za-z]{2,4})?\Z")  # the end of ``a.de`` (Hugo)


def is_named_like(page: str, path: str) -> bool:
    """Return whether a page has the name of a file, or both are the index of the site."""
    is_home = page == "index.html" and stem(path) in INDEXES
    return is_home or alike(page, path)


def alike(page: str, path: str) -> bool:
    """Return whether a page and a source have the same name: ``2016-12-15-a.md`` is that of ``a``.

    An index has the name of its folder, so the home page has none. A date or a number before a
    name, and a language behind it, do not count.
    """
    if not _names_of_page(page).isdisjoint(_names_of_file(path)):
        return True  # as most are, and the forms of 10,000 pages take time
    return not forms_of_page(page).isdisjoint(forms_of_file(path))


def forms_of_page(page: str) -> set[str]:
    """Return the name of a page in all forms in which it may be that of a source."""
    return _forms(_names_of_page(page))


def forms_of_file(path: str) -> set[str]:
    """Return the name of a source, and of its folder if it is an index, in all such forms."""
    return _forms(_names_of_file(path))


def _names_of_page(page: str) -> set[str]:
    above, name = posixpath.split(page.removesuffix(".html"))
    name = posixpath.basename(above) if _plain(name) == "index" else name
    return {name} - {""}


def _names_of_file(path: str) -> set[str]:
    above, name = posixpath.split(posixpath.splitext(path)[0])
    names = {name, posixpath.basename(above)} if _plain(name) in INDEXES else {name}
    return names - {""}


def _forms(names: Iterable[str]) -> set[str]:
    return {form for name in names for form in (_spelled(name), _plain(name))}


def stem(path: str) -> str:
    """Return the name of a file as names are compared: in lower case, without its ending."""
    return _plain(posixpath.splitext(posixpath.basename(path))[0])


def _plain(name: str) -> str:
    return _ORDER.sub("", _spelled(name))


def _spelled(name: str) -> str:
    stem = unicodedata.normalize("NFC", _OF_LANGUAGE.sub("", name)).casefold()
    return re.sub("(?<=.)[ _.]", "-", stem)
