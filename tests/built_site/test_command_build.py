"""``mkdocs-sitemap-plus build``: the sitemap of a folder that somebody else built."""

import pytest
from published import pages_of
from sites import Built, run_command

PROJECT = "site_name: X\nsite_url: https://web.example/\n"


def html(path, head=""):
    return f'<html><head><link rel=canonical href="https://web.example/{path}">{head}</head></html>'


@pytest.fixture
def folder(site):
    """A built folder with three pages, and the sources of two of them."""
    site.write({"mkdocs.yml": PROJECT})
    site.docs({"index.md": "# Home\n", "a.md": "---\npriority: 0.5\n---\n# A\n"})
    site.commit()
    site.write(
        {
            "site/index.html": html(""),
            "site/a/index.html": html("a/"),
            "site/made/index.html": html("made/"),
            "site/404.html": html("404.html"),
            "site/search.html": html("search.html"),
            "site/sitemap.xml": "<urlset>the builder's own</urlset>",
        }
    )
    return site


def build(site, *arguments):
    """Run the command; returns the process, and what it wrote."""
    done = run_command("build", *arguments, cwd=site.folder)
    return done, Built(site.folder, done.returncode, done.stderr)


NO_SOURCE = (
    "Note: 1 page has no known source, and so no date. "
    "`mkdocs-sitemap-plus explain {}made/index.html` says why.\n"
)
DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


def test_pages_without_a_source_are_undated_counted_and_named(folder):
    """The builder's own sitemap is replaced, and the last line sums it up."""
    done, built = build(folder)
    assert built.by_loc() == {"": DATED, "a/": DATED | {"priority": "0.5"}, "made/": {}}
    assert (done.returncode, done.stderr) == (0, NO_SOURCE.format(""))
    assert done.stdout == "sitemap.xml: 3 pages, 2 dated (git), 1 undated (made/index.html)\n"


def test_only_html_is_a_page(folder):
    """Its own canonical URL: not that of another page, none at all, a stub, or a copied file.

    The others are counted, each with the reason that `explain` has for it.
    """
    folder.docs({"static.html": "x", "drawn/index.html": "x"})
    refresh = '<meta http-equiv="refresh" content="0; url=../a/">'
    folder.write(
        {
            "site/static.html": html("static.html"),
            "site/drawn/index.html": html("drawn/"),
            "site/other/index.html": html("a/"),
            "site/none.html": "<html><head></head></html>",
            "site/stub/index.html": html("stub/", refresh),
            "site/noindex.html": html("noindex.html", '<meta name="robots" content="noindex">'),
            "site/host.html": '<link rel="canonical" href="https://example.org/host.html">',
            "site/page.html": html("page.html"),
            "site/text.txt": html("text.txt"),
        }
    )
    done, built = build(folder)
    assert built.locs() == ["", "a/", "made/", "page.html"]
    reasons = {
        "drawn/index.html": "static file",
        "host.html": "not canonical",
        "noindex.html": "noindex",
        "none.html": "static file",
        "other/index.html": "not canonical",
        "static.html": "static file",
        "stub/index.html": "redirect",
    }
    assert done.stdout.endswith("; 2 left out (1 noindex, 1 redirect)\n")
    pages = pages_of(folder.folder, *reasons)
    assert {page["dest"]: page["left_out"]["reason"] for page in pages} == reasons


def test_the_url_of_a_page_is_the_one_that_it_names_itself(folder):
    """Builders escape some characters or do not; what names the same page stays as it is."""
    folder.docs({"it's.md": "# It\n", "b c.md": "# B\n", "rel.md": "# R\n", "q.md": "# Q\n"})
    folder.write(
        {
            "site/it's/index.html": html("it's/"),
            "site/b c/index.html": html("b%20c/"),
            "site/rel/index.html": '<link rel="canonical" href="./">',
            "site/q/index.html": html("q/#top"),
        }
    )
    assert build(folder)[1].locs() == ["", "a/", "b%20c/", "it's/", "made/", "q/", "rel/"]


def test_the_index_of_a_blog_is_made_of_its_posts(folder):
    """It has no date here, since only the plugin of the blog knows the posts."""
    folder.docs({"news/index.md": "# News\n"})
    folder.commit()
    folder.write({"site/news/index.html": html("news/")})
    folder.write({"mkdocs.yml": PROJECT + "plugins:\n  - material/blog: {blog_dir: news}\n"})
    assert build(folder)[1].by_loc()["news/"] == {}
    folder.write({"mkdocs.yml": PROJECT})
    assert build(folder)[1].by_loc()["news/"] == DATED


def test_front_matter_of_a_folder_counts_for_its_pages(folder):
    """As of Material's plugin meta; what stands nearer to a page wins."""
    folder.docs({".meta.yml": "priority: 0.1\n", "sub/b.md": "# B\n"})
    folder.docs({"sub/.meta.yml": "sitemap: {changefreq: daily}\n"})
    folder.commit()
    folder.write(
        {"mkdocs.yml": PROJECT + "plugins: [meta]\n", "site/sub/b/index.html": html("sub/b/")}
    )
    found = build(folder)[1].by_loc()
    assert found["sub/b/"] == DATED | {"priority": "0.1", "changefreq": "daily"}
    assert found["a/"] == DATED | {"priority": "0.5"}


