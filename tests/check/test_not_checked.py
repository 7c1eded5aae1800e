"""What `check` did not look at is told apart from what is right."""

import json

import pytest
from commands import run
from sitemap_texts import RIGHT, urlset

PAGE = "<!doctype html><title>A</title>"
FACT = '{}<aside class="md-source-file"><span class="md-source-file__fact">{}</span></aside>'


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments):
    """Return the whole JSON; by a word for each thing that was not looked at, why; and stderr."""
    _, out, err = run("check", "--format", "json", *arguments)
    result = json.loads(out)
    return result, {each["what"]: each["why"] for each in result["not_checked"]}, err


def test_a_folder_says_nothing_of_the_server_and_of_the_owner(here):
    """As it has neither; a person who names a folder knows that, so only the JSON says it."""
    (here / "sitemap.xml").write_bytes(RIGHT)
    assert set(check(".")[1]) == {"site", "server"}
    (here / "index.html").write_text(PAGE)
    _, missing, err = check(".")
    assert (set(missing), err) == ({"address", "project", "server"}, "")
    (here.parent / "mkdocs.yml").write_text(
        f"site_name: S\nsite_dir: {here.name}\ndocs_dir: gone\n"
    )
    _, missing, err = check(".")
    assert set(missing) == {"address", "project", "server"}
    assert err == ""


def test_pages_that_were_not_requested_are_counted(web, tmp_path):
    """Those of other hosts, those that robots.txt disallows, and those outside of the sample."""
    pages = [f"<url><loc>{web.url}{name}</loc></url>" for name in "abcdef"]
    foreign = "<url><loc>https://other.example/</loc></url>"
    web.pages = {f"/{name}": PAGE.encode() for name in "abcdef"}
    web.pages["/sitemap.xml"] = urlset(*pages, foreign)
    rules = "User-agent: mkdocs-sitemap-plus\nDisallow: /a\n"
    web.pages["/robots.txt"] = f"Sitemap: {web.url}sitemap.xml\n{rules}".encode()
    result, missing, err = check("--pages", "--sample", 2, f"{web.url}sitemap.xml")
    assert result["pages_asked"] == 1
    assert missing["sample"] == "4 pages outside of the sample."
    whys = [each["why"] for each in result["not_checked"] if each["what"] == "pages"]
    assert whys == [
        "1 page on other hosts: this sitemap may not list them, so they were not requested.",
        f"2 pages of {web.url[:-1]}: robots.txt disallows 1 of them for mkdocs-sitemap-plus.",
    ]
    assert err.splitlines() == [f"Note: {why}" for why in whys]


def test_a_robots_txt_that_can_not_be_read_is_noted(web):
    """Its rules are then unknown. Where there is none, nothing is missing."""
    url = f"{web.url}a"
    web.pages = {"/sitemap.xml": urlset(f"<url><loc>{url}</loc></url>"), "/robots.txt": 429}
    _, missing, err = check(f"{web.url}sitemap.xml")
    assert missing["robots.txt"].startswith(f"{web.url}robots.txt answers 429")
    assert missing["robots.txt"] in err
    web.pages["/robots.txt"] = 404
    assert set(check(f"{web.url}sitemap.xml")[1]) == {"site"}


@pytest.mark.parametrize(
    ("shown", "is_read"),
    [("2. Mai 2024", False), ("May 2, 2024", True)],
)
def test_dates_in_another_language_are_named(here, shown, is_read):
    """They were not compared with lastmod, which may thus be wrong."""
    entry = "<url><loc>https://web.example/</loc><lastmod>2024-05-02</lastmod></url>"
    (here / "sitemap.xml").write_bytes(urlset(entry))
    (here / "index.html").write_text(FACT.format(PAGE, shown), "utf-8")
    result, missing, err = check(".")
    assert result["counts"] == {"error": 0, "warning": 0}
    why = "which can't be read, so it is not compared with lastmod"
    line = f"1 page shows a date such as '{shown}', {why}."
    assert (missing.get("dates"), err) == ((None, "") if is_read else (line, f"Note: {line}\n"))
