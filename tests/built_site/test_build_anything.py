"""What ``build SITE --site-url URL`` lists and says, and what other commands make of it."""

import json
import shutil
import subprocess

import pytest
from any_sites import (
    EDIT,
    PAGES,
    SOURCES,
    URL,
    built,
    by_git,
    commit,
    files,
    html,
    put,
    site_of,
)
from commands import run
from git_repositories import git
from sitemap_xml import read_alternates, read_entries

from mkdocs_sitemap_plus.generator.options.fields import SITEMAP_KEYS

INSTALL, CONFIG = PAGES[1:]


@pytest.fixture
def site(top):
    """A repository and its site."""
    commit(top, files())
    put(top / "built", site_of())
    return top


def entries(top):
    """The entries by the path of their URLs."""
    found = read_entries((top / "built" / "sitemap.xml").read_bytes())
    return {entry.pop("loc").removeprefix(URL): entry for entry in found}


def canonical(url):
    return f'<link rel="canonical" href="{url}">'


def test_a_canonical_that_differs_by_its_ending_is_the_url(site):
    """Any other canonical leaves the page out."""
    heads = {
        "a.html": f"{URL}a",
        "b.html": "b/",
        "c/index.html": f"{URL}c",
        "d/index.html": f"{URL}d/index.html",
        "e.html": f"{URL}e.html",
        "i/index.html": f"{URL}i/index",
        "k/index.html": f"{URL}kindex",
        "l/index/index.html": f"{URL}l/index",
        "m/index/index.html": f"{URL}m",
        "index.html": f"{URL}index",
        "f.html": f"{URL}a",
        "g/index.html": "https://other.example/g/",
        "h.html": f"{URL}h?x=1",
    }
    put(site / "built", {name: html(head=canonical(url)) for name, url in heads.items()})
    dates, out, _ = built(site)
    expected = {
        "index",
        "guide/install/",
        "guide/config/",
        "a",
        "b/",
        "c",
        "d/index.html",
        "e.html",
        "i/index",
        "l/index",
    }
    assert dates.keys() == expected
    assert "5 left out (not canonical)" in out


def test_a_canonical_that_is_not_escaped_is_escaped_in_the_sitemap(site):
    """As Docusaurus writes it; so `check` finds nothing."""
    heads = {
        "größe/index.html": f"{URL}größe",
        "maß.html": f"{URL}maß.html",
        "ü/index.html": "/ü/",
        "a b/index.html": f"{URL}a b",
        "c $1 d/index.html": f"{URL}c $1 d/",
    }
    put(site / "built", {name: html(head=canonical(url)) for name, url in heads.items()})
    built(site)
    escaped = {"gr%C3%B6%C3%9Fe", "ma%C3%9F.html", "%C3%BC/", "a%20b", "c%20$1%20d/"}
    assert escaped <= entries(site).keys()
    assert run("check", "built")[0] == 0


def test_the_home_page_of_a_folder_may_name_itself_without_a_slash(site):
    """That URL is outside of the folder, so the sitemap can't list it."""
    put(site / "built", {"index.html": html(head=canonical("https://docs.example/x"))})
    dates, _, errors = built(site, url="https://docs.example/x/")
    assert "" in dates
    assert "outside" not in errors


def test_what_html_says_counts(site):
    """Noindex, redirects, error pages and parts of pages."""
    put(
        site / "built",
        {
            "404.html": html(),
            "de/404.html": html(),
            "pt-br/404/index.html": html(),
            "status/404/index.html": html(),
            "no.html": html(head='<meta name="robots" content="noindex">'),
            "old.html": html(head='<meta http-equiv="refresh" content="0; url=/">'),
            "_static/macro.html": "<!-- Below <body> -->{% macro a() %}<p>x</p>{% endmacro %}",
            "google123.html": "google-site-verification: google123.html",
            "plain.html": "<!doctype html><title>X</title><p>No canonical.",
        },
    )
    dates, out, _ = built(site)
    assert dates.keys() == {"", "guide/install/", "guide/config/", "plain.html", "status/404/"}
    assert "2 left out (1 noindex, 1 redirect)" in out


