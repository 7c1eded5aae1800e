"""Dates follow the line of what was published: pulls and updates of a branch are passed."""

import shlex
import subprocess

import pytest
from git_repositories import Commit, git, make
from git_settings import Options, git_dates
from quantity import one_in

from mkdocs_sitemap_plus.gitdates import GitChange, GitReason, NoDate
from mkdocs_sitemap_plus.gitdates.line import Line
from mkdocs_sitemap_plus.gitdates.log import Commit as Merge
from mkdocs_sitemap_plus.gitdates.repository import RepositoryFinder

pytestmark = pytest.mark.usefixtures("plain_git")

URL = "https://github.com/ada/docs.git"
DAY = 86_400


def tree(**texts):
    """The files of a docs folder, by the stems of their names."""
    return {f"docs/{name}.md".encode(): (b"100644", text.encode()) for name, text in texts.items()}


def pulled(subject, first=None, second=None, merge=None):
    """Three commits and their merge: Ann published `a` while Bob changed `b` in his clone."""
    trees = [
        tree(a="old", b="old"),
        first or tree(a="old", b="new"),
        second or tree(a="new", b="old"),
        merge or tree(a="new", b="new"),
    ]
    parents = [[], [0], [0], [1, 2]]
    messages = ["Begin", "Bob", "Ann", subject]
    return [
        Commit(tree=each, parents=of, committed=n * DAY + DAY, authored=0, message=said.encode())
        for n, (each, of, said) in enumerate(zip(trees, parents, messages, strict=True))
    ]


def dates(top, *names, settings=None, **named):
    """What the engine says of these files of the docs folder."""
    engine = git_dates(settings, root=top, **named)
    engine.start(top / "docs")
    found = engine.last_changes([top / "docs" / name for name in names])
    engine.close()
    return [*found.values()]


def test_a_real_pull(tmp_path):
    """Git itself pulls, and writes the subject; the date is the one before the pull."""

    def save(top, name, when):
        (top / "docs").mkdir(exist_ok=True)
        (top / "docs" / name).write_text(f"{when}")
        stamp = {"GIT_AUTHOR_DATE": f"{when} +0000", "GIT_COMMITTER_DATE": f"{when} +0000"}
        git(top, "add", ".")
        git(top, "commit", "-qm", f"Change {name}", **stamp)

    origin, ann, bob = (tmp_path / name for name in ("ada/docs.git", "ann", "bob"))
    git(tmp_path, "init", "-q", "--bare", origin)
    git(tmp_path, "init", "-q", ann)
    save(ann, "a.md", 1_700_000_000)
    save(ann, "b.md", 1_700_100_000)
    git(ann, "remote", "add", "origin", origin)
    git(ann, "push", "-q", "origin", "main")
    git(tmp_path, "clone", "-q", origin, bob)
    save(ann, "a.md", 1_710_000_000)
    git(ann, "push", "-q", "origin", "main")
    published = git(origin, "log", "-1", "--format=%H", "main", "--", "docs/a.md").decode().strip()
    save(bob, "b.md", 1_720_000_000)
    pull = ("-c", "user.name=Bob", "pull", "--no-rebase")
    git(bob, *pull, GIT_MERGE_AUTOEDIT="no", GIT_COMMITTER_DATE="1730000000 +0000")
    git(bob, "push", "-q", "origin", "HEAD:main")

    a, b = dates(bob, "a.md", "b.md")
    assert (a.commit, a.when.timestamp()) == (published, 1_710_000_000)
    assert b.when.timestamp() == 1_730_000_000  # only then did others get what Bob had written
    assert a.skipped == b.skipped == ()
    command = a.note.split("`")[1]
    run = subprocess.run(shlex.split(command), cwd=bob, capture_output=True, text=True, check=True)
    assert f"commit {published}" in run.stdout
    command = b.note.split("`")[1]
    run = subprocess.run(shlex.split(command), cwd=bob, capture_output=True, text=True, check=True)
    assert "+1720000000" in run.stdout


