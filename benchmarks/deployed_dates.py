"""Which dates of a real site are true: its own deployments are the judge.

Many projects publish by a branch `gh-pages`, and each of its commits names the commit that was
built: "Deployed 76e5e33d with MkDocs version: 1.6.1", "Deployed 76e5e33d to dev with mike",
"deploy: 76e5e33d", "Deploy website - based on 76e5e33d". So it is known what readers saw, and since
when. Nobody made this for a benchmark, and no rule about merges is in it.

**What is true.** The text of a page is the content of its source file. Going back from the newest
deployment, it came with the first one since which every one had this text, at this path or, where
the file was moved and not changed, at its former one. This deployment *brought* the text. The one
before it did not have it, so the branch did not have it at the commit that this one was built from.
A date is

* too new, if it is more than a day later than the deployment that brought the text;
* too old, if it is more than a day earlier than the *commit* of the deployment before (and not than
  that deployment itself: who deploys by hand may deploy what is a month old);
* "moved", if it is too new for the text, but is that of a move of the file;
* else true, as far as the deployments can tell.

A page whose text is there since the first known deployment is not judged. Left out are deployments
of commits that the clone lacks, and of commits that are not in the history of the newest one: they
were built from another branch, such as a preview or an old version, of which the history of this
branch knows nothing. `--every-branch` keeps these.

**What it can't know.** Deployments that are weeks apart prove little. A text that was changed and
changed back between two deployments, and one that was deployed before it was merged, look like
wrong dates. `--explain` lists each date of this plugin that is called wrong, with its commit and
both deployments.

Judged are this plugin's engine, with `change` as `content` (its default) and `any`; git itself; the
own code of mkdocs-git-revision-date-localized-plugin, if it is installed; and the commands of Hugo
(bep/gitmap: author's date, newest first, without merges) and of Docusaurus 4 (committer's date,
eager; Docusaurus 3 runs `git log -1`). All see what a CI has that builds this branch on the day of
the newest deployment: the whole history, and no other branch.

Run it as ``python benchmarks/deployed_dates.py CLONE [--branch main]``. CLONE has both branches,
and is not changed; its remote ``origin`` has the URL of the repository. With ``--states 5``, the
site is judged as it was at five of its deployments, and the figures are added up.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from histories import GIT

from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDates

DAY = 24 * 60 * 60
PAGES = (".md", ".mdx", ".rst")
DEPLOYED = r"(?i)\b(?:deploy\w*|website|site|pages|build)\b.*?\b(?P<commit>[0-9a-f]{7,40})\b"
"""The subject of a deployment. Other subjects may name a commit for another reason."""

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
TRUE, OLD, NEW, MOVED, NONE = VERDICTS = ("true", "too old", "too new", "moved", "no date")
OURS, LOCALIZED = "this plugin", "git-revision-date-localized"
Dates = dict[str, float]
"""Seconds since 1970 by path; without those that have no date."""


class Deployment(NamedTuple):
    """One commit of `gh-pages`: what was built, when that was committed, and when it was online."""

    commit: str
    committed: float
    online: float

    def __str__(self) -> str:
        return f"{self.commit[:10]} of {shown(self.committed)}, deployed {shown(self.online)}"


class Bounds(NamedTuple):
    """A deployment without a text, or without a file at its path, and the next, which has it."""

    without: Deployment
    brought: Deployment

    def distance(self, date: float) -> float:
        """How many seconds a date is too early (below 0) or too late (above 0)."""
        return min(date - self.without.committed, 0) or max(date - self.brought.online, 0)


class Page(NamedTuple):
    """What the deployments know of a page: when its text came, and when its file was moved."""

    text: Bounds
    moves: list[Bounds]

    def verdict(self, date: float | None) -> str:
        """One of the verdicts."""
        if date is None:
            return NONE
        distance = self.text.distance(date)
        if abs(distance) <= DAY:
            return TRUE
        if distance < 0:
            return OLD
        return MOVED if any(abs(each.distance(date)) <= DAY for each in self.moves) else NEW


def main() -> None:
    """Judge one repository."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("--branch", help="the branch that is built; HEAD's, if it is not given")
    parser.add_argument("--pages-branch", default="gh-pages", help="the branch of the deployments")
    parser.add_argument("--page-prefix", default=".", help="the folder of the site in it")
    parser.add_argument("--docs", help="the folder of the pages; else as mkdocs.yml says, or docs")
    parser.add_argument("--message", default=DEPLOYED, help="regular expression of deployments")
    parser.add_argument("--every-branch", action="store_true", help="keep those of other branches")
    parser.add_argument("--states", type=int, default=1, help="how many states of the site")
    parser.add_argument("--only", default="", help="regular expression of the tools that are asked")
    parser.add_argument("--explain", action="store_true", help="list each wrong date of ours")
    given = parser.parse_args()
    branch = given.branch or git(given.clone, "symbolic-ref", "--short", "HEAD")
    url = git(given.clone, "config", "--get", "remote.origin.url")
    name = re.sub(r".*[:/]([^/]+/[^/]+?)(\.git)?$", r"\1", url)
    deployed = list(deployments(given.clone, given.pages_branch, given.page_prefix, given.message))
    if not given.every_branch:
        deployed = of_one_branch(given.clone, deployed)
    if len(deployed) < 2:
        sys.exit(f"{given.clone}: {len(deployed)} deployments, and it takes two")
    ends = {len(deployed) * (part + 1) // given.states for part in range(given.states)}
    verdicts: dict[str, Counter[str]] = {}
    for end in sorted(ends):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder).resolve() / "clone"
            check_out(given.clone, top, branch, deployed[end - 1].commit, url)
            docs = given.docs or docs_folder(top)
            pages = dict(judged(given.clone, deployed[:end], docs))
            for tool, dates_of in tools(top, docs, given.only).items():
                found = dates_of(pages)
                counts = Counter(page.verdict(found.get(path)) for path, page in pages.items())
                verdicts.setdefault(tool, Counter()).update(counts)
            if given.explain:
                explain(top, docs, pages)
    print_table(name, deployed, verdicts)


