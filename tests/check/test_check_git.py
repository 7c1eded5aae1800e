"""In a clone, `check` compares each date of a sitemap with git, whatever wrote the sitemap."""

import json
import shutil
from datetime import date

import pytest
from compared import CONFIG, DAYS, HOME, checked, moved, numbers, said, sitemap
from servers import served
from sites import SiteMaker, git, run_command


def test_dates_of_a_build_are_one_finding_with_what_git_knows(clone):
    """It names the day, on how many days the pages changed, and the oldest one."""
    found, result = checked(clone, dict.fromkeys(moved(DAYS, 0), "2026-11-01"))
    (text,) = found
    half = sorted((date(2026, 11, 1) - date.fromisoformat(day)).days for day in DAYS.values())[6]
    assert text == (
        " 12 of 12 dates are 2026-11-01, like those of a build, but by git these pages last "
        "changed on 12 days, the oldest on 2024-01-10 (docs/p0.md). "
        f"Half of these dates are wrong by {half} days or more"
    )
    assert numbers(result) == (12, 0, {})
    wrong = {each["loc"].removeprefix(HOME): each for each in result["git"]["wrong"]}
    assert {path: each["last_changed"] for path, each in wrong.items()} == moved(DAYS, 0)
    assert sorted(each["days"] for each in wrong.values())[6] == half
    assert len(checked(clone, dict.fromkeys(moved(DAYS, 0), "2026-11-01"), "--dates")[0]) == 12


@pytest.mark.parametrize("by", [-1, 0, 1])
def test_right_dates_are_one_line(clone, by):
    """A day more or less may be the time zone."""
    out, err = said(clone, moved(DAYS, by))
    assert out.startswith("No problems in 1 file with 12 URLs. Git: 12 of 12 dates are right.\n")
    assert err == ""


def test_a_few_wrong_dates_are_named_one_by_one(clone):
    """With what to write. A week is forgiven, as a squash merge dates pages anew."""
    days = moved(DAYS, 0)
    days |= {"p1/": "2023-02-10", "p2/": "2024-03-17", "p3/": "2024-04-18"}
    commits = {
        name: git("log", "-1", "--format=%H", "--", f"docs/{name}.md", cwd=clone.folder)[:10]
        for name in ("p1", "p3")
    }
    found, result = checked(clone, days)
    assert sorted(found) == [
        f"p1/ has lastmod 2023-02-10, but docs/p1.md last changed on 2024-02-10 ({commits['p1']})",
        f"p3/ has lastmod 2024-04-18, but docs/p3.md last changed on 2024-04-10 ({commits['p3']})",
    ]
    assert "Write 2024-02-10, or no date." in [each["fix"] for each in result["findings"]]
    assert result["git"]["right"] == 10


def test_many_wrong_dates_of_a_kind_are_one_finding_with_the_worst(clone):
    """And `--dates` adds a table of all of them, the farthest first, with the day to write."""
    days = moved(DAYS, -40) | {"p1/": "2020-01-01"}
    found, _ = checked(clone, days)
    assert len(found) == 1
    assert found[0].startswith(
        " 12 of 12 dates are earlier than the last change by git; the worst is "
        f"{HOME}p1/, which has lastmod 2020-01-01, but docs/p1.md last changed on 2024-02-10"
    )
    assert len(checked(clone, days, "--dates")[0]) == 12
    out, _ = said(clone, days, "--dates")
    assert out.count("lastmod-git") == 1
    lines = out.splitlines()
    at = lines.index("days off  write       page")
    right, off = moved(DAYS, 0), dict[str, int]()
    for path, day in days.items():
        off[path] = (date.fromisoformat(day) - date.fromisoformat(right[path])).days
    assert lines[at + 1] == f"{off['p1/']:+8,}  2024-02-10  /p1/"
    rows = [line.split() for line in lines[at + 1 : at + 13]]
    assert {row[2]: (row[0], row[1]) for row in rows} == {
        f"/{path}": (f"{days_off:+,}", right[path]) for path, days_off in off.items()
    }
    assert [int(row[0].replace(",", "")) for row in rows[1:]] == sorted(off.values())[1:]
    assert len(checked(clone, days, "--dates")[0]) == 12
    assert said(clone, days, "--dates", "--format", "github")[0].count("lastmod-git") == 24
    few, _ = said(clone, moved(DAYS, 0) | {"p1/": "2020-01-01"}, "--dates")
    assert "lastmod-git" not in few  # each date is said once
    assert "  2024-02-10  /p1/\n1 warning in 1 file" in few


