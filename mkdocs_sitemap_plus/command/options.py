"""Options that several subcommands take."""

from collections.abc import Callable
from typing import Any

import click

from mkdocs_sitemap_plus.fetch import TIMEOUT

timeout_option: Callable[[Any], Any] = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=TIMEOUT,
    show_default=True,
    help="Seconds to wait for a server.",
)
