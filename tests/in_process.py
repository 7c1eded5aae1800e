"""Build a site in the test's own process, by the code that `mkdocs build` runs."""

import logging
import os
import resource
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, ConfigurationError

from mkdocs_sitemap_plus.cli import command

THEME = """\
theme:
  name: null
  custom_dir: theme
"""
TEMPLATE = """\
<!doctype html><html><head><title>{{ page.title }}</title>
<link rel="canonical" href="{{ page.canonical_url }}"></head><body>{{ page.content }}</body></html>
"""


class _Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.levelname} {record.getMessage()}")


def build_in_process(folder):
    """Build the site with MkDocs; returns the log, or None if MkDocs refused its configuration.

    Whatever else is raised is a bug, and ends the test.
    """
    handler = _Lines()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        build(load_config(str(folder / "mkdocs.yml")))
    except (Abort, ConfigurationError):
        return None
    finally:
        logger.removeHandler(handler)
    return handler.lines


def run_in_process(*arguments, cwd):
    """Run ``mkdocs-sitemap-plus`` in a folder; returns its exit code and output."""
    here = Path.cwd()
    os.chdir(cwd)
    try:
        done = CliRunner().invoke(command, arguments)
    finally:
        os.chdir(here)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


@contextmanager
def memory_limit(size):
    """Let this process have `size` bytes more than now; beyond that, a MemoryError is raised."""
    now = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    old = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, old)