# The judge


def deployments(clone: Path, branch: str, prefix: str, message: str) -> Iterator[Deployment]:
    """The deployments whose commit the clone has, oldest first; each commit once."""
    names = [f"refs/heads/{branch}", f"refs/remotes/origin/{branch}"]
    there = git(clone, "for-each-ref", "--format=%(refname)", *names).split()
    if not there:
        sys.exit(f"{clone}: there is no branch {branch}")
    log = ("log", "--first-parent", "--reverse", "--format=%ct %s", there[0], "--", prefix)
    lines = (line.partition(" ") for line in git(clone, *log).split("\n"))
    named = [(when, found["commit"]) for when, _, s in lines if (found := re.search(message, s))]
    asked = "".join(f"{commit}^{{commit}}\n" for _, commit in named)
    answers = git(clone, "cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=asked)
    kinds = (answer.split() for answer in answers.split("\n") if answer)
    known = [
        (int(when), commit)
        for (when, _), (kind, commit, *_) in zip(named, kinds, strict=True)
        if kind == "commit"
    ]
    if missing := len(named) - len(known):
        print(f"{missing} deployments name a commit that is not here", file=sys.stderr)
    asked = "\n".join(commit for _, commit in known)
    times = git(clone, "log", "--no-walk", "--stdin", "--format=%H %ct", stdin=asked)
    committed = dict(line.split() for line in times.split("\n"))
    before = None
    for when, commit in known:
        if commit != before:
            yield Deployment(commit, int(committed[commit]), when)
        before = commit


def of_one_branch(clone: Path, deployed: list[Deployment]) -> list[Deployment]:
    """The deployments of commits that the newest one's history holds."""
    held = set(git(clone, "rev-list", deployed[-1].commit).split()) if deployed else set()
    kept = [each for each in deployed if each.commit in held]
    if others := len(deployed) - len(kept):
        print(f"{others} deployments of other branches are left out", file=sys.stderr)
    return kept


def judged(clone: Path, deployed: list[Deployment], docs: str) -> Iterator[tuple[str, Page]]:
    """The pages of the newest deployment whose text is newer than the first one, by path."""
    after = tree(clone, deployed[-1].commit)
    inside = "" if docs == "." else f"{docs}/"
    now = {path: path for path in after if path.startswith(inside) and path.endswith(PAGES)}
    moves: dict[str, list[Bounds]] = {page: [] for page in now}
    for without, brought in zip(deployed[-2::-1], deployed[:0:-1], strict=True):
        before = tree(clone, without.commit)
        bounds = Bounds(without, brought)
        gone: dict[str, list[str]] = {EMPTY: []}
        for path in sorted(before.keys() - after.keys()):
            if before[path] != EMPTY:
                gone.setdefault(before[path], []).append(path)
        for page, path in list(now.items()):
            if before.get(path) == after[path]:
                continue
            former = [] if path in before else gone.get(after[path], [])
            if not former:
                del now[page]
                yield page, Page(bounds, moves[page])
                continue
            same_name = (old for old in former if Path(old).name == Path(path).name)
            now[page] = next(same_name, former[0])
            moves[page].append(bounds)
        after = before


def tree(top: Path, commit: str) -> dict[str, str]:
    """The ids of the contents of all files at a commit, by path."""
    entries = git(top, "ls-tree", "-r", "-z", "--full-tree", commit).strip("\0").split("\0")
    parts = (entry.partition("\t") for entry in entries)
    return {path: mode_and_id.split()[2] for mode_and_id, _, path in parts}


# The judged


def check_out(clone: Path, top: Path, branch: str, commit: str, url: str) -> None:
    """Make what a CI has that builds this branch at this commit, with the objects of a clone."""
    objects = Path(clone, git(clone, "rev-parse", "--git-path", "objects")).resolve()
    git(top.parent, "init", "-q", "-b", branch, str(top))
    (top / ".git/objects/info/alternates").write_text(f"{objects}\n")
    git(top, "remote", "add", "origin", url)
    git(top, "update-ref", f"refs/remotes/origin/{branch}", commit)
    git(top, "reset", "-q", commit)
    git(top, "branch", "-q", f"--set-upstream-to=origin/{branch}")
    texts = "\0".join(path for path in tree(clone, commit) if path.endswith(PAGES))
    git(top, "checkout-index", "-f", "-z", "--stdin", stdin=texts)  # a copy may lack large files
    git(top, "commit-graph", "write", "--reachable", "--changed-paths")  # git is asked a lot


def docs_folder(top: Path) -> str:
    """The folder of the pages, as the settings of the site say."""
    settings = ("mkdocs.yml", "mkdocs.yaml", "zensical.toml")
    for name in git(top, "ls-tree", "--name-only", "HEAD", *settings).split():
        text = git(top, "show", f"HEAD:{name}")
        if named := re.search(r"^docs_dir\s*[:=]\s*[\"']?([^\"'\s#]+)", text, re.MULTILINE):
            return named[1].strip("/").removeprefix("./")
    return "docs"


def tools(top: Path, docs: str, only: str) -> dict[str, Callable[[dict[str, Page]], Dates]]:
    """The functions that date pages, by the names of the tools."""
    log = ("log", "-1", "--format=%ct")
    found: dict[str, Callable[[dict[str, Page]], Dates]] = {
        OURS: partial(ours, top, docs, GitChange.CONTENT),
        f"{OURS}, change: any": partial(ours, top, docs, GitChange.ANY),
        "git log -1 --first-parent": partial(one_by_one, top, (*log, "--first-parent")),
        "git log -1, Docusaurus 3": partial(one_by_one, top, log),
        LOCALIZED: partial(localized, top),
        "Hugo": partial(hugo, top),
        "Docusaurus 4": partial(docusaurus, top),
    }
    if not find_spec("mkdocs_git_revision_date_localized_plugin"):
        del found[LOCALIZED]
    return {name: function for name, function in found.items() if re.search(only, name)}


def ours(top: Path, docs: str, change: GitChange, pages: dict[str, Page]) -> Dates:
    """The dates of this plugin."""
    return {path: found.when.timestamp() for path, found in changes(top, docs, change, pages)}


def changes(
    top: Path, docs: str, change: GitChange, pages: dict[str, Page]
) -> Iterator[tuple[str, Change]]:
    """The commits by which this plugin dates pages."""
    with GitDates(top / docs, change=change) as dates:
        found = dates.changes([top / path for path in pages])
    yield from ((str(page.relative_to(top)), each) for page, each in found.items())


def one_by_one(top: Path, command: tuple[str, ...], pages: dict[str, Page]) -> Dates:
    """The dates of one command a page."""
    printed = {path: git(top, *command, "--", path) for path in pages}
    return {path: int(date) for path, date in printed.items() if date}


def localized(top: Path, pages: dict[str, Page]) -> Dates:
    """The dates of git-revision-date-localized, with its default options."""
    from mkdocs_git_revision_date_localized_plugin.util import Util  # noqa: PLC0415 - may be absent

    util = Util({"enable_git_follow": True, "fallback_to_build_date": False}, str(top))
    return {path: util.get_git_commit_timestamp(str(top / path))[1] for path in pages}


def hugo(top: Path, pages: dict[str, Page]) -> Dates:
    """The dates of Hugo: of the first commit in the log that names a file, by its author."""
    log = ("-c", "diff.renames=0", "log", "--name-only", "--no-merges", "--format=format:%x1e%at")
    dates: Dates = {}
    for entry in git(top, *log).split("\x1e")[1:]:
        date, *names = entry.strip("\n").split("\n")
        for name in names:
            dates.setdefault(name, int(date))
    return {path: dates[path] for path in pages if path in dates}


def docusaurus(top: Path, pages: dict[str, Page]) -> Dates:
    """The dates of Docusaurus 4: the latest of the commits in the log that name a file."""
    dates: Dates = {}
    date = 0
    for line in git(top, "log", "--format=t:%ct", "--name-status").split("\n"):
        if line.startswith("t:"):
            date = int(line[2:])
        elif "\t" in line:
            name = line.rpartition("\t")[2]
            dates[name] = max(date, dates.get(name, 0))
    return {path: dates[path] for path in pages if path in dates}


def git(top: Path, *arguments: str, stdin: str = "") -> str:
    """What git prints."""
    done = subprocess.run(
        ["git", "-C", top, *arguments],
        env=GIT,
        input=stdin.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "surrogateescape").strip("\n")


# What is printed


def print_table(name: str, deployed: list[Deployment], verdicts: dict[str, Counter[str]]) -> None:
    """A row for each tool."""
    first, last = (datetime.fromtimestamp(deployed[at].online, UTC).date() for at in (0, -1))
    proved = max(counts.total() for counts in verdicts.values())
    print(f"{name}: {len(deployed)} deployments from {first} to {last} prove {proved} dates\n")
    print(f"| | {' | '.join(VERDICTS)} |\n|---|{'--:|' * len(VERDICTS)}")
    for tool, counts in verdicts.items():
        print(f"| {tool} | {' | '.join(str(counts[verdict]) for verdict in VERDICTS)} |")


def explain(top: Path, docs: str, pages: dict[str, Page]) -> None:
    """Each date of this plugin that is not true: by which commit, between which deployments."""
    for change in (GitChange.CONTENT, GitChange.ANY):
        for path, found in changes(top, docs, change, pages):
            page, date = pages[path], found.when.timestamp()
            if (verdict := page.verdict(date)) == TRUE:
                continue
            days = page.text.distance(date) / DAY
            subject = git(top, "log", "-1", "--format=%s", found.commit)
            print(f"{path}, change: {change}: {verdict}, {days:+.1f} days")
            print(f"    dated   {found.commit[:10]} of {shown(date)}: {subject}")
            print(f"    without {page.text.without}\n    brought {page.text.brought}\n")


def shown(date: float) -> str:
    """A time, for people."""
    return f"{datetime.fromtimestamp(date, UTC):%Y-%m-%d %H:%M}"


if __name__ == "__main__":
    main()
