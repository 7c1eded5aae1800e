"""Check an element of a sitemap against the table of elements, and what one page may have."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from mkdocs_sitemap_plus.check import Report, prefixed_name
from mkdocs_sitemap_plus.sitemap import MAX_IMAGES, MAX_VIDEO_TAGS, NEWS_AGE, to_datetime, utc_day
from mkdocs_sitemap_plus.sitemap.elements import EXTENSIONS, OTHER_KNOWN, PREFIXES, Shape
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang, suggest_hreflang
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.render import IMAGE, NEWS, VIDEO, XHTML
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.sitemap.values import SPACE, strict_date, url_fault
from mkdocs_sitemap_plus.wording import format_value

_XSI = "http://www.w3.org/2001/XMLSchema-instance"
CLOCKS_DIFFER = timedelta(days=1)  # two clocks differ by less, also if their time zones differ


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
    """Report wrong, missing and outdated attributes. Those of XML Schema are always allowed."""
    allowed = shape.attributes
    if allowed is None:
        return
    for space, name, value in element.attributes:
        rule = None if space else allowed.get(name)
        if rule is None:
            if space != _XSI:
                report.add("attribute", element, f"has the unknown attribute {format_value(name)}")
        elif rule.outdated:
            clause = f"has the attribute {name!r}, which search engines ignore"
            report.add("outdated", element, clause)
        else:
            for code, clause in rule.kind.faults(value):
                report.add(code, element, f"has the attribute {name!r}, which {clause}")
    for name, rule in allowed.items():
        if rule.required and element.attribute(name) is None:
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
    present = {child.name for child in element.children if child.space == element.space}
    for name, known in shape.children.items():
        if known.required and name not in present:
            report.add("element-missing", element, f"has no {PREFIXES[element.space]}{name} in it")
    _check_order(element, shape, report)
    seen: set[tuple[str, str]] = set()
    for child in element.children:
        key = (child.space, child.name)
        if child.space == element.space:
            allowed = shape.children.get(child.name)
        else:
            allowed = EXTENSIONS.get(key) if shape.extended else None
        if allowed is None:
            _report_unknown(child, element, shape, report)
            continue
        if key in seen and not allowed.many:
            report.add("element-twice", child, f"is allowed only once in {prefixed_name(element)}")
        seen.add(key)
        check_element(child, allowed, report)


def _report_unknown(child: RawElement, parent: RawElement, shape: Shape, report: Report) -> None:
    """Report a child that the schema forbids, or whose namespace no search engine documents."""
    if not shape.extended or child.space in PREFIXES or not child.space:
        space = "" if child.space in PREFIXES else f" (namespace {format_value(child.space)})"
        report.add("element-unknown", child, f"is not allowed in {prefixed_name(parent)}{space}")
    elif child.space not in OTHER_KNOWN:
        clause = f"has the unknown namespace {format_value(child.space)}"
        report.add("namespace-unknown", child, clause)


def _check_order(element: RawElement, shape: Shape, report: Report) -> None:
    """Report the first child that comes too late. One finding is enough to see the mistake."""
    ranks = {name: rank for rank, name in enumerate(shape.children)}
    last, previous = -1, element
    for child in element.children:
        is_extension = child.space != element.space  # extensions come last
        rank = len(ranks) if is_extension else ranks.get(child.name)
        if rank is None:
            continue
        if rank < last:
            report.add("element-order", child, f"must come before {prefixed_name(previous)}")
            return
        last, previous = rank, child


def targets(links: Iterable[tuple[str, str]]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the `url_key` of each link's URL, of all links and of those without x-default."""
    pairs = [(code.lower(), url_key(href)) for code, href in links]
    every = frozenset(href for _, href in pairs)
    languages = frozenset(href for code, href in pairs if code != X_DEFAULT)
    if every == languages:
        languages = every  # one set, to save memory
    return every, languages


def targets_of(entry: RawElement) -> tuple[frozenset[str], frozenset[str]]:
    """Return the `targets` of the language links of an entry."""
    pairs = ((link.attribute("hreflang"), link.attribute("href")) for link in _links(entry))
    return targets((code, href.strip(SPACE)) for code, href in pairs if code and href)


