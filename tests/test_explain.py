"""``mkdocs-sitemap-plus explain``: why a page is in the sitemap, or not."""

import json
import sys

import pytest
from sites import run

from mkdocs_sitemap_plus.report.explain import find, lines, text


@pytest.fixture
def asked(site):
    """A built site with a commit, a renamed page, and one without a date."""
    site.config("exclude: /out.md\nlastmod: {git: {change: content}}")
    site.docs({"index.md": "# Home\n", "old.md": "# A page\n", "out.md": "# Out\n"})
    site.commit("Begin", "2024-01-01T10:00:00+0000")
    (site.folder / "docs/old.md").rename(site.folder / "docs/new.md")
    site.commit("Call it new", "2024-02-01T10:00:00+0000")
    site.docs({"untracked.md": "---\npriority: 0.5\n---\n# Untracked\n"})
    site.build("--strict")
    return site.folder


def explain(folder, *arguments, code=0):
    """Run it; returns its output and its errors."""
    command = (sys.executable, "-m", "mkdocs_sitemap_plus", "explain", *arguments)
    done = run(*command, cwd=folder, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "\x1b" not in done.stdout
    return done.stdout, done.stderr


def commit_of(folder, number):
    return run("git", "rev-parse", f"HEAD~{number}", cwd=folder).stdout[:10]


def test_it_says_who_says_what_and_what_was_passed_over(asked):
    """A date with its commit and subject, and the rename that is none."""
    out, _ = explain(asked, "new.md", "untracked.md", "docs/out.md")
    first, second = commit_of(asked, 1), commit_of(asked, 0)
    assert (
        out
        == f"""\
new.md: listed
  loc      https://example.com/new/
  lastmod  2024-01-01T10:00:00+00:00
           git: {first} docs/old.md "Begin"
           passed over: {second}: renamed from docs/old.md

untracked.md: listed
  loc       https://example.com/untracked/
  lastmod   none
            no source of dates knows the page
  priority  0.5
            front matter: docs/untracked.md:2: priority

out.md: left out
  loc       https://example.com/out/
  excluded  option: mkdocs.yml: exclude
"""
    )


@pytest.mark.parametrize(
    "name",
    [
        "new.md",
        "docs/new.md",
        "./docs/new.md",
        "new/index.html",
        "site/new/index.html",
        "https://example.com/new/",
        "https://EXAMPLE.com:443/new/#part",
        "new/",
        "/new/",
    ],
)
def test_a_page_has_many_names(asked, name):
    """Its source, what is built of it, and its URL."""
    out, _ = explain(asked, name)
    assert out.startswith("new.md: listed\n")


def test_an_unknown_page_is_met_with_names_that_are_near(asked):
    """The others are explained all the same; the exit code is 1."""
    out, errors = explain(asked, "nw.md", "index.md", "zzzzzzzz", code=1)
    assert out.startswith("index.md: listed\n")
    assert errors.splitlines() == [
        "There is no page 'nw.md'. Did you mean 'new.md'?",
        "There is no page 'zzzzzzzz'.",
    ]


def test_as_json_it_is_the_page_of_the_report(asked):
    """With the subject of the commit, and what was not found."""
    out, _ = explain(asked, "--format", "json", "new.md", "nw.md", code=1)
    said = json.loads(out)
    assert said["unknown"] == [{"asked": "nw.md", "nearest": ["new.md"]}]
    (page,) = said["pages"]
    assert page["because"]["lastmod"]["subject"] == "Begin"
    assert page["entry"] == {
        "loc": "https://example.com/new/",
        "lastmod": "2024-01-01T10:00:00+00:00",
    }


def test_it_reads_the_report_of_a_build(asked):
    """What only a plugin knows in a build is in there; neither project nor site is looked at."""
    config = asked / "mkdocs.yml"
    config.write_text(config.read_text() + "      report: r.json\n")
    run(sys.executable, "-m", "mkdocs", "build", "-q", cwd=asked)
    elsewhere = asked / "elsewhere"
    elsewhere.mkdir()
    out, _ = explain(elsewhere, "--report", "../r.json", "docs/out.md")
    assert out == (
        "out.md: left out\n"
        "  loc       https://example.com/out/\n"
        "  excluded  option: mkdocs.yml: exclude\n"
    )


def test_nothing_is_written(asked):
    """Not even where the sitemap is gone."""
    for path in (asked / "site").glob("sitemap*"):
        path.unlink()
    explain(asked, "new.md")
    assert not list((asked / "site").glob("sitemap*.xml*"))


def test_without_a_site_there_is_one_line(asked, tmp_path):
    """It says what to do, and the exit code is 2."""
    assert explain(asked, "-d", "none", "new.md", code=2)[1] == (
        "Error: there is no built site at none. Build the site first, or name its folder with -d.\n"
    )
    config = asked / "mkdocs.yml"
    config.write_text(config.read_text().replace("site_url", "#"))
    assert explain(asked, "new.md", code=2)[1].startswith("Error: mkdocs.yml: site_url is not set")


def a_page(**values):
    return {"loc": "https://x.example/a/", "source": "a.md", "dest": "a/index.html"} | values


def test_a_list_has_a_line_for_each_of_its_values():
    """Languages, images, and videos by their fields."""
    entry = {
        "loc": "https://x.example/a/",
        "lastmod": "2024-01-01",
        "alternates": [{"hreflang": "de", "href": "https://x.example/de/"}],
        "images": ["https://x.example/1.png", "https://x.example/2.png"],
    }
    when = {
        "voice": "git",
        "commit": "c" * 40,
        "path": "docs/a.md",
        "when": "2024-01-01T10:00:00+00:00",
        "passed": [{"what": "x.md", "why": "included, but not found"}],
    }
    because = {"listed": {"voice": "front matter", "file": "a.md", "key": "sitemap", "line": 2}}
    page = a_page(entry=entry, because=because | {"lastmod": when})
    assert [line for line, _ in text(lines(page))] == [
        "  loc         https://x.example/a/",
        "  listed      yes",
        "              front matter: a.md:2: sitemap",
        "  lastmod     2024-01-01",
        "              git: cccccccccc docs/a.md",
        "              of 2024-01-01T10:00:00+00:00",
        "              passed over: x.md: included, but not found",
        "  alternates  de https://x.example/de/",
        "  images      https://x.example/1.png",
        "              https://x.example/2.png",
    ]


def test_a_url_that_is_no_page_is_found_by_its_url():
    """An entry of ``extra_urls`` has no source."""
    page = {"loc": "https://x.example/api/", "entry": {"loc": "https://x.example/api/"}}
    report = {"site": {"docs_dir": "docs", "url": "https://x.example/"}, "pages": [page]}
    assert find(report, ["api/"]) == [page]
    assert find(report, ["docs"]) == find(report, [""]) == find(report, ["http://["]) == []
