"""Read what a built page tells search engines, and find the images of its content.

Tags are found where browsers find them (HTML 13.2.5). A comment, an element or a quoted value
without an end extends to the end of the text, as in browsers. So no expression has to go back, and
no part of a text is read more than twice.
"""

import re
from collections import Counter
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, is_file, read_start
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import can_be_url, same_page
from mkdocs_sitemap_plus.web.stub_redirects import script_target
from mkdocs_sitemap_plus.web.tags import find_tags
from mkdocs_sitemap_plus.wording import unescape

NOT_PAGES = frozenset(("404.html", "search.html"))
"""HTML files that themes write into the folder of the site and that are not pages of it."""

_START = 4_096  # characters of a page in which its language is looked for
_ERROR_PAGE = re.compile(r"(?:\A|/)404\.html\Z|\A(?:[a-z]{2}(?:-[A-Za-z]+)?/)?404/index\.html\Z")
_BESIDE_PAGES = re.compile(
    r"(?:\A|(?<=/))(?:(?:genindex(?:-[^/]+)?|py-modindex|search)(?:/index)?\.html\Z|_modules/)"
)
# A tag that only whole pages have, as a group; or a comment, in which none is looked for.
_DOCUMENT = re.compile(
    rb"(?is)<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|(<(?:!doctype[ \t\n\f\r]+html|html|head|body)[ \t\n\f\r/>])"
)

# The value of an attribute, in quotes or not. A group may start at {0} and end at {1}.
_VALUE = r"\"{0}[^\"]*+{1}(?:\"|\Z)|'{0}[^']*+{1}(?:'|\Z)|{0}[^ \t\n\f\r>]*+{1}"
ATTRIBUTES = rf"(?>(?:[^>=]++|=[ \t\n\f\r]*+(?:{_VALUE.format('', '')}))*)"
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:{_VALUE.format('(', ')')}))?"
)


def tag_pattern(names: str, skipped: str) -> str:
    """Return an expression for certain tags, with the groups ``name`` and ``attributes``.

    The expression also matches whole comments and `skipped` elements, so that no tag is found
    inside of them. For these matches ``attributes`` is None. Both arguments are expressions for
    names. The name of an end tag begins with a slash.
    """
    return (
        r"(?si)<(?:!--(?:-?>|.*?(?:--!?>|\Z))"  # a comment
        rf"|({skipped})(?=[ \t\n\f\r/>]){ATTRIBUTES}(?:\Z|>"  # a skipped element
        r"(?>(?:[^<]++|<(?!/\1[ \t\n\f\r/>]))*)(?:</\1[^>]*+(?:>|\Z)|\Z))"
        rf"|(?P<name>{names})(?=[ \t\n\f\r/>])(?:(?P<attributes>{ATTRIBUTES})>|.*))"
    )


def is_error_page(path: str) -> bool:
    """Return whether a file of a built site is its error page, or that of one of its folders."""
    return bool(_ERROR_PAGE.search(path))


def is_made_by_sphinx(site_dir: Path, path: str) -> bool:
    """Return whether Sphinx makes a file beside the pages: indexes, the search, pages of code.

    Its sites have a ``searchindex.js``; elsewhere, a page may have such a name.
    """
    found = _BESIDE_PAGES.search(path)
    return found is not None and is_file(site_dir / path[: found.start()] / "searchindex.js")


def is_document(start: bytes) -> bool:
    """Return whether the start of an HTML file is that of a whole page, and of no part of one."""
    return any(found[1] for found in _DOCUMENT.finditer(start))


