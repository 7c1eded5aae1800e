"""Read the head of a page with html5lib, which parses as browsers do."""

import json
import warnings

import html5lib
from html5lib._inputstream import HTMLBinaryInputStream

META = "article:modified_time"


def parse(html, *, scripting=True):
    """The tree of a page, as a browser builds it with or without scripts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of some characters
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        data = html.encode("utf-8", "surrogatepass")
        return parser.parse(data, scripting=scripting, override_encoding="utf-8")


def encoding(html):
    """The encoding that html5lib finds in the first 1,024 bytes of a page without a header."""
    return HTMLBinaryInputStream(html.encode("utf-8")).charEncoding[0].name


_NO_TAGS = frozenset((
    "template", "script", "style", "title", "textarea", "iframe", "noscript", "noembed",
    "noframes", "xmp", "plaintext",
))  # fmt: skip
"""Elements with text alone, or with tags that are not part of the page."""


def tags(html, *names):
    """The attributes of each element with one of these names that a browser finds."""
    found = []
    pending = [parse(html)]
    while pending:
        element = pending.pop()
        pending += [each for each in reversed(element) if each.tag not in _NO_TAGS]
        if str(element.tag).rpartition("}")[2] in names:  # without the namespace of a drawing
            found.append(dict(element.attrib))
    return found


def tags_of_robots(html):
    """The attributes of each ``meta`` for robots or with a refresh that a browser finds."""
    kinds = {"robots", "googlebot", "refresh"}
    return [
        each
        for each in tags(html, "meta")
        if kinds & {each.get("name", "").lower(), each.get("http-equiv", "").lower()}
    ]


def dates_in_head(html, *, scripting=True):
    """The contents of the tags that state a date, and the JSON-LD of the head."""
    head = parse(html, scripting=scripting).find("head")
    metas = [each.get("content") for each in head.iter("meta") if each.get("property") == META]
    scripts = [
        json.loads(each.text)
        for each in head.iter("script")
        if each.get("type") == "application/ld+json"
    ]
    return metas, scripts


def shape(html, *, scripting=True):
    """All elements, attributes and texts, but for our tags, comments, and space in the head."""
    tree = parse(html, scripting=scripting)
    for parent in list(tree.iter()):
        for child in [each for each in parent if _is_dropped(each)]:
            before = parent[list(parent).index(child) - 1] if parent[0] is not child else None
            if before is None:
                parent.text = (parent.text or "") + (child.tail or "")
            else:
                before.tail = (before.tail or "") + (child.tail or "")
            parent.remove(child)
    return _shape(tree, in_head=False)


def _is_dropped(element):
    return "data-sitemap-plus" in element.attrib or not isinstance(element.tag, str)


def _shape(element, *, in_head):
    in_head = in_head or element.tag == "head"
    inner = [_text(element.text, in_head=in_head)]
    for child in element:
        inner += [_shape(child, in_head=in_head), _text(child.tail, in_head=in_head)]
    return element.tag, sorted(element.attrib.items()), [each for each in inner if each]


def _text(text, *, in_head):
    text = text or ""
    return text.strip(" \t\n\f\r") if in_head else text
