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

INSTALL, CONFIG = PAGES[1:]

HOSTS = {
    "GitLab": (
        "git@gitlab.com:lamp/docs/lamp.git",
        "https://gitlab.com/lamp/docs/lamp/-/edit/main/{}",
    ),
    "GitLab's IDE": (
        "https://git.example/lamp/lamp",
        "https://git.example/-/ide/project/lamp/lamp/edit/main/-/{}",
    ),
    "Bitbucket": (
        "git@bitbucket.org:lamp/lamp.git",
        "https://bitbucket.org/lamp/lamp/src/main/{}?mode=edit&amp;at=main",
    ),
    "Codeberg": (
        "https://codeberg.org/lamp/lamp.git",
        "https://codeberg.org/lamp/lamp/_edit/main/{}",
    ),
    "an owner in capitals": (ORIGIN, "https://github.com/Lamp/LAMP/edit/main//{}"),
}


@pytest.mark.parametrize("host", HOSTS)
def test_the_link_to_edit_a_page_names_its_source(top, host):
    """On every host, by its own form of the link."""
    origin, link = HOSTS[host]
    pages = {page: html(link.format(path)) for page, path in zip(PAGES, SOURCES, strict=True)}
    check(top, pages, {}, origin=origin)


VIEWS = {
    "GitHub": (ORIGIN, "https://github.com/lamp/lamp/blob/main/{}?plain=1"),
    "Gitea": ("https://git.example/lamp/lamp", "https://git.example/lamp/lamp/src/branch/main/{}"),
}


@pytest.mark.parametrize("host", VIEWS)
def test_a_link_that_only_shows_a_file_must_be_named_like_the_page(top, host):
    """The fourth page links to a file with another name, which is none of its own."""
    origin, link = VIEWS[host]
    pages = {page: view(link.format(path)) for page, path in zip(PAGES, SOURCES, strict=True)}
    pages["guide/other/index.html"] = view(link.format("README.md"))
    check(top, pages, {"guide/other/index.html": None}, files("README.md"), origin=origin)


NOINDEX = '<meta name=robots content="noindex">'
OTHER = "https://github.com/other/lamp/edit/main/"

