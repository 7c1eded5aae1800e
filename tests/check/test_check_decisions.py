"""`check` accounts for each page: it is listed, or the owner left it out, or it is a finding."""

import json
import re
import shutil

import pytest
from sites import INSTANT, SiteMaker, git, needs, run_command

PAGES = {
    "index.md": "# Home\n",
    "a.md": "# A\n",
    "b.md": "# B\n",
    "guide/index.md": "# Guide\n",
    "guide/c.md": "# C\n",
    "internal/plan.md": "# Plan\n",
    "hidden.md": "---\nsitemap: false\n---\n# Hidden\n",
    "demo.html": "<!doctype html><title>Demo</title><p>A static page",
}
OPTIONS = "{exclude: /internal/, extra_urls: [{loc: app/}]}"


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """A site of which two pages and a static file are left out, as it was deployed last."""
    site = SiteMaker(tmp_path_factory.mktemp("decisions") / "site")
    site.docs(PAGES)
    site.config(f"{OPTIONS}")
    site.commit(date="2024-02-01T10:00:00+0000")
    site.commit_on("2024-03-01", {"docs/a.md": "# A, again\n"})
    site.build()
    shutil.copy(site.folder / "site" / "sitemap.xml", site.folder / "before.xml")
    return site


@pytest.fixture
def built(deployed, tmp_path):
    """A copy of it."""
    return deployed.copy(tmp_path / "site")


def check(site, *arguments):
    """The findings as code and path, and the whole JSON."""
    done = run_command("check", "--format", "json", *arguments, cwd=site.folder)
    result = json.loads(done.stdout)
    found = [
        (each["code"], re.sub("https://web.example", "", each["loc"]))
        for each in result["findings"]
    ]
    assert (done.returncode == 0) == (not found)
    return sorted(found), result


def without(site, url):
    """Take an entry out of the sitemap, as a hook or a defect would."""
    path = site.folder / "site" / "sitemap.xml"
    text = path.read_text("utf-8")
    new = re.sub(rf"\s*<url>\s*<loc>{re.escape(url)}</loc>.*?</url>", "", text, flags=re.DOTALL)
    assert new != text
    path.write_text(new, "utf-8")
    (site.folder / "site" / "sitemap.xml.gz").unlink(missing_ok=True)


def test_what_the_owner_left_out_is_no_finding(built):
    """One line counts the pages, and `explain` names each of them with what left it out."""
    found, result = check(built)
    assert found == []
    assert result["left_out"] == {"excluded": 2, "static file": 1}
    assert result["gone"] == []
    done = run_command("check", cwd=built.folder)
    assert "3 pages not listed, as the build decided (2 excluded, 1 static file)" in done.stdout
    out = re.sub(" +", " ", run_command("explain", "--all", cwd=built.folder).stdout)
    assert "hidden.md - excluded (front matter: line 2: sitemap)\n" in out
    assert "internal/plan.md - excluded (option: mkdocs.yml: exclude)\n" in out
    assert "demo.html - static file (copied as it is; to list it, use" in out


def test_the_project_of_a_site_is_found(built):
    """By its ``site_dir``, or by ``-f``; also if it was built elsewhere, as for GitLab's Pages."""
    folder = built.folder
    for arguments in (
        ["site"],
        ["site/sitemap.xml"],
        ["-f", "mkdocs.yml"],
        ["-f", "mkdocs.yml", "site"],
    ):
        assert check(built, *arguments)[0] == []
    (folder / "site").rename(folder / "public")
    assert check(built, "public")[0] == []
    shutil.copytree(folder / "public", folder.parent / "alone")
    lost = ["/demo.html", "/hidden/", "/internal/plan/"]
    expected = [("not-listed", path) for path in lost]
    alone = (folder.parent / "alone").as_posix()
    assert check(built, alone)[0] == sorted([*expected, ("page-absent", "/app/")])
    note = (
        "Note: what the owner left out is not known: no report of its build is kept here. Build "
        "it here, or let the build write one with the option `report` or with --write-report, "
        "and name that file with --report.\n"
    )
    assert run_command("check", alone, cwd=folder).stderr == note


def test_what_is_gone_since_the_last_deployment_is_named(built):
    """With its reason, if there is one; otherwise it is a finding."""
    site = built
    git("rm", "-q", "docs/b.md", cwd=site.folder)
    git("mv", "docs/guide/c.md", "docs/guide/d.md", cwd=site.folder)
    git("commit", "-qm", "Move C, remove B", cwd=site.folder)
    site.config(f"{OPTIONS.replace('/internal/', '[/internal/, /a.md]')}")
    site.build()
    without(site, "https://web.example/guide/")
    found, result = check(site, "--since", "before.xml")
    gone = [("gone", each) for each in ("/b/", "/guide/", "/guide/c/")]
    assert found == [*gone, ("not-listed", "/guide/")]
    gone = {each["loc"].removeprefix("https://web.example"): each["why"] for each in result["gone"]}
    assert gone == {"/a/": "excluded by mkdocs.yml:5: exclude"}
    out = run_command("check", "--since", "before.xml", cwd=site.folder).stdout
    assert f"https://web.example/a/ is gone: {gone['/a/']}." in out


