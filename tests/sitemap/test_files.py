"""Any text in any field: well-formed, valid, read back equal, in files within the limits."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from one_file import one_file
from quantity import tries
from sitemap_xml import validate
from strategies import LOCS, MOMENTS, PRIORITIES

from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.entries import (
    Alternate,
    Changefreq,
    Restriction,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap.write import Layout, files

BASE = "https://example.com/"
SM = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 can't hold, by its own clause 2.2."""

HARD = st.sampled_from("\0\b\t\n\r\x1f\x7f\x85\ud800\udfff\u2028\ufffe\uffff😀&<>\"']")
TEXTS = st.text(st.characters(exclude_categories=()) | HARD, max_size=60)
WHENS = st.dates() | MOMENTS
FLAGS = st.none() | st.booleans()


def restrictions(*names):
    """Perhaps some of those names, allowed or denied."""
    some = st.lists(st.sampled_from(names), min_size=1, max_size=3).map(tuple)
    return st.none() | st.builds(Restriction, allow=st.booleans(), names=some)


def videos(texts, urls):
    """Videos with those texts and URLs."""
    return st.builds(
        Video,
        thumbnail_loc=urls,
        title=texts,
        description=texts,
        content_loc=urls,
        player_loc=st.none() | urls,
        duration=st.none() | st.integers(1, 28_800),
        expiration_date=st.none() | WHENS,
        rating=st.none() | st.decimals(0, 5, places=1),
        view_count=st.none() | st.integers(0, 10**12),
        publication_date=st.none() | WHENS,
        tags=st.lists(texts, max_size=3).map(tuple),
        family_friendly=FLAGS,
        restriction=restrictions("DE", "FR"),
        requires_subscription=FLAGS,
        uploader=texts,
        uploader_info=st.none() | urls,
        platform=restrictions("web", "mobile", "tv"),
        live=FLAGS,
    )


def entries_with(texts, urls, codes):
    """Entries with those texts, URLs and language codes."""
    alternates = st.lists(
        st.builds(Alternate, hreflang=codes, href=urls),
        max_size=3,
        unique_by=lambda each: each.hreflang,
    )
    return st.builds(
        UrlEntry,
        loc=urls,
        lastmod=st.none() | WHENS,
        changefreq=st.none() | st.sampled_from(Changefreq),
        priority=st.none() | PRIORITIES,
        alternates=alternates.map(tuple),
        images=st.lists(urls, max_size=3).map(tuple),
        videos=st.lists(videos(texts, urls), max_size=2).map(tuple),
    )


CODES = st.sampled_from(["de", "en", "zh-Hant-TW", "x-default"])
VALID = entries_with(TEXTS, LOCS, CODES)
ANYTHING = entries_with(TEXTS, TEXTS, TEXTS)
LISTS = st.lists(VALID, min_size=1, max_size=6, unique_by=lambda entry: entry.loc)
SLOW = settings(max_examples=tries(8, 60))


def held(value):
    """A value without what XML can't hold; the same for all that is in it."""
    if isinstance(value, str) and not isinstance(value, Changefreq):
        return NOT_XML.sub("", value)
    if isinstance(value, tuple):
        return tuple(map(held, value))
    if hasattr(value, "__dataclass_fields__"):
        said = {name: held(getattr(value, name)) for name in value.__dataclass_fields__}
        if said.get("uploader_info") == "":
            said["uploader_info"] = None
        return replace(value, **said)
    return value


def moment(text):
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def one(parent, tag, read=str):
    child = parent.find(tag)
    return None if child is None else read(child.text or "")


def flag(text):
    return {"yes": True, "no": False}[text]


def related(parent, tag):
    child = parent.find(tag)
    if child is None:
        return None
    allow = {"allow": True, "deny": False}[child.get("relationship")]
    return Restriction(allow=allow, names=tuple(child.text.split(" ")))


def video_of(node):
    uploader = node.find(f"{VIDEO}uploader")
    return Video(
        thumbnail_loc=one(node, f"{VIDEO}thumbnail_loc"),
        title=one(node, f"{VIDEO}title"),
        description=one(node, f"{VIDEO}description"),
        content_loc=one(node, f"{VIDEO}content_loc"),
        player_loc=one(node, f"{VIDEO}player_loc"),
        duration=one(node, f"{VIDEO}duration", int),
        expiration_date=one(node, f"{VIDEO}expiration_date", moment),
        rating=one(node, f"{VIDEO}rating", Decimal),
        view_count=one(node, f"{VIDEO}view_count", int),
        publication_date=one(node, f"{VIDEO}publication_date", moment),
        tags=tuple(tag.text or "" for tag in node.iterfind(f"{VIDEO}tag")),
        family_friendly=one(node, f"{VIDEO}family_friendly", flag),
        restriction=related(node, f"{VIDEO}restriction"),
        requires_subscription=one(node, f"{VIDEO}requires_subscription", flag),
        uploader=uploader.text or "",
        uploader_info=uploader.get("info"),
        platform=related(node, f"{VIDEO}platform"),
        live=one(node, f"{VIDEO}live", flag),
    )


