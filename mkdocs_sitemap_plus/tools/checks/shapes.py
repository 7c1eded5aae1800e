"""The elements of the protocol and its extensions, as the schemas and Google define them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mkdocs_sitemap_plus.sitemap.limits import (
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_RATING,
    MAX_VIDEO_SECONDS,
    MAX_VIDEO_TITLE,
    MAX_VIDEO_UPLOADER,
)
from mkdocs_sitemap_plus.sitemap.read_entry import IMAGE, NEWS, VIDEO
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE, XHTML
from mkdocs_sitemap_plus.tools.checks.element_values import (
    Reader,
    any_text,
    at_most,
    changefreq,
    form,
    lastmod,
    loc,
    media_url,
    news_day,
    no_text,
    number,
    priority,
    video_day,
)

PREFIXES = {NAMESPACE: "", XHTML: "xhtml:", IMAGE: "image:", VIDEO: "video:", NEWS: "news:"}
"""The usual prefixes of the namespaces that are known."""

OTHER_KNOWN = frozenset(
    {
        "http://www.google.com/schemas/sitemap-mobile/1.0",
        "http://www.google.com/schemas/sitemap-pagemap/1.0",
    }
)
"""Namespaces of Google that are allowed in a ``url``. Their elements are not checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """An attribute that an element may have.

    Attributes:
        read: what its value must be.
        required: whether it must be there.
        outdated: whether search engines ignore it by now.
    """

    read: Reader = any_text
    required: bool = False
    outdated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What an element may contain.

    Attributes:
        read: what its text must be, if it has no children.
        children: its children by name, in the order of the schema.
        attributes: its attributes by name; None: any.
        required: whether it must be there, and not empty.
        many: whether it may appear more than once.
        outdated: whether search engines ignore it by now.
        extended: whether elements of other namespaces may follow its children.
    """

    read: Reader = any_text
    children: "Mapping[str, Shape]" = field(default_factory=dict)
    attributes: Mapping[str, Attribute] | None = field(default_factory=dict)
    required: bool = False
    many: bool = False
    outdated: bool = False
    extended: bool = False


_OLD = Shape(outdated=True, attributes=None)
_OLD_MANY = Shape(outdated=True, attributes=None, many=True)
_RELATION = form("attribute", "allow|deny", "allow or deny")
_RELATED = {"relationship": Attribute(read=_RELATION, required=True)}
_YES = Shape(read=form("video-value", "yes|Yes|YES|no|No|NO", "yes or no"))
_VIDEO_DAY = Shape(read=video_day)
_MEDIA = Shape(read=media_url)

SITEMAP_ENTRY = Shape(
    children={"loc": Shape(read=loc, required=True), "lastmod": Shape(read=lastmod)}
)
"""``sitemap`` of an index (siteindex.xsd)."""

URL_ENTRY = Shape(
    children={
        "loc": Shape(read=loc, required=True),
        "lastmod": Shape(read=lastmod),
        "changefreq": Shape(read=changefreq),
        "priority": Shape(read=priority),
    },
    extended=True,
)
"""``url`` (sitemap.xsd)."""

IMAGE_SHAPE = Shape(
    children={
        "loc": Shape(read=media_url, required=True),
        "caption": _OLD,
        "geo_location": _OLD,
        "title": _OLD,
        "license": _OLD,
    },
    many=True,
)
"""``image:image`` (sitemap-image.xsd; Google dropped all but ``loc`` in 2022)."""

VIDEO_SHAPE = Shape(
    children={
        "thumbnail_loc": Shape(read=media_url, required=True),
        "title": Shape(read=at_most("video-value", MAX_VIDEO_TITLE), required=True),
        "description": Shape(read=at_most("video-value", MAX_VIDEO_DESCRIPTION), required=True),
        "content_loc": _MEDIA,
        "player_loc": Shape(
            read=media_url,
            attributes={
                "allow_embed": Attribute(outdated=True),
                "autoplay": Attribute(outdated=True),
            },
        ),
        "duration": Shape(read=number("video-value", 1, MAX_VIDEO_SECONDS, whole=True)),
        "expiration_date": _VIDEO_DAY,
        "rating": Shape(read=number("video-value", 0, int(MAX_VIDEO_RATING))),
        "content_segment_loc": Shape(read=media_url, many=True, attributes=None),
        "view_count": Shape(read=number("video-value", 0, 10**15, whole=True)),
        "publication_date": _VIDEO_DAY,
        "tag": Shape(many=True),
        "category": _OLD,
        "family_friendly": _YES,
        "restriction": Shape(
            read=form(
                "video-value", "(?:[A-Z]{2}(?: +[A-Z]{2})*+)?", "country codes such as DE AT"
            ),
            attributes=_RELATED,
        ),
        "gallery_loc": _OLD,
        "price": _OLD_MANY,
        "requires_subscription": _YES,
        "uploader": Shape(
            read=at_most("video-value", MAX_VIDEO_UPLOADER),
            attributes={"info": Attribute(read=media_url)},
        ),
        "tvshow": _OLD,
        "platform": Shape(
            read=form(
                "video-value",
                "(?:(?:web|mobile|tv)(?: +(?:web|mobile|tv))*+)?",
                "web, mobile or tv",
            ),
            attributes=_RELATED,
        ),
        "live": _YES,
        "id": Shape(many=True, attributes=None),
    },
    many=True,
)
"""``video:video`` (sitemap-video.xsd, and Google where it is stricter)."""

NEWS_SHAPE = Shape(
    children={
        "publication": Shape(
            children={
                "name": Shape(required=True),
                "language": Shape(
                    read=form(
                        "news-value",
                        "zh-cn|zh-tw|[a-z]{2,3}",
                        "a language code such as en, or zh-cn or zh-tw",
                    ),
                    required=True,
                ),
            },
            required=True,
        ),
        "access": _OLD,
        "genres": _OLD,
        "publication_date": Shape(read=news_day, required=True),
        "title": Shape(required=True),
        "keywords": _OLD,
        "stock_tickers": _OLD,
    }
)
"""``news:news`` (sitemap-news.xsd)."""

LINK_SHAPE = Shape(
    read=no_text,
    attributes={
        name: Attribute()
        for name in (
            *("rel", "hreflang", "href", "media", "type", "title", "rev", "charset"),
            *("id", "class", "style", "lang", "dir", "target"),
        )
    },
    many=True,
)
"""``xhtml:link`` (xhtml1-strict.xsd); `alternates` checks the values of its attributes."""

EXTENSIONS = {
    (IMAGE, "image"): IMAGE_SHAPE,
    (VIDEO, "video"): VIDEO_SHAPE,
    (NEWS, "news"): NEWS_SHAPE,
    (XHTML, "link"): LINK_SHAPE,
}
"""What may follow in a ``url``, by namespace and name."""
