"""The command as a program: how it starts, speaks and ends."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import click
import pytest
from commands import run
from quantity import at_length
from sites import clean_environment

from mkdocs_sitemap_plus.cli import SUBCOMMANDS, command

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
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
    url = "<url><loc>https://example.com/ü</loc></url>"
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
    assert script.value == "mkdocs_sitemap_plus.cli:main"


def test_the_version_is_that_of_the_package():
    """In one line."""
    own = version("mkdocs-sitemap-plus")
    assert run_process("--version") == (0, f"mkdocs-sitemap-plus {own}\n", "")


@pytest.mark.parametrize("name", [None, *SUBCOMMANDS])
def test_help_has_an_example(name):
    """Of the command, and of each of its subcommands; each of its options is explained."""
    code, out, err = run(*filter(None, [name]), "--help")
    assert (code, err) == (0, "")
    assert f"mkdocs-sitemap-plus {name or ''}" in out.partition("Example")[2]
    assert max(map(len, out.splitlines())) < 80
    found = command.get_command(click.Context(command), name) if name else command
    for parameter in found.params:
        is_argument = isinstance(parameter, click.Argument)
        assert is_argument or parameter.help or parameter.hidden, parameter.name


def test_the_man_page_fits_a_terminal():
    """Of 80 columns, 7 of which are its indent; it has a section for each subcommand."""
    script = Path(__file__).parents[2] / "scripts" / "make_man_page.py"
    if not script.exists():
        pytest.skip("only a whole checkout has the script")
    page = subprocess.run([sys.executable, script], check=True, capture_output=True).stdout.decode()
    lines = page.replace("\\", "").splitlines()
    sections = [line.removeprefix(".SH ") for line in lines if line.startswith(".SH ")]
    assert sections == ["NAME", "SYNOPSIS", "DESCRIPTION", *map(str.upper, sorted(SUBCOMMANDS))]
    assert [line for line in lines if len(line) > 80 - 7] == []
    assert sum(line.startswith("  -h, --help ") for line in lines) == len(sections) - 2


def test_help_names_every_subcommand():
    """Each in one line."""
    listed = run("--help")[1].partition("\nCommands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == sorted(SUBCOMMANDS)
    assert all(len(line.split()) > 3 for line in listed)
    verbs = {"Write", "Check", "Compare", "Create", "Explain", "Submit"}
    assert {line.split()[1] for line in listed} <= verbs


WITHOUT = """
import sys
sys.modules["mkdocs"] = None  # an import of it fails
from mkdocs_sitemap_plus.cli import command
try:
    for name in sys.argv[1:]:
        try:
            command([name, "--help"], prog_name="mkdocs-sitemap-plus")
        except SystemExit as end:
            assert end.code == 0
finally:
    del sys.modules["mkdocs"]
    assert not [name for name in sys.modules if name.split(".")[0] in ("mkdocs", "properdocs")]
"""


def test_no_subcommand_needs_mkdocs():
    """A build with Zensical has none."""
    code, out, err = run_process(*SUBCOMMANDS, code=WITHOUT)
    assert (code, err) == (0, "")
    assert out.count("Usage: mkdocs-sitemap-plus ") == len(SUBCOMMANDS)


STARTED = """
import sys
from mkdocs_sitemap_plus.cli import command
try:
    command(["--version"])
except SystemExit:
    slow = ("ssl", "http.client", "urllib.request", "yaml", "mkdocs", "dateutil", "pathspec")
    print([name for name in slow if name in sys.modules])
"""


def test_the_command_starts_with_little():
    """What a subcommand needs is imported when it is called."""
    assert run_process(code=STARTED)[1].splitlines()[1:] == ["[]"]


OFFLINE = """
import sys
from mkdocs_sitemap_plus.cli import command
for name in sys.argv[1:]:
    try:
        command([name, "--help"], prog_name="mkdocs-sitemap-plus")
    except SystemExit as end:
        assert end.code == 0
print([name for name in ("ssl", "http.client", "urllib3", "protego") if name in sys.modules])
"""


def test_what_does_not_use_the_web_imports_no_client():
    """It takes longer than all the rest of `explain`."""
    _, out, _ = run_process("build", "dates", "diff", "explain", "index", code=OFFLINE)
    assert out.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("name", "suggestion"), [("biuld", "build"), ("chek", "check"), ("x", None)]
)
def test_an_unknown_subcommand_is_an_error(name, suggestion):
    """With exit code 2, and with the one that was probably meant."""
    code, out, err = run(name)
    assert (code, out) == (2, "")
    hint = f" Did you mean {suggestion!r}?" if suggestion else ""
    assert err.splitlines()[-1] == f"Error: No such command {name!r}.{hint}"


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_is_in_plain_words(name):
    """Types and defaults as a person writes them."""
    _, out, _ = run(name, "--help")
    assert "RANGE" not in out
    assert "{" not in out
    assert "[default: 30]" in " ".join(out.split()) or "--timeout" not in out


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "soon", "86401"])
def test_a_timeout_is_a_number_of_seconds(value, sitemap):
    """Anything else is refused."""
    code, out, err = run("check", "--timeout", value, sitemap)
    assert (code, out) == (2, "")
    assert "Invalid value for '--timeout'" in err


def test_errors_are_one_line_on_stderr(tmp_path):
    """With exit code 2, and nothing on stdout."""
    found = (
        "has no sitemap.xml or sitemap-index.xml in it. Build the site again, or give the path of "
        "the sitemap itself."
    )
    reported = f"Error: {tmp_path.as_posix()}: {found}\n"
    assert run("diff", tmp_path, tmp_path) == (2, "", reported)


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


def on_a_terminal(*arguments, **extra):
    """What the command prints on a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = clean_environment(TERM="xterm", **extra)
    if "NO_COLOR" not in extra:
        environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)], env=environment, stdout=theirs, stdin=subprocess.DEVNULL
    ) as process:
        os.close(theirs)
        reported = b""
        try:
            while piece := os.read(ours, 4096):
                reported += piece
        except OSError:  # Linux's way to say that the other side is closed
            pass
        os.close(ours)
    assert process.returncode == 0
    return reported.decode().replace("\r\n", "\n")


