"""The pages of the docs on tasks: each is tried as its reader would, file by file."""

import re

import pytest
from docs_pages import DOCS, ROOT
from docs_scenes import PAGES, SCENES, compare, first_commit, titled
from lighthouse import lighthouse
from quantity import one_in

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


def test_all_xml_of_these_pages_is_built():
    """There is none that no build is compared with."""
    for page in PAGES:
        untitled = [it for title, language, it in titled(page) if language == "xml" and not title]
        assert untitled == [], page


def shown_on(page, line):
    """Whether a line of the build stands on a page; commits are new each time."""
    commits = r"\b([0-9a-f]{40}|[0-9a-f]{12})\b"
    text = re.sub(commits, "COMMIT", (DOCS / page).read_text("utf-8"))
    return f"INFO    -  sitemap-plus: {re.sub(commits, 'COMMIT', line)}\n" in text


def test_the_line_that_is_explained_is_real(tmp_path):
    """The line of a build whose parts have a table."""
    assert shown_on("get-started/mkdocs.md", lighthouse(tmp_path).build("--strict").summary)
