"""``mkdocs-sitemap-plus explain``: why a page is in the sitemap, or not."""

import json
import re
import shutil

import pytest
from commands import run
from lxml import html
from published import explain as explain_built
from published import pages_of
from reports import BASE, a_report
from reports import a_page as a_made_page
from sites import SiteMaker, git, run_command

from mkdocs_sitemap_plus.command.views.explanation import find_pages as find_in_report
from mkdocs_sitemap_plus.command.views.explanation import lines
from mkdocs_sitemap_plus.generator.json_report import keep
from mkdocs_sitemap_plus.generator.kept_report import file_of_report


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
  loc      https://web.example/new/
  lastmod  2024-01-01T10:00:00+00:00
           git: {first} docs/old.md "Begin"
           skipped: {second}: renamed from docs/old.md

untracked.md: listed
  loc       https://web.example/untracked/
  lastmod   none
            git: docs/untracked.md is not committed. Commit your changes.
  priority  0.5
            front matter: docs/untracked.md:2: priority

out.md: not listed
  loc       https://web.example/out/
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


def test_a_page_has_many_names(built):
    """Its source, what is built of it, and its URL as people share it."""
    names = (
        "new.md",
        "./docs/new.md",
        "site/new/index.html",
        "https://WEB.example:443/new/#part",
        "https://web.example/new/index.html",
        "/new/",
        "new/index.md",
        "n%65w.md",
        "http://www.web.example/new.html?from=mail",
    )
    for name in names:
        assert explain(built.folder, name)[0].startswith("new.md: listed\n"), name


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A site in a folder of its host, with files that are no pages, and with unbuilt sources."""
    site = SiteMaker(tmp_path_factory.mktemp("mixed"))
    site.docs({"index.md": "# Home\n", "ü.md": "# U\n", "guide/index.md": "# Guide\n"})
    site.docs({"no.md": "# No\n", "later.md": "# Later\n", "demo.html": "x", "m.pdf": b"x"})
    more = "exclude_docs: no.md\ndraft_docs: later.md\n"
    site.config("lastmod: {sources: []}", more=more, site_url="https://web.example/x/")
    site.build("--strict")
    return site.folder


@pytest.mark.parametrize(
    ("name", "label", "why"),
    [
        ("404.html", "error page", "servers show it for addresses that do not exist"),
        ("/demo.html", "static file", "copied as it is; to list it, use `extra_files`"),
        ("site/sitemap.xml", "static file", "a sitemap, which lists pages"),
        (
            "https://web.example/x/m.pdf",
            "static file",
            "copied as it is; to list it, use `extra_files`",
        ),
    ],
)
def test_a_file_that_is_no_page_is_explained(mixed, name, label, why):
    """What it is, and how it can be listed."""
    out, _ = explain(mixed, name)
    file = name.rpartition("/")[2]
    assert out.startswith(f"{file}: not listed\n  loc {'':{len(label) - 2}}https://web.example/x/")
    assert f"\n  {label}  {why}" in out


@pytest.mark.parametrize(
    ("name", "option"),
    [("/no/", "exclude_docs"), ("later/", "draft_docs")],
)
def test_a_source_that_the_project_file_leaves_out_is_explained(mixed, name, option):
    """Whether an earlier build left its page there or not."""
    out, _ = explain_built(mixed, name)
    assert f": not listed\n  loc       https://web.example/x/{out[: out.index('.')]}/\n" in out
    assert out.endswith(f"  excluded  option: mkdocs.yml: {option}\n")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("/", "index.md"),
        ("%C3%BC/", "ü.md"),
        ("https://web.example/x/%c3%bc", "ü.md"),
        ("/x/guide/", "guide/index.md"),
        ("guide.md", "guide/index.md"),
    ],
)
def test_paths_begin_at_the_host_or_at_the_site(mixed, name, source):
    """Escaped or not."""
    assert explain_built(mixed, name)[0].startswith(f"{source}: listed\n")


def test_an_unknown_page_is_named(asked):
    """The others are explained all the same; the exit code is 1."""
    out, errors = explain(asked, "nw.md", "index.md", "zzzzzzzz", code=1)
    assert out.startswith("index.md: listed\n")
    assert errors.splitlines() == [
        "There is no page 'nw.md'. `explain --all` names all pages.",
        "There is no page 'zzzzzzzz'. `explain --all` names all pages.",
    ]


def test_as_json_it_is_the_page_of_the_report(asked):
    """With the subject of the commit, and what was not found."""
    out, _ = explain(asked, "--format", "json", "new.md", "nw.md", code=1)
    said = json.loads(out)
    assert said["unknown"] == [{"asked": "nw.md"}]
    (page,) = said["pages"]
    assert page["because"]["lastmod"]["subject"] == "Begin"
    assert page["entry"] == {
        "loc": "https://web.example/new/",
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
        "  loc       https://web.example/out/\n"
        "  excluded  option: mkdocs.yml: exclude\n"
    )


def test_without_a_site_there_is_one_line(asked, tmp_path):
    """It says what to do, and the exit code is 2."""
    assert explain(asked, "-d", "none", "new.md", code=2)[1] == (
        "Error: there is no built site at none. Build the site first, or name its folder.\n"
    )
    shutil.copytree(asked / "site", tmp_path / "copy")
    _, errors = explain(tmp_path, "-d", "copy", "new.md", code=2)
    assert errors == (
        "Error: copy: no report of its build is kept here. Build it here, or let the build write "
        "one with the option `report` or with --write-report, and name that file with --report.\n"
    )


@pytest.mark.parametrize("site_url", ["!ENV NOT_SET_HERE", "https://preview.example/x/"])
def test_the_url_of_the_site_is_that_of_the_build(asked, site_url):
    """It may depend on the environment; the same pages have the same reasons."""
    before = explain(asked, "new.md", "untracked.md", "docs/out.md")[0]
    config = asked / "mkdocs.yml"
    config.write_text(config.read_text().replace("https://web.example/", site_url))
    out, errors = explain(asked, "new.md", "untracked.md", "docs/out.md")
    assert out == before
    assert errors == ""
    done = run_command("report", "site", "-o", "report.html", cwd=asked)
    assert done.stdout == "report.html: 4 pages\n"


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
    report = {
        "site": {"docs_dir": "docs", "url": "https://x.example/"},
        "pages": [page],
        "others": [],
    }
    assert find_in_report(report, "api/") == [page]
    assert not any(find_in_report(report, name) for name in ("docs", "", "http://["))


def test_a_sitemap_that_somebody_edits_after_the_build_is_named(asked):
    """`explain` says what the build decided, and that the file is another one."""
    before = explain(asked, "new.md")
    path = asked / "site/sitemap.xml"
    path.write_text(path.read_text().replace("2024-01-01T10:00:00+00:00", "2024-01-05"))
    out, errors = explain(asked, "new.md")
    assert (out, "") == before
    assert re.fullmatch(
        r"Note: site: the sitemap is not that of the last build that is known here \(.* UTC, "
        r"commit [0-9a-f]{10}\)\. This output is about that build\. If it is not what you want, "
        r"build the site again\.\n",
        errors,
    )
    report = path.read_text().replace("2024-01-05", "2024-01-01T10:00:00Z")
    path.write_text(report)  # the same moment
    assert explain(asked, "new.md") == before


def test_all_pages_have_a_line_each(asked):
    """Its path, the day or the reason, in columns: no line is longer than 100 letters."""
    untracked = "docs/untracked.md is not committed. Commit your changes."
    error_page = "error page (servers show it for addresses that do not exist)"
    out, _ = explain(asked, "--all")
    assert (
        out
        == f"""\
