"""The elements of the protocol and its extensions, and how entries are read from them.

Each `Shape` follows the schemas and Google's documentation. `check.structure` checks
sitemaps by them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from typing import Any

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
from mkdocs_sitemap_plus.sitemap.languages import NEWS_LANGUAGE, REGIONS
from mkdocs_sitemap_plus.sitemap.parse import RawElement, split_tag
from mkdocs_sitemap_plus.sitemap.render import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML

PREFIXES = {NAMESPACE: "", XHTML: "xhtml:", IMAGE: "image:", VIDEO: "video:", NEWS: "news:"}
"""The known namespaces, with their usual prefixes."""

OTHER_KNOWN = (
    "http://www.google.com/schemas/sitemap-mobile/1.0",
    "http://www.google.com/schemas/sitemap-pagemap/1.0",
    "http://www.baidu.com/schemas/sitemap-mobile/1/",
    "http://www.openarchives.org/rs/terms/",  # ResourceSync (ANSI/NISO Z39.99), in the root too
)
"""Other namespaces that somebody documents. Their elements are not checked."""


@dataclass(frozen=True, slots=True, eq=False)  # equal only to itself, so that it is a quick key
class Shape:
    """What an element or an attribute may contain, and how often it may be there."""

    kind: kinds.Kind = kinds.ANY_TEXT  # what its text must be, if it has no children
    children: Mapping[str, "Shape"] = field(default_factory=dict)  # in the order of the schema
    attributes: Mapping[str, "Shape"] | None = field(default_factory=dict)  # None: any
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
_COUNTRIES = kinds.words_of(SitemapCode.VIDEO_VALUE, REGIONS, "country codes such as DE AT")
_DEVICES = kinds.words_of(SitemapCode.VIDEO_VALUE, ("web", "mobile", "tv"), "web, mobile or tv")
_LANGUAGE = kinds.text_matching(
    SitemapCode.NEWS_VALUE, NEWS_LANGUAGE, "a language code such as en, or zh-cn or zh-tw"
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
        "price": replace(_OUTDATED, many=True),
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

IMAGE_TAG, LINK_TAG = f"{IMAGE} image", f"{XHTML} link"
VIDEO_TAG, NEWS_TAG = f"{VIDEO} video", f"{NEWS} news"
EXTENSIONS = {  # the elements that may follow the children of a ``url``, by their tags
    IMAGE_TAG: IMAGE_IMAGE,
    VIDEO_TAG: VIDEO_VIDEO,
    NEWS_TAG: NEWS_NEWS,
    LINK_TAG: XHTML_LINK,
}


_WORDS = {
    IMAGE_TAG: "sitemap-image",
    VIDEO_TAG: "sitemap-video",
    NEWS_TAG: "sitemap-news",
    LINK_TAG: "xhtml",
}


def meant_namespace(element: RawElement) -> str | None:
    """Return the namespace of the extension that an element of another namespace is meant for."""
    for tag, word in _WORDS.items():
        space, name = split_tag(tag)
        if element.name == name and element.space != space and word in element.space.lower():
            return space
    return None


@lru_cache(maxsize=64)
def shapes_by_tag(shape: Shape, space: str) -> Mapping[str, tuple[str, Shape]]:
    """Return name and shape of each child that the schema knows, in its order, by its tag."""
    return {f"{space} {name}": (name, child) for name, child in shape.children.items()}


_VIDEO_FIELDS = frozenset(each.name for each in fields(Video))
_Values = dict[str, Any]
_ByTag = Mapping[str, list[RawElement]]


def url_entry(element: RawElement, file: str) -> Result[UrlEntry]:
    """Return the entry of a ``url`` element, and a problem for each part that can't be read.

    The entry is None if its ``loc`` can't be read.
    """
    reader = _EntryReader(file=file)
    by_tag = element.by_tag()
    values = reader.values(element, URL, by_tag)
    if values is None:
        return None, reader.problems
    if not by_tag.keys() & EXTENSIONS.keys():
        return UrlEntry(**values), reader.problems
    news = [reader.news(news) for news in by_tag.get(NEWS_TAG, ())]
    links = [reader.alternate(link) for link in by_tag.get(LINK_TAG, ())]
    images = [reader.values(image, IMAGE_IMAGE) for image in by_tag.get(IMAGE_TAG, ())]
    videos = [reader.video(video) for video in by_tag.get(VIDEO_TAG, ())]
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

    def values(
        self, element: RawElement, shape: Shape, by_tag: _ByTag | None = None
    ) -> _Values | None:
        """Return the values of the children by name; None if a required child can't be read.

        `by_tag` has the children by their tags, if they are known.
        """
        values: _Values = {}
        missing = []
        by_tag = by_tag or element.by_tag()
        for tag, (name, child) in shapes_by_tag(shape, element.space).items():
            elements = by_tag.get(tag)
            if not elements or child.outdated:
                pass
            elif child.many:
                read = [self._value(each, child) for each in elements]
                values[name] = tuple(value for value in read if value is not None)
            else:
                if len(elements) > 1:
                    self._report(Code.TWICE, elements[1], "is there a second time")
                value = self._value(elements[0], child)
                if value is not None:
                    values[name] = value
            if child.required and name not in values:
                missing.append(name)
        if missing:
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
        if link.attributes.get("rel") != "alternate" or "media" in link.attributes:
            return None
        hreflang, href = link.attributes.get("hreflang"), link.attributes.get("href")
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
            if found := element.all(f"{VIDEO} {name}"):
                values[name] = self._restriction(found[0], values.get(name, ""))
                # None means that the video is allowed everywhere. Only an empty "deny" says so.
                if values[name] is None and found[0].attributes.get("relationship") != "deny":
                    self._incomplete(element, name)
                    return None
        values["tags"] = values.get("tag", ())
        if "uploader" in values:
            values["uploader_info"] = element.all(f"{VIDEO} uploader")[0].attributes.get("info")
        return Video(**{name: value for name, value in values.items() if name in _VIDEO_FIELDS})

    def _restriction(self, element: RawElement, text: str) -> Restriction | None:
        relationship = element.attributes.get("relationship")
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
