"""``mkdocs-sitemap-plus build SITE --site-url URL``: a site that any builder built.

Each page has the date of its own source by ``git log``, or none.
"""

import pytest
from any_sites import (
    BLOB,
    EDIT,
    ORIGIN,
    PAGES,
    SOURCES,
    URL,
    check,
    files,
    html,
    link,
    site_of,
    view,
)
from quantity import one_in

INSTALL, CONFIG = PAGES[1:]

HOSTS = {
    "GitHub": (ORIGIN, "https://github.com/lamp/lamp/edit/main/{}"),
    "GitLab": (
        "git@gitlab.com:lamp/docs/lamp.git",
        "https://gitlab.com/lamp/docs/lamp/-/edit/main/{}",
    ),
    "GitLab's IDE": (
        "https://git.example/lamp/lamp",
        "https://git.example/-/ide/project/lamp/lamp/edit/main/-/{}",
    ),
    "an old GitLab": (
        "ssh://git@git.example:22/lamp/lamp.git",
        "https://git.example/lamp/lamp/edit/main/{}",
    ),
    "Bitbucket": (
        "git@bitbucket.org:lamp/lamp.git",
        "https://bitbucket.org/lamp/lamp/src/main/{}?mode=edit&amp;at=main",
    ),
    "Codeberg": (
        "https://codeberg.org/lamp/lamp.git",
        "https://codeberg.org/lamp/lamp/_edit/main/{}",
    ),
    "no remote": (None, "https://github.com/lamp/lamp/edit/main/{}"),
    "a clone of a folder": ("/srv/git/lamp.git", "https://github.com/lamp/lamp/edit/main/{}"),
    "a repository named src": (
        "https://github.com/lamp/src",
        "https://github.com/lamp/src/edit/main/{}",
    ),
    "an owner in capitals": (ORIGIN, "https://github.com/Lamp/LAMP/edit/main/{}"),
    "two slashes": (ORIGIN, "https://github.com/lamp/lamp/edit/main//{}"),
}


@one_in(3)
@pytest.mark.parametrize("host", HOSTS)
def test_the_link_to_edit_a_page_names_its_source(top, host):
    """On every host, by its own form of the link, and whatever the remote is called by."""
    origin, link = HOSTS[host]
    pages = {page: html(link.format(path)) for page, path in zip(PAGES, SOURCES, strict=True)}
    check(top, pages, {}, origin=origin)


VIEWS = {
    "GitHub": (ORIGIN, "https://github.com/lamp/lamp/blob/main/{}?plain=1"),
    "a folder's verb": (ORIGIN, "https://github.com/lamp/lamp/tree/main/{}"),
    "Gitea": ("https://git.example/lamp/lamp", "https://git.example/lamp/lamp/src/branch/main/{}"),
}


@pytest.mark.parametrize("host", VIEWS)
def test_a_link_that_only_shows_a_file_must_be_named_like_the_page(top, host):
    """The fourth page links to a file with another name, which is none of its own."""
    origin, link = VIEWS[host]
    pages = {page: view(link.format(path)) for page, path in zip(PAGES, SOURCES, strict=True)}
    pages["guide/other/index.html"] = view(link.format("README.md"))
    check(top, pages, {"guide/other/index.html": None}, files("README.md"), origin=origin)


