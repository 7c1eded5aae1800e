"""Write the history of the sample site as a text that `git fast-import` reads.

Usage: python scripts/make_sample_history.py

The history ends with the files of ``sample_site`` as they are, so run this after each change of
them. `COMMITS` says what each file was before each commit, and the rest follows. The script also
writes ``sample_site/.git-blame-ignore-revs``, which names the commit that formats the pages.
"""

import subprocess
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory

SAMPLE = Path(__file__).parents[1] / "sample_site"
HISTORY = SAMPLE / "history.fast-import"
REVS = ".git-blame-ignore-revs"
FIRST = """\
feature date-format=rfc2822
# The history of this site for `git fast-import`, written by scripts/make_sample_history.py.
"""

ANN = "Ann Larsen <ann@lighthouse.example>"
BEN = "Ben Okafor <ben@lighthouse.example>"
MIRA = "Mira Vogel <mira@lighthouse.example>"

Before = str | list[tuple[str, str]] | None
"""What a file was before a commit: its whole text; pairs of a text now and then; or not there."""


@dataclass(frozen=True)
class Commit:
    """A commit, told backwards.

    Attributes:
        when: the time of the commit, with its offset from UTC.
        before: what the commit changes, by path: how it was before.
        renamed: the old path by the new one.
        authored: the time at which the author wrote it, if that was earlier.
        branch: whether it is on a branch, which the next merge brings to the main branch.
        merge: whether it is this merge.
        tag: its name, if it is a release.
    """

    when: str
    who: str
    subject: str
    before: dict[str, Before] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    authored: str = ""
    branch: bool = False
    merge: bool = False
    tag: str = ""


FORMATS = "Format all pages"
MKDOCS_YML = "site_name: Lighthouse\nsite_url: https://lighthouse.example/docs/\n"
LAMPS = """\
# Lamps

A lamp stands for one service. It is green while the service answers, and red when it does not.

The name of a lamp is what `lighthouse watch` prints beside its colour.
"""

