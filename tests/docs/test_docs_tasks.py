"""The pages of the docs on tasks: each is tried as its reader would, file by file."""

import re

import pytest
from docs_pages import DOCS, ROOT
from docs_scenes import PAGES, SCENES, compare, first_commit, titled
from lighthouse import lighthouse
from quantity import at_length, one_in

pytestmark = pytest.mark.skipif(
    not (ROOT / "sample_site").is_dir(), reason="only a whole checkout has the docs"
)

WITH_MKDOCS = [scene for scene in SCENES if scene.project == "mkdocs.yml"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The first commit of each site."""
    return first_commit(tmp_path_factory.mktemp("home"))


@one_in(4)
@pytest.mark.parametrize("scene", WITH_MKDOCS, ids=lambda scene: scene.name)
def test_a_page_on_a_task_is_true(scene, home, tmp_path):
    """What it shows of the built site, of the log and of the command is what comes out."""
    compare(scene, home, tmp_path)


def test_what_a_page_shows_is_of_a_site():
    """What is printed or built follows a project file, as otherwise nothing is compared."""
    shown = (scene for scene in SCENES if scene.printed or scene.built)
    assert [scene.name for scene in shown if not scene.project] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_all_xml_of_a_page_is_built(page):
    """There is no XML that no build is compared with."""
    assert [
        block for title, language, block in titled(page) if language == "xml" and not title
    ] == []


def shown_on(page, line):
    """Whether a line of the build stands on a page; commits are new each time."""
    commits = r"\b([0-9a-f]{40}|[0-9a-f]{12})\b"
    text = re.sub(commits, "COMMIT", (DOCS / page).read_text("utf-8"))
    return f"INFO    -  sitemap-plus: {re.sub(commits, 'COMMIT', line)}\n" in text


@at_length
def test_the_alarm_of_a_page_on_commits_is_real(site):
    """214 of 230 pages were last changed by one commit that formats them."""
    pages = {f"docs/p{number}.md": f"# P{number}\n" for number in range(230)}
    site.commit_on("2026-01-05", pages)
    site.write({name: f"{text}\n" for name, text in list(pages.items())[:214]})
    site.commit("Format all pages", "2026-06-01T10:00:00+0000")
    site.config(theme="theme: {name: null, custom_dir: bare}\n")
    site.write({"bare/main.html": "<html>{{ page.content }}</html>\n"})
    (note,) = site.build().notes
    assert shown_on("guide/dates.md", note)


HOOK = """\
from pathlib import Path
def on_post_build(config):
    with Path(config.site_dir, "sitemap.xml").open("a") as file:
        file.write("<!-- mine -->")
"""


def test_the_line_that_is_explained_is_real(tmp_path):
    """The line of a build whose parts have a table."""
    summary = lighthouse(tmp_path).build("--strict").summary
    assert shown_on("get-started/mkdocs.md", summary)
