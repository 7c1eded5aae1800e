"""The commits that date most pages of a report, and the subjects of all that date one."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import absolute_path, path_from
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates, without_words
from mkdocs_sitemap_plus.generator.options import GitSettings
from mkdocs_sitemap_plus.gitdates import single_commits

_FEWEST, _MOST = 2, 10  # pages of a shown commit, and shown commits
_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^/@]+@)?(?P<host>[^/:@]+)(?::\d+)?/|(?:[^/:@]+@)?(?P<scp>[^/:@]{2,}):)"
    r"(?P<path>[^?#]+?)(?:\.git)?/*"
)
_EDIT = re.compile(
    r"(?P<repository>https?://[^/]+/.+?)/(?:-/)?_?(?:edit|blob|tree|src|ide)(?:/.*)?"
)


class ShownCommit(NamedTuple):
    """A commit that dates several pages, or would if it was not ignored."""

    pages: int
    day: str  # in UTC; empty for one that is ignored
    commit: str
    subject: str
    url: str  # of the commit on its host; empty if that is not known
    size: str  # what git says of it, such as ``2 files changed, 3 insertions(+)``
    wordless: int  # on how many pages it changed no word
    status: str  # ``ignored`` or ``kept``, by the owner's list of ignored commits; else empty

    @property
    def line(self) -> str:
        """The line of the list of ignored commits with which it dates no page."""
        return f"{self.commit}  # {self.day}{': ' * bool(self.subject)}{self.subject}"


def commit_url(repository: str, commit: str) -> str:
    """Return the URL of a commit, by that of its repository; empty if this is no host."""
    found = _REMOTE.fullmatch(repository.strip())
    if not found:
        return ""
    host = (found["host"] or found["scp"]).lower()
    word = "commits" if "bitbucket" in host else "commit"
    return f"https://{host}/{found['path'].strip('/')}/{word}/{commit}"


def repository_url(origin: str, edit_uri: str, repo_url: str) -> str:
    """Return the URL of the repository of a site; empty if none of these is on a host.

    It is that of `origin`, or else where pages are edited: the one that the project names may be
    that of the program that the site is about.
    """
    edited = _EDIT.fullmatch(edit_uri)
    candidates = (origin, edited["repository"] if edited else "", repo_url)
    return next((url for url in candidates if commit_url(url, "")), "")


def shown_commits(
    report: Data, settings: GitSettings, root: Path, edit_uri: str = "", repo_url: str = ""
) -> Sequence[ShownCommit]:
    """Return the commits that date most pages, then those that the owner ignores already.

    `root` is the folder that the paths of the report begin in. The pages of the report get the
    subjects of their commits.
    """
    by_repository: defaultdict[str, list[Data]] = defaultdict(list)
    for page in report["pages"]:
        because = page.get("because", {}).get("lastmod")
        if because and "entry" in page and because.get("commit") and "repository" in because:
            by_repository[because["repository"]].append(because)
    shown: list[ShownCommit] = []
    with git_dates(settings, root) as git:
        for name, dated in by_repository.items():
            top = absolute_path(root / name)
            where = repository_url(single_commits.origin(top), edit_uri, repo_url)
            shown += _of_repository(dated, root, top, where, git.ignored_file(top))
    shown.sort(key=lambda each: -each.pages)
    ignored = [each for each in shown if each.status == "ignored"]
    return [*[each for each in shown if each.status != "ignored"][:_MOST], *ignored[:_MOST]]


def _of_repository(
    dated: Sequence[Data], root: Path, top: Path, where: str, listed: Path
) -> Iterator[ShownCommit]:
    counts = Counter(because["commit"] for because in dated)
    ignored = Counter(
        skipped["what"]
        for because in dated
        for skipped in because.get("skipped", ())
        if single_commits.is_ignored(skipped["what"], listed)
    )
    most = [commit for commit, count in counts.most_common(_MOST) if count >= _FEWEST]
    subjects, sizes = (
        single_commits.subjects(top, [*counts, *ignored]),
        single_commits.sizes(top, most),
    )
    for because in dated:
        because["subject"] = subjects.get(because["commit"], "")
    for commit in most:
        of_commit = [because for because in dated if because["commit"] == commit]
        paths = [path_from(top, absolute_path(root / each.get("path", ""))) for each in of_commit]
        wordless = without_words(top, commit, of_commit[0].get("before", ""), paths)
        yield ShownCommit(
            pages=counts[commit],
            day=of_commit[0].get("when", "")[:10],
            commit=commit,
            subject=subjects.get(commit, ""),
            url=commit_url(where, commit),
            size=sizes.get(commit, ""),
            wordless=sum(path in wordless for path in paths),
            status="kept" if single_commits.is_kept(commit, listed) else "",
        )
    for commit, count in ignored.most_common(_MOST):
        subject, url = subjects.get(commit, ""), commit_url(where, commit)
        yield ShownCommit(count, "", commit, subject, url, "", 0, "ignored")
