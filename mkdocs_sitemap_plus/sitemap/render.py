"""Entries to the bytes of a ``urlset``, streamed."""

import re
from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.sitemap.entry import Alternate, News, Restriction, UrlEntry, Video
from mkdocs_sitemap_plus.sitemap.text import attribute, element, lastmod_text, priority_text

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
_EXTENSIONS = {
    "xhtml": XHTML,
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
}
NONE: frozenset[str] = frozenset()
FOOT = b"</urlset>\n"
_INDENT = "  <url>\n    <loc>"
_CHUNK = 500
"""Entries rendered at a time: large enough for speed, small enough for memory."""


def render(entries: Sequence[UrlEntry], stylesheet: str | None = None) -> Iterator[bytes]:
    """One file of all entries, in pieces: UTF-8 without a BOM, LF, XML 1.0, in the order given.

    Children of ``url`` stand in the order of the official schema (``xsd:sequence``), extensions
    last. A namespace is declared only where an entry uses it. Whatever XML 1.0 can't hold is left
    out of texts.

    Args:
        entries: at least one; the limits of a file are not looked at (see ``split.py``).
        stylesheet: the URL of a CSS style sheet for people; None: there is none.
    """
    yield head(NONE.union(*map(namespaces, entries)), stylesheet)
    for start in range(0, len(entries), _CHUNK):
        yield "".join(map(url, entries[start : start + _CHUNK])).encode()
    yield FOOT


def head(used: frozenset[str], stylesheet: str | None) -> bytes:
    """What stands before the first entry; `used` are the prefixes of the extensions in use."""
    spaces = "".join(f' xmlns:{name}="{_EXTENSIONS[name]}"' for name in _EXTENSIONS if name in used)
    return f'{declaration(stylesheet)}<urlset xmlns="{NAMESPACE}"{spaces}>\n'.encode()


def declaration(stylesheet: str | None) -> str:
    """The first line, and one that names the style sheet, if there is one.

    No reader of sitemaps minds that line ("Associating Style Sheets with XML documents"), as it
    minds a foreign element. There is no XSLT, which browsers are giving up.
    """
    style = f'<?xml-stylesheet type="text/css" href="{attribute(stylesheet or "")}"?>\n'
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + (style if stylesheet else "")


def may_be_ours(data: bytes) -> bool:
    """Return whether a file begins to the letter as `render` begins one; others may do so too."""
    return bool(_OWN_START.match(data))


_OWN_START = re.compile(
    r'<\?xml version="1\.0" encoding="UTF-8"\?>\n(?:<\?xml-stylesheet [^>]*\?>\n)?'
    rf'<urlset xmlns="{re.escape(NAMESPACE)}"[^>]*>\n{_INDENT}'.encode()
)


def namespaces(entry: UrlEntry) -> frozenset[str]:
    """The prefixes of the extensions that an entry uses."""
    if not (entry.alternates or entry.images or entry.videos or entry.news):
        return NONE
    values = (entry.alternates, entry.images, entry.videos, entry.news)
    return frozenset(name for name, value in zip(_EXTENSIONS, values, strict=True) if value)


def url(entry: UrlEntry) -> str:
    """One ``url`` element with its line ends."""
    # A million of these are written: one string each, and no list for what is not there.
    text = f"{_INDENT}{element(entry.loc)}</loc>\n"
    if entry.lastmod is not None:
        text += f"    <lastmod>{lastmod_text(entry.lastmod)}</lastmod>\n"
    if entry.changefreq is not None:
        text += f"    <changefreq>{entry.changefreq}</changefreq>\n"
    if entry.priority is not None:
        text += f"    <priority>{priority_text(entry.priority)}</priority>\n"
    if entry.alternates:
        text += "".join(map(_link, entry.alternates))
    if entry.images:
        text += "".join(map(_image, entry.images))
    if entry.videos:
        text += "".join(map(_video, entry.videos))
    if entry.news:
        text += _news(entry.news)
    return text + "  </url>\n"


def _link(alternate: Alternate) -> str:
    code, href = attribute(alternate.hreflang), attribute(alternate.href)
    return f'    <xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>\n'


def _image(loc: str) -> str:
    return f"    <image:image>\n      <image:loc>{element(loc)}</image:loc>\n    </image:image>\n"


def _video(video: Video) -> str:
    """In the order of ``sitemap-video.xsd``."""
    when = [
        None if each is None else lastmod_text(each)
        for each in (video.expiration_date, video.publication_date)
    ]
    children = [
        _child("thumbnail_loc", video.thumbnail_loc),
        _child("title", video.title),
        _child("description", video.description),
        _child("content_loc", video.content_loc),
        _child("player_loc", video.player_loc),
        _child("duration", video.duration),
        _child("expiration_date", when[0]),
        _child("rating", None if video.rating is None else priority_text(video.rating)),
        _child("view_count", video.view_count),
        _child("publication_date", when[1]),
        *(_child("tag", tag) for tag in video.tags),
        _child("family_friendly", _yes_no(video.family_friendly)),
        _restriction("restriction", video.restriction),
        _child("requires_subscription", _yes_no(video.requires_subscription)),
        _uploader(video),
        _restriction("platform", video.platform),
        _child("live", _yes_no(video.live)),
    ]
    return f"    <video:video>\n{''.join(children)}    </video:video>\n"


def _child(name: str, value: str | int | None, attributes: str = "") -> str:
    if value is None:
        return ""
    return f"      <video:{name}{attributes}>{element(str(value))}</video:{name}>\n"


def _yes_no(flag: bool | None) -> str | None:  # noqa: FBT001 - it is the value that is written
    return None if flag is None else "yes" if flag else "no"


def _restriction(name: str, restriction: Restriction | None) -> str:
    if restriction is None:
        return ""
    relationship = "allow" if restriction.allow else "deny"
    return _child(name, " ".join(restriction.names), f' relationship="{relationship}"')


def _uploader(video: Video) -> str:
    info = attribute(video.uploader_info or "")
    return _child("uploader", video.uploader, f' info="{info}"' if info else "")


def _news(news: News) -> str:
    """In the order of ``sitemap-news.xsd``."""
    return (
        "    <news:news>\n"
        "      <news:publication>\n"
        f"        <news:name>{element(news.publication)}</news:name>\n"
        f"        <news:language>{element(news.language)}</news:language>\n"
        "      </news:publication>\n"
        f"      <news:publication_date>{lastmod_text(news.publication_date)}"
        "</news:publication_date>\n"
        f"      <news:title>{element(news.title)}</news:title>\n"
        "    </news:news>\n"
    )
