"""The alarm: one commit that dates most pages."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from git_repositories import files, git, line, make

from mkdocs_sitemap_plus.evidence import Change, Place, Voice
from mkdocs_sitemap_plus.lastmod.alarm import one_commit_for_most
from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.settings.values import GitSettings

pytestmark = pytest.mark.usefixtures("plain_git")


def by(commit, repository="/nowhere"):
    """A page that this commit dates."""
    when = datetime(2026, 1, 1, tzinfo=UTC)
    return Change(repository=Path(repository), path="docs/a.md", commit=commit, when=when)


FRONT_MATTER = Place(voice=Voice.FRONT_MATTER, file="a.md", key="lastmod")


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
    """Of all dated pages, whoever dates the others."""
    for other in (FRONT_MATTER, by("b" * 40), by("a" * 40, "/elsewhere")):
        dates = [by("a" * 40)] * most + [other] * others
        assert bool(one_commit_for_most(iter(dates), History(GitSettings()))) is alarming


def test_no_dates_of_git():
    """Owners may well date all pages alike."""
    assert one_commit_for_most([FRONT_MATTER] * 50, History(GitSettings())) is None
    assert one_commit_for_most([], History(GitSettings())) is None


@pytest.mark.parametrize("subject", ["Add `tags` to “all” pages", "", "  two\nlines of it\n\nbody"])
def test_what_it_says(tmp_path, subject):
    """The commit, its subject in one line, and the line to paste."""
    history = make(tmp_path, line(files(docs__a_md="a")))
    git(tmp_path, "commit", "-q", "--allow-empty", "--allow-empty-message", "-m", subject)
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    told = repr(" ".join(subject.partition("\n\n")[0].split()))
    dates = [by(head, tmp_path)] * 45 + [by(history.oids[0], tmp_path)] * 5
    problem = one_commit_for_most(dates, History(GitSettings()))
    assert problem is not None
    assert problem.note
    assert str(problem) == (
        f"45 of 50 dated pages have their date from one commit, {head[:12]} {told}. "
        "Search engines may stop trusting such dates. If it did not change what readers see, "
        f"add this line to .git-blame-ignore-revs: {head}"
    )


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


def test_a_sweep_of_front_matter(swept, plain_git):
    """With `content` it is told; the pasted line silences it, and so does `body`."""
    head = git(swept.folder, "rev-parse", "HEAD").decode().strip()
    built = swept.build()
    (note,) = built.notes
    assert note == (
        f"20 of 20 dated pages have their date from one commit, {head[:12]} 'Tag all pages'. "
        "Search engines may stop trusting such dates. If it did not change what readers see, "
        f"add this line to .git-blame-ignore-revs: {head}"
    )
    assert {entry["lastmod"][:10] for entry in built.entries()} == {"2024-06-01"}
    days = {f"2024-05-{day:02}" for day in range(1, 21)}

    swept.write({".git-blame-ignore-revs": f"{note.rpartition(' ')[2]}\n"})
    built = swept.build("--strict")
    assert built.notes == []
    assert {entry["lastmod"][:10] for entry in built.entries()} == days

    (swept.folder / ".git-blame-ignore-revs").unlink()
    swept.config("lastmod: {git: {change: body}}")
    built = swept.build("--strict")
    assert built.notes == []
    assert {entry["lastmod"][:10] for entry in built.entries()} == days
