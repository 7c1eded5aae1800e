"""``-`` is standard input or output."""

import gzip
import json
import os
import subprocess
import sys
from contextlib import chdir
from tempfile import TemporaryFile

import pytest
from commands import run
from quantity import at_length
from sitemap_texts import HOME, RIGHT, urlset
from sites import clean_environment

OTHER = urlset(HOME, "<url><loc>https://example.com/b/</loc></url>")


@pytest.fixture
def here(tmp_path):
    """A folder with a sitemap, which is that of a built site."""
    (tmp_path / "sitemap.xml").write_bytes(RIGHT)
    return tmp_path


def piped(folder, data, *arguments):
    """Return the exit code, stdout and stderr of the command with `data` on its standard input."""
    kept = os.dup(0)
    with TemporaryFile() as file, chdir(folder):
        file.write(data)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            return run(*arguments)
        finally:
            os.dup2(kept, 0)
            os.close(kept)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_sitemap_comes_from_a_pipe(here, pack):
    """It is not taken for a file of the current folder, whose pages are others."""
    (here / "index.html").write_text("<!doctype html>")
    data = pack(urlset("<url><loc>https://other.example/a#b</loc></url>"))
    code, out, err = piped(here, data, "check", "-")
    assert (code, err) == (1, "")
    finding, summary, nothing_else, _ = out.splitlines()
    assert finding.startswith("<stdin>:2: error loc-fragment: https://other.example/a#b: ")
    assert summary == "1 error in 1 file with 1 URL."
    assert nothing_else.startswith("Only the sitemap was checked.")
    _, out, _ = piped(here, data, "check", "--format", "github", "-")
    assert out.startswith("::error title=loc-fragment::<stdin>:2: https://other.example/a#b")


def test_every_command_that_reads_a_sitemap_takes_it_from_a_pipe(here):
    """Beside a file, or compared with a built site."""
    line = "1 added, 0 removed, 0 changed, 1 unchanged; 2 URLs now.\n"
    assert piped(here, OTHER, "diff", "sitemap.xml", "-")[1].endswith(line)
    line = "0 added, 1 removed, 0 changed, 1 unchanged; 1 URL now.\n"
    assert piped(here, OTHER, "diff", "-", "sitemap.xml")[1].endswith(line)
    found = piped(here, OTHER, "check", "--format", "json", "--since", "-", "sitemap.xml")[1]
    assert [each["code"] for each in json.loads(found)["findings"]] == ["gone"]
    key = ("--key", "0" * 32, "--dry-run")
    assert "Would send 2 URLs" in piped(here, OTHER, "submit", "-", "--all", *key)[1]
    assert "Would send 1 URL " in piped(here, OTHER, "submit", ".", "--since", "-", *key)[1]


@pytest.mark.parametrize("arguments", [["check", "-"], ["diff", "-", "sitemap.xml"]])
def test_an_empty_pipe_is_an_error(here, arguments):
    """As an empty file is."""
    code, out, err = piped(here, b"", *arguments)
    assert code == 2
    assert "<stdin>: " in out + err
    assert "is empty" in out + err


def test_pages_and_reports_come_from_a_pipe(site):
    """Names of pages, and what a build has kept."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("report: r.json")
    site.commit(date="2024-02-01T10:00:00+0000")
    site.build()
    code, out, _ = piped(site.folder, b"a.md\nnone.md\n", "explain", "--format", "json", "-")
    result = json.loads(out)
    assert code == 1
    assert [each["source"] for each in result["pages"]] == ["a.md"]
    assert [each["asked"] for each in result["unknown"]] == ["none.md"]
    data = (site.folder / "r.json").read_bytes()
    code, out, err = piped(site.folder, data, "report", "--report", "-", "-o", "r.html")
    assert (code, err) == (0, "")
    assert (site.folder / "r.html").read_bytes().startswith(b"<!doctype html>")
    code, out, _ = piped(site.folder, data, "explain", "--report", "-", "a.md")
    assert (code, out.splitlines()[0]) == (0, "a.md: listed")


@at_length
@pytest.mark.skipif(sys.platform == "win32", reason="Unix")
def test_a_closed_input_is_an_error(here):
    """And no traceback."""
    line = 'exec "$0" -m mkdocs_sitemap_plus check - <&-'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable],
        check=False,
        capture_output=True,
        cwd=here,
        env=clean_environment(),
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"can't be read (Bad file descriptor)." in done.stderr
