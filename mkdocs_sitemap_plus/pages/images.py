"""Find the images in the content of a built page, without those of the theme."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.pages.built_html import attributes_of, tag_pattern

_REGIONS = ("main", "article", "body", "nav", "header", "footer", "aside", "div", "section")
_TAGS = tag_pattern(
    rf"img|source|/?(?:picture|{'|'.join(_REGIONS)})",
    "script|style|template|noscript|textarea|title|svg",
)
_FRAME = frozenset(
    [
        "nav",
        "header",
        "footer",
        "aside",
        "navigation",
        "banner",
        "contentinfo",
        "complementary",
        "search",
    ]
)
"""Elements and roles around the content, such as the navigation (HTML 4.3; WAI-ARIA 5.3.4)."""
_CONTENT = ("main", "article", "body")
"""Elements and roles that hold the content. The first of these that a page has is used."""
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy")
"""Attributes with the URL of an image that a script loads later; ``src`` is then a placeholder."""
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_EMOJI_CLASSES = frozenset(("emojione", "twemoji", "gemoji"))
"""Classes of emoji (pymdownx.emoji), which are not listed as images."""
_CANDIDATE = re.compile(r"(?P<url>[^\s,]++(?>(?:,++[^\s,]++)*))(?P<size>\s++[^,]*+)?")


def read_images(path: Path) -> tuple[str, ...]:
    """Return the references of `images_in` for a built file; empty if the file can't be read."""
    try:
        return images_in(read_text(path))
    except Unreadable:
        return ()


def images_in(html: str) -> tuple[str, ...]:
    """Return the references of the images in the content of a page.

    The content is the inside of ``main``. A page without ``main`` has its content in ``article``,
    or else in ``body``. An element with the role ``main`` or ``article`` counts as such an element.
    Images in ``nav``, ``header``, ``footer`` and ``aside`` do not count, nor in elements with such
    roles. Emoji do not count.

    Returns:
        One reference for each picture, in the order of the page, as it is written, entities
        resolved. It may be relative, or have any scheme.
    """
    if "<img" not in html and "<IMG" not in html:
        return ()
    found: dict[str, list[str]] = {kind: [] for kind in _CONTENT}
    present = {"body"}  # its tag may be left out (HTML 13.1.2.4)
    for kinds, image in _pictures(html):
        present |= kinds
        for kind in kinds | {"body"} if image else ():
            found[kind].append(image)
    return tuple(found[next(kind for kind in _CONTENT if kind in present)])


@dataclass(frozen=True, slots=True)
class _Region:
    """An open element.

    Attributes:
        name: the name of its tag.
        frame: whether it is around the content, or inside of such an element.
        content: the kinds of content that it is, or is inside of.
    """

    name: str
    frame: bool
    content: frozenset[str]


def _pictures(html: str) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the kinds of content at the start of each region, and at each image.

    The second value is the reference of the image; it is empty for a region.
    """
    regions = [_Region("", frame=False, content=frozenset())]  # around the current tag
    open_names: Counter[str] = Counter()
    sources: list[dict[str, str]] = []
    for tag in _TAGS.finditer(html):
        if tag["attributes"] is None:
            continue
        name = tag["name"].lower()
        if name in ("picture", "/picture"):
            sources = []
        elif name.startswith("/"):
            if open_names[name[1:]]:
                _close(name[1:], regions, open_names)
        elif name in _REGIONS:
            regions.append(_region(regions[-1], name, tag["attributes"]))
            open_names[name] += 1
            yield regions[-1].content, ""
        elif not regions[-1].frame:
            attributes = attributes_of(tag["attributes"])
            sources.append(attributes)
            if name == "img":
                if image := _image(attributes, sources):
                    yield regions[-1].content, image
                sources = []  # a picture has one image (HTML 4.8.1)


def _close(name: str, regions: list[_Region], open_names: Counter[str]) -> None:
    """Remove the innermost open element of this name, and all elements that are open inside it."""
    closed = ""
    while closed != name:
        closed = regions.pop().name
        open_names[closed] -= 1


def _region(outer: _Region, name: str, attributes: str) -> _Region:
    role = _role(name, attributes)
    content = outer.content | {role} if role in _CONTENT else outer.content
    return _Region(name, frame=outer.frame or role in _FRAME, content=content)


def _role(name: str, attributes: str) -> str:
    """Return the role of an element, if it is one of a region; otherwise the element's name."""
    if "role" not in attributes.lower():  # most have none
        return name
    role = attributes_of(attributes).get("role", "").lower().split()[:1]
    return role[0] if role and (role[0] in _FRAME or role[0] in _CONTENT) else name


def _image(attributes: dict[str, str], sources: list[dict[str, str]]) -> str | None:
    """Return the reference of a picture; None if it has none, or is an emoji.

    The first of these that is set counts: a lazy attribute, ``src``, the largest candidate of
    ``srcset``, of a lazy ``srcset``, or of a ``source``. ``src`` comes before ``srcset``, since
    "some crawlers do not understand srcset" (Google).
    """
    if not _EMOJI_CLASSES.isdisjoint(attributes.get("class", "").split()):
        return None
    single = (attributes.get(name, "").strip() for name in (*_LAZY, "src"))
    sets = (
        each.get(name, "") for each in (attributes, *sources) for name in (*_LAZY_SETS, "srcset")
    )
    candidates = (*single, *map(_largest, sets))
    return next((each for each in candidates if each and not _inline(each)), None)


def _inline(reference: str) -> bool:
    return reference[:5].lower() in ("data:", "blob:")


def _largest(srcset: str) -> str:
    """Return the URL with the greatest width or density; the first if several are equal."""
    if _inline(srcset.lstrip()):
        return ""
    found = [(_size(each["size"] or ""), each["url"]) for each in _CANDIDATE.finditer(srcset)]
    return max(found, key=lambda each: each[0], default=(0.0, ""))[1]


def _size(descriptor: str) -> float:
    number = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})?)[wx]", descriptor)
    return float(number[1]) if number else 1.0
