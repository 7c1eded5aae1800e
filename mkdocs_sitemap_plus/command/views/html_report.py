"""A report as one HTML file: counts, a plot of the dates, messages, and a table of all pages.

`report.html` is the template. The rows are in the file as JSON, of which a script lays out those
that are looked at: a browser needs half a minute for the elements of 50,000 rows.
"""

import re
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from mkdocs_sitemap_plus.command.checks.rules import Finding
from mkdocs_sitemap_plus.command.reader.client import own_version
from mkdocs_sitemap_plus.command.views.explanation import origin_text, why_undated
from mkdocs_sitemap_plus.files import absolute_path, path_from
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates, without_words
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.gitdates import single_commits
from mkdocs_sitemap_plus.gitdates.query import USUAL_NAME
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key
from mkdocs_sitemap_plus.wording import counted, without_users

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
        origin = page.get("because", {}).get("lastmod")
        if origin and "entry" in page and origin.get("commit") and "repository" in origin:
            by_repository[origin["repository"]].append(origin)
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
    counts = Counter(origin["commit"] for origin in dated)
    ignored = Counter(
        skipped["what"]
        for origin in dated
        for skipped in origin.get("skipped", ())
        if single_commits.is_ignored(skipped["what"], listed)
    )
    most = [commit for commit, count in counts.most_common(_MOST) if count >= _FEWEST]
    subjects = single_commits.subjects(top, [*counts, *ignored])
    sizes = single_commits.sizes(top, most)
    for origin in dated:
        origin["subject"] = subjects.get(origin["commit"], "")
    for commit in most:
        of_commit = [origin for origin in dated if origin["commit"] == commit]
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


_FOLDER = Path(__file__).parent
_MAX_TICKS = 6  # labels below the plot; more would not fit on a phone


def to_html(
    report: Data,
    findings: Iterable[Finding] = (),
    commits: Sequence[ShownCommit] = (),
    ignored_in: str = USUAL_NAME,
) -> bytes:
    """Return the HTML file, in UTF-8. Equal reports give equal bytes.

    `findings` are what `check` found. `commits` are those that date most pages; `ignored_in` is the
    file that lists ignored commits. The Content-Security-Policy of the file allows no other style
    and script than those in it.
    """
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=lambda value: _shown(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"counted": counted, "number": "{:,}".format}
    by_code = [*_by_code(findings)]
    codes: dict[str, dict[str, None]] = {}  # of each URL
    for finding in (finding for _, found in by_code for finding in found):
        codes.setdefault(url_key(finding.loc or ""), {})[finding.code] = None
    rows = [_row(page, report["site"]["docs_dir"], codes) for page in report["pages"]]
    days = [day for row in rows if (day := _day(row[3]))]
    url = without_users(report["site"].get("url", ""))
    text = environment.get_template("report.html").render(
        policy=_policy((_FOLDER / "report.html").read_text("utf-8")),
        title=url.partition("://")[2].rstrip("/") or report["site"]["project_file"],
        report=report,
        version=own_version(),
        statuses=Counter(row[5] for row in rows).most_common(),
        dated=len(days),
        listed=sum("entry" in page for page in report["pages"]),
        plot=_plot(days) if days else None,
        found=by_code,
        commits=commits,
        ignored_in=ignored_in,
        rows=htmlsafe_json_dumps(
            [[*map(_shown, row)] for row in rows], ensure_ascii=False, separators=(",", ":")
        ),
    )
    return text.encode("utf-8", "replace")


