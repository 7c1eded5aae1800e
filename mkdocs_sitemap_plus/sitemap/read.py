"""Read the entries of sitemaps by the table of `schema`, leaving out what can't be read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any
from xml.etree.ElementTree import Element

from mkdocs_sitemap_plus.problems import Code, Problem
from mkdocs_sitemap_plus.sitemap import Alternate, Restriction, SitemapEntry, UrlEntry, Video
from mkdocs_sitemap_plus.sitemap import schema as f
from mkdocs_sitemap_plus.sitemap.xml import NS, Lines, sitemap_place, split

Tell = Callable[[Element, str], None]  # takes an element that can't be read, and a clause
_VIDEO_FIELDS = frozenset(field.name for field in fields(Video))


def values(element: Element, known: f.Field, tell: Tell) -> dict[str, Any] | None:
    """Return the values of the children by name; None if a required one can't be read."""
    space, found, missing = split(element.tag)[0], {}, []
    for name, child in known.children.items():
        if child is f.FREE:
            continue
        elements = element.findall(space + name)
        read = _readable(elements, child, tell) if elements else []
        if read:
            found[name] = read[0] if child.most == 1 else tuple(read)
        elif child.required:
            missing.append(name)
    if missing:
        tell(element, f"has no {' and no '.join(missing)} that can be read")
        return None
    return found


def _readable(elements: Sequence[Element], known: f.Field, tell: Tell) -> list[Any]:
    """Return the values of elements of one name, without what can't be read or is empty."""
    read = []
    for each in elements[: known.most]:
        try:
            value = known.read(f.content(each))
        except ValueError as error:
            tell(each, str(error))
        else:
            if value != "":
                read.append(value)
    if len(elements) > known.most:
        often = "a second time" if known.most == 1 else f"more than {known.most} times"
        tell(elements[known.most], f"is there {often}")
    return read


def url_entry(element: Element, tell: Tell) -> UrlEntry | None:
    """Return the entry of a ``url`` element; None if its ``loc`` can't be read."""
    found = values(element, f.URL, tell)
    if found is None or len(element) == len(found):
        return UrlEntry(**found) if found else None
    images = [values(each, f.IMAGE, tell) for each in element.findall(f.IMAGE_TAG)]
    videos = [_video(each, tell) for each in element.findall(f.VIDEO_TAG)]
    links = [_alternate(each, tell) for each in element.findall(f.LINK_TAG)]
    return UrlEntry(
        **found,
        alternates=tuple(filter(None, links)),
        images=tuple(image["loc"] for image in images if image),
        videos=tuple(filter(None, videos)),
    )


def sitemap_entry(element: Element, tell: Tell) -> SitemapEntry | None:
    """Return the entry of a ``sitemap`` element of an index; None if its ``loc`` can't be read."""
    found = values(element, f.SITEMAP, tell)
    return SitemapEntry(**found) if found else None


def _alternate(link: Element, tell: Tell) -> Alternate | None:
    # With `media`, it leads to the mobile page, and needs no language.
    if link.get("rel") != "alternate" or link.get("media") is not None:
        return None
    hreflang, href = link.get("hreflang", ""), link.get("href", "").strip(f.SPACE)
    if not (hreflang and href):
        tell(link, f"has no {'href' if hreflang else 'hreflang'} that can be read")
        return None
    try:
        return Alternate(hreflang=f.hreflang(hreflang), href=f.url(href))
    except ValueError as error:
        tell(link, f"for {hreflang!r} {error}")
        return None


def _video(element: Element, tell: Tell) -> Video | None:
    found = values(element, f.VIDEO, tell)
    if found is None:
        return None
    if not (found.get("content_loc") or found.get("player_loc")):
        tell(element, "has no content_loc and no player_loc that can be read")
        return None
    space = split(element.tag)[0]
    for name in ("restriction", "platform"):
        if (child := element.find(space + name)) is not None:
            relation, names = child.get("relationship"), tuple(f.content(child).split())
            # Without its limits it would be allowed everywhere. Only an empty "deny" says so.
            if relation not in ("allow", "deny") or not (names or relation == "deny"):
                tell(element, f"has no {name} that can be read")
                return None
            found[name] = Restriction(allow=relation == "allow", names=names) if names else None
    if (uploader := element.find(f"{space}uploader")) is not None and "uploader" in found:
        found["uploader_info"] = uploader.get("info")
    found["tags"] = found.get("tag", ())
    return Video(**{name: value for name, value in found.items() if name in _VIDEO_FIELDS})


_READERS: Mapping[str, Callable[[Element, Tell], Any]] = {
    f"{NS}url": url_entry,
    f"{NS}sitemap": sitemap_entry,
}


def entries(
    elements: Iterable[Element], wanted: str, lines: Lines, file: str, problems: list[Problem]
) -> Iterator[Any]:
    """Yield the entries of a file from its elements ``url`` or ``sitemap``.

    Add a problem for each entry or field that can't be read.
    """
    tag = NS + wanted
    reader = _READERS[tag]
    number = -1

    def tell(part: Element, clause: str) -> None:
        place = sitemap_place(file, lines.of_element(number, element, part))
        place = place._replace(key=f.shown(part))
        problems.append(
            Problem(code=Code.INVALID, place=place, found=clause, done="It is not read.")
        )

    for element in elements:
        if element.tag == tag:
            number += 1
            if entry := reader(element, tell):
                yield entry
