"""Which tool puts the right day into the sitemap: this plugin and six others, on real builds.

Each history of ``histories.py``, and each clone that is named, is built with

* this plugin, with its default options and those that a history names;
* ``git-revision-date-localized`` and ``document-dates``, each with a sitemap template that shows
  its date, as their documentation says;
* MkDocs alone;
* Hugo with ``enableGitInfo``, VitePress with ``lastUpdated``, and the function of Docusaurus that
  gives its sitemap the date of a page.

Then the sitemap that came out is read. A day, in UTC, is right, wrong or absent. The judge of the
histories is the day that stands beside each of them. That of the clones is `judged` below, which
asks git for one page after the other. Of a clone, Hugo and VitePress build pages
with its names and no text, since they could not read all of the text; their dates come from git.

Run it as ``python benchmarks/true_dates.py [--tools FOLDER] [--markdown] [CLONE[:DOCS] …]``, with
mkdocs-git-revision-date-localized-plugin, mkdocs-document-dates and mkdocs-gen-files installed. In
the folder of ``--tools``, ``npm install vitepress @docusaurus/core @docusaurus/preset-classic
react react-dom`` was run. What is not installed is left out.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

from histories import GENERATED, GIT, HISTORIES, OWNER, History

URL = "https://lighthouse.example/"
OURS, LOCALIZED, DOCUMENT = "this plugin", "git-revision-date-localized", "document-dates"
MKDOCS, HUGO, DOCUSAURUS, VITEPRESS = "MkDocs alone", "Hugo", "Docusaurus", "VitePress"
RIGHT, WRONG, ABSENT, FAILED, NOT_ASKED = "right", "wrong", "absent", "build fails", ""
MARKS = {RIGHT: "✓", WRONG: "✗", ABSENT: "-", FAILED: "stops", NOT_ASKED: ""}
TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{%- for file in pages if file.page.canonical_url %}
  <url>
    <loc>{{ file.page.canonical_url|e }}</loc>
    {%- if DATE %}
    <lastmod>{{ DATE }}</lastmod>
    {%- endif %}
  </url>
{%- endfor %}
</urlset>
"""
DATES = {
    LOCALIZED: "file.page.meta.git_revision_date_localized_raw_iso_date",
    DOCUMENT: "file.page.meta.document_dates.dates.updated",
}
VITEPRESS_CONFIG = """
export default {
  lastUpdated: true, ignoreDeadLinks: true, sitemap: {hostname: '%s'}, srcDir: '%s',
}
"""
DOCUSAURUS_SCRIPT = """
const {readLastUpdateData, getVcsPreset, DEFAULT_PARSE_FRONT_MATTER} = require('@docusaurus/utils');
const {readFileSync} = require('fs'), {join, resolve} = require('path');
const vcs = getVcsPreset('default-v1'), pages = JSON.parse(readFileSync(0, 'utf8'));
const date = async (page) => {
  const filePath = resolve(process.argv[1], page);
  const fileContent = readFileSync(filePath, 'utf8');
  const {frontMatter} = await DEFAULT_PARSE_FRONT_MATTER({filePath, fileContent});
  const options = {showLastUpdateTime: true};
  const found = await readLastUpdateData(filePath, options, frontMatter.last_update, vcs);
  return found.lastUpdatedAt ? new Date(found.lastUpdatedAt).toISOString() : null;
};
(async () => {
  const dates = {};
  for (const page of pages) dates[page] = await date(page);
  console.log(JSON.stringify(dates));
})();
"""
HUGO_CONFIG = """
baseURL = "%s"
contentDir = "%s"
enableGitInfo = true
disableKinds = ["taxonomy", "term", "RSS"]
[frontmatter]
lastmod = ["lastmod", ":git"]
"""
Found = dict[str, str | None]
"""What a sitemap says: the date by the path of the URL, without slashes and `.html`."""


class Site(NamedTuple):
    """What is to be built: the top of a work tree, its docs, and whether its text is a clone's."""

    top: Path
    docs: str = "docs"
    repository: str = OWNER
    cloned: bool = False


