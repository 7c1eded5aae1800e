"""Both doors beside plugins that change what a page is made of."""

import pytest
from sites import MATERIAL, Built, needs, only_material, run_command

INCLUDES = {
    "index.md": "# Home\n",
    "snippet.md": '# S\n\n--8<-- "part.md"\n',
    "extension.md": "# X\n\n{!part.md!}\n",
    "directive.md": '# D\n\n[[ take "../parts/part.md" ]]\n',
    "macro.md": '# M\n\n{% include "part.md" %}\n',
    "plain.md": '---\nrender_macros: false\n---\n{% include "part.md" %}\n',
}
PARTS = """\
  - include-markdown:
      opening_tag: "[["
      closing_tag: "]]"
      directives: {include: take}
  - macros: {include_dir: parts, force_render_paths: "macro.md"}
markdown_extensions:
  - pymdownx.snippets: {base_path: parts}
  - markdown_include.include: {base_path: parts}
"""


def command(site):
    """Write the sitemap once more, by the command; returns it with what was said."""
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    return Built(site.folder, 0, ""), done


@needs("mkdocs-include-markdown-plugin", "mkdocs-macros-plugin", "markdown-include")
@pytest.mark.parametrize("more", ["", "use_directory_urls: false\n"], ids=["folders", "files"])
def test_what_is_included_counts_for_both(site, more):
    """Each way to include, each with options of its own: the same dates, the same bytes."""
    site.commit_on("2024-01-01", {f"docs/{name}": text for name, text in INCLUDES.items()})
    site.commit_on("2024-02-01", {"parts/part.md": "A part\n"})
    site.config(more=PARTS + more)
    built = site.build("--strict")
    before = built.path().read_bytes()
    newer = [loc for loc, day in built.days().items() if day == "2024-02-01"]
    assert len(newer) == 4
    again, done = command(site)
    assert (again.path().read_bytes(), done.stderr) == (before, "")


@needs("mkdocs-static-i18n")
@only_material("mkdocs-static-i18n makes the links of Material alone")
@pytest.mark.parametrize("structure", ["suffix", "folder"])
def test_languages_as_the_theme_links_them(site, structure):
    """Material names the versions of each page: the same links, whatever the sources are called."""
    names = {"suffix": ("{}.md", "{}.de.md"), "folder": ("en/{}.md", "de/{}.md")}[structure]
    site.docs({name.format(page): "# P\n" for page in ("index", "a") for name in names})
    site.config(
        theme=MATERIAL,
        more=f"  - i18n:\n      docs_structure: {structure}\n      languages:\n"
        "        - {locale: en, name: E, default: true}\n        - {locale: de, name: D}\n",
    )
    site.commit()
    built = site.build("--strict")
    locs, alternates = built.locs(), built.alternates()
    assert len(alternates) == 4
    again, done = command(site)
    assert (again.locs(), again.alternates()) == (locs, alternates)
    unknown = {"suffix": "de/index.html, de/a/index.html", "folder": "index.html, a/index.html"}
    undated = {"suffix": ("de/", "de/a/"), "folder": ("", "a/")}[structure]
    urls = ", ".join(f"https://example.com/{path}" for path in undated)
    assert done.stderr == (
        f"Warning: sitemap.xml: it replaces a sitemap that had 2 more dates ({urls}). If MkDocs, "
        "ProperDocs or MaterialX builds this site, it can run the plugin sitemap-plus, which knows "
        "more of the site than this command.\n"
        f"Note: 2 pages have no known source ({unknown[structure]}). "
        "Pages without a source are listed without a date.\n"
    )


@needs("mkdocs-gen-files")
def test_generated_pages_have_dates_without_git(site):
    """By the file of dates, if their real sources are named to the command."""
    site.config(
        "lastmod: {sources: [git, file]}",
        more="  - gen-files: {scripts: [gen.py]}\nrepo_url: https://github.com/o/r\n",
    )
    script = (
        "import mkdocs_gen_files as gen\n"
        "with gen.open('api.md', 'w') as page:\n    page.write('# API\\n')\n"
        "gen.set_edit_path('api.md', '../src/a.py')\n"
    )
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "gen.py": script})
    site.commit_on("2024-01-02", {"src/a.py": "A = 1\n"})
    before = site.build("--strict").xml()
    git = site.folder / ".git"
    for also, days in (
        ((), {"": "2024-01-01", "api/": None}),
        (("--also", "src/*.py"), {"": "2024-01-01", "api/": "2024-01-02"}),
    ):
        assert run_command("dates", *also, cwd=site.folder).returncode == 0
        git.rename(site.folder.parent / "hidden")
        built = site.build("--strict")
        assert built.days() == days
        (site.folder.parent / "hidden").rename(git)
    assert built.xml() == before
