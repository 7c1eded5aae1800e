"""Take HTML apart as browsers do: tags and attributes, what kind of file a page is, and its text.

Tags are found where browsers find them (HTML 13.2.5): every tag is passed with all of its
attributes, so that no text inside of an attribute, a comment or a script looks like a tag. What has
no end extends to the end of the text, as in browsers. So no expression has to go back, no part of a
text is read more than twice, and the time is linear in the length of the page.
"""

import re
from collections.abc import Iterator
from functools import cache

from mkdocs_sitemap_plus.wording import unescape

_ERROR_PAGE = r"(?:\A|/)404\.html\Z|\A(?:[a-z]{2}(?:-[A-Za-z]+)?/)?404/index\.html\Z"
# A tag that only whole pages have, as a group; or a comment, in which none is looked for.
_DOCUMENT = (
    rb"(?is)<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|(<(?:!doctype[ \t\n\f\r]+html|html|head|title|body)[ \t\n\f\r/>])"
)

# The value of an attribute, in quotes or not. A group may start at {0} and end at {1}.
_VALUE = r"\"{0}[^\"]*+{1}(?:\"|\Z)|'{0}[^']*+{1}(?:'|\Z)|{0}[^ \t\n\f\r>]*+{1}"
_PLAIN_VALUE = _VALUE.format("", "")
ATTRIBUTES = rf"(?>(?:[^>=]++|=[ \t\n\f\r]*+(?:{_PLAIN_VALUE}))*)"
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:{_VALUE.format('(', ')')}))?"
)


def is_error_page(path: str) -> bool:
    """Return whether a file of a built site is its error page, or that of one of its folders."""
    return bool(re.search(_ERROR_PAGE, path))


def is_document(start: bytes) -> bool:
    """Return whether the start of an HTML file is that of a whole page, and of no part of one."""
    return any(found[1] for found in re.finditer(_DOCUMENT, start))


def attributes_of(text: str) -> dict[str, str]:
    """Return the value of each attribute, by lower case name; the first of a name counts (HTML)."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


_TEXT_ONLY = (
    "script", "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes", "xmp",
    "plaintext",
)  # fmt: skip
"""Elements without elements inside; ``noscript`` as in a browser that runs scripts."""
_ALWAYS = ("template", "/template", *_TEXT_ONLY)  # the tags in which no tag is to be found
_SPACE = r" \t\n\f\r"
_NEAR = 300  # bytes to the next link, in which it takes less to look at each tag
_MOST = 1_000  # tags that are passed at once; a match takes memory for each of them
# A "=" that no name stands before is the first letter of a name.
_ATTRIBUTES = (
    rf"(?>(?:[{_SPACE}/]++"
    rf"|[^{_SPACE}/>][^{_SPACE}/>=]*+(?>(?:[{_SPACE}]*+=[{_SPACE}]*+(?:{_PLAIN_VALUE}))?))*)"
)

_USUAL = rf"(?>(?:[{_SPACE}]++[a-zA-Z-]++=\"[^\"]*+\")*)"  # attributes, read in fewer steps


@cache  # to compile it takes as long as to read many pages, and few pages need all
def _next_tag(*names: str, closed: bool = False) -> re.Pattern[bytes]:
    """Return an expression for the next tag with one of these names, with all before it.

    If many tags stand before it, the expression matches some of them, without the groups. With
    `closed`, it stops before what has no end.
    """
    name = rf"(?i:{'|'.join((*names, *_ALWAYS))})(?=[{_SPACE}/>])"  # to ignore case takes longer
    end = "" if closed else r"|\Z"
    expression = (
        # Without a "=" before it, a ">" ends the tag.
        rf"(?s)(?>(?:[^<]*+<(?:(?!{name})/?[a-zA-Z]"
        rf"(?:[^=>]*+>|[^{_SPACE}/>]*+{_USUAL}{_ATTRIBUTES}(?:>{end}))"
        rf"|!--(?:-?>|.*?(?:--!?>{end}))"
        # the document type, and further comments
        rf"|(?:!(?!--)|\?|/(?![a-zA-Z]))[^>]*+(?:>{end})"
        rf"|(?![a-zA-Z!?/]))){{0,{_MOST}}})"
        rf"(?:[^<]*+<(?P<name>{name})(?P<attributes>{_ATTRIBUTES})>)?"
    )
    return re.compile(expression.encode())


_TO_A_FILE = re.compile(rb"/(?:_?edit|ide|blob|tree|src)/")  # behind the "//" of a URL


@cache
def _end_of(name: bytes) -> re.Pattern[bytes] | None:
    """Return an expression for the end of an element that holds only text; None for others."""
    known = name.decode("utf-8", "replace")
    return re.compile(rf"(?i)</{known}(?=[{_SPACE}/>])".encode()) if known in _TEXT_ONLY else None


def find_tags(page: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield ``meta``, ``link`` and ``base`` of the head, its end, and each ``meta`` of the body.

    A tag is its name in lower case, its attributes as they are written, and its end in the page, in
    bytes. The end of the head is the first ``/head`` or ``body``. `page` is in UTF-8. Tags in
    ``template`` and in elements that hold text only are left out.
    """
    end_of_head = None
    for name, tag in tags(page, "meta", "link", "base", "body", "/head"):
        yield name, tag["attributes"], tag.end()
        if name in (b"/head", b"body"):
            end_of_head = tag.end()
            break
    if end_of_head is not None:
        for name, tag in tags(page, "meta", position=end_of_head):
            yield name, tag["attributes"], tag.end()


