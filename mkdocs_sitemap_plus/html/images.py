"""Find the images in the content of a built page."""

import re
from collections import Counter
from typing import NamedTuple

from mkdocs_sitemap_plus.html.tags import attributes_of, tags

_REGIONS = ("main", "article", "body", "nav", "header", "footer", "aside", "div", "section")
_TAGS = ("img", "source", "picture", "/picture", *_REGIONS, *(f"/{name}" for name in _REGIONS))
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
    for found, tag in tags(html.encode("utf-8", "replace"), *_TAGS):
        name, written = found.decode(), tag["attributes"].decode("utf-8", "replace")
        if name in ("picture", "/picture"):
            sources = []
        elif name.startswith("/"):
            _close(name[1:], regions, open_names)
        elif name in _REGIONS:
            regions.append(_region(regions[-1], name, written))
            open_names[name] += 1
            present |= regions[-1].content
        elif not regions[-1].frame:
            attributes = attributes_of(written)
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
