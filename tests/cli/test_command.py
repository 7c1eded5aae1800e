"""The command as a program: how it starts, speaks and ends."""

import json
import subprocess
import sys
from importlib.metadata import entry_points, version

import click
import pytest
from commands import run
from quantity import at_length
from sites import clean_environment

from mkdocs_sitemap_plus.command.cli.main import SUBCOMMANDS, command

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PLAIN = """\
+ https://web.example/ü
1 added, 0 removed, 0 changed, 0 unchanged; 1 URL now.
"""
COMMAND = (sys.executable, "-m", "mkdocs_sitemap_plus")


def run_process(*arguments, code=None, **extra):
    """What a new process prints and how it ends, `code` in place of the command."""
    program = (sys.executable, "-c", code) if code else COMMAND
    environment = clean_environment(**extra)
    environment.pop("NO_COLOR", None) if "NO_COLOR" not in extra else None
    done = subprocess.run(
        [*program, *map(str, arguments)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def sitemap(tmp_path):
    """A sitemap of one page."""
    file = tmp_path / "sitemap.xml"
    url = "<url><loc>https://web.example/ü</loc></url>"
    file.write_text(f'<urlset xmlns="{SPACE}">{url}</urlset>', "utf-8")
    return file


@pytest.fixture
def empty(tmp_path):
    """A sitemap of no page."""
    file = tmp_path / "empty.xml"
    file.write_text(f'<urlset xmlns="{SPACE}"/>', "utf-8")
    return file


def test_the_command_has_its_name():
    """It is installed as ``mkdocs-sitemap-plus``."""
    (script,) = entry_points(group="console_scripts", name="mkdocs-sitemap-plus")
    assert script.value == "mkdocs_sitemap_plus.command.cli.main:main"


IMPORTS = """
import sys
sys.modules["mkdocs"] = None  # an import of it fails
from mkdocs_sitemap_plus.command.cli.main import SUBCOMMANDS, command
def call(*arguments):
    try:
        command(arguments, prog_name="mkdocs-sitemap-plus")
    except SystemExit as end:
        assert end.code == 0
def show_loaded(*names):
    print("loaded:", *(name for name in names if name in sys.modules))
call("--version")
call("--help")
show_loaded("mkdocs_sitemap_plus.command.cli.diff", "ssl", "http.client", "urllib.request", "yaml")
show_loaded("dateutil", "pathspec")
for name in ("build", "dates", "diff", "explain", "index"):
    call(name, "--help")
show_loaded("ssl", "http.client", "urllib3", "protego")
for name in SUBCOMMANDS:
    call(name, "--help")
del sys.modules["mkdocs"]
show_loaded(*(name for name in sys.modules if name.split(".")[0] in ("mkdocs", "properdocs")))
"""


@at_length
def test_what_a_subcommand_needs_is_imported_when_it_is_called():
    """So it starts soon, also without the web, and without MkDocs as beside Zensical."""
    code, out, err = run_process(code=IMPORTS)
    assert (code, err) == (0, "")
    assert out.startswith(f"mkdocs-sitemap-plus {version('mkdocs-sitemap-plus')}\n")
    assert [line for line in out.splitlines() if line.startswith("loaded:")] == ["loaded:"] * 4


@pytest.mark.parametrize("name", [None, *SUBCOMMANDS])
def test_help_has_an_example(name):
    """Of the command, and of each of its subcommands; each option is explained in plain words."""
    code, out, err = run(*filter(None, [name]), "--help")
    assert (code, err) == (0, "")
    assert f"mkdocs-sitemap-plus {name or ''}" in out.partition("Example")[2]
    assert max(map(len, out.splitlines())) < 80
    assert not {"RANGE", "{"} & {*out.replace(" ", "\n").splitlines()}
    assert "[default: 30]" in " ".join(out.split()) or "--timeout" not in out
    assert out.count("--quiet") == bool(name)
    found = command.get_command(click.Context(command), name) if name else command
    for parameter in found.params:
        is_argument = isinstance(parameter, click.Argument)
        assert is_argument or parameter.help or parameter.hidden, parameter.name


def test_help_names_every_subcommand():
    """Each in one line."""
    listed = run("--help")[1].partition("\nCommands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == sorted(SUBCOMMANDS)
    assert all(len(line.split()) > 3 for line in listed)
    verbs = {"Write", "Check", "Compare", "Create", "Explain", "Submit"}
    assert {line.split()[1] for line in listed} <= verbs


@pytest.mark.parametrize("value", ["0", "nan", "soon", "86401"])
def test_a_timeout_is_a_number_of_seconds(value, sitemap):
    """Anything else is refused."""
    code, out, err = run("check", "--timeout", value, sitemap)
    assert (code, out) == (2, "")
    assert "Invalid value for '--timeout'" in err


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("check", ["-f", "no"]),
        ("diff", ["no", "no"]),
        ("explain", ["-f", "no", "a"]),
        ("submit", ["no", "--all", "--key", "0" * 32]),
    ],
)
def test_a_program_that_reads_json_learns_of_an_error(name, arguments, tmp_path, monkeypatch):
    """It gets JSON in each case, with the same version and the reason."""
    monkeypatch.chdir(tmp_path)
    code, out, err = run(name, "--format", "json", *arguments)
    result = json.loads(out)
    assert (code, result["version"]) == (2, 1)
    assert [f"Error: {why}" for why in result["unusable"]] == err.splitlines() != []


def test_letters_that_command_a_terminal_are_shown(tmp_path):
    """A foreign file sends nothing to the terminal, not even in an error."""
    file = tmp_path / "\x1b[31m.xml"
    reported = (
        f"Error: {tmp_path.as_posix()}/\\x1b[31m.xml: can't be read (No such file or directory).\n"
    )
    assert run("diff", file, file) == (2, "", reported)


@pytest.mark.skipif(sys.platform == "win32", reason="Unix")
def test_a_reader_that_goes_away_is_no_error(tmp_path, empty):
    """Such as ``head``."""
    many = tmp_path / "many.xml"
    urls = "".join(f"<url><loc>https://web.example/{n:09}/</loc></url>" for n in range(4_000))
    many.write_text(f'<urlset xmlns="{SPACE}">{urls}</urlset>', "utf-8")
    with subprocess.Popen(
        [*COMMAND, "diff", empty, many], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"+ https://web.example/000000000/\n"
        process.stdout.close()
        assert process.stderr.read() == b""


def test_colours_are_for_terminals_and_for_who_asks_for_them(empty, sitemap, monkeypatch):
    """By FORCE_COLOR (force-color.org), unless NO_COLOR is set, too (no-color.org)."""
    colourful = PLAIN.replace("+ https://web.example/ü", "\x1b[32m+ https://web.example/ü\x1b[0m")
    for force, no, expected in (
        ("", "", PLAIN),
        ("1", "", colourful),
        ("1", "1", PLAIN),
    ):
        monkeypatch.setenv("FORCE_COLOR", force)
        monkeypatch.setenv("NO_COLOR", no)
        assert run("diff", empty, sitemap) == (0, expected, "")
    monkeypatch.delenv("NO_COLOR")
    assert run("diff", "no", sitemap)[2].startswith("\x1b[31mError: no: can't be read")
    assert json.loads(run("diff", "--format", "json", empty, sitemap)[1])["version"] == 1


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("d", ["plain,dates", "plain,diff"]),
        ("check --ignore gone,not-li", ["plain,gone,not-listed"]),
        ("check --explain not-li", ["plain,not-listed"]),
        ("check --format g", ["plain,github"]),
        ("build --qui", ["plain,--quiet"]),
        ("check si", ["file,si"]),
        ("diff a si", ["file,si"]),
        ("explain docs/a", ["file,docs/a"]),
    ],
)
def test_shells_complete_it(monkeypatch, capsys, line, found):
    """Codes and values; a shell completes by itself what begins with ``file`` or ``dir``."""
    words = ["mkdocs-sitemap-plus", *line.split()]
    monkeypatch.setenv("_MKDOCS_SITEMAP_PLUS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit):
        command([], prog_name=words[0])
    assert capsys.readouterr().out.splitlines() == found
