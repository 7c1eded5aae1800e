"""Print results on stdout, and errors, warnings and notes on stderr."""

import json
import logging
from collections.abc import Iterable, Sequence

import click

from mkdocs_sitemap_plus.problems import Problem, shown_problems
from mkdocs_sitemap_plus.wording import printable

_MOST = 10


class ToTerminal(logging.Handler):
    """Writes the lines that the package logs, about a git that does not answer, to stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        _tell("Note", None, record.getMessage())


def tell_json(value: object) -> None:
    """Print a plain value."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def tell_error(problem: object) -> None:
    """Print on stderr why something can't go on."""
    _tell("Error", "red", str(problem))


def tell_problems(problems: Iterable[Problem]) -> None:
    """Print problems on stderr, each once, as warnings or notes."""
    for note, line in shown_problems(problems):
        level, colour = ("Note", None) if note else ("Warning", "yellow")
        _tell(level, colour, line)


def tell_note(text: str) -> None:
    """Print a note on stderr."""
    _tell("Note", None, text)


def tell_notes(problems: Sequence[Problem]) -> None:
    """Print on stderr what could not be read; of many, how many more there are."""
    for problem in problems[:_MOST]:
        _tell("Note", "yellow", str(problem))
    if len(problems) > _MOST:
        _tell("Note", "yellow", f"{len(problems) - _MOST} more of this kind.")


def _tell(origin: str, colour: str | None, text: str) -> None:
    click.secho(f"{origin}: {printable(text)}", fg=colour, err=True)
