"""Make the sites of this folder again, with the real builders.

``python make_sites.py [SITE …]`` writes, for each site of ``sites.toml``, or those that are named:

* ``sites/SITE.history``: the repository of its sources, as ``git fast-export`` prints it;
* ``sites/SITE.pages``: what the builder made of it, as `shrunk` leaves it; each file follows a line
  ``==> path``.

A builder is installed, in the version that stands in ``sites.toml``, into a folder of its own below
``--tools``, unless it is there already; Jekyll is Debian's and must be on the path. What belongs to
one site only, its settings and templates, is in ``sources/SITE``; its pages are made here, with a
history that has a rename, a merge, a name that is not ASCII and links that lead astray.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import html5lib

HERE = Path(__file__).parent
NPM = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
ABOUT = tomllib.loads((HERE / "sites.toml").read_text("utf-8"))
TOOLS = ABOUT["tools"]


@dataclass(kw_only=True)
class Site:
    """A site: which builder makes it, and where that one wants its pages.

    Attributes:
        tool: the name of its builder.
        docs: the folder of the pages.
        command: builds the site, from the top of the repository.
        out: the folder that it writes.
        edit: what an edit link of the repository begins with.
        head: writes what stands above the text of a page, from its title, path and day.
        suffix: of the pages.
        index: the name of the first page of a folder.
        post: the path of a post of the blog, below the top.
        german: a folder with two German pages.
        cwd: where the command runs.
        base: the folder of the site on its host.
        options: what `build` needs to know beside its URL.
    """

    tool: str
    docs: str
    command: str
    out: str
    edit: str = "https://github.com/lighthouse/lighthouse/edit/main/docs/"
    head: Callable[[str, str, str], str]
    suffix: str = ".md"
    index: str = "index"
    post: str = ""
    german: str = ""
    cwd: str = "."
    base: str = ""
    options: str = ""


def heading(title: str, _path: str, _day: str) -> str:
    """A heading, and nothing else."""
    return f"# {title}\n"


def plain(title: str, _path: str, day: str) -> str:
    """YAML front matter; the title becomes a heading by the template."""
    return f"---\ntitle: {title}\n" + (f"date: {day}\ntags: [light]\n" if day else "") + "---\n"


def excerpt(title: str, path: str, day: str) -> str:
    """A heading, and in a post of the blog front matter."""
    return (plain(title, path, day) if day else "") + f"# {title}\n"


def rst(title: str, path: str, _day: str) -> str:
    """A heading of reStructuredText, and on the first page the contents."""
    tree = "\n.. toctree::\n   :glob:\n\n   guide/*\n   reference/*\n"
    return f"{title}\n{'=' * len(title)}\n{tree if path == 'index.rst' else ''}"


def myst(title: str, path: str, _day: str) -> str:
    """A heading, and on the first page the contents."""
    tree = "\n```{toctree}\n:glob:\n\nguide/*\nreference/*\n```\n" if path == "index.md" else ""
    return f"# {title}\n{tree}"


def pelican(title: str, path: str, day: str) -> str:
    """The metadata of Pelican; the home page has a place of its own."""
    slug = re.sub(r"^(pages|handbook)/|(/index)?\.md$", "", path)
    place = "Save_as: index.html\nURL:\n" if slug == "index" else ""
    dated = f"Date: {day}\nTags: light\nCategory: News\n" if day else ""
    return f"Title: {title}\nSlug: {slug}\n{place}{dated}"


HEADS = {
    "heading": heading,
    "plain": plain,
    "excerpt": excerpt,
    "rst": rst,
    "myst": myst,
    "pelican": pelican,
}
SITES = {
    name: Site(**about | {"head": HEADS[about.get("head", "heading")]})
    for name, about in ABOUT["sites"].items()
}


def main() -> None:
    """Make the sites that are named, or all of them."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("sites", nargs="*", metavar="SITE")
    arguments.add_argument("--tools", type=Path, default=Path(".nox/builders"))
    given = arguments.parse_args()
    for name in given.sites or SITES:
        site = SITES[name]
        tool = given.tools.absolute() / site.tool
        install(tool)
        # below the builder's folder, where Node finds its modules
        with tempfile.TemporaryDirectory(dir=tool) as folder:
            top = Path(folder)
            write_history(top, name, site)
            build(top, site, tool)
            target = HERE / "sites" / name
            target.parent.mkdir(exist_ok=True)
            target.with_suffix(".history").write_bytes(git(top, "fast-export", "--all"))
            target.with_suffix(".pages").write_text(pages_of(top / site.out), "utf-8")
        print(name)  # noqa: T201 - a script


