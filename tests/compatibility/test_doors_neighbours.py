"""Both doors beside plugins that change what a page is made of."""

import pytest
from sites import Built, needs, run_command

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
    """Write the sitemap once more, by the command; returns it with what was printed."""
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


@needs("mkdocs-include-markdown-plugin", "mkdocs-macros-plugin")
def test_a_plugin_that_is_switched_off_includes_nothing_for_both(site):
    """Its directives are plain text, so its files do not date the page."""
    text = '{% include "part.md" %}\n{% include-markdown "../parts/part.md" %}\n'
    site.commit_on("2024-01-01", {"docs/index.md": text})
    site.commit_on("2024-02-01", {"parts/part.md": "A part\n"})
    site.config(
        more="  - include-markdown: {enabled: false}\n"
        "  - macros: {include_dir: parts, enabled: false}\n"
    )
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-01"}
    before = built.path().read_bytes()
    again, done = command(site)
    assert (again.path().read_bytes(), done.stderr) == (before, "")


LANGUAGES = {
    "suffix": "index.md index.de.md a.md a.de.md v1.2.md only.md b/README.md b/README.pt.md"
    " new.de.md c.fr.md",
    "folder": "en/index.md de/index.md en/a.md de/a.md en/v1.2.md en/only.md en/b/README.md"
    " pt/b/README.md de/new.md top.md fr/c.md",
}


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