def read_file(data):
    """The entries of a ``urlset``, by lxml and the schemas for each element."""
    return [
        UrlEntry(
            loc=one(node, f"{SM}loc"),
            lastmod=one(node, f"{SM}lastmod", moment),
            changefreq=one(node, f"{SM}changefreq", Changefreq),
            priority=one(node, f"{SM}priority", Decimal),
            alternates=tuple(
                Alternate(hreflang=link.get("hreflang"), href=link.get("href"))
                for link in node.iterfind(LINK)
            ),
            images=tuple(one(each, f"{IMAGE}loc") for each in node.iterfind(f"{IMAGE}image")),
            videos=tuple(map(video_of, node.iterfind(f"{VIDEO}video"))),
        )
        for node in etree.fromstring(data, etree.XMLParser(huge_tree=True))
    ]


def used(data):
    """The namespaces that stand in a file, and those that it declares."""
    root = etree.fromstring(data)
    return {etree.QName(node).namespace for node in root.iter(etree.Element)}, set(
        root.nsmap.values()
    )


@given(LISTS)
@SLOW
def test_any_text_in_a_valid_entry_is_valid_and_reads_back_equal(entries):
    """All that XML can hold; namespaces only where used."""
    data = one_file(entries)
    validate(data)
    assert read_file(data) == [held(entry) for entry in entries]
    there, declared = used(data)
    assert there == declared


@given(st.lists(ANYTHING, min_size=1, max_size=4), st.none() | TEXTS.filter(lambda text: text))
@SLOW
def test_any_text_in_any_field_is_well_formed_and_reads_back_equal(entries, stylesheet):
    """Also where no reader of ours would let it through: URLs, codes, languages."""
    data = one_file(entries, stylesheet)
    assert read_file(data) == [held(entry) for entry in entries]
    assert b"\r" not in data


LARGEST = 4_000


@given(
    LISTS,
    st.integers(1, 9),
    st.integers(300, LARGEST),
    st.none() | st.just("sitemap.css"),
)
@SLOW
def test_files_are_within_both_limits_and_give_all_entries_back(
    entries, max_urls, max_bytes, stylesheet
):
    """One after the other they are what came in; indexes have the newest day."""
    layout = Layout(
        filename="map.xml",
        base=BASE,
        max_urls=max_urls,
        max_bytes=max_bytes,
        stylesheet=stylesheet,
    )
    largest = max(len(one_file([entry], stylesheet)) for entry in entries)
    if largest > max_bytes:
        with pytest.raises(
            SitemapError, match=r"alone needs a sitemap of \d+ bytes, but only \d+ are allowed\."
        ):
            list(files(entries, layout))
        return
    made = {file.name: b"".join(file.pieces) for file in files(entries, layout)}
    for data in made.values():
        validate(data)
    wanted = [held(entry) for entry in entries]
    listed = members(made, "map.xml")
    assert [entry for name in listed for entry in read_file(made[name])] == wanted
    indexes = {name for name, data in made.items() if b"<sitemapindex " in data}
    assert sorted(listed) == sorted(set(made) - indexes)
    for name in listed:
        assert len(made[name]) <= max_bytes
        assert 1 <= len(read_file(made[name])) <= max_urls
        there, declared = used(made[name])
        assert there == declared


def members(made, name):
    """The files that a sitemap consists of; of an index, its dates are checked."""
    root = etree.fromstring(made[name])
    if root.tag == f"{SM}urlset":
        return [name]
    names = [node.findtext(f"{SM}loc").removeprefix(BASE) for node in root]
    assert list(made).index(name) > max(map(list(made).index, names)), "each before its index"
    for node, member in zip(root, names, strict=True):
        days = [entry.lastmod for entry in read_file(made[member])]
        newest = None if None in days else max(days, key=instant)
        reported = one(node, f"{SM}lastmod", moment)
        assert (reported is None) is (newest is None)
        assert reported is None or instant(reported) == instant(newest)
    return names


def instant(when):
    return when if isinstance(when, datetime) else datetime(*when.timetuple()[:3], tzinfo=UTC)