def test_what_other_tools_rightly_write_is_right(clone):
    """The author's day, the committer's, that of the merge, and those before and after a rename."""
    folder = clone.folder
    main = git("branch", "--show-current", cwd=folder)
    git("checkout", "-q", "-b", "topic", cwd=folder)
    clone.write({"docs/p0.md": "# Written long before it was merged\n"})
    git("commit", "-qam", "Write", cwd=folder, date="2024-12-20T10:00:00+0000",
        GIT_AUTHOR_DATE="2024-11-20T10:00:00+0000")  # fmt: skip
    git("checkout", "-q", main, cwd=folder)
    clone.commit_on("2025-02-10", {"docs/other.md": "# Other\n"})
    git("merge", "-q", "--no-ff", "-m", "Merge", "topic", cwd=folder,
        date="2025-03-10T10:00:00+0000")  # fmt: skip
    git("mv", "docs/p0.md", "docs/new.md", cwd=folder)
    git("commit", "-qm", "Rename", cwd=folder, date="2025-04-10T10:00:00+0000")
    clone.commit_on("2025-05-10", {"docs/other.md": "# Newer\n"})
    authors = ["--follow", "--diff-filter=r", "--format=%as", "--", "docs/new.md"]
    committers = [*authors[:2], "--format=%cs", *authors[3:]]
    for words, day in {
        ("--format=%cs", "--", "docs/new.md"): "2025-04-10",
        ("--first-parent", "--format=%cs", "--", "docs/p0.md"): "2025-04-10",
        tuple(authors): "2024-11-20",
        tuple(committers): "2024-12-20",
    }.items():
        assert git("log", "-1", *words, cwd=folder) == day
    for day in ("2024-11-20", "2024-12-20", "2025-03-10", "2025-04-10"):
        assert (day, checked(clone, {"new/": day, "other/": "2025-05-10"})[0]) == (day, [])
    for day in ("2024-11-05", "2025-04-25"):
        assert len(checked(clone, {"new/": day, "other/": "2025-05-10"})[0]) == 1


def test_a_commit_that_the_owner_ignores_dates_pages_rightly_too(clone):
    """Most other tools know no ignored commits."""
    clone.commit_on("2025-01-10", {"docs/p0.md": "# P0 in another format\n"})
    clone.write({".git-blame-ignore-revs": git("rev-parse", "HEAD", cwd=clone.folder)})
    clone.commit(date="2025-02-10T10:00:00+0000")
    for day in ("2024-01-10", "2025-01-10"):
        assert checked(clone, {"p0/": day})[0] == []


def test_a_date_of_front_matter_is_right_but_a_stale_one_is_noted(clone):
    """The owner decides; a note counts the pages that changed long after their dates."""
    clone.commit_on("2024-12-24", {"docs/p0.md": "---\nlastmod: 2021-03-04\n---\n# P0\n"})
    _, result = checked(clone, moved(DAYS, 0) | {"p0/": "2021-03-04"})
    assert numbers(result) == (12, 12, {})
    assert (
        "front matter dates 1 page more than 31 days before the last change by git "
        "(docs/p0.md:2: lastmod: 2021-03-04, but 2024-12-24)." in result["stderr"]
    )


def test_a_clone_that_is_behind_is_one_note(clone):
    """The dates may be right. But those of a build are one finding in such a clone too."""
    days = moved(DAYS, 0) | {"p3/": "2025-02-01", "p4/": "2025-03-01"}
    found, result = checked(clone, days)
    assert (found, numbers(result)) == ([], (12, 10, {"later than HEAD": 2}))
    assert "2 dates are later than the newest commit here (2024-12-10)" in result["stderr"]
    assert "`git pull`" in result["stderr"]
    assert len(checked(clone, dict.fromkeys(days, "2025-06-01"))[0]) == 1


