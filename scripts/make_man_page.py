"""Print the man page, made from the texts of ``--help``, for those who package this.

python scripts/make_man_page.py > mkdocs-sitemap-plus.1
"""

import re
from importlib.metadata import version
from textwrap import dedent

import click

from mkdocs_sitemap_plus.command.cli.main import command

NAME = "mkdocs-sitemap-plus"
WIDTH = 71
"""Of a line, so that it fits a terminal of 80 columns behind the indent of a man page, 7."""


def roff(text: str) -> str:
    """Return a text as roff shows it, line by line."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


def help_of(what: click.Command, name: str, parent: click.Context | None = None) -> tuple[str, str]:
    """Return how a command is called, and the rest of what it prints for ``--help``."""
    names = {"help_option_names": ["-h", "--help"]}
    context = click.Context(what, info_name=name, parent=parent, terminal_width=WIDTH, **names)
    usage, text = what.get_help(context).split("\n\n", 1)
    first, options = re.split(r"\n(?=\w)", text, maxsplit=1)
    return usage.removeprefix("Usage: "), f"{dedent(first)}\n{options}"


def main() -> None:
    """Print the page: first what all subcommands share, then each of them."""
    usage, description = help_of(command, NAME)
    sections = [("SYNOPSIS", usage), ("DESCRIPTION", description)]
    context = click.Context(command, info_name=NAME)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None, name
        sections.append((name.upper(), "\n\n".join(help_of(found, name, context))))
    print(f'.TH {NAME.upper()} 1 "" "{version(NAME)}" "User Commands"')
    print(f".SH NAME\n{roff(NAME)} \\- accurate sitemaps, with dates from git")
    for heading, text in sections:
        print(f".SH {heading}\n.nf\n{roff(text)}\n.fi")


if __name__ == "__main__":
    main()
