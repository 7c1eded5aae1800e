"""The notation of pymdownx.snippets: which files a text names, and what is taken of a file."""

import re
from collections.abc import Iterator

_MARKER = re.compile(
    r"""
    [ \t]*(?P<escape>;*)-+8<-+
    (?:[ \t]+(?:"(?P<double>(?:\\"|[^"\n\r])+?)"|'(?P<single>(?:\\'|[^'\n\r])+?)'))?
    \r?
    """,
    re.VERBOSE,
)
_NUMBERS = r"-?[0-9]*(?::-?[0-9]*)?"
_TARGET = re.compile(
    rf"(?P<path>.*?)(?::(?P<section>{_NUMBERS}(?:,(?=[-0-9:]){_NUMBERS})*|[a-z][\w-]*))?",
    re.IGNORECASE | re.ASCII,
)
# Not from inside a run of `;` or `-`: such a run is read once.
_SECTION = re.compile(
    r"(?<!;)(?!(?<=-)-)(?P<escape>;*)-+8<-+[ \t]+"
    r"\[[ \t]*(?P<type>start|end)[ \t]*:[ \t]*(?P<name>[a-z][\w-]*)[ \t]*\]",
    re.IGNORECASE | re.ASCII,
)


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
    target = _TARGET.fullmatch(written.strip())
    path = target["path"].strip() if target else ""
    if target and path and not path.lower().startswith((";", "http://", "https://")):
        yield path, target["section"] or None


def section_of(text: str, section: str | None) -> str:
    """What is taken of a file for `section`; all of it for None."""
    if section is None:
        return text
    lines = text.split("\n") if text else []
    if section[0].isalpha():
        return "\n".join(_named(lines, section))
    return "\n".join(line for span in section.split(",") for line in lines[_lines(span)])


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
    start = int(first) if first else None
    end = int(last) if last else None
    if start is not None and start > 0:
        start -= 1
    if end is not None and end < 0:
        end = end + 1 or None
    return slice(start, end)
