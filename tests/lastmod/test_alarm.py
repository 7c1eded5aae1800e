"""The alarm: one commit that dates most pages."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from git_repositories import files, git, line, make
from quantity import one_in

from mkdocs_sitemap_plus.generator.lastmod.missing import one_commit_for_most
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.gitdates import Change, GitDates
from mkdocs_sitemap_plus.problems import Level, Origin, Place

pytestmark = pytest.mark.usefixtures("plain_git")


def by(commit, repository="/nowhere", *, added=False, before=""):
    """A page that this commit dates; it changed the page, or added it."""
    when = datetime(2026, 1, 1, tzinfo=UTC)
    top = Path(repository)
    return Change(top, "docs/a.md", commit, when, added=added, before=before)


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
        (49, 51, 0, False),
        (51, 49, 0, True),
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
        ("\x1b[31mred\u202e", r"'\x1b[31mred\u202e'"),
        ("long " * 100, "'" + ("long " * 16)[:76] + "..."),
    ],
    ids=["words", "control", "long"],
)
def test_the_text_of_the_alarm(tmp_path, subject, shown):
    """The commit, its subject in one short line, and the command that ignores it."""
    history = make(tmp_path, line(files(docs__a_md="a"), files(docs__a_md="*a*")))
    git(tmp_path, "reset", "-q", "--hard")
    git(tmp_path, "commit", "-q", "--amend", "--allow-empty-message", "-m", subject)
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    (first, _) = history.oids
    dates = [by(head, tmp_path, before=first)] * 45 + [by(first, tmp_path, added=True)] * 5
    problem = alarm(dates)
    assert problem is not None
    assert problem.level is Level.NOTE
    assert str(problem) == (
        f"45 of 50 dated pages have the date of one commit, {head[:12]} {shown}; on 45 of them it "
        f"changed no word. If readers need not see them as new, run `printf '\\n%s\\n' {head} >> "
        ".git-blame-ignore-revs` at the top of the repository. If the dates are right, write `#` "
        "before the line."
    )


def test_the_advice_takes_no_date_away():
    """Nothing is older than this commit, so it is only noted, in the file that the option names."""
    commit = "a" * 40
    problem = alarm([by(commit)] * 20, ignore_revs_file="revs.txt")
    assert str(problem).endswith(
        f"If the dates are right, run `printf '\\n# %s\\n' {commit} >> revs.txt`."
    )


def pages(text):
    """Twenty pages."""
    return {f"{n}.md" if n else "index.md": text.format(n=n) for n in range(20)}


def test_the_alarm_of_a_build(site):
    """A strict build passes."""
    site.config()
    site.docs(pages("# Page {n}\n"))
    site.commit("Initial import")
    site.docs(pages("# Page number {n}\n"))
    site.commit("Number all pages", date="2024-06-01T10:00:00+0000")
    (note,) = site.build("--strict").notes
    assert note.startswith("20 of 20 dated pages have the date of one commit, ")
    assert "'Number all pages'" in note


OLD = "# Page\n\nSee [the guide](old.md) and `a - b`.\n\n```python\nx = a - b\n```\n"
CHANGES = {
    "the target of a link": ("old.md", "new.md", True),
    "markup": ("# Page", "## Page", True),
    "front matter": ("# Page", "---\ntags: [a]\n---\n# Page", True),
    "an attribute": ("# Page", "# {#top} Page", True),
    "an empty block of code": ("See", "```\n```\n\nSee", True),
    "white space in code": ("x = a - b", "  x  = a - b", True),
    "a word": ("guide", "manual", False),
    "a title": ("# Page", "---\ntitle: Lamps\n---\n# Page", False),
    "a description": ("# Page", "---\ndescription: All about lamps\n---\n# Page", False),
    "an operator in code": ("x = a - b", "x = a + b", False),
    "an operator in a line": ("`a - b`", "`a + b`", False),
}
"""What a commit changes, and whether readers see nothing of it."""


def changed_at_once(tmp_path, count, old, new):
    """The dates of 40 pages of which one commit changed some."""
    names = [f"docs/p{n}.md" for n in range(40)]
    top = tmp_path / "clone"
    (top / "docs").mkdir(parents=True)
    git(top, "init", "-q")
    for day, some in enumerate([names[:30], names[30:]], 1):
        for name in some:
            (top / name).write_text(OLD.replace("Page", f"Page {name[6:-3]}"))
        git(top, "add", "-A")
        git(top, "commit", "-qm", "Write", GIT_COMMITTER_DATE=f"2024-01-0{day}T10:00:00Z")
    for name in names[:count]:
        text = (top / name).read_text()
        (top / name).write_text(text.replace(old, new))
    git(top, "commit", "-qam", "Replace", GIT_COMMITTER_DATE="2024-02-01T10:00:00Z")
    with GitDates(top / "docs") as dates:
        return [*dates.changes([top / name for name in names]).values()]


@one_in(3)
@pytest.mark.parametrize("name", CHANGES)
def test_a_commit_that_readers_see_nothing_of_is_named_from_20_percent_on(tmp_path, name):
    """If it dates ten pages or more. What is in a code block counts, but for white space."""
    old, new, alarming = CHANGES[name]
    found = alarm(changed_at_once(tmp_path, 10, old, new))
    assert bool(found) is alarming
    if found:
        assert "10 of 40 dated pages have the date of one commit" in found.found
        assert found.found.endswith("'Replace'; on 10 of them it changed no word")


def test_a_move_of_the_folder_changes_nothing(tmp_path):
    """The note is the same, and ignoring the commit gives each page the date before."""
    note = alarm(changed_at_once(tmp_path, 30, "old.md", "new.md"))
    assert "30 of 40 dated pages" in note.found
    assert note.found.endswith("on 30 of them it changed no word")
    assert note.fix.startswith("If readers need not see them as new, run `printf ")
    top = tmp_path / "clone"
    git(top, "mv", "docs", "pages")
    git(top, "commit", "-qm", "Move", GIT_COMMITTER_DATE="2024-03-01T10:00:00Z")
    names = [f"{top}/pages/p{n}.md" for n in range(40)]
    with GitDates(top / "pages") as dates:
        assert alarm([*dates.changes(names).values()]) == note
    ignored = git(top, "rev-parse", "HEAD^").decode().strip()
    with GitDates(top / "pages", ignore_revs=[ignored]) as dates:
        days = {change.when.day for change in dates.changes(names).values()}
    assert days == {1, 2}


def test_fewer_than_ten_pages_are_no_news(tmp_path):
    """The report lists them."""
    assert alarm(changed_at_once(tmp_path, 9, "old.md", "new.md")) is None