def alternates(**languages):
    return "".join(
        f'<link href="{href}" hreflang="{code.replace("_", "-")}" rel="alternate">'
        for code, href in languages.items()
    )


def test_languages_that_pages_name_themselves(folder):
    """Relative links, too; links to other home pages, and unanswered ones, are no versions."""
    home = alternates(en="/", de="/de/", x_default="/")
    folder.docs({"de/index.md": "# D\n", "de/a.md": "# D\n", "b.md": "# B\n", "de/b.md": "# B\n"})
    folder.write(
        {
            "mkdocs.yml": PROJECT + "theme: {name: material}\n",
            "site/index.html": html("", home),
            "site/de/index.html": html("de/", home),
            "site/a/index.html": html("a/", home),
            "site/de/a/index.html": html("de/a/", alternates(en="../../a/", de="./")),
            "site/b/index.html": html("b/", alternates(en="./", de="../de/b/", fr="/fr/b/")),
            "site/de/b/index.html": html("de/b/", alternates(de="", en="/b/", no="http://[")),
        }
    )
    done, built = build(folder)
    assert built.alternates() == {
        "": {"de": "de/", "en": "", "x-default": ""},
        "de/": {"de": "de/", "en": "", "x-default": ""},
    }
    folder.write({"site/de/b/index.html": html("de/b/", alternates(de="./", en="/b/"))})
    done, built = build(folder)
    assert built.alternates()["b/"] == {"de": "de/b/", "en": "b/", "x-default": "b/"}
    folder.write(
        {"mkdocs.yml": PROJECT + "plugins: [{sitemap-plus: {alternates: false, priority: 1}}]\n"}
    )
    assert build(folder)[1].alternates() == {}
    assert "Warning" not in done.stderr


def test_warnings_fail_only_if_that_is_asked_for(folder):
    """``--strict``, as in MkDocs; the sitemap is written all the same."""
    folder.docs({"a.md": "---\npriority: high5\nchangefreq: dayly\n---\n"})
    folder.write({"mkdocs.yml": PROJECT + "plugins: [{sitemap-plus: {excludes: b}}]\n"})
    done, _ = build(folder)
    unknown, *_, invalid, _ = lines = done.stderr.splitlines()
    assert done.returncode == 0
    assert unknown.startswith(
        "Warning: mkdocs.yml:3: excludes is not a known key (known: exclude, "
    )
    assert invalid.startswith(
        "Warning: docs/a.md:3: changefreq is 'dayly', but must be one of always, "
    )
    strict, built = build(folder, "--strict")
    assert (strict.returncode, strict.stderr.splitlines()) == (1, lines)
    assert len(built.locs()) == 3
    folder.docs({"a.md": "# A\n"})
    folder.write({"mkdocs.yml": PROJECT})
    assert build(folder, "--strict")[0].returncode == 0


def test_a_plugin_that_is_switched_off(folder):
    """Nothing is written, and that is no error."""
    folder.write(
        {"mkdocs.yml": PROJECT + "plugins: [{sitemap-plus: {enabled: !ENV [NO, false]}}]\n"}
    )
    done, built = build(folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Note: sitemap-plus is turned off. Nothing is written.\n"
    assert built.path().read_text("utf-8").startswith("<urlset>the builder")
    folder.write({"mkdocs.yml": PROJECT + "plugins: [{sitemap-plus: {enabled: 3}}]\n"})
    done, _ = build(folder)
    assert (done.returncode, done.stderr) == (
        1,
        "Error: mkdocs.yml: enabled is 3, but must be true or false.\n",
    )


def test_without_a_site_url_there_is_no_sitemap(folder):
    """The warning of the plugin, and exit code 1; that of the builder is removed as well."""
    folder.write({"mkdocs.yml": "site_name: X\n"})
    done, built = build(folder)
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        (
            "Warning: mkdocs.yml: site_url is not set, so no sitemap is written. Set it to the "
            "full address of the site, such as https://example.com/docs/.\n"
        ),
    )
    assert not [*built.path(".").glob("*.xml*")]


def test_without_a_built_site(folder):
    """Where it was looked for, and what to do; also for a folder that is named."""
    (folder.folder / "site").rename(folder.folder / "public")
    done, _ = build(folder)
    assert (done.returncode, done.stderr) == (
        1,
        ("Error: there is no built site at site. Build the site first, or name its folder.\n"),
    )
    done, _ = build(folder, "-d", "public")
    assert (done.returncode, done.stderr) == (0, NO_SOURCE.format("-d public "))
    assert (folder.folder / "public" / "sitemap.xml.gz").exists()


