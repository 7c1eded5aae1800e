"""What can be wrong with a file, or with the text of an element."""

from enum import StrEnum


class SitemapCode(StrEnum):
    """What is wrong. `check.CheckCode` has a member of the same value, which explains it."""

    # The file can't be read to its end.
    NOT_XML = "not-xml"
    DOCTYPE = "doctype"
    ENCODING = "encoding"
    GZIP = "gzip"
    TOO_MANY_BYTES = "too-many-bytes"
    TOO_COMPLEX = "too-complex"

    # The text of an element or an attribute is invalid.
    ATTRIBUTE = "attribute"
    TEXT = "text"
    LOC_RELATIVE = "loc-relative"
    LOC_SCHEME = "loc-scheme"
    LOC_HOST = "loc-host"
    LOC_TOO_LONG = "loc-too-long"
    LOC_FRAGMENT = "loc-fragment"
    LOC_ESCAPE = "loc-escape"
    LOC_CHARACTER = "loc-character"
    LOC_NOT_ASCII = "loc-not-ascii"
    LOC_ESCAPED_TWICE = "loc-escaped-twice"
    LASTMOD_FORMAT = "lastmod-format"
    LASTMOD_IMPRECISE = "lastmod-imprecise"
    LASTMOD_EPOCH = "lastmod-epoch"
    CHANGEFREQ = "changefreq"
    PRIORITY = "priority"
    MEDIA_URL = "media-url"
    VIDEO_VALUE = "video-value"
    NEWS_VALUE = "news-value"
