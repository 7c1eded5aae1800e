"""Files that had other names, or came by merges, and what dates them in each setting."""

import git_settings
import pytest
from git_answers import places
from git_repositories import files, git, graph, line, make
from git_settings import TRIED
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

EACH = pytest.mark.parametrize("settings", TRIED, ids=git_settings.name)

pytestmark = [pytest.mark.usefixtures("plain_git"), EACH, more_at_length]

ANY, _, BODY = GitChange
PUBLISHED, *_ = GitDate


# Names


def test_a_file_that_was_a_folder_in_between(tmp_path, settings):
    """The same text under `guide.md/index.md` is a rename there and back; another is a change."""
    history = make(
        tmp_path,
        line(
            files(docs__guide_md="same", docs__other_md="1"),
            files(docs__guide_md__index_md="same", docs__other_md__index_md="2"),
            files(docs__guide_md="same", docs__other_md="3"),
        ),
    )
    first = 2 if settings.change is ANY else 0
    assert places(history, settings) == {"guide.md": first, "other.md": 2}


def test_docs_that_moved_into_another_folder(tmp_path, settings):
    """`docs/` became `website/docs/`: no page is new, but the one that was edited since."""
    old = {f"docs/{n}.md".encode(): (b"100644", b"---\nt: 1\n---\n%d" % n) for n in range(30)}
    edited = old | {b"docs/3.md": (b"100644", b"edited")}
    new = {b"website/" + path: file for path, file in edited.items()}
    later = new | {b"website/docs/4.md": (b"100644", b"---\nt: 2\n---\n4")}
    history = make(tmp_path, line(old, edited, new, later))
    if settings.change is ANY:
        expected = {f"{n}.md": 2 for n in range(30)} | {"4.md": 3}
    else:
        expected = {f"{n}.md": 0 for n in range(30)} | {"3.md": 1}
        expected["4.md"] = 0 if settings.change is BODY else 3
    assert places(history, settings, "website/docs") == expected


# Merges


@pytest.mark.parametrize("swapped", [False, True])
def test_a_change_that_was_undone_in_a_merge(tmp_path, settings, swapped):
    """Where the branch did not survive, nothing changed; on the line itself it was undone."""
    old, new = files(docs__a_md="old"), files(docs__a_md="new")
    other = old | files(code="2")
    parents = [2, 1] if swapped else [1, 2]
    history = make(tmp_path, graph((old, []), (other, [0]), (new, [0]), (other, parents)))
    undone = swapped and settings.date is PUBLISHED
    assert places(history, settings) == {"a.md": 3 if undone else 0}


def test_front_matter_that_a_merge_changed_alone(tmp_path, settings):
    """Against the first parent the body is the same: it goes on there."""
    texts = ("---\nt: 1\n---\nx", "---\nt: 2\n---\nx", "---\nt: 3\n---\nx", "---\nt: 4\n---\nx")
    one, two, three, four = (files(docs__a_md=text) for text in texts)
    history = make(tmp_path, graph((one, []), (two, [0]), (three, [0]), (four, [1, 2])))
    assert places(history, settings) == {"a.md": 0 if settings.change is BODY else 3}


def test_a_history_that_was_mended(tmp_path, settings):
    """Replaced commits are what `git log` shows."""
    history = make(tmp_path, line(*(files(docs__a_md=text) for text in ("a", "b", "b"))))
    git(tmp_path, "replace", "--graft", history.oids[2], history.oids[0])
    assert places(history, settings) == {"a.md": 2}


def test_a_blob_that_was_replaced(tmp_path, settings):
    """What was committed counts, as in `git log`: the front matter changed, and the text did not.

    The blob that replaces it has another text.
    """
    one, two = (files(docs__a_md=f"---\nt: {number}\n---\nx") for number in (1, 2))
    history = make(tmp_path, line(one, two))
    other = git(tmp_path, "hash-object", "-w", "--stdin", stdin=b"another text").strip()
    git(tmp_path, "replace", "HEAD:docs/a.md", other)
    assert git(tmp_path, "show", "HEAD:docs/a.md") == b"another text"
    assert places(history, settings) == {"a.md": 0 if settings.change is BODY else 1}
