"""What is run at length is found by its marks."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_what_tries_more_at_length_has_a_mark():
    """The step of CI that runs it asks for marks; hypothesis marks random tests by itself."""
    asks = re.compile(
        r"^from (quantity|git_settings) import .*\b(LONG|tries|TRIED)\b", re.MULTILINE
    )
    modules = {path: path.read_text("utf-8") for path in TESTS.rglob("test_*.py")}
    asking = {path for path, text in modules.items() if asks.search(text)}
    marked = re.compile(r"^(pytestmark = .*|@)(more_)?at_length\b|^@given\(", re.MULTILINE)
    assert len(asking) > 10
    assert [path.name for path in asking if not marked.search(modules[path])] == []
