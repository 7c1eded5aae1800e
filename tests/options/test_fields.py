"""What people write in a field, and what the sitemap has then."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from dateutil import tz
from hypothesis import example, given
from hypothesis import strategies as st
from readers import (
    read_changefreq,
    read_flag,
    read_lastmod,
    read_priority,
)
from sites import CHANGEFREQS, DATES

from mkdocs_sitemap_plus.generator.options.fields import SITEMAP_KEYS, read_front_matter
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place
from mkdocs_sitemap_plus.sitemap.entries import Changefreq
from mkdocs_sitemap_plus.sitemap.protocol import lastmod_text
from mkdocs_sitemap_plus.sitemap.urls import loc_fault
from mkdocs_sitemap_plus.sitemap.write import decimal_text

BERLIN = tz.gettz("Europe/Berlin")


def place(key):
    return Place(origin=Origin.FRONT_MATTER, file="a.md", key=f"sitemap.{key}", line=3)


def line(key, shown, expected):
    """A problem, whole; what then happens is decided where the field is used."""
    return f"a.md:3: sitemap.{key} is {shown}, but must be {expected}."


@pytest.mark.parametrize("raw", ["daily", "NEVER", " Weekly "])
def test_a_changefreq_is_taken_in_any_case(raw):
    """Of those of the protocol."""
    assert read_changefreq(raw, place("changefreq")) == (Changefreq(raw.strip().lower()), [])


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        pytest.param("biweekly", "'biweekly'", id="biweekly"),
        pytest.param(7, "7", id="number"),
        pytest.param(["daily"], "['daily']", id="list"),
        pytest.param(True, "true", id="yes-without-quotes"),
        pytest.param(False, "false", id="no-without-quotes"),
    ],
)
def test_another_changefreq_is_a_warning(raw, shown):
    """The problem names the seven words."""
    value, (problem,) = read_changefreq(raw, place("changefreq"))
    assert value is None
    assert str(problem) == line("changefreq", shown, f"one of {CHANGEFREQS}")
    assert problem.level is Level.WARNING


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (".5", "0.5"), ("1.", "1.0"), (" 0.80 ", "0.8"), ("+0.5", "0.5"), ("-0.0", "0.0"),
        (0, "0.0"), (1, "1.0"), (1e-19, "0.0000000000000000001"),
    ],
    ids=repr,
)  # fmt: skip
def test_priority_is_printed_as_a_plain_decimal(raw, text):
    """A number from 0.0 to 1.0 keeps its value, with a digit on each side of the point."""
    priority, problems = read_priority(raw, place("priority"))
    assert (decimal_text(priority), problems) == (text, [])


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        pytest.param(1.01, "1.01", id="1.01"),
        pytest.param(-0.1, "-0.1", id="negative"),
        pytest.param("5e-1", "'5e-1'", id="exponent-in-text"),
        pytest.param("0,5", "'0,5'", id="comma"),
        pytest.param("5,0", "'5,0'", id="comma-and-too-large"),
        pytest.param("\u0660.\u0665", "'\u0660.\u0665'", id="arabic-digit"),
        pytest.param(float("nan"), "nan", id="nan"),
        pytest.param(True, "true", id="true"),
        pytest.param(False, "false", id="false"),
        pytest.param([0.5], "[0.5]", id="list"),
        pytest.param(10**400, "1" + 76 * "0" + "...", id="huge"),
        pytest.param(9e-20, "9e-20", id="a-digit-too-far"),
        pytest.param("0." + 200 * "0" + "1", "'0." + 74 * "0" + "...", id="tiny-in-text"),
    ],
)
def test_another_priority_is_a_warning(raw, shown):
    """What is no number from 0.0 to 1.0 is a problem."""
    value, (problem,) = read_priority(raw, place("priority"))
    assert value is None
    assert str(problem) == line("priority", shown, "a number from 0.0 to 1.0")
    assert problem.level is Level.WARNING


@given(
    st.floats(0, 1)
    | st.decimals(0, 1, allow_nan=False)
    | st.text("019", max_size=300).map("0.{}".format)
    | st.integers(0, 330).map(lambda zeros: "0." + zeros * "0" + "1")
)
@example(5e-324)
def test_a_priority_that_is_taken_is_short(raw):
    """Yandex takes at most 100 bytes; what would be longer is no priority."""
    priority, problems = read_priority(raw, place("priority"))
    assert problems or len(decimal_text(priority)) <= 100


def test_a_number_too_long_to_print_is_a_warning_too():
    """Python prints no integer of more than 4,300 digits; YAML reads 0x… of any length."""
    value, (problem,) = read_priority(10**5000, place("priority"))
    assert value is None
    assert len(str(problem)) < 300


@pytest.mark.parametrize("raw", ["high", 5, True])
def test_a_short_priority_that_is_none_belongs_to_another_tool(raw):
    """An issue tracker's ``priority: high`` fails no strict build, and a rule may set another."""
    overrides, (problem,) = read_front_matter({"priority": raw}, "a.md", {"priority": 2}, UTC, ())
    assert (problem.level, str(problem.place)) == (Level.NOTE, "a.md:2: priority")
    assert "priority" not in overrides.places
    long = {"sitemap": {"priority": raw}}
    overrides, (problem,) = read_front_matter(long, "a.md", {}, UTC, ())
    assert problem.level is Level.WARNING
    assert "priority" in overrides.places


