"""The page of messages has all messages of a build, and no other."""

import ast
import re
from collections import defaultdict
from functools import cache

import pytest
from docs_pages import DOCS, ROOT
from sources import modules, nodes

from mkdocs_sitemap_plus.gitdates import GitCode

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
"""What reads sitemaps of others: its codes are those of `check`."""
NO_BUILDS = ("cli/check.py", "cli/explain.py", "cli/index.py", "cli/report.py", "cli/submit.py")
MAKERS = ("Problem", "invalid", "faulty")
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


def name_of(call):
    """The name of what is called, such as `self.problems.append`."""
    names, called = [], call.func
    while isinstance(called, ast.Attribute):
        names, called = [called.attr, *names], called.value
    return ".".join([called.id if isinstance(called, ast.Name) else "", *names])


def level(call, stopping):
    """What a problem that this call makes does to a strict build."""
    if call in stopping:
        return {"stops"}
    note = next((each.value for each in call.keywords if each.arg == "note"), None)
    if note is None:
        return {"fails"}
    return {"passes"} if isinstance(note, ast.Constant) else {"fails", "passes"}


def code_of(call):
    """The code that a call gives a problem; KEY for the name of the field."""
    named = [each.value for each in call.keywords if each.arg == "code"]
    code = (named or call.args)[0]
    if isinstance(code, ast.Constant):
        return code.value
    return "KEY" if ast.unparse(code) == "place.name" else None


def calls_in(path):
    """All calls of a module."""
    return [each for each in nodes(path) if isinstance(each, ast.Call)]


def made_in(path):
    """The calls of a module that make a problem, and whether it stops the build at once."""
    calls = calls_in(path)
    raised = [each for each in calls if name_of(each) == "SitemapError"]
    stopping = {inner for each in raised for inner in ast.walk(each)}
    for call in calls:
        if name_of(call) in MAKERS and (code := code_of(call)):
            yield code, level(call, stopping)


@cache
def codes():
    """The codes of the problems of a build, each with its levels."""
    found = defaultdict(set)
    for path in modules():
        if not path.startswith((*OTHERS, *NO_BUILDS)):
            for code, levels in made_in(path):
                found[code] |= levels
            for call in calls_in(path):
                if name_of(call).endswith("_replace"):
                    for each in call.keywords:
                        if each.arg == "code":
                            found[each.value.value].add("fails")
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
    assert listed == codes().keys()
    assert [message for message, _, own in shown() if not own] == [
        "Another build has held the folder … for … seconds; not waiting for it.",
        "git … has not answered for … seconds; waiting for it.",
    ]


def test_what_strict_does_is_as_the_rows_say():
    """All levels of a code, whichever of its messages it is."""
    listed = defaultdict(set)
    for _, strict, own in shown():
        for code in own:
            listed[code] |= strict
    assert listed == codes() | RAISED_LATER


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