MATTER = """\
---
title: Install
weight: 3
draft: true
noindex: true
robots: noindex
lastmod: 2024-02-03
changefreq: weekly
priority: 0.4
Sitemap: x
sitemap:
  filename: sitemap.xml
  priority: 0.7
---
# Install
"""


def matter(site, text, path=SOURCES[1]):
    """Write a source, and build."""
    (site / path).write_text(text, "utf-8")
    _, out, errors = built(site)
    return entries(site), out, errors


def test_front_matter_of_markdown_counts_by_four_keys(site):
    """What other builders mean by the rest is no warning."""
    found, _, errors = matter(site, MATTER)
    expected = {"lastmod": "2024-02-03", "changefreq": "weekly", "priority": "0.7"}
    assert found["guide/install/"] == expected
    assert errors == ""


@pytest.mark.parametrize(
    "text",
    ["sitemap: false", "sitemap: {exclude: true}", "sitemap: {disable: yes}"],
)
def test_front_matter_leaves_a_page_out(site, text):
    """Also by the key of Hugo."""
    found, out, errors = matter(site, f"---\n{text}\n---\n")
    assert "guide/install/" not in found
    assert "1 left out (excluded)" in out
    assert errors == ""


FOREIGN = (
    "---\nsitemap: {disable: false, ignore: false}\n---\n",
    "---\nsitemap: {filename: main.xml}\n---\n",
    "---\nlast_modified_at: yesterday\ndate: {updated: 1}\nnoindex: true\n---\n",
    "+++\nlast_modified_at = 'yesterday'\nnoindex = true\n[sitemap]\nfilename = 'main.xml'\n+++\n",
    '{"lastmod": "2024-01-01", "priority": 3}\n',
    "lastmod: 2024-01-01\npriority: 3\n\nText\n",
    "---\ntitle: {{ page }}\n---\n",
    "---\ntitle: x\n",
)


def test_front_matter_of_other_builders_is_no_warning(site):
    """Nor is what is no YAML at all, unless it has a key of ours."""
    for number, text in enumerate(FOREIGN):
        put(
            site,
            {f"docs/{number}.md": text, f"built/{number}.html": html(f"{EDIT}docs/{number}.md")},
        )
    git(site, "add", "docs")
    git(site, "commit", "-q", "-m", "Pages")
    dates, _, errors = built(site)
    pages = [f"{number}.html" for number in range(len(FOREIGN))]
    assert [dates[page] for page in pages] == [by_git(site, "docs/0.md")] * len(pages)
    assert errors == ""


def test_wrong_values_are_named_with_their_lines(site):
    """A key at the top level may be that of another tool, so that is only a note."""
    _, _, errors = matter(site, "---\npriority: 7\nsitemap:\n  changefreq: dayly\n---\n")
    warning, note = errors.splitlines()
    if warning.startswith("Note"):
        warning, note = note, warning
    assert warning.startswith("Warning: docs/guide/install.md:4: sitemap.changefreq is 'dayly'")
    assert note.startswith("Note: docs/guide/install.md:2: priority is 7")


def test_what_is_not_known_in_the_key_sitemap_is_a_warning_for_other_builders_too(site):
    """A slip there may list a page that its owner wanted to leave out."""
    _, _, errors = matter(site, "---\nsitemap: fasle\n---\n")
    assert errors.startswith("Warning: docs/guide/install.md:2: sitemap is 'fasle', but must be ")
    _, _, errors = matter(site, "---\nsitemap: {exclude: yess}\n---\n")
    assert errors.startswith("Warning: docs/guide/install.md:2: sitemap.exclude is 'yess', but ")
    for key in ("changefrq", "loc"):
        found, _, errors = matter(site, f"---\nsitemap: {{{key}: daily}}\n---\n")
        assert errors == (
            f"Warning: docs/guide/install.md:2: sitemap.{key} is not a known key (known: "
            f"{', '.join(SITEMAP_KEYS)}). It is ignored.\n"
        )
        assert "guide/install/" in found
    found, _, errors = matter(site, "---\nsitemap: main.xml\n---\n")
    assert errors.startswith(
        "Warning: docs/guide/install.md:2: sitemap is 'main.xml', but must be "
    )
    assert "guide/install/" in found