# Pages of one site, each with what it is made from. A file belongs to one row.
ROWS = {
    "two-links.html": (html(EDIT + "docs/two-links.md") + html(EDIT + "docs/x.md"), None),
    "one-in-the-text.html": (
        html(EDIT + "docs/a.md", link(EDIT + "CONTRIBUTING.md") + link(OTHER + "docs/x.md")),
        "docs/a.md",
    ),
    "code-in-the-text.html": (html(EDIT + "docs/b.md", link(BLOB + "src/a.py")), "docs/b.md"),
    "new-page-of-docsy.html": (
        html(EDIT + "docs/c.md", link("https://github.com/lamp/lamp/new/main/docs?filename=x.md")),
        "docs/c.md",
    ),
    "contributing.html": (html(text=f"Edit {link(EDIT + 'CONTRIBUTING.md')}"), None),
    "example.html": (html(text=link(BLOB + "examples/example.md")), None),
    "comment.html": (html(text=f"<!-- {link(EDIT + 'docs/d.md')} -->"), None),
    "script.html": (html(text=f"<script>'{link(EDIT + 'docs/d.md')}'</script>"), None),
    "template.html": (html(text=f"<template>{link(EDIT + 'docs/d.md')}</template>"), None),
    "value.html": (html(text=f"<i data-x='{link(EDIT + 'docs/d.md')}'></i>"), None),
    "api/of-a.html": (html(EDIT + "src/a.py"), None),
    "lamp/index.html": (html(EDIT + "src/lamp/__init__.py"), "src/lamp/__init__.py"),
    "1.0/another-branch.html": (html("https://github.com/lamp/lamp/edit/1.x/docs/x.md"), None),
    "de/own/index.html": (html(EDIT + "i18n/de/own.md", lang="de"), "i18n/de/own.md"),
    "de/not-yet.html": (html(EDIT + "docs/not-yet.md", lang="de"), "docs/not-yet.md"),
    "not-yet.html": (html(EDIT + "docs/not-yet.md"), "docs/not-yet.md"),
    "zh-cn/config.html": (html(EDIT + "docs/config.md", lang="zh-Hans"), None),
    "config.html": (html(EDIT + "docs/config.md"), "docs/config.md"),
    "fr/crowdin.html": (html("https://crowdin.com/project/lamp/edit/fr", lang="fr"), None),
    "es/catalogue.html": (html(EDIT + "docs/e.md", lang="es"), None),
    "shared/a/index.html": (html(EDIT + "docs/shared.md"), None),
    "shared/b/index.html": (html(EDIT + "docs/shared.md"), None),
    "book/index.html": (html(EDIT + "docs/first.md"), "docs/first.md"),
    "book/first.html": (html(EDIT + "docs/first.md"), "docs/first.md"),
    "more/index.html": (html(EDIT + "docs/f.md", "More."), None),
    "more/f.html": (html(EDIT + "docs/f.md"), None),
    "next/new.html": (html(EDIT + "docs/new.md", head=NOINDEX), "no page"),
    "new.html": (html(EDIT + "docs/new.md"), None),
    "old.html": (
        html(EDIT + SOURCES[1], head='<meta http-equiv=refresh content="0;url=/">'),
        "no page",
    ),
    "1.0/canonical.html": (
        html(EDIT + "docs/g.md", head=f'<link rel="canonical" href="{URL}canonical.html">'),
        "no page",
    ),
    "canonical.html": (html(EDIT + "docs/g.md"), None),
    "folder.html": (html(EDIT + "docs/guide"), None),
    "way-out.html": (html(EDIT + "../../../docs/h.md"), None),
    "no-address.html": (html("https://[github.com/lamp/lamp/edit/main/docs/h.md"), None),
    "escaped.html": (html(EDIT + "docs/gr%C3%B6%C3%9Fe.md"), "docs/größe.md"),
    "not-escaped.html": (html(EDIT + "docs/maß.md"), "docs/maß.md"),
    "sign.html": (html(EDIT + "docs/c%23%20%26.md"), "docs/c# &.md"),
    "package/index.html": (html(EDIT + "packages/docs/index.md"), "packages/docs/index.md"),
}  # fmt: skip
OTHERS = (
    *(f"docs/{name}.md" for name in ("two-links", "x", "d", "e", "shared", "f", "new")),
    *("docs/g.md", "docs/h.md", "CONTRIBUTING.md", "examples/example.md", "src/a.py"),
    *("i18n/zh-cn/config.md", "po/es.po"),
)  # fmt: skip


def test_no_page_is_dated_by_a_file_that_is_not_its_own(top):
    """Whatever it links to; a redirect, a copy and what no robot reads are no pages."""
    sources = {name: source for name, (_, source) in ROWS.items() if source != "no page"}
    of = files(*OTHERS, *filter(None, sources.values()))
    check(top, site_of() | {name: text for name, (text, _) in ROWS.items()}, sources, of)


VIEWED = {page: view(BLOB + path) for page, path in zip(PAGES, SOURCES, strict=True)}
SITES = {
    "languages, of which the home page without a link has the first": (
        {
            "index.html": html(),
            "changes/index.html": html(EDIT + "CHANGES.md"),
            "de/changes/index.html": html(EDIT + "CHANGES.md", lang="de"),
        },
        dict.fromkeys(("changes/index.html", "de/changes/index.html"), "CHANGES.md")
        | {"index.html": None},
    ),
    "an old version whose language is more exact": (
        {"1.0/guide/install/index.html": html(EDIT + SOURCES[1], lang="en-US")},
        {"1.0/guide/install/index.html": None, INSTALL: None},
    ),
    "a link of the theme that only shows a file, and one in the text": (
        VIEWED | {"index.html": view(BLOB + SOURCES[0]) + f"<p>{link(BLOB + 'README.md')}"},
        {},
    ),
    "a link in the text that only shows a file": (
        VIEWED
        | {"a.html": view(BLOB + "docs/a.md"), "index.html": html(text=link(BLOB + SOURCES[0]))},
        {"a.html": "docs/a.md", "index.html": None},
    ),
    "a link to a line": (
        {CONFIG: html(text=link(BLOB + "docs/guide/config.md#L10"))},
        {CONFIG: None},
    ),
}


@pytest.mark.parametrize("name", SITES)
def test_the_links_of_all_pages_say_which_are_the_theme_s(top, name):
    """And which language and which version the home page has."""
    changed, expected = SITES[name]
    others = ("README.md", "docs/a.md", "CHANGES.md", "content/en/about/changes.md")
    check(top, site_of() | changed, expected, files(*others, "i18n/de/current/install.md"))
