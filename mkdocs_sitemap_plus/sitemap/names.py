"""The names of all files of a sitemap, each derived from the name of the first."""

import re
from collections import Counter
from collections.abc import Iterable
from urllib.parse import unquote

_MAX_LENGTH = 100
"""Characters of a section in a file name; file systems take 255 bytes for all of it."""


def index_name(filename: str) -> str:
    """The index beside the sitemap: ``sitemap-index.xml``."""
    return _with(filename, "index")


def root_name(filename: str) -> str:
    """The pages that are in no section: ``sitemap-root.xml``."""
    return _with(filename, "root")


def extra_name(filename: str) -> str:
    """What is listed and is no page, where that stands apart: ``sitemap-extra.xml``."""
    return _with(filename, "extra")


def part_name(filename: str, number: int) -> str:
    """A part of a file that is too large: ``sitemap-1.xml``."""
    return _with(filename, str(number))


def section_names(filename: str, segments: Iterable[str]) -> dict[str, str]:
    """``sitemap-section-guide.xml`` by segment; all different, also in capitals and when split.

    Args:
        filename: the sitemap's own name.
        segments: of URLs, percent-encoded.
    """
    wanted = {segment: _safe(segment) for segment in segments}
    taken: set[str] = set()
    tries: Counter[str] = Counter()
    names = {}
    for segment in sorted(wanted, key=lambda each: (wanted[each].lower(), each)):
        own = name = wanted[segment]
        while not taken.isdisjoint(_spellings(name)):
            tries[own.lower()] += 1
            again = tries[own.lower()]
            name = own + ("_" * again if again < 3 else f"_{again}")
        taken.add(name.lower())
        names[segment] = _with(filename, f"section-{name}")
    return names


def _safe(segment: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", unquote(segment))[:_MAX_LENGTH]


def _spellings(name: str) -> set[str]:
    """What `name` would be taken for: itself, and the part of a section without its number."""
    return {name.lower(), re.sub(r"-\d+\Z", "", name.lower())}


def is_part(name: str, filename: str) -> bool:
    """Whether `name` is one that parts, sections and what stands apart of `filename` have."""
    stem = re.escape(filename.removesuffix(".xml"))
    kinds = r"\d+|(root|extra)(-\d+)?|section-[A-Za-z0-9._-]+"
    return re.fullmatch(rf"{stem}-({kinds})\.xml", name, re.ASCII) is not None


def _with(filename: str, ending: str) -> str:
    return f"{filename.removesuffix('.xml')}-{ending}.xml"