def test_without_a_project_what_is_gone_is_a_finding(built):
    """Unless the page that is still built says why, as a redirect does."""
    without(built, "https://web.example/b/")
    without(built, "https://web.example/a/")
    stub = '<meta http-equiv="refresh" content="0; url=../a/">'
    built.write({"site/b/index.html": stub})
    (built.folder / "mkdocs.yml").unlink()
    found, result = check(built, "--since", "before.xml", "site")
    assert ("gone", "/a/") in found
    assert ("gone", "/b/") not in found
    assert [each["why"] for each in result["gone"]] == ["redirects to '../a/'"]


def test_an_older_sitemap_that_cannot_be_read_loses_no_finding(built):
    """The other findings are printed all the same, and the exit code says that it is not all."""
    without(built, "https://web.example/b/")
    done = run_command("check", "--format", "json", "--since", "no.xml", cwd=built.folder)
    result = json.loads(done.stdout)
    assert [finding["code"] for finding in result["findings"]] == ["not-listed"]
    assert [problem.partition(":")[0] for problem in result["unusable"]] == ["no.xml"]
    assert done.returncode == 2


def test_a_page_whose_url_no_sitemap_can_have_is_a_finding(site):
    """Nobody decided to leave it out."""
    long = "/".join("a" * 100 for _ in range(21))
    site.docs({"index.md": "# Home\n", f"{long}.md": "# Long\n"})
    site.config()
    site.build(found=["not-listed"])
    found, result = check(site)
    assert ([code for code, _ in found], result["left_out"]) == (["not-listed"], {})


def test_a_folder_is_checked_by_the_file_name_that_its_project_sets(built):
    """Also if only the folder is named."""
    built.config(f"{OPTIONS[:-1]}, filename: map.xml}}")
    shutil.rmtree(built.folder / "site")
    built.build()
    for arguments in (["site"], ["-f", "mkdocs.yml", "site"], []):
        found, result = check(built, *arguments)
        assert (found, result["files"]) == ([], ["site/map.xml"]), arguments


@needs("mkdocs-material")
def test_urls_that_instant_navigation_moves_are_listed(built):
    """They are in a file of their own, which `explain` and ``--since`` read, too."""
    built.config(OPTIONS, more=INSTANT)
    built.build()
    assert (built.folder / "site/sitemap-extra.xml").exists()
    explained = run_command("explain", "https://web.example/app/", cwd=built.folder)
    assert explained.stdout.startswith("https://web.example/app/: listed\n")
    shutil.move(built.folder / "site", built.folder / "old")
    built.config(f"{OPTIONS.partition(',')[0]}}}", more=INSTANT)
    built.build()
    assert check(built, "--since", "old")[0] == [("gone", "/app/")]


def test_only_urls_by_hand_do_not_decide_the_url_of_the_site(built):
    """The project has it; so the page of another build is not taken for the home page."""
    built.config("{rules: [{match: '*', exclude: true}], extra_urls: [{loc: app/}]}")
    built.build()
    found, result = check(built)
    assert (found, result["left_out"]) == ([], {"excluded": 7, "static file": 1})
    explained = run_command("explain", "a.md", cwd=built.folder).stdout
    assert "  loc       https://web.example/a/\n" in explained


@pytest.mark.parametrize(
    ("options", "found"), [("", ["lastmod-differs"]), ("page_dates: false", [])]
)
def test_who_accepts_other_dates_on_pages_accepts_them_here_too(site, options, found):
    """The warning of the build names this option."""
    head = '<meta property="article:modified_time" content="2023-01-01">'
    site.write({"theme/main.html": f"<html><head>{head}</head>{{{{ page.content }}}}</html>"})
    site.docs({"index.md": "# Home\n"})
    site.config(options, theme="theme: {name: null, custom_dir: theme}\n")
    site.commit()
    site.build(found=["lastmod-differs"])
    assert [code for code, _ in check(site)[0]] == found


def test_the_report_of_the_project_is_not_that_of_another_version(tmp_path):
    """Though the project is named: a version of mike has a URL of its own."""
    site = SiteMaker(tmp_path / "site")
    site.docs(
        {"index.md": "# Home\n", "a.md": "# A\n", "out.md": "---\nsitemap: false\n---\n# Out\n"}
    )
    site.config(site_url="https://web.example/2.0/")
    site.commit()
    site.build()
    text = (site.folder / "mkdocs.yml").read_text().replace("2.0/", "")
    site.write({"mkdocs.yml": f"{text}extra: {{version: {{provider: mike}}}}\n"})
    for version, lastmod in (("1.0", "2024-05-01"), ("2.0", "2024-05-02")):
        shutil.copytree(site.folder / "site", site.folder / "pages" / version)
        for file in (site.folder / "pages" / version).rglob("*.*ml"):
            page = file.read_text().replace("web.example/2.0/", f"web.example/{version}/")
            file.write_text(page.replace("2024-05-01", lastmod))
    old, new = (
        run_command("check", "-f", "mkdocs.yml", f"pages/{version}", cwd=site.folder)
        for version in ("1.0", "2.0")
    )
    assert "its last build was for" not in old.stdout
    assert "Git: 2 of 2 dates are right" in old.stdout
    assert "explain" not in old.stdout
    assert "1 page not listed, as the build decided" in new.stdout
