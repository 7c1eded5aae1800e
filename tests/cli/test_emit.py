"""The forms in which a result is printed."""

from contextlib import redirect_stdout
from io import StringIO

import pytest
from click import unstyle

from mkdocs_sitemap_plus.command.cli.printing import OutputRow, emit
from mkdocs_sitemap_plus.problems import Origin, Place

PAGE = "https://web.example/a/"
FINDINGS = [
    OutputRow(
        url=PAGE,
        text="loc has the fragment '#b'",
        mark="error",
        code="loc-fragment",
        place=Place(origin=Origin.SITEMAP, file="sitemap.xml", line=3),
        fix="Remove it.",
        explained="https://docs.example/#loc-fragment",
    ),
    OutputRow(
        text="has no URLs",
        mark="error",
        code="empty",
        place=Place(origin=Origin.SITEMAP, file="b.xml"),
        fix="List one.",
    ),
    OutputRow(
        url=PAGE,
        text="has no title",
        mark="warning",
        code="value",
        place=Place(origin=Origin.SITEMAP, file="sitemap.xml", line=5),
        fix="Give it one.",
    ),
]
CHANGES = [
    OutputRow(url=PAGE, text="lastmod: none -> 2026-01-02", mark="~"),
    OutputRow(url=PAGE, text="priority: 0.5 -> 0.8", mark="~"),
    OutputRow(url="https://web.example/b/", mark="+"),
]


class Terminal(StringIO):
    """A stream that says that a person reads it."""

    def isatty(self):
        """Say so."""
        return True


def printed(form, rows, out=None):
    """Return what `emit` prints, without colours as in a file."""
    with redirect_stdout(out or StringIO()) as stream:
        emit(form, rows, lambda: {"rows": len(rows)})
    return stream.getvalue()


def test_the_findings_of_a_url_stand_together_on_a_terminal():
    """Each fix is on a line of its own, and a place is named again only where it is another one."""
    assert unstyle(printed("text", FINDINGS, Terminal())).splitlines() == [
        f"{PAGE}  sitemap.xml:3",
        "  error loc-fragment: loc has the fragment '#b'.",
        "    Remove it.",
        "  warning value: has no title (sitemap.xml:5).",
        "    Give it one.",
        "b.xml",
        "  error empty: has no URLs.",
        "    List one.",
    ]


@pytest.mark.parametrize("out", [StringIO, Terminal])
def test_the_changes_of_a_url_stand_together(out):
    """In a pipe as well: no line but that of the URL begins in the first column."""
    assert unstyle(printed("text", CHANGES, out())).splitlines() == [
        f"~ {PAGE}",
        "    lastmod: none -> 2026-01-02",
        "    priority: 0.5 -> 0.8",
        "+ https://web.example/b/",
    ]


def test_a_table_names_a_url_once():
    """Findings and changes have the same three columns."""
    assert printed("markdown", [*FINDINGS, *CHANGES]).splitlines() == [
        "| URL | | |",
        "| --- | --- | --- |",
        f"| {PAGE} | error loc-fragment | loc has the fragment '\\#b'. Remove it. |",
        "|  | warning value | has no title. Give it one. |",
        "|  | changed | lastmod: none -\\> 2026-01-02 |",
        "|  | changed | priority: 0.5 -\\> 0.8 |",
        "| b.xml | error empty | has no URLs. List one. |",
        "| https://web.example/b/ | added |  |",
    ]
    many = [OutputRow(url=f"https://web.example/{number}", mark="+") for number in range(1_502)]
    assert printed("markdown", many).endswith("| 1,002 more | | |\n")
    assert printed("markdown", []) == ""
