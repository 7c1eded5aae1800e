"""Where MkDocs builds a source, and which source a built page may have: one mapping, both ways."""

import pytest

from mkdocs_sitemap_plus.command.any_site.mkdocs_layout import MkDocsLayout
from mkdocs_sitemap_plus.generator.pages.site import SOURCES, built_paths

NAMES = ["index", "README", "a", "a.b", "a.html", "guide/index", "guide/README", "guide/ü", "x/y/z"]


@pytest.mark.parametrize("ending", SOURCES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_folders", [True, False])
def test_a_source_is_found_where_it_is_built(name, ending, with_folders, tmp_path):
    """By the path of its page, and by that of its URL."""
    source = f"{name}{ending}"
    (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / source).write_text("# Text\n")
    layout = MkDocsLayout(tmp_path, with_folders)
    built = built_paths(source)[0 if with_folders else 1]
    assert layout.sources([built], [built]) == {built: [source]}
    assert layout.built_path(built) == built
    assert layout.built_path(built.removesuffix("index.html")) == built or not with_folders
