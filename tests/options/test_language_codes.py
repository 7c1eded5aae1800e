"""Language codes that owners write: what is read, and what the messages say."""

import pytest
from readers import read_hreflang

from mkdocs_sitemap_plus.problems import Origin, Place

PLACE = Place(origin=Origin.FRONT_MATTER, file="a.md", key="sitemap.alternates")


@pytest.mark.parametrize(("written", "code"), [("de", "de"), ("DE", "de"), ("pt_br", "pt-BR")])
def test_a_code_gets_its_usual_spelling(written, code):
    """Small letters, capitals and underscores are forgiven."""
    assert read_hreflang(written, PLACE) == (code, [])


@pytest.mark.parametrize(
    "written", ["", "german", "de-EU", "en-UK", "zh-Hant-XX", "de-Abcd-AT", "ko\n"]
)
def test_what_search_engines_ignore_is_a_problem(written):
    """There is no code then."""
    code, (problem,) = read_hreflang(written, PLACE)
    assert code is None
    assert "but must be a language code" in str(problem)


def test_a_language_that_yaml_read_as_a_boolean_asks_for_quotes():
    """``no`` is Norwegian only in quotes."""
    _, (problem,) = read_hreflang(False, PLACE)  # noqa: FBT003 - as YAML gives it
    assert str(problem) == (
        "a.md: sitemap.alternates is false, but must be a language code, such as de, pt-BR or "
        "zh-Hant. Put it in quotes: YAML reads the words yes, no, on and off as true and false."
    )


@pytest.mark.parametrize("raw", [1, ["de"]])
def test_only_a_string_is_a_code(raw):
    """Anything else is a problem, not a traceback."""
    code, (problem,) = read_hreflang(raw, PLACE)
    assert code is None
    assert "but must be a language code" in str(problem)