def attributes_of(text: str) -> dict[str, str]:
    """Return the value of each attribute, by lower case name; the first of a name counts (HTML)."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


def language_of(html: str) -> str:
    """Return the language code in the ``html`` tag of a page; empty if it has none."""
    tag = re.search(rf"(?i)<html(?=[ \t\n\f\r])({ATTRIBUTES})>", html[:_START])
    return attributes_of(tag[1]).get("lang", "").strip() if tag else ""


# The seconds of a refresh, and the text before its URL (HTML, "shared declarative refresh steps").
_SECONDS = r"[0-9.]++(?:\Z|(?=[ \t\n\f\r;,])[ \t\n\f\r]*+[;,]?+[ \t\n\f\r]*+)"
_URL = r"(?i)url[ \t\n\f\r]*+=[ \t\n\f\r]*+"


class BuiltPage(NamedTuple):
    """What a built page has for search engines: some tags, and the images of its content.

    ``noindex`` and ``redirect`` count wherever they stand, the rest in the head only. Of several
    tags of one kind, the first counts. References are as they are written, with entities resolved.
    They may be relative.
    """

    noindex: str | None = None  # the content of the tag that forbids robots to index the page
    noindex_in_body: bool = False  # whether that tag stands in the body
    canonical: str | None = None  # the ``rel=canonical`` reference
    base: str | None = None  # the ``base`` reference, which relative references start from
    redirect: str | None = None  # where a refresh or a script leads; None for the page itself
    alternates: Mapping[str, str] = {}  # ``rel=alternate`` references, by their ``hreflang``
    images: tuple[str, ...] = ()  # the result of `images_in`; empty if images were not wanted
    unreadable: str | None = None  # why the file can't be read; the other fields are then empty

    def leads_elsewhere(self, loc: str) -> bool:
        """Return whether a refresh leads away from this page, which has the URL `loc`."""
        return self.redirect is not None and not same_page(self.redirect, loc, self.base)

    def names_other(self, loc: str) -> bool:
        """Return whether the canonical URL names another page than this one, which has `loc`."""
        return self.canonical is not None and not same_page(self.canonical, loc, self.base)


def read_built_page(path: str | PathLike[str], *, images: bool = False) -> BuiltPage | None:
    """Return what is read in a built file, with `images` if wanted; None if there is no file."""
    try:
        data = read_start(path, MAX_FILE)
    except Unreadable as error:
        return None if error.missing else BuiltPage(unreadable=error.reason)
    page = read_page(data)
    return page._replace(images=images_in(data.decode("utf-8", "replace"))) if images else page


def read_page(html: bytes) -> BuiltPage:
    """Return what is read in a page in UTF-8, without its images."""
    found: dict[str, Any] = {"alternates": {}}
    of_head: frozenset[str] | None = None  # what was found before the end of the head
    for name, attributes, end in find_tags(html):
        if name in (b"/head", b"body"):
            if not re.search(rb"(?i)<meta", html[end:]):  # most pages have no such tag in the body
                break
            of_head = frozenset(found)
            continue
        # A quick search finds out whether a tag matters. Most do not.
        text = attributes.lower()
        if any(word in text for word in _WORDS[name]):
            _READERS[name](attributes_of(attributes.decode("utf-8", "replace")), found)
    if found.get("redirect") == "":  # a refresh without a URL leads to the base
        found["redirect"] = found.get("base")
    if "redirect" not in found and (target := script_target(html)) and can_be_url(target):
        found["redirect"] = target
    in_body = of_head is not None and "noindex" in found.keys() - of_head
    return BuiltPage(**found, noindex_in_body=in_body)


def _read_base(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    # Each reference of the page is joined to the base, which takes much time with a long base.
    href = attributes.get("href")
    if href is not None and len(href) <= MAX_LOC_LENGTH:
        found.setdefault("base", href.strip())


def _read_link(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    kinds = attributes.get("rel", "").lower().split()
    href, code = attributes.get("href"), attributes.get("hreflang", "").strip()
    if href is not None and "canonical" in kinds:
        found.setdefault("canonical", href.strip())
    if href and href.strip() and code and "alternate" in kinds:
        found["alternates"].setdefault(code, href.strip())


def _read_meta(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    content = attributes.get("content", "").strip()
    if attributes.get("name", "").strip().lower() in ("robots", "googlebot"):
        # A rule with a colon has a value, as in "max-image-preview: none".
        rules = " ".join(rule for rule in content.lower().split(",") if ":" not in rule)
        if not {"noindex", "none"}.isdisjoint(rules.split()):
            found.setdefault("noindex", content)
    elif attributes.get("http-equiv", "").strip().lower() == "refresh":
        is_refresh, url = read_refresh(content)
        if is_refresh:  # if it loads the page again, no other refresh counts
            found.setdefault("redirect", url)


def read_refresh(content: str) -> tuple[bool, str | None]:
    """Return whether the text of a refresh is valid, and its URL; None if it loads the page again.

    The text is that of a tag, or of the header ``Refresh``.
    """
    seconds = re.match(_SECONDS, content)
    if seconds and seconds.end() < len(content):
        url = _refresh_url(content[seconds.end() :])
        return can_be_url(url), url
    return bool(seconds), None


def _refresh_url(text: str) -> str:
    """Return the URL after the seconds of a refresh, without ``url=`` and quotes."""
    written = re.match(_URL, text)
    url = text[written.end() :] if written else text
    if url.startswith(("'", '"')):
        url = url[1:].partition(url[0])[0]
    return url.strip()


_READERS = {b"base": _read_base, b"link": _read_link, b"meta": _read_meta}
_WORDS = {  # in the tags that matter
    b"base": (b"href",),
    b"link": (b"canonical", b"hreflang"),
    b"meta": (b"robots", b"googlebot", b"refresh"),
}

_REGIONS = ("main", "article", "body", "nav", "header", "footer", "aside", "div", "section")
_TAGS = tag_pattern(
    rf"img|source|/?(?:picture|{'|'.join(_REGIONS)})",
    "script|style|template|noscript|textarea|title|svg",
)
_FRAME = frozenset(("nav", "header", "footer", "aside"))  # elements
_FRAME |= {"navigation", "banner", "contentinfo", "complementary", "search"}  # roles
"""What is around the content (HTML 4.3; WAI-ARIA 5.3.4)."""
_CONTENT = ("main", "article", "body")
"""Elements and roles that hold the content. The first of these that a page has is used."""
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy")
"""Attributes with the URL of an image that a script loads later; ``src`` is then a placeholder."""
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_EMOJI_CLASSES = frozenset(("emojione", "twemoji", "gemoji"))
"""Classes of emoji (pymdownx.emoji), which are not listed as images."""
_CANDIDATE = r"(?P<url>[^\s,]++(?>(?:,++[^\s,]++)*))(?P<size>\s++[^,]*+)?"


def images_in(html: str) -> tuple[str, ...]:
    """Return one reference for each picture in the content of a page, in the order of the page.

    The content is the inside of ``main``; if there is none, of ``article``; if there is none, of
    ``body``. Images in ``nav``, ``header``, ``footer`` and ``aside`` do not count. The role of an
    element replaces its name. Emoji do not count. A reference is as it is written, with entities
    resolved. It may be relative, or have any scheme.
    """
    if "<img" not in html.lower():
        return ()
    present, images = _pictures(html)
    content = next(kind for kind in _CONTENT if kind in present)
    return tuple(image for kinds, image in images if content in kinds)


class _Region(NamedTuple):
    """An open element."""

    name: str
    frame: bool  # whether it is part of `_FRAME`, or inside of such an element
    content: frozenset[str]  # which of `_CONTENT` it is, or is inside of


def _pictures(html: str) -> tuple[frozenset[str], list[tuple[frozenset[str], str]]]:
    """Return which of `_CONTENT` a page has, and its images, each with those it is inside of."""
    present = frozenset(("body",))  # its tag may be left out (HTML 13.1.2.4)
    images = []
    regions = [_Region("", frame=False, content=present)]  # around the current tag
    open_names: Counter[str] = Counter()  # so that an end tag without a start takes no search
    sources: list[dict[str, str]] = []  # the attributes of each ``source`` before an image
    for tag in re.finditer(_TAGS, html):
        if tag["attributes"] is None:
            continue
        name = tag["name"].lower()
        if name in ("picture", "/picture"):
            sources = []
        elif name.startswith("/"):
            _close(name[1:], regions, open_names)
        elif name in _REGIONS:
            regions.append(_region(regions[-1], name, tag["attributes"]))
            open_names[name] += 1
            present |= regions[-1].content
        elif not regions[-1].frame:
            attributes = attributes_of(tag["attributes"])
            if name == "source":
                sources.append(attributes)
                continue
            if image := _image(attributes, sources):
                images.append((regions[-1].content, image))
            sources = []  # a picture has one image (HTML 4.8.1)
    return present, images


def _close(name: str, regions: list[_Region], open_names: Counter[str]) -> None:
    """Remove the innermost open element of this name, if any, and all that are open inside it."""
    if open_names[name]:
        while (inside := regions.pop().name) != name:
            open_names[inside] -= 1
        open_names[name] -= 1


def _region(outer: _Region, name: str, attributes: str) -> _Region:
    """Return the region of a new element. If it has the role of a region, its name is ignored."""
    role = name
    if "role" in attributes.lower():  # most elements have no role
        roles = attributes_of(attributes).get("role", "").lower().split()
        if roles and roles[0] in (*_FRAME, *_CONTENT):
            role = roles[0]
    content = outer.content | {role} if role in _CONTENT else outer.content
    return _Region(name, frame=outer.frame or role in _FRAME, content=content)


def _image(attributes: dict[str, str], sources: list[dict[str, str]]) -> str | None:
    """Return the reference of a picture; None if it has no reference, or is an emoji.

    The first of these that is set counts: a lazy attribute, ``src``, the largest candidate of
    a lazy ``srcset``, of ``srcset``, or of a ``source``. ``src`` comes before ``srcset``, since
    "some crawlers do not understand srcset" (Google).
    """
    if not _EMOJI_CLASSES.isdisjoint(attributes.get("class", "").split()):
        return None
    candidates = [attributes.get(name, "").strip() for name in (*_LAZY, "src")]
    for source in (attributes, *sources):
        candidates += [_largest(source.get(name, "")) for name in (*_LAZY_SETS, "srcset")]
    return next(
        (candidate for candidate in candidates if candidate and not _inline(candidate)), None
    )


def _inline(reference: str) -> bool:
    return reference[:5].lower() in ("data:", "blob:")


def _largest(srcset: str) -> str:
    """Return the URL with the greatest width or density; the first if several are equal."""
    if _inline(srcset.lstrip()):
        return ""
    found = [
        (_size(match["size"] or ""), match["url"]) for match in re.finditer(_CANDIDATE, srcset)
    ]
    return max(found, key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _size(descriptor: str) -> float:
    number = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})?)[wx]", descriptor)
    return float(number[1]) if number else 1.0
