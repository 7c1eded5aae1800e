"""Files that HEAD does not hold: copies of one that it holds, files that git ignores; git-annex."""

from hashlib import sha256

import pytest
from git_repositories import Commit, git, make
from git_settings import git_dates

from mkdocs_sitemap_plus.gitdates import Change, GitReason

pytestmark = pytest.mark.usefixtures("plain_git")

DAY = 86_400
README, CRLF = b"# Readme\n\nText.\n", b"# Readme\r\n\r\nText.\r\n"
IGNORES = {b".gitignore": (b"100644", b"site\ncore\n")}


def history(*trees):
    return [
        Commit(tree=tree, parents=[n - 1] if n else [], committed=(n + 1) * DAY, authored=0)
        for n, tree in enumerate(trees)
    ]


def regular(**files):
    return {f"{name.replace('__', '/')}.md".encode(): (b"100644", files[name]) for name in files}


def date_of(top, data, name="docs/index.md"):
    """The answer for a page that a script has made with this content."""
    file = top / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    with git_dates() as dates:
        dates.start(top / "docs")
        return dates.last_changes([file])[file]


def test_a_copy_has_the_date_of_its_original(tmp_path):
    """``cp README.md docs/index.md``, before the build: the text changed with README.md."""
    old, new = regular(README=b"old", docs__a=b"a"), regular(README=README, docs__a=b"a")
    made = make(tmp_path, history(old, new, new | regular(docs__a=b"b")))
    found = date_of(tmp_path, README)
    assert (found.commit, found.path) == (made.oids[1], "README.md")
    assert found.note == "its bytes are those of README.md"


def test_the_original_is_followed_through_its_renames(tmp_path):
    """And named as it is called today."""
    made = make(tmp_path, history(regular(old=README), regular(new=README)))
    found = date_of(tmp_path, README)
    assert (found.commit, found.path) == (made.oids[0], "old.md")
    assert found.note == "its bytes are those of new.md"


def test_a_copy_of_what_a_shallow_clone_hides_has_no_date(tmp_path):
    """The reason is that of the original."""
    old = regular(README=README, docs__a=b"a")
    made = make(tmp_path / "whole", history(old, old | regular(docs__a=b"b")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{made.top}", "cut")
    found = date_of(tmp_path / "cut", README)
    assert found.reason is GitReason.SHALLOW
    assert found.detail.endswith("does not reach back to the last change of README.md")


def test_line_ends_that_are_committed_are_compared_as_they_are(tmp_path):
    """The copy has them too."""
    make(tmp_path, history(regular(README=CRLF)))
    assert isinstance(date_of(tmp_path, CRLF), Change)


@pytest.mark.parametrize("of_sha256", [False, True])
@pytest.mark.parametrize("data", [CRLF, b"the film"], ids=["line ends", "Git LFS"])
def test_what_a_checkout_changes_does_not_count(tmp_path, data, of_sha256):
    """It is told by the bytes: a filter may be any program, so none is run."""
    digest = sha256(b"the film").hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 8\n"
    attributes = {b".gitattributes": (b"100644", b"* filter=own\n")}
    tree = regular(README=README, film=pointer.encode()) | attributes
    make(tmp_path, history(tree), *(["--object-format=sha256"] if of_sha256 else []))
    git(tmp_path, "config", "filter.own.clean", f"touch {tmp_path}/run; cat")
    assert isinstance(date_of(tmp_path, data), Change)
    assert not (tmp_path / "run").exists()


def test_of_two_equal_files_none_is_the_original(tmp_path):
    """Either may be the one that is copied, and their dates differ."""
    make(tmp_path, history(regular(a=README), regular(a=README, b=README)))
    found = date_of(tmp_path, README)
    assert found.reason is GitReason.NOT_COMMITTED
    assert found.detail.endswith("committed, and 2 files at HEAD have its bytes, such as a.md")


@pytest.mark.parametrize("data", [b"", b" \n", README + b"x", b"docs/a.md"])
def test_other_bytes_and_a_file_without_text_have_no_original(tmp_path, data):
    """Nor has the text of a symbolic link."""
    files = regular(README=README, empty=b"", blank=b" \n", docs__a=b"a")
    make(tmp_path, history(files | {b"link": (b"120000", b"docs/a.md")}))
    assert date_of(tmp_path, data).detail == "docs/index.md is not committed"


def test_what_is_committed_is_no_copy(tmp_path):
    """To copy a page and commit it is a change: its date is that of its own commit."""
    made = make(tmp_path, history(regular(a=README), regular(a=README, docs__index=README)))
    assert date_of(tmp_path, README).commit == made.oids[1]


def test_the_line_that_ignores_a_page_is_named(tmp_path):
    """To commit the page would not help: `git add` adds nothing."""
    make(tmp_path, history(IGNORES | regular(docs__a=b"a")))
    git(tmp_path, "reset", "-q", "--hard")
    assert date_of(tmp_path, b"new", ":(x)/core").detail.endswith("git ignores it (.gitignore:2)")
    found = date_of(tmp_path, b"new", "docs/core/new.md")
    assert found.detail == "docs/core/new.md is not committed: git ignores it (.gitignore:2)"
    assert found.fix.endswith("otherwise run `git add -f`.")
    assert date_of(tmp_path, b"new", "docs/new.md").fix is None


def test_the_patterns_of_a_person_are_not_named(tmp_path, plain_git):
    """Where they are is nobody's business who reads a report."""
    make(tmp_path, history(regular(docs__a=b"a")))
    plain_git.mkdir()
    (plain_git / "patterns").write_text("core\n")
    (plain_git / ".gitconfig").write_text("[core]\nexcludesFile = ~/patterns\n")
    found = date_of(tmp_path, b"new", "docs/core/new.md")
    assert found.detail == "docs/core/new.md is not committed: git ignores it"


@pytest.mark.unix
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_of_git_annex_is_dated_as_itself(tmp_path, is_there):
    """A locked file is a link into `.git` whose name is the hash of the content."""
    target = b"../.git/annex/objects/K/K.md"
    tree = {b"docs/big.md": (b"120000", target), b"a.md": (b"100644", b"a")}
    made = make(tmp_path, history(tree, tree | {b"a.md": (b"100644", b"b")}))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/big.md").symlink_to(target.decode())
    (tmp_path / "docs/other.md").symlink_to("big.md")  # whose content changes without it
    if is_there:
        (tmp_path / ".git/annex/objects/K").mkdir(parents=True)
        (tmp_path / ".git/annex/objects/K/K.md").write_bytes(b"# Big\n")
    with git_dates() as dates:
        files = [tmp_path / "docs/big.md", tmp_path / "docs/other.md"]
        big, other = dates.last_changes(files).values()
        assert (big.commit, big.path) == (made.oids[0], "docs/big.md")
        assert other.reason is GitReason.NOT_COMMITTED
        assert dates.uncommitted(files) == []
