"""Each page without a date has a reason. A site without the dates that it asked for is warned."""

import json
import os
import re
import shutil
import subprocess

import pytest
from decided import NOW, page, settings, site_of
from faults import documented
from git_fixtures import CI
from git_repositories import files, git, line, make, remove_object
from quantity import one_in
from sites import SiteMaker, run_command
from warm_mkdocs import copy_of_site

from mkdocs_sitemap_plus.generator.generate import decide
from mkdocs_sitemap_plus.generator.json_report import report_of
from mkdocs_sitemap_plus.generator.lastmod.missing import fix_for_shallow
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.pages.site import Evidence, MadeFrom, Parts
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context
from mkdocs_sitemap_plus.problems import Level

pytestmark = pytest.mark.usefixtures("plain_git")

ACCEPT = "or accept missing dates with `lastmod: {sources: [front_matter]}`."
SHALLOW_FIX = (
    "Run `git fetch --unshallow || true` before the build, "
    "or accept missing dates with `lastmod: {git: {shallow: omit}}`."
)
NO_REPOSITORY = (
    "0 of 2 pages have a date: the files are not in a git repository. "
    "Build in a clone of the repository with its .git folder, or use a dates "
    f"file beside the project file (`mkdocs-sitemap-plus dates`), {ACCEPT}"
)


def source(top, name, **more):
    """A page that is made of a file of the docs folder."""
    return page(name, made_from=(MadeFrom(top / f"docs/{name}.md", Evidence.BUILDER),), **more)


def outcome_of(top, *pages, serving=False, **lastmod):
    """What is decided on pages, each a name or a page of its own; `lastmod` are options."""
    own = settings(lastmod=lastmod)
    made = [source(top, each) if isinstance(each, str) else each for each in pages]
    site = site_of(*made, root=top, serving=serving)
    sources = open_sources(own.lastmod, top, top / "docs")
    outcome = decide(Context(site, own, sources, NOW))
    for each in sources:
        each.close()
    return outcome


def reasons(outcome):
    """The reason and the detail of each undated page, by its name without the ending."""
    return {
        page.target.src_uri.removesuffix(".md"): (str(page.undated.reason), page.undated.detail)
        for page in outcome.listed
        if page.undated
    }


def messages(outcome):
    """Warnings and notes."""
    lines = {Level.WARNING: [], Level.NOTE: []}
    for problem in outcome.problems:
        lines[problem.level].append(str(problem))
    return lines[Level.WARNING], lines[Level.NOTE]


def write(top, *names):
    """Write pages of the docs folder."""
    (top / "docs").mkdir(exist_ok=True)
    for name in names:
        (top / f"docs/{name}.md").write_text(f"# {name}\n")


# Reasons


def test_a_page_that_is_not_committed(tmp_path):
    """Untracked, staged, or ignored by git: HEAD does not have it."""
    make(tmp_path, line(files(docs__a_md="a")))
    write(tmp_path, "a", "staged", "untracked")
    git(tmp_path, "add", "docs/staged.md")
    outcome = outcome_of(tmp_path, "a", "staged", "untracked")
    assert reasons(outcome) == {
        name: ("not committed", f"docs/{name}.md is not committed")
        for name in ("staged", "untracked")
    }
    for name in ("staged", "untracked"):
        assert git(tmp_path, "log", "-1", "--format=%H", "--", f"docs/{name}.md") == b""
    assert messages(outcome) == ([], [])


@pytest.fixture(scope="module")
def shallow(tmp_path_factory):
    """A clone of the last two of three commits: `new` was changed by the last one."""
    folder = tmp_path_factory.mktemp("shallow")
    history = make(
        folder / "whole",
        line(
            files(docs__old_md="a", docs__new_md="a"),
            files(docs__old_md="b", docs__new_md="b"),
            files(docs__old_md="b", docs__new_md="c"),
        ),
    )
    git(folder, "clone", "-q", "--depth=2", f"file://{history.top}", "cut")
    return folder / "cut"


