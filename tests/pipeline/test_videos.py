"""Videos that front matter describes: what is right is listed, what is wrong is reported."""

from dataclasses import fields
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from decided import URL, decided, page, site_of

from mkdocs_sitemap_plus.pipeline.media import VIDEO_KEYS
from mkdocs_sitemap_plus.sitemap import Restriction, Video

LEAST = {
    "thumbnail": "https://cdn.example/t.jpg",
    "title": "Film",
    "description": "A film.",
    "content": "https://cdn.example/f.mp4",
}
VIDEO = Video(
    thumbnail_loc="https://cdn.example/t.jpg",
    title="Film",
    description="A film.",
    content_loc="https://cdn.example/f.mp4",
)
OUT, DROPPED = "It is not written.", "The video is not listed."
DATE = "a date such as 2026-11-20 or a datetime such as 2026-11-20T10:00:00+01:00"


def videos(*said, root=Path("/nowhere")):
    """The videos of a page, and its problems without ``docs/a.md: sitemap.videos``."""
    own = page("a", meta={"sitemap": {"videos": list(said)}})
    entries, problems = decided(site_of(own, root=root))
    start = "docs/a.md: sitemap.videos"
    assert all(problem.startswith(start) for problem in problems)
    return entries["a/"].videos, [problem.removeprefix(start) for problem in problems]


def test_every_field_is_read(tmp_path):
    """By the short names; none of the protocol's fields is forgotten."""
    said = LEAST | {
        "player": "https://cdn.example/p?v=1",
        "duration": 600,
        "expiration_date": date(2027, 1, 1),
        "rating": 4.5,
        "view_count": "1000",
        "publication_date": "2026-11-01T10:00:00",
        "tags": ["lamp", 2026],
        "family_friendly": False,
        "restriction": {"allow": ["de", "AT", "DE"]},
        "platform": {"deny": "tv web"},
        "requires_subscription": "no",
        "uploader": "Ann",
        "uploader_info": "https://web.example/ann/",
        "live": True,
    }
    assert set(said) == set(VIDEO_KEYS)
    expected = Video(
        thumbnail_loc="https://cdn.example/t.jpg",
        title="Film",
        description="A film.",
        content_loc="https://cdn.example/f.mp4",
        player_loc="https://cdn.example/p?v=1",
        duration=600,
        expiration_date=date(2027, 1, 1),
        rating=Decimal("4.5"),
        view_count=1000,
        publication_date=datetime(2026, 11, 1, 10, tzinfo=UTC),
        tags=("lamp", "2026"),
        family_friendly=False,
        restriction=Restriction(allow=True, names=("DE", "AT")),
        requires_subscription=False,
        uploader="Ann",
        uploader_info="https://web.example/ann/",
        platform=Restriction(allow=False, names=("tv", "web")),
        live=True,
    )
    (tmp_path / "site" / "ann").mkdir(parents=True)
    assert videos(said, root=tmp_path) == ((expected,), [])
    assert len(VIDEO_KEYS) == len(fields(Video))


WRONG = [
    ("title", "x" * 101, "which has 101 characters, but at most 100 are allowed"),
    ("title", "", "but must be a text"),
    ("title", ["a"], "but must be a text"),
    ("description", "x" * 2049, "which has 2049 characters, but at most 2048 are allowed"),
    ("thumbnail", "ftp://h/", "which is not an http or https URL"),
    (
        "thumbnail",
        "none.png",
        "but must be a file of the built site, as a path from the page's source, or a URL",
    ),
    ("content", f"{URL}a/", "which is the URL of the page itself"),
]


@pytest.mark.parametrize(("key", "value", "expected"), WRONG)
def test_a_wrong_field_that_it_needs_drops_the_video(tmp_path, key, value, expected):
    """With one warning for the field."""
    site = tmp_path / "site" / "a"
    site.mkdir(parents=True)
    own = page("a", meta={"sitemap": {"videos": [LEAST | {key: value}, LEAST]}})
    entries, problems = decided(site_of(own, root=tmp_path))
    assert entries["a/"].videos == (VIDEO,)
    (reported,) = problems
    shown = "'" + value if isinstance(value, str) and value else ""
    assert reported.startswith(f"docs/a.md: sitemap.videos[0].{key} is {shown[:70]}")
    assert reported.endswith(f", {expected}. {DROPPED}")


