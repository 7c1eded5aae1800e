"""Strict builds beside the most used neighbours, from a full clone and from a shallow one."""

import shutil

import pytest
from sites import MATERIAL, SiteMaker, git, needs

PLAIN = {"docs/index.md": "# Home\n", "docs/a.md": "# A\n", "docs/sub/index.md": "# Sub\n"}
GENERATED = (
    "import mkdocs_gen_files\n"
    "with mkdocs_gen_files.open('made.md', 'w') as file:\n    file.write('# Made')\n"
    "mkdocs_gen_files.set_edit_path('made.md', 'a.md')\n"
)
BLOG = {
    **PLAIN,
    "docs/blog/index.md": "# Blog\n",
    "docs/blog/posts/one.md": "---\ndate: 2024-01-02\ntags: [x]\n---\n# One\n",
    "docs/tags.md": "# Tags\n",
}
ENGLISH_GERMAN = """\
  - i18n:
      docs_structure: folder
      languages:
        - {locale: en, default: true, name: English, build: true}
        - {locale: de, name: Deutsch, build: true}
"""
NEIGHBOURS = {
    "material": (["mkdocs-material"], BLOG, MATERIAL, "  - blog\n  - tags\n  - search\n"),
    "mkdocstrings": (
        ["mkdocstrings", "mkdocstrings-python"],
        {**PLAIN, "docs/api.md": "# API\n\n::: pkg\n", "src/pkg/__init__.py": '"""A package."""\n'},
        MATERIAL,
        "  - mkdocstrings:\n      handlers: {python: {paths: [src]}}\n",
    ),
    "minify": (["mkdocs-minify-plugin"], PLAIN, MATERIAL, "  - minify: {minify_html: true}\n"),
    "gen-files": (
        ["mkdocs-gen-files", "mkdocs-literate-nav", "mkdocs-section-index"],
        {**PLAIN, "gen.py": GENERATED},
        MATERIAL,
        (
            "  - gen-files: {scripts: [gen.py]}\n  - literate-nav\n  - section-index\n"
            "repo_url: https://github.com/a/b\nedit_uri: edit/main/docs/\n"
        ),
    ),
    "static-i18n": (
        ["mkdocs-static-i18n"],
        {"docs/en/index.md": "# Home\n", "docs/de/index.md": "# Start\n", "docs/en/a.md": "# A\n"},
        MATERIAL,
        ENGLISH_GERMAN,
    ),
    "macros": (
        ["mkdocs-macros-plugin"],
        {**PLAIN, "docs/m.md": "# M\n\n{{ 1 + 1 }}\n"},
        MATERIAL,
        "  - macros\n",
    ),
    "awesome-nav": (["mkdocs-awesome-nav"], PLAIN, MATERIAL, "  - awesome-nav\n"),
}


@pytest.fixture(
    params=[
        pytest.param(value, id=name, marks=needs(*value[0])) for name, value in NEIGHBOURS.items()
    ]
)
def origin(request, site):
    """A repository in which each page changed after its first commit."""
    _, files, theme, more = request.param
    site.config(theme=theme, more=more)
    site.commit_on("2024-01-01", files)
    pages = {name: text for name, text in files.items() if name.endswith(".md")}
    site.commit_on("2024-02-02", {name: f"{text}\nMore.\n" for name, text in pages.items()})
    site.commit_on("2024-03-03", {"README": "The newest commit changes no page.\n"})
    return site


def clone(origin, *options):
    """A clone of the site beside it; returns its maker."""
    folder = origin.folder.with_name(f"{origin.folder.name}-clone")
    shutil.rmtree(folder, ignore_errors=True)
    git("clone", "-q", *options, origin.folder.as_uri(), str(folder), cwd=origin.folder)
    return SiteMaker(folder)


def test_a_strict_build_of_a_full_clone_passes_without_a_warning(origin):
    """Nothing that a neighbour does is the owner's mistake."""
    built = clone(origin).build("--strict")
    assert built.warnings == []
    assert all("lastmod" in entry for entry in built.entries() if "/made/" not in entry["loc"])


def test_a_strict_build_of_a_shallow_clone_fails_with_one_warning(origin):
    """Dates were asked for, and the clone does not have them."""
    built = clone(origin, "--depth", "1").build("--strict", check=False, GITHUB_ACTIONS="true")
    assert built.returncode == 1
    (warning,) = built.warnings
    assert warning.startswith("0 of ")
    assert "shallow" in warning
    assert "fetch-depth: 0" in warning
    assert "shallow: omit" in warning


def test_who_accepts_a_shallow_clone_builds_strictly(origin):
    """The option that the warning names makes it an information."""
    config = (origin.folder / "mkdocs.yml").read_text("utf-8")
    accepted = config.replace("- sitemap-plus", "- sitemap-plus: {lastmod: {git: {shallow: omit}}}")
    origin.commit_on("2024-04-04", {"mkdocs.yml": accepted})
    built = clone(origin, "--depth", "1").build("--strict")
    assert built.warnings == []
    assert not any("lastmod" in entry for entry in built.entries())
