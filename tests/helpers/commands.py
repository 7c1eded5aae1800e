"""The command, called in this process."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from mkdocs_sitemap_plus.command.cli.main import command


def run(*arguments):
    """Return its exit code, and what it prints on stdout and on stderr."""
    out, err = StringIO(), StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            command([str(argument) for argument in arguments], prog_name="mkdocs-sitemap-plus")
    except SystemExit as end:
        return end.code, out.getvalue(), err.getvalue()
    raise AssertionError("click ends every command by SystemExit")
