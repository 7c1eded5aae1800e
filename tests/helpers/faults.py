"""The table of ``tests/faults/faults.md``: what a user sees when something goes wrong."""

import re

from docs_pages import ROOT

PAGE = ROOT / "tests" / "faults" / "faults.md"


def table():
    """What the plugin does and what the user sees, by what happens, of all tables of the page."""
    lines = re.findall(r"^\|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return {
        row[0].strip(): row[1:] for row in cells if row[0] != "What happens" and "---" not in row[0]
    }


def messages(fault):
    """The messages in the last cell of a fault: code of more than two words."""
    return [text for text in re.findall(r"`([^`]+)`", table()[fault][-1]) if text.count(" ") > 1]


def documented(fault, *lines):
    """Check that each message that the page shows for a fault is in a line; ``...`` is any text."""
    shown = messages(fault)
    assert shown, f"the page shows no message for {fault!r}"
    for message in shown:
        pattern = ".*".join(map(re.escape, message.split("...")))
        assert any(re.search(pattern, str(line)) for line in lines), (message, lines)
