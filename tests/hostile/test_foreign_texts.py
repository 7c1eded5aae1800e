"""Texts of others in all that the command and the plugin print: they forge and betray nothing."""

import json
import re
import shutil
import sys
from collections.abc import Iterable
from importlib import import_module

import pytest
from quantity import one_in
from sites import SiteMaker, git, run_command

from mkdocs_sitemap_plus.command.cli.main import SUBCOMMANDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no file can have such a name")

FORGED = (
    "\n::error::forged\r::stop-commands::x\x1b[31m\x1b]0;t\x07\x9b\u202eevil\u2028##[error]##vso[x]"
)
NAME = FORGED.replace("\x1b]0;t\x07", "")
HIDDEN = "s3cret"
URL = f"https://bob:{HIDDEN}@example.com/"
KEY = "2f5c0e1b7a9d48632f5c0e1b7a9d4863"

YAML = json.dumps(FORGED)  # a text in double quotes is nearly the same in both languages
FRONT = f"""\
---
title: {YAML}
changefreq: {YAML}
sitemap: {{priority: {YAML}, {YAML}: 1, lastmod: {YAML}, images: ["{URL}a\\n::error::"]}}
---
# T
"""
OPTIONS = f"""\
exclude: [{YAML}]
rules: [{{match: {YAML}, priority: 1}}]
extra_urls: [{{loc: "{URL}"}}, {{loc: {YAML}}}]
extra_sitemaps: ["{URL}sitemap.xml", {YAML}]
extra_files: ["*.pdf"]
report: report.json
images: true
lastmod: {{git: {{ignore_subjects: ["*ignored*"]}}}}
"""


def html(title, canonical):
    return (
        f"<html><head><title>{title}</title><link rel=canonical href='{canonical}'></head>"
        f"<body><h1>{title}</h1><img src='{URL}{title}.png'></body></html>"
    )


SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    f"<url><loc>{URL}a</loc><lastmod>\n::error::x</lastmod></url>"
    "<url><loc>https://web.example/\u202e\n::error::b</loc><changefreq>\n::error::\u202e</changefreq>"
    "<priority>\n::warning::\u202e</priority></url>"
    "<url><loc>https://web.example/</loc><lastmod>2024-01-01</lastmod>"
    '<x:y xmlns:x="urn:::error::\u202e">\n::error::</x:y></url>'
    "<url><loc>https://web.example/::error::start/</loc></url>"
    "</urlset>"
)

