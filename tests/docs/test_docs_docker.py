"""The page on Docker: its scripts run, by a `docker` that sees the mounted folder alone."""

import os
import re
import subprocess
import sys

import pytest
from docs_pages import DOCS, blocks
from sites import SiteMaker, clean_environment

pytestmark = [
    pytest.mark.skipif(not DOCS.is_dir(), reason="only a whole checkout has the docs"),
    pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for the shell of Unix"),
]
PAGE = DOCS / "hosting" / "docker.md"
PROJECT = "site_name: Test\nsite_url: https://web.example/\ndocs_dir: content\n"
DOCKER = f"""\
#!/bin/sh
# docker build …, or docker run --rm --user USER -v FOLDER:/docs IMAGE ARGUMENTS…
if test "$1" = build; then exit; fi
test "$1 $2 $3 $5" = "run --rm --user -v" && test "${{6#*:}}" = /docs || exit 2
folder=${{6%:/docs}}
container=$(mktemp -d)
cp -R "$folder/." "$container"
shift 7
cd "$container" && "{sys.executable}" -m mkdocs "$@" || exit
cp -R site "$folder"
"""
UVX = f"""\
#!/bin/sh
# uvx --from ADDRESS mkdocs-sitemap-plus ARGUMENTS…
test "$1 $3" = "--from mkdocs-sitemap-plus" || exit 2
shift 3
exec "{sys.executable}" -m mkdocs_sitemap_plus "$@"
"""


@pytest.fixture
def run(tmp_path):
    """Runs a script of the page in a repository whose `docs` have the project file."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {"docker": DOCKER, "uvx": UVX}.items():
        (programs / name).write_text(text, "utf-8")
        (programs / name).chmod(0o755)
    site = SiteMaker(tmp_path / "repository")
    site.write({"docs/mkdocs.yml": PROJECT})
    for day, page in enumerate(("index", "guide"), 5):
        site.commit_on(f"2026-01-0{day}", {f"docs/content/{page}.md": f"# {page}\n"})
    path = f"{programs}:{os.environ['PATH']}"

    def run(script):
        return subprocess.run(
            ["bash", "-c", script],
            check=True,
            cwd=site.folder,
            env=clean_environment(PATH=path, TMPDIR=os.fspath(tmp_path)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ).stdout

    run.site = site
    return run


def dates(run):
    """The days in the built sitemap."""
    xml = (run.site.folder / "docs" / "site" / "sitemap.xml").read_text("utf-8")
    return re.findall(r"<lastmod>(.{10})", xml)


def test_the_command_dates_what_the_image_built(run):
    """The first script of the page; the image has neither the plugin nor the history."""
    script = blocks(PAGE.read_text("utf-8"), "sh")[0]
    assert blocks(PAGE.read_text("utf-8"), "text")[0] in run(script)
    assert dates(run) == ["2026-01-05", "2026-01-06"]


def test_an_image_with_the_plugin_takes_a_file_of_dates(run):
    """The second script, with the plugin in the project file."""
    page = PAGE.read_text("utf-8")
    run.site.write({"docs/mkdocs.yml": PROJECT + blocks(page, "yaml")[0]})
    assert blocks(page, "text")[1] in run(blocks(page, "sh")[1])
    assert dates(run) == ["2026-01-05", "2026-01-06"]
