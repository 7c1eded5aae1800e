"""Print the man page, made from the texts of ``--help``, for those who package this.

python scripts/make_man_page.py > mkdocs-sitemap-plus.1
"""

from importlib.metadata import version

import click

from mkdocs_sitemap_plus.cli import command

NAME = "mkdocs-sitemap-plus"


def roff(text: str) -> str:
    """Return a text as roff shows it, line by line."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


def main() -> None:
    """Print the page: first what all subcommands share, then each of them."""
    context = click.Context(command, info_name=NAME, terminal_width=78)
    texts = [("DESCRIPTION", command.get_help(context))]
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None, name
        inner = click.Context(found, parent=context, info_name=name, terminal_width=78)
        texts.append((name.upper(), found.get_help(inner)))
    print(f'.TH {NAME.upper()} 1 "" "{version(NAME)}" "User Commands"')
    print(f".SH NAME\n{roff(NAME)} \\- accurate sitemaps, with dates from git")
    for heading, text in texts:
        print(f".SH {heading}\n.nf\n{roff(text)}\n.fi")


if __name__ == "__main__":
    main()
