"""The schemas that the other tests hold every written file against."""

from lxml import etree
from sitemap_xml import OWN_SCHEMA, schema

START = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    b' xmlns:xhtml="http://www.w3.org/1999/xhtml">'
)
WHOLE = (
    b"<url><loc>https://web.example/a/</loc><lastmod>2024-01-02T10:00:00+01:00</lastmod>"
    b"<changefreq>daily</changefreq><priority>0.5</priority></url>"
    b"<url><loc>https://web.example/b/</loc><lastmod>2024-01-02</lastmod>"
    b'<xhtml:link rel="alternate" hreflang="de" href="https://web.example/de/b/"/>'
    b'<xhtml:link rel="alternate" hreflang="zh-Hant-TW" href="https://web.example/zh/b/"/>'
    b'<xhtml:link rel="alternate" hreflang="x-default" href="https://web.example/b/"/></url>'
)


def linked(attributes, before=b"<loc>https://h.example/</loc>", after=b""):
    link = b'<xhtml:link rel="alternate" ' + attributes + b"/>"
    return b"<url>" + before + link + after + b"</url>"


WRONG = {
    "nothing": b"",
    "changefreq": b"<url><loc>https://web.example/</loc><changefreq>Daily</changefreq></url>",
    "priority": b"<url><loc>https://web.example/</loc><priority>5e-1</priority></url>",
    "order": b"<url><priority>0.5</priority><loc>https://web.example/</loc></url>",
    "month": b"<url><loc>https://web.example/</loc><lastmod>2024-01</lastmod></url>",
    "code": linked(b'hreflang="de_DE" href="https://h.example/de/"'),
    "link-first": linked(
        b'hreflang="de" href="https://h.example/de/"',
        before=b"",
        after=b"<loc>https://h.example/</loc>",
    ),
    "no-zone": b"<url><loc>https://h.example/</loc><lastmod>2024-01-02T10:00:00</lastmod></url>",
    "date-zone": b"<url><loc>https://h.example/</loc><lastmod>2024-01-02Z</lastmod></url>",
    "relative": b"<url><loc>/a-relative-path/</loc></url>",
    "fragment": b"<url><loc>https://h.example/#a</loc></url>",
    "twice": 2 * b"<url><loc>https://h.example/</loc></url>",
    "region-alone": linked(b'hreflang="DE" href="https://h.example/de/"'),
    "relative-link": linked(b'hreflang="de" href="/de/"'),
    "no-language": linked(b'href="https://h.example/de/"'),
    "link-in-between": linked(
        b'hreflang="de" href="https://h.example/de/"', after=b"<priority>0.5</priority>"
    ),
    "language-twice": b"<url><loc>https://h.example/</loc>"
    + 2 * b'<xhtml:link rel="alternate" hreflang="de" href="https://h.example/de/"/>'
    + b"</url>",
    "foreign": b'<url><loc>https://h.example/</loc><x xmlns="https://x.example/"/></url>',
}


def document(urls):
    return etree.fromstring(START + urls + b"</urlset>")


def test_our_own_schema_catches_what_is_wrong():
    """Also dates that only one of W3C and XML Schema takes, and URLs that are none."""
    accepted = [name for name, urls in WRONG.items() if schema(OWN_SCHEMA).validate(document(urls))]
    assert accepted == []


def test_our_own_schema_takes_a_whole_entry():
    """With a date of either form, all fields, and links to languages."""
    schema(OWN_SCHEMA).assertValid(document(WHOLE))
