"""The pages of the docs on other programs than MkDocs, as `test_docs_tasks` tries its pages."""

import pytest
from docs_pages import ROOT
from docs_scenes import SCENES, compare, first_commit

pytestmark = pytest.mark.skipif(
    not (ROOT / "sample_site").is_dir(), reason="only a whole checkout has the docs"
)

BY_OTHERS = [scene for scene in SCENES if scene.project != "mkdocs.yml"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The first commit of each site."""
    return first_commit(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize("scene", BY_OTHERS, ids=lambda scene: scene.name)
def test_a_page_on_another_program_is_true(scene, home, tmp_path):
    """What it shows of the built site and of the command is what comes out."""
    compare(scene, home, tmp_path)