def main() -> None:
    """Build everything, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clones", nargs="*", help="work trees with their whole history")
    parser.add_argument("--tools", type=Path, help="where VitePress and Docusaurus are installed")
    parser.add_argument("--markdown", action="store_true", help="print the tables of the docs")
    parser.add_argument("--only", help="histories whose name has this text")
    given = parser.parse_args()
    tools = installed(given.tools)
    print(f"with {', '.join(tools)}; on {datetime.now(UTC):%Y-%m-%d}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=given.tools) as folder:
        work = Path(folder)
        chosen = [history for history in HISTORIES if not given.only or given.only in history.name]
        if chosen:
            of_histories = compare_histories(chosen, tools, work)
            print_histories(chosen, of_histories, markdown=given.markdown)
        for clone in given.clones:
            path, _, docs = clone.partition(":")
            name, counts = compare_clone(Path(path), docs or "docs", tools, work)
            print_clone(name, counts)


def installed(tools: Path | None) -> list[str]:
    """The tools that are here."""
    there = {
        OURS: True,
        LOCALIZED: find_spec("mkdocs_git_revision_date_localized_plugin"),
        DOCUMENT: find_spec("mkdocs_document_dates"),
        MKDOCS: True,
        HUGO: shutil.which("hugo"),
        DOCUSAURUS: tools and (tools / "node_modules/.bin/docusaurus").exists(),
        VITEPRESS: tools and (tools / "node_modules/.bin/vitepress").exists(),
    }
    return [name for name, found in there.items() if found]


# Histories


def compare_histories(
    histories: list[History], tools: list[str], work: Path
) -> dict[str, dict[str, tuple[str, str]]]:
    """A verdict and the day that was written, by history and tool."""
    folders = {history.name: work / re.sub(r"\W+", "-", history.name) for history in histories}
    for history in histories:
        history.make(folders[history.name])
    table: dict[str, dict[str, tuple[str, str]]] = {history.name: {} for history in histories}
    asked = [history for history in histories if not history.mkdocs_only]
    together = {}
    if VITEPRESS in tools:  # one build of all, since each takes it seconds
        for history in asked:
            folder = folders[history.name]
            copied = work / "vitepress" / "pages" / folder.name
            shutil.copytree(folder / "site", copied, symlinks=True, dirs_exist_ok=True)
        together = with_vitepress(work / "vitepress", "pages")
    for history in histories:
        folder = folders[history.name]
        page = key_of(Path(history.page).relative_to("docs").as_posix())
        for tool in tools:
            if history.mkdocs_only and tool not in WITH_MKDOCS:
                continue
            if tool == VITEPRESS:
                page = f"{folder.name}/{key_of(history.page)}"
                found = together
            else:
                found = of_history(tool, history, folder / "site", work)
            table[history.name][tool] = verdict(history.day, found, page)
    return table


def of_history(tool: str, history: History, top: Path, work: Path) -> Found | None:
    """The dates that one tool has for one history."""
    if tool == DOCUSAURUS:
        found = with_docusaurus(work, top, [history.page])
        return found and {
            key_of(Path(page).relative_to("docs").as_posix()): found[page] for page in found
        }
    if tool == HUGO:
        return with_hugo(Site(top), work / "built")
    also = GENERATED if history.mkdocs_only else {}
    return with_mkdocs(tool, Site(top), work / "built", history.options.get(tool, {}), also)


def verdict(day: str | None, found: Found | None, page: str) -> tuple[str, str]:
    """Whether the day of a page is the one that it should have, and the day."""
    if found is None:
        return FAILED, ""
    if page not in found and page.lower() not in found:
        raise SystemExit(f"{page} is not among {sorted(found)}")
    shown = day_of(found.get(page, found.get(page.lower())))
    if shown == day:
        return RIGHT, shown or "no date"
    return (WRONG, shown) if shown else (ABSENT, "")


def day_of(lastmod: str | None) -> str | None:
    """The day of a date, in UTC."""
    if not lastmod:
        return None
    moment = datetime.fromisoformat(lastmod)
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()


# Clones


def compare_clone(
    clone: Path, docs: str, tools: list[str], work: Path
) -> tuple[str, dict[str, Counter[str]]]:
    """The name of a clone, and how many days of each tool are right, wrong and absent."""
    origin = git(clone, "config", "--get", "remote.origin.url")
    name = re.sub(r".*[:/]([^/]+/[^/]+?)(\.git)?$", r"\1", origin)
    top = work / name.replace("/", "-")
    shutil.copytree(clone, top, symlinks=True)
    git(top, "commit-graph", "write", "--reachable", "--changed-paths")  # the judge asks a lot
    site = Site(top, docs, f"https://github.com/{name}", cloned=True)
    listed = git(top, "ls-files", "-z", "--", docs).split("\0")
    pages = [path.removeprefix(f"{docs}/") for path in listed if path.endswith(".md")]
    right = {page: judged(top, f"{docs}/{page}") for page in pages}
    counts: dict[str, Counter[str]] = {}
    for tool in tools:
        if tool in WITH_MKDOCS:
            found = with_mkdocs(tool, site, work / "built", {})
            days = {page: (found or {}).get(key_of(page), "") for page in pages}
        else:
            for place, page in enumerate(pages):
                text = f"---\ntitle: Page\nslug: /p{place}\n---\nText\n"
                (top / docs / page).write_text(text)
            keys = [f"p{place}" for place in range(len(pages))]
            if tool == HUGO:
                found = with_hugo(site, work / "built", pages)
            elif tool == DOCUSAURUS:
                found, keys = with_docusaurus(work, top / docs, pages), pages
            else:
                found = with_vitepress(top, docs)
                keys = [key_of(page, ("index",)) for page in pages]
            days = {page: (found or {}).get(key, "") for page, key in zip(pages, keys, strict=True)}
        published = {page: day_of(date) for page, date in days.items() if date != ""}
        counts[tool] = Counter(
            RIGHT if shown == right[page] else WRONG if shown else ABSENT
            for page, shown in published.items()
        )
    return name, counts


_OUT_OF = r"(?:Merge branch '(?P<one>main|master)'(?: of (?P<url>\S+))?|Merge remote-tracking "
_OUT_OF += r"branch '(?:refs/remotes/)?origin/(?P<two>main|master)')(?: into (?P<into>\S+))?"
INTO_ITSELF = re.compile(_OUT_OF)
REQUESTED = re.compile(r"Merge pull request #\d+ from (?P<owner>[^/\s]+)/(main|master)")


def judged(top: Path, path: str) -> str | None:
    """The day on which the text of a page reached the published branch, by git alone.

    That is the newest commit of `git log --first-parent` that changed the file, but for one that
    only renames it, and for those that `.git-blame-ignore-revs` lists. Where the published branch
    was merged into a copy of itself, or into a branch that became it, what was published is the
    second parent, so a file that is the same there goes on there.
    """
    listed = top / ".git-blame-ignore-revs"
    ignored = listed.read_text("utf-8") if listed.exists() else ""
    at = "HEAD"
    while at:
        command = ("log", "-1", "--first-parent", "--format=%H %cI", at, "--", path)
        commit, _, when = git(top, *command).partition(" ")
        line = first_parents(top, at)
        merge = next((each for each in line if each.commit == commit or each.into_itself), None)
        if merge is None:
            return None
        if merge.into_itself:
            first, second = merge.parents
            now = blob(top, merge.commit, path)
            if now == blob(top, second, path):
                at = second
                continue
            if now == blob(top, first, path):
                at = first
                continue
        old = None
        if commit not in ignored:
            old = renamed_from(top, commit, path)
            if not old:
                return day_of(when)
        at, path = f"{commit}^", old or path
        if not git(top, "rev-parse", "--verify", "-q", at, check=False):
            return None
    return None


class OnTheLine(NamedTuple):
    """A commit of the first-parent line, and whether it merges the branch into itself."""

    commit: str
    parents: list[str]
    into_itself: bool


@cache
def first_parents(top: Path, at: str) -> list[OnTheLine]:
    """The commits that `git log --first-parent` shows, newest first."""
    owner = git(top, "config", "--get", "remote.origin.url").removesuffix(".git")
    repository = "/".join(re.split(r"[/:]", owner)[-2:])
    line = []
    for shown in git(top, "log", "--first-parent", "--format=%H%x09%P%x09%s", at).split("\n"):
        commit, parents, subject = shown.split("\t", 2)
        two = len(parents.split()) == 2
        merge, request = INTO_ITSELF.fullmatch(subject), REQUESTED.fullmatch(subject)
        mine = two and bool(merge) and (not merge["url"] or repository in merge["url"])
        mine |= two and bool(request) and repository.split("/")[0] == request["owner"]
        line.append(OnTheLine(commit, parents.split(), mine))
    return line


@cache
def objects(top: Path) -> subprocess.Popen:
    """A git that answers which object a name means."""
    command = ["git", "-C", top, "cat-file", "--batch-check"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen(command, env=GIT, text=True, bufsize=1, **pipes)


def blob(top: Path, commit: str, path: str) -> str:
    """The id of a file's content at a commit, or that it is missing."""
    process = objects(top)
    process.stdin.write(f"{commit}:{path}\n")
    answer = process.stdout.readline()
    return "missing" if answer.endswith("missing\n") else answer