INTO_PATCH = "Merge branch 'main' into patch-1"
COUNTS = (
    "Merge branch 'main' of https://github.com/ada/docs",
    "Merge branch 'main' of https://github.com/Ada/Docs into main",
    "Merge branch 'master' of github.com:ada/docs",
    "Merge branch 'main' of ssh://git@ssh.github.com:443/ada/docs.git",
    "Merge branch 'main' of https://token@mirror.example/ada/docs/",
    "Merge remote-tracking branch 'origin/main'",
    "Merge remote-tracking branch 'refs/remotes/origin/master' into master",
    "Merge branch 'main' of github.com:ada/docs\n\n# Conflicts:\n#\tdocs/a.md\n",
    INTO_PATCH,
    f"Merge branch 'main' of {URL} into patch-1",
    "Merge remote-tracking branch 'refs/remotes/origin/main' into x",
)
DOES_NOT_COUNT = (
    "Merge branch 'develop' of github.com:ada/docs into develop",
    "Merge branch 'main' of https://github.com/eve/docs",
    "Merge branch 'main' of https://github.com/ada/docs-theme",
    "Merge branch 'feature' of github.com:ada/docs",
    "Merge branch 'feature' of github.com:ada/docs into main",
    "Merge branch 'main'",
    "Merge remote-tracking branch 'upstream/main'",
    "Merge pull request #3 from eve/main\n\nMerge branch 'main' of github.com:ada/docs",
    "Merge pull request #3: Merge branch 'main' of github.com:ada/docs",
    "Merge branch 'main' of github.com:ada/docs and mend the index",
    "Revert \"Merge branch 'main' of github.com:ada/docs\"",
    "Merge branch 'trunk' into patch-1",
    "Merge branch 'main' of https://github.com/eve/docs into patch-1",
    "Merge remote-tracking branch 'upstream/main' into x",
    "Merge branch 'main' into 'production'",
    f"{INTO_PATCH} and mend the index",
)


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """Two repositories: one has the remote `origin`, and one has none; HEAD is of `main`."""
    folder = tmp_path_factory.mktemp("named")
    for name in ("origin", "alone"):
        make(folder / name, pulled("Merge"))
    git(folder / "origin", "remote", "add", "origin", URL)
    return folder


def is_pull(top, subject, url=None):
    """Whether a merge with this subject is one before which the second parent was published."""
    printed = b"c 0 first second\0%s\0Bob <bob@example.org>" % subject.encode()
    repository, _ = RepositoryFinder().folder(str(top))
    return Line(repository, url).before(Merge(printed)) == b"second"


@pytest.mark.parametrize("subject", COUNTS)
def test_a_subject_of_a_pull(named, subject):
    """What it brought keeps the day on which it was published."""
    assert is_pull(named / "origin", subject)


@pytest.mark.parametrize("subject", DOES_NOT_COUNT)
def test_a_subject_of_another_merge(named, subject):
    """What it brought was published with the merge."""
    assert not is_pull(named / "origin", subject, URL)


def test_the_repository_of_a_subject(named):
    """It is that of `origin`; without one, that of `repo_url`; if there is neither, no URL is."""
    assert is_pull(named / "origin", COUNTS[0], "https://github.com/eve/docs")
    assert is_pull(named / "alone", COUNTS[0], URL)
    assert not is_pull(named / "alone", COUNTS[0])
    assert is_pull(named / "alone", "Merge remote-tracking branch 'origin/main'")


