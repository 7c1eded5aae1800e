"""A site of any builder, whose repository is in a state that could mislead: links, refs, names."""

import pytest
from any_sites import (
    BLOB,
    EDIT,
    PAGES,
    SOURCES,
    built,
    by_git,
    check,
    commit,
    files,
    html,
    link,
    put,
    site_of,
    view,
)
from commands import run
from git_repositories import git

INSTALL, CONFIG = PAGES[1:]


def linked(ref):
    """A site whose links have a branch or a tag."""
    base = f"https://github.com/lamp/lamp/edit/{ref}/"
    return {page: html(base + path) for page, path in zip(PAGES, SOURCES, strict=True)}


@pytest.mark.parametrize("branch", ["release/2.x", "docs/main"])
def test_the_branch_of_the_links_may_have_slashes(top, branch):
    """It is one of those at HEAD, so its name ends where a file begins."""
    commit(top, files("guide/install.md"), branch=branch)
    put(top / "built", linked(branch))
    assert [*built(top)[0].values()] == [by_git(top, SOURCES[n]) for n in (0, 2, 1)]


def test_old_versions_that_are_more_than_the_current_pages_are_not_dated(top):
    """Their links name a branch that is not checked out, though its files are here as well."""
    old = "https://github.com/lamp/lamp/edit/1.x/docs/"
    pages = {f"1.0/{page}": html(f"{old}{page}.md") for page in "abcdef"}
    pages = {f"{name}.html": text for name, text in pages.items()}
    more = [f"docs/{page}.md" for page in "abcdef"]
    check(top, site_of() | pages, dict.fromkeys(pages), files(*more))


def test_a_site_of_a_tag_that_is_checked_out(top):
    """As Read the Docs builds ``stable``."""
    commit(top, files())
    git(top, "tag", "v2")
    git(top, "checkout", "-q", "--detach", "v2")
    put(top / "built", linked("v2") | {"dev/index.html": html(EDIT + "docs/index.md")})
    dates = built(top)[0]
    assert dates["guide/install/"] == by_git(top, SOURCES[1])
    # `main` is the same commit, so both of these pages may be made from the file.
    assert dates[""] is dates["dev/"] is None


def test_two_refs_that_are_equally_frequent_name_nothing(top):
    """If neither is checked out, nobody knows which version the files are."""
    pages = {
        INSTALL: html("https://github.com/lamp/lamp/edit/one/docs/guide/install.md"),
        CONFIG: html("https://github.com/lamp/lamp/edit/two/docs/guide/config.md"),
    }
    commit(top, files())
    put(top / "built", pages)
    assert {*built(top)[0].values()} == {None}


def test_a_renamed_source_keeps_the_date_of_its_text(top):
    """And the link to its old name names nothing."""
    commit(top, files("docs/old.md"))
    written = by_git(top, "docs/old.md")
    git(top, "mv", "docs/old.md", "docs/new.md")
    git(top, "commit", "-qm", "Rename", GIT_COMMITTER_DATE="2024-06-01T10:00:00Z")
    new, old = html(EDIT + "docs/new.md"), html(EDIT + "docs/old.md")
    put(top / "built", site_of() | {"new.html": new, "old.html": old})
    dates = built(top)[0]
    assert (dates["new.html"], dates["old.html"]) == (written, None)


def test_a_symbolic_link_has_the_date_of_its_target(top):
    """A link in the repository is shown with the text of the file that it leads to."""
    of = files("README.md") | {"docs/readme.md": ("../README.md",)}
    commit(top, of)
    put(top / "built", site_of() | {"readme.html": html(EDIT + "docs/readme.md")})
    assert built(top)[0]["readme.html"] == by_git(top, "README.md")


def test_a_file_of_a_submodule_is_no_file_of_this_repository(top, tmp_path_factory):
    """Neither by the address of the submodule, nor by its path here."""
    inner = tmp_path_factory.mktemp("inner")
    commit(inner, {"docs/guide/install.md": "# Inner\n"}, origin=None)
    commit(top, files())
    git(top, "submodule", "add", "-q", str(inner), "part")
    git(top, "commit", "-qm", "Add")
    pages = {
        "a.html": html("https://github.com/lamp/part/edit/main/docs/guide/install.md"),
        "b.html": html(EDIT + "part/docs/guide/install.md"),
    }
    put(top / "built", site_of() | pages)
    dates = built(top)[0]
    assert dates["a.html"] is dates["b.html"] is None
    assert dates["guide/install/"] == by_git(top, SOURCES[1])


