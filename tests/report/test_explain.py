"""``mkdocs-sitemap-plus explain``: why a page is in the sitemap, or not."""

import json
import os
import re
import shutil

import pytest
from commands import run
from lxml import html
from published import check_as_published, pages_of
from published import explain as explain_built
from sites import SiteMaker, git, run_command

from mkdocs_sitemap_plus.built_site.find_page import find_in_report
from mkdocs_sitemap_plus.report.explain import lines


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A built site with a commit, a renamed page, and one without a date."""
    site = SiteMaker(tmp_path_factory.mktemp("built"))
    site.config("exclude: /out.md\nlastmod: {git: {change: content}}")
    site.docs({"index.md": "# Home\n", "old.md": "# A page\n", "out.md": "# Out\n"})
    site.commit("Begin", "2024-01-01T10:00:00+0000")
    (site.folder / "docs/old.md").rename(site.folder / "docs/new.md")
    site.commit("Call it new", "2024-02-01T10:00:00+0000")
    site.docs({"untracked.md": "---\npriority: 0.5\n---\n# Untracked\n"})
    site.build("--strict")
    return site


@pytest.fixture
def asked(built, tmp_path):
    """The folder of a copy of it."""
    return built.copy(tmp_path / "asked").folder


def explain(folder, *arguments, code=0):
    """Run it; returns its output and its errors."""
    done = run_command("explain", *arguments, cwd=folder)
    assert done.returncode == code, done.stdout + done.stderr
    assert "\x1b" not in done.stdout
    return done.stdout, done.stderr


def commit_of(folder, number):
    return git("rev-parse", f"HEAD~{number}", cwd=folder)[:10]


def test_each_value_has_its_origin_and_what_was_skipped(asked):
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
           skipped: {second}: renamed from docs/old.md

untracked.md: listed
  loc       https://example.com/untracked/
  lastmod   none
            git: docs/untracked.md is not committed
  priority  0.5
            front matter: docs/untracked.md:2: priority

out.md: not listed
  loc       https://example.com/out/
  excluded  option: mkdocs.yml:5: exclude
"""
    )


