"""The command ``mkdocs-sitemap-plus``, for a built site, or only a URL.

It never imports MkDocs, and imports a subcommand only when that is called.
"""

import logging
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper

import click

from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.wording import printable

SUBCOMMANDS = {
    "build": "build",
    "check": "check",
    "dates": "dates",
    "diff": "diff",
    "explain": "explain",
    "index": "index",
    "key": "submit",
    "report": "report",
    "submit": "submit",
}
"""The module of each subcommand, in which it is the function of that name."""

_EXIT_CODES = {"build": 1, "dates": 1}
"""The exit code of an error, where it is not 2: these two have no other use for 1."""


class Subcommands(click.Group):
    """A group that imports each subcommand when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, in order."""
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Return the subcommand of that name."""
        if cmd_name not in SUBCOMMANDS:
            return None
        module = import_module(f"{__name__}.{SUBCOMMANDS[cmd_name]}")
        found: click.Command = getattr(module, cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; of a mistyped name, suggest the nearest."""
        near = get_close_matches(args[0], SUBCOMMANDS, n=1)
        if near and near[0] != args[0]:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand; print each error as one line."""
        try:
            return super().invoke(ctx)
        except SitemapError as error:
            for problem in (error.problem, *error.others):
                click.echo(f"Error: {printable(str(problem))}", err=True)
            ctx.exit(_EXIT_CODES.get(ctx.invoked_subcommand or "", 2))


@click.group(cls=Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mkdocs-sitemap-plus", message="%(prog)s %(version)s")
@click.pass_context
def command(context: click.Context) -> None:
    """Write, check, explain and compare sitemaps, and submit what changed to search engines.

    \b
    Example:
      mkdocs-sitemap-plus check https://example.com

    A sitemap is given as a file, a folder with a sitemap.xml in it, or a URL; .gz and indexes are
    read as well. Exit code 2 means that something can't be read or used.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if os.environ.get("NO_COLOR"):  # no-color.org
        context.color = False


class ToTerminal(logging.Handler):
    """Prints what the package logs, such as that git does not answer, on stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        click.echo(f"Note: {printable(record.getMessage())}", err=True)


def main() -> None:
    """Run the command. A letter that the terminal can't show is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    logger = logging.getLogger("mkdocs_sitemap_plus")
    logger.setLevel(logging.INFO)
    logger.addHandler(ToTerminal())
    command(prog_name="mkdocs-sitemap-plus")
