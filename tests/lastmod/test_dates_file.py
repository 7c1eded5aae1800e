"""Dates without a repository: from the file that ``mkdocs-sitemap-plus dates`` wrote."""

import hashlib
import json
import shutil
import sys

import pytest
from faults import documented
from quantity import at_length
from sites import SiteMaker, git, run_command

FILE = "sitemap-dates.json"
SOURCES = "lastmod:\n  sources: [front_matter, git, file]\n"
SNIPPETS = "markdown_extensions:\n  - pymdownx.snippets: {base_path: [parts]}\n"
AGAIN = "Write the file again in the repository: `mkdocs-sitemap-plus dates`"
ACCEPT = "or accept missing dates with `lastmod: {sources: [front_matter]}`."


def dates(folder, *arguments):
    """Run the command; returns the finished process."""
    return run_command("dates", *arguments, cwd=folder)


def without_git(site, folder=None):
    """A copy of the site as a service gets it that has no repository."""
    folder = folder or site.folder.with_name("upload")
    shutil.copytree(site.folder, folder, ignore=shutil.ignore_patterns(".git", "site"))
    return SiteMaker(folder)


@pytest.fixture(scope="module")
def dated(tmp_path_factory):
    """A site whose pages are dated in many ways."""
    site = SiteMaker(tmp_path_factory.mktemp("dated"))
    site.config(SOURCES, more=SNIPPETS)
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/old name.md": "# Old\n"})
    site.commit_on("2024-01-02", {"docs/with.md": '# With\n\n--8<-- "part.md"\n'})
    depends = "---\nsitemap: {depends: [../../src/*.py]}\n---\n# Code\n"
    site.commit_on("2024-01-03", {"docs/ü/code.md": depends, "src/a.py": "A = 1\n"})
    (site.folder / "docs/old name.md").rename(site.folder / "docs/new name.md")
    site.commit_on("2024-01-04", {"parts/part.md": "A part\n"})
    site.commit_on("2024-01-05", {"src/b.py": "B = 1\n"})
    site.commit_on("2024-01-06", {"docs/own.md": "---\nlastmod: 2023-05-05\n---\n# Own\n"})
    site.write({".git/info/exclude": f"/site/\n/{FILE}\n/docs/untracked.md\n/parts/local.md\n"})
    site.docs({"untracked.md": "# Untracked\n"})
    site.commit_on("2024-01-07", {"docs/local.md": '# Local\n\n--8<-- "local.md"\n'})
    site.write({"parts/local.md": "Not in git\n"})
    git("repack", "-adq", cwd=site.folder)  # so that it is quick to copy
    return site


@pytest.fixture
def site(dated, tmp_path):
    """A copy of it."""
    return dated.copy(tmp_path / "site")


@pytest.fixture(scope="module")
def written(dated, tmp_path_factory):
    """Another copy, with the dates file."""
    site = dated.copy(tmp_path_factory.mktemp("written") / "site")
    dates(site.folder)
    return site


@pytest.fixture
def upload(written, tmp_path):
    """The same without its repository."""
    return without_git(written, tmp_path / "upload")


DAYS = {
    "": "2024-01-01",
    "local/": "2024-01-07",
    "new%20name/": "2024-01-01",
    "own/": "2023-05-05",
    "untracked/": None,
    "with/": "2024-01-04",
    "%C3%BC/code/": "2024-01-05",
}


def test_a_build_without_git_gives_the_same_bytes(site):
    """Renames, snippets, patterns, front matter, pages that git does not know: all as with git."""
    assert dates(site.folder).returncode == 0
    built = site.build("--strict")
    assert built.days() == DAYS
    upload = without_git(site).build("--strict")
    assert upload.xml() == built.xml()
    assert upload.path("sitemap.xml.gz").read_bytes() == built.path("sitemap.xml.gz").read_bytes()
    assert (upload.warnings, upload.notes) == ([], [])
    assert upload.summary == (
        "sitemap.xml: 7 pages, 6 dated (file 5, front matter 1), 1 undated (docs/untracked.md)"
    )


def test_the_file_is_the_same_at_the_same_commit(site):
    """In another folder, too; ASCII, one line a file, with a version, and nothing beside it."""
    first = dates(site.folder)
    data = (site.folder / FILE).read_bytes()
    clone = site.folder.parent / "clone"
    git("clone", "-q", site.folder, clone, cwd=site.folder)
    shutil.copy(site.folder / "parts/local.md", clone / "parts")
    shutil.copy(site.folder / "docs/untracked.md", clone / "docs")
    dates(clone)
    assert (clone / FILE).read_bytes() == data
    said = json.loads(data.decode("ascii"))
    assert list(said) == ["format", "version", "git", "files"]
    assert said["format"] == "mkdocs-sitemap-plus dates"
    assert said["version"] == 1
    assert len(data.splitlines()) == len(said["files"]) + 7
    assert said["files"]["docs/new name.md"] == {
        "blob": git("rev-parse", "HEAD:docs/new name.md", cwd=site.folder),
        "commit": git("rev-parse", "HEAD~6", cwd=site.folder),
        "when": "2024-01-01T10:00:00+00:00",
        "path": "docs/old name.md",
        "added": True,
        "skipped": [[git("rev-parse", "HEAD~3", cwd=site.folder), "renamed from docs/old name.md"]],
    }
    assert said["files"]["parts/local.md"] is None
    assert (first.returncode, first.stderr) == (0, "")
    names = ["docs", "mkdocs.yml", "parts", FILE, "src"]
    assert sorted(each.name for each in site.folder.iterdir()) == sorted([".git", *names])