@pytest.mark.parametrize(
    ("missing", "reported"),
    [
        ("thumbnail", "[0] has no thumbnail"),
        ("title", "[0] has no title"),
        ("description", "[0] has no description"),
        ("content", "[0] has no content or player"),
    ],
)
def test_a_missing_field_that_it_needs_drops_the_video(missing, reported):
    """Also an empty one."""
    assert videos({**LEAST, missing: None}) == ((), [f"{reported}. {DROPPED}"])


@pytest.mark.parametrize(
    ("key", "value", "text", "expected"),
    [
        ("duration", 0, "0", "but must be a whole number from 1 to 28800"),
        ("duration", 28801, "28801", "but must be a whole number from 1 to 28800"),
        ("rating", 5.1, "5.1", "but must be a number from 0 to 5.0"),
        ("view_count", -1, "-1", "but must be a whole number from 0 to 1000000000000000"),
        ("publication_date", 2026, "2026", f"but must be {DATE}"),
        ("expiration_date", "2026-02-29", "'2026-02-29'", "which is not a date that exists"),
        ("tags", [], "[]", "but must be a list of 1 to 32 texts"),
        ("family_friendly", "maybe", "'maybe'", "but must be true or false"),
    ],
)  # fmt: skip
def test_another_wrong_field_is_left_out(key, value, text, expected):
    """The video stays."""
    reported = [f"[0].{key} is {text}, {expected}. {OUT}"]
    assert videos(LEAST | {key: value}) == ((VIDEO,), reported)


@pytest.mark.parametrize(
    ("key", "value", "reported"),
    [
        ("restriction", "DE", " is 'DE', but must be a mapping of allow or deny to a list"),
        ("platform", {"only": ["tv"]},
         " is {'only': ['tv']}, but must be a mapping of allow or deny to a list"),
        ("platform", {"allow": []}, ".allow is [], but must be a list"),
    ],
)  # fmt: skip
def test_a_video_with_a_wrong_limit_is_not_listed(key, value, reported):
    """Without the limit, everybody could play it."""
    assert videos(LEAST | {key: value}) == ((), [f"[0].{key}{reported}. {DROPPED}"])


def test_at_most_32_tags():
    """More are none."""
    (video,), reported = videos(LEAST | {"tags": ["t"] * 32})
    assert (len(video.tags), reported) == (32, [])
    (video,), (reported,) = videos(LEAST | {"tags": ["t"] * 33})
    assert video.tags == ()
    assert reported.endswith(f", which has 33 texts, but at most 32 are allowed. {OUT}")


def test_a_title_that_yaml_reads_as_false_is_no_text():
    """The video has no title then, so it is not listed."""
    assert videos(LEAST | {"title": False}) == (
        (),
        [
            (
                "[0].title is false, but must be a text. The video is not listed. Put it in "
                "quotes: YAML reads the words yes, no, on and off as true and false."
            )
        ],
    )


def test_an_unknown_key_is_reported_with_the_known_ones():
    """The video stays."""
    known = ", ".join(VIDEO_KEYS)
    assert videos(LEAST | {"xyz": 3}) == (
        (VIDEO,),
        [f"[0].xyz is not a known key (known: {known}). It is ignored."],
    )


def test_white_space_and_what_xml_can_t_hold_go():
    """The rest of the text stays, with a warning for what is worth one."""
    (video,), reported = videos(
        LEAST | {"title": " A\n\tfilm\x08\ud800 ", "description": "B\u2028"}
    )
    assert (video.title, video.description) == ("A film", "B\u2028")
    assert reported == [
        (
            "[0].title has the character U+0008, which XML does not allow. "
            "The text is written without it."
        )
    ]


def test_a_video_that_is_no_mapping_is_one_warning():
    """All of them are left out."""
    assert videos(LEAST, "film.mp4")[0] == ()
    assert videos("film.mp4")[1] == [
        " is ['film.mp4'], but must be a list of mappings. No videos are written."
    ]
