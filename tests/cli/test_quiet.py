"""``--quiet`` leaves out what is no result, for scripts and for logs."""

import json
import os
import subprocess
import sys

import pytest
from commands import run
from quantity import at_length
from sitemap_texts import HOME, RIGHT, urlset
from sites import clean_environment
from terminals import pieces

from mkdocs_sitemap_plus.cli import SUBCOMMANDS

OTHER = urlset(HOME, "<url><loc>https://example.com/b/</loc></url>")


@pytest.fixture
def built(site, monkeypatch):
    """A built site with a page that the sitemap lacks."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "---\nsitemap: false\n---\n# B\n"})
    site.config("")
    site.commit(date="2024-02-01T10:00:00+0000")
    site.build()
    monkeypatch.chdir(site.folder)
    return site.folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["build"],
        ["check"],
        ["dates"],
        ["diff", "site", "site"],
        ["index", "site", "-o", "i.xml"],
        ["report", "-o", "report.html"],
    ],
    ids=" ".join,
)
def test_nothing_is_printed_if_all_is_well(built, arguments):
    """And the same is done."""
    (loud, *_), (code, out, err) = run(*arguments), run(*arguments, "--quiet")
    assert (code, out, err) == (loud, "", "")
    assert "".join(run(*arguments)[1:]) != ""


def test_results_warnings_and_errors_are_printed(built):
    """The same as without the option, but for sums and notes."""
    orphan = built / "site" / "c" / "index.html"
    orphan.parent.mkdir()
    orphan.write_text("<!doctype html><title>C</title>")
    code, out, err = run("check", "-q")
    (finding,) = out.splitlines()
    assert (code, err) == (1, "")
    assert " warning not-listed" in finding
    assert run("check", "--format", "json", "-q") == run("check", "--format", "json")
    _, out, _ = run("check", "-q", "--format", "github")
    assert out.startswith("::warning ")
    assert len(out.splitlines()) == 1
    (built / "s.xml").write_bytes(OTHER)
    (built / "t.xml").write_bytes(RIGHT)
    assert run("diff", "-q", "t.xml", "s.xml")[1] == "+ https://example.com/b/\n"
    _, out, _ = run("explain", "-q", "a.md")
    assert out.startswith("a.md: listed\n")
    code, out, err = run("diff", "-q", "no.xml", "s.xml")
    assert (code, out, err.startswith("Error: no.xml: ")) == (2, "", True)
    assert run("explain", "-q", "none.md")[2].startswith("There is no page 'none.md'.")
    urls = run("submit", "-q", "s.xml", "--all", "--dry-run", "--key", "0" * 32)[1]
    assert urls.splitlines()[:2] == ["https://example.com/", "https://example.com/b/"]


def test_a_warning_of_a_build_stays(built):
    """Since something is to be done about it."""
    plugins = "plugins: [{sitemap-plus: {fliename: a.xml}}]\n"
    project = f"site_name: S\nsite_url: https://example.com/\n{plugins}"
    (built / "mkdocs.yml").write_text(project)
    code, out, err = run("build", "-q")
    assert (code, out) == (0, "")
    assert "Warning: " in err
    assert "filename" in err


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_the_option(name):
    """Once, however often it is asked for."""
    run(name, "--help")
    assert run(name, "--help")[1].count("--quiet") == 1


@at_length
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_shows_no_progress(web):
    """Not even while a slow server is asked."""
    import pty  # noqa: PLC0415 - not on Windows

    web.pages = {f"/{name}": b"<!doctype html>Hello" for name in "abcd"} | {"/robots.txt": 404}
    web.pages["/sitemap.xml"] = urlset(*(f"<url><loc>{web.url}{n}</loc></url>" for n in "abcd"))
    command = [sys.executable, "-m", "mkdocs_sitemap_plus", "check", "-q", "--pages"]
    watcher, terminal = pty.openpty()
    environment = clean_environment(TERM="xterm", no_proxy="127.0.0.1")
    environment.pop("CI", None)
    with subprocess.Popen(
        [*command, "--rate", "2", f"{web.url}sitemap.xml"],
        stdout=terminal,
        stderr=terminal,
        env=environment,
    ) as process:
        os.close(terminal)
        got = b"".join(pieces(watcher))
    assert (process.returncode, got) == (0, b"")


def test_json_is_the_same(built):
    """A program decides by itself what it shows."""
    for arguments in (["explain", "a.md"], ["diff", "site", "site"]):
        loud, quiet = (run(*arguments, "--format", "json", *more) for more in ([], ["-q"]))
        assert json.loads(loud[1]) == json.loads(quiet[1])
