"""An element of a sitemap against its shape."""

from collections.abc import Iterator

from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.tools.checks.element_values import SPACE
from mkdocs_sitemap_plus.tools.checks.finding import Fault
from mkdocs_sitemap_plus.tools.checks.shapes import EXTENSIONS, OTHER_KNOWN, PREFIXES, Shape
from mkdocs_sitemap_plus.wording import MAX_VALUE, format_value, shorten

_XSI = "http://www.w3.org/2001/XMLSchema-instance"


def element_faults(element: RawElement, shape: Shape) -> Iterator[Fault]:
    """Yield all that is wrong with an element and its content."""
    yield from attribute_faults(element, shape)
    if shape.outdated:
        yield fault("outdated", element, "is ignored by search engines")
    elif shape.children:
        yield from _with_children(element, shape)
    else:
        yield from _with_text(element, shape)


def attribute_faults(element: RawElement, shape: Shape) -> Iterator[Fault]:
    """Yield unknown, missing and invalid attributes; those of XML Schema are always allowed."""
    allowed = shape.attributes
    if allowed is None:
        return
    for space, name, value in element.attributes:
        known = allowed.get(name) if not space else None
        if known is None:
            if space != _XSI:
                yield fault("attribute", element, f"has the unknown attribute {format_value(name)}")
        elif known.outdated:
            yield fault(
                "outdated", element, f"has the attribute {name!r}, which search engines ignore"
            )
        else:
            for code, reason in known.read(value):
                yield fault(code, element, f"has the attribute {name!r}, which {reason}")
    for name, known in allowed.items():
        if known.required and element.attribute(name) is None:
            yield fault("attribute", element, f"has no attribute {name!r}")


def fault(code: str, element: RawElement, reason: str) -> Fault:
    """Return a fault of an element; its reason begins with the element's name."""
    return Fault(code=code, line=element.line, reason=f"{named(element)} {reason}")


def named(element: RawElement) -> str:
    """Return an element's name with its usual prefix."""
    known = PREFIXES.get(element.space)
    return shorten(f"{known}{element.name}" if known is not None else element.name, MAX_VALUE)


def _with_text(element: RawElement, shape: Shape) -> Iterator[Fault]:
    for child in element.children:
        yield fault("element-unknown", child, f"is not allowed in {named(element)}")
    if shape.required and not element.text.strip(SPACE):
        yield fault("element-missing", element, "is empty, but must have a value")
        return
    for code, reason in shape.read(element.text):
        yield fault(code, element, reason)


def _with_children(element: RawElement, shape: Shape) -> Iterator[Fault]:
    if element.text.strip(SPACE):
        text = f"contains the text {format_value(element.text.strip(SPACE))}"
        yield fault("text", element, f"{text}, but only elements are allowed there")
    yield from _missing(element, shape)
    yield from _order(element, shape)
    seen: set[tuple[str, str]] = set()
    for child in element.children:
        known = _shape_of(child, element, shape)
        if known is None:
            yield from _unknown(child, element, shape)
            continue
        name = (child.space, child.name)
        if name in seen and not known.many:
            yield fault("element-twice", child, f"is allowed only once in {named(element)}")
        seen.add(name)
        yield from element_faults(child, known)


def _shape_of(child: RawElement, parent: RawElement, shape: Shape) -> Shape | None:
    if child.space == parent.space:
        return shape.children.get(child.name)
    return EXTENSIONS.get((child.space, child.name)) if shape.extended else None


def _unknown(child: RawElement, parent: RawElement, shape: Shape) -> Iterator[Fault]:
    if not shape.extended or child.space in PREFIXES or not child.space:
        space = "" if child.space in PREFIXES else f" (namespace {format_value(child.space)})"
        yield fault("element-unknown", child, f"is not allowed in {named(parent)}{space}")
    elif child.space not in OTHER_KNOWN:
        yield fault(
            "namespace-unknown", child, f"has the unknown namespace {format_value(child.space)}"
        )


def _missing(element: RawElement, shape: Shape) -> Iterator[Fault]:
    there = {child.name for child in element.children if child.space == element.space}
    for name, child in shape.children.items():
        if child.required and name not in there:
            prefix = PREFIXES[element.space]
            yield fault("element-missing", element, f"has no {prefix}{name} in it")


def _order(element: RawElement, shape: Shape) -> Iterator[Fault]:
    """Yield the first child that comes too late; one is enough to see it."""
    ranks = {name: rank for rank, name in enumerate(shape.children)}
    last, behind = -1, element
    for child in element.children:
        ours = child.space == element.space
        rank = ranks.get(child.name) if ours else len(ranks)
        if rank is None:
            continue
        if rank < last:
            yield fault("element-order", child, f"must come before {named(behind)}")
            return
        last, behind = rank, child