def test_changes_without_a_commit_are_named_with_the_date_that_lacks_them(asked):
    """The build after them shows the old date, too."""
    line = "docs/new.md has changed since the last commit, and this does not count yet"
    newer = asked / "docs/new.md"
    assert "since the last commit" not in explain(asked, "new.md")[0]
    newer.write_text(newer.read_text() + "More.\n")
    out, _ = explain(asked, "new.md")
    assert f"           {line}\n" in out
    (page,) = json.loads(explain(asked, "new.md", "--format", "json")[0])["pages"]
    assert page["uncommitted"] == line


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
        "https://example.com/new",
        "https://example.com/new/index.html",
        "new/",
        "/new/",
        "/new.md",
        "/docs/new.md",
        "new/index.md",
        "n%65w.md",
        "example.com/new/",
        "http://www.example.com/new.html?from=mail",
        "a page",
        "A page - Sample",
    ],
)
def test_a_page_has_many_names(asked, name):
    """Its source, what is built of it, its URL as people share it, and the title of its window."""
    out, _ = explain(asked, name)
    assert out.startswith("new.md: listed\n")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A site in a folder of its host, with files that are no pages, and with unbuilt sources."""
    site = SiteMaker(tmp_path_factory.mktemp("mixed"))
    site.docs({"index.md": "# Home\n", "ü.md": "# U\n", "guide/index.md": "# Guide\n"})
    site.docs({"no.md": "# No\n", "later.md": "# Later\n", "demo.html": "x", "m.pdf": b"x"})
    more = "exclude_docs: no.md\ndraft_docs: later.md\n"
    site.config("lastmod: {sources: []}", more=more, site_url="https://example.com/x/")
    site.build("--strict")
    site.write({"site/extra.html": "<title>Extra</title>", "site/later/index.html": ""})
    return site.folder


@pytest.mark.parametrize("form", ["{}", "/{}", "site/{}", "https://example.com/x/{}"])
@pytest.mark.parametrize(
    ("file", "label", "why"),
    [
        ("404.html", "error page", "servers show it for addresses that do not exist"),
        (
            "extra.html",
            "no canonical",
            "it has no source file and no rel=canonical; to list it, use",
        ),
        ("demo.html", "static file", "copied as it is; to list it, use `extra_files`"),
        ("sitemap.xml", "static file", "a sitemap, which lists pages"),
        ("m.pdf", "static file", "not a page; to list it, use `extra_files`"),
    ],
)
def test_a_file_that_is_no_page_is_explained(mixed, form, file, label, why):
    """What it is, and how it can be listed."""
    out, _ = explain(mixed, form.format(file))
    assert out.startswith(f"{file}: not listed\n  loc {'':{len(label) - 2}}https://example.com/x/")
    assert f"\n  {label}  {why}" in out


@pytest.mark.parametrize(
    ("name", "option"),
    [("no.md", "exclude_docs"), ("/no/", "exclude_docs"), ("later/", "draft_docs")],
)
def test_a_source_that_the_project_file_leaves_out_is_explained(mixed, name, option):
    """Whether an earlier build left its page there or not."""
    out, _ = explain_built(mixed, name)
    assert f": not listed\n  loc       https://example.com/x/{out[: out.index('.')]}/\n" in out
    assert out.endswith(f"  excluded  option: mkdocs.yml: {option}\n")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("/", "index.md"),
        ("Sample", "index.md"),
        ("ü/", "ü.md"),
        ("%C3%BC/", "ü.md"),
        ("https://example.com/x/%c3%bc", "ü.md"),
        ("/guide/", "guide/index.md"),
        ("/x/guide/", "guide/index.md"),
        ("guide.md", "guide/index.md"),
    ],
)
def test_paths_begin_at_the_host_or_at_the_site(mixed, name, source):
    """Escaped or not."""
    assert explain_built(mixed, name)[0].startswith(f"{source}: listed\n")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("https://localhost:8000/x/guid/", "guide/index.md"),
        ("GUIDES.md", "guide/index.md"),
        ("Guides", "guide/index.md"),
        ("Hone", "index.md"),
    ],
)
def test_a_near_miss_gets_a_suggestion(mixed, name, near):
    """Of a preview, in another case, or by its title."""
    _, errors = explain_built(mixed, name, code=1)
    assert f"There is no page {name!r}. Did you mean {near!r}" in errors


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
    SiteMaker(asked).build()
    elsewhere = asked / "elsewhere"
    elsewhere.mkdir()
    out, _ = explain(elsewhere, "--report", "../r.json", "docs/out.md")
    assert out == (
        "out.md: not listed\n"
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
        "Error: there is no built site at none. Build the site first, or name its folder.\n"
    )
    config = asked / "mkdocs.yml"
    config.write_text(config.read_text().replace("site_url", "#"))
    (asked / "site/sitemap.xml").unlink()
    assert explain(asked, "new.md", code=2)[1].startswith("Error: mkdocs.yml: site_url is not set")


@pytest.mark.parametrize(
    "site_url", ["!ENV NOT_SET_HERE", "''", "ftp://example.com/", "https://preview.example/x/"]
)
def test_the_url_of_the_site_may_be_known_from_its_sitemap_alone(asked, site_url):
    """It depends on the environment of the build; the same pages have the same reasons."""
    before = explain(asked, "new.md", "untracked.md", "docs/out.md")[0]
    config = asked / "mkdocs.yml"
    config.write_text(config.read_text().replace("https://example.com/", site_url))
    out, errors = explain(asked, "new.md", "untracked.md", "docs/out.md")
    assert out == before
    note = (
        "Note: sitemap.xml: its URLs begin with https://example.com/, and site_url is "
        "'https://preview.example/x/' here. This output shows the URLs of the file.\n"
    )
    assert errors == (note if "preview" in site_url else "")
    assert run_command("report", "site", cwd=asked).stdout == "report.html: 4 pages\n"


def test_the_project_of_a_site_is_looked_for_above_it(asked, tmp_path):
    """From any other folder."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    here = explain(asked, "new.md", "docs/out.md")
    assert explain(elsewhere, "-d", "../asked/site", "new.md", "docs/out.md") == here
    assert run_command("report", "../asked/site", cwd=elsewhere).stdout == "report.html: 4 pages\n"


