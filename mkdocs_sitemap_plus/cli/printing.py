"""Print: the one place through which all output of the command passes.

`echo` prints one line, and escapes all that is in it, so no text of others can end a line, begin a
workflow command of GitHub, command a terminal, or show a password. Elsewhere the linter forbids
`click.echo`, `click.style` and `print`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

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


def print_line(level: str, colour: str | None, text: object) -> None:
    """Print an error, a warning or a note on stderr; ``--quiet`` leaves out notes."""
    if level == "Note" and is_quiet():
        return
    line = f"{level}: {text}"
    echo(styled(line, fg=colour) if colour else line, err=True)


def print_errors(lines: Iterable[str], form: str | None = None) -> None:
    """Print errors on stderr, and for the format ``github`` as annotations too."""
    for line in lines:
        print_line("Error", "red", line)
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
    """Print a value with its version as JSON.

    Letters that a terminal could obey are escaped as JSON does it.
    """
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