index.md      2024-01-01  git: {commit_of(asked, 1)}
new.md        2024-01-01  git: {commit_of(asked, 1)} docs/old.md
out.md        -           excluded (option: mkdocs.yml: exclude)
untracked.md  none        git: {untracked}
404.html      -           {error_page}
"""
    )
    assert max(map(len, out.splitlines())) <= 100


def test_all_pages_and_some_are_two_questions(asked):
    """A name beside `--all` is not ignored."""
    out, errors = explain(asked, "--all", "new.md", code=2)
    assert (out, errors.splitlines()[-1]) == (
        "",
        "Error: Name pages, or use --all for all of them.",
    )


def test_a_build_without_a_cache_keeps_nothing_and_says_nothing(site, tmp_path):
    """Then `explain` names the option."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}")
    (tmp_path / "file").write_text("")
    cache = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    built = site.build("--strict", **cache)
    assert built.warnings == built.notes == []
    done = run_command("explain", "index.md", cwd=site.folder, **cache)
    assert (done.returncode, "with the option `report`" in done.stderr) == (2, True)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """The folder of the reports in an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "mkdocs-sitemap-plus"


def test_a_report_is_for_the_user_alone_and_goes_with_its_site(asked, tmp_path, cache):
    """Whoever can read it sees the pages that are not published."""
    SiteMaker(asked).build()
    assert cache.stat().st_mode & 0o077 == 0
    of_site = file_of_report(asked / "site")
    assert of_site.is_file()
    shutil.rmtree(asked / "site")
    shutil.copytree(asked, tmp_path / "other")
    SiteMaker(tmp_path / "other").build()
    assert not of_site.exists()


def test_of_many_reports_each_new_one_looks_at_some(tmp_path, cache):
    """So a builder that keeps its home pays the same for the thousandth checkout."""
    folders = [tmp_path / f"{number}" for number in range(53)]
    for folder in folders:
        folder.mkdir()
        keep(folder, b"")
    assert len([*cache.iterdir()]) == 53
    left = []
    for folder in folders[:50]:
        folder.rmdir()
    for number in range(3):
        (tmp_path / f"new{number}").mkdir()
        keep(tmp_path / f"new{number}", b"")
        left.append(len([*cache.iterdir()]) - number - 1)
    assert 53 - 20 <= left[0] < 53
    assert 53 - 60 <= left[2] < left[0]
    assert all(file_of_report(folder).exists() for folder in folders[50:])


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
    site.docs({"index.md": REJECTED, "out.md": "---\nsitemap: false\nchangefreq: 3\n---\n# Out\n"})
    site.config()
    site.commit()
    warnings = site.build().warnings
    by_key = {warning.split()[1]: f"           {warning}\n" for warning in warnings[:6]}
    assert len(warnings) == 7
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
        f"index.md: listed\n  loc         https://web.example/\n{shown}  rejected    "
        + others.lstrip()
    )
    assert out.endswith(
        "out.md: not listed\n  loc       https://web.example/out/\n"
        "  excluded  front matter: docs/out.md:2: sitemap\n"
        f"  rejected  {warnings[6]}\n"
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
    fix = "Do not ignore the commits that add pages."
    reasons = {
        "new.md": "git: docs/new.md is not committed. Commit your changes.",
        "ignored.md": f"git: {ignored}. {fix}",
        "never.md": "front matter: docs/never.md:2: lastmod",
        "soon.md": next(each for each in warnings if "soon.md" in each),
        "yesterday.md": next(each for each in warnings if "yesterday.md" in each),
    }
    assert {page: reason_of(site.folder, page) for page in reasons} == reasons
    pages = {each["source"]: each["undated"] for each in pages_of(site.folder, *reasons)}
    assert pages["ignored.md"] == {"reason": "ignored commits", "detail": ignored, "fix": fix}
    assert rows_of_report(site.folder)["ignored.md"] == f"git: {ignored}. {fix}"


def rows_of_report(folder):
    """What the report says of the date, by source path."""
    run("report", folder / "site", "-f", folder / "mkdocs.yml", "-o", folder / "r.html")
    data = html.fromstring((folder / "r.html").read_bytes()).xpath('//script[@id="data"]')[0].text
    return {source: why for _, _, source, _, why, _, _ in json.loads(data)}


def test_a_merge_that_the_line_passed_is_named_with_a_command_that_prints_the_commit(site):
    """Main was merged into a branch, which became main; the JSON report and a dates file say it."""

    def commit(name, text, day):
        site.docs({name: text})
        site.commit(f"Change {name}", f"2024-0{day}-01T10:00:00+0000")

    site.config("report: report.json")
    commit("index.md", "# Home\n", 1)
    git("switch", "-q", "-c", "patch-1", cwd=site.folder)
    commit("b.md", "# B\n", 2)
    git("switch", "-q", "main", cwd=site.folder)
    commit("index.md", "# Home\n\nMore.\n", 3)
    git("switch", "-q", "patch-1", cwd=site.folder)
    git("merge", "-q", "--no-edit", "main", cwd=site.folder, date="2024-04-01T10:00:00+0000")
    git("switch", "-q", "main", cwd=site.folder)
    git("merge", "-q", "--ff-only", "patch-1", cwd=site.folder)
    site.build()
    out, _ = explain(site.folder, "index.md", "b.md")
    merge = commit_of(site.folder, 0)
    before = f"git log -1 --first-parent {merge}^2 -- docs/index.md"
    built = "(main is built, says HEAD)"
    only = f"merge {merge} only brought what was published before {built}"
    dated = git("rev-parse", f"{merge}^2", cwd=site.folder)[:10]
    assert [line.strip() for line in out.splitlines()[2:5]] == [
        "lastmod  2024-03-01T10:00:00+00:00",
        f'git: {dated} docs/index.md "Change index.md"',
        f"{only}: `{before}` prints this commit",
    ]
    assert f"{built}: `git diff {merge}^2 {merge} -- docs/b.md` shows it" in out
    pages = json.loads((site.folder / "report.json").read_text("utf-8"))["pages"]
    notes = {page["source"]: page["because"]["lastmod"]["note"] for page in pages}
    assert before in notes["index.md"]
    run_command("dates", cwd=site.folder)
    dates = json.loads((site.folder / "sitemap-dates.json").read_text("utf-8"))["files"]
    assert dates["docs/index.md"]["note"] == notes["index.md"]


def test_a_page_comes_before_those_that_show_its_text_in_another_language():
    """Whatever their order is in the report."""
    page = a_made_page(1)
    fallback = a_made_page(1, fallback=True, dest="de/p1/index.html", loc=f"{BASE}de/p1/")
    for pages in ([fallback, page], [page, fallback]):
        assert find_in_report(a_report(*pages), "p1.md") == [page, fallback]
