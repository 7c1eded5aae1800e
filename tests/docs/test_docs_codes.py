"""The page about the codes of ``check`` says what the code says, and its examples are findings."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from commands import run
from sitemap_texts import urlset

from mkdocs_sitemap_plus.check import CheckCode

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "command" / "check-codes.md"
LISTED = "<url><loc>https://example.com/guide/</loc><lastmod>2026-01-05</lastmod></url>"
HTML = "<!doctype html><html><head></head><body><h1>Guide</h1></body></html>"
NAMESPACES = (
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
)

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="only a whole checkout has the docs")


def sections():
    """The text below each heading of the third level, by the heading, in order."""
    text = PAGE.read_text("utf-8")
    parts = re.split(r"^##(#?) (.*)\n", text, flags=re.MULTILINE)[1:]
    return {
        title: body
        for level, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        if level
    }


def examples():
    """Each example: its code, its language and its text."""
    for name, text in sections().items():
        for language, example in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
            yield pytest.param(name, language, example, id=name)


def test_each_code_has_its_section():
    """In the order of the code, and there is no other section."""
    assert list(sections()) == list(CheckCode)


@pytest.mark.parametrize("code", CheckCode, ids=str)
def test_the_section_of_a_code_is_that_of_the_table(code):
    """What is wrong, what to do, how much it matters, its source, and whether reading stops."""
    text = " ".join(sections()[code].split())
    assert text.startswith(f"{code.meaning} ")
    assert f" {code.fix} " in text
    more = "; nothing more is read" if code.stops else ""
    assert text.endswith(f" *{code.severity.capitalize()}, {code.source}{more}.*")


@pytest.mark.parametrize(("name", "language", "example"), list(examples()))
def test_the_example_of_a_code_is_a_finding(tmp_path, name, language, example):
    """``check`` finds this code, and a built page is found whose head has the HTML."""
    sitemap = example.removesuffix("\n").encode()
    if language == "html":
        sitemap = urlset(LISTED)
        pages = {"index.html": HTML, "guide/index.html": HTML}
        if example.startswith("{%"):
            pages["overrides/main.html"] = example
        else:
            pages["guide/index.html"] = HTML.replace("<head>", f"<head>{example}")
        for path, text in pages.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text, "utf-8")
    elif example.startswith(("<url>", "<url ")):
        sitemap = urlset(example, more=NAMESPACES)
    (tmp_path / "sitemap.xml").write_bytes(sitemap)
    _, out, _ = run("check", "--format", "json", tmp_path)
    found = [finding["code"] for finding in json.loads(out)["findings"]]
    assert name in found
    assert set(found) - {name, "not-listed"} == set()


def test_the_codes_that_stop_are_named():
    """On the page of the subcommand, since they can't be ignored."""
    text = " ".join((PAGE.parent / "check.md").read_text("utf-8").split())
    stops = ", ".join(f"`{code}`" for code in CheckCode if code.stops)
    assert f"can't be ignored: {stops}." in text


def test_findings_link_to_the_documentation():
    """At its address in ``[project.urls]``, to the section of their code."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    path = PAGE.relative_to(ROOT / "docs").with_suffix("").as_posix()
    for code in CheckCode:
        assert code.url == f"{project['urls']['Documentation']}page/{path}/#{code}"
