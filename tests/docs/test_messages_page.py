"""The page of messages has all messages of a build, and no other."""

import ast
import re
from collections import defaultdict
from functools import cache

import pytest
from docs_pages import DOCS, ROOT
from sources import PACKAGE, modules, nodes

from mkdocs_sitemap_plus.gitdates import GitCode
from mkdocs_sitemap_plus.options.mappings import VIDEO_KEYS
from mkdocs_sitemap_plus.options.overrides import SITEMAP_KEYS
from mkdocs_sitemap_plus.problems import Code

PAGE = DOCS / "reference/messages.md"
NOT_IN_BUILDS = (
    "check",
    "index_of_sites",
    "indexnow.py",
    "report/html_report",
    "sitemap/collect.py",
    "sitemap/fetch.py",
    "sitemap/open_sitemaps.py",
)
OTHERS = (*NOT_IN_BUILDS, "problems.py", "sitemap/parse.py", "sitemap/elements.py")
"""What reads sitemaps of others."""
NO_BUILDS = ("cli/check.py", "cli/explain.py", "cli/index.py", "cli/report.py", "cli/submit.py")
NO_BUILD_CODES = {
    Code.SITE,
    Code.OUTSIDE,
    Code.ROOT_INDEX,
    Code.INDEXNOW,
    Code.TWICE,
    Code.INVALID,
    Code.INCOMPLETE,
}
"""What only other subcommands report."""
KEYS = {*SITEMAP_KEYS, *VIDEO_KEYS, "tag", "title"}.intersection(Code)
"""The codes of an invalid value that are the name of its key: KEY on the page."""
RAISED_LATER = {
    "max-bytes": {"stops"},
    "no-dates": {"fails", "passes", "stops"},
    "option": {"stops"},
    "report": {"fails"},
    "transform": {"fails", "stops"},
    "write": {"stops"},
}
"""Where a problem is made and raised in two places; a report is read by other subcommands only."""

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="only a whole checkout has the docs")


def keyword(call, name):
    """The source of the keyword argument of a call; empty if it has none."""
    return next((ast.unparse(each.value) for each in call.keywords if each.arg == name), "")


def code_of(call):
    """The code that a call gives a problem; None if it gives none, or one that it was given."""
    code = keyword(call, "code") or (ast.unparse(call.args[0]) if call.args else "")
    if code == "code_of(place)":
        return "KEY"
    enum, _, name = code.partition(".")
    return str(Code[name]) if enum == "Code" and name in Code.__members__ else None


def level(call, stopping):
    """What a problem that this call makes does to a strict build."""
    if call in stopping:
        return {"stops"}
    known = {"": {"fails"}, "Level.WARNING": {"fails"}, "Level.INFO": {"passes"}}
    return known.get(keyword(call, "level"), {"fails", "passes"})


def made_in(path):
    """The codes of the problems that a module makes, and what each does to a strict build."""
    calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
    raised = [call for call in calls if ast.unparse(call.func) == "SitemapError"]
    stopping = {inner for call in raised for inner in ast.walk(call)}
    for call in calls:
        if code := code_of(call):
            yield code, level(call, stopping)


@cache
def levels():
    """What the problems of each code do to a strict build."""
    found = defaultdict(set)
    for path in modules():
        if not path.startswith((*OTHERS, *NO_BUILDS)):
            for code, of_call in made_in(path):
                found[code] |= of_call
    for code in GitCode:  # `lastmod.git` makes notes of them
        found[str(code)].add("passes")
    found[str(GitCode.IGNORE_REVS)].add("fails")
    return found


def shown():
    """The rows of all tables: message, strict, codes."""
    for row in re.findall(r"^\| (`.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE):
        message, _, strict, code = (cell.strip() for cell in row.split(" | "))
        yield message.strip("`"), set(strict.split(", ")), re.findall("`(.*?)`", code)


def test_each_code_of_a_build_has_a_row_and_each_row_a_code():
    """Both ways; a line that is only logged has none."""
    listed = {code for _, _, codes_of_row in shown() for code in codes_of_row}
    codes = {*Code, *GitCode}
    assert listed - {"KEY"} | KEYS == codes - NO_BUILD_CODES
    assert [message for message, _, own in shown() if not own] == [
        "Another build has held the folder … for … seconds; not waiting for it.",
        "git … has not answered for … seconds; waiting for it.",
    ]


def test_each_code_is_used():
    """A code that nothing has any more does not stay in the list."""
    source = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    used = {Code[name] for name in re.findall(r"\bCode\.([A-Z_]+)\b", source)}
    assert used | KEYS == set(Code)


def test_what_strict_does_is_as_the_rows_say():
    """All levels of a code, whichever of its messages it is."""
    listed = defaultdict(set)
    for _, strict, own in shown():
        for code in own:
            listed[code] |= strict
    assert listed == levels() | RAISED_LATER


@cache
def sentences():
    """All texts of the package, pieces of f-strings one by one."""
    paths = [path for path in modules() if not path.startswith(NOT_IN_BUILDS)]
    constants = [each for path in paths for each in nodes(path) if isinstance(each, ast.Constant)]
    return "\n".join(each.value for each in constants if isinstance(each.value, str))


def is_written(words, code):
    """Whether the code has these words, at once or in two pieces."""
    parts = words.split(" ")
    halves = ((" ".join(parts[:i]), " ".join(parts[i:])) for i in range(len(parts)))
    return any(first in code and second in code for first, second in halves)


@pytest.mark.parametrize("message", [row[0] for row in shown()] if PAGE.is_file() else [])
def test_the_words_of_a_message_are_those_of_the_code(message):
    """Each sentence, between the values."""
    code = " ".join(sentences().split())
    pieces = re.split(r"…|[.:](?= |$)|[()]|\d[\d.]*", message)
    words = [piece.strip(" ,;") for piece in pieces]
    assert [each for each in words if not is_written(each, code)] == []
    assert any(len(each) > 8 for each in words)


def test_the_page_is_in_the_checkout():
    """The tables are read as the docs have them."""
    assert ROOT in PAGE.parents
    assert len([*shown()]) > 90
