"""Compare the names of built pages and of the files that they may be made from."""

import posixpath
import re
import unicodedata
from collections.abc import Sequence
from itertools import takewhile

INDEXES = ("index", "readme", "_index")
"""The names of files that make the page of their folder."""

_ORDER = re.compile(r"\A(?:\d{4}-\d\d?-\d\d?-|\d{1,4}-)(?=.)")  # a date, or a place in a menu
_OF_LANGUAGE = re.compile(r"\.[a-z]{2}(?:[-_][A-Za-z]{2,4})?\Z")  # the end of ``a.de`` (Hugo)


def is_named_like(page: str, path: str) -> bool:
    """Return whether a page has the name of a file, or both are the index of the site."""
    is_home = page == "index.html" and stem(path) in INDEXES
    return is_home or alike(page, path) > 0


def alike(page: str, path: str) -> int:
    """Return how many names at the end of a page's path and of a source's path are the same.

    An index has the name of its folder, so the home page has none. A date or a number before a
    name, and a language behind it, do not count.
    """
    names = page.removesuffix(".html").split("/")
    names = names[:-1] if _plain(names[-1]) == "index" else names
    of_file = posixpath.splitext(path)[0].split("/")
    of_folder = of_file[:-1] if _plain(of_file[-1]) in INDEXES else of_file
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


def stem(path: str) -> str:
    """Return the name of a file as names are compared: in lower case, without its ending."""
    return _plain(posixpath.splitext(posixpath.basename(path))[0])


def _plain(name: str) -> str:
    return _ORDER.sub("", _spelled(name))


def _spelled(name: str) -> str:
    stem = unicodedata.normalize("NFC", _OF_LANGUAGE.sub("", name)).casefold()
    return re.sub("(?<=.)[ _.]", "-", stem)
