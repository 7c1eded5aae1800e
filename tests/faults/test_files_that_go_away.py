"""Another program removes files of the built site while the command reads them."""

import builtins
import io
import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from faults import documented
from quantity import at_length
from sites import SiteMaker, run_command

URL = "https://web.example/"
PAGE = '<!doctype html><title>A</title><link rel="canonical" href="{}"><h1>A</h1><p>Text</p>'
PAGES = ("index.html", "a/index.html", "b.html")
FILES = (*PAGES, "new.html", "part.html", "robots.txt", "sitemap.xml", "sitemap.xml.gz")
CALLS = {
    "build": ("build", "-d", "site", "--site-url", URL),
    "check": ("check", "site"),
    "report": ("report", "site", "-o", "report.html"),
}


@contextmanager
def removed_before(opening, path):
    """Remove a file or a folder of the site just before one of its files is opened so often."""
    real, openings = builtins.open, [0]

    def is_meant(file):
        name = os.path.realpath(file) if isinstance(file, str | os.PathLike) else ""
        return Path(name) == path or path in Path(name).parents

    def opened(file, mode="r", *arguments, **more):
        if "r" in mode and is_meant(file):
            openings[0] += 1
            if openings[0] == opening:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return real(file, mode, *arguments, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "open", opened)
        patch.setattr(io, "open", opened)
        yield openings


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A site of another builder, with a sitemap of ours, a newer page and a part of one."""
    site = SiteMaker(tmp_path_factory.mktemp("any"))
    pages = {"index.html": PAGE.format(URL), "a/index.html": PAGE.format(f"{URL}a/")}
    pages["b.html"] = "<!doctype html><title>B</title><h1>B</h1><p>Not canonical</p>"
    robots = f"User-agent: *\nSitemap: {URL}sitemap.xml\n"
    site.write({f"site/{name}": text for name, text in (pages | {"robots.txt": robots}).items()})
    assert run_command(*CALLS["build"], cwd=site.folder).returncode == 0
    site.write({"site/new.html": pages["b.html"], "site/part.html": "<p>A part"})
    return site


@pytest.fixture
def copy(original, tmp_path):
    """A copy."""
    return original.copy(tmp_path / "copy").folder


@pytest.mark.fault("a page is removed while the site is read")
def test_a_page_that_goes_away_is_left_out_and_named(copy):
    """By one line, and the other pages are listed."""
    with removed_before(1, copy / "site" / "b.html"):
        done = run_command(*CALLS["build"], cwd=copy)
    assert done.returncode == 0
    documented("a page is removed while the site is read", *done.stderr.splitlines())
    assert done.stderr.count("b.html") == 1
    text = (copy / "site" / "sitemap.xml").read_text("utf-8")
    assert (text.count("<loc>"), "b.html" in text) == (3, False)


@pytest.mark.parametrize("name", PAGES[1:])  # the home page is asked for its builder, too
def test_a_build_opens_no_page_twice(copy, name):
    """So one that goes away between two openings changes nothing."""
    with removed_before(2, copy / "site" / name) as openings:
        assert run_command(*CALLS["build"], cwd=copy).returncode == 0
    assert openings == [1]


@pytest.mark.parametrize(
    "opening", [2, *(pytest.param(other, marks=at_length) for other in (1, 3, 4, 6, 8))]
)
@pytest.mark.parametrize("name", [*FILES, "a", ""])
@pytest.mark.parametrize("call", CALLS)
def test_the_command_ends_with_a_message(copy, call, name, opening):
    """Whatever goes away, also the folder with all files, and whenever it does."""
    if call == "report":
        run_command(*CALLS["build"], cwd=copy)
    with removed_before(opening, copy / "site" / name):
        done = run_command(*CALLS[call], cwd=copy)
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
