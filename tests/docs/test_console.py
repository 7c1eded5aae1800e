"""Every command in README and docs is run, and prints what stands there.

A ``console`` block is a session in the folder of the sample site, `lighthouse.published`: lines
that begin with ``$`` are commands, what follows is their output, stdout and stderr. The blocks of
a page are run one after the other, in one folder of its own.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from lighthouse import SAMPLE, published
from quantity import one_in
from sites import as_user, clean_environment
from terminals import pieces, seen
from warm_mkdocs import copy_of_site

from mkdocs_sitemap_plus.command.cli.main import SUBCOMMANDS, command

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "```console" in page.read_text("utf-8")
]
NOT_RUN = ("pip ", "mkdocs ")
"""What installs needs a package index, builds say how long they took; `test_docs` has these."""

pytestmark = [
    pytest.mark.skipif(not SAMPLE.is_dir(), reason="only a whole checkout has the docs"),
    pytest.mark.skipif(sys.platform == "win32", reason="the docs show the shell of Unix"),
]


def sessions(text):
    """Each command of the ``console`` blocks of a page, with the output below it."""
    for indent, block in re.findall(
        r"^( *)```console\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE
    ):
        session = re.sub(rf"^{indent}", "", block, flags=re.MULTILINE)
        assert session.startswith("$ "), session
        for piece in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            line, output = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", piece, re.DOTALL).groups()
            yield line.strip(), output


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The sample site, built once."""
    return published(tmp_path_factory.mktemp("sample") / "lighthouse").folder


def on_terminal(words, folder):
    """What a terminal shows of a call of the command."""
    watcher, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mkdocs_sitemap_plus", *words[1:]],
        cwd=folder,
        env=clean_environment(TERM="xterm"),
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        got = b"".join(pieces(watcher)).decode()
    os.close(watcher)
    return "\n".join(seen(got))


def output_of(line, folder):
    """What a shell in that folder prints; a plain call of the command is run in this process.

    Of `check`, it is what a terminal shows, which is not what is printed into a pipe.
    """
    words = shlex.split(line)
    if words[:2] == ["mkdocs-sitemap-plus", "check"]:
        return on_terminal(words, folder)
    if words[0] == "mkdocs-sitemap-plus" and not set("|<>&;$*") & set(line):
        with as_user(folder):
            return CliRunner().invoke(command, words[1:], prog_name=words[0]).output
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", line],
        check=False,
        cwd=folder,
        env=clean_environment(PATH=path),
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout


@one_in(4)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_print_what_stands_there(sample, tmp_path, page):
    """To the letter."""
    shown = list(sessions(page.read_text("utf-8")))
    assert shown
    folder = tmp_path / "lighthouse"
    copy_of_site(sample, folder)
    for line, output in shown:
        if not line.startswith(NOT_RUN):
            printed = output_of(line, folder)
            assert printed == output, f"$ {line}\n{printed}"


PAGE_OF = {
    "build": "../get-started/any-site",
    "dates": "index",
    "diff": "index",
    "index": "../guide/languages-and-versions",
    "report": "explain",
    "submit": "../guide/search-engines",
}
"""The page of a subcommand, if it has another name; seen from the folder of the overview."""


def page_of(name):
    """The text of a subcommand's page."""
    return (ROOT / "docs" / "command" / f"{PAGE_OF.get(name, name)}.md").read_text("utf-8")


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_a_subcommand_is_shown(name):
    """On its page, which the overview links, with an example that is run."""
    overview = (ROOT / "docs" / "command" / "index.md").read_text("utf-8")
    assert f"`{name}`" in overview
    page = PAGE_OF.get(name, name)
    assert f"](#{name})" in overview or re.search(rf"\]\({re.escape(page)}\.md[#)]", overview)
    lines = [line for line, _ in sessions(page_of(name))]
    assert any(f"{each} ".startswith(f"mkdocs-sitemap-plus {name} ") for each in lines)


def test_the_options_of_check_are_explained():
    """Each by its name in a table of its page; those of the others stand in their help."""
    shown = re.findall(r"^\| `(--?[a-z-]+)[` ]", page_of("check"), re.MULTILINE)
    assert sorted([*shown, "-q"]) == sorted(options_of("check"))


def options_of(name):
    """The first name of each option of a subcommand."""
    found = command.get_command(click.Context(command), name)
    options = (each for each in found.params if isinstance(each, click.Option))
    return [each.opts[0] for each in options if not each.hidden]


def test_the_options_of_check_stand_in_the_groups_of_its_page():
    """In the help; on the page, the options that all subcommands have are missing."""
    help_of_check = CliRunner().invoke(command, ["check", "--help"]).output
    groups = {}
    for heading, text in re.findall(r"^(\w.*):\n((?:  .*\n)+)", help_of_check, re.MULTILINE):
        groups[heading] = re.findall(r"^  (--?[a-z-]+)", text, re.MULTILINE)
    shown = {}
    for heading, table in re.findall(r"^(\w.*):\n\n((?:\|.*\n)+)", page_of("check"), re.MULTILINE):
        shown[heading] = re.findall(r"^\| `(--?[a-z-]+)", table, re.MULTILINE)
    assert groups.pop("Other options") == [*shown.pop("Others"), "-q", "-h"]
    assert len(groups) == 3
    assert groups == shown
