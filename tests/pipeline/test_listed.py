"""Which pages of a real site are listed, and the lines in the log about those that are not."""

import pytest
from doors import HOOK, compare
from sites import INSTANT, SiteMaker, run_command

THEME = {
    "theme/main.html": """\
<!doctype html><html><head>
{%- if page and page.meta.head %}{{ page.meta.head }}{% endif -%}
</head><body>{% if page %}{{ page.content }}{% endif %}</body></html>
"""
}
FRONT_MATTER_ONLY = "lastmod: {sources: [front_matter]}"
NO_THEME = "theme: {name: null, custom_dir: theme}\n"


def with_head(html):
    return f"---\nhead: |\n  {html}\n---\n# Page\n"


def filled(pages, more=6):
    """The pages, and so many plain ones that the others are not half of the site."""
    return pages | {f"p{i}.md": "# Plain\n" for i in range(more)}


@pytest.fixture
def themed(site):
    """A maker of sites whose pages write their own head."""
    site.write(THEME)
    site.config(theme=NO_THEME)
    return site


def others(built):
    return [loc for loc in built.locs() if not loc.startswith("p")]


CANONICALS = {
    "itself": ("https://example.com/{}/", True),
    "relative": ("../{}/", True),
    "path": ("/{}/", True),
    "fragment": ("/{}/#x", True),
    "port": ("https://example.com:443/{}/", True),
    "host-in-capitals": ("https://EXAMPLE.com/{}/", True),
    "empty": ("", True),
    "other-page": ("/b/", False),
    "other-host": ("https://www.example.com/{}/", False),
    "other-scheme": ("http://example.com/{}/", False),
    "other-port": ("https://example.com:8443/{}/", False),
    "no-slash": ("/{}", False),
    "query": ("/{}/?x=y", False),
}


@pytest.fixture(scope="module")
def canonicals(tmp_path_factory):
    """One site with a page for each case."""
    site = SiteMaker(tmp_path_factory.mktemp("canonicals"))
    site.write(THEME)
    site.config(theme=NO_THEME)
    pages = {
        f"{name}.md": with_head(f'<link rel="canonical" href="{href.format(name)}">')
        for name, (href, _) in CANONICALS.items()
    }
    site.docs(pages)
    return site.build()


@pytest.mark.parametrize(("name", "there"), [(name, case[1]) for name, case in CANONICALS.items()])
def test_a_page_is_listed_if_its_canonical_url_is_its_own(canonicals, name, there):
    """However it is written, if it names the same page."""
    assert (f"{name}/" in canonicals.locs()) is there
    assert canonicals.warnings == []


def test_one_canonical_url_for_all_pages_is_reported_and_ignored(themed):
    """More than half of the pages: the theme or ``site_url`` is at fault, and none is left out."""
    invalid = with_head('<link rel="canonical" href="https://old.example/">')
    themed.docs({"a.md": invalid, "b.md": invalid, "c.md": "# C\n"})
    built = themed.build()
    assert built.locs() == ["a/", "b/", "c/"]
    assert built.warnings == [
        (
            "2 of 3 pages name another URL as canonical (docs/a.md: 'https://old.example/', its "
            "URL is 'https://example.com/a/'). No page is left out for that reason. "
            "Check site_url, and the theme's rel=canonical."
        )
    ]


def test_half_of_the_pages_may_name_another_url(themed):
    """Translations and old versions do."""
    invalid = with_head('<link rel="canonical" href="https://old.example/">')
    themed.docs({"a.md": invalid, "b.md": invalid, "c.md": "# C\n", "d.md": "# D\n"})
    built = themed.build()
    assert built.locs() == ["c/", "d/"]
    assert built.warnings == []
    assert built.summary == (
        "sitemap.xml: 2 pages, none dated (no date in front matter); 2 left out (not canonical)"
    )


def test_pages_that_are_not_to_be_indexed_are_left_out_and_counted(themed):
    """Robots, googlebot, a redirect; a page that only reloads itself stays.

    So does one whose refresh browsers ignore, since its URL can't be read (HTML, "shared
    declarative refresh steps").
    """
    themed.docs(
        filled(
            {
                "robots.md": with_head('<meta name="robots" content="noindex, follow">'),
                "googlebot.md": with_head("<meta content=none name=googlebot>"),
                "redirect.md": with_head('<meta http-equiv="refresh" content="0; url=../p1/">'),
                "reload.md": with_head('<meta http-equiv="refresh" content="30">'),
                "itself.md": with_head('<meta http-equiv="refresh" content="30; url=./">'),
                "no-url.md": with_head('<meta http-equiv="refresh" content="0;url=">'),
                "broken-url.md": with_head('<meta http-equiv="refresh" content="0;url=http://[">'),
                "script.md": with_head('<meta http-equiv="refresh" content="0;url=javascript:x">'),
                "other-robot.md": with_head('<meta name="bingbot" content="noindex">'),
            }
        )
    )
    themed.config(FRONT_MATTER_ONLY, theme=NO_THEME)
    built = themed.build()
    assert others(built) == [
        "broken-url/", "itself/", "no-url/", "other-robot/", "reload/", "script/"
    ]  # fmt: skip
    assert built.lines == [
        (
            "INFO sitemap.xml: 12 pages, none dated (no date in front matter); "
            "3 left out (2 noindex, 1 redirect)"
        )
    ]


