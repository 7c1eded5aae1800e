"""The sites that the pages of the docs on tasks describe.

The titles of blocks say what they are: a file to write, a file of the built site, or what a command
prints. A file that was there before, or another project file, begins a new site.
"""

import re
import shlex
import sys
from dataclasses import dataclass, field

import pytest
from docs_pages import DOCS
from sites import Built, SiteMaker, installed, run, run_command

FOLDERS = ("get-started", "guide")
PAGES = [
    *(page for folder in FOLDERS for page in sorted((DOCS / folder).glob("*.md"))),
    DOCS / "reference" / "python.md",
]
HEAD = {"site_name": "Lighthouse", "site_url": "https://lighthouse.example/docs/"}
HOME = {"docs/index.md": "# Home\n"}

INTERNAL = {"docs/internal/a.md": "# A\n"}
GUIDE = {"docs/guide/index.md": "# Guide\n"}
INSTALL = {"docs/install.md": "# Install\n"}
CODE = {"src/alerts.py": "ALERTS = 1\n"}
ALERTS = {"docs/guide/alerts.md": "# Alerts\n"}
LANGUAGES = {"docs/install.md": "# Install\n", "docs/install.de.md": "# Einrichten\n"}
HISTORY = {
    "get-started/mkdocs.md 2": {"2026-03-14": INTERNAL},
    "get-started/any-site.md": {"2026-03-14": {"docs/reference/a.md": "# A\n", **INTERNAL}},
    "guide/dates-on-pages.md": {"2026-01-05": INSTALL},
    "guide/files-images-videos.md": {"2026-03-14": {"docs/data-sheet.pdf": "not looked into"}},
    "guide/languages-and-versions.md": {"2026-03-14": LANGUAGES},
    "guide/languages-and-versions.md 2": {
        "2026-03-14": {**INSTALL, "docs-de/install.md": "# Einrichten\n"}
    },
    "guide/dates.md": {"2026-03-14": {"docs/people.md": "# P\n", **GUIDE}},
    "guide/dates.md 2": {
        "2026-01-05 Say how to install it": INSTALL,
        "2026-02-06 Reformat all pages": {"docs/install.md": "Install\n=======\n"},
        "2026-06-01": CODE,
    },
    "guide/dates.md 3": {"2026-06-01": CODE},
    "guide/leave-pages-out.md": {
        "2026-03-14": {
            f"docs/{name}.md": "# A\n"
            for name in ("guide/draft-a", "guide/b.de", "internal/release")
        }
    },
    "guide/files-images-videos.md 5": {"2026-03-14": ALERTS},
    "get-started/migrate.md": {"2026-03-14": INSTALL},
    "get-started/migrate.md 2": {
        "2026-03-14": {
            "overrides/sitemap.xml": (
                "<urlset>{% for file in pages if not file.src_uri.startswith(('design/', "
                "'tests/')) %}\n<url><loc>{{ file.page.canonical_url }}</loc></url>\n"
                "{% endfor %}</urlset>\n"
            ),
            "docs/design/a.md": "# A\n",
            "docs/tests/a.md": "# A\n",
        }
    },
}
"""What a site has before, by day and subject; each has a home page of 5 January as well."""

NEEDS = {
    "[project]\n": "zensical",
    "theme: mkdocs\n": "properdocs-theme-mkdocs",
    "name: material\n": "mkdocs-material",
    "name: materialx\n": "mkdocs-materialx",
    "page_dates: true": "babel",
    "- gen-files": "mkdocs-gen-files",
    "- i18n": "mkdocs-static-i18n",
}
"""What has to be installed, by what stands in mkdocs.yml."""


def build_by_zensical(site, *_):
    """Build the site as its owner does; the plugin does not run."""
    done = run(sys.executable, "-m", "zensical", "build", cwd=site.folder)
    return Built(site.folder, done.returncode, done.stdout)


def build_by_properdocs(site, *arguments):
    """Build the site by the other program."""
    return site.build(*arguments, program="properdocs")


