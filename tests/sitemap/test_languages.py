"""Language codes, as search engines know them."""

from mkdocs_sitemap_plus.sitemap.languages import hreflang

CODES = {
    "de": "de",
    "DE": "de",
    "pt_br": "pt-BR",
    "zh-hant": "zh-Hant",
    "zh_hans_cn": "zh-Hans-CN",
    "uk": "uk",
    "X-Default": "x-default",
}
NONE = [
    *("", "d", "deu", "xx", "de-", "de-DEU", "de-XX", "de-EU", "es-419", "BE-be-be", "zh-CN-Hant"),
    *("de DE", "dé", "ko\n", "\u017fl"),
]
"""Groups of countries, three letters, numbers: what search engines ignore."""


def test_a_code_gets_its_usual_spelling():
    """Small letters, capitals and underscores are forgiven; ``uk`` is Ukrainian."""
    expected = CODES | dict.fromkeys(NONE)
    assert {written: hreflang(written) for written in expected} == expected
