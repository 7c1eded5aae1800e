"""Functions that read and print, and options, which several subcommands have."""

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from mkdocs_sitemap_plus.command.cli.printing import FORM, print_line
from mkdocs_sitemap_plus.files import STDIN, Unreadable, read_stdin
from mkdocs_sitemap_plus.problems import Level, Problem, log_lines
from mkdocs_sitemap_plus.sitemap.protocol import DEADLINE_FACTOR, TIMEOUT
from mkdocs_sitemap_plus.wording import format_value

_MAX_NOTES = 10
_MAX_TIMEOUT = 86_400
INTERRUPTED = 130  # the exit code after Ctrl-C, as of shells

Option = Callable[[Any], Any]


def command(
    name: str,
    *arguments: str,
    config_file: Path | None = None,
    site_dir: Path | None = None,
    report_file: Path | None = None,
) -> str:
    """Return a call of a subcommand, in backticks, which can be copied into a shell.

    It is about the project, site and report that the user named in the call which prints it.
    """
    named = (("-f", config_file), ("-d", site_dir), ("--report", report_file))
    options = [each for option, path in named if path for each in (option, path.as_posix())]
    return f"`{shlex.join(['mkdocs-sitemap-plus', name, *options, *arguments])}`"


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems as warnings and notes on stderr; see `log_lines` for which."""
    for level, line in log_lines(problems):
        print_line("Warning" if level is Level.WARNING else "Note", line)


def print_unread(problems: Sequence[Problem]) -> None:
    """Print on stderr the first problems of a sitemap, and how many more there are."""
    for problem in problems[:_MAX_NOTES]:
        print_line("Note", problem)
    if len(problems) > _MAX_NOTES:
        print_line("Note", f"{len(problems) - _MAX_NOTES} more of this kind.")


def _seconds(_context: object, _parameter: object, value: float) -> float:
    # With `click.FloatRange`, the help would show "0<x<=86400".
    if not 0 < value <= _MAX_TIMEOUT:
        limits = f"above 0 and up to {_MAX_TIMEOUT:,}, a day"
        raise click.BadParameter(f"{value:g} is not a number of seconds {limits}.")
    return value


timeout_option: Option = click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    callback=_seconds,
    default=f"{TIMEOUT:g}",
    show_default=True,
    help=f"Give up after SECONDS of silence, or {DEADLINE_FACTOR} times that in all.",
)

PATH_OR_URL = click.Path(readable=False)
"""The type of a path or URL, which need not exist. Shells complete paths."""


class BuiltFolder(click.Path):
    """A built folder that must exist; a URL gets the advice to name a folder."""

    def convert(self, value: Any, *more: Any) -> Any:  # noqa: ANN401 - as click has it
        """Return the path."""
        if isinstance(value, str) and "://" in value:
            fix = "Name the folder of the built site; `check` takes a URL."
            self.fail(f"{format_value(value)} is a URL. {fix}", *more)
        return super().convert(value, *more)


config_file_option: Option = click.option(
    "-f",
    "--config-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The project file.  [default: zensical.toml, properdocs.yml or mkdocs.yml of this folder]",
)

site_dir_option: Option = click.option(
    "-d",
    "--site-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="The built site.  [default: site_dir of the project file]",
)


report_option: Option = click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, exists=True, path_type=Path, allow_dash=True),
    help="Read this JSON report of the build, instead of the one that is kept here.",
)


def names_of_stdin(
    _context: object, _parameter: object, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names that an argument has, and those of stdin in the place of each ``-``.

    There, each name is in a line, or ends with NUL, as ``git ls-files -z`` prints them.
    """
    names: list[str] = []
    for value in values:
        if value != STDIN:
            names.append(value)
            continue
        try:
            data = read_stdin()
        except Unreadable as error:
            raise click.BadParameter(f"standard input can't be read ({error.reason}).") from error
        pieces = data.split(b"\0") if b"\0" in data else data.splitlines()
        found = [os.fsdecode(piece) for piece in pieces if piece.strip()]
        if not found:
            raise click.BadParameter("there are no names on the standard input.")
        names += found
    return tuple(names)


def output_option(**options: Any) -> Option:  # noqa: ANN401 - those of click.option
    """Return the option ``--output``: the file to write, or ``-``."""
    kind = click.Path(dir_okay=False, readable=False, path_type=Path)
    return click.option("-o", "--output", type=kind, **options)


def format_option(*formats: str, meaning: str) -> Option:
    """Return the option ``--format``, whose first format is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        callback=_remember_format,
        help=meaning,
    )


def _remember_format(context: click.Context, _parameter: object, form: str) -> str:
    context.meta[FORM] = form
    return form
