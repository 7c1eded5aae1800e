"""Language codes, as search engines know them."""

import pytest

from mkdocs_sitemap_plus.sitemap.languages import hreflang, suggest_hreflang


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("pt-BR", "pt-BR"),
        ("pt_br", "pt-BR"),
        ("zh-hant", "zh-Hant"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("uk", "uk"),
        ("X-Default", "x-default"),
    ],
)
def test_a_code_gets_its_usual_spelling(written, code):
    """Small letters, capitals and underscores are forgiven; ``uk`` is Ukrainian."""
    assert hreflang(written) == code


@pytest.mark.parametrize(
    "written",
    [
        "",
        "d",
        "deu",
        "xx",
        "german",
        "de-",
        "de-DEU",
        "de-XX",
        "de-EU",
        "es-419",
        "BE-be-be",
        "zh-CN-Hant",
        "de DE",
        "dé",
        "ko\n",
        "\u017fl",
    ],
)
def test_what_search_engines_ignore_is_no_code(written):
    """Regions alone, groups of countries, three letters, numbers."""
    assert hreflang(written) is None


@pytest.mark.parametrize(("written", "suggestion"), [("en-UK", "en-GB"), ("en_uk", "en-GB")])
def test_a_frequent_slip_has_a_suggestion(written, suggestion):
    """The United Kingdom is GB."""
    assert suggest_hreflang(written) == suggestion