@pytest.fixture
def cut(shallow, tmp_path):
    """A copy of it."""
    copy_of_site(shallow, tmp_path / "cut")
    return tmp_path / "cut"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "listed in .git-blame-ignore-revs"),
        ({"git": {"ignore_revs_file": "revs.txt"}}, "listed in revs.txt"),
        (
            {"git": {"ignore_authors": ["Ada *"]}},
            "ignored author Ada Example <ada@example.org>",
        ),
        ({"git": {"ignore_subjects": ["Add *"]}}, "ignored subject 'Add a page'"),
    ],
)
def test_a_page_whose_commits_are_all_ignored(tmp_path, options, why):
    """The commit that added it, and what ignores it."""
    commits = line(files(x="x"), files(docs__a_md="a"))
    commits[1].message = b"Add a page"
    commit = make(tmp_path, commits).oids[1]
    (tmp_path / "revs.txt").write_text(f"{commit}\n")
    if not options:
        (tmp_path / ".git-blame-ignore-revs").write_text(f"{commit}\n")
    assert reasons(outcome_of(tmp_path, "a", **options)) == {
        "a": (
            "ignored commits",
            f"commit {commit[:12]} is ignored ({why}), and docs/a.md has no older commit",
        )
    }


def test_a_date_in_the_future(tmp_path):
    """Of a commit it is a note; in front matter it is a warning with the place and the value."""
    year = 31_536_000
    soon = int(NOW.timestamp()) + year
    history = make(tmp_path, line(files(docs__a_md="a"), start=soon))
    ahead = page("b", meta={"lastmod": "2999-01-02"}, lines={"lastmod": 3})
    outcome = outcome_of(
        tmp_path, "a", ahead._replace(src_uri="b.md"), page("c", meta={"lastmod": "2024-01-02"})
    )
    commit = history.oids[0][:12]
    assert reasons(outcome) == {
        "a": ("date in the future", f"commit {commit} is dated in the future"),
        "b": ("date in the future", ""),
    }
    (b,) = [each for each in outcome.decisions if each.name == "docs/b.md"]
    assert str(b.origins["undated"]) == "docs/b.md:3: lastmod"
    assert messages(outcome) == (
        [
            (
                f"2 of 3 pages have no date: 1 page has a last commit that is dated in the future "
                f"(docs/a.md: {commit}, 2027-11-20T12:00:00+00:00). "
                f"{ACCEPT.removeprefix('or ').capitalize()}"
            ),
            "docs/b.md:3: lastmod is 2999-01-02, which is in the future. No lastmod is written.",
        ],
        [],
    )


@pytest.mark.parametrize(("value", "reason"), [(False, "lastmod: false"), ("soon", "invalid date")])
def test_what_the_owner_wrote(tmp_path, value, reason):
    """``false``, or a value that is no date: the reason has its place; git is not asked."""
    make(tmp_path, line(files(docs__a_md="a")))
    outcome = outcome_of(
        tmp_path, source(tmp_path, "a", meta={"lastmod": value}, lines={"lastmod": 2})
    )
    (decision,) = outcome.decisions
    assert (decision.undated.reason, str(decision.origins["undated"])) == (
        reason,
        "docs/a.md:2: lastmod",
    )
    warnings, notes = messages(outcome)
    assert len(warnings) == (value == "soon")
    assert notes == []


@pytest.mark.fault("the site is not in a repository")
def test_no_repository(tmp_path):
    """What git can't be asked about."""
    write(tmp_path, "a", "b")
    outcome = outcome_of(tmp_path, "a", "b")
    assert reasons(outcome)["a"] == ("no git repository", "the files are not in a git repository")
    assert messages(outcome) == ([NO_REPOSITORY], [])
    documented("the site is not in a repository", *messages(outcome)[0])


@pytest.mark.fault("there is no git program")
def test_no_git_program(tmp_path, monkeypatch):
    """A slim container."""
    make(tmp_path, line(files(docs__a_md="a")))
    write(tmp_path, "a", "b")
    monkeypatch.setenv("PATH", str(tmp_path))
    outcome = outcome_of(tmp_path, "a", "b")
    assert reasons(outcome)["b"] == ("git failed", "the git program can't be run")
    assert messages(outcome) == (
        [
            (
                "0 of 2 pages have a date: the git program can't be run. "
                f"Install git 2.31 or newer, {ACCEPT}"
            )
        ],
        [],
    )
    documented("there is no git program", *messages(outcome)[0])