@pytest.mark.parametrize(
    ("raw", "value"),
    [(True, True), (False, False), ("FALSE", False), (" yes ", True), ("on", True)],
    ids=repr,
)  # fmt: skip
def test_a_flag_is_also_taken_as_the_text_of_a_multimarkdown_header(raw, value):
    """``exclude: true``, however the header is written."""
    assert read_flag(raw, place("exclude")) == (value, [])


@pytest.mark.parametrize(
    ("raw", "shown"),
    [("maybe", "'maybe'"), (1, "1"), ([], "[]"), ("", "''")],
    ids=repr,
)
def test_another_flag_is_a_warning(raw, shown):
    """Numbers are no flags, nor is anything that can't be hashed."""
    value, (problem,) = read_flag(raw, place("exclude"))
    assert value is None
    assert str(problem) == line("exclude", shown, "true or false")


AT_TEN = datetime(2024, 1, 2, 10, 0, 0, tzinfo=UTC)
PLUS_TWO = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (date(2024, 1, 2), "2024-01-02"),
        ("2024-01-02", "2024-01-02"),
        (AT_TEN, "2024-01-02T10:00:00+00:00"),
        (AT_TEN.replace(tzinfo=PLUS_TWO), "2024-01-02T10:00:00+02:00"),
        (AT_TEN.replace(tzinfo=None), "2024-01-02T10:00:00+01:00"),
        ("2024-07-02T10:00:00", "2024-07-02T10:00:00+02:00"),
        ("2024-01-02T10:00Z", "2024-01-02T10:00:00+00:00"),
        ("2024-01-02  10:00:00 +0000", "2024-01-02T10:00:00+00:00"),
        ("2024-01-02t10:00:00z", "2024-01-02T10:00:00+00:00"),
        ("2024-01-02T10:00:00.123456789Z", "2024-01-02T10:00:00+00:00"),
        ("2024-01-02T10:00:00-00:00", "2024-01-02T10:00:00+00:00"),
        ("2024-01-02T10:00:00-0330", "2024-01-02T10:00:00-03:30"),
        ("2024-01-02T10:00:00+14:00", "2024-01-02T10:00:00+14:00"),
        ("2024-12-31T23:59:60Z", "2024-12-31T23:59:59+00:00"),
        ("2024-02-28T24:00Z", "2024-02-29T00:00:00+00:00"),
        ("1990-01-01", "1990-01-01"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59+00:00"),
    ],
    ids=repr,
)  # fmt: skip
def test_a_date_is_written_as_w3c_and_xml_schema_both_take_it(raw, text):
    """A date stays a date; a time has seconds and an offset, in Berlin where none was written."""
    when, problems = read_lastmod(raw, place("lastmod"), BERLIN)
    assert (lastmod_text(when), problems) == (text, [])


@pytest.mark.parametrize("raw", [False, " False "], ids=repr)
def test_lastmod_false_leaves_the_page_undated(raw):
    """Also as the text of a MultiMarkdown header."""
    assert read_lastmod(raw, place("lastmod"), UTC) == (False, [])


ALLOWED = f"but must be {DATES}"
NOT_THERE = "which is not a date that exists"
OLD = "which is before there was a web"
TOO_FAR = "which has an offset of more than 14:00"


