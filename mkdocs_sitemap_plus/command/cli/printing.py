"""Print: the one place through which all output of the command passes.

`emit` prints a result, in the format that a person asked for. The rest is for what stands beside it
in the text, and for notes, warnings and errors on stderr.

`echo` prints one line, and escapes all that is in it, so no text of others can end a line, begin a
workflow command of GitHub, command a terminal, or show a password. Elsewhere the linter forbids
`click.echo`, `click.style` and `print`.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.wording import CI_COMMANDS, json_text, printable

_VERSION = 1  # of all JSON that `print_json` prints
FORM = f"{__name__}.form"
"""The key of the format of the output in the `meta` of click, for `print_errors`."""

QUIET = f"{__name__}.quiet"
"""The key in this `meta` that is true if a person asked by ``--quiet`` for results alone."""

_HELP_ERROR = getattr(click.exceptions, "NoArgsIsHelpError", ())  # of click 8.2 and newer


class Styled(NamedTuple):
    """A part of a line, and how a terminal shows it, in the words of `click.style`."""

    text: str
    style: dict[str, Any]


def styled(text: object, **style: Any) -> Styled:  # noqa: ANN401 - those of click.style
    """Return a part of a line for `echo`."""
    return Styled(str(text), style)


def echo(*parts: str | Styled, err: bool = False) -> None:
    """Print one line, on stdout or on stderr."""
    line = ""
    begins = True  # whether only blanks were before
    for part in parts:
        text, style = part if isinstance(part, Styled) else (part, {})
        text = printable(text)
        if begins and text.lstrip().startswith("::"):  # GitHub takes `  ::error::` as a command
            text = text.replace(":", r"\x3a", 1)
        begins = begins and not text.strip()
        line += click.style(text, **style) if style else text
    click.echo(line, err=err)


def say(*parts: str | Styled, err: bool = False) -> None:
    """Print one line that is no result, which ``--quiet`` leaves out."""
    if not is_quiet():
        echo(*parts, err=err)


def is_quiet() -> bool:
    """Return whether a person asked by ``--quiet`` for results, warnings and errors alone."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(QUIET, False)


class OutputRow(NamedTuple):
    """One thing that a command found: a finding, or what became of a URL."""

    url: str = ""  # the URL; empty if the row is about a file
    text: str = ""  # a clause
    mark: str = ""  # ``error`` or ``warning``; or ``+``, ``-`` or ``~`` for a change
    code: str = ""  # of a finding; a change has none
    place: Place | None = None
    fix: str = ""  # a sentence
    explained: str = ""  # the URL of what the documentation says of the code


_COLOURS = {"error": "red", "warning": "yellow", "+": "green", "-": "red", "~": "yellow"}
_WORDS = {"+": "added", "-": "removed", "~": "changed"}
_MAX_ROWS = 500  # of Markdown: GitHub cuts a comment after 65,536 letters


def emit(form: str, rows: Iterable[OutputRow], data: Callable[[], Mapping[str, object]]) -> None:
    """Print a result in one of the formats: its rows, or as JSON all of its data.

    In the text, rows about the same URL stand together. On a terminal they are a block, in which
    each fix is on a line of its own; in a pipe, one finding is one line.
    """
    if form == "json":
        print_json(data())
    elif form == "github":
        for row in rows:
            _annotate(row)
    elif form == "urls":
        for url in dict.fromkeys(row.url for row in rows if row.url):
            echo(url)
    elif form == "markdown":
        _print_table(_groups(rows))
    else:
        for group in _groups(rows):
            if sys.stdout.isatty() or not group[0].code:
                _print_group(group)
            else:
                for row in group:
                    _print_finding(row)


def _groups(rows: Iterable[OutputRow]) -> Iterable[list[OutputRow]]:
    """Return rows by what they are about, in the order in which that comes first."""
    groups: dict[str, list[OutputRow]] = {}
    for row in rows:
        groups.setdefault(row.url or str(row.place), []).append(row)
    return groups.values()


def _print_finding(row: OutputRow) -> None:
    prefix = f"{row.url}: " if row.url else ""
    place = f"{row.place}: " if row.place else ""
    echo(place, _mark(row), " ", styled(row.code, bold=True), f": {prefix}{row.text}. {row.fix}")