def test_what_leaves_a_page_out_in_the_plugin_of_eleventy_does_so_here(site):
    """It is what its owner said."""
    assert "guide/install/" in matter(site, "---\nsitemap: {ignore: false}\n---\n")[0]
    assert "guide/install/" not in matter(site, "---\nsitemap: {ignore: true}\n---\n")[0]


def test_a_date_of_docusaurus_in_another_spelling_is_not_read(site):
    """The page has the date of its commit."""
    found, _, errors = matter(site, "---\nlast_update: {date: 1/3/2025}\n---\n")
    assert found["guide/install/"] == {"lastmod": by_git(site, "docs/guide/install.md")}
    assert errors == ""


IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}image"
OLD = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
 xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>https://docs.example/</loc><changefreq>weekly</changefreq><priority>0.5</priority>
<image:image><image:loc>https://docs.example/a.png</image:loc></image:image></url>
<url><loc>https://docs.example/guide/config/</loc><priority>0.5</priority>
<xhtml:link rel="alternate" hreflang="de" href="https://docs.example/de/"/></url>
<url><loc>https://docs.example/made/</loc><lastmod>2024-01-01T10:00:00Z</lastmod></url>
<url><loc>https://docs.example/gone/</loc></url>
</urlset>
"""


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-index.xml"])
def test_what_the_sitemap_of_another_builder_had_more_is_named(site, name):
    """URLs and dates are a warning, and the rest is a note. Images and languages are kept."""
    put(site / "built", {name: OLD, "made/index.html": html()})
    _, _, errors = built(site)
    assert (
        "Warning: sitemap.xml: compared with the old sitemap, the new sitemap lacks 1 URL "
        f"({URL}gone/) and the date of 1 page ({URL}made/).\n"
    ) in errors
    assert (
        "Note: sitemap.xml: the sitemap that another program wrote had more: priority of 2 pages, "
        "changefreq of 1 page and alternates of 1 page."
    ) in errors
    left = (
        "Note: 1 sitemap of another program is still there, and lists the same pages "
        "(sitemap-index.xml). Name sitemap.xml instead of it in robots.txt and to search engines, "
        "and remove it: `rm built/sitemap-index.xml`.\n"
    )
    assert (left in errors) == (name != "sitemap.xml")
    assert {*entries(site)[""]} == {"lastmod", IMAGE}
    errors = built(site)[2]
    assert (left in errors) == (name != "sitemap.xml")
    assert "had more" not in errors or name != "sitemap.xml"  # the second time, it is our own


def test_the_parts_of_a_replaced_index_are_named(site):
    """Each time until they are removed. What lists other pages is no concern of the new sitemap."""
    index = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</sitemapindex>'
    part = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
    names = ("sitemap-one.xml", "sitemap-two.xml")
    urls = [f"<sitemap><loc>{URL}{name}</loc></sitemap>" for name in names]
    texts = [f"<url><loc>{URL}{path}</loc></url>" for path in ("", "guide/config/", "news/")]
    put(site / "built", {"sitemap.xml": index.format("".join(urls))})
    put(site / "built", {names[0]: part.format(texts[0]), names[1]: part.format(texts[1])})
    put(site / "built", {"de/sitemap.xml": part.format(texts[1])})
    put(site / "built", {"news.xml": part.format(texts[2]), "feed.xml": "<rss></rss>"})
    (site / "built/sitemap-two.xml.gz").write_bytes(b"")
    remove = "rm built/sitemap-one.xml built/sitemap-two.xml built/sitemap-two.xml.gz"
    beside = (
        "Note: 2 sitemaps of other programs are still there, and list the same pages "
        "(sitemap-one.xml, sitemap-two.xml). Name sitemap.xml instead of them in robots.txt and to "
        f"search engines, and remove them: `{remove}`."
    )
    below = (
        "Note: 1 sitemap of another program is still there, and lists the same pages "
        "(de/sitemap.xml). Name sitemap.xml instead of it in robots.txt and to search engines."
    )

    def notes():
        return [line for line in built(site)[2].splitlines() if "still there" in line]

    assert notes() == [beside, below]
    assert notes() == [beside, below]
    subprocess.run(remove, shell=True, check=True)  # noqa: S602 - as a person copies it
    assert notes() == [below]


def test_languages_and_images_of_the_old_sitemap_are_kept(site):
    """Hugo lists them there alone. The second time, the old sitemap is our own."""
    link = '<xhtml:link rel="alternate" hreflang="{}" href="https://docs.example/{}"/>'
    links = link.format("en", "") + link.format("de", "de/index.html")
    paths = ("", "de/index.html", "guide/config/")
    urls = "".join(
        f"<url><loc>{URL}{path}</loc><changefreq>weekly</changefreq>"
        f"{links if path != 'guide/config/' else ''}</url>"
        for path in paths
    )
    space = OLD.partition("<url>")[0]
    put(
        site / "built", {"sitemap.xml": f"{space}{urls}</urlset>", "de/index.html": html(lang="de")}
    )
    for _ in range(2):
        _, _, errors = built(site)
        assert "Warning" not in errors
        assert "had more" not in errors
        alternates = {"en": URL, "de": f"{URL}de/"}
        found = read_alternates((site / "built/sitemap.xml").read_bytes())
        assert found == {URL: alternates, f"{URL}de/": alternates}


def test_the_time_of_a_build_and_the_error_page_are_not_missed(site):
    """Jekyll gives each page the moment of the build, and lists its error page."""
    names = [f"{letter}.html" for letter in "abcdefghi"]
    url = f"<url><loc>{URL}{{}}</loc><lastmod>2024-01-01T10:00:00Z</lastmod></url>"
    urls = "".join(map(url.format, (*names, "404")))
    own = f"<url><loc>{URL}made.html</loc><lastmod>2023-01-01</lastmod></url>"
    old = f"{OLD.partition('<url>')[0]}{urls}{own}</urlset>"
    pages = dict.fromkeys((*names, "404.html", "made.html"), html())
    put(site / "built", pages | {"sitemap.xml": old})
    assert f"the new sitemap lacks the date of 1 page ({URL}made.html)." in built(site)[2]


def test_a_project_file_of_another_site_does_not_count(site):
    """That of this site does."""
    project = "site_name: X\nsite_url: https://wrong.example/\nsite_dir: {}\n"
    options = "plugins: [{sitemap-plus: {priority: 0.3}}]\n"
    put(site, {"mkdocs.yml": project.format("public") + options})
    built(site)
    assert "priority" not in entries(site)[""]
    put(site, {"mkdocs.yml": project.format("built") + options})
    built(site)
    assert entries(site)[""]["priority"] == "0.3"


def test_what_is_asked_for_wrongly(site):
    """Each of these is refused, with what to do."""
    code, _, errors = run("build", "built", "--site-url", "docs.example")
    assert (code, "Give the full address" in errors) == (2, True)
    code, _, errors = run("build", "built", "-d", "built", "--site-url", URL)
    assert (code, "once" in errors) == (2, True)
    code, _, errors = run("build", "built", "--docs-dir", "docs")
    assert (code, "--docs-dir is for a site with --site-url" in errors) == (2, True)
    code, _, errors = run("build", "built")
    assert (code, "Name the built folder and --site-url https://…/" in errors) == (1, True)
    code, _, errors = run("build", "--site-url", URL)
    assert (code, "Name the built folder" in errors) == (1, True)


def test_explain_names_the_commit_that_dates_a_page(site):
    """By its source, its built file or its URL."""
    built(site)
    for name in (SOURCES[1], INSTALL, f"{URL}guide/install/"):
        code, out, errors = run("explain", name, "-d", "built")
        assert code == 0, errors
        assert out.startswith("docs/guide/install.md: listed\n")
        assert by_git(site, SOURCES[1]) in out
    out = run("explain", "--format", "json", INSTALL, "-d", "built")[1]
    (page,) = json.loads(out)["pages"]
    assert (page["title"], page["because"]["lastmod"]["path"]) == ("T", SOURCES[1])
    assert run("explain", INSTALL, "-d", "built")[1].startswith("docs/guide/install.md: listed\n")


def test_check_and_report_find_nothing_in_what_build_wrote(site):
    """With the address, and without it."""
    put(site / "built", {"x.html": html(), "404.html": html()})
    built(site)
    assert run("check", "built")[:2] == (
        0,
        "No problems in 1 file with 4 URLs. Git: 3 dates are as the last build decided.\n",
    )
    assert run("report", "built", "-o", "report.html")[1] == "report.html: 4 pages\n"
    assert run("report", "built", "-o", "report.html")[1] == "report.html: 4 pages\n"


def test_check_knows_what_front_matter_leaves_out(site):
    """By the report that the build kept."""
    (site / SOURCES[1]).write_text("---\nsitemap: {disable: true}\n---\n", "utf-8")
    built(site)
    explain = "`mkdocs-sitemap-plus explain -d built --all`"
    known = f"1 page not listed, as the build decided (excluded): {explain}.\n"
    dates = "Git: 2 dates are as the last build decided."
    expected = (0, f"No problems in 1 file with 2 URLs. {dates}\n{known}", "")
    assert run("check", "built") == expected


def test_a_site_that_is_closed_needs_no_sitemap(site):
    """As a preview, unless a URL must be listed; `build` has removed the sitemap."""
    robots = '<meta name="robots" content="noindex">'
    put(site / "built", dict.fromkeys(PAGES, html(head=robots)) | {"404.html": html()})
    stub = html(head='<meta http-equiv="refresh" content="0; url=/">')
    put(site / "built", {"old.html": stub, "google123.html": "google-site-verification: x"})
    assert run("build", "built", "--site-url", URL)[0] == 0
    note = "Note: built needs no sitemap, since the whole site is noindex (3 pages).\n"
    for options in ((), ("--min-dated", "90%")):
        assert run("check", "built", *options) == (0, "", note)
    assert run("check", "built", "--require", URL)[0] == 2
    put(site / "built", {"a.html": html()})
    assert run("check", "built")[0] == 2


def test_a_report_in_html_does_not_make_its_folder_a_closed_site(site):
    """`report -o report.html` beside a project file, and then `check .`."""
    built(site)
    assert run("report", "built", "-o", "report.html")[0] == 0
    code, _, errors = run("check", ".")
    assert (code, "needs no sitemap" in errors) == (2, False)
    assert errors.startswith("Error: .: has no sitemap.xml or sitemap-index.xml in it.")


def test_an_error_page_with_a_canonical_url_is_no_draft(site):
    """Docusaurus gives its 404.html one, as every page has."""
    put(site / "built", {"404.html": html(EDIT + SOURCES[0], head=canonical(f"{URL}404.html"))})
    assert built(site)[0].keys() == {"", "guide/install/", "guide/config/"}
    _, out, _ = run("explain", "-d", "built", "404.html")
    assert "error page" in out
    assert "draft" not in out


def test_a_site_apart_from_its_repository_is_told_where_to_run_the_command(site):
    """As when only the built folder was copied to the server."""
    shutil.rmtree(site / ".git")
    _, _, errors = built(site)
    because = "0 of 3 pages have a date: the files are not in a git repository. Run the command"
    assert because in errors


def test_a_shallow_clone_is_not_told_of_options_that_there_are_not(site, tmp_path, monkeypatch):
    """Without a project file, there is no `lastmod.git.shallow`."""
    git(site, "clone", "-q", "--depth=1", f"file://{site}", tmp_path / "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", "https://github.com/lamp/lamp")
    put(tmp_path / "clone" / "built", site_of())
    monkeypatch.chdir(tmp_path / "clone")
    _, _, errors = built(tmp_path / "clone")
    assert "the clone is shallow" in errors
    assert "git fetch --unshallow" in errors
    assert "accept" not in errors