@pytest.mark.fault("an object of the repository is missing")
def test_a_git_that_dies(tmp_path):
    """A history with a hole: what was found before the hole is dated, the others know why not."""
    trees = [files(docs__a_md="a", docs__b_md=str(number)) for number in range(5)]
    history = make(tmp_path, line(*trees))
    tree = git(tmp_path, "rev-parse", f"{history.oids[1]}:docs").decode("ascii").strip()
    remove_object(tmp_path, tree)
    outcome = outcome_of(tmp_path, "a", "b")
    ((reason, detail),) = reasons(outcome).values()
    assert reason == "git failed"
    warnings, (note,) = messages(outcome)
    assert warnings == []
    assert note.startswith(f"{detail}. Pages that git has not dated yet get no date from git.")
    documented("an object of the repository is missing", note)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to change owners"
)
@pytest.mark.fault("the repository belongs to another user")
def test_a_repository_of_another_user(tmp_path):
    """The command that makes git read it."""
    make(tmp_path / "site", line(files(docs__a_md="a")))
    top = tmp_path / "site"
    for path in (top, top / ".git"):
        os.chown(path, 12345, 12345)
    write(top, "a")
    outcome = outcome_of(top, "a")
    found = "git refuses to read the repository, because it belongs to another user"
    assert reasons(outcome) == {"a": ("git failed", found)}
    assert messages(outcome) == (
        [
            (
                f"0 of 1 page has a date: {found}. Run `git config --global --add safe.directory "
                f"{top}` before the build, {ACCEPT}"
            )
        ],
        [],
    )
    documented("the repository belongs to another user", *messages(outcome)[0])


@pytest.mark.fault("the repository has no commits")
def test_a_repository_without_commits(tmp_path):
    """Right after `git init`."""
    git(tmp_path, "init", "-q")
    write(tmp_path, "a")
    outcome = outcome_of(tmp_path, "a")
    assert reasons(outcome) == {"a": ("not committed", "the git repository has no commits")}
    assert messages(outcome)[0] == [
        f"0 of 1 page has a date: the git repository has no commits. Commit the files, {ACCEPT}"
    ]
    documented("the repository has no commits", *messages(outcome)[0])


def test_a_generated_page_whose_source_is_not_known(tmp_path):
    """Whether there is a repository or not: no file is known that git could be asked about."""
    make(tmp_path, line(files(docs__a_md="a")))
    generated = source(tmp_path, "tags")._replace(path=tmp_path / "docs/tags.md")
    outcome = outcome_of(tmp_path, "a", generated, page("other"))
    assert reasons(outcome) == dict.fromkeys(
        ("tags", "other"), ("unknown source", "the source file of the page is not known")
    )
    assert messages(outcome) == ([], [])


def test_a_view_with_an_undated_post(tmp_path):
    """A view is as new as the newest page that it lists, so one without a date hides its date."""
    make(tmp_path, line(files(docs__a_md="a", docs__view_md="v")))
    view = source(tmp_path, "view", posts=("a.md", "post.md"))
    outcome = outcome_of(tmp_path, "a", "post", view)
    assert reasons(outcome)["view"] == ("undated post", "post.md, which it lists, has no date")


def test_a_view_of_posts_that_a_shallow_clone_hides_is_counted_with_them(cut):
    """Otherwise the message and the summary would count different pages."""
    view = source(cut, "view", posts=("new.md", "old.md"))
    outcome = outcome_of(cut, "old", "new", view)
    assert reasons(outcome)["view"] == ("shallow clone", "old.md, which it lists, has no date")
    (warning,), _ = messages(outcome)
    assert warning.startswith("the clone is shallow, so the last change of 2 of 3 pages is unknown")


def test_without_sources_or_with_front_matter_alone(tmp_path):
    """No date was asked for: there is a reason, and nothing to report."""
    write(tmp_path, "a")
    outcome = outcome_of(tmp_path, "a", sources=[])
    assert reasons(outcome) == {"a": ("no sources of dates", "")}
    assert messages(outcome) == ([], [])
    outcome = outcome_of(tmp_path, "a", sources=["front_matter"])
    assert reasons(outcome) == {"a": ("no date in front matter", "")}
    assert messages(outcome) == ([], [])