REDIRECT = '<meta http-equiv="refresh" content="0; url=/p1/">\n'
NOINDEX = '<meta name="robots" content="noindex">'


def test_tags_in_the_text_of_a_page_count_and_a_robots_tag_is_named(site):
    """As search engines obey them; what only shows such a tag is listed."""
    site.docs(
        filled(
            {
                "redirect.md": REDIRECT,
                "list.md": f"# List\n\n* a\n* <span>{NOINDEX}</span>\n",
                "block.md": f"# Block\n\n<div markdown>\n{NOINDEX}\n</div>\n",
                "code.md": f"# Code\n\n`{NOINDEX}`\n\n    {NOINDEX}\n\n&lt;meta>\n",
                "data.md": f"# Data\n\n<div data-code='{NOINDEX}'></div>\n",
                "template.md": f"# Template\n\n<template>{NOINDEX}</template>\n",
            }
        )
    )
    site.config(FRONT_MATTER_ONLY)
    built = site.build()
    assert others(built) == ["code/", "data/", "template/"]
    (note,) = built.notes
    assert note == (
        "2 pages have a robots meta tag with noindex in the text (docs/block.md, docs/list.md). "
        "Search engines obey it there, so these pages are not listed. "
        "If the tag is an example, write it as code."
    )
    assert "(2 noindex, 1 redirect)" in built.summary


def test_both_doors_and_check_read_the_tags_of_the_text(site):
    """The same entries and the same note; an entry of such a page is a finding."""
    site.docs(filled({"redirect.md": REDIRECT, "noindex.md": f"# Noindex\n\n{NOINDEX}\n"}))
    site.write({"hook.py": HOOK})
    site.config(FRONT_MATTER_ONLY, more="hooks: [hook.py]\n")
    built, done = compare(site)
    assert others(built) == []
    note = "1 page has a robots meta tag with noindex in the text (docs/noindex.md)."
    assert [line for line in built.notes if line.startswith(note)]
    assert note in done.stderr
    sitemap = built.path()
    entries = "".join(
        f"<url><loc>https://example.com/{name}/</loc></url>" for name in ("noindex", "redirect")
    )
    sitemap.write_bytes(sitemap.read_bytes().replace(b"</urlset>", f"{entries}</urlset>".encode()))
    found = run_command("check", "site", cwd=site.folder)
    assert found.stdout.count("has the robots meta tag 'noindex'") == 1
    assert "redirects to '/p1/'" in found.stdout


def test_a_page_that_a_hook_does_not_let_be_built_is_left_out(themed):
    """A dead entry would be no truth."""
    themed.docs(filled({"gone.md": "# Gone\n"}, 1))
    themed.write(
        {
            "hook.py": "def on_post_page(output, page, config):\n"
            "    return '' if page.file.src_uri == 'gone.md' else output\n"
        }
    )
    themed.config(theme=NO_THEME, more="hooks: [hook.py]\n")
    built = themed.build()
    assert built.locs() == ["p0/"]
    assert built.summary == (
        "sitemap.xml: 1 page, none dated (no date in front matter); 1 left out (not built)"
    )


def test_a_404_page_of_ones_own_is_never_listed(site):
    """``404.md`` becomes ``404.html`` where URLs are files; front matter does not change that."""
    site.docs({"index.md": "# Home\n", "404.md": "---\nsitemap: true\n---\n# Not found\n"})
    site.config()
    built = site.build("--no-directory-urls")
    assert built.locs() == ["index.html"]
    assert built.summary == (
        "sitemap.xml: 1 page, none dated (no date in front matter); 1 left out (error page)"
    )


def test_two_pages_with_one_url_are_one_entry_and_the_newest_stays(site):
    """A date, a datetime and none are compared as moments; the rest of the entry is its own."""
    site.docs(
        {
            "a.md": "---\nlastmod: 2024-01-02\npriority: 0.1\n---\n",
            "b.md": "---\nlastmod: 2024-01-02T01:00:00Z\npriority: 0.2\n---\n",
            "c.md": "---\nlastmod: 2024-01-02T02:00:00+09:00\npriority: 0.3\n---\n",
            "d.md": "---\npriority: 0.4\n---\n",
        }
    )
    site.write(
        {
            "hook.py": "def on_pre_page(page, config, files):\n"
            "    page.canonical_url = config.site_url + 'one/'\n    return page\n"
        }
    )
    site.config("lastmod: {sources: [front_matter]}", more="hooks: [hook.py]\n")
    built = site.build()
    assert built.by_loc() == {"one/": {"lastmod": "2024-01-02T01:00:00+00:00", "priority": "0.2"}}
    assert built.summary == "sitemap.xml: 1 page, dated (front matter); 3 left out (same URL)"


