"""The notation of pymdownx.snippets: which files a text names, and what is taken of a file."""

import re
from collections.abc import Iterator
from itertools import chain, islice

_MARKER = re.compile(
    r"""
    [ \t]*(?P<escape>;*)-+8<-+
    (?:[ \t]+(?:"(?P<double>(?:\\"|[^"\n\r])+?)"|'(?P<single>(?:\\'|[^'\n\r])+?)'))?
    \r?
    """,
    re.VERBOSE,
)
# What is written ends with its section, so both are read from their ends, letter by letter:
# the longest list of `FIRST:LAST`, or a name; then a colon.
_NUMBERS = r"[0-9]*-?(?::[0-9]*-?)?"
_SECTION_REVERSED = re.compile(
    rf"(?P<section>(?:(?=[-0-9:]){_NUMBERS},)*{_NUMBERS}|[\w-]*[a-z]):", re.IGNORECASE | re.ASCII
)
# Not from inside a run of `;` or `-`: such a run is read once.
_SECTION = re.compile(
    r"(?<!;)(?!(?<=-)-)(?P<escape>;*)-+8<-+[ \t]+"
    r"\[[ \t]*(?P<type>start|end)[ \t]*:[ \t]*(?P<name>[a-z][\w-]*)[ \t]*\]",
    re.IGNORECASE | re.ASCII,
)
_MOST_COPIES = 10
_MOST_DIGITS = 1000
"""Of a line number. Python reads no number of over 4,300 digits."""


def snippets_in(text: str) -> Iterator[tuple[str, str | None]]:
    """Each path with its section: quoted behind a marker, or on lines between two bare markers.

    A section is ``name``, or lines as in ``1:5,8:9``; None: the whole file.
    """
    block = False
    for line in text.split("\n"):
        marker = _MARKER.fullmatch(line) if "8<-" in line else None
        if marker is None:
            yield from _target(line) if block else ()
        elif marker["escape"]:
            continue
        elif quoted := marker["double"] or marker["single"]:
            yield from _target(quoted) if not block else ()
        else:
            block = not block


def _target(written: str) -> Iterator[tuple[str, str | None]]:
    written = written.strip()
    found = _SECTION_REVERSED.match(written[::-1])
    path = (written[: -found.end()] if found else written).strip()
    if path and not path.lower().startswith((";", "http://", "https://")):
        yield path, found["section"][::-1] if found and found["section"] else None


def section_of(text: str, section: str | None) -> str:
    """What is taken of a file for `section`; all of it for None.

    A section may list the same lines again and again. They name nothing new the tenth time.
    """
    if section is None:
        return text
    lines = text.split("\n") if text else []
    if section[0].isalpha():
        return "\n".join(_named(lines, section))
    spans = (lines[_lines(span)] for span in section.split(","))
    return "\n".join(islice(chain.from_iterable(spans), _MOST_COPIES * len(lines)))


def _named(lines: list[str], name: str) -> Iterator[str]:
    inside = False
    for line in lines:
        mark = _SECTION.search(line) if "8<-" in line else None
        if mark is None or mark["escape"]:
            if inside:
                yield line
        elif mark["name"] == name:
            if mark["type"].lower() == "end":
                return
            inside = True


def _lines(span: str) -> slice:
    """``FIRST:LAST``, both from 1 and taken; a negative one counts from the end."""
    first, _, last = (part.removesuffix("-") for part in span.partition(":"))
    start = int(first[:_MOST_DIGITS]) if first else None
    end = int(last[:_MOST_DIGITS]) if last else None
    if start is not None and start > 0:
        start -= 1
    if end is not None and end < 0:
        end = end + 1 or None
    return slice(start, end)