def renamed_from(top: Path, commit: str, path: str) -> str | None:
    """The former path of a file that this commit renamed, and did not change."""
    options = ("-r", "-z", "-M100%", "--diff-filter=R", "--name-status")
    parent = git(top, "rev-parse", "--verify", "-q", f"{commit}^", check=False)
    parts = git(top, "diff-tree", *options, parent, commit).split("\0") if parent else []
    renames = zip(parts[1::3], parts[2::3], strict=False)
    return next((old for old, new in renames if new == path), None)


# Builds

WITH_MKDOCS = (OURS, LOCALIZED, DOCUMENT, MKDOCS)


def with_mkdocs(
    tool: str, site: Site, built: Path, options: Mapping, also: Mapping = {}
) -> Found | None:
    """The sitemap of a build by MkDocs, with one of its plugins; None if it fails."""
    theme = built.with_name("theme")
    theme.mkdir(exist_ok=True)
    (theme / "main.html").write_text("<title>{{ page.title }}</title>{{ page.content }}")
    (theme / "404.html").write_text("<title>Not found</title>")
    (theme / "sitemap.xml").unlink(missing_ok=True)
    if tool in DATES:
        (theme / "sitemap.xml").write_text(TEMPLATE.replace("DATE", DATES[tool]))
    plugins = [{name: dict(value)} for name, value in also.items()]
    if tool != MKDOCS:
        plugins.append({"sitemap-plus" if tool == OURS else tool: dict(options)})
    config = {
        "site_name": "A site",
        "site_url": URL,
        "docs_dir": str(site.top / site.docs),
        "site_dir": str(built),
        "repo_url": site.repository,
        "edit_uri": f"edit/main/{site.docs}/",
        "theme": {"name": None, "custom_dir": str(theme)},
        "markdown_extensions": [] if site.cloned else ["pymdownx.snippets"],
        "plugins": plugins,
    }
    file = site.top / "mkdocs-of-the-benchmark.yml"
    file.write_text(json.dumps(config))
    return run([sys.executable, "-m", "mkdocs", "build", "-q", "-f", file], site.top, built)


