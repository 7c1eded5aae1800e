"""How the subcommands speak: what was asked for on stdout, everything else on stderr."""

import json
from collections.abc import Sequence

import click

from mkdocs_sitemap_plus.evidence import Problem

_MOST = 10


def printable(text: str) -> str:
    """`text` of unknown origin without the characters that command a terminal."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def tell_json(value: object) -> None:
    """Print a plain value."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def tell_notes(problems: Sequence[Problem]) -> None:
    """Say on stderr what could not be read; of many, how many more there are."""
    for problem in problems[:_MOST]:
        click.secho(f"Note: {printable(str(problem))}", err=True, fg="yellow")
    if len(problems) > _MOST:
        click.secho(f"Note: {len(problems) - _MOST} more of this kind.", err=True, fg="yellow")


def plural(count: int, noun: str) -> str:
    """``1 URL``, ``2 URLs``, ``10,001 URLs``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
