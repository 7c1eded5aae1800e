"""Patterns on paths: what is a pattern, and what it matches."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec
from readers import read_patterns

from mkdocs_sitemap_plus.problems import Origin, Place

PLACE = Place(origin=Origin.OPTION, file="mkdocs.yml", key="exclude")
PARTS = st.sampled_from(
    ["a", "b", "*", "**", "?", "[ab]", "[!a]", "[+-9]", ".", "-", r"\*", "[0-9]"]
)
NAMES = st.lists(PARTS, min_size=1, max_size=6).map("".join)
PATTERNS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!", "/"]),
    st.lists(NAMES | st.just("**"), min_size=1, max_size=5).map("/".join),
    st.sampled_from(["", "", "/", "/**"]),
    st.just(""),
)
PATHS = st.lists(
    st.text(st.sampled_from("ab.-5*"), min_size=1, max_size=6), min_size=1, max_size=5
).map("/".join)


@given(st.lists(PATTERNS, min_size=1, max_size=3), st.lists(PATHS, min_size=1, max_size=20))
def test_a_pattern_matches_what_it_matches_in_exclude_docs(lines, paths):
    """MkDocs reads its option with pathspec, whose answers are the right ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        spec, problems = read_patterns(lines, PLACE)
        expected = GitIgnoreSpec.from_lines(lines)
    assert problems == []
    assert [spec.match_file(path) for path in paths] == list(map(expected.match_file, paths))


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("[z-a]", ("'[z-a]', which is not a pattern as in .gitignore "
                  "(bad character range z-a at position 10)")),
        ("a\\", "'a\\\\', which is not a pattern as in .gitignore (Invalid git pattern: 'a\\\\')"),
    ],
)  # fmt: skip
def test_what_is_no_pattern(pattern, problem):
    """The message names the option and the one pattern that is wrong."""
    patterns, (found,) = read_patterns(["a.md", pattern], PLACE)
    assert patterns is None
    assert str(found) == f"mkdocs.yml: exclude is {problem}."
