"""Built files and URLs of sources, as the options of a project name them."""

from pathlib import Path

from mkdocs_sitemap_plus.pages.site_paths import Notebooks, SitePaths


def test_patterns_of_notebooks_that_match_no_file_are_ignored():
    """``Path.match`` takes no empty pattern; mkdocs-jupyter reports other types."""
    options = {"include": ["", ".", "./", 5, None, "*.ipynb"], "ignore": [".", ["x.ipynb"]]}
    notebooks = Notebooks.from_options(options, Path("/docs"))
    paths = SitePaths("https://example.com/", directory_urls=True, notebooks=notebooks)
    assert paths.dest_uri_of("a/x.ipynb") == "a/x/index.html"
    assert paths.dest_uri_of("a/x.py") == "a/x.py"
    assert paths.loc_of("a/x/index.html") == "https://example.com/a/x/"
