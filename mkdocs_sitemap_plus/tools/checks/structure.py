"""Check an element of a sitemap against the table of elements."""

from mkdocs_sitemap_plus.sitemap.elements import EXTENSIONS, OTHER_KNOWN, PREFIXES, Shape
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.values import SPACE
from mkdocs_sitemap_plus.tools.checks.finding import Report, prefixed_name
from mkdocs_sitemap_plus.wording import format_value

_XSI = "http://www.w3.org/2001/XMLSchema-instance"


def check_element(element: RawElement, shape: Shape, report: Report) -> None:
    """Report what is wrong with an element and all elements in it."""
    check_attributes(element, shape, report)
    if shape.outdated:
        report.add("outdated", element, "is ignored by search engines")
    elif shape.children:
        _check_children(element, shape, report)
    else:
        _check_text(element, shape, report)


def check_attributes(element: RawElement, shape: Shape, report: Report) -> None:
    """Report unknown, missing and invalid attributes; attributes of XML Schema are allowed."""
    allowed = shape.attributes
    if allowed is None:
        return
    for space, name, value in element.attributes:
        known = allowed.get(name) if not space else None
        if known is None:
            if space != _XSI:
                report.add("attribute", element, f"has the unknown attribute {format_value(name)}")
        elif known.outdated:
            clause = f"has the attribute {name!r}, which search engines ignore"
            report.add("outdated", element, clause)
        else:
            for code, clause in known.kind.faults(value):
                report.add(code, element, f"has the attribute {name!r}, which {clause}")
    for name, known in allowed.items():
        if known.required and element.attribute(name) is None:
            report.add("attribute", element, f"has no attribute {name!r}")


def _check_text(element: RawElement, shape: Shape, report: Report) -> None:
    for child in element.children:
        report.add("element-unknown", child, f"is not allowed in {prefixed_name(element)}")
    if shape.required and not element.text.strip(SPACE):
        report.add("element-missing", element, "is empty, but must have a value")
        return
    for code, clause in shape.kind.faults(element.text):
        report.add(code, element, clause)


def _check_children(element: RawElement, shape: Shape, report: Report) -> None:
    if element.text.strip(SPACE):
        text = format_value(element.text.strip(SPACE))
        clause = f"contains the text {text}, but only elements are allowed there"
        report.add("text", element, clause)
    _check_required(element, shape, report)
    _check_order(element, shape, report)
    seen: set[tuple[str, str]] = set()
    for child in element.children:
        name = (child.space, child.name)
        if child.space == element.space:
            known = shape.children.get(child.name)
        else:
            known = EXTENSIONS.get(name) if shape.extended else None
        if known is None:
            _report_unknown(child, element, shape, report)
            continue
        if name in seen and not known.many:
            clause = f"is allowed only once in {prefixed_name(element)}"
            report.add("element-twice", child, clause)
        seen.add(name)
        check_element(child, known, report)


def _report_unknown(child: RawElement, parent: RawElement, shape: Shape, report: Report) -> None:
    if not shape.extended or child.space in PREFIXES or not child.space:
        space = "" if child.space in PREFIXES else f" (namespace {format_value(child.space)})"
        report.add("element-unknown", child, f"is not allowed in {prefixed_name(parent)}{space}")
    elif child.space not in OTHER_KNOWN:
        clause = f"has the unknown namespace {format_value(child.space)}"
        report.add("namespace-unknown", child, clause)


def _check_required(element: RawElement, shape: Shape, report: Report) -> None:
    there = {child.name for child in element.children if child.space == element.space}
    for name, child in shape.children.items():
        if child.required and name not in there:
            report.add("element-missing", element, f"has no {PREFIXES[element.space]}{name} in it")


def _check_order(element: RawElement, shape: Shape, report: Report) -> None:
    """Report the first child that comes too late. One finding is enough to see the mistake."""
    ranks = {name: rank for rank, name in enumerate(shape.children)}
    last, previous = -1, element
    for child in element.children:
        is_own = child.space == element.space
        rank = ranks.get(child.name) if is_own else len(ranks)  # extensions come last
        if rank is None:
            continue
        if rank < last:
            report.add("element-order", child, f"must come before {prefixed_name(previous)}")
            return
        last, previous = rank, child
