"""mkdocs-gen-files: a generated page is as new as its real source, where that is known."""

import pytest
from sites import run_command

pytest.importorskip("mkdocs_gen_files", reason="needs mkdocs-gen-files")

SCRIPT = """\
import mkdocs_gen_files

with mkdocs_gen_files.open("reference/mod.md", "w") as page:
    page.write("# mod\\n")
mkdocs_gen_files.set_edit_path("reference/mod.md", "../src/pkg/a b.py")
with mkdocs_gen_files.open("about.md", "a") as page:
    page.write("More.\\n")
with mkdocs_gen_files.open("pure.md", "w") as page:
    page.write("# Pure\\n")
with mkdocs_gen_files.open("gone.md", "w") as page:
    page.write("# Gone\\n")
mkdocs_gen_files.set_edit_path("gone.md", "../src/pkg/gone.py")
"""
GEN = "  - gen-files: {scripts: [gen.py]}\n"
GITHUB = "repo_url: https://github.com/o/r\n"


@pytest.fixture
def generated(site):
    """Two pages of the docs, one of them added to, and three that are made."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n"})
    site.commit_on("2024-01-02", {"docs/about.md": "# About\n"})
    site.commit_on("2024-01-03", {"src/pkg/a b.py": "A = 1\n"})
    site.commit_on("2024-01-04", {"gen.py": SCRIPT})
    return site


LINKED_BY = {
    "derived": GITHUB,
    "absolute": "repo_url: https://git.example/\nedit_uri: /r/-/edit/x/docs\n",
    "template": f"{GITHUB}edit_uri_template: https://ide.example/?file={{path!q}}\n",
    "without links": "",  # mkdocs-gen-files keeps the edit path to itself then
}


@pytest.mark.parametrize("more", LINKED_BY.values(), ids=LINKED_BY)
def test_generated_pages_are_dated_by_their_real_source(generated, more):
    """By the edit path; by the page of the docs that was added to; what has neither is undated."""
    generated.config(more=GEN + more)
    built = generated.build("--strict")
    assert built.days() == {
        "": "2024-01-01",
        "about/": "2024-01-02",
        "gone/": None,
        "pure/": None,
        "reference/mod/": "2024-01-03" if more else None,
    }
    assert (built.warnings, built.notes) == ([], [])


def test_the_command_dates_them_by_their_edit_links(generated):
    """It runs no script, but the theme prints the links that the script set."""
    one, two = (SCRIPT.replace("mod", name).replace("a b.py", f"{name}.py") for name in ("b", "c"))
    generated.commit_on("2024-01-05", {"src/pkg/b.py": "B = 1\n", "gen.py": one})
    generated.commit_on("2024-01-06", {"src/pkg/c.py": "C = 1\n", "more.py": two})
    more = f"{GEN.replace('gen.py', 'gen.py, more.py')}{GITHUB}edit_uri: edit/main/docs/\n"
    generated.config(more=more)
    built = generated.build("--strict")
    assert built.days()["reference/c/"] == "2024-01-06"
    written = built.path().read_bytes()
    done = run_command("build", cwd=generated.folder)
    assert (done.returncode, built.path().read_bytes()) == (0, written), done.stderr


def test_the_edit_path_goes_before_the_page_of_the_docs(site):
    """A page that is written anew is what its source is, whatever lies in the docs folder."""
    script = SCRIPT.replace("reference/mod.md", "index.md")
    site.commit_on("2024-01-01", {"src/pkg/a b.py": "A = 1\n", "gen.py": script})
    site.commit_on("2024-01-02", {"docs/index.md": "# Home\n", "docs/about.md": "# About\n"})
    site.config(more=GEN + GITHUB)
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-01", "about/": "2024-01-02", "gone/": None, "pure/": None}


def test_what_a_generated_page_depends_on_is_relative_to_where_it_would_lie(site):
    """Not to the temporary folder in which it does."""
    script = """\
import mkdocs_gen_files
with mkdocs_gen_files.open("reference/all.md", "w") as page:
    page.write("---\\nsitemap: {depends: ../../src/*.py}\\n---\\n# All\\n")
mkdocs_gen_files.set_edit_path("reference/all.md", "../gen.py")
"""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "gen.py": script})
    site.commit_on("2024-01-02", {"src/a.py": ""})
    site.commit_on("2024-01-03", {"src/b.py": ""})
    site.config(more=GEN + GITHUB)
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-01", "reference/all/": "2024-01-03"}
    assert (built.warnings, built.notes) == ([], [])


LINKED = """\
import mkdocs_gen_files
for name in "abcdefgh":
    with mkdocs_gen_files.open(f"{name}.md", "w") as page:
        page.write(f"# {name}\\n")
"""
LINKS = """\
LINKS = {
    "a.md": "https://git.example/o/r/-/edit/main/src/a.py",
    "b.md": "https://git.example/o/r/-/edit/main/src/shared.py",
    "c.md": "https://git.example/o/r/-/edit/main/src/shared.py",
    "d.md": "https://git.example/o/other/-/edit/main/src/d.py",
    "e.md": "https://git.example/o/r/-/edit/main/src/gone.py",
    "f.md": "https://[",
    "g.md": "https://git.example/o/r/-/edit/main/%00.md",
    "h.md": "mailto:a",
}

def on_page_context(context, page, **_):
    page.edit_url = LINKS.get(page.file.src_uri)
"""


def test_an_edit_link_of_another_form_names_the_source_too(site):
    """But not one that two pages have, that leads elsewhere or nowhere, or whose file is gone."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "gen.py": LINKED, "hook.py": LINKS})
    site.commit_on("2024-01-02", {"src/a.py": "", "src/shared.py": "x", "src/d.py": "y"})
    site.config(more=GEN + "repo_url: https://git.example/o/r\nhooks: [hook.py]\n")
    built = site.build("--strict")
    undated = dict.fromkeys(f"{name}/" for name in "bcdefgh")
    assert built.days() == {"": "2024-01-01", "a/": "2024-01-02"} | undated
    assert (built.warnings, built.notes) == ([], [])