@pytest.mark.parametrize("inside", [False, True], ids=["alone", "nested"])
def test_without_a_project_the_sitemap_and_the_html_say_what_they_know(asked, tmp_path, inside):
    """A project above whose site is another one does not count."""
    site = (asked / "nested" if inside else tmp_path) / "copy"
    shutil.copytree(asked / "site", site)
    out, errors = explain(tmp_path, "-d", site, "new/", "404.html")
    assert out.startswith("new/index.html: listed\n  loc         https://example.com/new/\n")
    assert "  lastmod     2024-01-01T10:00:00+00:00\n              sitemap.xml: decided" in out
    assert "404.html: not listed\n" in out
    assert errors == (
        "Note: no project file of this site is known. So its options are not known either. "
        "Name the file with -f.\n"
    )
    drawn = run_command("report", site, cwd=tmp_path).stdout
    assert drawn == "report.html: 4 pages, 1 finding of check\n"  # nobody says what excludes out.md
    (site / "sitemap.xml").unlink()
    errors = explain(tmp_path, "-d", site, "new/", code=2)[1]
    assert errors.startswith("Error: there is no zensical.toml, properdocs.yml, ")


def test_a_site_in_a_folder_of_its_host_is_found_by_its_sitemap(site):
    """Also if its home page is not listed, so that no URL is that of the site."""
    site.docs({"index.md": "---\nsitemap: false\n---\n", "a/b.md": "# B\n", "a/c.md": "# C\n"})
    site.config("lastmod: {sources: []}", site_url="https://example.com/docs/v/")
    site.build()
    site.config("lastmod: {sources: []}", site_url=None)
    out, _ = explain_built(site.folder, "a/b.md", "index.md")
    assert "  loc      https://example.com/docs/v/a/b/\n" in out
    assert "  loc       https://example.com/docs/v/\n  excluded  " in out


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
        "origin": "git",
        "commit": "c" * 40,
        "path": "docs/a.md",
        "when": "2024-01-01T10:00:00+00:00",
        "skipped": [
            {"what": "x.md", "why": "included, but not found"},
            {"what": "d" * 40, "why": "docs/a.md itself changed earlier"},
        ],
    }
    because = {"listed": {"origin": "front matter", "file": "a.md", "key": "sitemap", "line": 2}}
    page = a_page(entry=entry, because=because | {"lastmod": when})
    assert [line for line, _ in lines(page)] == [
        "  loc         https://x.example/a/",
        "  listed      yes",
        "              front matter: a.md:2: sitemap",
        "  lastmod     2024-01-01",
        "              git: cccccccccc docs/a.md",
        "              commit date in UTC: 2024-01-01T10:00:00+00:00",
        "              skipped: x.md: included, but not found",
        "              docs/a.md itself: dddddddddd (older)",
        "  alternates  de https://x.example/de/",
        "  images      https://x.example/1.png",
        "              https://x.example/2.png",
    ]


def test_a_url_that_is_no_page_is_found_by_its_url():
    """An entry of ``extra_urls`` has no source."""
    page = {"loc": "https://x.example/api/", "entry": {"loc": "https://x.example/api/"}}
    report = {"site": {"docs_dir": "docs", "url": "https://x.example/"}, "pages": [page]}
    assert find_in_report(report, "api/").pages == [page]
    assert not any(find_in_report(report, name).pages for name in ("docs", "", "http://["))


EDIT = """\
from pathlib import Path


def on_post_build(config):
    file = Path(config.site_dir, "sitemap.xml")
    text = file.read_text()
    text = text.replace("<lastmod>2024-01-01T10:00:00+00:00", "<lastmod>2024-01-05")
    head, *urls = text.replace("</urlset>", "").split("  <url>")
    urls = [url for url in urls if "/gone/" not in url]
    urls.append("<loc>https://example.com/made/</loc><priority>0.0</priority></url>")
    urls.append("<loc>https://example.com/made.html</loc></url>")
    file.write_text(head + "".join(f"<url>{url}" for url in urls) + "</urlset>")
    Path(config.site_dir, "made.html").write_text("<title>Made - Sample</title>")
"""