PLAIN = """\
+ https://example.com/ü
1 added, 0 removed, 0 changed, 0 unchanged; 1 URL now.
"""


@at_length
def test_colours_are_for_terminals(empty, sitemap):
    """A pipe or a file gets none, and neither does who asks for none (no-color.org).

    Who asks for some gets them everywhere (force-color.org), unless both are asked for.
    """
    colourful = PLAIN.replace("+ https://example.com/ü", "\x1b[32m+ https://example.com/ü\x1b[0m")
    assert on_a_terminal("diff", empty, sitemap) == colourful
    assert on_a_terminal("diff", empty, sitemap, NO_COLOR="1") == PLAIN
    assert run_process("diff", empty, sitemap, FORCE_COLOR="1") == (0, colourful, "")
    assert run_process("diff", empty, sitemap, FORCE_COLOR="1", NO_COLOR="1") == (0, PLAIN, "")
    assert run_process("diff", empty, sitemap, FORCE_COLOR="") == (0, PLAIN, "")
    error = run_process("diff", "no", sitemap, FORCE_COLOR="1")[2]
    assert error.startswith("\x1b[31mError: no: can't be read")
    plain = run_process("diff", "--format", "json", empty, sitemap, FORCE_COLOR="1")
    assert json.loads(plain[1])["version"] == 1
    assert run("diff", empty, sitemap) == (0, PLAIN, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Unix")
def test_a_reader_that_goes_away_is_no_error(tmp_path, empty):
    """Such as ``head``."""
    many = tmp_path / "many.xml"
    urls = "".join(f"<url><loc>https://example.com/{n:09}/</loc></url>" for n in range(20_000))
    many.write_text(f'<urlset xmlns="{SPACE}">{urls}</urlset>', "utf-8")
    with subprocess.Popen(
        [*COMMAND, "diff", empty, many], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"+ https://example.com/000000000/\n"
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(each, marks=at_length) for each in ("zsh", "fish"))]
)
def test_shells_complete_it(shell):
    """As the docs say: by a line in the shell's own start file."""
    code = "from mkdocs_sitemap_plus.cli import main; main()"
    found, out, _ = run_process(code=code, _MKDOCS_SITEMAP_PLUS_COMPLETE=f"{shell}_source")
    assert found == 0
    assert "mkdocs-sitemap-plus" in out
    if shell == "bash":
        assert completed("d") == ["plain,dates", "plain,diff"]


@at_length
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("check --ignore not-li", ["plain,not-listed"]),
        ("check --ignore gone,not-li", ["plain,gone,not-listed"]),
        ("check --explain not-li", ["plain,not-listed"]),
        ("check --format g", ["plain,github"]),
        ("diff --format m", ["plain,markdown"]),
        ("check --fail-on e", ["plain,error"]),
        ("build --qui", ["plain,--quiet"]),
        ("check si", ["file,si"]),
        ("check --since si", ["file,si"]),
        ("check --site si", ["dir,si"]),
        ("check -f mk", ["file,mk"]),
        ("diff si", ["file,si"]),
        ("diff a si", ["file,si"]),
        ("explain docs/a", ["file,docs/a"]),
        ("index si", ["file,si"]),
        ("report si", ["dir,si"]),
        ("submit si", ["file,si"]),
        ("submit --since si", ["file,si"]),
        ("dates RE", ["file,RE"]),
    ],
)
def test_shells_complete_codes_values_and_paths(line, found):
    """A shell completes by itself what begins with ``file`` or ``dir``."""
    assert completed(line) == found


def completed(line):
    """What bash may write in the place of the last word of a line, as the command tells it."""
    words = ["mkdocs-sitemap-plus", *line.split()]
    code = "from mkdocs_sitemap_plus.cli import main; main()"
    variables = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = run_process(code=code, _MKDOCS_SITEMAP_PLUS_COMPLETE="bash_complete", **variables)
    assert (done[0], done[2]) == (0, "")
    return done[1].splitlines()
