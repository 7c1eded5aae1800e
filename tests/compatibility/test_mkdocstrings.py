"""mkdocstrings: on request, an API page is as new as the Python files that it shows."""

import pytest

pytest.importorskip("mkdocstrings_handlers.python", reason="needs mkdocstrings[python]")

PLUGIN = """\
  - mkdocstrings:
      handlers: {python: {paths: [src]}}
"""
ON_REQUEST = "lastmod: {includes: [mkdocstrings]}"
FENCED = """\
# Fenced

```text
::: pkg.late
```
"""
TABBED = """\
# Tabbed

!!! note

    ## ::: pkg.late
        options: {show_source: false}
"""


@pytest.fixture
def library(site):
    """A package whose parts have days of their own, and pages on some of them."""
    site.commit_on(
        "2024-01-01",
        {
            "docs/index.md": "# Home\n",
            "docs/one.md": "# One\n\n::: pkg.one.f\n",
            "docs/package.md": "# Package\n\n::: pkg\n    handler: python\n",
            "docs/tabbed.md": TABBED,
            "docs/fenced.md": FENCED,
            "docs/builtin.md": "# Hidden\n\n<!--\n::: no.such.module\n-->\n",
            "docs/new.md": "# Older code\n\n::: pkg.one\n",
        },
    )
    exports = "from pkg._two import g\nfrom pkg.late import hidden\n__all__ = ['g']\n"
    site.commit_on("2024-01-02", {"src/pkg/__init__.py": exports})
    site.commit_on("2024-01-03", {"src/pkg/one.py": 'def f():\n    """Does f."""\n'})
    site.commit_on("2024-01-04", {"src/pkg/_two.py": 'def g():\n    """Does g."""\n'})
    site.commit_on("2024-01-05", {"src/pkg/late.py": 'def hidden():\n    """Hides."""\n'})
    site.commit_on("2024-01-06", {"docs/new.md": "# Older\n\n::: pkg.one\n"})
    return site


def test_on_request_a_page_is_as_new_as_what_it_shows(library):
    """The file of the object, and of what a package exports; not what it only imports.

    It is off by default: an edit of private code would date an API page.
    """
    more = PLUGIN + "markdown_extensions: [admonition]\n"
    library.config(more=more)
    days = dict.fromkeys(("", "builtin/", "fenced/", "one/", "package/", "tabbed/"), "2024-01-01")
    assert library.build("--strict").days() == days | {"new/": "2024-01-06"}
    library.config(ON_REQUEST, more=more)
    built = library.build("--strict")
    assert built.days() == {
        "": "2024-01-01",
        "builtin/": "2024-01-01",
        "fenced/": "2024-01-01",
        "new/": "2024-01-06",
        "one/": "2024-01-03",
        "package/": "2024-01-04",
        "tabbed/": "2024-01-05",
    }
    assert (built.warnings, built.notes) == ([], [])


SCRIPT = """\
from pathlib import Path
import mkdocs_gen_files

nav = mkdocs_gen_files.Nav()
for path in sorted(Path("src").rglob("*.py")):
    parts = path.relative_to("src").with_suffix("").parts
    if parts[-1] == "__init__":
        parts, name = parts[:-1], Path(*parts[:-1], "index.md")
    else:
        name = Path(*parts).with_suffix(".md")
    nav[parts] = name.as_posix()
    with mkdocs_gen_files.open(Path("reference", name), "w") as page:
        page.write("::: " + ".".join(parts) + "\\n")
    mkdocs_gen_files.set_edit_path(Path("reference", name), Path("..") / path)
with mkdocs_gen_files.open("reference/SUMMARY.md", "w") as file:
    file.writelines(nav.build_literate_nav())
"""


def test_the_recipe_with_gen_files_and_literate_nav(library):
    """Each page of the reference has the day of its module; the list of them has none."""
    pytest.importorskip("mkdocs_gen_files", reason="needs mkdocs-gen-files")
    pytest.importorskip("mkdocs_literate_nav", reason="needs mkdocs-literate-nav")
    for page in (library.folder / "docs").glob("*.md"):
        page.unlink()
    library.commit_on("2024-01-07", {"gen.py": SCRIPT, "docs/index.md": "# Home!\n"})
    more = "  - gen-files: {scripts: [gen.py]}\n  - literate-nav: {nav_file: SUMMARY.md}\n" + PLUGIN
    nav = "nav: [index.md, API: reference/]\nrepo_url: https://github.com/o/r\n"
    library.config(more=more + nav)
    built = library.build("--strict")
    days = {
        "": "2024-01-07",
        "reference/SUMMARY/": None,
        "reference/pkg/": "2024-01-02",
        "reference/pkg/_two/": "2024-01-04",
        "reference/pkg/late/": "2024-01-05",
        "reference/pkg/one/": "2024-01-03",
    }
    assert built.days() == days
    library.config(ON_REQUEST, more=more + nav)
    built = library.build("--strict")
    assert built.days() == days | {"reference/pkg/": "2024-01-04"}
    assert (built.warnings, built.notes) == ([], [])


INHERITED = {
    "docs/plain.md": "# A\n\n::: p.a.K\n",
    "docs/own.md": "# A\n\n::: p.a.K\n    options:\n      inherited_members: true\n",
    "docs/off.md": "# A\n\n::: p.a.K\n    options: {inherited_members: false}\n",
    "docs/module.md": "# A\n\n::: p.a\n    options: {inherited_members: [m]}\n",
    "docs/package.md": "# P\n\n::: p\n    options: {show_submodules: true}\n",
    "src/p/__init__.py": '"""A package."""\n',
    "src/p/a.py": 'from .b import Base\nfrom .c import Other\nclass K(Base):\n    """A class."""\n',
}


@pytest.mark.parametrize("default", ["", ", options: {inherited_members: true}"])
def test_what_a_page_shows_of_other_files_counts(site, default):
    """Inherited members and submodules, as its options or those of the handler say."""
    site.commit_on("2024-01-01", {name: INHERITED[name] for name in INHERITED})
    for day, name in enumerate(("Base", "Other"), 2):
        text = f'class {name}:\n    def m(self):\n        """Shown in {name}."""\n'
        site.commit_on(f"2024-01-0{day}", {f"src/p/{'bc'[day - 2]}.py": text})
    options = PLUGIN.replace("[src]", f"[src]{default}")
    site.config(ON_REQUEST, more=options)
    built = site.build()
    shown = {
        name: "Shown in Base" in built.path(f"{name}/index.html").read_text("utf-8")
        for name in ("plain", "own", "off", "module")
    }
    assert shown == {"plain": bool(default), "own": True, "off": False, "module": True}
    days = {f"{name}/": "2024-01-02" if base else "2024-01-01" for name, base in shown.items()}
    assert built.days() == days | {"package/": "2024-01-03"}