def test_a_page_outside_the_site_is_left_out_with_a_warning(site):
    """See sitemaps.org, "Sitemap file location": one scheme, host, port and folder."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    site.write(
        {
            "hook.py": "def on_pre_page(page, config, files):\n"
            "    if page.file.src_uri == 'a.md':\n"
            "        page.canonical_url = 'https://example.com/other/a/'\n    return page\n",
            "theme/main.html": "{{ page.content }}",
        }
    )
    site.config(
        theme=NO_THEME,
        more="hooks: [hook.py]\n",
        site_url="https://example.com/docs/",
    )
    built = site.build()
    assert built.locs() == ["docs/", "docs/b/"]
    assert built.warnings == [
        (
            "docs/a.md: its URL https://example.com/other/a/ is not under the sitemap's own folder "
            "https://example.com/docs/. The page is left out."
        )
    ]


def test_entries_stand_in_the_order_of_their_urls(site):
    """By code point: ``%`` before ``-`` before digits, capitals before small letters."""
    site.docs({f"{name}.md": "# P\n" for name in ("b", "a", "B", "ä", "a-b", "a_b", "1", "a/z")})
    site.config()
    locs = site.build().locs()
    assert locs == sorted(locs)
    assert locs == ["%C3%A4/", "1/", "B/", "a-b/", "a/", "a/z/", "a_b/", "b/"]


def test_two_notes_name_the_cost_of_a_page_left_out_under_material(site):
    """Its script reads the sitemap in the browser; two notes, no warning."""
    site.docs({"index.md": "---\nsitemap: false\n---\n", "a.md": "---\nsitemap: false\n---\n"})
    site.docs({"b.md": "# B\n"})
    site.config(FRONT_MATTER_ONLY, theme=INSTANT)
    built = site.build("--strict")
    assert built.notes == [
        (
            "docs/index.md: the home page is left out. The version and language selectors of the "
            "theme then open the home page of the other version or language instead of the same "
            "page."
        ),
        (
            "navigation.instant reads the sitemap, which leaves out 2 pages (docs/index.md, "
            "docs/a.md). Links to them load the whole page, without instant previews."
        ),
    ]


def test_a_redirect_costs_nothing_under_instant_navigation(site):
    """A link to it has to load a whole page anyway, so there is no note."""
    site.docs(
        {"index.md": "# Home\n", "old.md": '<meta http-equiv="refresh" content="0; url=/">\n'}
    )
    site.config(FRONT_MATTER_ONLY, theme=INSTANT)
    built = site.build()
    assert (built.notes, built.locs()) == ([], [""])
    site.docs({"gone.md": "---\nsitemap: false\n---\n"})
    assert site.build().notes == [
        (
            "navigation.instant reads the sitemap, which leaves out 1 page (docs/gone.md). "
            "Links to it load the whole page, without instant previews."
        )
    ]


def test_a_source_without_a_page_costs_nothing_under_instant_navigation(site):
    """Its URL is listed for the page that MkDocs builds there; only that is reported."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "a/README.md": "# The same URL\n"})
    site.config(FRONT_MATTER_ONLY, theme=INSTANT)
    built = site.build()
    assert built.locs() == ["", "a/"]
    assert [note for note in built.notes if "navigation.instant" in note] == []
    assert any("has the same URL as" in line for line in built.lines)


NOINDEX_THEME = {
    "overrides/main.html": '{% extends "base.html" %}{% block site_meta %}{{ super() }}'
    '<meta name="robots" content="noindex">{% endblock %}'
}


@pytest.mark.parametrize("exclude", [False, True], ids=["all", "some-excluded"])
def test_a_site_that_is_noindex_on_purpose_is_an_information(site, exclude):
    """As a preview: one line, no sitemap, and a strict build passes, by both doors."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": REDIRECT})
    site.write(NOINDEX_THEME)
    theme = "theme: {name: material, custom_dir: overrides, features: [navigation.instant]}\n"
    site.config("exclude: /a.md" if exclude else "", theme=theme)
    built = site.build("--strict")
    line = "sitemap.xml: there is no sitemap, since the whole site is noindex (3 pages)."
    assert built.lines == [f"INFO {line}"]
    assert not [*built.path(".").glob("*.xml*")]
    built.path().write_text("<urlset>the builder's own</urlset>")
    done = run_command("build", "--strict", cwd=site.folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"Note: {line}\n")
    assert not built.path().exists()


def test_a_site_that_the_options_leave_out_is_a_warning(site):
    """Even if some of its pages are noindex; the reasons are counted."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": f"# B\n\n{NOINDEX}\n"})
    site.config(FRONT_MATTER_ONLY + "\nexclude: [/index.md, /a.md]")
    built = site.build("--strict", check=False)
    assert built.returncode == 1
    assert built.warnings == [
        (
            "sitemap.xml: no page of the site can be listed (2 excluded, 1 noindex). "
            "No file is written, because a sitemap must not be empty."
        )
    ]


def test_material_with_all_pages_listed_has_nothing_to_tell(site):
    """Only the line that sums up."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(FRONT_MATTER_ONLY, theme=INSTANT)
    assert site.build("--strict").lines == [
        "INFO sitemap.xml: 2 pages, none dated (no date in front matter)"
    ]