def test_a_hook_that_edits_the_sitemap_has_the_last_word(site):
    """Values, pages that it added and pages that it removed are those of the file."""
    site.docs({"gone.md": "# Gone\n", "same.md": "# Same\n", "edited.md": "# Edited\n"})
    site.config(more="hooks: [edit.py]\n")
    site.write({"edit.py": EDIT})
    site.commit(date="2024-02-01T10:00:00+0000")
    site.commit_on("2024-01-01", {"docs/edited.md": "# Edited again\n"})
    site.build(found=["not-listed", "page-absent"])
    check_as_published(site.folder)
    out, errors = explain_built(
        site.folder, "edited.md", "gone.md", "same.md", "made/", "made.html"
    )
    commit = git("log", "-1", "--format=%H", "--", "docs/same.md", cwd=site.folder)
    run_command("report", cwd=site.folder)
    report = html.fromstring((site.folder / "report.html").read_bytes())
    note = (
        "sitemap.xml: sitemap-plus did not write this file, or it was changed later. If that is "
        "not meant, let sitemap-plus write it last."
    )
    problems = " ".join(report.xpath('string(//ul[@class="problems"])').split())
    assert problems == f"note {note}"
    assert (out, errors) == (
        f"""\
edited.md: listed
  loc      https://example.com/edited/
  lastmod  2024-01-05
           sitemap.xml: not written by sitemap-plus

gone.md: not listed
  loc                 https://example.com/gone/
  not in the sitemap  sitemap.xml: not written by sitemap-plus

same.md: listed
  loc      https://example.com/same/
  lastmod  2024-02-01T10:00:00+00:00
           git: {commit[:10]} docs/same.md "Change"

https://example.com/made/: listed
  loc       https://example.com/made/
  listed    yes
            sitemap.xml: not written by sitemap-plus
  lastmod   none
            sitemap.xml: not written by sitemap-plus
  priority  0.0
            sitemap.xml: not written by sitemap-plus

made.html: listed
  loc      https://example.com/made.html
  listed   yes
           sitemap.xml: not written by sitemap-plus
  lastmod  none
           sitemap.xml: not written by sitemap-plus
""",
        f"Note: {note}\n",
    )


def test_a_site_of_another_commit_is_explained_as_it_is(site):
    """Its dates, values and pages are those of the file, whatever was committed since."""
    site.docs({"a.md": "# A\n", "b.md": "# B\n", "c.md": "---\nsitemap: false\n---\n# C\n"})
    site.config("lastmod: {timezone: Asia/Tokyo}\nmax_urls: 1")
    site.commit(date="2024-01-01T10:00:00+0000")
    site.build("--strict")
    before = (site.folder / "site/sitemap.xml").stat().st_mtime
    site.docs({"a.md": "---\nchangefreq: daily\n---\n# A\n", "b.md": "# Bee\n", "c.md": "# C\n"})
    site.config("exclude: b.md\nmax_urls: 1")
    site.commit(date="2024-02-01T10:00:00+0000")
    for name in ("docs/a.md", "mkdocs.yml"):
        os.utime(site.folder / name, (before + 5, before + 5))
    os.utime(site.folder / "docs/b.md", (before - 5, before - 5))
    pages = check_as_published(site.folder)
    assert [loc.rpartition(".com")[2] for loc in pages] == ["/a/", "/b/"]
    assert explain_built(site.folder, "a.md", "c.md")[0] == (
        """\
a.md: listed
  loc         https://example.com/a/
  lastmod     2024-01-01T19:00:00+09:00
              sitemap.xml: decided during the build
  changefreq  none
              sitemap.xml: decided during the build
  decided by  a build that is older than docs/a.md, mkdocs.yml; build the site again

c.md: not listed
  loc                 https://example.com/c/
  not in the sitemap  sitemap.xml: decided during the build
  decided by          a build that is older than docs/c.md, mkdocs.yml; build the site again
"""
    )


def test_a_date_that_git_can_not_give_here_is_the_builds(site, tmp_path):
    """The reason is why it is not known here: another program need not have set it."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit(date="2024-02-01T10:00:00+0000")
    site.build()
    (tmp_path / "empty").mkdir()
    (site.folder / ".git").rename(tmp_path / "moved")
    expected = """\
