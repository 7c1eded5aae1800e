"""Written sitemaps as lxml reads them."""

from functools import cache
from pathlib import Path

from lxml import etree

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"
OWN_SCHEMA = Path(__file__).parent / "schemas" / "urlset.xsd"
OWN_INDEX_SCHEMA = OWN_SCHEMA.with_name("index.xsd")


def read_entries(data):
    """The ``url`` elements of a sitemap as dictionaries, in their order."""
    root = etree.fromstring(data)
    return [
        {child.tag.removeprefix(NAMESPACE): child.text for child in url if child.tag != LINK}
        for url in root
    ]


def read_alternates(data):
    """The links of each ``url`` element that has some: URLs by hreflang, by ``loc``."""
    root = etree.fromstring(data)
    linked = {
        url.findtext(f"{NAMESPACE}loc"): {
            link.get("hreflang"): link.get("href") for link in url.iterfind(LINK)
        }
        for url in root
    }
    return {loc: links for loc, links in linked.items() if links}


def validate(data):
    """Check a urlset or an index against our own schema."""
    document = etree.fromstring(data)
    index = document.tag == f"{NAMESPACE}sitemapindex"
    schema(OWN_INDEX_SCHEMA if index else OWN_SCHEMA).assertValid(document)


@cache
def schema(path):
    """A compiled XML schema."""
    return etree.XMLSchema(etree.parse(path))