# fmt: off
COMMITS = [  # the oldest first
    Commit("2024-02-12T18:20:41+01:00", ANN, "Begin the documentation", dict.fromkeys((
        ".gitignore", "mkdocs.yml", "docs/index.md", "docs/install.md",
        "docs/guide/index.md", "docs/guide/lamps.md", "docs/guide/start.md",
    ))),
    Commit("2024-05-03T09:51:07+02:00", ANN, "List the commands, the settings and the exit codes", {
        "docs/index.md": [("- [Look up a command](reference/command.md).\n", "")],
        "docs/guide/start.md": [
            (" The limit is one of the [settings](../reference/configuration.md).", ""),
        ],
        "docs/reference/index.md": None,
        "docs/reference/command.md": None,
        "docs/reference/configuration.md": None,
        "docs/reference/exit-codes.md": None,
    }),
    Commit("2024-09-19T21:03:55+01:00", BEN, "Thank those who write to us", {
        "docs/thanks.md": None,
    }),
    Commit("2024-11-29T14:37:19+01:00", MIRA, "Say where the name comes from", {
        "docs/guide/index.md": [("3. [Über Lighthouse](über.md)\n", "")],
        "docs/guide/über.md": None,
    }),
    Commit("2025-03-27T11:05:30+00:00", BEN, "Show what a green lamp looks like", {
        "docs/guide/start.md": [
            ("Then start the watch:", "Then start the watch with `lighthouse watch`."),
            ("\n```console\n$ lighthouse watch\nshop  green\n```\n", ""),
        ],
    }),
    Commit("2025-06-17T16:44:02+02:00", ANN, "Convert the settings of version 1", {
        "docs/guide/from-version-1.md": None,
        "docs/guide/index.md": [("3. [From version 1](from-version-1.md)\n4. ", "3. ")],
        "docs/reference/command.md": [
            ("| `lighthouse convert FILE` | writes the settings of version 1 as", ""),
            (" `lighthouse.toml` |\n", ""),
        ],
    }),
    Commit("2025-08-05T10:18:26+02:00", MIRA, "Exit with 2 if the settings can't be read", {
        "docs/guide/from-version-1.md": [
            (" What has changed is the [exit codes](../reference/exit-codes.md).", ""),
        ],
        "docs/reference/exit-codes.md": [("| 2 | `lighthouse.toml` can't be read |\n", "")],
    }),
    Commit("2025-10-14T19:29:48+01:00", BEN, "Name the first page of the guide after its title", {
        "docs/index.md": [("guide/first-lamp.md", "guide/start.md")],
        "docs/install.md": [("guide/first-lamp.md", "guide/start.md")],
        "docs/guide/index.md": [("(first-lamp.md)", "(start.md)")],
    }, renamed={"docs/guide/first-lamp.md": "docs/guide/start.md"}),
    Commit("2025-11-06T15:12:33+01:00", MIRA, "Put the guide on one page, for printing", {
        "mkdocs.yml": MKDOCS_YML,
        "docs/all-on-one-page.md": None,
        "overrides/main.html": None,
    }),
    Commit("2025-12-04T08:40:15+01:00", ANN, "Say what a release needs, where to report a hole", {
        "docs/internal/release-checklist.md": None,
        "docs/internal/security.md": None,
    }),
    Commit("2026-01-22T17:26:59+01:00", MIRA, "List the limit among the settings", {
        "docs/reference/configuration.md": [
            ("| `limit` | `5s` | how long an answer may take |\n", ""),
        ],
    }),
    Commit("2026-02-03T10:00:00+00:00", BEN, "Install Lighthouse as one file", {
        "docs/install.md": [
            ("---\nchangefreq: monthly\npriority: 0.9\n---\n\n", ""),
            ("Lighthouse is one file. Put it on the path, and make it executable:", "Run:"),
            ("$ install lighthouse /usr/local/bin/\n", "$ sudo ./setup.sh\n"),
            ("lighthouse 2.3\n", "lighthouse 2.2\n"),
        ],
    }, authored="2026-02-01T09:00:00+00:00", branch=True),
    Commit("2026-02-11T13:33:20+01:00", ANN, FORMATS, {
        "docs/index.md": [("red when it does\nnot.", "red when it does not.")],
        "docs/guide/first-lamp.md": [("is one of the\n[settings]", "is one of the [settings]")],
        "docs/guide/über.md": [("and so did the\nletter", "and so did the letter")],
        "docs/reference/command.md": [("| --- | --- |", "|---|---|")],
        "docs/reference/configuration.md": [("| --- | --- | --- |", "|---|---|---|")],
        "docs/reference/exit-codes.md": [("| --- | --- |", "|---|---|")],
    }),
    Commit("2026-02-11T13:41:02+01:00", ANN, "Ignore the formatting in `git blame`", {REVS: None}),
    Commit("2026-03-16T10:57:44+01:00", ANN, "Write a sitemap with the dates of the pages", {
        "mkdocs.yml": f"{MKDOCS_YML}\ntheme:\n  name: mkdocs\n  custom_dir: overrides\n",
        "docs/thanks.md": [("---\nsitemap: false\n---\n\n", "")],
        "docs/guide/from-version-1.md": [("---\nsitemap:\n  lastmod: 2026-03-14\n---\n\n", "")],
    }),
    Commit("2026-05-19T18:40:31+02:00", MIRA, "Use plainer words", {
        "docs/index.md": [("It is a single program", "It is a self-contained binary")],
        "docs/guide/from-version-1.md": [("in place of", "as the successor of")],
    }),
    Commit("2026-05-20T12:00:00+02:00", ANN, "Merge pull request #31 from ben/one-file",
           merge=True, tag="v2.3"),
    Commit("2026-07-14T22:08:37+01:00", BEN, "Replace the page on lamps by one on alerts", {
        "mkdocs.yml": [("guide/alerts.md", "guide/lamps.md")],
        "docs/all-on-one-page.md": [
            ("## Alerts", "## Lamps"),
            ("Say who is told when a lamp turns red, as in", "Give each service a lamp, as in"),
            ("[Alerts](guide/alerts.md)", "[Lamps](guide/lamps.md)"),
        ],
        "docs/guide/index.md": [("[Alerts](alerts.md)", "[Lamps](lamps.md)")],
        "docs/guide/alerts.md": None,
        "docs/guide/lamps.md": LAMPS,
    }),
    Commit("2026-09-02T10:14:05+02:00", ANN, "Say that Lighthouse needs no database", {
        "docs/index.md": [(" without a database.", ".")],
    }),
]
# fmt: on