index.md: listed
  loc      https://example.com/
  lastmod  2024-02-01T10:00:00+00:00
           sitemap.xml: decided during the build
           no date is known here: git: """
    out, _ = explain_built(site.folder, "index.md")
    assert out.startswith(f"{expected}the files are not in a git repository.")
    run_command("report", cwd=site.folder)
    report = html.fromstring((site.folder / "report.html").read_bytes())
    assert " a date: " not in report.xpath('string(//ul[@class="problems"])')
    (tmp_path / "moved").rename(site.folder / ".git")
    done = run_command("explain", "index.md", cwd=site.folder, PATH=str(tmp_path / "empty"))
    assert done.stdout.startswith(f"{expected}the git program can't be run.")
    assert "decided by" not in out + done.stdout


def test_a_readme_beside_an_index_is_no_page(site):
    """MkDocs builds one page of a folder, and says so in its log alone."""
    site.docs({"index.md": "# Home\n", "a/index.md": "# A\n", "a/README.md": "# B\n"})
    site.config()
    assert "Excluding 'a/README.md'" in site.build().output
    assert explain_built(site.folder, "a/README.md", code=1)[1] == (
        "There is no page with the source file 'a/README.md'. MkDocs builds 'a/index.md' instead, "
        "which is the page of the same folder.\n"
    )


def test_without_pages_that_are_left_out_a_line_says_so(site):
    """A report of the build has no page of the theme, such as 404.html."""
    site.docs({"index.md": "# Home\n"})
    site.config("report: report.json")
    site.build()
    done = run_command("explain", "--report", "report.json", "--left-out", cwd=site.folder)
    assert (done.returncode, done.stdout) == (0, "No page is left out.\n")
    assert "404.html: not listed" in explain_built(site.folder, "--left-out")[0]


def test_an_instant_in_another_zone_keeps_its_reason(site):
    """It is written as in the file; a front matter date of less than a second, too."""
    site.docs({"a.md": "# A\n", "b.md": "---\nlastmod: 2024-01-02T10:00:00.5Z\n---\n# B\n"})
    site.config("lastmod: {timezone: Asia/Tokyo}")
    site.commit(date="2024-01-01T10:00:00+0000")
    site.build("--strict")
    site.config()
    pages = check_as_published(site.folder)
    assert [page["because"]["lastmod"]["origin"] for page in pages.values()] == [
        "git",
        "front matter",
    ]


def test_without_a_sitemap_it_explains_what_build_would_write(asked):
    """A note says that there is nothing to compare with."""
    for path in (asked / "site").glob("sitemap*"):
        path.unlink()
    out, errors = explain_built(asked, "new.md")
    assert out.startswith("new.md: listed\n")
    assert "during the build" not in out
    assert errors == (
        "Note: sitemap.xml: there is no such file in the built site. "
        "This output shows what `mkdocs-sitemap-plus build` would write.\n"
    )


def test_a_value_of_the_file_that_is_not_valid_is_a_note(asked):
    """It is not stated, neither is another one in its place."""
    path = asked / "site/sitemap.xml"
    path.write_text(path.read_text().replace("<priority>0.5<", "<priority>high<"))
    out, errors = explain_built(asked, "untracked.md")
    assert "  priority    none\n              sitemap.xml: decided during the build\n" in out
    assert errors == (
        "Note: sitemap.xml:14: priority is 'high', but must be a number from 0.0 to 1.0. "
        "It is not read.\n"
    )


def test_a_url_does_not_lead_out_of_the_site(asked, tmp_path):
    """A file elsewhere on this machine is not the page of a URL."""
    outside = tmp_path / "outside.html"
    outside.write_text("<title>Outside</title>")
    url = f"https://example.com/{outside.as_posix()}"
    path = asked / "site/sitemap.xml"
    path.write_text(path.read_text().replace("</urlset>", f"<url><loc>{url}</loc></url></urlset>"))
    assert explain(asked, url)[0].startswith(f"{url}: listed\n")


REJECTED = """\
---
changefreq: dayly
lastmod: yesterday
sitemap:
  priority: 2
  images: 7
  prio: 1
  exclude: maybe