def test_what_changed_since_is_undated(upload):
    """A page's own text, or a part of it, or a new part: when that was is not known."""
    changed = ["docs/index.md", "parts/part.md"]
    upload.write(dict.fromkeys([*changed, "src/c.py"], "Another text\n"))
    built = upload.build("--strict")
    assert built.days() == DAYS | dict.fromkeys(["", "with/", "%C3%BC/code/"])
    assert built.notes == [
        (
            f"docs/index.md, parts/part.md have changed since {FILE} was written. "
            f"Pages made from them get no date from the dates file. {AGAIN}."
        )
    ]


def test_a_file_with_changes_has_the_date_of_its_last_commit(site):
    """As in a build with git, where a CI writes pages; another content has none."""
    site.write({"docs/index.md": "Another text\r\n", "parts/part.md": "Another text\n"})
    done = run_command("dates", cwd=site.folder)
    note = "Note: 2 files have changes that are not committed (docs/index.md, parts/part.md). "
    note += "The date of each is that of its last commit.\n"
    assert (done.returncode, done.stderr) == (0, note)
    upload = without_git(site)
    assert upload.build("--strict").days() == site.build().days() == DAYS
    git("checkout", "-q", "docs/index.md", cwd=site.folder)
    upload.write({"docs/index.md": (site.folder / "docs/index.md").read_text()})
    assert upload.build().days() == DAYS | {"": None}


def test_line_ends_of_a_checkout_do_not_count(upload):
    """Git for Windows makes them CRLF; the blobs stay what they are."""
    for path in (upload.folder / "docs").rglob("*.md"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert upload.build("--strict").days() == DAYS


def test_a_file_that_git_lfs_stores_is_the_same_file(site):
    """Git holds a pointer to it, and a checkout the file itself."""
    pdf = b"%PDF\r\n\x00" * 1000
    pointer = (
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{hashlib.sha256(pdf).hexdigest()}\nsize 7000\n"
    )
    site.config(f"{SOURCES}extra_files: '*.pdf'", more=SNIPPETS)
    site.commit_on("2024-01-08", {"docs/a.pdf": pointer, "docs/b.pdf": pointer})
    dates(site.folder)
    upload = without_git(site)
    upload.docs({"a.pdf": pdf, "b.pdf": pdf + b"."})
    built = upload.build("--strict")
    assert built.days() == DAYS | {"a.pdf": "2024-01-08", "b.pdf": None}
    assert built.notes == [
        (
            f"docs/b.pdf has changed since {FILE} was written. "
            f"Pages made from it get no date from the dates file. {AGAIN}."
        )
    ]


def test_a_shallow_clone_takes_from_the_file_what_it_hides(site):
    """Git first; what is behind the boundary from the file, as long as it fits."""
    dates(site.folder)
    clone = SiteMaker(site.folder.parent / "clone")
    git("clone", "-q", "--depth=2", f"file://{site.folder}", clone.folder, cwd=site.folder)
    shutil.copy(site.folder / "parts/local.md", clone.folder / "parts")
    shutil.copy(site.folder / FILE, clone.folder)
    built = clone.build("--strict")
    assert built.days() == {loc: day for loc, day in DAYS.items() if loc != "untracked/"}
    assert "(file 4, " in built.summary


def test_a_shallow_clone_writes_only_what_it_knows(site):
    """What it hides is absent, so that it does not look like a file without a commit."""
    clone = site.folder.parent / "clone"
    git("clone", "-q", "--depth=2", f"file://{site.folder}", clone, cwd=site.folder)
    done = dates(clone)
    assert done.returncode == 0
    files = json.loads((clone / FILE).read_bytes())["files"]
    assert list(files) == ["docs/local.md"]
    assert done.stdout == f"Wrote {FILE}: the dates of 1 file.\n"
    assert done.stderr == (
        "Warning: the clone is shallow, so the last change of 8 of 9 files is unknown. "
        "Run `git fetch --unshallow || true` before the build, or accept missing dates with "
        "`lastmod: {git: {shallow: omit}}`.\n"
    )


def test_a_shallow_clone_that_hides_all_dates_is_not_told_to_accept_that(site):
    """No option makes the command write a file without dates."""
    site.config()
    site.docs(dict.fromkeys(("index.md", "a.md"), "# Page\n"))
    site.commit_on("2024-01-01", {})
    (clone, top) = site.folder.parent / "clone", site.folder
    git("commit", "-q", "--allow-empty", "-m", "Empty", cwd=top)
    git("clone", "-q", "--depth=1", f"file://{top}", clone, cwd=top)
    done = dates(clone)
    assert done.returncode == 1
    assert "Nothing is written. Run `git fetch --unshallow || true`" in done.stderr
    assert "accept" not in done.stderr


BROKEN = {
    "torn": b'{"version": 1, "files": {"docs/in',
    "date": b'{"version": 1, "git": GIT, "files": {"docs/index.md": ENTRY}}'.replace(
        b"ENTRY",
        b'{"blob": "%s", "commit": "%s", "path": "a", "when": "2024-13-01"}'
        % (b"a" * 40, b"a" * 40),
    ),
}
GIT = b"""{"date": "published", "change": "content", "ignore_revs_file": null,
    "ignore_authors": [], "ignore_subjects": []}"""


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
@pytest.mark.fault("a damaged dates file")
def test_a_broken_file_is_one_warning(upload, data):
    """Whatever is in it: pages stay undated, and the build goes on."""
    upload.write({FILE: data.replace(b"GIT", GIT)})
    built = upload.build()
    assert built.days() == dict.fromkeys(DAYS) | {"own/": "2023-05-05"}
    found = f"{FILE} is not a file of `mkdocs-sitemap-plus dates`"
    assert (built.warnings, built.notes) == (
        [f"6 of 7 pages have no date: {found}. {AGAIN}, {ACCEPT}"],
        [],
    )
    documented("a damaged dates file", *built.warnings)


def test_a_file_that_can_not_be_read_is_one_warning(upload):
    """It says why, and how to get another one."""
    (upload.folder / FILE).unlink()
    (upload.folder / FILE).mkdir()
    built = upload.build()
    found = "can't be read (Is a directory)"
    assert built.warnings == [f"6 of 7 pages have no date: {FILE} {found}. {AGAIN}, {ACCEPT}"]
    assert built.notes == []


def test_without_a_repository_nothing_is_written(upload):
    """Exit code 1, and the reason; a file that is there stays."""
    before = (upload.folder / FILE).read_bytes()
    done = dates(upload.folder)
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        (
            "Error: the files are not in a git repository. Nothing is written. "
            "Run the command in the repository.\n"
        ),
    )
    assert (upload.folder / FILE).read_bytes() == before


