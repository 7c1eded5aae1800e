"""Options that several subcommands take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mkdocs_sitemap_plus.tools.fetch import MAX_SILENCES, TIMEOUT

_LONGEST = 86_400


def _seconds(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if 0 < value <= _LONGEST:
        return value
    raise click.BadParameter(f"{value:g} is not a number of seconds above 0.")


timeout_option: Callable[[Any], Any] = click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    callback=_seconds,
    default=f"{TIMEOUT:g}",
    show_default=True,
    help=f"How long a server may be silent. A whole request may take {MAX_SILENCES} times as long.",
)

config_file_option: Callable[[Any], Any] = click.option(
    "-f",
    "--config-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The project file.  [default: zensical.toml, properdocs.yml or mkdocs.yml of this folder]",
)
