"""Both doors beside plugins that change what a page is made of."""

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
def test_what_is_included_counts_for_both(site):
    """Each way to include, each with options of its own: the same dates, the same bytes."""
    site.commit_on("2024-01-01", {f"docs/{name}": text for name, text in INCLUDES.items()})
    site.commit_on("2024-02-01", {"parts/part.md": "A part\n"})
    site.config(more=PARTS)
    built = site.build("--strict")
    before = built.path().read_bytes()
    newer = [loc for loc, day in built.days().items() if day == "2024-02-01"]
    assert len(newer) == 4
    again, done = command(site)
    assert (again.path().read_bytes(), done.stderr) == (before, "")
