"""The title and the text of a page, by which an error page is known."""

import re

from mkdocs_sitemap_plus.web.html import ATTRIBUTES
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
_COMMENT = re.compile(r"(?s)<!--(?:-?>|.*?(?:--!?>|\Z))")
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


def title_and_text(html: str) -> tuple[str, str]:
    """Return the title and the text of a page, without scripts and tags, with single blanks."""
    return title_of(html), " ".join(unescape(_TAG.sub(" ", html)).split())


def is_empty(html: str) -> bool:
    """Return whether the body of a page has neither an element nor text."""
    html = _COMMENT.sub("", html)
    body = _BODY.search(html)
    return not _HEAD.sub("", html[body.end() :] if body else html).strip()