---
# Page
"""


def test_values_that_are_rejected_are_shown_with_the_reason(site):
    """Under their field; what is not a field of the sitemap comes last."""
    site.docs({"index.md": REJECTED, "out.md": "---\nsitemap: false\npriority: 3\n---\n# Out\n"})
    site.config()
    site.commit()
    warnings = site.build().warnings
    by_key = {warning.split()[1]: f"           {warning}\n" for warning in warnings}
    assert len(by_key) == 7
    out, _ = explain_built(site.folder, "index.md", "out.md")
    shown = "".join(
        f"  {label:12}none\n   {by_key[key]}"
        for label, key in [
            ("lastmod", "lastmod"),
            ("changefreq", "changefreq"),
            ("priority", "sitemap.priority"),
            ("images", "sitemap.images"),
        ]
    )
    others = "".join(f"   {by_key[key]}" for key in ("sitemap.prio", "sitemap.exclude"))
    assert out.startswith(
        f"index.md: listed\n  loc         https://example.com/\n{shown}  rejected    "
        + others.lstrip()
    )
    assert out.endswith(
        "out.md: not listed\n  loc       https://example.com/out/\n"
        "  excluded  front matter: docs/out.md:2: sitemap\n"
        f"  rejected  {by_key['priority'].lstrip()}"
    )
    page, _ = pages_of(site.folder, "index.md", "out.md")
    assert page["rejected"][0] == {
        "field": "changefreq",
        "key": "changefreq",
        "file": "docs/index.md",
        "line": 2,
        "text": by_key["changefreq"].strip(),
    }
    assert len(page["rejected"]) == 6


HOME = {"index.md": "# Home\n", "guide/one.md": "# 1\n", "guide/two.md": "# 2\n"}


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("guide/", " Did you mean 'guide/one.md' or 'guide/two.md'?"),
        ("docs/guide", " Did you mean 'guide/one.md' or 'guide/two.md'?"),
        ("https://example.com/guide/", " Did you mean 'guide/one.md' or 'guide/two.md'?"),
        ("guides/one.md", " Did you mean 'guide/one.md'?"),
        ("indx.md", " Did you mean 'index.md'?"),
        ("guard/", ""),
    ],
)
def test_a_folder_is_met_with_the_pages_in_it(home, name, near):
    """An index is called like its folder, and so is not like every name with an "i" and a "d"."""
    _, errors = explain_built(home, name, code=1)
    assert errors == f"There is no page '{name}'.{near}\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A site without history."""
    site = SiteMaker(tmp_path_factory.mktemp("home"))
    site.docs(HOME)
    site.config("lastmod: {sources: []}")
    site.build("--strict")
    return site.folder


def test_a_title_is_a_name_as_well(home):
    """If nothing else is called so."""
    assert explain_built(home, "Home")[0].startswith("index.md: listed\n")


def reason_of(folder, page):
    """The line below a date that is not there."""
    out, _ = explain_built(folder, page)
    return re.search(r"\n  lastmod +none\n +(.*)\n", out)[1]


@pytest.fixture
def undated(site):
    """Pages each of which has another reason to have no date; the last commit is ignored."""
    site.docs(
        {
            "index.md": "# Home\n",
            "soon.md": "---\nlastmod: 2999-01-01\n---\n# Soon\n",
            "never.md": "---\nlastmod: false\n---\n# Never\n",
            "yesterday.md": "---\nlastmod: yesterday\n---\n# Yesterday\n",
        }
    )
    site.config()
    site.commit()
    site.docs({"ignored.md": "# Ignored\n"})
    site.commit()
    commit = git("rev-parse", "HEAD", cwd=site.folder)
    site.write({".git-blame-ignore-revs": commit, "docs/new.md": "# New\n"})
    warnings = site.build().warnings
    return site, commit[:12], warnings


def test_an_undated_page_has_the_reason(undated):
    """As text, in the JSON, and in the table of the report."""
    site, commit, warnings = undated
    ignored = f"commit {commit} is ignored (listed in .git-blame-ignore-revs), and "
    ignored += "docs/ignored.md has no older commit"
    reasons = {
        "new.md": "git: docs/new.md is not committed",
        "ignored.md": f"git: {ignored}",
        "never.md": "front matter: docs/never.md:2: lastmod",
        "soon.md": next(each for each in warnings if "soon.md" in each),
        "yesterday.md": next(each for each in warnings if "yesterday.md" in each),
    }
    assert {page: reason_of(site.folder, page) for page in reasons} == reasons
    pages = {each["source"]: each["undated"] for each in pages_of(site.folder, *reasons)}
    assert pages["ignored.md"] == {"reason": "ignored commits", "detail": ignored}
    assert rows_of_report(site.folder)["ignored.md"] == f"\N{EN DASH}git: {ignored}"