def with_hugo(site: Site, built: Path, pages: list[str] | None = None) -> Found | None:
    """The sitemap of Hugo, which has no copy of MkDocs' rule that `index.md` is just a page."""
    config = site.top / "hugo-of-the-benchmark.toml"
    text = HUGO_CONFIG % (URL, site.docs)
    if pages:
        mount = '[[module.mounts]]\nsource = {}\ntarget = "content/p{}.md"\n'
        text += "".join(
            mount.format(json.dumps(f"{site.docs}/{page}"), place)
            for place, page in enumerate(pages)
        )
        text = text.replace(f'contentDir = "{site.docs}"\n', "")
    config.write_text(text)
    return run(["hugo", "--config", config.name, "-d", built], site.top, built)


def with_docusaurus(work: Path, folder: Path, pages: list[str]) -> Found | None:
    """The dates that Docusaurus has for its pages; a build of the site would only be slower."""
    done = subprocess.run(
        ["node", "-e", DOCUSAURUS_SCRIPT, str(folder)],
        cwd=work,
        env=GIT,
        input=json.dumps(pages),
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout) if done.returncode == 0 else None


def with_vitepress(folder: Path, docs: str) -> Found | None:
    """The sitemap of a site of VitePress, made in a folder above its pages."""
    (folder / ".vitepress").mkdir(exist_ok=True)
    (folder / ".vitepress/config.mjs").write_text(VITEPRESS_CONFIG % (URL, docs))
    return run(["node", bin_of(folder, "vitepress"), "build"], folder, folder / ".vitepress/dist")


