"""Patterns on paths: what is a pattern, what it matches, and how long that takes."""

import time
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
    if spec is None:
        (problem,) = problems
        assert problem.found.endswith("which has too many *")
        assert any(line.count("*") > 3 for line in lines)
    else:
        assert [spec.match_file(path) for path in paths] == list(map(expected.match_file, paths))


@pytest.mark.parametrize(
    "pattern",
    [
        "*a*a*b",
        "**/*a*a*a/**/*b",
        "*[ab]*[ab]*c",
        "[!b]*[!b]*[!b][!b][!b][!b]c",
    ],
)
@pytest.mark.parametrize("path", ["a" * 255, "/".join(["a"] * 200)])
def test_a_pattern_takes_little_time_whatever_the_path(pattern, path):
    """Of the longest name that a file system has, and of long paths."""
    spec, _ = read_patterns(pattern, PLACE)
    start = time.process_time()
    assert spec.match_file(path) is False
    assert time.process_time() - start < 10  # what backtracks needs minutes


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("[z-a]", ("'[z-a]', which is not a pattern as in .gitignore "
                  "(bad character range z-a at position 10)")),
        ("a\\", "'a\\\\', which is not a pattern as in .gitignore (Invalid git pattern: 'a\\\\')"),
        ("*a*b*c*", "'*a*b*c*', which has too many *"),
        ("**/a/**/b/**/c/**", "'**/a/**/b/**/c/**', which has too many *"),
        ("a" * 1_001, f"'{'a' * 76}..., which has more than 1,000 characters"),
    ],
)  # fmt: skip
def test_what_is_no_pattern(pattern, problem):
    """The message names the option and the one pattern that is wrong."""
    patterns, (found,) = read_patterns(["a.md", pattern], PLACE)
    assert patterns is None
    assert str(found) == f"mkdocs.yml: exclude is {problem}."
