"""The command ``mkdocs-sitemap-plus``: the door for all who have a built site, or only a URL.

It never imports MkDocs, and imports a subcommand only when that is called.
"""

import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.wording import printable

SUBCOMMANDS = {
    "build": "build",
    "check": "check",
    "dates": "build",
    "diff": "compare",
    "explain": "explain",
    "index": "root_index",
    "key": "publish",
    "report": "report",
    "submit": "publish",
}
"""The module of each subcommand, in which it is the function of that name."""


class Unusable(click.ClickException):
    """What was given can't be worked with: one line on stderr, and exit code 2."""

    exit_code = 2


class Subcommands(click.Group):
    """A group that imports each subcommand when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, in order."""
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The subcommand of that name."""
        if cmd_name not in SUBCOMMANDS:
            return None
        module = import_module(f"{__name__}.{SUBCOMMANDS[cmd_name]}")
        found: click.Command = getattr(module, cmd_name)
        return found

    def invoke(self, ctx: click.Context) -> object:
        """Run it; what can't go on is one line."""
        try:
            return super().invoke(ctx)
        except SitemapError as error:
            raise Unusable(printable(str(error))) from error


@click.group(cls=Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mkdocs-sitemap-plus", message="%(prog)s %(version)s")
@click.pass_context
def command(context: click.Context) -> None:
    """Write the sitemap of a built site, ask what is in it and tell search engines what changed.

    \b
    Example:
      mkdocs-sitemap-plus diff https://example.com/sitemap.xml site

    Sitemaps are given as files, folders with a sitemap.xml in them, or URLs; .gz and indexes are
    read as well. Exit code 2 says that something can't be read or was not understood.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if os.environ.get("NO_COLOR"):  # no-color.org
        context.color = False


def main() -> None:
    """Run the command. A letter that the terminal lacks is escaped, and ends nothing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    command(prog_name="mkdocs-sitemap-plus")