ONE = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A site in which each text that somebody can choose is `FORGED`, and each URL has a secret."""
    site = SiteMaker(tmp_path_factory.mktemp("hostile"))
    names = (f"b{NAME}.md", "::error::start.md", "index.md")
    site.docs(dict.fromkeys(names, FRONT) | {f"c{NAME}.pdf": "pdf"})
    site.config(OPTIONS, more="docs_dir: docs\n")
    author = {"GIT_AUTHOR_NAME": "A\x1b[31m ::error:: \u202e", "GIT_AUTHOR_EMAIL": f"{URL}"}
    site.commit(message=f"::error::first {URL} \x1b[31m\u202e\n::error::x")
    site.docs(dict.fromkeys(names, FRONT + "more"))
    git("commit", "-qam", "::error::ignored \x1b[31m\u202e", cwd=site.folder, **author)
    site.docs({f"n{NAME}.md": FRONT})  # is not committed
    pages = {
        "": "index",
        f"b{NAME}/": "b",
        "::error::start/": "s",
        f"n{NAME}/": "n",
        f"g{NAME}/": "g",
    }
    site.write(
        {
            f"site/{folder}index.html": html(FORGED, f"https://web.example/{'x' if folder else ''}")
            for folder in pages
        }
    )
    site.write(
        {
            "site/sitemap.xml": SITEMAP,
            "site/robots.txt": f"Sitemap: {URL}\u202e\nDisallow: /\x1b[31m\n",
            f"site/c{NAME}.pdf": "pdf",
            "broken.xml": f"<urlset><{FORGED}",
            "broken.json": FORGED,
            f"{NAME}.xml": SITEMAP.replace("2024", "2023"),
            "mike/versions.json": json.dumps([{"version": NAME, "title": NAME, "aliases": [NAME]}]),
        }
    )
    return site


def check_lines(text, *, annotations=False):
    """Nothing in it is a command, an escape of a terminal, or a secret."""
    assert HIDDEN not in text
    for line in text.split("\n"):
        assert line.isprintable(), ascii(line)
        assert "##[" not in line
        assert "##vso[" not in line
        if line.lstrip().startswith("::"):
            assert annotations
            properties = re.match(
                r"::(error|warning) (file=[^,:]*,)?(line=\d+,)?title=[a-z-]+::", line
            )
            assert properties, line


GIVEN = f"--{FORGED}"
WEB = f"http://bob:{HIDDEN}@127.0.0.1:1/\u202e"
CALLS: Iterable[tuple[str, ...]] = [
    ("build", "-d", "built"),
    ("build", "--strict", "-d", "built"),
    ("build", "-d", FORGED),
    ("build", "-f", "broken.json"),
    ("check",),
    ("check", "site", "--format", "github"),
    ("check", f"{NAME}.xml", "--format", "github"),
    ("check", "broken.xml", f"no{NAME}", WEB, f"https://bob:{HIDDEN}@[/", "//x", FORGED),
    ("check", "--require", URL, "--require", FORGED, "site"),
    ("check", "--ignore", FORGED),
    ("explain", "index.md", "::error::start.md", "b", "n", f"b{NAME}/", URL, FORGED),
    ("explain", f"docs/b{NAME}.md", f"docs/n{NAME}.md", "--format", "json"),
    ("explain", "--report", "broken.json", "x"),
    ("diff", f"{NAME}.xml", "site"),
    ("diff", f"{NAME}.xml", "site", "--format", "json"),
    ("diff", WEB, "site"),
    ("diff", "broken.xml", FORGED),
    ("submit", "site", "--all", "--dry-run", "--key", KEY),
    ("submit", "one.xml", "--all", "--dry-run", "--key", f"{KEY}{FORGED}"),
    ("submit", "one.xml", "--all", "--key", KEY, "--timeout", "0.1"),
    ("key", "-o", f"no{NAME}"),
    ("index", "site", "--url", URL, "-o", "index.xml"),
    ("index", "mike", "-o", f"{NAME}/index.xml"),
    ("index", "site", "--merge", "--url", "https://web.example/", "-o", f"i{NAME}.xml"),
    ("dates",),
    ("dates", "-o", f"d{NAME}.json"),
    ("report", "site", "-o", f"r{NAME}.html"),
    ("report", "--report", "broken.json", "-o", "r.html"),
    (FORGED,),
    (GIVEN,),
]


def test_each_subcommand_is_called():
    """Also a new one."""
    assert {call[0] for call in CALLS} >= SUBCOMMANDS.keys()


@pytest.fixture(scope="module")
def built(hostile):
    """A copy of the site for the calls that write."""
    hostile.write({"one.xml": ONE.format("https://web.example/\u202e::error::")})
    hostile.write({"built/index.html": html(FORGED, "https://web.example/")})
    hostile.write({f"built/b{NAME}/index.html": html(FORGED, "")})
    hostile.write({f"built/n{NAME}/index.html": html(FORGED, ""), f"built/c{NAME}.pdf": "pdf"})
    hostile.write({"built/sitemap.xml": SITEMAP})
    return hostile


@one_in(3)
@pytest.mark.parametrize(
    "call", CALLS, ids=[f"{n}-{call[0][:7]!a}" for n, call in enumerate(CALLS)]
)
def test_no_text_of_others_forges_a_line_or_betrays_a_secret(built, call):
    """Whatever is called, and whatever fails."""
    done = run_command(*call, cwd=built.folder)
    assert done.stdout + done.stderr
    if "json" in call and done.stdout:
        json.loads(done.stdout)
    check_lines(done.stdout, annotations="github" in call)
    check_lines(done.stderr)
    if call[0] == "report":
        assert not [each for each in built.folder.glob("*.html") if HIDDEN in each.read_text()]


def answer(status, *headers):
    """An answer of a server with a reason phrase and headers of an attacker."""

    def send(handler):
        words = "\x1b[31m ::error:: ##[error] \x9b" + "x" * 30_000
        handler.send_response_only(status, words)
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()

    return send


@pytest.mark.parametrize("endpoint", ["418", "302"])
def test_no_server_forges_a_line_or_betrays_a_secret(web, endpoint, tmp_path, monkeypatch):
    """By its reason phrase, by a redirect, or by what it serves; nor is a long phrase whole."""
    plain, named = web.url, web.url.replace("://", f"://bob:{HIDDEN}@")
    submit = import_module("mkdocs_sitemap_plus.command.cli.submit")
    monkeypatch.setattr(submit, "ENDPOINT", f"{named}{endpoint}")
    place = ("Location", f"{named}::error::\x1b[31m")
    site = SiteMaker(tmp_path)
    site.write({"one.xml": ONE.format(f"{plain}a"), "secret.xml": ONE.format(f"{named}a")})
    web.pages = {
        f"/{KEY}.txt": KEY.encode(),
        "/418": answer(418),
        "/302": answer(302, place),
        "/sitemap.xml": SITEMAP.encode(),
        "/named.xml": ONE.format(f"{named}a").encode(),
        "/robots.txt": f"Sitemap: {named}x.xml\nSitemap: {plain}\x1b[31m::error::\n".encode(),
        "/a": answer(302, place, ("Content-Type", "text/html; charset=\x1b[31m")),
    }
    to = ("submit", "--all", "--key", KEY)
    calls = [
        (*to, "one.xml"),
        (*to, "secret.xml"),
        *(("check", "--pages", f"{plain}{name}") for name in ("sitemap.xml", "named.xml")),
        *(("check", f"{plain}{name}") for name in ("418", "302", "")),
        ("check", "--pages", "one.xml"),
        ("check", named),
        ("diff", f"{plain}302", f"{named}sitemap.xml"),
        ("diff", f"{plain}sitemap.xml", f"{plain}named.xml"),
        ("diff", f"{plain}sitemap.xml", f"{plain}418"),
    ]
    for call in calls:
        done = run_command(*call, cwd=site.folder)
        check_lines(done.stdout + done.stderr)
        assert done.stdout + done.stderr
        assert "x" * 300 not in done.stdout + done.stderr


def test_the_plugin_forges_no_line(hostile, tmp_path):
    """Its warnings, its notes and its summary."""
    site = hostile.copy(tmp_path / "copy")
    shutil.rmtree(site.folder / "site")
    built = site.build("-d", "other")
    assert built.warnings
    check_lines("\n".join(built.lines))
    own = re.sub(r"(?m)^(?!.*sitemap-plus).*\n?", "", built.output)
    check_lines(own.rstrip("\n"))
    report = (site.folder / "report.json").read_text("utf-8")
    assert HIDDEN not in report
    assert "https://***@example.com/" in report


def test_the_token_of_a_remote_is_not_shown(tmp_path):
    """Git itself shows a user name, which is where GitHub's tokens stand."""
    site = SiteMaker(tmp_path / "origin")
    site.docs({"index.md": "# A\n"})
    site.commit()
    site.commit()
    git("clone", "-q", "--depth=1", site.folder.as_uri(), tmp_path / "clone", cwd=tmp_path)
    clone = SiteMaker(tmp_path / "clone")
    clone.config("lastmod: {git: {shallow: fetch}}")
    url = f"http://{HIDDEN}@127.0.0.1:1/x.git"
    git("remote", "set-url", "origin", url, cwd=clone.folder)
    built = clone.build(check=False)
    assert "shallow" in built.output
    assert HIDDEN not in built.output
