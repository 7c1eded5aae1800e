"""Where the sources of a site in several languages lie, and which pages are translations."""

from pathlib import Path

import pytest

from mkdocs_sitemap_plus.command.any_site.project import read_project

CONFIG = """\
plugins:
  - i18n:
      docs_structure: {structure}
      fallback_to_default: {fallback}
      languages: [{{locale: de}}, {{locale: en, default: true}}, {{locale: pt-BR}}]
"""
FILES = {
    "folder": [
        *("en/index.md", "en/a.md", "en/b.md", "en/guide/README.md", "de/index.md", "de/a.md"),
        *("pt-BR/guide.md", "shared.md", "v1.2.md"),
    ],
    "suffix": [
        *("index.md", "a.en.md", "b.md", "guide/README.md", "index.de.md", "a.de.md"),
        *("guide.pt-BR.md", "shared.md", "v1.2.md"),
    ],
}
OWN = {"": 0, "a/": 1, "b/": 2, "guide/": 3, "de/": 4, "de/a/": 5, "pt-BR/guide/": 6}
DEFAULT = {"shared/": 7, "v1.2/": 8}
FALLBACK = {"de/b/": 2, "de/guide/": 3, "pt-BR/": 0, "pt-BR/a/": 1}
SHARED = {"de/shared/": 7, "pt-BR/v1.2/": 8}


@pytest.fixture
def read(tmp_path):
    """Returns a reader of a project with the files of a structure: it, its languages, sources."""

    def project(structure, *, fallback="true", name="mkdocs.yml", toml=""):
        for file in FILES[structure]:
            path = tmp_path / "docs" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("# Text\n", "utf-8")
        text = toml or CONFIG.format(structure=structure, fallback=fallback)
        (tmp_path / name).write_text(text, "utf-8")
        found = read_project(tmp_path / name)
        return found, found.languages(tmp_path / "site")

    return project


def sources(project, languages, urls):
    """The one source of each built page, by URL."""
    paths = {f"{url}index.html": url for url in urls}
    found = project.layout(languages).sources(paths, paths)
    assert {len(each) for each in found.values()} <= {1}
    return {paths[path]: each for path, (each,) in found.items()}


@pytest.mark.parametrize("structure", FILES)
@pytest.mark.parametrize("urls", [True, False], ids=["folders", "files"])
def test_a_page_is_made_from_the_file_of_its_language(read, structure, urls):
    """Else from that of the default language, with directory URLs or without."""
    project, languages = read(structure)
    expected = OWN | DEFAULT | FALLBACK | SHARED
    if urls:
        found = sources(project, languages, expected)
    else:
        paths = {f"{url.removesuffix('/')}.html": url for url in expected if url[-2:-1] in "ab2"}
        found = {
            paths[path]: source
            for path, (source,) in project.layout(languages).sources(paths, paths).items()
        }
        assert found.keys() == {"a/", "b/", "de/a/", "de/b/", "pt-BR/a/", "v1.2/", "pt-BR/v1.2/"}
    names = FILES[structure]
    assert found == {url: names[number] for url, number in expected.items() if url in found}


@pytest.mark.parametrize("structure", FILES)
def test_without_fallback_a_page_has_only_its_own(read, structure):
    """mkdocs-static-i18n builds no other page; a page that is there is made by somebody else."""
    project, languages = read(structure, fallback="false")
    found = sources(project, languages, OWN | DEFAULT | FALLBACK | SHARED)
    assert found.keys() == (OWN | DEFAULT).keys()


TOML = """\
[[plugins.i18n.languages]]
locale = "en"
[[plugins.i18n.languages]]
locale = "de"
[[plugins.i18n.languages]]
locale = "pt-BR"
"""


def test_zensical_i18n_takes_the_first_language_and_an_old_structure(read):
    """If nothing else is said, and there is a folder of the default language (0.3)."""
    project, languages = read("folder", name="zensical.toml", toml=TOML)
    assert project.site.default_locale == "en"
    expected = OWN | DEFAULT | FALLBACK | SHARED
    names = FILES["folder"]
    found = sources(project, languages, expected)
    assert found == {url: names[number] for url, number in expected.items()}


def test_a_site_without_languages_has_none(tmp_path):
    """Without the plugin, or with options that name no language."""
    for text in ("{}", "plugins: [i18n]", "plugins: [{i18n: {languages: {en: English}}}]"):
        (tmp_path / "mkdocs.yml").write_text(text, "utf-8")
        assert read_project(tmp_path / "mkdocs.yml").languages(Path("site")) is None