def undone(path: str, now: str | None, before: Before) -> str | None:
    """Return the text of a file before a change; None if it was not there."""
    if not isinstance(before, list):
        return before
    assert now is not None, path
    for text, earlier in before:
        if now.count(text) != 1:
            raise SystemExit(f"{path} must have this once, as COMMITS says: {text!r}")
        now = now.replace(text, earlier)
    return now


def changes(files: dict[str, str]) -> list[dict[str, str | None]]:
    """Return what each commit changes, so that the last one leaves `files`.

    A path has its text after the commit, or None if the commit removes it.
    """
    files, found = dict(files), []
    for commit in reversed(COMMITS):
        after: dict[str, str | None] = {path: files.pop(path, None) for path in commit.before}
        for path, before in commit.before.items():
            earlier = undone(path, after[path], before)
            if earlier is not None:
                files[path] = earlier
        for new, old in commit.renamed.items():
            files[old] = files.pop(new)
        found.append(after)
    if files:
        raise SystemExit(f"No commit adds {', '.join(sorted(files))}.")
    return found[::-1]


def data(text: str) -> str:
    """Return a text between marks, so that nobody has to count its bytes."""
    assert text.endswith("\n"), text
    assert "\nEND\n" not in f"\n{text}", text
    return f"data <<END\n{text}END\n"


def written(commit: Commit, mark: int, parents: list[int], after: dict[str, str | None]) -> str:
    """Return the commands that make a commit."""
    authored, committed = (
        format_datetime(datetime.fromisoformat(when))
        for when in (commit.authored or commit.when, commit.when)
    )
    lines = [
        f"commit refs/heads/main\nmark :{mark}\n",
        f"author {commit.who} {authored}\ncommitter {commit.who} {committed}\n",
        data(f"{commit.subject}\n"),
        *(f"{word} :{it}\n" for word, it in zip(("from", "merge"), parents, strict=False) if it),
        *(f"R {old} {new}\n" for new, old in sorted(commit.renamed.items())),
    ]
    for path, text in sorted(after.items()):
        lines.append(f"D {path}\n" if text is None else f"M 100644 inline {path}\n{data(text)}")
    if commit.tag:
        lines.append(f"reset refs/tags/{commit.tag}\nfrom :{mark}\n")
    return "".join(lines)


def history(files: dict[str, str]) -> str:
    """Return the whole text, for these files by path."""
    main = branch = 0
    on_branch: dict[str, str | None] = {}
    texts: list[str] = []
    for mark, (commit, after) in enumerate(zip(COMMITS, changes(files), strict=True), 1):
        if commit.branch:
            on_branch |= after
            texts.append(written(commit, mark, [branch or main], after))
            branch = mark
        else:
            # What a branch changes, nobody changes on the main branch until the merge.
            merged = on_branch if commit.merge else {}
            parents = [main, branch] if commit.merge else [main]
            texts.append(written(commit, mark, parents, after | merged))
            main = mark
    return FIRST + "\n".join(texts)


def sample_files() -> dict[str, str]:
    """Return the texts of the sample site by path."""
    paths = (path for path in SAMPLE.rglob("*") if path.is_file() and path != HISTORY)
    found = {path.relative_to(SAMPLE).as_posix(): path.read_text("utf-8") for path in paths}
    return {name: text for name, text in found.items() if not name.startswith("site/")}


def id_of(subject: str, text: str) -> str:
    """Return the id of the commit with this subject in a history."""
    with TemporaryDirectory() as folder:
        git = ("git", "-C", folder)
        subprocess.run([*git, "init", "-q", "--object-format=sha1"], check=True)
        subprocess.run([*git, "fast-import", "--quiet"], check=True, input=text.encode())
        command = [*git, "rev-list", f"--grep=^{subject}$", "main"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sample = sample_files()
    # A later commit adds the file, so what it says does not change the id.
    sample.setdefault(REVS, "\n")
    sample[REVS] = f"# {FORMATS}\n{id_of(FORMATS, history(sample))}\n"
    (SAMPLE / REVS).write_text(sample[REVS], "utf-8", newline="\n")
    HISTORY.write_text(history(sample), "utf-8", newline="\n")