def test_the_report_has_the_reason(tmp_path):
    """As data, for programs."""
    make(tmp_path, line(files(docs__a_md="a")))
    no = source(tmp_path, "no", meta={"lastmod": False}, lines={"lastmod": 2})
    pages = report_of(outcome_of(tmp_path, "a", "b", no))["pages"]
    assert [each.get("undated") for each in pages] == [
        None,
        {
            "reason": "not committed",
            "detail": "docs/b.md is not committed",
            "fix": "Commit your changes.",
        },
        {
            "reason": "lastmod: false",
            "place": {"origin": "front matter", "file": "docs/no.md", "key": "lastmod", "line": 2},
        },
    ]


# The dates file


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A site without a repository, with the dates file that was written where there is one."""
    top = tmp_path_factory.mktemp("written") / "site"
    make(top, line(files(docs__a_md="a", docs__b_md="b")))
    git(top, "checkout", "-q", "-f", "HEAD")
    (top / "mkdocs.yml").write_text("site_name: S\nsite_url: https://web.example/\n")
    done = run_command("dates", cwd=top)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "Wrote sitemap-dates.json: the dates of 2 files.\n",
        "",
    )
    shutil.rmtree(top / ".git")
    return top


@pytest.fixture
def upload(written, tmp_path):
    """A copy of it."""
    copy_of_site(written, tmp_path / "site")
    return tmp_path / "site"


def test_what_the_dates_file_does_not_date(upload):
    """A file that is not in it, and one that changed since."""
    write(upload, "new")
    (upload / "docs/a.md").write_text("changed")
    outcome = outcome_of(upload, "a", "b", "new")
    assert reasons(outcome) == {
        "a": (
            "changed since the dates file",
            "docs/a.md changed after sitemap-dates.json was written",
        ),
        "new": ("not in the dates file", "docs/new.md is not in sitemap-dates.json"),
    }


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (["draft"], None),
        (["draft", "new"], "not in the dates file"),
        (["draft", "b"], "changed since the dates file"),
        (["new", "b"], "changed since the dates file"),
    ],
)
def test_parts_that_the_dates_file_does_not_cover(upload, parts, reason):
    """The most specific reason is kept. A part that was not committed is none: it has no date."""
    path = upload / "sitemap-dates.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"files": data["files"] | {"docs/draft.md": None}}))
    write(upload, "b", "draft", "new")
    files = frozenset(upload / f"docs/{name}.md" for name in parts)
    outcome = outcome_of(upload, source(upload, "a", parts=Parts(files)))
    assert [each for each, _ in reasons(outcome).values()] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("change", "reason", "found"),
    [
        (
            lambda data: data | {"version": 7},
            "unusable dates file",
            "sitemap-dates.json has version 7, not 1",
        ),
        (
            lambda data: data | {"git": {}},
            "unusable dates file",
            "sitemap-dates.json was written with other options of lastmod.git",
        ),
        (
            lambda data: data | {"files": {}},
            "not in the dates file",
            "they are not in the dates file",
        ),
    ],
)
def test_a_dates_file_that_dates_nothing_is_one_warning(upload, change, reason, found):
    """It is there, so it was meant; that there is no repository is not reported as well."""
    path = upload / "sitemap-dates.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    outcome = outcome_of(upload, "a", "b")
    assert {each for each, _ in reasons(outcome).values()} == {reason}
    assert messages(outcome) == (
        [
            (
                f"0 of 2 pages have a date: {found}. Write the file again in the repository: "
                f"`mkdocs-sitemap-plus dates`, {ACCEPT}"
            )
        ],
        [],
    )


def test_a_dates_file_for_other_content_is_one_warning(upload):
    """All pages changed since it was written."""
    write(upload, "a", "b")
    outcome = outcome_of(upload, "a", "b", sources=["front_matter", "file"])
    assert messages(outcome) == (
        [
            (
                "0 of 2 pages have a date: docs/a.md, docs/b.md have changed since "
                "sitemap-dates.json was written. Write the file again in the repository: "
                f"`mkdocs-sitemap-plus dates`, {ACCEPT}"
            )
        ],
        [],
    )


def test_docs_outside_of_the_clone_are_named(tmp_path):
    """The project is in a clone, so its owner would not know what is meant."""
    site = SiteMaker(tmp_path / "site")
    site.config("", theme="docs_dir: ../outside\n")
    site.write({"../outside/index.md": "# Home\n"})
    site.commit()
    (warning,) = site.build().warnings
    assert "the files are not in a git repository (../outside). Build in a clone" in warning


def test_a_dates_file_that_is_missing(tmp_path):
    """It is missed only if it is the one source of dates beside front matter."""
    write(tmp_path, "a", "b")
    outcome = outcome_of(tmp_path, "a", "b", sources=["front_matter", "file"])
    assert reasons(outcome)["a"] == ("no dates file", "there is no sitemap-dates.json")
    assert messages(outcome) == (
        [
            (
                "0 of 2 pages have a date: there is no dates file. Write the file in the "
                f"repository: `mkdocs-sitemap-plus dates`, {ACCEPT}"
            )
        ],
        [],
    )


def test_a_dates_file_that_is_not_a_source(upload):
    """It lies there, pages have no date, and no line would give the reason."""
    outcome = outcome_of(upload, "a", "b", sources=["front_matter", "git"])
    assert messages(outcome) == (
        [NO_REPOSITORY],
        ["sitemap-dates.json is there but not used: add `file` to lastmod.sources."],
    )


# Levels


def test_one_undated_page_is_no_warning_if_git_dates_another(tmp_path):
    """Problems of single pages and folders are notes."""
    make(tmp_path / "site", line(files(docs__a_md="a")))
    elsewhere = page("b", made_from=(MadeFrom(tmp_path / "elsewhere/b.md", Evidence.BUILDER),))
    outcome = outcome_of(tmp_path / "site", "a", "c", elsewhere)
    assert messages(outcome) == ([], [])


def test_dates_of_front_matter_do_not_make_up_for_a_missing_repository(tmp_path):
    """Another page asked for a date."""
    own = source(tmp_path, "own", meta={"lastmod": "2024-01-02"})
    assert messages(outcome_of(tmp_path, own)) == ([], [])
    assert messages(outcome_of(tmp_path, own, source(tmp_path, "no", meta={"lastmod": False}))) == (
        [],
        [],
    )
    assert messages(outcome_of(tmp_path, own, "b")) == (
        [
            (
                "1 of 2 pages has no date: the files are not in a git repository. "
                "Build in a clone of the repository with its .git folder, or use a dates "
                f"file beside the project file (`mkdocs-sitemap-plus dates`), {ACCEPT}"
            )
        ],
        [],
    )


def test_several_reasons_are_counted(tmp_path):
    """The commonest one has its fix."""
    make(tmp_path, line(files(mkdocs_yml="x")))
    outcome = outcome_of(tmp_path, "a", "b", page("tags"))
    assert messages(outcome)[0] == [
        (
            "0 of 3 pages have a date: not committed (2 pages), unknown source (1 page). "
            f"Commit your changes, {ACCEPT}"
        )
    ]


def test_if_git_ignores_all_pages_the_advice_is_not_to_commit_them(tmp_path):
    """`git add` would add nothing."""
    make(tmp_path, line(files(mkdocs_yml="x") | {b".gitignore": (b"100644", b"docs\n")}))
    git(tmp_path, "reset", "-q", "--hard")
    write(tmp_path, "a")
    assert messages(outcome_of(tmp_path, "a"))[0] == [
        (
            "0 of 1 page has a date: they are not committed. If a script makes the page, let it "
            f"copy a committed file unchanged; otherwise run `git add -f`, {ACCEPT}"
        )
    ]


@pytest.mark.parametrize(
    ("options", "warnings", "end"),
    [
        ({}, 1, SHALLOW_FIX),
        ({"git": {"shallow": "omit"}}, 0, "Run `git fetch --unshallow || true` before the build."),
    ],
)
def test_a_shallow_clone_that_hides_some_dates(cut, options, warnings, end):
    """A warning by default; information if the owner accepts it."""
    outcome = outcome_of(cut, "old", "new", **options)
    reported = messages(outcome)
    assert reported[warnings] == []
    assert reported[1 - warnings] == [
        (
            "the clone is shallow, so the last change of 1 of 2 pages is unknown. "
            f"It gets no date. {end}"
        )
    ]


@pytest.mark.fault("the clone is shallow")
def test_a_shallow_clone_that_hides_all_dates_is_one_warning(tmp_path, cut):
    """The default of actions/checkout."""
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{cut}", "one")
    found = messages(outcome_of(tmp_path / "one", "old", "new"))
    documented("the clone is shallow", *found[0])
    assert found == (
        [
            "0 of 2 pages have a date: the clone is shallow, so their last change is unknown. "
            + SHALLOW_FIX
        ],
        [],
    )


def test_a_failed_fetch_of_the_history_is_reported_with_the_shallow_clone(tmp_path, cut):
    """One cause is one warning."""
    git(cut, "remote", "set-url", "origin", f"file://{tmp_path}/gone")
    outcome = outcome_of(cut, "old", "new", git={"shallow": "fetch"})
    ((warning,), notes) = messages(outcome)
    assert notes == []
    start = "the clone is shallow, so the last change of 1 of 2 pages is unknown. "
    assert warning.startswith(f"{start}The missing history can't be fetched (fatal: ")
    assert warning.endswith(SHALLOW_FIX)


def test_while_serving_missing_dates_are_information(tmp_path, cut):
    """An author need not care for the clone."""
    write(tmp_path, "a", "b")
    assert messages(outcome_of(tmp_path, "a", "b", serving=True)) == ([], [NO_REPOSITORY])
    warnings, notes = messages(outcome_of(cut, "old", "new", serving=True))
    assert (warnings, len(notes)) == ([], 1)


# A whole build


def test_a_strict_build_of_a_shallow_clone_fails(site):
    """By the plugin; `shallow: omit` lets it pass."""
    site.docs({"index.md": "# Home\n"})
    site.config("report: report.json")
    site.commit()
    site.write({"docs/new.md": "# New\n"})
    site.commit()
    git(site.folder, "clone", "-q", "--depth=1", f"file://{site.folder}", "clone")
    clone = type(site)(site.folder / "clone")
    built = clone.build("--strict", check=False)
    assert built.returncode == 1
    assert built.warnings == [
        "0 of 2 pages have a date: the clone is shallow, so their last change is unknown. "
        + SHALLOW_FIX
    ]
    pages = json.loads((clone.folder / "report.json").read_text())["pages"]
    assert {each["undated"]["fix"] for each in pages} == {"Run `git fetch --unshallow || true`."}
    clone.config("lastmod: {git: {shallow: omit}}")
    assert clone.build("--strict").warnings == []


def test_a_strict_build_without_old_contents_fails_if_pages_have_keys(site):
    """By the plugin and the command; `change: any` lets it pass."""
    site.docs({"index.md": "# Home\n", "other.md": "# Other\n"})
    site.config("report: report.json")
    site.commit()
    site.docs({"index.md": "---\npriority: 1\n---\n# Home\n", "other.md": "# Others\n"})
    site.commit()
    git(site.folder, "config", "uploadpack.allowFilter", "true")
    git(site.folder, "clone", "-q", "--filter=blob:none", f"file://{site.folder}", "clone")
    clone = type(site)(site.folder / "clone")
    warning = (
        "the clone lacks old contents (`--filter=blob:none`), so the last change of 1 of 2 {} is "
        "unknown.{} Clone without a filter, or count each commit with `lastmod: {{git: {{change: "
        "any}}}}`."
    )
    built = clone.build("--strict", check=False)
    assert built.warnings == [warning.format("pages", " It gets no date.")]
    clone.build()
    by_command = run_command("build", cwd=clone.folder)
    assert built.warnings[0] in by_command.stderr
    by_dates = run_command("dates", cwd=clone.folder)
    assert warning.format("files", "") in by_dates.stderr
    clone.config("lastmod: {git: {change: any}}")
    assert clone.build("--strict").warnings == []


@one_in(2)
@pytest.mark.parametrize(
    ("date", "what"),
    [
        ("@0 +0000", "has no valid date (1970-01-01, as by git-svn, or one that git can't read)"),
        ("1985-06-01T10:00:00+0000", "is dated 1985, before there was a web"),
    ],
)
def test_a_commit_whose_date_is_none_is_named_with_what_helps(site, date, what):
    """By the plugin and the command; a page has the date before it then."""
    site.docs({"index.md": "# Home\n", "other.md": "# Other\n"})
    site.config("report: report.json")
    site.commit_on("2024-01-01", {"docs/index.md": "# My home\n"})
    site.docs({"index.md": "# Our home\n"})
    site.commit(date=date)
    oid = git(site.folder, "rev-parse", "HEAD").decode().strip()
    note = (
        f"commit {oid[:12]} {what}. It dates no page. Put {oid} into .git-blame-ignore-revs: what "
        "it changed then has the date before it. What it added needs one in front matter."
    )
    built = site.build("--strict")
    assert built.notes == [note]
    assert built.days() == {"": None, "other/": "2024-01-01"}
    assert note in run_command("build", cwd=site.folder).stderr
    (site.folder / ".git-blame-ignore-revs").write_text(oid)
    assert site.build("--strict").days() == {"": "2024-01-01", "other/": "2024-01-01"}


@pytest.fixture
def shallow_submodule(site, tmp_path_factory, monkeypatch):
    """A complete clone whose submodule `docs/lib` is shallow, as .gitmodules wants it."""
    for number, value in enumerate(("protocol.file.allow", "always")):
        monkeypatch.setenv(f"GIT_CONFIG_{('KEY', 'VALUE')[number]}_0", value)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    folder = tmp_path_factory.mktemp("shallow")
    lib = make(folder / "lib", line(files(g_md="g"), files(g_md="g", h_md="h")))
    site.docs({"index.md": "# Home\n"})
    site.config("report: report.json")
    site.commit()
    git(site.folder, "submodule", "-q", "add", f"file://{lib.top}", "docs/lib")
    git(site.folder, "config", "-f", ".gitmodules", "submodule.docs/lib.shallow", "true")
    site.commit()
    clone = folder / "clone"
    git(folder, "clone", "-q", f"file://{site.folder}", clone)
    git(clone, "submodule", "-q", "update", "--init")
    return type(site)(clone)


@one_in(3)
@pytest.mark.parametrize("ci", ["GITHUB_ACTIONS", "READTHEDOCS", "NO_CI"])
def test_a_shallow_submodule_in_a_complete_clone_is_the_one_that_is_named(
    shallow_submodule, monkeypatch, ci
):
    """With the command for it, whatever CI runs, since its setting is right.

    The command helps, and does no harm where the clone is complete. `explain` says the same.
    """
    clone = shallow_submodule
    monkeypatch.setenv(ci, "true")
    built = clone.build("--strict", check=False)
    command = "git -C docs/lib fetch --unshallow || true"
    (warning,) = built.warnings
    assert warning == (
        "the clone docs/lib is shallow (.gitmodules has `shallow = true`), so the last change of 2 "
        f"of 3 pages is unknown. They get no date. Run `{command}` before the build, or accept "
        "missing dates with `lastmod: {git: {shallow: omit}}`."
    )
    assert built.returncode == 1
    pages = json.loads((clone.folder / "report.json").read_text())["pages"]
    fixes = [page["undated"]["fix"] for page in pages if "undated" in page]
    assert fixes == [f"Run `{command}`."] * 2
    for _ in range(2):
        subprocess.run(["sh", "-c", command], check=True, cwd=clone.folder)
        assert clone.build("--strict").warnings == []


def test_each_command_for_a_shallow_clone_can_be_run_on_a_complete_one(
    site, tmp_path_factory, monkeypatch
):
    """A build on a host with a cache of clones runs it again and again."""
    site.docs({"index.md": "# Home\n"})
    site.commit()
    clone = tmp_path_factory.mktemp("complete")
    git(clone, "clone", "-q", f"file://{site.folder}", ".")
    commands = set()
    for variable in CI:
        with monkeypatch.context() as running:
            running.setenv(variable, "true")
            commands.update(re.findall(r"`(git .*?)`", fix_for_shallow()))
    assert commands
    for command in commands:
        subprocess.run(["sh", "-c", command], check=True, cwd=clone)
