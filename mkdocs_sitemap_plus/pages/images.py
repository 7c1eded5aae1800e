"""The images of a built page's own content, not of the theme."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.pages.built import attributes_of

_ATTRIBUTES = r"(?:[^>\"']+|\"[^\"]*\"|'[^']*')*+"
# What hides tags is skipped whole; of the others those are kept that mark regions or show images.
_TAGS = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|(script|style|template|noscript|textarea|title|svg)\b.*?(?:</\1\s*>|\Z)"
    r"|(?P<tag>img|source)\b(?P<image>" + _ATTRIBUTES + r")>"
    r"|(?P<end>/?)(?P<region>main|article|body|nav|header|footer|aside|div|section|picture)\b"
    r"(?P<attributes>" + _ATTRIBUTES + r")>)",
    re.DOTALL | re.IGNORECASE,
)
_ROLE = re.compile(r"\brole\s*=\s*[\"']?\s*(\w+)", re.IGNORECASE)
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
"""Elements and roles of the frame around the content (HTML 4.3; WAI-ARIA 5.3.4)."""
_CONTENT = ("main", "article", "body")
"""Where content is, the most telling first."""
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy")
"""Where scripts that load images late keep the address; ``src`` is then a placeholder."""
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_GLYPHS = frozenset(("emojione", "twemoji", "gemoji"))
"""Classes of emoji (pymdownx.emoji): letters, and no pictures."""
_CANDIDATE = re.compile(r"\s*,*\s*(?P<url>\S*[^\s,])(?P<size>\s+[^,]*)?")


def read_images(path: Path) -> tuple[str, ...]:
    """References of a built file, as `images_in`; none if it is not there."""
    try:
        return images_in(read_text(path))
    except Unreadable:
        return ()


def images_in(html: str) -> tuple[str, ...]:
    """The references of the images that the content of a page shows.

    The content is what is inside ``main`` or ``role="main"``; on pages without them ``article``,
    else ``body``. What is a ``nav``, ``header``, ``footer`` or ``aside`` in there, by name or by
    role, is not content, nor are emoji.

    Returns:
        One reference for each picture, as written, entities resolved, in the order of the page. It
        may be relative, or of any scheme.
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
    """An open element: whether it is of the frame, and the regions of content that it is in."""

    name: str
    frame: bool
    content: frozenset[str]


def _pictures(html: str) -> Iterator[tuple[frozenset[str], str]]:
    """The regions of content that begin, and each image of the content with those it is in."""
    open_ = [_Region("", frame=False, content=frozenset())]
    names: Counter[str] = Counter()
    sources: list[dict[str, str]] = []
    for tag in _TAGS.finditer(html):
        name = (tag["region"] or tag["tag"] or "").lower()
        if name == "picture":
            sources = []
        elif tag["end"] and names[name]:
            _close(name, open_, names)
        elif tag["region"] and not tag["end"]:
            open_.append(_inside(open_[-1], name, tag["attributes"]))
            names[name] += 1
            yield open_[-1].content, ""
        elif tag["tag"] and not open_[-1].frame:
            attributes = attributes_of(tag["image"])
            if name == "source":
                sources.append(attributes)
            elif image := _image(attributes, sources):
                yield open_[-1].content, image


def _close(name: str, open_: list[_Region], names: Counter[str]) -> None:
    """End the innermost element of this name; what is still open in it ends as well."""
    ended = ""
    while ended != name:
        ended = open_.pop().name
        names[ended] -= 1


def _inside(outer: _Region, name: str, attributes: str) -> _Region:
    role = _role(name, attributes)
    content = outer.content | {role} if role in _CONTENT else outer.content
    return _Region(name, frame=outer.frame or role in _FRAME, content=content)


def _role(name: str, attributes: str) -> str:
    """What a region is, by its role or else by its name."""
    role = _ROLE.search(attributes)
    said = role[1].lower() if role else ""
    return said if said in _FRAME or said in _CONTENT else name


def _image(attributes: dict[str, str], sources: list[dict[str, str]]) -> str | None:
    """The one address of a picture: a lazy one, ``src``, the largest of ``srcset``, a ``source``.

    Google: "some crawlers do not understand srcset", so ``src`` is what stands for the picture.
    """
    if not _GLYPHS.isdisjoint(attributes.get("class", "").split()):
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
    """The candidate with the greatest width or density; of equal ones the first."""
    if _inline(srcset.lstrip()):
        return ""
    found = [(_size(each["size"] or ""), each["url"]) for each in _CANDIDATE.finditer(srcset)]
    return max(found, key=lambda each: each[0], default=(0.0, ""))[1]


def _size(descriptor: str) -> float:
    number = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})?)[wx]", descriptor)
    return float(number[1]) if number else 1.0