def test_that_no_page_is_committed_is_reported_before_other_problems(tmp_path):
    """Such as a file of ignored commits that is not there, which does not explain it."""
    site = SiteMaker(tmp_path)
    site.config("lastmod: {git: {ignore_revs_file: nope.txt}}")
    site.commit_on("2024-01-01", {"README.md": "# Not a page\n"})
    site.docs({"index.md": "# Home\n"})
    done = dates(site.folder)
    cause, other = done.stderr.splitlines()
    assert cause == "Error: git has no date for any file. Nothing is written. Commit the files."
    assert other.startswith("Error: mkdocs.yml:5: lastmod.git.ignore_revs_file is 'nope.txt', ")
    assert (done.returncode, done.stdout) == (1, "")


# The dates of any files, without a project.


def test_the_evidence_is_that_of_the_commit(dated, upload):
    """With what was skipped; its origin is the dates file."""
    upload.config(f"report: report.json\n{SOURCES}", more=SNIPPETS)
    upload.build()
    pages = json.loads((upload.folder / "report.json").read_text("utf-8"))["pages"]
    (page,) = [page for page in pages if page["source"] == "new name.md"]
    evidence = page["because"]["lastmod"]
    assert (evidence["origin"], evidence["path"]) == ("file", "docs/old name.md")
    assert evidence["commit"] == git("rev-parse", "HEAD~6", cwd=dated.folder)
    assert [each["why"] for each in evidence["skipped"]] == ["renamed from docs/old name.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs the right to make links")
def test_a_folder_that_is_linked_has_the_dates_of_its_files_under_both_paths(site):
    """As MkDocs builds them; a link to a folder above would never end."""
    site.docs({"a/x.md": "# X\n"})
    for name, target in (("b", "a"), ("self", "."), ("root", "/")):
        (site.folder / "docs" / name).symlink_to(target)
    site.commit()
    assert dates(site.folder).returncode == 0
    found = json.loads((site.folder / FILE).read_bytes())["files"]
    assert found["docs/b/x.md"] == found["docs/a/x.md"]
    assert not any(path.startswith(("docs/self", "docs/root")) for path in found)


@at_length
def test_a_commit_that_dates_most_pages_is_the_same_with_the_file(tmp_path):
    """One that added them is normal; one that changed them is asked about."""
    site = SiteMaker(tmp_path / "site")
    site.config(SOURCES)
    texts = {f"docs/{name}.md": "# Page\n" for name in ("index", *range(20))}
    for day, text in (("2024-01-01", ""), ("2024-01-02", "Text\n")):
        site.commit_on(day, {name: page + text for name, page in texts.items()})
        assert dates(site.folder).returncode == 0
        by_git = site.build("--strict").notes
        by_file = without_git(site, tmp_path / day).build("--strict").notes
        assert [bool(by_git), bool(by_file)] == [bool(text)] * 2
        (site.folder / FILE).unlink()