def test_front_matter_that_is_not_a_source_is_not_the_reason(site):
    """A page that is not committed has no date for this reason, in `explain` and the reports."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: [git]}")
    site.commit()
    site.docs({"new.md": "---\nlastmod: 2024-01-01\n---\n# New\n"})
    site.build()
    not_committed = "git: docs/new.md is not committed"
    assert reason_of(site.folder, "new.md") == not_committed
    assert rows_of_report(site.folder)["new.md"] == f"\N{EN DASH}{not_committed}"
    (page,) = pages_of(site.folder, "new.md")
    assert "undated" not in page["because"]


def rows_of_report(folder):
    """The cells of the dates, by source path."""
    run("report", folder / "site", "-f", folder / "mkdocs.yml", "-o", folder / "r.html")
    rows = html.fromstring((folder / "r.html").read_bytes()).xpath('//table[@id="table"]/tbody/tr')
    cells = (row.xpath('th/small | td[@class="date"]') for row in rows)
    return {source.text_content(): cell.text_content() for source, cell in cells}


def test_without_a_whole_repository_the_fix_is_named(undated):
    """A shallow clone, and no repository at all."""
    site = undated[0]
    git("commit", "-qm", "Two", "--allow-empty", cwd=site.folder)
    clone = site.folder.parent / "clone"
    git("clone", "-q", "--depth=1", site.folder.as_uri(), clone, cwd=site.folder)
    SiteMaker(clone).build()
    assert reason_of(clone, "index.md") == (
        "git: the clone is shallow and does not reach back to the last change of docs/index.md. "
        "Run `git fetch --unshallow`."
    )
    shutil.rmtree(clone / ".git")
    assert reason_of(clone, "index.md") == (
        "git: the files are not in a git repository. Build in a clone of the repository with its "
        ".git folder, or use a dates file (`mkdocs-sitemap-plus dates`)."
    )


def test_a_video_is_compared_as_it_is_written(site):
    """White space at the ends of its texts is not in the file, and fractions of seconds are not."""
    video = 'thumbnail: t.png, description: D, content: v.mp4, title: " A \\uFFFF"'
    date = "publication_date: 2024-01-01T10:00:00.5Z"
    text = f"---\nsitemap: {{videos: [{{{video}, {date}}}]}}\n---\n# Home\n"
    site.docs({"index.md": text, "t.png": b"x", "v.mp4": b"x"})
    site.config("lastmod: {sources: []}")
    site.build()
    (page,) = pages_of(site.folder, "index.md")
    assert page["entry"]["videos"][0]["title"] == "A"
    assert page["because"]["videos"]["origin"] == "front matter"


TRANSFORM = """\
open(f"{__file__}.called", "a").write("x")


def change(entry, page):
    from dataclasses import replace

    if page.src_uri == "gone.md":
        return None
    return replace(entry, priority="0.3") if page.src_uri == "a.md" else entry
"""


def test_what_only_reads_runs_no_code_of_the_project(site):
    """The results of the owner's function are in the sitemap; without one, a note says so."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "gone.md": "# Gone\n"})
    site.write({"own.py": TRANSFORM})
    site.config("transform: own.py:change\nlastmod: {sources: []}")
    site.build("--strict")
    (site.folder / "own.py.called").unlink()
    check_as_published(site.folder)
    out, _ = explain_built(site.folder, "index.md", "a.md", "gone.md")
    assert out.count("decided during the build") == 2
    assert "  priority    0.3\n              sitemap.xml: decided during the build\n" in out
    assert "  not in the sitemap  sitemap.xml: decided during the build\n" in out
    site.write({"own.py": "raise SystemExit(9)"})  # nor is it imported
    assert explain_built(site.folder, "index.md")[0].startswith("index.md: listed\n")
    (site.folder / "site/sitemap.xml").unlink()
    assert explain_built(site.folder, "gone.md")[1].endswith(
        "would write, without what the function of `transform` changes.\n"
    )
    assert not (site.folder / "own.py.called").exists()


def test_explain_warns_of_a_site_that_was_built_without_the_plugin(site):
    """Nothing of what the owner sees was decided by this plugin."""
    site.docs({"index.md": "# Home\n"})
    config = site.folder / "mkdocs.yml"
    site.config("lastmod: {sources: []}")
    site.build()
    note = (
        "Note: sitemap.xml: sitemap-plus did not write this file, or it was changed later. Add "
        "`- sitemap-plus` under plugins in mkdocs.yml, and build again.\n"
    )
    assert note not in run_command("explain", "index.md", cwd=site.folder).stderr
    config.write_text("site_name: Sample\nsite_url: https://example.com/\n")
    assert note not in run_command("explain", "index.md", cwd=site.folder).stderr
    site.build()
    assert note in run_command("explain", "index.md", cwd=site.folder).stderr
