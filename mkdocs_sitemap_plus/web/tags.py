"""Find the tags of a whole page that tell search engines something.

Tags are found where browsers find them (HTML 13.2.5): every tag is passed with all of its
attributes, so that no text inside of an attribute, a comment or a script looks like a tag. What has
no end extends to the end of the page. The time is linear in the length of the page.
"""

import re
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

_TEXT_ONLY = (
    "script", "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes", "xmp",
    "plaintext",
)  # fmt: skip
"""Elements without elements inside; ``noscript`` as in a browser that runs scripts."""
_ALWAYS = ("template", "/template", *_TEXT_ONLY)  # the tags in which no tag is to be found
_SPACE = r" \t\n\f\r"
_VALUE = r"\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\f\r>]*+"
_MOST = 1_000  # tags that are passed at once; a match takes memory for each of them
# A "=" that no name stands before is the first letter of a name.
_ATTRIBUTES = (
    rf"(?>(?:[{_SPACE}/]++"
    rf"|[^{_SPACE}/>][^{_SPACE}/>=]*+(?>(?:[{_SPACE}]*+=[{_SPACE}]*+(?:{_VALUE}))?))*)"
)


def _quick_tag(names: Iterable[str]) -> str:
    """Return an expression for most tags with other names, without their ``<``.

    Names are told apart by the first two letters, and there are at most three attributes. So it
    takes half the time of the expression for all tags.
    """
    second: dict[str, set[str]] = defaultdict(set)
    for name in names:
        second[name[0]].update(name[1] + name[1].upper() if name[1:] else " \t\n\f\r/>")
    ends = set(string.ascii_letters) - second.pop("/")
    free = set(string.ascii_letters).difference("".join(second), "".join(second).upper())
    others = (
        f"[{first}{first.upper()}](?![{''.join(sorted(letters))}])"
        for first, letters in sorted(second.items(), key=lambda item: item[0] != "s")
    )  # "s" first, for the many <span> of code
    first = "|".join((f"/[{''.join(sorted(ends))}]", f"[{''.join(sorted(free))}]", *others))
    attribute = rf" [^\"'>={_SPACE}/]++=(?:\"[^\"]*+\"|[^\"'>{_SPACE}]++)"
    return (
        rf"(?-i:(?:{first})[^\"'>={_SPACE}/]*+(?:>|{attribute}(?:>|{attribute}(?:>|{attribute}>))))"
    )


def _next_tag(*names: str) -> re.Pattern[bytes]:
    """Return an expression for the next tag with one of these names, with all before it.

    If many tags stand before it, the expression matches some of them, without the groups.
    """
    names = (*names, *_ALWAYS)
    name = rf"(?:{'|'.join(names)})(?=[{_SPACE}/>])"
    expression = (
        rf"(?si)(?>(?:[^<]*+<(?:{_quick_tag(names)}"
        rf"|(?!{name})/?[a-z][^{_SPACE}/>]*+{_ATTRIBUTES}(?:>|\Z)"
        r"|!--(?:-?>|.*?(?:--!?>|\Z))"
        r"|(?:[!?]|/(?![a-z]))[^>]*+(?:>|\Z)"  # the document type, and further comments
        rf"|(?![a-z!?/]))){{0,{_MOST}}})"
        rf"(?:[^<]*+<(?P<name>{name})(?P<attributes>{_ATTRIBUTES})>)?"
    )
    return re.compile(expression.encode())


_IN_HEAD, _IN_BODY = _next_tag("meta", "link", "base", "body", "/head"), _next_tag("meta")
_TO_A_FILE = re.compile(rb"/(?:_?edit|ide|blob|tree|src)/")  # behind the "//" of a URL
_END = {name.encode(): re.compile(rf"(?i)</{name}(?=[{_SPACE}/>])".encode()) for name in _TEXT_ONLY}


def find_tags(page: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield ``meta``, ``link`` and ``base`` of the head, its end, and each ``meta`` of the body.

    A tag is its name in lower case, its attributes as they are written, and its end in the page, in
    bytes. The end of the head is the first ``/head`` or ``body``. `page` is in UTF-8. Tags in
    ``template`` and in elements that hold text only are left out.
    """
    end_of_head = None
    for name, tag in _tags(page, _IN_HEAD):
        yield name, tag["attributes"], tag.end()
        if name in (b"/head", b"body"):
            end_of_head = tag.end()
            break
    if end_of_head is not None:
        for name, tag in _tags(page, _IN_BODY, end_of_head):
            yield name, tag["attributes"], tag.end()


def find_links(page: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield each ``a`` and ``link`` that may lead to a file of a repository, as `find_tags` does.

    A link is its attributes as they are written, and its start in the page, in bytes.
    """
    for _, tag in _tags(page, _link()):
        start = tag["attributes"].find(b"//")
        if start >= 0 and _TO_A_FILE.search(tag["attributes"], start + 2):
            yield tag["attributes"], tag.start("name") - 1


@cache
def _link() -> re.Pattern[bytes]:
    """Return the expression for `find_links`, which a build by MkDocs does not need."""
    return _next_tag("a", "link")


def _tags(
    page: bytes, expression: re.Pattern[bytes], position: int = 0
) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Yield the name of each tag that an expression finds from a position on, and its match."""
    templates = 0
    while (tag := expression.match(page, position)) and tag[0]:
        position, name = tag.end(), (tag["name"] or b"").lower()
        if not name:
            continue
        if name in _END:
            # In a drawing (SVG), such a tag has no content.
            if name not in (b"title", b"style") or not tag[0].endswith(b"/>"):
                end = _END[name].search(page, position)
                position = end.start() if end else len(page)
        elif name == b"template":
            templates += 1
        elif name == b"/template":
            templates = max(0, templates - 1)
        elif not templates:
            yield name, tag