BECAME_PUBLISHED = {
    "a preview of a local branch": (INTO_PATCH, ["preview"]),
    "a tag": (INTO_PATCH, []),
    "any branch that is built": ("Merge branch 'trunk' into patch-1", ["trunk"]),
    "the upstream of HEAD's branch": ("Merge branch 'trunk' into patch-1", ["work", "trunk"]),
    "by a pull request": ("Merge pull request #3 from Ada/main", ["main"]),
    "by one, in a checkout without a branch": ("Merge pull request #3 from ada/main", []),
    "the name of a tag that origin has as a branch, too": (INTO_PATCH, ["", "patch-1"]),
    "another branch at the same commit": (INTO_PATCH, ["main", "main", "patch-1"]),
}
PUBLISHED_ITSELF = {
    "the branch that is built": (INTO_PATCH, ["patch-1"]),
    "its upstream": (INTO_PATCH, ["work", "patch-1"]),
    "a pull request of another branch": ("Merge pull request #3 from ada/patch-1", ["main"]),
    "one of a fork": ("Merge pull request #3 from eve/main", ["main"]),
    "one into production, which is built": ("Merge pull request #3 from ada/main", ["production"]),
    "one of a branch that is not known to be built": ("Merge pull request #3 from ada/x/y", []),
}