def _shown(text: str) -> str:
    """Return a text as the report may show it, before it is escaped.

    No URL in it has a user name or a password. Letters that are not printable or change direction
    are replaced.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    return without_users(text)


def _policy(template: str) -> Markup:
    hashes = {
        name: b64encode(sha256(block.encode()).digest()).decode()
        for name, block in re.findall(r"<(style|script)>(.*?)</", template, re.DOTALL)
    }
    return Markup(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'"
    ).format(**hashes)


def _by_code(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """Return the findings of each code: first the errors, and the most frequent codes first."""
    in_order = sorted(findings, key=lambda found: found.code)
    groups = [(code, [*some]) for code, some in groupby(in_order, lambda found: found.code)]
    return sorted(groups, key=lambda group: (group[1][0].level != "error", -len(group[1])))


def _row(
    page: Data, docs_dir: str, codes: dict[str, dict[str, None]]
) -> tuple[str, str, str, str, str, str, str]:
    """Return name, URL if it can be a link, source, date, its reason, status, and more about it."""
    loc, source, out = page.get("loc", ""), page.get("source", ""), page.get("left_out")
    lastmod = page["entry"].get("lastmod", "") if "entry" in page else ""
    own_paths = (source, f"{docs_dir}/{source}")
    origin = page.get("because", {}).get("lastmod" if lastmod else "undated")
    why = origin_text(origin, own_paths) if origin else why_undated(page)
    if origin and origin.get("subject"):
        why = f"{why} {origin['subject']}"
    if out:
        status, why, detail = f"left out: {out['reason']}", "", out["detail"]
        if detail == out["place"].get("key"):  # the key alone, without the file
            detail = f"{out['place']['origin']}: {origin_text(out['place'], own_paths)}"
    elif lastmod:
        status, detail = f"dated by {origin['origin']}" if origin else "dated", ""
    else:
        status, detail = "undated", ""
    if found := codes.get(url_key(loc)):
        detail = f"{detail} check: {', '.join(found)}".lstrip()
    link = loc if loc.startswith(("https://", "http://")) and origin_url(loc) else ""
    return page.get("title") or source or loc, link, source, lastmod[:10], why, status, detail


def _day(lastmod: str) -> date | None:
    """Return the day in the time zone of the date; None if there is no valid date."""
    try:
        return date.fromisoformat(lastmod[:10])
    except ValueError:
        return None


class _Plot(NamedTuple):
    """The plot of the dates. Lengths across are in percent, so that text keeps its size."""

    title: str
    most: int  # pages of the highest bar
    bars: Sequence[tuple[float, float, float, str, str]]
    """Left, width and height in percent, the label, and how the dates of its pages begin."""
    ticks: Sequence[tuple[float, str, bool]]
    """The left end of a span, its label, and whether the label ends there: that of the newest."""


_Kind = tuple[int, str, Sequence[int], Callable[[date], int], Callable[[int], str]]
_KINDS: Sequence[_Kind] = (
    (62, "day", (1, 2, 7, 14), date.toordinal, lambda n: date.fromordinal(n).isoformat()),
    (
        12 * 366,
        "month",
        (1, 2, 3, 6, 12, 24, 36),
        lambda day: day.year * 12 + day.month - 1,
        lambda n: f"{n // 12:04}-{n % 12 + 1:02}",
    ),
    (4_000_000, "year", (1, 2, 5, 10, 100, 1000, 2000), lambda day: day.year, str),
)
"""For each kind of span: the most days between the first and the last date, its name, the steps
between two labels, and functions for the number of the span of a day, and the label of a number."""


def _plot(days: Sequence[date]) -> _Plot:
    between = (max(days) - min(days)).days
    _, kind, steps, number_of, label_of = next(each for each in _KINDS if between <= each[0])
    counts = Counter(map(number_of, days))
    oldest, newest = min(counts), max(counts)
    count = max(newest - oldest + 1, 12)  # a single bar is not as wide as the window
    first = max(newest - count + 1, 1)
    most = max(counts.values())
    step = next((step for step in steps if count <= step * _MAX_TICKS), steps[-1])
    bars = [
        (
            round(100 * (number - first) / count, 3),
            round(85 / count, 3),
            round(100 * counts[number] / most, 2),
            f"{label_of(number)}: {counted(counts[number], 'page')}",
            label_of(number),
        )
        for number in sorted(counts)
    ]
    begin = first + -first % step if kind != "day" else first
    ticks = [
        (round(100 * (number - first) / count, 3), label_of(number), False)
        for number in range(begin, first + count, step)
        if 100 * (number - first) / count <= 68  # the last label begins behind this one
    ]
    ticks.append((100, label_of(newest), True))
    title = f"Pages by the {kind} of their last change, {label_of(oldest)} to {label_of(newest)}"
    return _Plot(title, most, bars, ticks)
