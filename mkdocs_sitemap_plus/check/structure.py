"""Check an element of a sitemap against the table of elements, and what one page may have."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from sys import intern

from mkdocs_sitemap_plus.check import CheckCode, Report, prefixed_name
from mkdocs_sitemap_plus.sitemap import MAX_IMAGES, MAX_VIDEO_TAGS, NEWS_AGE, to_datetime, utc_day
from mkdocs_sitemap_plus.sitemap.elements import (
    EXTENSIONS,
    OTHER_KNOWN,
    PREFIXES,
    Shape,
    meant_namespace,
    shapes_by_tag,
)
from mkdocs_sitemap_plus.sitemap.languages import hreflang, suggest_hreflang
from mkdocs_sitemap_plus.sitemap.parse import RawElement, split_tag
from mkdocs_sitemap_plus.sitemap.render import IMAGE, NEWS, VIDEO
from mkdocs_sitemap_plus.sitemap.urls import host_of, url_key
from mkdocs_sitemap_plus.sitemap.values import ANY_TEXT, SPACE, strict_date, url_fault
from mkdocs_sitemap_plus.wording import format_value

_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_RELATIONS = ("alternate", "amphtml")  # of links; the second is another form of the page (AMP)
_MANY = 100  # children of an element whose shapes are not kept, to save memory
CLOCKS_DIFFER = timedelta(days=1)  # two clocks differ by less, also if their time zones differ


def check_element(element: RawElement, shape: Shape, report: Report) -> None:
    """Report what is wrong with an element and all elements in it."""
    if element.attributes or shape.attributes:
        check_attributes(element, shape, report)
    if shape.outdated:
        report.add(CheckCode.OUTDATED, element, "is ignored by search engines")
    elif shape.children:
        _check_children(element, shape, report)
    else:
        _check_text(element, shape, report)


def check_attributes(element: RawElement, shape: Shape, report: Report) -> None:
    """Report wrong, missing and outdated attributes. Those of XML Schema are always allowed."""
    allowed = shape.attributes
    if allowed is None:
        return
    for attribute, value in element.attributes.items():
        rule = allowed.get(attribute)
        if rule is None:
            space, name = split_tag(attribute)
            if space != _XSI:
                report.add(
                    CheckCode.ATTRIBUTE, element, f"has the unknown attribute {format_value(name)}"
                )
        elif rule.outdated:
            clause = f"has the attribute {attribute!r}, which search engines ignore"
            report.add(CheckCode.OUTDATED, element, clause)
        elif rule.kind is not ANY_TEXT:
            for code, clause in rule.kind.faults(value):
                report.add(
                    CheckCode[code.name],
                    element,
                    f"has the attribute {attribute!r}, which {clause}",
                )
    for name in _required_attributes(shape):
        if name not in element.attributes:
            report.add(CheckCode.ATTRIBUTE, element, f"has no attribute {name!r}")


@lru_cache(maxsize=64)
def _required_attributes(shape: Shape) -> tuple[str, ...]:
    return tuple(name for name, rule in (shape.attributes or {}).items() if rule.required)


def _check_text(element: RawElement, shape: Shape, report: Report) -> None:
    for child in element.children:
        report.add(CheckCode.ELEMENT_UNKNOWN, child, f"is not allowed in {prefixed_name(element)}")
    if shape.required and not element.text.strip(SPACE):
        report.add(CheckCode.ELEMENT_MISSING, element, "is empty, but must have a value")
        return
    for code, clause in shape.kind.faults(element.text):
        report.add(CheckCode[code.name], element, clause)


def _check_children(element: RawElement, shape: Shape, report: Report) -> None:
    if element.text.strip(SPACE):
        text = format_value(element.text.strip(SPACE))
        clause = f"contains the text {text}, but only elements are allowed there"
        report.add(CheckCode.TEXT, element, clause)
    # Most entries of a sitemap have the same elements, and then nothing is wrong with these.
    children = element.children
    shapes = (_right_shapes if len(children) <= _MANY else _right_shapes.__wrapped__)(
        shape, element.space, tuple([child.tag for child in children])
    )
    if shapes is None:
        _check_wrong_children(element, shape, report)
        return
    for child, child_shape in zip(children, shapes, strict=True):
        check_element(child, child_shape, report)


@lru_cache(maxsize=256)
def _right_shapes(shape: Shape, space: str, tags: tuple[str, ...]) -> tuple[Shape, ...] | None:
    """Return the shapes of an element's children; None if the schema does not allow these.

    `space` is the namespace of the element, and `tags` are those of its children.
    """
    known = {tag: child for tag, (_, child) in shapes_by_tag(shape, space).items()}
    ranks = {tag: rank for rank, tag in enumerate(known)}
    allowed = {**EXTENSIONS, **known} if shape.extended else known
    shapes = tuple(allowed[tag] for tag in tags if tag in allowed)
    order = [ranks.get(tag, len(ranks)) for tag in tags]
    counts = Counter(tags)
    is_right = (
        len(shapes) == len(tags)
        and order == sorted(order)
        and all(tag in counts for tag, child in known.items() if child.required)
        and all(child.many or counts[tag] == 1 for tag, child in zip(tags, shapes, strict=True))
    )
    return shapes if is_right else None


def _check_wrong_children(element: RawElement, shape: Shape, report: Report) -> None:
    space, known = element.space, shapes_by_tag(shape, element.space)
    present = {child.tag for child in element.children}
    for tag, (name, child_shape) in known.items():
        if child_shape.required and tag not in present:
            report.add(CheckCode.ELEMENT_MISSING, element, f"has no {PREFIXES[space]}{name} in it")
    _check_order(element, shape, report)
    seen: set[str] = set()
    for child in element.children:
        _, allowed = known.get(child.tag) or (None, None)
        if allowed is None and shape.extended and child.space != space:
            allowed = EXTENSIONS.get(child.tag)
        if allowed is None:
            _report_unknown(child, element, shape, report)
            continue
        if child.tag in seen and not allowed.many:
            report.add(
                CheckCode.ELEMENT_TWICE, child, f"is allowed only once in {prefixed_name(element)}"
            )
        seen.add(child.tag)
        check_element(child, allowed, report)


def _report_unknown(child: RawElement, parent: RawElement, shape: Shape, report: Report) -> None:
    """Report a child that the schema forbids, or whose namespace no search engine documents."""
    if not shape.extended or child.space in PREFIXES or not child.space:
        space = "" if child.space in PREFIXES else f" (namespace {format_value(child.space)})"
        report.add(
            CheckCode.ELEMENT_UNKNOWN, child, f"is not allowed in {prefixed_name(parent)}{space}"
        )
    elif meant := meant_namespace(child):
        clause = f"has the namespace {format_value(child.space)}, which search engines do not know"
        report.add(CheckCode.NAMESPACE_MISSPELLED, child, clause, f"Write {meant}.")
    elif child.space not in OTHER_KNOWN:
        clause = f"has the unknown namespace {format_value(child.space)}"
        report.add(CheckCode.NAMESPACE_UNKNOWN, child, clause)


def _check_order(element: RawElement, shape: Shape, report: Report) -> None:
    """Report the first child that comes too late. One finding is enough to see the mistake."""
    space = element.space
    ranks = {tag: rank for rank, tag in enumerate(shapes_by_tag(shape, space))}
    last, previous = -1, element
    for child in element.children:
        is_extension = child.space != space  # extensions come last
        rank = len(ranks) if is_extension else ranks.get(child.tag)
        if rank is None:
            continue
        if rank < last:
            report.add(
                CheckCode.ELEMENT_ORDER, child, f"must come before {prefixed_name(previous)}"
            )
            return
        last, previous = rank, child


def targets(links: Iterable[RawElement]) -> dict[str, str]:
    """Return the codes by which an entry links to language versions, by the `url_key` of these.

    `links` are the ``xhtml:link`` elements of the entry. The codes are in lower case, with a blank
    between several of them.
    """
    found: dict[str, str] = {}
    for link in links:
        code, href = link.attributes.get("hreflang"), link.attributes.get("href")
        if code and href and _is_language(link):
            key, code = url_key(href.strip(SPACE)), intern(code.lower())
            known = found.get(key, code)
            found[key] = known if code in known.split() else intern(f"{known} {code}")
    return found


def _is_language(link: RawElement) -> bool:
    """Return whether a link leads to a language version. With ``media``, it is a mobile page."""
    return link.attributes.get("rel") == "alternate" and "media" not in link.attributes


def check_links(
    entry: RawElement, links: list[RawElement], alternates: Mapping[str, str], report: Report
) -> None:
    """Report wrong language links of a page. `alternates` is what `targets` returns."""
    for link in links:
        rel = link.attributes.get("rel")
        if rel not in _RELATIONS:
            clause = "has no rel" if rel is None else f"has the rel {format_value(rel)}"
            report.add(CheckCode.HREFLANG_LINK, link, f"{clause}, but must have alternate")
    links = [link for link in links if _is_language(link)]
    codes: set[str] = set()
    for link in links:
        code, href = link.attributes.get("hreflang"), link.attributes.get("href")
        if not code or not href:
            report.add(CheckCode.HREFLANG_LINK, link, f"has no {'href' if code else 'hreflang'}")
            continue
        if fault := (_code_fault if len(code) < _MANY else _code_fault.__wrapped__)(code):
            report.add(CheckCode.HREFLANG_CODE, link, fault)
        if fault := url_fault(href):
            report.add(CheckCode.HREFLANG_URL, link, f"for {format_value(code)} {fault}")
        elif "#" in href:  # it would be no link to another page
            report.add(CheckCode.HREFLANG_URL, link, f"for {format_value(code)} has a fragment")
        if code.lower() in codes:
            clause = f"has the hreflang {format_value(code)} a second time"
            report.add(CheckCode.HREFLANG_TWICE, link, clause)
        codes.add(code.lower())
    if links and report.loc and url_key(report.loc) not in alternates:
        report.add(
            CheckCode.HREFLANG_SELF, entry, "has language links, but none to the page itself"
        )


@lru_cache(maxsize=256)
def _code_fault(code: str) -> str | None:
    """Return why search engines do not know a language code, as a clause; None if they do."""
    known = hreflang(code)
    if known is not None and "_" not in code:
        return None
    suggestion = known or suggest_hreflang(code)
    hint = f" (perhaps {suggestion})" if suggestion else ""
    expected = f"a language code such as de, pt-BR or zh-Hant{hint}"
    return f"has the hreflang {format_value(code)}, but must have {expected}"


def images_of(images: Iterable[RawElement]) -> list[str]:
    """Return the URLs of the images of an entry, as they are written."""
    locs = (loc for image in images for loc in image.all(f"{IMAGE} loc")[:1])
    return [loc.text.strip(SPACE) for loc in locs]


def check_images(entry: RawElement, images: list[RawElement], report: Report) -> None:
    """Report too many images, and images that are listed twice."""
    if len(images) > MAX_IMAGES:
        clause = f"has {len(images):,} images, but {MAX_IMAGES:,} are allowed"
        report.add(CheckCode.TOO_MANY_IMAGES, entry, clause)
    seen: set[str] = set()
    for image in images:
        for loc in image.all(f"{IMAGE} loc")[:1]:
            text = loc.text.strip(SPACE)
            if text in seen:
                report.add(
                    CheckCode.IMAGE_TWICE, loc, f"has the image {format_value(text)} a second time"
                )
            seen.add(text)


def check_videos(videos: list[RawElement], report: Report) -> None:
    """Report videos without a source, with the page as their source, or with too many tags."""
    for video in videos:
        sources = video.all(f"{VIDEO} content_loc") + video.all(f"{VIDEO} player_loc")
        if not sources:
            report.add(
                CheckCode.ELEMENT_MISSING, video, "has no video:content_loc or video:player_loc"
            )
        for source in sources:
            if report.loc and url_key(source.text.strip(SPACE)) == url_key(report.loc):
                report.add(CheckCode.VIDEO_LOC, source, "is the page itself")
        for uploader in video.all(f"{VIDEO} uploader"):
            info = uploader.attributes.get("info", "").strip(SPACE)
            if info and report.loc and not _are_related(info, report.loc):
                clause = f"has the info {format_value(info)}, which is not on the host of the page"
                report.add(CheckCode.VIDEO_VALUE, uploader, clause)
        tags = video.all(f"{VIDEO} tag")
        if len(tags) > MAX_VIDEO_TAGS:
            clause = f"is there {len(tags):,} times, but {MAX_VIDEO_TAGS} are allowed"
            report.add(CheckCode.VIDEO_VALUE, tags[MAX_VIDEO_TAGS], clause)


def _are_related(url: str, page: str) -> bool:
    """Return whether two URLs are of one host, or of a host and its subdomain; or can't be read."""
    hosts = [host_of(url_key(each)) for each in (url, page)]
    one, other = (f".{host.removeprefix('www.')}" for host in hosts)
    return "" in hosts or one.endswith(other) or other.endswith(one)


def check_news(articles: list[RawElement], report: Report, now: datetime) -> None:
    """Report articles that are too old, or in the future."""
    for news in articles:
        for element in news.all(f"{NEWS} publication_date")[:1]:
            when = strict_date(element.text)
            text = format_value(element.text.strip(SPACE))
            if when and is_before(when, now - NEWS_AGE):
                report.add(
                    CheckCode.NEWS_OLD, element, f"is {text}, which is more than two days ago"
                )
            if when and is_future(when, now):
                report.add(CheckCode.NEWS_VALUE, element, f"is {text}, which is in the future")


def is_future(when: date | datetime, now: datetime) -> bool:
    """Return whether a date is later than any clock can show now."""
    return to_datetime(when) > now + CLOCKS_DIFFER


def is_before(one: date | datetime, other: date | datetime) -> bool:
    """Return whether `one` is earlier. If one of them has no time, only the days are compared."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    return utc_day(one) < utc_day(other)
