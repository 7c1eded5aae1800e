"""The report lists the commits that date most pages, so that an owner can judge them."""

from pathlib import Path

import pytest
from commands import run
from lxml import html
from sites import git, run_command, run_in_process

from mkdocs_sitemap_plus.command.views.html_report import commit_url, repository_url

PAGES = [*map("p{}.md".format, range(6)), "index.md"]


def table(site):
    """The rows about commits, their links and lines, and the rows of pages."""
    done = run_command("report", "-o", "report.html", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    tree = html.document_fromstring((site.folder / "report.html").read_text("utf-8"))
    rows = [
        [" ".join(cell.text_content().split()) for cell in row.xpath("td")]
        for row in tree.xpath('//table[@class="commits"]//tr')
    ]
    links = tree.xpath('//table[@class="commits"]//a/@href')
    lines = [each.text for each in tree.xpath('//code[@class="line"]')]
    return rows[1:], links, lines, tree.xpath('//script[@id="data"]')[0].text


@pytest.fixture
def dated(site):
    """Seven pages: a commit mended the links of four, and another one wrote two anew."""
    site.docs({name: f"# {name}\n\nSee [it](https://old.example/).\n" for name in PAGES})
    site.config()
    site.commit("Write", date="2024-01-05T10:00:00+0000")
    for name in PAGES[:4]:
        path = site.folder / "docs" / name
        path.write_text(path.read_text().replace("old.example", "new.example"))
    site.commit("Mend <links>", date="2024-02-05T10:00:00+0000")
    site.commit_on("2024-03-05", {"docs/p4.md": "# New\n", "docs/p5.md": "# New\n"})
    git("remote", "add", "origin", "git@github.com:ann/book.git", cwd=site.folder)
    return site


def test_commits_are_listed_with_what_an_owner_needs(dated):
    """Pages, day, subject, size, a link, on how many pages it changed no word, and its line."""
    dated.build()
    rows, links, lines, data = table(dated)
    mended, written = git("rev-parse", "HEAD^", "HEAD", cwd=dated.folder).split()
    of_mended = "4 files changed, 4 insertions(+), 4 deletions(-), no word changed on 4 of 4 pages"
    of_written = "2 files changed, 2 insertions(+), 6 deletions(-)"
    assert [row[:2] for row in rows] == [["4", "2024-02-05"], ["2", "2024-03-05"]]
    assert rows[0][2].startswith(f"Mend <links> {mended[:10]}, {of_mended} {mended} ")
    assert rows[1][2].startswith(f"Change {written[:10]}, {of_written} {written} ")
    assert links == [f"https://github.com/ann/book/commit/{each}" for each in (mended, written)]
    assert lines == [f"{mended}  # 2024-02-05: Mend <links>", f"{written}  # 2024-03-05: Change"]
    assert '"2024-02-05","' in data  # the day is enough
    assert "T10:00" not in data
    assert f"{mended[:10]} Mend \\u003clinks\\u003e" in data


def test_a_site_outside_of_its_project_says_to_use_f(dated, tmp_path_factory, monkeypatch):
    """With `-f`, the report has the subjects of the commits, and so has `explain`."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    out = str(elsewhere / "site")
    assert run_in_process("build", "--site-dir", out, cwd=dated.folder).returncode == 0
    note = (
        "Note: the repository of this site is not known here, so its commits have no subject. Name "
        "the project file with -f.\n"
    )
    file = str(elsewhere / "report.html")
    config = ("-f", str(dated.folder / "mkdocs.yml"))
    for arguments in (("report", out, "-o", file), ("explain", "-d", out, "p0.md")):
        assert run(*arguments)[::2] == (0, note)
    assert "?</td>" not in Path(file).read_text("utf-8")
    assert run("report", out, "-o", file, *config)[::2] == (0, "")
    assert "Mend &lt;links&gt;" in Path(file).read_text("utf-8")
    assert '"Mend <links>"' in run("explain", "-d", out, "p0.md", *config)[1]


def test_a_url_is_no_folder_of_a_report():
    """`check` takes one."""
    code, _, err = run("report", "https://web.example/", "-o", "report.html")
    fix = "Name the folder of the built site; `check` takes a URL."
    assert (code, f"'https://web.example/' is a URL. {fix}" in err) == (2, True)


def test_the_line_does_what_it_says(dated):
    """In the list of ignored commits, its pages have the date before, and the report says so."""
    dated.build()
    _, _, (line, _), _ = table(dated)
    dated.write({".git-blame-ignore-revs": f"{line}\n"})
    dated.commit("Ignore", date="2024-04-05T10:00:00+0000")
    dated.build()
    rows, _, _, data = table(dated)
    assert (rows[0][:2], rows[-1][0]) == (["5", "2024-01-05"], "4")
    assert rows[-1][2].startswith("Mend <links> ")
    assert rows[-1][2].endswith("ignored already")
    assert "2024-02-05" not in data
    dated.write({".git-blame-ignore-revs": f"# {line}\n"})
    dated.build()
    assert "its dates are right, says the list of ignored commits" in table(dated)[0][0][2]


@pytest.mark.parametrize(
    ("repository", "url"),
    [
        ("https://github.com/ann/book.git", "https://github.com/ann/book/commit/"),
        ("https://ann:secret@gitlab.com/team/book.git", "https://gitlab.com/team/book/commit/"),
        ("ssh://git@codeberg.org:22/ann/book", "https://codeberg.org/ann/book/commit/"),
        ("git@git.example.org:ann/book.git", "https://git.example.org/ann/book/commit/"),
        ("https://bitbucket.org/ann/book", "https://bitbucket.org/ann/book/commits/"),
        ("https://dev.azure.com/ann/b/_git/b", "https://dev.azure.com/ann/b/_git/b/commit/"),
        ("/srv/git/book.git", ""),
        ("../book", ""),
        ("C:/book", ""),
        ("", ""),
    ],
)
def test_the_link_of_a_commit(repository, url):
    """At its host, without a user or a secret; a folder of this machine has none."""
    assert commit_url(repository, "") == url


def test_the_repository_of_a_site_is_that_of_its_pages():
    """`repo_url` is often that of the program that the site is about."""
    edit, repo = "https://github.com/ann/book/edit/main/docs/", "https://github.com/ann/program"
    assert repository_url("git@github.com:ann/own.git", edit, repo) == "git@github.com:ann/own.git"
    assert repository_url("/srv/git/own", edit, repo) == "https://github.com/ann/book"
    assert repository_url("", "edit/main/docs/", repo) == repo
    assert repository_url("", "", "") == ""


def test_a_column_that_says_the_same_everywhere_is_left_out(dated):
    """Where all pages are dated by git, there is no status to choose."""
    dated.build()
    table(dated)
    tree = html.document_fromstring((dated.folder / "report.html").read_text("utf-8"))
    assert tree.xpath('//th[contains(., "Status")] | //div[@class="chips"]') == []
