"""Elements of a sitemap read back as entries."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from one_file import one_file
from strategies import LOCS, MOMENTS, PATHS, PRIORITIES

from mkdocs_sitemap_plus.command.reader.read import Lines, entries_of
from mkdocs_sitemap_plus.sitemap import xml
from mkdocs_sitemap_plus.sitemap.entries import (
    Alternate,
    Changefreq,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
)

SPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
)
CHANGEFREQS = "always, hourly, daily, weekly, monthly, yearly or never"
LOC = "<loc>https://example.com/</loc>"
HOME = UrlEntry(loc="https://example.com/")
WHEN = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"


def read(inside, kind="url"):
    """The entry of one element, with its problems as lines; it stands in the second line."""
    data = f"<urlset {SPACES}>\n<{kind}>{inside}</{kind}></urlset>".encode()
    problems = []
    elements = xml.read(data, "s.xml").entries
    entry = next(entries_of(elements, kind, Lines(data), "s.xml", problems), None)
    return entry, [str(problem) for problem in problems]


def test_every_field_is_read():
    """What the protocol and its extensions allow, with white space and in any order."""
    found = read(
        """
        <priority> 0.5 </priority><changefreq>daily</changefreq>
        <lastmod>2026-11-20T10:00:00+01:00</lastmod>
        <loc>
          https://example.com/?a=1&amp;b=2
        </loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>
        <xhtml:link rel="amphtml" href="https://example.com/amp/"/>
        <xhtml:link rel="alternate" media="(max-width: 9em)" href="https://m.example.com/"/>
        <image:image><image:loc>https://example.com/a.png</image:loc></image:image>
        <image:image><image:loc>https://example.com/b.png</image:loc></image:image>
        <video:video>
          <video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>
          <video:title>T &lt; U</video:title><video:description>D</video:description>
          <video:content_loc>https://example.com/v.mp4</video:content_loc>
          <video:player_loc>https://example.com/v</video:player_loc>
          <video:duration>600</video:duration>
          <video:expiration_date>2027-01-02</video:expiration_date>
          <video:rating>4.5</video:rating><video:view_count>0</video:view_count>
          <video:publication_date>2026-01-02T03:04:05Z</video:publication_date>
          <video:tag>a</video:tag><video:tag>b</video:tag>
          <video:family_friendly>no</video:family_friendly>
          <video:restriction relationship="allow">DE AT</video:restriction>
          <video:requires_subscription>yes</video:requires_subscription>
          <video:uploader info="https://example.com/ann/">Ann</video:uploader>
          <video:platform relationship="deny">tv</video:platform><video:live>no</video:live>
        </video:video>
        """
    )
    assert found == (
        UrlEntry(
            loc="https://example.com/?a=1&b=2",
            lastmod=datetime.fromisoformat("2026-11-20T10:00:00+01:00"),
            changefreq=Changefreq.DAILY,
            priority=Decimal("0.5"),
            alternates=(Alternate(hreflang="de", href="https://example.com/de/"),),
            images=("https://example.com/a.png", "https://example.com/b.png"),
            videos=(
                Video(
                    thumbnail_loc="https://example.com/t.png",
                    title="T < U",
                    description="D",
                    content_loc="https://example.com/v.mp4",
                    player_loc="https://example.com/v",
                    duration=600,
                    expiration_date=date(2027, 1, 2),
                    rating=Decimal("4.5"),
                    view_count=0,
                    publication_date=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
                    tags=("a", "b"),
                    family_friendly=False,
                    restriction=Restriction(allow=True, names=("DE", "AT")),
                    requires_subscription=True,
                    uploader="Ann",
                    uploader_info="https://example.com/ann/",
                    platform=Restriction(allow=False, names=("tv",)),
                    live=False,
                ),
            ),
        ),
        [],
    )


def test_a_time_may_be_fourteen_hours_from_utc():
    """The greatest offset of XML Schema, and that of the Line Islands."""
    lastmod = "2026-11-20T10:00:00+14:00"
    entry = replace(HOME, lastmod=datetime.fromisoformat(lastmod))
    assert read(f"{LOC}<lastmod>{lastmod}</lastmod>") == (entry, [])


WRONG = {
    "<lastmod>2026-11-20T10:00:00+14:01</lastmod>": (
        f"lastmod is '2026-11-20T10:00:00+14:01', but must be {WHEN}"
    ),
    "<lastmod>2026-11</lastmod>": f"lastmod is '2026-11', but must be {WHEN}",
    "<lastmod/>": f"lastmod is '', but must be {WHEN}",
    "<changefreq>x</changefreq>": f"changefreq is 'x', but must be {CHANGEFREQS}",
    "<priority>2</priority>": "priority is '2', but must be a number from 0.0 to 1.0",
    '<xhtml:link rel="alternate" hreflang="de"/>': "xhtml:link for 'de' has no href",
    '<xhtml:link rel="alternate" href="https://example.com/de/"/>': ("xhtml:link has no hreflang"),
    "<image:image/>": "image:image has no image:loc in it",
}


def test_an_invalid_field_is_reported_and_not_read():
    """The rest of the entry is read as it is."""
    assert {inside: read(LOC + inside) for inside in WRONG} == {
        inside: (HOME, [f"s.xml:2: {line}. It is not read."]) for inside, line in WRONG.items()
    }


@pytest.mark.parametrize("kind", ["url", "sitemap"])
def test_an_entry_without_a_url_is_none(kind):
    """With a problem."""
    reported = f"s.xml:2: {kind} has no loc in it. It is not read."
    assert read("<lastmod>2026-11-20</lastmod>", kind) == (None, [reported])


@pytest.mark.parametrize(
    ("loc", "fault"),
    [
        ("/a/", "is not an http or https URL"),
        ("https://[/", "has a host that can't exist"),
        ("https://example.com:x/", "has a port that can't exist"),
        ("https://[@example.com/", "has a host or a port that is not valid"),
        ("https://example.com/\x9b31m", "has the character '\\x9b', which is not allowed in a URL"),
    ],
)
def test_a_loc_that_is_no_url_is_no_entry(loc, fault):
    """Nor is one that would command the terminal on which it is printed."""
    entry, lines = read(f"<loc>{loc}</loc>")
    shown = repr(loc).replace("[@", "***@")  # the user is not shown
    assert entry is None
    assert lines == [f"s.xml:2: loc is {shown}, which {fault}. It is not read."]


def test_the_first_of_two_counts():
    """Each core field may stand once (sitemaps.org)."""
    found = read(LOC + "<priority>0.1</priority><priority>0.2</priority>")
    reported = "s.xml:2: priority is allowed only once in url. It is not read."
    assert found == (replace(HOME, priority=Decimal("0.1")), [reported])


VIDEO = "<video:{0}>{1}</video:{0}>".format
WHOLE_VIDEO = {
    "thumbnail_loc": "https://example.com/t.png",
    "title": "T",
    "description": "D",
    "content_loc": "https://example.com/v",
}


@pytest.mark.parametrize("missing", ["title", "content_loc"])
def test_a_video_without_what_it_must_have_is_not_read(missing):
    """It would be no video to anybody."""
    inside = "".join(VIDEO(name, text) for name, text in WHOLE_VIDEO.items() if name != missing)
    either = " or video:player_loc" if missing == "content_loc" else " in it"
    reported = f"s.xml:2: video:video has no video:{missing}{either}. It is not read."
    assert read(f"{LOC}<video:video>{inside}</video:video>") == (HOME, [reported])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("duration", "٣", "a whole number from 1 to 28,800"),
        ("duration", "28801", "a whole number from 1 to 28,800"),
        ("view_count", "9" * 5000, "a whole number from 0 to 1,000,000,000,000,000"),
        ("rating", "NaN", "a number from 0.0 to 5.0"),
        ("rating", "5.1", "a number from 0.0 to 5.0"),
        ("live", "true", "yes or no"),
    ],
)
def test_a_field_of_a_video_that_cannot_be_right_is_not_read(name, text, expected):
    """The video is read without it."""
    inside = "".join(VIDEO(*field) for field in WHOLE_VIDEO.items()) + VIDEO(name, text)
    shown = repr(text) if len(text) < 78 else repr(text)[:77] + "..."
    reported = f"s.xml:2: video:{name} is {shown}, but must be {expected}. It is not read."
    assert read(f"{LOC}<video:video>{inside}</video:video>") == (
        replace(HOME, videos=(Video(**WHOLE_VIDEO),)),
        [reported],
    )


@pytest.mark.parametrize(
    ("name", "attribute", "text"),
    [
        ("restriction", 'relationship="forbid"', "DE AT"),
        ("restriction", 'relationship="allow"', "\xa0"),
        ("platform", "", "tv"),
    ],
)
def test_a_video_with_limits_that_cannot_be_read_is_not_read(name, attribute, text):
    """Without them it would be allowed everywhere, for instance in a merged sitemap."""
    inside = "".join(VIDEO(*field) for field in WHOLE_VIDEO.items())
    inside += f"<video:{name} {attribute}>{text}</video:{name}>"
    said = [f"s.xml:2: video:video has no {name} that can be read. It is not read."]
    assert read(f"{LOC}<video:video>{inside}</video:video>") == (HOME, said)


def test_a_video_that_is_denied_nowhere_has_no_limits():
    """The schema allows an empty list of countries, and one of devices."""
    inside = "".join(VIDEO(*field) for field in WHOLE_VIDEO.items())
    inside += '<video:platform relationship="deny"> \n </video:platform>'
    expected = (replace(HOME, videos=(Video(**WHOLE_VIDEO),)), [])
    assert read(f"{LOC}<video:video>{inside}</video:video>") == expected


def test_an_entry_of_an_index_is_read():
    """It has a URL and perhaps a date."""
    entry = SitemapEntry(loc="https://example.com/", lastmod=date(2026, 11, 20))
    assert read(LOC + "<lastmod>2026-11-20</lastmod>", "sitemap") == (entry, [])


def entries(urls):
    """Entries with any value that is right, whose URLs are drawn from these."""
    codes = st.sampled_from(["de", "x-default"])
    return st.builds(
        UrlEntry,
        loc=urls,
        lastmod=st.none() | st.dates() | MOMENTS,
        changefreq=st.none() | st.sampled_from(Changefreq),
        priority=st.none() | PRIORITIES,
        images=st.lists(urls, max_size=2).map(tuple),
        alternates=st.lists(st.builds(Alternate, hreflang=codes, href=urls), max_size=3).map(tuple),
    )


@given(st.lists(entries(LOCS), min_size=1, max_size=5))
def test_what_is_written_is_read_back(written):
    """Any entry, whatever letters are in it, comes back as it was."""
    data, problems = one_file(written), []
    found = xml.read(data, "s.xml").entries
    assert [*entries_of(found, "url", Lines(data), "s.xml", problems)] == written
    assert problems == []


@given(entries(PATHS.map(lambda path: f"https://example.com/{quote(path)}")))
def test_an_entry_with_escaped_urls_has_no_problem(entry):
    """Whatever letters the paths have."""
    assert entry.problems() == []


TIME = datetime(2026, 11, 20, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("changed", "field", "clause"),
    [
        ({"loc": "/a/"}, "loc", "is '/a/', which is not an http or https URL"),
        ({"loc": ""}, "loc", "is missing"),
        (
            {"lastmod": TIME.replace(tzinfo=None)},
            "lastmod",
            f"is '2026-11-20T10:00:00', but {WHEN}",
        ),
        ({"lastmod": "2026-11-20"}, "lastmod", "is of the type str, but must be of date"),
        ({"changefreq": "Daily"}, "changefreq", f"is 'Daily', but must be {CHANGEFREQS}"),
        (
            {"priority": Decimal("NaN")},
            "priority",
            "is 'NaN', but must be a number from 0.0 to 1.0",
        ),
        ({"priority": 0.5}, "priority", "is of the type float, but must be of Decimal"),
        (
            {"images": (HOME.loc, "a.png")},
            "images[1]",
            "is 'a.png', which is not an http or https URL",
        ),
        (
            {"images": (HOME.loc,) * 1001},
            "images",
            "has 1,001 images, but at most 1,000 are allowed",
        ),
        (
            {"alternates": (Alternate(hreflang="de_AT", href=HOME.loc),)},
            "alternates[0].hreflang",
            "is 'de_AT', but must be a language code such as de, pt-BR or zh-Hant",
        ),
        ({"alternates": ("de",)}, "alternates[0]", "is of the type str, but must be of Alternate"),
    ],
)
def test_an_entry_says_what_is_wrong_with_it(changed, field, clause):
    """By the table by which others' entries are read."""
    clause = clause.replace(f"but {WHEN}", f"but must be {WHEN}")
    assert [(each.field, each.clause) for each in replace(HOME, **changed).problems()] == [
        (field, clause)
    ]