@pytest.mark.parametrize(
    ("raw", "shown", "fault"),
    [
        pytest.param(2026, "2026", ALLOWED, id="year-as-a-number"),
        pytest.param("2026-11", "'2026-11'", ALLOWED, id="month"),
        pytest.param("2026-11-20T10", "'2026-11-20T10'", ALLOWED, id="hour-alone"),
        pytest.param("\u0662024-01-02", "'\u0662024-01-02'", ALLOWED, id="arabic-digit"),
        pytest.param("0000-01-01", "'0000-01-01'", NOT_THERE, id="year-0"),
        pytest.param("0026-03-14", "'0026-03-14'", OLD, id="year-26"),
        pytest.param(date(1989, 12, 31), "1989-12-31", OLD, id="1989"),
        pytest.param("1/3/2025", "'1/3/2025'", ALLOWED, id="two-readings"),
        pytest.param("March 2026", "'March 2026'", ALLOWED, id="no-day"),
        pytest.param("2026-13-01", "'2026-13-01'", NOT_THERE, id="month-13"),
        pytest.param("2026-13-01T10:00+24:00", "'2026-13-01T10:00+24:00'", NOT_THERE, id="both"),
        pytest.param("2026-01-02T24:01Z", "'2026-01-02T24:01Z'", NOT_THERE, id="24:01"),
        pytest.param("9999-12-31T24:00Z", "'9999-12-31T24:00Z'", NOT_THERE, id="after-the-end"),
        pytest.param(
            "2026-01-02T10:00+02:60", "'2026-01-02T10:00+02:60'", ALLOWED, id="offset-minute-60"
        ),
        pytest.param(
            "2026-01-02T10:00+14:01", "'2026-01-02T10:00+14:01'", TOO_FAR, id="offset-14:01"
        ),
        pytest.param(["2024-01-02"], "['2024-01-02']", ALLOWED, id="list"),
    ],
)
def test_a_date_that_can_not_be_right_is_a_warning(raw, shown, fault):
    """The problem names what is allowed, and nothing is written."""
    value, (problem,) = read_lastmod(raw, place("lastmod"), BERLIN)
    assert value is None
    assert str(problem) == f"a.md:3: sitemap.lastmod is {shown}, {fault}."
    assert problem.level is Level.WARNING


def test_lastmod_true_asks_for_a_date():
    """``true`` is no date; nor is ``yes``, which YAML makes of it."""
    _, (problem,) = read_lastmod(True, place("lastmod"), UTC)  # noqa: FBT003 - what YAML gives
    assert str(problem) == line("lastmod", "true", DATES)


@pytest.mark.parametrize(
    "raw",
    ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "0001-01-01T00:00:00+14:00"],
)
def test_the_first_and_the_last_moment_do_not_break_the_build(raw):
    """Whatever comes, it is a value or a problem."""
    value, problems = read_lastmod(raw, place("lastmod"), BERLIN)
    assert isinstance(value, datetime) is not bool(problems)


@given(st.text(alphabet="0123456789-:TtZz+ .", max_size=30))
def test_whatever_is_read_as_a_date_prints_as_one(raw):
    """No text at all raises; what is taken has one of the two forms."""
    value, problems = read_lastmod(raw, place("lastmod"), BERLIN)
    assert (value is None) is bool(problems)
    if value:
        text = lastmod_text(value)
        assert len(text) in (10, 25)
        assert (datetime if len(text) == 25 else date).fromisoformat(text) == value


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.datetimes()
    | st.dates() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@given(ANYTHING)
def test_no_value_of_yaml_breaks_a_reader(raw):
    """Every reader gives a value or a problem that can be printed in one line."""
    results = [
        read_changefreq(raw, place("changefreq")),
        read_priority(raw, place("priority")),
        read_flag(raw, place("exclude")),
        read_lastmod(raw, place("lastmod"), BERLIN),
    ]
    for value, problems in results:
        assert (value is None) is bool(problems)
        assert all(len(str(each).splitlines()) == 1 for each in problems)


@pytest.mark.parametrize(
    ("loc", "fault"),
    [
        pytest.param("https://h/" + "a" * 2037, None, id="2047-characters"),
        pytest.param(
            "https://h/" + "a" * 2038,
            "has 2048 characters, where the protocol allows 2047",
            id="2048-characters",
        ),
        pytest.param("https://h/%C3%A9/%27", None, id="escapes"),
        pytest.param(
            "https://h/%zz", "has a % that is not followed by two hexadecimal digits", id="zz"
        ),
        pytest.param("https://h/a#b", "has a fragment", id="fragment"),
        pytest.param(
            "https://h/a b", "has the character ' ', which is not allowed in a URL", id="blank"
        ),
        pytest.param(
            "https://h/a\x08",
            r"has the character '\x08', which is not allowed in a URL",
            id="control",
        ),
        pytest.param(
            "https://h/\uffff",
            r"has the character '\uffff', which is not allowed in a URL",
            id="ffff",
        ),
        pytest.param("ftp://h/", "is not an http or https URL", id="ftp"),
        pytest.param("/a/", "is not an http or https URL", id="relative"),
    ],
)
def test_what_keeps_a_url_out_of_the_sitemap(loc, fault):
    """Length, escapes, fragments, characters and scheme."""
    assert loc_fault(loc) == fault


@pytest.mark.parametrize("field", SITEMAP_KEYS)
def test_the_warning_of_a_wrong_value_says_what_happens(field):
    """For each field of front matter."""
    _, problems = read_front_matter({"sitemap": {field: 3.5}}, "index.md", {}, UTC, ())
    assert [problem.place.key for problem in problems if problem.done] == [f"sitemap.{field}"]


def test_each_field_has_a_code_of_its_name():
    """Otherwise its problems have the code of options."""
    assert set(SITEMAP_KEYS) <= set(Code)