PROJECTS = {
    "mkdocs.yml": SiteMaker.build,
    "properdocs.yml": build_by_properdocs,
    "zensical.toml": build_by_zensical,
}
"""The project files that a page may show, and what builds them."""


def titled(page):
    """Title, language and text of each fenced block of a page, without the indentation of lists."""
    fence = r'^( *)```([\w-]+)(?: title="([^"]*)")?\n(.*?)^\1```$'
    text = page.read_text("utf-8")
    for indent, language, title, block in re.findall(fence, text, re.DOTALL | re.MULTILINE):
        yield title, language, re.sub(rf"^{indent}", "", block, flags=re.MULTILINE)


@dataclass
class Scene:
    """A site that a page describes: its files, and what the reader sees."""

    name: str
    files: dict = field(default_factory=dict)
    built: list = field(default_factory=list)
    printed: list = field(default_factory=list)

    @property
    def project(self):
        """The name of its project file; None while there is none."""
        return next((name for name in PROJECTS if name in self.files), None)

    def add(self, title, block):
        """Sort a block in, by its title."""
        if title.startswith("site/"):
            self.built.append((title.removeprefix("site/"), block))
        elif title.split()[0] in ("mkdocs", "properdocs", "mkdocs-sitemap-plus"):
            self.printed.append((title, block))
        else:
            self.files[title] = block


def scenes(page):
    """The sites of a page; the second one of ``a.md`` is named ``a.md 2``."""
    name, found = page.relative_to(DOCS).as_posix(), []
    for title, _, block in titled(page):
        first = title in PROJECTS and found and found[-1].project
        if title and (not found or first or title in found[-1].files):
            found.append(Scene(f"{name} {len(found) + 1}" if found else name))
        if title:
            found[-1].add(title, block)
    return found


def whole(title, text):
    """A file as its reader has it: with a name for the site, a heading below front matter."""
    if title == "mkdocs.yml":
        more = [f"{key}: {value}\n" for key, value in HEAD.items() if f"{key}:" not in text]
        return "".join(more) + text
    return text + "\n# Title\n" if text.endswith("---\n") else text


def pieces(text):
    """The entries of a piece of a sitemap, or the text itself."""
    entry = r"^  <(?:url|sitemap)>\n.*?^  </\w+>\n"
    return re.findall(entry, text, re.DOTALL | re.MULTILINE) or [text]


SCENES = [scene for page in PAGES for scene in scenes(page)]


def first_commit(folder):
    """The beginning of each site."""
    site = SiteMaker(folder)
    site.commit_on("2026-01-05", HOME)
    return site


def compare(scene, home, folder):
    """Build a site as its reader does: what the page shows of it is what comes out."""
    config = scene.files[scene.project]
    for word, package in NEEDS.items():
        if word in config and not installed(package):
            pytest.skip(f"{package} is not installed")
    site = home.copy(folder)
    for day, files in HISTORY.get(scene.name, {}).items():
        site.write(files)
        site.commit(day[11:] or "Change", f"{day[:10]}T10:00:00+0000")
    site.write({title: whole(title, text) for title, text in scene.files.items()})
    site.commit("Write it", "2026-05-19T16:40:31+0000")
    # A pattern of `exclude` that matches nothing would fail a strict build.
    strict = ("--strict",) if re.search(r"\bexclude:", config) else ()
    built = PROJECTS[scene.project](site, *strict)
    assert scene.built or scene.printed
    for name, shown in scene.built:
        text = built.path(name).read_text("utf-8")
        assert [piece for piece in pieces(shown) if piece not in text] == [], text
    for title, shown in scene.printed:
        if title in ("mkdocs build", "properdocs build"):
            lines = [line for line in shown.splitlines() if "sitemap-plus:" in line]
            assert lines
            assert [line for line in lines if line not in built.output] == [], built.output
        else:
            done = run_command(*shlex.split(title)[1:], cwd=folder)
            printed = done.stdout + done.stderr
            assert printed == shown, printed