def test_the_sources_may_be_in_a_folder_of_the_repository(top, monkeypatch):
    """The command runs there, and names files from there."""
    commit(top, files())
    put(top / "docs" / "built", site_of())
    monkeypatch.chdir(top / "docs")
    dates, out, _ = built(top / "docs")
    assert dates["guide/install/"] == by_git(top, SOURCES[1])
    assert out == "sitemap.xml: 3 pages, all dated (git)\n"


def test_without_a_remote_the_links_to_edit_pages_name_the_repository(top):
    """Whatever file of a theme each page links to as well, if this repository has one like it."""
    commit(top, files("LICENSE"), origin=None)
    theme = link("https://github.com/theme/theme/blob/main/LICENSE")
    put(top / "built", {page: text + theme for page, text in site_of().items()})
    assert [*built(top)[0].values()] == [by_git(top, SOURCES[n]) for n in (0, 2, 1)]


def test_in_a_fork_the_links_lead_to_the_remote_upstream(top):
    """As it is called in a clone by GitHub's own program; a remote of another name is not asked."""
    commit(top, files(), origin="https://github.com/me/lamp.git")
    put(top / "built", site_of())
    git(top, "remote", "add", "theme", "https://github.com/lamp/lamp")
    assert {*built(top)[0].values()} == {None}
    git(top, "remote", "rename", "theme", "upstream")
    assert [*built(top)[0].values()] == [by_git(top, SOURCES[n]) for n in (0, 2, 1)]


def test_links_to_code_in_a_fork_are_no_links_to_another_repository(top):
    """Whichever of its two names they have: they are no sources, and no mistake either."""
    commit(top, files("src/a.py"), origin="https://github.com/me/lamp.git")
    git(top, "remote", "add", "upstream", "https://github.com/lamp/lamp")
    for name in ("me", "lamp"):
        code = link(BLOB.replace("/lamp/lamp/", f"/{name}/lamp/") + "src/a.py")
        put(top / "built", dict.fromkeys(PAGES, html(text=code)))
        dates, _, errors = built(top)
        assert {*dates.values()} == {None}
        assert f"github.com/{name}/lamp" not in errors


def sphinx(href):
    """A page of Sphinx with the link to the copy of its source."""
    return f'<html><head></head><body><a href="{href}" rel="nofollow">Show Source</a></body></html>'


def put_copies(top, *names, text="x\n"):
    """Write copies of sources, as Sphinx does."""
    put(top / "built" / "_sources", dict.fromkeys(names, text))


def test_sphinx_names_the_source_by_its_copy(top):
    """The page of an index, or a link to another page, has none."""
    of = dict.fromkeys(("doc/conf.py", "doc/index.rst", "doc/a/b.md", "doc/n.txt", "a/b.md"), "x\n")
    commit(top, of)
    put_copies(top, "index.rst.txt", "a/b.md.txt", "n.txt", "api/made.rst.txt")
    pages = {
        "index.html": sphinx("_sources/index.rst.txt"),
        "a/b.html": sphinx("../_sources/a/b.md.txt"),
        "n.html": sphinx("_sources/n.txt"),
        "api/made.html": sphinx("../_sources/api/made.rst.txt"),
        "c.html": sphinx("_sources/index.rst.txt"),
        "genindex.html": "<html><body>Index</body></html>",
    }
    put(top / "built", pages)
    sources = {"": "doc/index.rst", "a/b.html": "doc/a/b.md", "n.html": "doc/n.txt"}
    undated = dict.fromkeys(("api/made.html", "c.html", "genindex.html"))
    assert built(top)[0] == {page: by_git(top, path) for page, path in (sources | undated).items()}


def test_a_copy_that_two_sphinx_projects_may_have_made_names_nothing(top):
    """Unless one of them has more of the pages."""
    of = ("one/conf.py", "one/index.rst", "two/conf.py", "two/index.rst", "two/b.rst")
    commit(top, dict.fromkeys(of, "x\n"))
    put_copies(top, "index.rst.txt", "b.rst.txt")
    put(top / "built", {"index.html": sphinx("_sources/index.rst.txt")})
    assert built(top)[0] == {"": None}
    put(top / "built", {"b.html": sphinx("_sources/b.rst.txt")})
    assert built(top)[0] == {"": by_git(top, "two/index.rst"), "b.html": by_git(top, "two/b.rst")}


def test_a_copy_must_have_the_bytes_of_its_source(top):
    """Another project may have more files of these names, or the only one with a conf.py here."""
    of = {
        **{f"one/{name}.rst": f"One {name}\n" for name in ("index", "a")},
        **{f"two/{name}.rst": f"Two {name}\n" for name in ("index", "a", "made")},
        "two/conf.py": "",
    }
    commit(top, of)
    pages = {f"{name}.html": sphinx(f"_sources/{name}.rst.txt") for name in ("index", "a", "made")}
    put(top / "built", pages)
    for name in ("index", "a"):
        put_copies(top, f"{name}.rst.txt", text=f"One {name}\n")
    put_copies(top, "made.rst.txt", text="Made for one\n")
    sources = {"": "one/index.rst", "a.html": "one/a.rst", "made.html": None}
    assert built(top)[0] == {page: by_git(top, path) for page, path in sources.items()}
    (top / "one" / "a.rst").write_text("Changed after the build\n", "utf-8")
    assert built(top)[0]["a.html"] is None


