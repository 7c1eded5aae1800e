"""The title and the text of a page, and whether it has any."""

import re

from mkdocs_sitemap_plus.html.tags import ATTRIBUTES
from mkdocs_sitemap_plus.wording import unescape

_UNSEEN = "script|style|template|noscript|svg"
# One alternative matches at each "<", up to its end or to the end of the page: so all are linear.
_TAG = re.compile(
    r"(?si)<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(?P<unseen>{_UNSEEN})(?=[ \t\n\f\r/>]){ATTRIBUTES}(?:\Z|>"
    r"(?>(?:[^<]++|<(?!/(?P=unseen)[ \t\n\f\r/>]))*)(?:</(?P=unseen)[^>]*+(?:>|\Z)|\Z))"
    rf"|[!?/a-z]{ATTRIBUTES}(?:>|\Z))"
)
_SPACE = r"(?=[ \t\n\f\r/>])"
_TITLE = re.compile(rf"(?i)<title{_SPACE}[^>]*+(?:>|\Z)([^<]*+)")
# A comment, or a script: what looks like a comment in a script is none.
_COMMENT_OR_SCRIPT = re.compile(
    r"(?si)<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|<(?P<unseen>script|style){_SPACE}{ATTRIBUTES}(?:\Z|>"
    r"(?>(?:[^<]++|<(?!/(?P=unseen)[ \t\n\f\r/>]))*)(?:</(?P=unseen)[^>]*+(?:>|\Z)|\Z))"
)
_BODY = re.compile(rf"(?i)<(?:body{_SPACE}{ATTRIBUTES}(?:>|\Z)|/head[ \t\n\f\r]*+>)")
# What does not open the body, where the tags of the body and the head are left out.
_HEAD = re.compile(
    rf"(?i)<title{_SPACE}[^>]*+(?:>|\Z)[^<]*+(?:</title[^>]*+(?:>|\Z))?"
    rf"|<(?:!doctype|/?(?:html|head|body)|meta|link|base){_SPACE}{ATTRIBUTES}(?:>|\Z)"
)


def title_of(html: str) -> str:
    """Return the title of a page with single blanks; empty if it has none."""
    title = _TITLE.search(html)
    return " ".join(unescape(title[1]).split()) if title else ""


def text_of(html: str) -> str:
    """Return the text of a page, its title included, without scripts and tags."""
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def is_empty(html: str, *, but_scripts: bool = False) -> bool:
    """Return whether the body of a page has neither text nor an element.

    With `but_scripts`, scripts and styles do not count.
    """

    def kept(found: re.Match[str]) -> str:
        return found[0] if found["unseen"] and not but_scripts else ""

    html = _COMMENT_OR_SCRIPT.sub(kept, html)
    body = _BODY.search(html)
    return not _HEAD.sub("", html[body.end() :] if body else html).strip()