def test_from_another_folder(folder):
    """``-f`` names the project; its folders start there, ``-d`` starts where the command runs."""
    command = ("build", "-f", "../mkdocs.yml")
    assert run_command(*command, cwd=folder.folder / "docs").returncode == 0
    assert Built(folder.folder, 0, "").locs() == ["", "a/", "made/"]
    assert run_command(*command, "-d", "../site", cwd=folder.folder / "docs").returncode == 0


def test_pages_of_code_have_no_date_if_it_should_count(folder):
    """Only mkdocstrings itself knows which files it shows."""
    folder.docs({"b.md": "# B\n\n::: lamp.light\n"})
    folder.write({"site/b/index.html": html("b/")})
    folder.commit()
    for includes, dated in (("[snippets]", True), ("[mkdocstrings]", False)):
        options = f"plugins: [sitemap-plus: {{lastmod: {{includes: {includes}}}}}]\n"
        folder.write({"mkdocs.yml": PROJECT + options})
        done, built = build(folder)
        assert ("lastmod" in built.by_loc()["b/"]) == dated
        note = "has mkdocstrings, but only the plugin knows which code 1 page shows (docs/b.md). "
        assert (note in done.stderr) != dated
    folder.docs({"b.md": "---\nlastmod: 2024-02-03\n---\n# B\n\n::: lamp.light\n"})
    done, built = build(folder)
    assert built.by_loc()["b/"]["lastmod"] == "2024-02-03"
    assert "mkdocstrings" not in done.stderr


def test_copies_that_a_script_makes_are_dated_at_all_doors(site, monkeypatch):
    """A page and a PDF, which git ignores: by the plugin, `build`, `check` and the dates file."""
    plugin = "plugins:\n  - sitemap-plus: {extra_files: '*.pdf', lastmod: {sources: [git, file]}}\n"
    site.write({"mkdocs.yml": PROJECT + plugin, ".gitignore": "docs/*.pdf\ndocs/index.md\nsite\n"})
    site.commit_on("2024-01-01", {"docs/a.md": "# A\n"})
    site.commit_on("2024-01-02", {"a.pdf": "PDF"})
    site.commit_on("2024-01-03", {"README.md": "# Readme\n"})
    site.docs({"index.md": "# Readme\n", "a.pdf": "PDF"})
    built = site.build()
    assert built.days() == {"": "2024-01-03", "a.pdf": "2024-01-02", "a/": "2024-01-01"}
    xml = built.xml()
    assert run_command("dates", cwd=site.folder).returncode == 0
    done, built = build(site)
    assert (done.stderr, built.xml()) == ("", xml)
    monkeypatch.setenv("XDG_CACHE_HOME", str(site.folder / "site"))  # no build is known there
    assert "3 of 3 dates are right" in run_command("check", cwd=site.folder).stdout
    (site.folder / ".git").rename(site.folder / "gone")
    assert site.build().xml() == xml
    assert run_command("explain", "index.md", cwd=site.folder).stdout.endswith(
        "README.md\n           its bytes are those of README.md\n"
    )


def test_in_a_ci_one_line_counts_what_it_changed(folder):
    """Pages and includes keep the dates of their last commits, as everywhere."""
    snippets = "markdown_extensions:\n  - pymdownx.snippets: {base_path: [parts]}\n"
    folder.write({"mkdocs.yml": f"{PROJECT}plugins: [sitemap-plus]\n{snippets}"})
    folder.commit_on("2024-06-01", {"parts/b.md": "1", "docs/b.md": '--8<-- "b.md"\n'})
    folder.write({"parts/b.md": "2", "docs/a.md": "# Of a script\n"})
    note = "2 files have changes that are not committed (docs/a.md, parts/b.md). The date of each "
    note += "is that of its last commit."
    days = {"": "2024-05-01", "a/": "2024-05-01", "b/": "2024-06-01"}
    at_home, in_ci = folder.build(), folder.build(CI="true")
    assert (at_home.days(), at_home.notes) == (days, [])
    assert (in_ci.days(), in_ci.notes) == (days, [note])
    done = run_command("build", cwd=folder.folder, CI="true")
    assert note in done.stderr.splitlines()[0]


@pytest.mark.parametrize("name", ["sitemap_plus", "mkdocs-sitemap-plus"])
def test_options_under_another_name_of_the_plugin_are_named(folder, name):
    """Only Zensical lets such a name pass: MkDocs looks for a plugin of this name."""
    (folder.folder / "mkdocs.yml").unlink()
    folder.write(
        {
            "zensical.toml": '[project]\nsite_name = "X"\nsite_url = "https://web.example/"\n\n'
            f'[project.plugins.{name}]\nexclude = "/a.md"\n'
        }
    )
    done, built = build(folder)
    assert done.stderr.splitlines()[0] == (
        f"Warning: zensical.toml: plugins.{name} is not the name of this plugin. Its options do "
        "not count. Write `sitemap-plus`."
    )
    assert "a/" in built.by_loc()