DOUBTS = {
    "another repository": (
        {INSTALL: html("https://github.com/other/lamp/edit/main/" + SOURCES[1])},
        "its link leads to another repository, 'other/lamp'",
    ),
    "a rival": (
        {"next/guide/install/index.html": html(EDIT + SOURCES[1])},
        "it may be 'docs/guide/install.md', but so may that of 'next/guide/install/index.html'",
    ),
    "two links": (
        {INSTALL: html(EDIT + SOURCES[1]) + html(EDIT + SOURCES[2])},
        "its links lead to 'docs/guide/install.md' and 'docs/guide/config.md'",
    ),
    "no file": (
        {INSTALL: html(EDIT + "docs/old.md")},
        "its link leads to 'docs/old.md', which is no file at HEAD",
    ),
    "a folder twice": (
        {page: html(EDIT + "docs/" + source) for page, source in zip(PAGES, SOURCES, strict=True)},
        "its link leads to 'docs/docs/guide/install.md', which is no file at HEAD",
    ),
    "another branch": (
        {
            page: html(EDIT.replace("/main/", "/old/work/") + source)
            for page, source in zip(PAGES, SOURCES, strict=True)
        },
        "its link is of branch 'old/work', but 'main' is built",
    ),
    "another language": (
        {INSTALL: html(EDIT + SOURCES[1], lang="de"), "a.html": html(EDIT + SOURCES[1])},
        "'docs/guide/install.md' is in another language",
    ),
}


@pytest.mark.parametrize("name", DOUBTS)
def test_why_a_link_does_not_count_can_be_asked(top, name):
    """It is the reason for which the page has no date."""
    pages, why = DOUBTS[name]
    commit(top, files("de/guide/install.md"))
    put(top / "built", site_of() | pages)
    assert built(top)[0]["guide/install/"] is None
    _, out, _ = run("explain", "-d", "built", INSTALL)
    assert f"the source file of the page is not known: {why}\n" in out


@pytest.mark.parametrize("says", ['class="edit-link"', 'id="editLink"', 'rel="edit"', ""])
def test_the_only_page_of_a_template_is_dated_if_its_link_says_edit(top, says):
    """By class, ID or rel, as the only post of a blog; otherwise it may be a link in its text."""
    commit(top, files())
    post = html().replace("</main>", f'<header><a {says} href="{EDIT}{SOURCES[1]}">E</a></main>')
    put(top / "built", site_of() | {INSTALL: post})
    dated = by_git(top, SOURCES[1]) if says else None
    assert built(top)[0]["guide/install/"] == dated


def test_dates_are_those_of_the_options_of_git(top):
    """A commit that an ignore file names does not count, as everywhere."""
    commit(top, files())
    (top / SOURCES[1]).write_text("# Other\n", "utf-8")
    written = by_git(top, SOURCES[1])
    git(top, "commit", "-qam", "Format", GIT_COMMITTER_DATE="2024-06-01T10:00:00Z")
    (top / ".git-blame-ignore-revs").write_bytes(git(top, "rev-parse", "HEAD"))
    put(top / "built", site_of())
    assert built(top)[0]["guide/install/"] == written


def test_pages_that_only_show_their_source_beside_links_to_code(top):
    """The theme's link is the one that is named like the page."""
    pages = {page: view(BLOB + path) for page, path in zip(PAGES, SOURCES, strict=True)}
    more = f'<a href="{BLOB}README.md">r</a><a href="{BLOB}src/config.md">c</a>'
    pages[INSTALL] += more
    pages[CONFIG] += more.replace("src/config", "src/conf")
    check(top, pages, {}, files("README.md", "src/config.md", "src/conf.md"))


def test_a_link_out_of_the_repository_is_no_source(top, tmp_path_factory):
    """What it leads to was not published, and nothing of it stands in a message."""
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.md"
    secret.write_text("---\npriority: the-secret\n---\n# Install\n")
    commit(top, files("guide/install.md"))
    put(top / "built", site_of())
    page = top / SOURCES[1]
    page.unlink()
    page.symlink_to(secret)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Link")
    dates, *said = built(top)
    assert dates["guide/install/"] is None
    assert "the-secret" not in str(said)