def test_a_site_on_the_web_that_is_behind_is_one_note(clone):
    """Each push would warn of its own page. Of a file it is a finding: build again."""
    days = {name: day for name, day in moved(DAYS, 0).items() if day < "2024-06"}
    days |= dict.fromkeys(("p9/", "p10/"), "2023-01-01")
    assert len(checked(clone, days)[0]) == 2
    with served() as (url, show):
        public = clone.folder / "public"
        public.mkdir()
        show(public)
        clone.write({"mkdocs.yml": CONFIG.replace(HOME, url)})
        (public / "sitemap.xml").write_text(sitemap(days, url))
        done = run_command("check", url, cwd=clone.folder)
    assert (done.returncode, "lastmod-git" in done.stdout) == (0, False)
    assert "2 pages changed after 2024-05-10, the newest date of this sitemap" in done.stderr


def test_a_shallow_clone_is_one_note_with_the_command(clone, tmp_path):
    """Dates that it hides are not compared."""
    source = f"file://{clone.folder.as_posix()}"
    git("clone", "-q", "--depth=3", source, "shallow", cwd=tmp_path)
    site = SiteMaker(tmp_path / "shallow")
    _, result = checked(site, moved(DAYS, 0))
    assert numbers(result) == (12, 2, {"hidden by a shallow clone": 10})
    (why,) = (each["why"] for each in result["not_checked"] if each["what"] == "git")
    assert why == (
        "10 dates are not compared with git: the clone is shallow. Run `git fetch --unshallow || "
        "true`, and check again."
    )


def test_without_git_nothing_is_said(clone):
    """A sitemap that somebody saved in a folder beside no repository."""
    (clone.folder / ".git").rename(clone.folder / "gone")
    _, result = checked(clone, moved(DAYS, 100))
    assert result["git"] is None
    assert result["stderr"] == ""


def test_another_site_is_compared_only_if_the_project_is_named(clone):
    """The URL of a preview, or of somebody else's site: the pages have the same paths in both."""
    with served() as (url, show):
        public = clone.folder / "public"
        public.mkdir()
        show(public)
        days = dict.fromkeys(moved(DAYS, 0), "2020-02-02") | {"p11/": "2024-12-10"}
        (public / "sitemap.xml").write_text(sitemap(days, url))
        other = run_command("check", url, cwd=clone.folder)
        named = run_command("check", "-f", "mkdocs.yml", url, cwd=clone.folder)
    assert "lastmod-git" not in other.stdout
    assert "name it: -f mkdocs.yml.\n" in other.stdout
    assert "11 of 12 dates are earlier than the last change by git" in named.stdout


def test_sources_are_found_by_urls_alone(clone):
    """READMEs, folders, the languages of mkdocs-static-i18n. Two possible sources are none."""
    languages = "{locale: en, default: true}, {locale: de}"
    plugin = f"plugins: [i18n: {{docs_structure: suffix, languages: [{languages}]}}]\n"
    clone.write({"mkdocs.yml": CONFIG + plugin})
    for day, file in {
        "2025-01-10": "guide/README.md",
        "2025-02-10": "guide/a/index.md",
        "2025-03-10": "guide/b.de.md",
        "2025-04-10": "guide/b.md",
        "2025-05-10": "guide/two.md",
        "2025-06-10": "guide/two/index.md",
    }.items():
        clone.commit_on(day, {f"docs/{file}": f"# {file}\n"})
    days = {
        "guide/": "2025-01-10",
        "guide/a/": "2025-02-10",
        "de/guide/b/": "2025-03-10",
        "guide/b/": "2025-04-10",
        "guide/two/": "2020-01-01",
    }
    found, result = checked(clone, days)
    assert found == []
    assert numbers(result) == (5, 4, {"two possible sources": 1})
    assert len(checked(clone, dict.fromkeys(days, "2021-01-01"))[0]) == 4