def _print_group(group: list[OutputRow]) -> None:
    first = group[0]
    if not first.code:  # all rows of a change have the same mark
        echo(styled(f"{first.mark} {first.url}", fg=_COLOURS[first.mark]))
    elif first.url and first.place:
        echo(first.url, styled(f"  {first.place}", dim=True))
    else:
        echo(first.url or str(first.place))
    for row in group:
        if row.code:
            place = f" ({row.place})" if row.place != first.place else ""
            echo("  ", _mark(row), " ", styled(row.code, bold=True), f": {row.text}{place}.")
            echo(f"    {row.fix}")
        elif row.text:
            echo(f"    {row.text}")


def _mark(row: OutputRow) -> Styled:
    return styled(row.mark, fg=_COLOURS[row.mark])


def _print_table(groups: Iterable[list[OutputRow]]) -> None:
    """Print a table for a comment on a pull request. A row without a URL is about the one above."""
    lines = []
    for group in groups:
        url = group[0].url or str(group[0].place)
        for row in group:
            what = f"{_WORDS.get(row.mark, row.mark)} {row.code}".rstrip()
            text = f"{row.text}. {row.fix}" if row.fix else row.text
            lines.append(" | ".join(map(_cell, (url, what, text))))
            url = ""
    if lines:
        echo("| URL | | |")
        echo("| --- | --- | --- |")
    for line in lines[:_MAX_ROWS]:
        echo(f"| {line} |")
    if (more := len(lines) - _MAX_ROWS) > 0:
        echo(f"| {more:,} more | | |")


def _cell(text: str) -> str:
    """Return a text as it can stand in a cell of a table in Markdown."""
    return re.sub(r"[\\`*_\[\]<>|#]", r"\\\g<0>", text)


def _annotate(row: OutputRow) -> None:
    """Print a finding as a workflow command of GitHub, at its place if that is in a file."""
    message = f"{row.url}: " if row.url else ""
    message += f"{row.text}. {row.fix} {row.explained}".rstrip()
    properties, place = {"title": row.code}, row.place
    if place and place.file and "://" not in place.file and not place.file.startswith("<"):
        line = {"line": str(place.line)} if place.line else {}
        properties = {"file": place.file, **line, **properties}
    elif place:
        message = f"{place}: {message}"
    print_annotation(row.mark, message, **properties)


def print_line(level: str, text: object) -> None:
    """Print an error, a warning or a note on stderr; ``--quiet`` leaves out notes."""
    if level == "Note" and is_quiet():
        return
    line = f"{level}: {text}"
    echo(styled(line, fg=_COLOURS[level.lower()]) if level != "Note" else line, err=True)


def print_errors(lines: Iterable[str], form: str | None = None) -> None:
    """Print errors on stderr, and for the format ``github`` as annotations too."""
    for line in lines:
        print_line("Error", line)
        if form == "github":
            print_annotation("error", line, title="unusable")


def print_annotation(level: str, message: str, **properties: str) -> None:
    """Print a workflow command of GitHub: ``::error file=FILE,line=3::MESSAGE``."""
    pairs = ",".join(
        f"{name}={_data(value).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    click.echo(f"::{printable(level)} {pairs}::{_data(printable(message))}")


def _data(text: str) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(text)


def print_json(value: Mapping[str, object]) -> None:
    """Print a value with its version as JSON; letters that a terminal could obey are escaped."""
    text = json_text({"version": _VERSION, **value}, indent=2)
    for command in CI_COMMANDS:
        text = text.replace(command, rf"\u0023{command[1:]}")
    lines = text.split("\n")
    click.echo("\n".join(line if line.isprintable() else _escaped(line) for line in lines))


def _escaped(line: str) -> str:
    return "".join(
        character if character.isprintable() else json.dumps(character)[1:-1] for character in line
    )


@contextmanager
def escaped_usage_errors() -> Iterator[None]:
    """Escape the arguments that click quotes in its own errors. Click then prints them."""
    try:
        yield
    except click.ClickException as error:
        if not isinstance(error, _HELP_ERROR):
            error.message = printable(error.message)  # type: ignore[misc]  # Final in newer ones
        raise
