"""mkdocs-monorepo-plugin: pages are copied to a temporary folder, and keep their dates."""

import gc

import pytest

pytest.importorskip("mkdocs_monorepo_plugin", reason="needs mkdocs-monorepo-plugin")
pytestmark = pytest.mark.filterwarnings("ignore:Implicitly cleaning up <TemporaryDirectory")


@pytest.fixture(autouse=True)
def _temporary_copies_end_here():
    """The plugin never removes its temporary folders, which then warn in whatever test is next."""
    yield
    gc.collect()


MORE = """\
  - monorepo
nav:
  - Home: index.md
  - About: about.md
  - One: "!include ./one/mkdocs.yml"
  - Two: "!include ./two/mkdocs.yml"
"""
NAV = "site_name: {0}\nnav: [index.md, deep/page.md]\n"


def parts(name):
    """The files of a documentation below."""
    return {
        f"{name}/mkdocs.yml": NAV.format(name),
        f"{name}/docs/index.md": f"# {name}\n",
        f"{name}/docs/deep/page.md": f"# Page of {name}\n",
    }


def test_each_page_has_the_day_of_its_own_file(site):
    """In one repository; an uncommitted page has none."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/about.md": "# About\n"})
    site.commit_on("2024-01-02", parts("one"))
    site.commit_on("2024-01-03", parts("two"))
    site.commit_on("2024-01-04", {"two/docs/deep/page.md": "# Page of two, edited\n"})
    site.write({"docs/new.md": "# New\n"})
    site.config(more=MORE)
    built = site.build("--strict")
    assert built.days() == {
        "": "2024-01-01",
        "about/": "2024-01-01",
        "new/": None,
        "one/": "2024-01-02",
        "one/deep/page/": "2024-01-02",
        "two/": "2024-01-03",
        "two/deep/page/": "2024-01-04",
    }
    assert (built.warnings, built.notes) == ([], [])


def test_what_a_page_depends_on_is_relative_to_its_own_file(site):
    """Not to the temporary copy."""
    front = "---\nsitemap: {depends: ../src/*.py}\n---\n# One\n"
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/about.md": "# About\n"})
    site.commit_on("2024-01-02", parts("one") | parts("two") | {"one/docs/index.md": front})
    site.commit_on("2024-01-03", {"one/src/a.py": "A = 1\n"})
    site.config(more=MORE)
    assert site.build("--strict").days()["one/"] == "2024-01-03"