def check_out(top, branch=None, upstream=None, *others):
    """Let HEAD be a branch with an upstream, or detached; others of origin are there too."""
    head = git(top, "rev-parse", "HEAD").decode().strip()
    git(top, "remote", "add", "origin", URL)
    if branch:
        git(top, "update-ref", f"refs/heads/{branch}", head)
        git(top, "symbolic-ref", "HEAD", f"refs/heads/{branch}")
    else:
        git(top, "tag", "v1")
        git(top, "update-ref", "--no-deref", "HEAD", head)
        git(top, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    for name in filter(None, (upstream, *others)):
        git(top, "update-ref", f"refs/remotes/origin/{name}", head)
    if branch and upstream:
        git(top, "branch", "-q", f"--set-upstream-to=origin/{upstream}")


@one_in(3)
@pytest.mark.parametrize(
    ("subject", "names", "became"),
    [
        *((*case, True) for case in BECAME_PUBLISHED.values()),
        *((*case, False) for case in PUBLISHED_ITSELF.values()),
    ],
    ids=[*BECAME_PUBLISHED, *PUBLISHED_ITSELF],
)
def test_the_built_branch_was_merged_into_another(tmp_path, subject, names, became):
    """If that became the built one, what was merged was published before; else by the merge."""
    make(tmp_path, pulled(subject))
    check_out(tmp_path, *names)
    assert is_pull(tmp_path, subject) is became


def test_a_merge_ref_of_a_pull_request(tmp_path):
    """CI checks out a merge of the request into main, which has no name that git knows."""
    commits = pulled(INTO_PATCH)
    commits.append(
        Commit(
            tree=commits[3].tree,
            parents=[2, 3],
            committed=9 * DAY,
            authored=0,
            message=b"Merge 1 into 2",
        )
    )
    history = make(tmp_path, commits)
    check_out(tmp_path)
    a, b = dates(tmp_path, "a.md", "b.md")
    assert [a.commit, b.commit] == [history.oids[2], history.oids[4]]


def test_a_branch_that_is_deployed_again_and_again(tmp_path):
    """A checkout without a name is of the branch into which main was merged before, too."""
    commits = pulled("Merge branch 'main' into production")
    again = pulled("Merge branch 'main' into production")[2:]
    again[0].tree, again[0].parents = tree(a="newer", b="old"), [2]
    again[1].tree, again[1].parents = tree(a="newer", b="new"), [3, 4]
    for commit, number in zip(again, (5, 6), strict=True):
        commit.committed = number * DAY
    history = make(tmp_path, [*commits, *again])
    check_out(tmp_path)
    assert dates(tmp_path, "a.md")[0].commit == history.oids[5]


def test_what_the_pull_itself_changed_is_dated_by_it(tmp_path):
    """A conflict was solved: the text is in neither parent."""
    texts = tree(a="mine", b="old"), tree(a="theirs", b="old"), tree(a="both", b="old")
    history = make(tmp_path, pulled("Merge remote-tracking branch 'origin/main'", *texts))
    assert dates(tmp_path, "a.md")[0].commit == history.oids[3]


def test_a_rename_in_the_clone_of_a_page_that_was_changed_meanwhile(tmp_path):
    """The pull renames what was published, so its day counts; with `any` the rename does."""
    texts = tree(new="old"), tree(a="theirs"), tree(new="theirs")
    history = make(tmp_path, pulled("Merge remote-tracking branch 'origin/main'", *texts))
    (new,) = dates(tmp_path, "new.md")
    assert (new.commit, new.path) == (history.oids[2], "docs/a.md")
    (new,) = dates(tmp_path, "new.md", settings=Options(change=GitChange.ANY))
    assert new.commit == history.oids[3]


def test_a_shallow_clone_that_lacks_what_was_published(tmp_path):
    """No date is guessed where the other side of a pull is cut off."""
    origin = make(tmp_path / "origin", pulled("Merge remote-tracking branch 'origin/main'")).top
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=2", "--no-checkout", f"file://{origin}", clone)
    (a,) = dates(clone, "a.md")
    assert isinstance(a, NoDate)
    assert a.reason is GitReason.SHALLOW


def many_pulls(number):
    """Two people who publish in turn, and pull each other's work each time."""
    commits = pulled("Merge remote-tracking branch 'origin/main'")
    for round_ in range(1, number):
        last = len(commits) - 1
        for commit, parents in zip(
            pulled(f"Merge branch 'main' of {URL}")[1:],
            ([last], [last], [last + 1, last + 2]),
            strict=True,
        ):
            commit.parents = parents
            commit.tree = {
                path: (mode, b"%s in round %d" % (text, round_))
                for path, (mode, text) in commit.tree.items()
            }
            commits.append(commit)
    return commits


def test_pulls_cost_few_processes(tmp_path, git_calls):
    """However many there are: one each for their names, the lines, and the changes."""
    history = make(tmp_path, many_pulls(30))
    git(tmp_path, "remote", "add", "origin", URL)
    before = git_calls.counted()
    a, b = dates(tmp_path, "a.md", "b.md")
    assert [a.commit, b.commit] == [history.oids[-2], history.oids[-1]]
    more = git_calls.counted() - before
    assert more["log"] <= 2
    assert more["diff-tree"] == 1
    assert more.total() <= 6


def became_main():
    """Main was merged into a branch, which became main, and then somebody edited another page."""
    commits = pulled(INTO_PATCH)
    last = Commit(
        tree=tree(a="new", b="newer"),
        parents=[3],
        committed=9 * DAY,
        authored=0,
        message=b"Edit",
    )
    return [*commits, last]


SAYS_MAIN = {
    "on a laptop": ("main", ["main"], {}),
    "all branches, one of them at the same commit": ("main", ["main", "patch-1"], {}),
    "detached, with the branch that the CI names": (None, ["main"], {"ci_branch": ("main", "CI")}),
    "detached, with all branches": (None, ["patch-1", "main"], {"ci_branch": ("main", "CI")}),
    "detached at an older commit of main": (None, ["newer"], {"ci_branch": ("newer", "CI")}),
    "a tag, and an option": (None, ["patch-1"], {"branch": "main"}),
    "a tag": (None, ["patch-1"], {}),
    "the CI contradicts origin": (None, ["older"], {"ci_branch": ("older", "CI")}),
}


@one_in(3)
@pytest.mark.parametrize(("local", "others", "said"), SAYS_MAIN.values(), ids=SAYS_MAIN)
def test_one_commit_has_one_date_in_all_checkouts(tmp_path, local, others, said):
    """Which other branches are at HEAD does not matter, nor how the commit was checked out."""
    history = make(tmp_path, became_main())
    check_out(tmp_path, local, *others[:1], *others[1:])
    if others == ["older"]:
        git(tmp_path, "update-ref", "refs/remotes/origin/older", history.oids[0])
    if others == ["newer"]:
        words = ("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "Newer")
        newer = git(tmp_path, *words).decode().strip()
        git(tmp_path, "update-ref", "refs/remotes/origin/newer", newer)
    a, b = dates(tmp_path, "a.md", "b.md", **said)
    assert [a.commit, b.commit] == [history.oids[2], history.oids[4]]


@pytest.mark.parametrize(
    ("names", "said", "who"),
    [
        (["main"], {}, "main is built, says HEAD"),
        (["work", "main"], {}, "main or work is built, says HEAD"),
        ([], {"ci_branch": ("main", "GITHUB_REF_NAME")}, "main is built, says GITHUB_REF_NAME"),
        ([], {"branch": "main"}, "main is built, says `lastmod.git.branch`"),
        ([], {}, "nobody says which branch is built"),
    ],
    ids=["HEAD", "upstream", "CI", "option", "nobody"],
)
def test_the_note_names_the_built_branch_and_who_says_so(tmp_path, names, said, who):
    """And the command in it prints the commit that dates the page."""
    history = make(tmp_path, became_main())
    check_out(tmp_path, *names)
    a, b = dates(tmp_path, "a.md", "b.md", **said)
    merge = history.oids[3][:10]
    command = f"git log -1 --first-parent {merge}^2 -- docs/a.md"
    said_of_a = f"merge {merge} only brought what was published before ({who}): `{command}`"
    assert (a.note, b.note) == (f"{said_of_a} prints this commit", "")
    assert git(tmp_path, *command.split()[1:]).decode().startswith(f"commit {a.commit}\n")


def test_the_option_wins_over_head(tmp_path):
    """A preview of a branch shows the dates of the branch that the owner names."""
    history = make(tmp_path, became_main())
    check_out(tmp_path, "patch-1")
    published, reached = history.oids[2], history.oids[3]
    assert dates(tmp_path, "a.md")[0].commit == reached
    assert dates(tmp_path, "a.md", branch="main")[0].commit == published


def test_the_option_speaks_of_the_repository_of_the_project_alone(tmp_path):
    """In a submodule, the branch is that of its own HEAD, or nobody's."""
    history = make(tmp_path / "site" / "docs" / "part", became_main())
    make(tmp_path / "site", [Commit(tree=tree(a="own"), parents=[], committed=DAY, authored=0)])
    check_out(tmp_path / "site" / "docs" / "part", "patch-1")
    page = tmp_path / "site" / "docs" / "part" / "docs" / "a.md"
    engine = git_dates(root=tmp_path / "site", branch="main", ci_branch=("main", "CI"))
    engine.start(tmp_path / "site" / "docs")
    assert engine.last_changes([page])[page].commit == history.oids[3]
    engine.close()


def test_a_pull_of_a_branch_that_is_not_built_publishes(tmp_path):
    """Main was fast-forwarded to develop, so what develop had pulled reached main with the pull."""
    commits = pulled("Merge branch 'develop' of github.com:ada/docs into develop")
    history = make(tmp_path, commits)
    check_out(tmp_path, "main")
    assert dates(tmp_path, "a.md")[0].commit == history.oids[1 + 2]
    assert dates(tmp_path, "a.md", branch="develop")[0].commit == history.oids[2]


def test_work_on_a_branch_that_became_main_is_dated_by_the_merge(tmp_path):
    """It stood on a branch for months, and readers saw it with the merge of main into it."""
    history = make(tmp_path, became_main()[:4])
    check_out(tmp_path, "main")
    (b,) = dates(tmp_path, "b.md")
    merge = history.oids[3]
    assert b.commit == merge
    command = f"git diff {merge[:10]}^2 {merge[:10]} -- docs/b.md"
    assert b.note == (
        "this merge brought what was published and this change "
        f"(main is built, says HEAD): `{command}` shows it"
    )
    assert "+new" in git(tmp_path, *command.split()[1:]).decode()


def test_a_shallow_clone_that_does_not_tell_whether_a_branch_is_built(tmp_path):
    """Behind such a merge nothing has a date; the whole history says again and again."""
    commits = became_main()[:4]
    commits[3].message = b"Merge branch 'main' into production"
    again = pulled("Merge branch 'main' into production")[2:]
    again[0].tree, again[0].parents = tree(a="newer", b="old"), [2]
    again[1].tree, again[1].parents = tree(a="newer", b="new"), [3, 4]
    last = Commit(tree=tree(a="newer", b="new", c="c"), parents=[5], committed=8 * DAY, authored=0)
    origin = make(tmp_path / "origin", [*commits, *again, last])
    clone, url = tmp_path / "clone", f"file://{origin.top}"
    git(tmp_path, "clone", "-q", "--depth=3", "--no-checkout", url, clone)
    git(clone, "update-ref", "--no-deref", "HEAD", "HEAD")
    a, c = dates(clone, "a.md", "c.md")
    assert a.reason is GitReason.SHALLOW
    assert c.commit == origin.oids[6]
    git(origin.top, "update-ref", "--no-deref", "HEAD", "HEAD")
    assert dates(origin.top, "a.md")[0].commit == origin.oids[5]


SPELLINGS = [
    ("https://github.com/acme/site.git", "github.com:acme/site", None),
    ("git@github.com:acme/site.git", "https://github.com/acme/site", None),
    ("https://dev.azure.com/acme/p/_git/site", "ssh.dev.azure.com:v3/acme/p/site", None),
    ("https://acme@dev.azure.com/acme/p/_git/site", "https://dev.azure.com/acme/p/_git/site", None),
    ("https://dev.azure.com/acme/p/_git/site", "https://acme.visualstudio.com/p/_git/site", None),
    ("https://git.example.com/scm/acme/site.git", "ssh://git.example.com:7999/acme/site", None),
    ("https://git.example.com/gitlab/acme/site.git", "git.example.com:acme/site", None),
    ("https://git.example.com/a/site", "ssh://git.example.com:29418/site", None),
    ("/srv/mirrors/site.git", "https://github.com/acme/site", "https://github.com/acme/site"),
    ("file:///srv/mirrors/x.git", "https://github.com/acme/site", "https://github.com/acme/site"),
    (None, "https://github.com/acme/site", "https://github.com/acme/site"),
    ("https://x-access-token:t@github.com/acme/site", "github.com:acme/site", None),
    ("https://gitlab.com/acme/group/site.git", "gitlab.com:acme/group/site", None),
    ("ssh://git@ssh.github.com:443/acme/site.git", "https://github.com/acme/site", None),
    ("https://github.com/acme/site.git/", "https://github.com/acme/site", None),
]
OTHER_REPOSITORIES = [
    ("https://github.com/acme/site", "https://github.com/eve/site", None),
    ("https://github.com/acme/site", "https://github.com/acme/site-theme", None),
    ("https://git.example.com/a/site", "https://git.example.com/acme/site", None),
    ("https://github.com/acme/site", "https://github.com/eve/site", "https://github.com/eve/site"),
    ("https://gitlab.com/acme/group/site", "https://gitlab.com/acme/other/site", None),
]


@one_in(4)
@pytest.mark.parametrize(
    ("origin", "subject", "repo_url", "is_own"),
    [*((*each, True) for each in SPELLINGS), *((*each, False) for each in OTHER_REPOSITORIES)],
)
def test_a_repository_by_the_end_of_its_path(tmp_path, origin, subject, repo_url, is_own):
    """By https and by ssh, hosts put other things before the owner; a folder is a copy."""
    make(tmp_path, pulled("Merge"))
    if origin:
        git(tmp_path, "remote", "add", "origin", origin)
    assert is_pull(tmp_path, f"Merge branch 'main' of {subject}", repo_url) is is_own