def _links(entry: RawElement) -> tuple[RawElement, ...]:
    """Return the language links of an entry. A link with ``media`` is one to a mobile page."""
    return tuple(
        link
        for link in entry.all(XHTML, "link")
        if link.attribute("rel") == "alternate" and link.attribute("media") is None
    )


def check_links(entry: RawElement, alternates: frozenset[str], report: Report) -> None:
    """Report wrong language links of a page. `alternates` is the first value of `targets_of`."""
    for link in entry.all(XHTML, "link"):
        if link.attribute("rel") is None:
            report.add("hreflang-link", link, "has no rel")
    links = _links(entry)
    codes: set[str] = set()
    for link in links:
        code, href = link.attribute("hreflang"), link.attribute("href")
        if not code or not href:
            report.add("hreflang-link", link, f"has no {'href' if code else 'hreflang'}")
            continue
        shown = format_value(code)
        known = hreflang(code)
        if known is None or "_" in code:
            suggestion = known or suggest_hreflang(code)
            hint = f" (perhaps {suggestion})" if suggestion else ""
            expected = f"a language code such as de, pt-BR or zh-Hant{hint}"
            clause = f"has the hreflang {shown}, but must have {expected}"
            report.add("hreflang-code", link, clause)
        if fault := url_fault(href):
            report.add("hreflang-url", link, f"for {shown} {fault}")
        if code.lower() in codes:
            report.add("hreflang-twice", link, f"has the hreflang {shown} a second time")
        codes.add(code.lower())
    if links and report.loc and url_key(report.loc) not in alternates:
        report.add("hreflang-self", entry, "has language links, but none to the page itself")


def images_of(entry: RawElement) -> list[str]:
    """Return the URLs of the images of an entry, as they are written."""
    locs = (loc for image in entry.all(IMAGE, "image") for loc in image.all(IMAGE, "loc")[:1])
    return [loc.text.strip(SPACE) for loc in locs]


def check_images(entry: RawElement, report: Report) -> None:
    """Report too many images, and images that are listed twice."""
    images = entry.all(IMAGE, "image")
    if len(images) > MAX_IMAGES:
        clause = f"has {len(images):,} images, but {MAX_IMAGES:,} are allowed"
        report.add("too-many-images", entry, clause)
    seen: set[str] = set()
    for image in images:
        for loc in image.all(IMAGE, "loc")[:1]:
            text = loc.text.strip(SPACE)
            if text in seen:
                report.add("image-twice", loc, f"has the image {format_value(text)} a second time")
            seen.add(text)


def check_videos(entry: RawElement, report: Report) -> None:
    """Report videos without a source, with the page as their source, or with too many tags."""
    for video in entry.all(VIDEO, "video"):
        sources = (*video.all(VIDEO, "content_loc"), *video.all(VIDEO, "player_loc"))
        if not sources:
            report.add("element-missing", video, "has no video:content_loc or video:player_loc")
        for source in sources:
            if report.loc and url_key(source.text.strip(SPACE)) == url_key(report.loc):
                report.add("video-loc", source, "is the page itself")
        tags = video.all(VIDEO, "tag")
        if len(tags) > MAX_VIDEO_TAGS:
            clause = f"is there {len(tags):,} times, but {MAX_VIDEO_TAGS} are allowed"
            report.add("video-value", tags[MAX_VIDEO_TAGS], clause)


def check_news(entry: RawElement, report: Report, now: datetime) -> None:
    """Report articles that are too old, or in the future."""
    for news in entry.all(NEWS, "news"):
        for element in news.all(NEWS, "publication_date")[:1]:
            when = strict_date(element.text)
            text = format_value(element.text.strip(SPACE))
            if when and is_before(when, now - NEWS_AGE):
                report.add("news-old", element, f"is {text}, which is more than two days ago")
            if when and is_future(when, now):
                report.add("news-value", element, f"is {text}, which is in the future")


def is_future(when: date | datetime, now: datetime) -> bool:
    """Return whether a date is later than any clock can show now."""
    return to_datetime(when) > now + CLOCKS_DIFFER


def is_before(one: date | datetime, other: date | datetime) -> bool:
    """Return whether `one` is earlier. If one of them has no time, only the days are compared."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    return utc_day(one) < utc_day(other)