def install(tool: Path) -> None:
    """Install a builder, unless it is there."""
    if tool.exists():
        return
    tool.mkdir(parents=True)
    about = TOOLS[tool.name]
    if "pip" in about:
        subprocess.run(["python3", "-m", "venv", tool], check=True)
        subprocess.run([tool / "bin" / "pip", "install", "-q", *about["pip"]], check=True)
    elif "npm" in about:
        (tool / "package.json").write_text('{"private": true, "type": "module"}')
        subprocess.run([*NPM, *about["npm"]], cwd=tool, check=True)


def build(top: Path, site: Site, tool: Path) -> None:
    """Run the builder, with no network to ask and no times but those of the history."""
    programs = tool / ("bin" if (tool / "bin").exists() else "node_modules/.bin")
    command = site.command.format(bin=programs, docs=site.docs).split()
    quiet = {"ASTRO_TELEMETRY_DISABLED": "1", "DOCUSAURUS_NO_PERSISTENT_CACHE": "1"}
    environment = os.environ | quiet | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=top / site.cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{command}\n{done.stdout}{done.stderr}")


def git(top: Path, *arguments: str, day: str = "") -> bytes:
    """Run git; what is committed has this day, and was written an hour before it was published."""
    names = [f"{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
    environment = {f"GIT_{name}": "Ada" for name in names}
    environment |= {"GIT_AUTHOR_DATE": f"{day}T08:00:00+00:00"} if day else {}
    environment |= {"GIT_COMMITTER_DATE": f"{day}T09:00:00+00:00"} if day else {}
    command = ["git", "-c", "core.quotePath=false", "-C", str(top), *arguments]
    return subprocess.run(
        command, env=os.environ | environment, stdout=subprocess.PIPE, check=True
    ).stdout


def write_history(top: Path, name: str, site: Site) -> None:
    """Commit what `HISTORY` says, day by day."""
    shutil.copytree(HERE / "sources" / name, top, dirs_exist_ok=True)
    git(top, "init", "-q", "-b", "main")
    sources = Sources(top, site)
    for day, change in sources.history():
        change()
        git(top, "add", "-A", ".")
        git(top, "commit", "-q", "--allow-empty", "-m", f"What changed on {day}", day=day)
        if day == "2025-04-20":
            git(top, "merge", "-q", "--no-ff", "-m", "Merge sizes", "sizes", day="2025-05-14")


@dataclass
class Sources:
    """The pages of a site, and how they change."""

    top: Path
    site: Site

    def history(self) -> list[tuple[str, Callable[[], object]]]:
        """Days, and what is done on them."""
        return [
            ("2025-01-10", self.first),
            ("2025-02-11", lambda: self.write("guide/install", "Install", "In two steps.")),
            ("2025-03-12", lambda: self.rename("old", "reference/renamed")),
            ("2025-04-13", lambda: self.on_branch("guide/größe", "Size", "Two metres.")),
            ("2025-04-20", lambda: self.code("RANGE = 20")),
            ("2025-06-15", lambda: self.write(self.site.index, "Lighthouse", "It shines.")),
            ("2025-07-01", lambda: self.write("reference/config", "Settings", self.astray("new"))),
            ("2025-08-17", self.blog),
            ("2025-09-18", lambda: self.code("RANGE = 30")),
        ]

    def write(self, path: str, title: str, text: str, day: str = "") -> None:
        """Write a page; `path` has no suffix."""
        self.put(f"{self.site.docs}/{path}", title, text, day)

    def put(self, path: str, title: str, text: str, day: str = "") -> None:
        """Write a page, given the whole path."""
        file = self.top / (path + self.site.suffix)
        file.parent.mkdir(parents=True, exist_ok=True)
        short = file.relative_to(self.top).as_posix()
        for folder in ("content/", f"{self.site.docs}/"):
            short = short.removeprefix(folder)
        file.write_text(f"{self.site.head(title, short, day)}\n{text}\n", "utf-8")

    def first(self) -> None:
        """Everything but the post."""
        self.code("RANGE = 10")
        (self.top / ".gitignore").write_text("node_modules\n")
        self.write(self.site.index, "Lighthouse", "It stands.")
        self.write(f"guide/{self.site.index}", "Guide", "All about it.")
        self.write("guide/install", "Install", "In three steps.")
        self.write("guide/größe", "Size", "Unknown.")
        self.write("reference/config", "Settings", self.astray("old"))
        self.write("old", "Old", "This page has moved since.")
        if self.site.german:
            self.put(f"{self.site.german}/{self.site.index}", "Leuchtturm", "Er steht.")
            self.put(f"{self.site.german}/guide/install", "Aufbau", "In drei Schritten.")

    def astray(self, word: str) -> str:
        """Links to code and to other repositories in the text of a page."""
        view = self.site.edit.replace("_edit", "src/branch").replace("edit", "blob")
        top = view.removesuffix(self.site.docs.removeprefix(".") + "/")
        links = {
            "the code": f"{top}src/config.py",
            "its test": f"{top}tests/config.py",
            "how others do it": "https://github.com/other/other/edit/main/docs/config.md",
        }
        if self.site.suffix == ".rst":
            shown = [f"`{text} <{url}>`__" for text, url in links.items()]
        else:
            shown = [f"[{text}]({url})" for text, url in links.items()]
        return f"The {word} settings: see {', '.join(shown)}."

    def rename(self, old: str, new: str) -> None:
        """Move a page without a change."""
        place = self.top / self.site.docs
        (place / new).parent.mkdir(parents=True, exist_ok=True)
        (place / (old + self.site.suffix)).rename(place / (new + self.site.suffix))
        if self.site.tool == "pelican":  # the path of a page stands in it, too
            self.write(new, "Renamed", "This page has moved.")

    def on_branch(self, path: str, title: str, text: str) -> None:
        """Change a page on a branch, which is merged later."""
        git(self.top, "switch", "-q", "-c", "sizes")
        self.write(path, title, text)
        git(self.top, "commit", "-q", "-a", "-m", "On a branch", day="2025-04-13")
        git(self.top, "switch", "-q", "main")

    def code(self, line: str) -> None:
        """Change the code only."""
        for folder in ("src", "tests"):
            (self.top / folder).mkdir(exist_ok=True)
            (self.top / folder / "config.py").write_text(f"{line}\n")

    def blog(self) -> None:
        """Write a post, where the builder has a blog."""
        if self.site.post:
            self.put(self.site.post.removesuffix(".md"), "Light", "There is light.", "2025-08-17")


_KEPT = {"href", "rel", "class", "title", "content", "name", "property", "http-equiv", "hreflang",
         "lang", "charset", "aria-label", "src"}  # fmt: skip
_ALSO_KEPT = re.compile(r"(^|/)sitemap[^/]*\.xml$|^_sources/|^robots\.txt$")
_START = re.compile(r"<([a-zA-Z][\w-]*)((?:\"[^\"]*\"|'[^']*'|[^'\">])*)>")
_BARE = re.compile(r"</?(?:div|symbol)>\s*(?=[^<]*<(?!a\b))")  # but for one before a link
_ATTRIBUTE = re.compile(r"\s([\w:@-]+)(?:=(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")


def shrunk(html: str) -> str:
    """Take out what no sitemap needs; links stay, what they say, and the tag before each."""
    text = re.sub(r"(?is)<!--.*?-->|<(script|style|svg|template)\b.*?</\1>", "", html)
    text = re.sub(r"(?i)<link\b[^>]*\b(?:stylesheet|preload|prefetch|icon)\b[^>]*>", "", text)
    text = re.sub(r"(?is)<meta\b(?![^>]*\b(?:robots|refresh|charset))[^>]*>", "", text)
    text = _START.sub(_kept_attributes, text)
    text = re.sub(r"(?i)</?(?:span|small|path|use|button|input|label|img)\b[^>]*>", "", text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    text = _BARE.sub("", text)
    if _links(text) != _links(html):
        raise SystemExit("a link was lost")
    return text


def _kept_attributes(match: re.Match[str]) -> str:
    name = match[1]
    kept = _KEPT if name in {"a", "link", "meta", "html"} else set()
    pairs = [(key, value) for key, value in _ATTRIBUTE.findall(match[2]) if key in kept]
    return f"<{name}{''.join(f' {key}={value}' if value else f' {key}' for key, value in pairs)}>"


def _links(html: str) -> list[str | None]:
    """Where all links of a page lead, as a browser reads it."""
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    return [link.get("href") for link in tree.iter("a")]


def pages_of(folder: Path) -> str:
    """All that is kept of a built site, as one text."""
    parts = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix == ".html":
            parts.append(f"==> {name}\n{shrunk(path.read_text('utf-8')).strip()}\n")
        elif path.is_file() and _ALSO_KEPT.search(name):
            parts.append(f"==> {name}\n{path.read_text('utf-8').strip()}\n")
    return "".join(parts)


if __name__ == "__main__":
    main()