OTHER = "https://github.com/other/lamp/edit/main/"
VIEWED = {page: view(BLOB + path) for page, path in zip(PAGES, SOURCES, strict=True)}
TRAPS = {
    "two edit links": (
        {INSTALL: html(EDIT + SOURCES[1]) + html(EDIT + SOURCES[2])},
        {INSTALL: None},
    ),
    "an edit link of the theme, and one in the text": (
        {INSTALL: html(EDIT + SOURCES[1], link(EDIT + SOURCES[2]))},
        {INSTALL: SOURCES[1]},
    ),
    "one link twice": (
        {INSTALL: html(EDIT + SOURCES[1], link(EDIT + SOURCES[1]))},
        {INSTALL: SOURCES[1]},
    ),
    "a link to edit another repository": (
        {INSTALL: html(EDIT + SOURCES[1], link(OTHER + SOURCES[2]))},
        {INSTALL: SOURCES[1]},
    ),
    "only links to another repository": ({INSTALL: html(OTHER + SOURCES[1])}, {INSTALL: None}),
    "a repository in a group of the same name": (
        {INSTALL: html("https://gitlab.com/group/lamp/lamp/-/edit/main/docs/guide/install.md")},
        {INSTALL: None},
    ),
    "a link to another page": ({INSTALL: html(EDIT + SOURCES[2])}, {INSTALL: None, CONFIG: None}),
    "code links in the text": (
        {INSTALL: html(EDIT + SOURCES[1], link(BLOB + "src/a.py") + link(BLOB + "README.md"))},
        {INSTALL: SOURCES[1]},
    ),
    "a lone edit link in the text": (
        {"news/index.html": html(text="To help, " + link(EDIT + "CONTRIBUTING.md"))},
        {"news/index.html": None},
    ),
    "a lone edit link in the text of the home page": (
        {"index.html": html(text=link(EDIT + "README.md"))},
        {"index.html": None},
    ),
    "a lone link to code named like the page": (
        {CONFIG: html(text=link(BLOB + "src/config.py"))},
        {CONFIG: None},
    ),
    "a lone link to an example named like the page": (
        {CONFIG: html(text=link(BLOB + "examples/config.md"))},
        {CONFIG: None},
    ),
    "a link to a line": (
        {CONFIG: html(text=link(BLOB + "docs/guide/config.md#L10"))},
        {CONFIG: None},
    ),
    "a link in a comment": (
        {"new/index.html": html(text=f"<!-- {link(EDIT + 'docs/new.md')} -->")},
        {"new/index.html": None},
    ),
    "a link in a script": (
        {"new/index.html": html(text=f"<script>'{link(EDIT + 'docs/new.md')}'</script>")},
        {"new/index.html": None},
    ),
    "a link in a template": (
        {"new/index.html": html(text=f"<template>{link(EDIT + 'docs/new.md')}</template>")},
        {"new/index.html": None},
    ),
    "a link in a value": (
        {"new/index.html": html(text=f"<i data-x='{link(EDIT + 'docs/new.md')}'></i>")},
        {"new/index.html": None},
    ),
    "a link as text": (
        {"new/index.html": html(text="&lt;a href=&quot;" + EDIT + "docs/new.md&quot;&gt;")},
        {"new/index.html": None},
    ),
    "an old version that links to the current docs": (
        {"1.0/guide/install/index.html": html(EDIT + SOURCES[1])},
        {"1.0/guide/install/index.html": None, INSTALL: None},
    ),
    "an old version whose canonical is the current page": (
        {
            "1.0/guide/install/index.html": html(
                EDIT + SOURCES[1], head=f'<link rel="canonical" href="{URL}guide/install/">'
            )
        },
        {INSTALL: None},
    ),
    "a next version that no robot reads": (
        {
            "next/guide/install/index.html": html(
                EDIT + SOURCES[1], head='<meta name=robots content="noindex">'
            )
        },
        {INSTALL: None},
    ),
    "the index of a next version": (
        {
            "docs/index.html": html(EDIT + "docs/new/README.md"),
            "docs/next/index.html": html(
                EDIT + "docs/new/README.md", head='<meta name=robots content="noindex">'
            ),
        },
        {"docs/index.html": None},
    ),
    "an old version without a language": (
        {"1.0/guide/install/index.html": html(EDIT + SOURCES[1], lang="")},
        {"1.0/guide/install/index.html": None, INSTALL: None},
    ),
    "an old version whose language is more exact": (
        {"1.0/guide/install/index.html": html(EDIT + SOURCES[1], lang="en-US")},
        {"1.0/guide/install/index.html": None, INSTALL: None},
    ),
    "two pages whose text links to a file of the same name": (
        {
            f"{name}.html": html(text=f"See {link(f'{BLOB}{name.upper()}.md')}")
            for name in ("changes", "contributing")
        },
        {"changes.html": None, "contributing.html": None},
    ),
    "a package whose text links to its README": (
        {"packages/core/index.html": html(text=f"Read {link(BLOB + 'packages/core/README.md')}")},
        {"packages/core/index.html": None},
    ),
    "pages of an API whose theme links to their code": (
        {f"api/{name}.html": html(EDIT + f"src/{name[-1]}.py") for name in ("of-a", "of-c")},
        {"api/of-a.html": None, "api/of-c.html": None},
    ),
    "pages of a package whose theme links to its code": (
        {f"{name}/index.html": html(EDIT + f"src/{name}/__init__.py") for name in ("lamp", "cli")},
        {"lamp/index.html": "src/lamp/__init__.py", "cli/index.html": "src/cli/__init__.py"},
    ),
    "two pages that ask to improve an example": (
        {
            f"{name}.html": html(text="") + f"<p>{link(EDIT + f'src/{name[0]}.py')}"
            for name in ("apple", "config")
        },
        {"apple.html": None, "config.html": None},
    ),
    "an old version in a branch of its own": (
        {
            "1.0/guide/install/index.html": html(
                "https://github.com/lamp/lamp/edit/1.x/docs/guide/install.md"
            )
        },
        {"1.0/guide/install/index.html": None},
    ),
    "a translation that links to the original": (
        {"de/guide/install/index.html": html(EDIT + SOURCES[1], lang="de")},
        {"de/guide/install/index.html": None},
    ),
    "a page that is not translated yet": (
        {"de/guide/config/index.html": html(EDIT + SOURCES[2], lang="de")},
        {"de/guide/config/index.html": SOURCES[2]},
    ),
    "a translation with its own file": (
        {"de/guide/install/index.html": html(EDIT + "i18n/de/current/install.md", lang="de")},
        {"de/guide/install/index.html": "i18n/de/current/install.md"},
    ),
    "a translation at Crowdin whose link is that of the original": (
        {"fr/guide/config/index.html": html(EDIT + SOURCES[2], lang="fr")},
        {"fr/guide/config/index.html": None},
    ),
    "a translation at Crowdin": (
        {"fr/index.html": html("https://crowdin.com/project/lamp/edit/fr", lang="fr")},
        {"fr/index.html": None},
    ),
    "languages, of which the home page without a link has the first": (
        {
            "index.html": html(),
            "changes/index.html": html(EDIT + "CHANGES.md"),
            "de/changes/index.html": html(EDIT + "CHANGES.md", lang="de"),
        },
        dict.fromkeys(("changes/index.html", "de/changes/index.html"), "CHANGES.md")
        | {"index.html": None},
    ),
    "a translation whose folder is named by the country": (
        {"zh-cn/guide/config/index.html": html(EDIT + SOURCES[2], lang="zh-Hans")},
        {"zh-cn/guide/config/index.html": None},
    ),
    "the catalogue of a book": (
        {"es/guide/config/index.html": html(EDIT + SOURCES[2], lang="es")},
        {"es/guide/config/index.html": None},
    ),
    "the catalogue of gettext": (
        {"it/guide/config/index.html": html(EDIT + SOURCES[2], lang="it")},
        {"it/guide/config/index.html": None},
    ),
    "a list with the one post of a blog": (
        {
            "blog/index.html": html(EDIT + "blog/post.md"),
            "post/index.html": html(EDIT + "blog/post.md"),
        },
        {"blog/index.html": None, "post/index.html": None},
    ),
    "an index that was made": (
        {"genindex.html": html(EDIT + "docs/genindex.rst")},
        {"genindex.html": None},
    ),
    "pages of an API that share a template": (
        {f"api/{name}/index.html": html(EDIT + "docs/api.md") for name in "ab"},
        {"api/a/index.html": None, "api/b/index.html": None},
    ),
    "pages of an API that are equal, in one folder": (
        {f"api/{name}.html": html(EDIT + "docs/api.md") for name in "ab"},
        {"api/a.html": None, "api/b.html": None},
    ),
    "the first chapter of a book, which is its index too": (
        {name: html(EDIT + "docs/new.md") for name in ("index.html", "new.html")},
        {"index.html": "docs/new.md", "new.html": "docs/new.md"},
    ),
    "an index with more than the page that it links to": (
        {"index.html": html(EDIT + "docs/new.md", "All."), "new.html": html(EDIT + "docs/new.md")},
        {"index.html": None, "new.html": None},
    ),
    "a copy in the folder of an old version": (
        {f"{folder}index.html": html(EDIT + "docs/new.md") for folder in ("", "1.0/")},
        {"index.html": None, "1.0/index.html": None},
    ),
    "a link of the theme that only shows a file, and one in the text": (
        VIEWED | {"index.html": view(BLOB + SOURCES[0]) + f"<p>{link(BLOB + 'README.md')}"},
        {},
    ),
    "two links of the theme that only show files": (
        VIEWED | {"index.html": view(BLOB + SOURCES[0]) + view(BLOB + "README.md")},
        {"index.html": None},
    ),
    "a link in the text that only shows a file": (
        VIEWED
        | {"a.html": view(BLOB + "docs/a.md"), "index.html": html(text=link(BLOB + SOURCES[0]))},
        {"a.html": "docs/a.md", "index.html": None},
    ),
    "Docsy's link to a new page": (
        {
            INSTALL: html(
                EDIT + SOURCES[1],
                link("https://github.com/lamp/lamp/new/main/docs/guide?filename=change-me.md"),
            )
        },
        {INSTALL: SOURCES[1]},
    ),
    "another name than the source's": (
        {"get-started.html": html(EDIT + "docs/new.md")},
        {"get-started.html": "docs/new.md"},
    ),
    "a file that is gone": ({INSTALL: html(EDIT + "docs/old.md")}, {INSTALL: None}),
    "a folder": ({INSTALL: html(EDIT + "docs/guide")}, {INSTALL: None}),
    "a way out of the repository": (
        {INSTALL: html("https://github.com/lamp/lamp/edit/main/../../../docs/guide/install.md")},
        {INSTALL: None},
    ),
    "a name that is not ASCII": (
        {"größe/index.html": html(EDIT + "docs/gr%C3%B6%C3%9Fe.md")},
        {"größe/index.html": "docs/größe.md"},
    ),
    "a name that the theme did not escape": (
        {"größe/index.html": html(EDIT + "docs/größe.md")},
        {"größe/index.html": "docs/größe.md"},
    ),
    "a name with a number sign": (
        {"c/index.html": html(EDIT + "docs/c%23%20%26.md")},
        {"c/index.html": "docs/c# &.md"},
    ),
    "a page of a package": (
        {"lamp-core/index.html": html(EDIT + "packages/core/docs/index.md")},
        {"lamp-core/index.html": "packages/core/docs/index.md"},
    ),
    "a redirect that keeps the link": (
        {
            "old/index.html": html(
                EDIT + SOURCES[1], head='<meta http-equiv=refresh content="0;url=/">'
            )
        },
        {},
    ),
    "a copy that no robot reads": (
        {"print/index.html": html(EDIT + SOURCES[1], head='<meta name=robots content="noindex">')},
        {INSTALL: None},
    ),
    "an address that can't be": (
        {INSTALL: html("https://[github.com/lamp/lamp/edit/main/docs/guide/install.md")},
        {INSTALL: None},
    ),
}
OTHERS = (
    "README.md", "CONTRIBUTING.md", "docs/a.md", "docs/new.md", "docs/api.md",
    "docs/größe.md", "docs/c# &.md", "docs/new/README.md",
    "src/config.py", "src/a.py", "src/c.py", "examples/config.md", "blog/post.md",
    "src/lamp/__init__.py", "src/cli/__init__.py",
    "i18n/de/current/install.md", "i18n/zh-cn/config.md", "po/es.po",
    "locale/it/LC_MESSAGES/docs.po", "packages/core/README.md", "packages/core/docs/index.md",
    "CHANGES.md", "content/en/about/changes.md",
)  # fmt: skip


@one_in(3)
@pytest.mark.parametrize("trap", TRAPS)
def test_no_page_is_dated_by_a_file_that_is_not_its_own(top, trap):
    """And the other pages keep their dates, unless the trap makes two pages claim one file."""
    changed, expected = TRAPS[trap]
    check(top, site_of() | changed, expected, files(*OTHERS))
