"""How messages write values, names, counts and errors: in one short line, whatever is in them."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_sitemap_plus.wording import (
    MAX_TEXT,
    MAX_VALUE,
    counted,
    describe_error,
    first_names,
    format_key,
    format_value,
    listing,
    printable,
    shorten,
    without_users,
)


class Watched(list):
    """A list that counts how often one of them is gone through."""

    looks = 0

    def __iter__(self):
        Watched.looks += 1
        return super().__iter__()


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (None, "empty"),
        (True, "true"),
        (False, "false"),
        (7, "7"),
        (0.5, "0.5"),
        (float("nan"), "nan"),
        (Decimal("0.50"), "0.50"),
        ("daily", "'daily'"),
        ("it's", '"it\'s"'),
        (b"\xff", r"b'\xff'"),
        (date(2026, 11, 20), "2026-11-20"),
        (datetime(2026, 11, 20, 10, tzinfo=UTC), "2026-11-20T10:00:00+00:00"),
        ([], "[]"),
        (["a", 1, None], "['a', 1, null]"),
        ([True, {False: 1}], "[true, {false: 1}]"),
        (("a",), "('a')"),
        ({"a": {"b": [1]}}, "{'a': {'b': [1]}}"),
        ({"created": date(2026, 11, 20)}, "{'created': 2026-11-20}"),
        ([datetime(2026, 11, 20, 10, tzinfo=UTC)], "[2026-11-20T10:00:00+00:00]"),
        ({3}, "{3}"),
        (range(3), "a range"),
    ],
)
def test_a_value_is_written_as_its_author_wrote_it_nearly(raw, text):
    """Of an object of a foreign class only the class is named."""
    assert format_value(raw) == text


@pytest.mark.parametrize(
    ("raw", "start"),
    [
        ("x" * 10**7, "'xxx"),
        (list(range(10**6)), "[0, 1, 2, "),
        ({number: number for number in range(10**5)}, "{0: 0, 1: 1, "),
        (10**400, "1000"),
        (16**5000, "0x1000"),
        (-(16**5000), "-0x1000"),
    ],
    ids=["text", "list", "mapping", "int", "hex", "negative"],
)
def test_a_huge_value_is_cut(raw, start):
    """Three dots stand for the rest; Python itself prints no integer of 4,300 digits."""
    text = format_value(raw)
    assert text.startswith(start)
    assert text.endswith("...")
    assert len(text) == MAX_VALUE


def test_aliases_are_not_unfolded():
    """A few lines of YAML can name more parts than a machine can write; 91 of them are read."""
    nested = Watched(["a"])
    for _ in range(4):
        nested = Watched([nested] * 9)
    Watched.looks = 0
    assert format_value(nested).startswith("[[[..., ..., ")
    assert Watched.looks <= 1 + 9 + 81
    assert len(format_value({"a": nested, "b": nested})) == MAX_VALUE


def test_a_list_that_contains_itself_is_cut():
    """YAML can write such a list: ``&a [*a]``."""
    assert format_value(yaml.safe_load("&a [*a]")) == "[[[...]]]"
    assert format_value(yaml.safe_load("&a {b: *a}")) == "{'b': {'b': {'b': ...}}}"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.dates(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
)


@given(VALUES)
def test_every_value_is_one_short_printable_line(raw):
    """Whatever YAML gives."""
    text = format_value(raw)
    assert text
    assert len(text) <= MAX_VALUE
    assert text.isprintable()


@given(st.text())
def test_printable_text_has_one_line_and_no_control_characters(text):
    """Text without such characters stays as it is."""
    assert printable(text).isprintable()
    assert printable(text) == text or not text.isprintable() or "://" in text or "##" in text
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("Grüße 🎉", "Grüße 🎉"),
        ("a\n::error::b", r"a\n::error::b"),
        ("a\r\tb", r"a\r\tb"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\u2028\u202e\ud800", r"\u2028\u202e\ud800"),
        ("a ##[error]b ##vso[task.x]c ## d", r"a \x23#[error]b \x23#vso[task.x]c ## d"),
    ],
)
def test_control_characters_are_escaped(text, escaped):
    """They could begin a line of their own, or a command to a terminal or to a CI."""
    assert printable(text) == escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://token@host/", "https://***@host/"),
        ("https://user:pass@host:8000/a?b#c", "https://***@host:8000/a?b#c"),
        ("https://user:p@ss@host", "https://***@host"),
        ("for 'http://ghp_SECRET@127.0.0.1': no", "for 'http://***@127.0.0.1': no"),
        ("ssh://git@a/b and https://x:y@c/d", "ssh://***@a/b and https://***@c/d"),
        ("https://us\ner:pass@host/", "https://***@host/"),
        ("https://" + "s" * 300, "https://***@"),
        ("https://host/@ann/page@1.2", "https://host/@ann/page@1.2"),
        ("https://host?a@b", "https://host?a@b"),
        ("https://host and Ann <ann@example.com>", "https://host and Ann <ann@example.com>"),
    ],
)
def test_a_url_is_shown_without_its_user(text, shown):
    """No reader of a log of a CI job should get a token."""
    assert printable(text) == shown


@pytest.mark.parametrize("length", [90, 250, 5_000])
def test_no_cut_leaves_a_part_of_a_password(length):
    """A user part that is cut before its end is not known by its @ any more."""
    url = f"https://user:{'s3cret' * length}@host/"
    assert format_value(url) == "'https://***@host/'"
    assert format_value([url]) == "['https://***@host/']"
    assert shorten(f"see {url}", 30) == "see https://***@host/"
    assert first_names([url]) == "https://***@host/"
    assert without_users(url) == "https://***@host/"


def test_a_long_text_is_cut():
    """Three dots stand for the rest, within the length that is allowed."""
    assert shorten("x" * MAX_TEXT) == "x" * MAX_TEXT
    assert shorten("x" * (MAX_TEXT + 1)) == "x" * (MAX_TEXT - 3) + "..."
    assert shorten("abcdefgh", 6) == "abc..."


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("exclude", "exclude"),
        ("", "''"),
        ("a\nb", r"'a\nb'"),
        (False, "false"),
        (None, "empty"),
        (7, "7"),
        ("k" * 100, "k" * 77 + "..."),
    ],
)
def test_a_key_is_written_without_quotes_if_that_is_clear(key, text):
    """An empty key, a number and a word that YAML read as a boolean are written as values are."""
    assert format_key(key) == text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no"), "ValueError: no"),
        (ValueError("two\n  lines"), "ValueError: two lines"),
        (KeyError("a\n::error::b"), r"KeyError: 'a\n::error::b'"),
        (OSError("\x1b[31mred\x07"), r"OSError: \x1b[31mred\x07"),
        (ValueError("x" * 1000), "ValueError: " + "x" * 185 + "..."),
    ],
)
def test_an_error_is_one_short_line(error, text):
    """With its type; its text may be anything."""
    assert describe_error(error) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (10001, "10,001 pages")],
)
def test_a_count_has_its_noun_in_the_right_form(count, text):
    """Thousands are separated."""
    assert counted(count, "page") == text


def test_an_irregular_plural_is_given():
    """As of entry."""
    assert [counted(each, "entry", "entries") for each in (1, 2)] == ["1 entry", "2 entries"]


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, ""), (1, "0.md"), (3, "0.md, 1.md, 2.md"), (4, "0.md, 1.md, 2.md and 1 more"),
     (2003, "0.md, 1.md, 2.md and 2,000 more")],
)  # fmt: skip
def test_of_many_names_the_first_are_written(count, text):
    """And how many others there are."""
    assert first_names([f"{number}.md" for number in range(count)]) == text


def test_a_long_name_is_cut_in_a_list_of_names():
    """A file name has up to 255 bytes, a path many times that."""
    long = "x" * 4000
    assert first_names([long, "b", "c", "d"]) == f"{shorten(long)}, b, c and 1 more"
    assert first_names(["a", "b"], most=1) == "a and 1 more"


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_listed_as_in_a_sentence(words, text):
    """With the last word joined by "and", or by another."""
    assert listing(words) == text
    assert listing(words, "or") == text.replace("and", "or")