def test_nothing_is_wrong_with_as_much_as_is_allowed():
    """Of images, and of a video's title, tags and seconds."""
    values = WHOLE_VIDEO | {"title": "x" * 100, "tags": ("x",) * 32, "duration": 28_800}
    entry = replace(HOME, images=(HOME.loc,) * 1000, videos=(Video(**values),))
    assert entry.problems() == []


@pytest.mark.parametrize(
    ("changed", "field", "clause"),
    [
        ({"title": "x" * 101}, ".title", "has 101 characters, but at most 100 are allowed"),
        ({"title": ""}, ".title", "is missing"),
        ({"content_loc": None}, "", "has no content_loc and no player_loc"),
        ({"player_loc": HOME.loc}, ".player_loc", "is the page itself"),
        ({"duration": 0}, ".duration", "is '0', but must be a whole number from 1 to 28,800"),
        ({"tags": ("x",) * 33}, ".tags", "has 33 tags, but at most 32 are allowed"),
    ],
)
def test_an_entry_says_what_is_wrong_with_its_videos(changed, field, clause):
    """Other fields of a video are written as they are given."""
    video = replace(Video(**WHOLE_VIDEO, rating=Decimal(9)), **changed)
    assert [each[::2] for each in replace(HOME, videos=(video,)).problems()] == [
        (f"videos[0]{field}", clause)
    ]
