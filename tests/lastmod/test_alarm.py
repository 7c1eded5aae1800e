"""The alarm: one commit that dates most pages."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from git_repositories import files, git, line, make
from quantity import at_length

from mkdocs_sitemap_plus.lastmod import Change
from mkdocs_sitemap_plus.lastmod.missing import one_commit_for_most
from mkdocs_sitemap_plus.options import GitSettings
from mkdocs_sitemap_plus.problems import Level, Origin, Place

pytestmark = pytest.mark.usefixtures("plain_git")


def by(commit, repository="/nowhere", *, added=False):
    """A page that this commit dates; it changed the page, or added it."""
    when = datetime(2026, 1, 1, tzinfo=UTC)
    top = Path(repository)
    return Change(top, "docs/a.md", commit, when, added=added)


def alarm(dates, **git):
    """The alarm of pages with these dates."""
    return one_commit_for_most(dates, GitSettings(**git), Path())


FRONT_MATTER = Place(origin=Origin.FRONT_MATTER, file="a.md", key="lastmod")


@pytest.mark.parametrize(
    ("most", "others", "alarming"),
    [
        (19, 0, False),
        (20, 0, True),
        (16, 4, True),
        (15, 5, False),
        (79, 21, False),
        (80, 20, True),
        (799, 201, False),
        (800, 200, True),
    ],
)
def test_from_20_pages_and_80_percent_on(most, others, alarming):
    """Of all dated pages, whatever dates the others."""
    for other in (FRONT_MATTER, by("b" * 40), by("a" * 40, "/elsewhere")):
        dates = [by("a" * 40)] * most + [other] * others
        assert bool(alarm(iter(dates))) is alarming


def test_no_dates_of_git():
    """Owners may well date all pages alike."""
    assert alarm([FRONT_MATTER] * 50) is None
    assert alarm([]) is None


@pytest.mark.parametrize(
    ("changed", "added", "others", "alarming"),
    [
        (0, 100, 0, False),
        (49, 51, 0, False),
        (51, 49, 0, True),
        (80, 22, 10, True),
        (60, 19, 21, False),
    ],
)
def test_a_commit_that_added_most_of_the_pages_is_normal(changed, added, others, alarming):
    """As a first commit of a new repository does. One that brought a few with it is none."""
    one = "a" * 40
    dates = [by(one)] * changed + [by(one, added=True)] * added + [by("b" * 40)] * others
    assert bool(alarm(dates)) is alarming


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        ("Add `tags` to “all” pages", "'Add `tags` to “all” pages'"),
        ("", "''"),
        ("  two\nlines of it\n\nbody", "'two lines of it'"),
        ("\x1b[31mred\u202e", r"'\x1b[31mred\u202e'"),
        ("long " * 100, "'" + ("long " * 16)[:76] + "..."),
    ],
    ids=["words", "none", "lines", "control", "long"],
)
def test_the_text_of_the_alarm(tmp_path, subject, shown):
    """The commit, its subject in one short line, and the command that ignores it."""
    history = make(tmp_path, line(files(docs__a_md="a")))
    git(tmp_path, "reset", "-q", "--hard")
    git(tmp_path, "commit", "-q", "--allow-empty", "--allow-empty-message", "-m", subject)
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    problem = alarm([by(head, tmp_path)] * 45 + [by(history.oids[0], tmp_path)] * 5)
    assert problem is not None
    assert problem.level is Level.INFO
    assert str(problem) == (
        f"45 of 50 dated pages have the date of one commit, {head[:12]} {shown}. "
        f"If it only reformatted them, run `printf '\\n%s\\n' {head} >> .git-blame-ignore-revs` at "
        "the top of the repository. If the dates are right, write `#` before the line."
    )


@at_length
def test_the_advice_takes_no_date_away(site):
    """Where older commits are ignored too, the pages would have no date at all."""
    site.docs(pages("# Page {n}\n"))
    site.commit("Add all pages", date="2024-05-01T10:00:00+0000")
    site.docs(pages("# Page {n}\n\n"))
    site.commit("Reformat", date="2024-06-01T10:00:00+0000")
    head = git(site.folder, "rev-parse", "HEAD").decode().strip()
    site.config("lastmod: {git: {ignore_subjects: ['Add *']}}")
    note = next(note for note in site.build("--strict").notes if "dated pages" in note)
    assert note.endswith(
        f"If the dates are right, run `printf '\\n# %s\\n' {head} >> .git-blame-ignore-revs` at "
        "the top of the repository."
    )
    site.config()
    (note,) = site.build("--strict").notes
    command = note.split("`")[1]
    site.write({".git-blame-ignore-revs": "# a list without an end of its last line"})
    subprocess.run(["sh", "-c", command], cwd=site.folder, check=True)
    built = site.build("--strict")
    assert built.notes == []
    assert {entry["lastmod"][:10] for entry in built.entries()} == {"2024-05-01"}


def test_it_names_the_file_that_the_option_names():
    """A line in another file would do nothing."""
    problem = alarm([by("a" * 40)] * 20, ignore_revs_file="revs.txt")
    assert " >> revs.txt`." in str(problem)


def pages(text):
    """Twenty pages."""
    return {f"{n}.md" if n else "index.md": text.format(n=n) for n in range(20)}


@pytest.fixture
def swept(site):
    """A site whose pages were written one a day; then one commit gave front matter to all."""
    site.config()
    for number, (name, text) in enumerate(pages("# Page {n}\n").items()):
        site.docs({name: text})
        site.commit(date=f"2024-05-{number + 1:02}T10:00:00+0000")
    site.docs(pages("---\ntags: [x]\n---\n\n# Page {n}\r\n"))
    site.commit("Tag all pages", date="2024-06-01T10:00:00+0000")
    return site


@at_length
def test_a_sweep_of_front_matter(swept, plain_git):
    """With `content` it is a note; the line ends it, also as a comment, and so does `body`."""
    head = git(swept.folder, "rev-parse", "HEAD").decode().strip()
    built = swept.build()
    (note,) = built.notes
    assert note.startswith(f"20 of 20 dated pages have the date of one commit, {head[:12]} ")
    assert {entry["lastmod"][:10] for entry in built.entries()} == {"2024-06-01"}
    days = {f"2024-05-{day:02}" for day in range(1, 21)}

    swept.write({".git-blame-ignore-revs": f"# Tag all pages\n# {head}\n"})
    kept = swept.build("--strict")
    assert (kept.notes, kept.xml()) == ([], built.xml())

    swept.write({".git-blame-ignore-revs": f"{head}\n"})
    built = swept.build("--strict")
    assert built.notes == []
    assert {entry["lastmod"][:10] for entry in built.entries()} == days

    (swept.folder / ".git-blame-ignore-revs").unlink()
    swept.config("lastmod: {git: {change: body}}")
    built = swept.build("--strict")
    assert built.notes == []
    assert {entry["lastmod"][:10] for entry in built.entries()} == days


def test_a_new_repository_is_no_alarm(site):
    """One commit added all pages. Only a later change of most of them is worth a line."""
    site.config()
    site.docs(pages("# Page {n}\n"))
    site.commit("Initial import")
    assert site.build("--strict").notes == []
    site.docs({"index.md": "# Home\n", "1.md": "# One\n"})
    site.commit()
    assert site.build("--strict").notes == []


def test_a_rename_is_not_an_addition(site):
    """A pure rename is skipped: the commit below it counts, which changed the pages."""
    site.config()
    site.docs(pages("# Page {n}\n"))
    site.commit("Initial import")
    site.docs(pages("# Page number {n}\n"))
    site.commit("Number all pages", date="2024-06-01T10:00:00+0000")
    (site.folder / "docs").rename(site.folder / "pages")
    (site.folder / "docs").mkdir()
    (site.folder / "pages").rename(site.folder / "docs" / "en")
    site.docs({"index.md": "# Home\n"})
    site.commit("Move all pages", date="2024-07-01T10:00:00+0000")
    (note,) = site.build("--strict").notes
    assert note.startswith("19 of 21 dated pages have the date of one commit, ")
    assert "'Number all pages'" in note