def find_links(page: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield each ``a`` and ``link`` that may lead to a file of a repository, as `find_tags` does.

    A link is its attributes as they are written, and its start in the page, in bytes.
    """
    marks = [found.end() for found in _TO_A_FILE.finditer(page)]
    for _, tag in tags(page, "a", "link", marks=marks[::-1]):
        start = tag["attributes"].find(b"//")
        if start >= 0 and _TO_A_FILE.search(tag["attributes"], start + 2):
            yield tag["attributes"], tag.start("name") - 1


def tags(
    page: bytes, *names: str, position: int = 0, marks: list[int] | None = None
) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Yield the name of each tag that has one of these from a position on, and its match.

    That of an end tag begins with a slash. No tag is found in a comment, a template or a text. With
    `marks`, positions behind a slash from the last to the first, a tag without one may be left out.
    """
    expression, wanted = _next_tag(*names), {name.encode() for name in names}
    templates = 0
    while tag := _next_match(expression, page, position, marks):
        position, name = tag.end(), (tag["name"] or b"").lower()
        if name == b"template":
            templates += 1
        elif name == b"/template":
            templates = max(0, templates - 1)
        elif name in wanted and not templates:
            yield name, tag
        # In a drawing (SVG), such a tag has no content.
        is_drawn = name in (b"title", b"style") and page.endswith(b"/>", 0, position)
        if name and not is_drawn and (end_of := _end_of(name)):
            end = end_of.search(page, position)
            position = end.start() if end else len(page)


def _next_match(
    expression: re.Pattern[bytes], page: bytes, position: int, marks: list[int] | None
) -> re.Match[bytes] | None:
    """Return a match that is not empty; of all tags before the next of the `marks`, if it is far.

    Marks that were passed are removed. Behind the last one, nothing is found.
    """
    if marks is not None:
        while marks and marks[-1] <= position:
            marks.pop()
        if not marks:
            return None
        if marks[-1] > position + _NEAR:
            # The tag that holds the mark does not end before it. So this stops where it begins.
            tag = _next_tag(closed=True).match(page, position, marks[-1])
            if tag and tag.end() > position:
                return tag
    tag = expression.match(page, position)
    return tag if tag and tag.end() > position else None


_UNSEEN = "script|style|template|noscript|svg"
# These are compiled when they are used: most builds ask for no text of a page.
# One alternative matches at each "<", up to its end or to the end of the page: so all are linear.
_TAG = (
    r"(?si)<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(?P<unseen>{_UNSEEN})(?=[ \t\n\f\r/>]){ATTRIBUTES}(?:\Z|>"
    r"(?>(?:[^<]++|<(?!/(?P=unseen)[ \t\n\f\r/>]))*)(?:</(?P=unseen)[^>]*+(?:>|\Z)|\Z))"
    rf"|[!?/a-z]{ATTRIBUTES}(?:>|\Z))"
)
_WHITE = r"(?=[ \t\n\f\r/>])"
_TITLE = rf"(?i)<title{_WHITE}[^>]*+(?:>|\Z)([^<]*+)"
# A comment, or a script: what looks like a comment in a script is none.
_COMMENT_OR_SCRIPT = (
    r"(?si)<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|<(?P<unseen>script|style){_WHITE}{ATTRIBUTES}(?:\Z|>"
    r"(?>(?:[^<]++|<(?!/(?P=unseen)[ \t\n\f\r/>]))*)(?:</(?P=unseen)[^>]*+(?:>|\Z)|\Z))"
)
_BODY = rf"(?i)<(?:body{_WHITE}{ATTRIBUTES}(?:>|\Z)|/head[ \t\n\f\r]*+>)"
# What does not open the body, where the tags of the body and the head are left out.
_HEAD = (
    rf"(?i)<title{_WHITE}[^>]*+(?:>|\Z)[^<]*+(?:</title[^>]*+(?:>|\Z))?"
    rf"|<(?:!doctype|/?(?:html|head|body)|meta|link|base){_WHITE}{ATTRIBUTES}(?:>|\Z)"
)


def title_of(html: str) -> str:
    """Return the title of a page with single blanks; empty if it has none."""
    title = re.search(_TITLE, html)
    return " ".join(unescape(title[1]).split()) if title else ""


def text_of(html: str) -> str:
    """Return the text of a page, its title included, without scripts and tags."""
    return " ".join(unescape(re.sub(_TAG, " ", html)).split())


def is_empty(html: str, *, but_scripts: bool = False) -> bool:
    """Return whether the body of a page has neither text nor an element.

    With `but_scripts`, scripts and styles do not count.
    """

    def kept(found: re.Match[str]) -> str:
        return found[0] if found["unseen"] and not but_scripts else ""

    html = re.sub(_COMMENT_OR_SCRIPT, kept, html)
    body = re.search(_BODY, html)
    return not re.sub(_HEAD, "", html[body.end() :] if body else html).strip()
