"""Golden sites: whole projects, and all that a build of each writes, logs and explains.

Each folder beside this file is one: ``mkdocs.yml``, whose first line says what it shows, ``docs/``,
``history.txt`` if it has a repository (see `make_repository`), and ``expected/``. What it needs
beside MkDocs stands in ``needs.txt``, a smaller limit of a file in ``max-urls.txt``, and in
``plugin-only.txt`` why ``build`` does something else. ``pytest tests/golden --update-golden``
writes ``expected/`` anew; read the diff.
"""

import re
from pathlib import Path

import pytest
from both_rooms import both
from doors import check_summaries, files_of
from golden import Golden
from limits import limits
from quantity import one_in
from sites import installed, run_command

from mkdocs_sitemap_plus.sitemap.protocol import MAX_URLS

HOMES = sorted(path.parent for path in Path(__file__).parent.glob("*/mkdocs.yml"))


def note_of(home, name):
    """Return what a file of a golden site says, or nothing."""
    file = home / name
    return file.read_text("utf-8").strip() if file.is_file() else None


@pytest.fixture(scope="module", params=HOMES, ids=lambda home: home.name)
def golden(request, tmp_path_factory):
    """A golden site that MkDocs has built, and what came of it."""
    home = request.param
    if (needed := note_of(home, "needs.txt")) and not installed(needed):
        pytest.skip(f"not installed: {needed}")
    site = Golden(home, tmp_path_factory.mktemp(home.name))
    site.prepare()
    with limits(int(note_of(home, "max-urls.txt") or MAX_URLS)):
        found = site.build()
        if request.config.getoption("--update-golden"):
            site.expect(found)
        yield site, found


def test_a_build_gives_what_is_expected(golden):
    """The sitemaps to the byte, every line of the log, and the reason of every value."""
    site, found = golden
    assert found == site.expected(), "If this is meant: pytest tests/golden --update-golden"


@one_in(6)
def test_a_build_and_check_agree_on_the_pages(golden, tmp_path):
    """By the files alone: which are pages, error pages, redirects, noindex and canonical."""
    site, _ = golden
    url = re.search(
        r"(?m)^site_url: *[\"']?(https?://[^\s\"']+)", (site.home / "mkdocs.yml").read_text("utf-8")
    )
    if url and (site.folder / "site").is_dir():
        by_build, by_check = both(tmp_path, site.folder / "site", f"{url[1].rstrip('/')}/")
        assert by_check == by_build


@one_in(3)
def test_the_command_gives_the_same(golden):
    """Of the built site and its project file, without running the code of either.

    Only the plugin knows some notes: of the theme, and of files that MkDocs does not publish. It
    also knows which one of two possible sources was built.
    """
    site, found = golden
    if reason := note_of(site.home, "plugin-only.txt"):
        pytest.skip(reason)
    built = site.folder / "site"
    before = files_of(built)
    for path in built.glob("*.xml*"):
        path.unlink()
    done = run_command("build", cwd=site.folder)
    assert files_of(built) == before
    log = found["log.txt"].splitlines()
    *lines, summary = [line for line in log if not line.startswith("exit code")]
    if done.stdout:
        check_summaries(done.stdout, summary.removeprefix("INFO "))
    else:
        lines.append(summary)
    levels = {"Warning": "WARNING", "Note": "INFO"}
    printed = [line.split(": ", 1) for line in done.stderr.splitlines()]
    printed = [(level, text) for level, text in printed if "no known source" not in text]
    printed = sorted(f"{levels[level]} {text}" for level, text in printed)
    known = [line for line in lines if line in printed or line.startswith("WARNING")]
    assert sorted(known) == printed
