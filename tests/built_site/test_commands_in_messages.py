"""A command that a message names can be copied, and works where the message was printed."""

import re
import shlex
from itertools import chain
from pathlib import Path

import click
import pytest
from any_sites import URL, commit, html, put
from commands import run

import mkdocs_sitemap_plus
from mkdocs_sitemap_plus.command.cli.main import SUBCOMMANDS, command

IN_BACKTICKS = re.compile(r"`mkdocs-sitemap-plus ([^`]+)`")
PROJECT = "site_name: X\nsite_url: https://docs.example/\nplugins: [sitemap-plus]\n"
PAGES = {
    "index.html": html(),
    "a b/it's.html": html(head=f'<link rel=canonical href="{URL}a%20b/it\'s.html">'),
    "out.html": html(head='<meta name="robots" content="noindex">'),
}
OLD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'

# The calls of a person in one folder, and the names of the built folder and of the project file.
SCENES = {
    "another builder": ("public", None, [f"build public --site-url {URL}", "check public"]),
    "a report of its own": (
        "public",
        None,
        [
            f"build public --site-url {URL} --write-report r.json",
            "check --report r.json public",
            "check --report r.json public/sitemap.xml",
        ],
    ),
    "a project": ("site", "mkdocs.yml", ["build", "check", "check site", "check --min-dated 99%"]),
    "a project elsewhere": (
        "public",
        "o/mkdocs.yml",
        ["build -f o/mkdocs.yml -d public", "check -f o/mkdocs.yml public"],
    ),
    "without a build": ("public", None, ["check public", "explain -d public index.html"]),
}


def calls_in(text):
    """The arguments of each command that a text names."""
    return [shlex.split(found) for found in IN_BACKTICKS.findall(text)]


@pytest.mark.parametrize("scene", SCENES)
def test_each_command_of_a_message_works_where_it_was_printed(top, scene):
    """It ends with 0, or with 1 if it finds something; 2 is a call that can't be followed."""
    folder, project, calls = SCENES[scene]
    sources = dict.fromkeys(("docs/other.md", "o/docs/other.md"), "# Text\n")
    commit(top, sources | ({project: PROJECT} if project else {}))
    put(top / folder, PAGES | {"sitemap.xml": OLD})
    copied = []
    for call in calls:
        _, out, errors = run(*shlex.split(call))
        copied += calls_in(out + errors)
    for arguments in copied:
        code, _, errors = run(*arguments)
        assert code in (0, 1), (arguments, errors)
        assert "no page" not in errors
    assert [*copied] or scene == "without a build"


def options_of(name):
    """All options of a subcommand."""
    context = click.Context(command)
    parameters = command.get_command(context, name).params
    return {*chain.from_iterable(each.opts for each in parameters), "--help"}


def test_each_command_in_the_code_is_one():
    """Each subcommand that a message names is there, and has the options."""
    package = Path(mkdocs_sitemap_plus.__file__).parent
    texts = (path.read_text("utf-8") for path in package.rglob("*.py"))
    found = [arguments for text in texts for arguments in calls_in(re.sub(r'"\n\s+f?"', "", text))]
    assert {"dates"} <= {name for name, *_ in found}
    for name, *arguments in found:
        assert name in SUBCOMMANDS
        assert {each for each in arguments if each.startswith("-")} <= options_of(name)
        assert not any(each.isupper() for each in arguments), f"{name}: a name to fill in"


def test_explain_alone_asks_for_the_project_or_the_built_site(top):
    """A site of another builder has no project file, so -f could not be followed."""
    commit(top, {"docs/other.md": "# Text\n"})
    put(top / "public", PAGES)
    run("build", "public", "--site-url", URL)
    code, _, errors = run("explain", "index.html")
    assert (code, errors.rpartition(". ")[2]) == (
        2,
        "Name it with -f, or the built site with -d.\n",
    )
    assert run("explain", "-d", "public", "index.html")[0] == 0