def bin_of(folder: Path, name: str) -> Path:
    """A program of npm in a folder above."""
    return next(
        found
        for above in folder.parents
        if (found := above / "node_modules" / ".bin" / name).exists()
    )


def run(command: list, folder: Path, built: Path) -> Found | None:
    """Build from scratch, and read the sitemap; None if the builder stops."""
    shutil.rmtree(built, ignore_errors=True)
    environment = GIT | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}", file=sys.stderr)
        return None
    entries = ET.parse(built / "sitemap.xml").getroot()  # noqa: S314 - it was made here
    return {
        key_of_url(entry.findtext("{*}loc", "")): entry.findtext("{*}lastmod") for entry in entries
    }


def key_of(page: str, indexes: tuple[str, ...] = ("index", "README")) -> str:
    """The path of a page's URL in MkDocs, without slashes."""
    folder, _, name = page.removesuffix(".md").rpartition("/")
    return folder if name in indexes else f"{folder}/{name}".strip("/")


def key_of_url(url: str) -> str:
    """The same, of a URL."""
    return unquote(urlsplit(url).path).removesuffix(".html").strip("/")


def git(top: Path, *arguments: str, check: bool = True) -> str:
    """What git prints."""
    done = subprocess.run(
        ["git", "-C", top, *arguments], env=GIT, capture_output=True, text=True, check=check
    )
    return done.stdout.strip("\n")


# Tables


def print_histories(
    histories: list[History], table: dict[str, dict[str, tuple[str, str]]], *, markdown: bool
) -> None:
    """A row for each history, and the sums."""
    tools = list(table[histories[0].name])
    if markdown:
        print_for_the_docs(histories, table, tools)
        return
    print(f"| history | right | {' | '.join(tools)} |\n|---|---|{':-:|' * len(tools)}")
    for history in histories:
        cells = [table[history.name].get(tool, (NOT_ASKED, "")) for tool in tools]
        days = ("" if what != WRONG else f" {day}" for what, day in cells)
        shown = " | ".join(MARKS[what] + day for (what, _), day in zip(cells, days, strict=True))
        print(f"| {history.name} | {history.day or 'no date'} | {shown} |")
    for what in (RIGHT, WRONG, ABSENT, FAILED):
        sums = [
            sum(table[each.name].get(tool, (NOT_ASKED,))[0] == what for each in histories)
            for tool in tools
        ]
        print(f"| **{what}** | | {' | '.join(map(str, sums))} |")


def print_for_the_docs(
    histories: list[History], table: dict[str, dict[str, tuple[str, str]]], tools: list[str]
) -> None:
    """The table of docs/help/comparison.md, without days."""
    print(f"|history|{'|'.join(tools)}|\n|---|{':-:|' * len(tools)}")
    for history in histories:
        cells = (MARKS[table[history.name].get(tool, (NOT_ASKED,))[0]] for tool in tools)
        print(f"|{history.name}|{'|'.join(cells)}|")
    for what, name in ((RIGHT, "right"), (WRONG, "wrong"), (ABSENT, "no date"), (FAILED, "stops")):
        verdicts = [[table[each.name].get(tool, ("",))[0] for each in histories] for tool in tools]
        print(f"|**{name}**|{'|'.join(str(each.count(what)) for each in verdicts)}|")


def print_clone(name: str, counts: dict[str, Counter[str]]) -> None:
    """The counts of one clone."""
    print(f"\n| {name} | {' | '.join(counts)} |\n|---|{'--:|' * len(counts)}")
    for what in (RIGHT, WRONG, ABSENT):
        print(f"| {what} | {' | '.join(str(count[what]) for count in counts.values())} |")


if __name__ == "__main__":
    main()
