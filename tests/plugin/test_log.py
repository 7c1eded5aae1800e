"""The log of a build and the output of the command: what is shown, how often, and in which form."""

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from sitemap_xml import read_entries, validate
from sites import CHANGEFREQS, MATERIAL, as_user, needs

from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Level, Problem, log_lines

NO_GIT = "lastmod: {sources: [front_matter]}\n"


def test_of_a_kind_five_problems_are_shown_and_the_others_named(site):
    """Each kind for itself: one that is rare is not lost among many of another kind."""
    site.docs({f"p{number}.md": f"---\nchangefreq: {number}\n---\n# P\n" for number in range(8)})
    site.docs({"q.md": "---\nsitemap: {priority: 7}\n---\n# Q\n"})
    site.config(NO_GIT)
    assert site.build().lines[:-1] == [
        *(
            f"WARNING docs/p{number}.md:2: changefreq is {number}, but must be one of "
            f"{CHANGEFREQS}. No changefreq is written."
            for number in range(5)
        ),
        (
            "WARNING docs/q.md:2: sitemap.priority is 7, but must be a number from 0.0 to 1.0. "
            "No priority is written."
        ),
        (
            "WARNING 3 more problems of this kind (changefreq): "
            "docs/p5.md:2, docs/p6.md:2, docs/p7.md:2."
        ),
    ]


def test_notes_and_warnings_of_a_kind_are_counted_apart():
    """And what is there twice is shown once, and counted once."""
    notes = [Problem(code="x", found=f"note {number}", level=Level.NOTE) for number in range(7)]
    warnings = [Problem(code="x", found=f"warning {number}") for number in range(MAX_OF_A_KIND)]
    assert list(log_lines([*notes, *warnings, *notes])) == [
        *((Level.NOTE, f"note {number}.") for number in range(MAX_OF_A_KIND)),
        *((Level.WARNING, f"warning {number}.") for number in range(MAX_OF_A_KIND)),
        (Level.NOTE, "2 more notes of this kind (x)."),
    ]


def check_own_sitemap(built):
    """Check that the sitemap is ours, and that no line is about MkDocs' own."""
    assert "Template skipped" not in built.output
    assert "sitemap.xml'" not in built.output
    data = built.path().read_bytes()
    assert b"{%" not in data
    validate(data)


def test_mkdocs_own_template_is_neither_rendered_nor_published(site):
    """Without a line on an empty file; the theme has the template again after the build."""
    site.docs({"index.md": "# Home\n"})
    site.config(NO_GIT)
    with as_user(site.folder):
        config = load_config(str(site.folder / "mkdocs.yml"))
        before = set(config.theme.static_templates)
        assert "sitemap.xml" in before
        for _ in range(2):
            build(config)
            assert config.theme.static_templates == before
    check_own_sitemap(site.build())


LANGUAGES = """\
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, name: en, default: true}
        - {locale: de, name: de}
        - {locale: fr, name: fr}
"""


@needs("mkdocs-static-i18n")
@pytest.mark.parametrize("theme", ["", MATERIAL], ids=["mkdocs", "material"])
def test_builds_inside_a_build_publish_no_template_either(site, theme):
    """mkdocs-static-i18n builds each language in the same process, with the same theme."""
    site.docs({"index.md": "# Home\n", "index.de.md": "# Start\n", "index.fr.md": "# Accueil\n"})
    site.config(NO_GIT, theme=theme, more=LANGUAGES)
    built = site.build()
    check_own_sitemap(built)
    locs = [entry["loc"] for entry in read_entries(built.path().read_bytes())]
    assert locs == [f"https://web.example/{each}" for each in ("", "de/", "fr/")]
    assert [*built.path("").glob("*/sitemap.xml*")] == []