def test_a_folder_of_another_builder_is_compared_by_its_edit_links(clone):
    """Without a project file, in the clone of the repository."""
    (clone.folder / "mkdocs.yml").unlink()
    git("remote", "add", "origin", "https://github.com/ann/book.git", cwd=clone.folder)
    branch = git("branch", "--show-current", cwd=clone.folder)
    for name in DAYS:
        edit = f"https://github.com/ann/book/edit/{branch}/docs/{name}.md"
        page = f"<!doctype html><html><head><title>{name}</title></head><body><p>{name}"
        link = f'<a class="edit" href="{edit}">Edit</a></body></html>'
        clone.write({f"public/{name}/index.html": page + link})
    (clone.folder / "public" / "sitemap.xml").write_text(sitemap(moved(DAYS, -50)))
    done = run_command("check", "public", cwd=clone.folder)
    assert "12 of 12 dates are earlier than the last change by git" in done.stdout
    (clone.folder / "public" / "sitemap.xml").write_text(sitemap(moved(DAYS, 0)))
    done = run_command("check", "public", cwd=clone.folder)
    assert "Git: 12 of 12 dates are right." in done.stdout


def test_what_the_last_build_decided_is_not_compared(site, tmp_path):
    """Without the report of this build, as in the clone of a colleague, git says the same.

    A copy in another folder has the sitemap that the report is about.
    """
    site.docs({f"{name}.md": f"# {name}\n" for name in ("index", "a", "b")})
    site.config()
    site.commit(date="2024-02-01T10:00:00+0000")
    site.commit_on("2024-05-01", {"docs/a.md": "# New\n"})
    site.build()
    by_build, by_git = (
        json.loads(run_command("check", "--format", "json", "site", cwd=site.folder, **home).stdout)
        for home in ({}, {"XDG_CACHE_HOME": str(tmp_path / "none")})
    )
    assert numbers(by_build) == (0, 0, {"by_build": 3})
    assert numbers(by_git) == (3, 3, {})
    assert by_build["findings"] == by_git["findings"] == []
    copy = shutil.copytree(site.folder / "site", tmp_path / "upload" / "www")
    done = run_command("check", "--format", "json", str(copy), cwd=site.folder)
    assert numbers(json.loads(done.stdout)) == (0, 0, {"by_build": 3})


def test_a_finding_names_the_day_that_a_build_writes(clone):
    """Not that of a rename behind it, and the page is right where it shows that day."""
    git("mv", "docs/p0.md", "docs/q0.md", cwd=clone.folder)
    clone.commit(date="2025-09-01T10:00:00+0000")
    clone.commit_on("2026-11-02", {"docs/p1.md": "# New\n"})
    page = '<!doctype html><html><head><meta property="article:modified_time" content="{}"></head>'
    clone.write({"site/q0/index.html": page.format(DAYS["p0"]) + "<body>p0</body></html>"})
    clone.write({"site/p1/index.html": page.format("2025-01-01") + "<body>p1</body></html>"})
    listed = sitemap({"p1/": "2026-11-02", "q0/": "2026-11-01"})
    (clone.folder / "site" / "sitemap.xml").write_text(listed)
    done = run_command("check", "--format", "json", "site", cwd=clone.folder)
    both = json.loads(done.stdout)["findings"]
    assert [each["code"] for each in both if each["loc"] == f"{HOME}p1/"] == ["lastmod-differs"]
    findings = [each for each in both if each["loc"] == f"{HOME}q0/"]
    commit = git("log", "-1", "--format=%H", "HEAD~2", "--", "docs/p0.md", cwd=clone.folder)
    assert [(each["code"], each["reason"], each["fix"]) for each in findings] == [
        (
            "lastmod-git",
            f"has lastmod 2026-11-01, but docs/q0.md last changed on {DAYS['p0']} ({commit[:10]})",
            f"Write {DAYS['p0']}, or no date.",
        )
    ]
