"""The elements of the protocol and its extensions, and how entries are read from them.

Each `Shape` follows the schemas and Google's documentation. `check.structure` checks
sitemaps by them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from mkdocs_sitemap_plus import sitemap as limits
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, Result
from mkdocs_sitemap_plus.sitemap import (
    Alternate,
    News,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap import values as kinds
from mkdocs_sitemap_plus.sitemap.codes import SitemapCode
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.render import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML

PREFIXES = {NAMESPACE: "", XHTML: "xhtml:", IMAGE: "image:", VIDEO: "video:", NEWS: "news:"}
"""The known namespaces, with their usual prefixes."""

OTHER_KNOWN = (
    "http://www.google.com/schemas/sitemap-mobile/1.0",
    "http://www.google.com/schemas/sitemap-pagemap/1.0",
)
"""Other namespaces that are allowed in a ``url``. Their elements are not checked."""


class Shape(NamedTuple):
    """What an element or an attribute may contain, and how often it may be there."""

    kind: kinds.Kind = kinds.ANY_TEXT  # what its text must be, if it has no children
    children: Mapping[str, "Shape"] = MappingProxyType({})  # by name, in the order of the schema
    attributes: Mapping[str, "Shape"] | None = MappingProxyType({})  # by name; None: any
    required: bool = False  # it must be there, and not empty
    many: bool = False  # it may be there more than once
    outdated: bool = False  # search engines no longer use it
    extended: bool = False  # elements of other namespaces may follow its children


_OUTDATED = Shape(outdated=True, attributes=None)

_up_to = partial(kinds.text_up_to, SitemapCode.VIDEO_VALUE)
_number = partial(kinds.number, SitemapCode.VIDEO_VALUE)
_ALLOW_OR_DENY = kinds.text_matching(SitemapCode.ATTRIBUTE, "allow|deny", "allow or deny")
_RELATIONSHIP = {"relationship": Shape(_ALLOW_OR_DENY, required=True)}
_YES_NO = Shape(kinds.YES_NO)
_VIDEO_DATE = Shape(kinds.VIDEO_DATE)
_COUNTRIES = kinds.text_matching(
    SitemapCode.VIDEO_VALUE, "(?:[A-Z]{2}(?: +[A-Z]{2})*)?", "country codes such as DE AT"
)
_DEVICES = kinds.text_matching(
    SitemapCode.VIDEO_VALUE, "(?:(?:web|mobile|tv)(?: +(?:web|mobile|tv))*)?", "web, mobile or tv"
)
_LANGUAGE = kinds.text_matching(
    SitemapCode.NEWS_VALUE,
    "zh-cn|zh-tw|[a-z]{2,3}",
    "a language code such as en, or zh-cn or zh-tw",
)

# ``sitemap`` of an index (siteindex.xsd)
SITEMAP = Shape(children={"loc": Shape(kinds.LOC, required=True), "lastmod": Shape(kinds.LASTMOD)})

URL = Shape(  # ``url`` (sitemap.xsd)
    children={
        "loc": Shape(kinds.LOC, required=True),
        "lastmod": Shape(kinds.LASTMOD),
        "changefreq": Shape(kinds.CHANGEFREQ),
        "priority": Shape(kinds.PRIORITY),
    },
    extended=True,
)

IMAGE_IMAGE = Shape(  # ``image:image`` (sitemap-image.xsd; Google dropped all but ``loc`` in 2022)
    children={
        "loc": Shape(kinds.MEDIA_URL, required=True),
        **dict.fromkeys(("caption", "geo_location", "title", "license"), _OUTDATED),
    },
    many=True,
)

VIDEO_VIDEO = Shape(  # ``video:video`` (sitemap-video.xsd, and Google where it is stricter)
    children={
        "thumbnail_loc": Shape(kinds.MEDIA_URL, required=True),
        "title": Shape(_up_to(limits.MAX_VIDEO_TITLE), required=True),
        "description": Shape(_up_to(limits.MAX_VIDEO_DESCRIPTION), required=True),
        "content_loc": Shape(kinds.MEDIA_URL),
        "player_loc": Shape(
            kinds.MEDIA_URL,
            attributes=dict.fromkeys(("allow_embed", "autoplay"), Shape(outdated=True)),
        ),
        "duration": Shape(_number(1, limits.MAX_VIDEO_SECONDS, whole=True)),
        "expiration_date": _VIDEO_DATE,
        "rating": Shape(_number(0, int(limits.MAX_VIDEO_RATING))),
        "content_segment_loc": Shape(kinds.MEDIA_URL, many=True, attributes=None),
        "view_count": Shape(_number(0, limits.MAX_VIDEO_VIEWS, whole=True)),
        "publication_date": _VIDEO_DATE,
        "tag": Shape(many=True),
        "category": _OUTDATED,
        "family_friendly": _YES_NO,
        "restriction": Shape(_COUNTRIES, attributes=_RELATIONSHIP),
        "gallery_loc": _OUTDATED,
        "price": _OUTDATED._replace(many=True),
        "requires_subscription": _YES_NO,
        "uploader": Shape(
            _up_to(limits.MAX_VIDEO_UPLOADER), attributes={"info": Shape(kinds.MEDIA_URL)}
        ),
        "tvshow": _OUTDATED,
        "platform": Shape(_DEVICES, attributes=_RELATIONSHIP),
        "live": _YES_NO,
        "id": Shape(many=True, attributes=None),
    },
    many=True,
)

NEWS_NEWS = Shape(  # ``news:news`` (sitemap-news.xsd)
    children={
        "publication": Shape(
            children={"name": Shape(required=True), "language": Shape(_LANGUAGE, required=True)},
            required=True,
        ),
        "access": _OUTDATED,
        "genres": _OUTDATED,
        "publication_date": Shape(kinds.NEWS_DATE, required=True),
        "title": Shape(required=True),
        "keywords": _OUTDATED,
        "stock_tickers": _OUTDATED,
    }
)

XHTML_LINK = Shape(  # ``xhtml:link`` (xhtml1-strict.xsd); for values see `check.structure`
    kinds.NO_TEXT,
    attributes={
        **dict.fromkeys(("rel", "hreflang", "href", "media", "type", "title", "rev"), Shape()),
        **dict.fromkeys(("charset", "id", "class", "style", "lang", "dir", "target"), Shape()),
    },
    many=True,
)

EXTENSIONS = {  # the elements that may follow the children of a ``url``, by namespace and name
    (IMAGE, "image"): IMAGE_IMAGE,
    (VIDEO, "video"): VIDEO_VIDEO,
    (NEWS, "news"): NEWS_NEWS,
    (XHTML, "link"): XHTML_LINK,
}

_VIDEO_FIELDS = frozenset(field.name for field in fields(Video))
_Values = dict[str, Any]


def url_entry(element: RawElement, file: str) -> Result[UrlEntry]:
    """Return the entry of a ``url`` element, and a problem for each part that can't be read.

    The entry is None if its ``loc`` can't be read.
    """
    reader = _EntryReader(file=file)
    values = reader.values(element, URL)
    if values is None:
        return None, reader.problems
    news = [reader.news(article) for article in element.all(NEWS, "news")]
    links = [reader.alternate(link) for link in element.all(XHTML, "link")]
    images = [reader.values(image, IMAGE_IMAGE) for image in element.all(IMAGE, "image")]
    videos = [reader.video(video) for video in element.all(VIDEO, "video")]
    entry = UrlEntry(
        **values,
        alternates=tuple(filter(None, links)),
        images=tuple(image["loc"] for image in images if image),
        videos=tuple(filter(None, videos)),
        news=next(filter(None, news), None),
    )
    return entry, reader.problems


def sitemap_entry(element: RawElement, file: str) -> Result[SitemapEntry]:
    """Return the entry of a ``sitemap`` element of an index, and problems, as `url_entry` does."""
    reader = _EntryReader(file=file)
    values = reader.values(element, SITEMAP)
    return (SitemapEntry(**values) if values else None), reader.problems


@dataclass(slots=True, kw_only=True)
class _EntryReader:
    """Reads elements, and collects the problems."""

    file: str  # the sitemap, for problems
    problems: list[Problem] = field(default_factory=list)

    def values(self, element: RawElement, shape: Shape) -> _Values | None:
        """Return the values of the children by name; None if a required child can't be read."""
        values: _Values = {}
        for name, child in shape.children.items():
            elements = element.all(element.space, name)
            if not elements or child.outdated:
                continue
            if child.many:
                read = [self._value(found, child) for found in elements]
                values[name] = tuple(value for value in read if value is not None)
                continue
            if len(elements) > 1:
                self._report(Code.TWICE, elements[1], "is there a second time")
            value = self._value(elements[0], child)
            if value is not None:
                values[name] = value
        required = (name for name, child in shape.children.items() if child.required)
        if missing := [name for name in required if name not in values]:
            self._incomplete(element, *missing)
            return None
        return values

    def _value(self, element: RawElement, shape: Shape) -> Any:  # noqa: ANN401 - its kind decides
        if shape.children:
            return self.values(element, shape)
        try:
            return shape.kind.read(element.text.strip(kinds.SPACE))
        except kinds.InvalidTextError as error:
            self._report(Code.INVALID, element, str(error))
            return None

    def alternate(self, link: RawElement) -> Alternate | None:
        # With `media`, it leads to the mobile page, and needs no language.
        if link.attribute("rel") != "alternate" or link.attribute("media") is not None:
            return None
        hreflang, href = link.attribute("hreflang"), link.attribute("href")
        if not hreflang or not href:
            self._incomplete(link, "href" if hreflang else "hreflang")
            return None
        return Alternate(hreflang=hreflang, href=href)

    def video(self, element: RawElement) -> Video | None:
        values = self.values(element, VIDEO_VIDEO)
        if values is None:
            return None
        if "content_loc" not in values and "player_loc" not in values:
            self._incomplete(element, "content_loc", "player_loc")
            return None
        for name in ("restriction", "platform"):
            if found := element.all(VIDEO, name):
                values[name] = self._restriction(found[0], values.get(name, ""))
                # None means that the video is allowed everywhere. Only an empty "deny" says so.
                if values[name] is None and found[0].attribute("relationship") != "deny":
                    self._incomplete(element, name)
                    return None
        values["tags"] = values.get("tag", ())
        if "uploader" in values:
            values["uploader_info"] = element.all(VIDEO, "uploader")[0].attribute("info")
        return Video(**{name: value for name, value in values.items() if name in _VIDEO_FIELDS})

    def _restriction(self, element: RawElement, text: str) -> Restriction | None:
        relationship = element.attribute("relationship")
        if relationship not in ("allow", "deny"):
            self._incomplete(element, "relationship")
            return None
        names = tuple(text.split())  # empty, if the text is only a no-break space
        return Restriction(allow=relationship == "allow", names=names) if names else None

    def news(self, element: RawElement) -> News | None:
        values = self.values(element, NEWS_NEWS)
        if values is None:
            return None
        publication = values.pop("publication")
        return News(publication=publication["name"], language=publication["language"], **values)

    def _incomplete(self, element: RawElement, *names: str) -> None:
        self._report(Code.INCOMPLETE, element, f"has no {' and no '.join(names)} that can be read")

    def _report(self, code: Code, element: RawElement, found: str) -> None:
        key = PREFIXES.get(element.space, "") + element.name
        place = Place(origin=Origin.SITEMAP, file=self.file, key=key, line=element.line)
        self.problems.append(Problem(code=code, place=place, found=found, done="It is not read."))
