"""Sites whose files lie in several repositories, elsewhere, or behind symbolic links."""

import os

import pytest
from sites import SiteMaker, git

OLD = "2024-01-01T10:00:00+0000"


def other(folder, day, files):
    """Another repository with one commit."""
    maker = SiteMaker(folder)
    maker.commit_on(day, files)
    return maker


def test_a_submodule_with_docs_in_it(site, tmp_path_factory):
    """Its pages have its dates, not that of the commit that took it in."""
    source = other(tmp_path_factory.mktemp("library"), "2024-01-01", {"docs/api.md": "# API\n"})
    source.commit_on("2024-01-02", {"docs/guide.md": "# Guide\n"})
    site.commit_on("2024-02-01", {"docs/index.md": "# Home\n"})
    add = ("submodule", "add", "-q", str(source.folder), "docs/library")
    git("-c", "protocol.file.allow=always", *add, cwd=site.folder)
    site.commit_on("2024-03-01", {"docs/about.md": "# About\n"})
    site.config()
    built = site.build("--strict")
    assert built.days() == {
        "": "2024-02-01",
        "about/": "2024-03-01",
        "library/docs/api/": "2024-01-01",
        "library/docs/guide/": "2024-01-02",
    }
    assert (built.warnings, built.notes) == ([], [])


def test_a_page_as_new_as_a_file_of_another_repository(site, tmp_path_factory):
    """A snippet or a dependency may come from a submodule."""
    source = other(tmp_path_factory.mktemp("library"), "2024-03-01", {"README.md": "Read me.\n"})
    page = "---\nsitemap: {depends: ../library/README.md}\n---\n# Home\n"
    site.commit_on("2024-02-01", {"docs/index.md": page})
    add = ("submodule", "add", "-q", str(source.folder), "library")
    git("-c", "protocol.file.allow=always", *add, cwd=site.folder)
    site.commit_on("2024-04-01", {"docs/about.md": "# About\n"})
    site.config()
    assert site.build("--strict").days() == {"": "2024-03-01", "about/": "2024-04-01"}


def test_docs_outside_the_repository_of_mkdocs_yml(site, tmp_path_factory):
    """The repository of the docs dates them; that of mkdocs.yml does not count."""
    docs = other(tmp_path_factory.mktemp("docs"), "2024-01-05", {"index.md": "# Home\n"})
    docs.commit_on("2024-01-06", {"sub/a.md": "# A\n"})
    site.config(more=f"docs_dir: {docs.folder}\n")
    site.commit(date=OLD)
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-05", "sub/a/": "2024-01-06"}
    assert (built.warnings, built.notes) == ([], [])


@pytest.fixture
def linked(site):
    """The docs folder is a symbolic link, and so are a page in it and a folder in it."""
    site.commit_on("2024-01-01", {"website/pages/index.md": "# Home\n"})
    site.commit_on("2024-01-02", {"README.md": "# Read me\n"})
    site.commit_on("2024-01-03", {"guide/a.md": "# A\n"})
    site.commit_on("2024-01-04", {"website/near.txt": "near\n"})
    site.commit_on("2024-01-05", {"near.txt": "far\n"})
    (site.folder / "docs").symlink_to("website/pages")
    (site.folder / "website/pages/readme.md").symlink_to("../../README.md")
    (site.folder / "website/pages/guide").symlink_to("../../guide")
    site.config()
    site.commit(date="2024-02-01T10:00:00+0000")
    return site


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_symbolic_links_stand_for_what_they_name(linked):
    """Not for the day on which the link was made."""
    built = linked.build("--strict")
    assert built.days() == {"": "2024-01-01", "guide/a/": "2024-01-03", "readme/": "2024-01-02"}
    assert (built.warnings, built.notes) == ([], [])


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_what_is_beside_a_linked_folder_is_beside_what_it_names(linked):
    """``..`` leads where the operating system finds it."""
    page = "---\nsitemap: {depends: ../near.txt}\n---\n# Home\n"
    linked.commit_on("2024-01-01", {"website/pages/index.md": page})
    assert linked.build("--strict").days()[""] == "2024-01-04"


def test_docs_that_moved_as_a_whole_keep_their_dates(site):
    """From docs/ to website/docs/, untouched; with ``any`` the move is a change."""
    files = {"docs/index.md": "# Home\n", "docs/a.md": "# A\n", "docs/sub/b.md": "# B\n"}
    for day, (name, text) in enumerate(files.items(), 1):
        site.commit_on(f"2024-01-0{day}", {name: text})
    (site.folder / "website").mkdir()
    git("mv", "docs", "website/docs", cwd=site.folder)
    site.config(more="docs_dir: website/docs\n")
    site.commit(date="2024-02-01T10:00:00+0000")
    days = {"": "2024-01-01", "a/": "2024-01-02", "sub/b/": "2024-01-03"}
    assert site.build("--strict").days() == days
    site.config("lastmod: {git: {change: any}}", more="docs_dir: website/docs\n")
    assert site.build("--strict").days() == dict.fromkeys(days, "2024-02-01")
