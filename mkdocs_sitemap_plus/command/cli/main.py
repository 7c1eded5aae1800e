"""The command ``mkdocs-sitemap-plus``.

It never imports MkDocs. It imports the module of a subcommand only when the subcommand is called.
"""

import logging
import os
import sys
import traceback
from errno import EPIPE
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from mkdocs_sitemap_plus.command.cli.printing import (
    FORM,
    QUIET,
    echo,
    escaped_usage_errors,
    print_errors,
    print_json,
    print_line,
)
from mkdocs_sitemap_plus.problems import SitemapError

SUBCOMMANDS = {
    "build": "Write the sitemap of a built site, whatever built it.",
    "check": "Check sitemaps against the protocol and the site.",
    "dates": "Write the dates of all pages, for a build without .git.",
    "diff": "Compare two sitemaps.",
    "explain": "Explain why a page is listed or not.",
    "index": "Write one sitemap for several built sites.",
    "report": "Write one HTML report of all pages and dates.",
    "submit": "Submit changed URLs to search engines (IndexNow).",
}
"""The short help of each subcommand. Its module and the function in it have the same name."""

_EXIT_CODES = {"build": 1, "dates": 1, "index": 1}
"""Subcommands whose exit code for an error is not 2."""


def _be_quiet(context: click.Context, _parameter: object, is_quiet: bool) -> None:  # noqa: FBT001 - click's
    context.meta[QUIET] = is_quiet


_QUIET_OPTION = click.Option(
    ["-q", "--quiet"],
    is_flag=True,
    expose_value=False,
    callback=_be_quiet,
    help="Print only results, warnings and errors.",
)


class Subcommands(click.Group):
    """A group that imports each subcommand when it is called. All have the option ``--quiet``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all subcommands, sorted."""
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Return the subcommand of this name; None if there is none."""
        if cmd_name not in SUBCOMMANDS:
            return None
        module = import_module(f"{__package__}.{cmd_name}")
        subcommand: click.Command = getattr(module, cmd_name)
        subcommand.short_help = SUBCOMMANDS[cmd_name]
        if _QUIET_OPTION not in subcommand.params:
            subcommand.params.append(_QUIET_OPTION)
        return subcommand

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write the short help of each subcommand, and import none of them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(SUBCOMMANDS.items()))

    def make_context(self, *args: Any, **extra: Any) -> click.Context:  # noqa: ANN401 - click's
        """Read the options before the name of the subcommand."""
        with escaped_usage_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand; print each error as one line."""
        try:
            with escaped_usage_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            echo("Aborted!", err=True)
            ctx.exit(130)
        except SitemapError as error:
            explained = import_module("mkdocs_sitemap_plus.command.cli.kept").why_no_sitemap
            lines = [str(explained(problem)) for problem in (error.problem, *error.others)]
            print_errors(lines, form := ctx.meta.get(FORM))
            if form == "json":
                print_json({"unusable": lines})
        except OSError as error:
            print_errors([_printing_error(error)])
        return ctx.exit(_EXIT_CODES.get(ctx.invoked_subcommand or "", 2))


def _printing_error(error: OSError) -> str:
    """Return the message of an error of printing. Any other error is raised again."""
    # At EPIPE, nobody reads the output any more, and click ends the command.
    if error.filename or error.errno == EPIPE:
        raise error
    return f"the output can't be printed ({error.strerror})."


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
    elif os.environ.get("FORCE_COLOR"):  # force-color.org
        context.color = True


class LogPrinter(logging.Handler):
    """Prints log messages of the package on stderr, such as that git does not answer."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a message as one line."""
        print_line("Note", record.getMessage())


def _print_traceback(_type: object, error: BaseException, _traceback: object) -> None:
    """Print the traceback of a mistake of ours, which may quote any text of others."""
    for line in "".join(traceback.format_exception(error)).splitlines():
        echo(line, err=True)


def main() -> None:
    """Run the command. Characters that the terminal can't show are printed as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.excepthook = _print_traceback
    logger = logging.getLogger("mkdocs_sitemap_plus")
    logger.setLevel(logging.INFO)
    logger.addHandler(LogPrinter())
    try:
        command(prog_name="mkdocs-sitemap-plus")
    except OSError as error:  # --help and --version are printed outside of `Subcommands.invoke`
        print_errors([_printing_error(error)])
        sys.exit(2)
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # at its exit, Python would try again, report the error, and return 120
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
