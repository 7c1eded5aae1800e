"""What `git log --raw -z` prints, read from bytes."""

import pytest

from mkdocs_sitemap_plus.gitdates.log import LogCommit, RawChange, commits

A, B, C, D = (letter * 40 for letter in (b"a", b"b", b"c", b"d"))
NONE = b"0" * 40


class Pieces:
    """A stream that gives a few bytes at a time, and may break off."""

    def __init__(self, content, size=1 << 20, error=None):
        """At most `size` bytes at a time; `error` at the end."""
        self.rest, self.size, self.error = content, size, error

    def read(self):
        """The next ones."""
        piece, self.rest = self.rest[: self.size], self.rest[self.size :]
        if not piece and self.error:
            raise self.error
        return piece


def raw(status, path, old=B, new=C):
    """One change as git prints it."""
    modes = {b"A": b"000000 100644", b"D": b"100644 000000"}.get(status, b"100644 100644")
    return b":%s %s %s %s\0%s\0" % (modes, old, new, status, path)


PRINTED = (
    A + b" 1600000000 " + B + b" " + C + b"\0"
    b"\n" + raw(b"M", b"docs/a.md") + raw(b"M", b"docs/b.md") + raw(b"D", b"docs/old.md", B, NONE)
    + B + b" -5 " + C + b"\0"
    + C + b"  " + D + b"\0"
    b"\n" + raw(b"A", b":odd\nname", NONE, C) + raw(b"D", b"gone", C, NONE)
    + D + b" 0 \0"
)  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 7, 41, 1 << 20])
def test_commits_are_read_wherever_the_pieces_end(size):
    """Pipes give bytes as they come."""
    wanted = {b"docs/a.md", b":odd\nname"}
    assert list(commits(Pieces(PRINTED, size), wanted, renames=True)) == [
        LogCommit(
            A,
            1_600_000_000,
            (B, C),
            (RawChange(b"docs/a.md", b"100644", b"100644", B, C, b"M"),),
        ),
        LogCommit(B, -5, (C,), ()),
        LogCommit(
            C,
            None,
            (D,),
            (
                RawChange(b":odd\nname", b"000000", b"100644", NONE, C, b"A"),
                RawChange(b"gone", b"100644", b"000000", C, NONE, b"D"),
            ),
        ),
        LogCommit(D, 0, (), ()),
    ]


@pytest.mark.parametrize(
    ("more", "author", "subject"),
    [
        (b"\x1fAda <ada@x.org>", b"Ada <ada@x.org>", b""),
        (b"\x1f\nFix: a \x1f b", b"", b"Fix: a \x1f b"),
        (b"\x1fAda \x1f <ada@x.org>\n:1 \x1f", b"Ada \x1f <ada@x.org>", b":1 \x1f"),
        (b"\x1f <>\n", b" <>", b""),
        (b"\x1f\n\n \n Fix: a \r\nand b\n\nMore\n", b"", b"Fix: a"),
    ],
    ids=["author", "subject", "both", "empty", "message"],
)
def test_the_author_and_the_subject_are_read_if_git_prints_them(more, author, subject):
    """Whatever their letters are; the changes below stay what they are."""
    printed = A + b" 1 " + B + more + b"\0\n" + raw(b"M", b"a.md")
    changes = (RawChange(b"a.md", b"100644", b"100644", B, C, b"M"),)
    assert list(commits(Pieces(printed), {b"a.md"})) == [
        LogCommit(A, 1, (B,), changes, author, subject)
    ]


def test_deletions_are_kept_only_for_renames():
    """Without renames nothing but the wanted paths matters."""
    read = list(commits(Pieces(PRINTED), {b":odd\nname", b"docs/old.md"}))
    assert [[change.path for change in commit.changes] for commit in read] == [
        [b"docs/old.md"],
        [],
        [b":odd\nname"],
        [],
    ]


def test_what_is_wanted_may_change_between_commits():
    """The walk takes paths away once they are dated."""
    wanted = {b"docs/a.md"}
    printed = b"".join(oid + b" 1 \0\n" + raw(b"M", b"docs/a.md") for oid in (A, B))
    reading = commits(Pieces(printed), wanted)
    assert [change.path for change in next(reading).changes] == [b"docs/a.md"]
    wanted.clear()
    assert [commit.changes for commit in reading] == [()]


def test_a_commit_that_may_be_cut_off_is_not_given():
    """What comes before a break is whole; the last one may lack changes."""
    reading = commits(Pieces(PRINTED, 1 << 20, ValueError("broken")), ())
    assert [next(reading).oid for _ in range(3)] == [A, B, C]
    with pytest.raises(ValueError, match="broken"):
        next(reading)


def test_no_commits():
    """An empty stream."""
    assert list(commits(Pieces(b""), ())) == []
