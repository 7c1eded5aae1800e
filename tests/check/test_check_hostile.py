"""Sitemaps that were made to hurt end in one clear line, soon and in little memory."""

import json
import subprocess
import sys
import textwrap
from contextlib import suppress

import pytest
from broken_sitemaps import NOW, gzip_bomb
from hypothesis import given
from hypothesis import strategies as st
from quantity import at_length
from sites import clean_environment

from mkdocs_sitemap_plus.check.run import check
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.find import FoundFile

MEBIBYTE = 1 << 20
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

CHILD = textwrap.dedent(
    """
    import io, json, resource, sys, time
    from contextlib import redirect_stdout
    resource.setrlimit(resource.RLIMIT_AS, (%d, %d))
    from mkdocs_sitemap_plus.cli import command
    for path in sys.argv[1:]:
        out, start = io.StringIO(), time.process_time()
        try:
            with redirect_stdout(out):
                command(["check", "--format", "json", path])
        except SystemExit as end:
            code = end.code
        print(json.dumps([code, json.loads(out.getvalue()), time.process_time() - start]))
    """
) % (200 * MEBIBYTE, 200 * MEBIBYTE)


def laughs():
    entities = "".join(
        f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">' for number in range(1, 12)
    )
    return (
        f'<!DOCTYPE urlset [<!ENTITY a0 "ha">{entities}]><urlset xmlns="{SPACE}">'
        "<url><loc>&a11;</loc></url></urlset>"
    ).encode()


HOSTILE = {
    "billion laughs": (
        laughs,
        "not-xml",
        "has a document type declaration, which is not allowed",
    ),
    "gzip bomb": (
        lambda: gzip_bomb(b" " * 1_000_000),
        "too-large",
        "has more than 52,428,800 bytes, unpacked",
    ),
}


@at_length
@pytest.mark.skipif(sys.platform != "linux", reason="other systems measure memory otherwise")
@pytest.mark.fault("`check` reads a sitemap that an attacker wrote")
def test_it_ends_in_a_clear_error_soon_and_in_little_memory(tmp_path):
    """Within two seconds and 200 MiB, all of Python included, and nothing else is printed."""
    paths = [tmp_path / f"{name}.xml" for name in HOSTILE]
    for path, (make, _, _) in zip(paths, HOSTILE.values(), strict=True):
        path.write_bytes(make())
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *paths],
        check=True,
        capture_output=True,
        text=True,
        env=clean_environment(),
    )
    assert done.stderr == ""
    ends = map(json.loads, done.stdout.splitlines())
    for (_, code, reason), (exit_code, said, seconds) in zip(HOSTILE.values(), ends, strict=True):
        found = [(finding["code"], finding["reason"]) for finding in said["findings"]]
        assert (exit_code, found) == (2, [(code, reason)])
        assert seconds < 2  # of this process, however busy the machine is


PIECES = st.sampled_from(
    [
        b"<url>",
        b"</url>",
        b"<loc>",
        b"<sitemap><loc>http://[::1</loc></sitemap>",
        b"<sitemap><loc>https://h/%00%ff</loc></sitemap>",
        b"</loc>",
        b"<lastmod>",
        b"</lastmod>",
        b"https://example.com/",
        b"https://[",
        b"http://h:99999/",
        b"9999-12-31T23:59:59-14:00",
        b"0001-01-01T00:00:00+14:00",
        b"<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='",
        b"' href='//[::1'/>",
        b"de",
        b"<!--",
        b"-->",
        b"&#x10FFFF;",
        b"&amp;",
        b"\xff",
        b"%zz",
    ]
)


@given(st.lists(PIECES, max_size=12).map(b"".join), st.booleans())
def test_no_input_ends_in_a_traceback(tmp_path_factory, body, index):
    """Any file gives findings, or an error that names the file."""
    path = tmp_path_factory.getbasetemp() / "fuzz.xml"
    root = b"sitemapindex" if index else b"urlset"
    start = b'<%s xmlns="%s">' % (root, SPACE.encode())
    path.write_bytes(start + body + b"</%s>" % root)
    with suppress(SitemapError):
        check(FoundFile(str(path)), now=NOW)
