"""What the options of other plugins, of extensions and of the theme say of a site."""

from pathlib import Path

import pytest

from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import site_facts


@pytest.mark.parametrize(
    ("theme", "i18n", "expected"),
    [
        ({"language": "de"}, None, "de"),
        ({"locale": "fr"}, None, "fr"),
        ({}, None, None),
        ({"language": "de"}, {"languages": [{"locale": "en", "default": True}]}, "en"),
        ({}, {"languages": [{"locale": "en"}, {"locale": "it", "default": True}]}, "it"),
        ({}, {"build_only_locale": "nl", "languages": [{"locale": "en", "default": True}]}, "nl"),
        ({"language": "de"}, {"languages": [{"locale": "fr"}, {"locale": "it"}]}, "fr"),
        ({"language": "de"}, {"languages": "en"}, "de"),
    ],
)
def test_the_main_language(theme, i18n, expected):
    """The plugin's comes before that of the theme; an option of a wrong type says nothing."""
    plugins = {} if i18n is None else {"i18n": i18n}
    assert site_facts(theme, plugins, {})["default_locale"] == expected


@pytest.mark.parametrize(
    ("options", "restricted", "bases"),
    [
        ({}, True, ["."]),
        ({"restrict_base_path": False}, False, ["."]),
        ({"base_path": "parts"}, True, ["parts"]),
        ({"base_path": ["a", "b"]}, True, ["a", "b"]),
    ],
)
def test_where_snippets_are_looked_for(options, restricted, bases):
    """The defaults are those of pymdownx.snippets."""
    read = IncludeOptions.from_options({}, {"pymdownx.snippets": options}, Path("docs"), Path)
    assert (read.restricted, read.snippets) == (restricted, tuple(map(Path, bases)))
    assert (read.macros, read.mdx_include) == (None, None)
