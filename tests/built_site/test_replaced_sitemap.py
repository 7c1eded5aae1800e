"""``build`` says what the sitemap that it replaces had more, unless the options explain it."""

import pytest
from limits import limits
from sites import Built, run_command

CAN_RUN_IT = (
    "If MkDocs, ProperDocs or MaterialX builds this site, use the plugin sitemap-plus instead "
    "of this command."
)
LACKS = "compared with the old sitemap, the new sitemap lacks"
PAGES = ("", "a/", "b/", "c/", "d/")
NEW = (
    "Note: sitemap.xml: the sitemap that another program wrote did not list 4 pages "
    "(https://web.example/a/, https://web.example/b/, https://web.example/c/ and 1 more). Now they "
    "are listed. `exclude` leaves pages out."
)
BLOG = "https://web.example/blog/"


@pytest.fixture
def folder(site):
    """A site that MkDocs built without the plugin; git dates each page."""
    site.docs({f"{path.strip('/') or 'index'}.md": "# Page\n" for path in PAGES})
    site.commit()
    site.config()
    text = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"mkdocs.yml": text.replace("plugins:\n  - sitemap-plus", "plugins: []")})
    site.build()
    site.config()
    return site


def before(folder, entries, name="site/sitemap.xml"):
    """Put a sitemap there: the fields of each entry, by path."""
    listed = "".join(
        f"<url><loc>https://web.example/{path}</loc>{f'<lastmod>{date}</lastmod>' * bool(date)}"
        "</url>"
        for path, date in entries.items()
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    folder.write({name: f'<urlset xmlns="{space}">{listed}</urlset>'})


def warnings(folder, *arguments):
    """The lines of ``build`` on stderr, but for pages without a source."""
    done = run_command("build", *arguments, cwd=folder.folder)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if "no known source" not in line]


def test_the_days_of_a_build_are_no_dates_that_are_missed(folder):
    """MkDocs' own sitemap has the same day for each page; here no page has a date of ours."""
    old = Built(folder.folder, 0, "").path().read_text("utf-8")
    assert old.count("<lastmod>") == len(PAGES)
    folder.config("lastmod: {sources: [file]}")
    folder.write({"sitemap-dates.json": "{}"})
    assert not any("replaces" in line for line in warnings(folder))


def test_one_moment_for_all_pages_is_that_of_a_commit(folder):
    """The plugin writes it so; only the day of a build has no time."""
    folder.docs({"new.md": "# Not committed\n"})
    folder.write({"site/new/index.html": (folder.folder / "site/a/index.html").read_bytes()})
    page = folder.folder / "site/new/index.html"
    page.write_text(page.read_text("utf-8").replace("web.example/a/", "web.example/new/"), "utf-8")
    before(folder, dict.fromkeys((*PAGES, "new/"), "2024-05-01T10:00:00+00:00"))
    (line,) = warnings(folder)
    assert line == (
        f"Warning: sitemap.xml: {LACKS} the date of 1 page (https://web.example/new/). {CAN_RUN_IT}"
    )


def test_urls_and_dates_that_are_missed_are_counted_and_named(folder):
    """Once; the next time it replaces a sitemap of its own."""
    folder.docs({f"{name}.md": "# Not committed\n" for name in "bcd"})
    for name in "bcd":
        (folder.folder / f"docs/{name}.md").rename(folder.folder / f"docs/{name}-source.md")
    dates = {"": "2024-01-01", "a/": "2024-02-02", "b/": "2024-03-03", "c/": "2024-03-03T01:00:00Z"}
    gone = {f"blog/{number}/": "2024-01-01" for number in range(5)}
    before(folder, dates | gone | {"d/": None, "%62/": "2024-03-03"})
    line = (
        f"Warning: sitemap.xml: {LACKS} 5 URLs "
        "(https://web.example/blog/0/, https://web.example/blog/1/, https://web.example/blog/2/ "
        "and 2 more) and the dates of 2 pages (https://web.example/%62/, https://web.example/c/). "
        f"{CAN_RUN_IT}"
    )
    assert warnings(folder) == [line]
    assert warnings(folder) == []


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ("rules: [{match: [b.md, c.md, d.md], lastmod: false}]", ""),
        ("transform: hook.py:f", ""),
        ("", "exclude_docs: |\n  b.md\n  c.md\n  d.md\n"),
        ("", "draft_docs: |\n  b.md\n  c.md\n  d.md\n"),
    ],
)
def test_what_the_owner_wants_is_not_missed(folder, options, more):
    """Pages left out, drafts, and pages without a date."""
    hook = "def f(entry, page):\n    return None if page.src_uri[0] in 'bcd' else entry\n"
    folder.write({"hook.py": hook})
    before(folder, {path: f"2024-01-0{day}" for day, path in enumerate(PAGES, 1)})
    folder.config(options, more=more)
    assert warnings(folder) == []


def test_front_matter_that_leaves_a_page_out_is_wanted(folder):
    """Or that has ``lastmod: false``."""
    before(folder, {path: f"2024-01-0{day}" for day, path in enumerate(PAGES, 1)})
    folder.docs({"b.md": "---\nsitemap: false\n---\n", "c.md": "---\nlastmod: false\n---\n"})
    assert warnings(folder) == []


def test_zensical_runs_no_plugin(folder):
    """So there is no line about it."""
    before(folder, {"": None, "blog/": None})
    page = folder.folder / "site" / "index.html"
    mark = '<meta name="generator" content="zensical-0.1.2">'
    page.write_text(page.read_text("utf-8").replace("<head>", f"<head>{mark}"), "utf-8")
    assert warnings(folder) == [f"Warning: sitemap.xml: {LACKS} 1 URL ({BLOG}).", NEW]


def test_under_another_name_it_replaces_the_one_of_the_builder(folder):
    """Whose name is the usual one; the next time it is the one of that name."""
    before(folder, {"": None, "blog/": None})
    folder.config("filename: map.xml")
    line = f"Warning: map.xml: {LACKS} 1 URL ({BLOG}). {CAN_RUN_IT}"
    assert warnings(folder) == [line, NEW.replace("sitemap.xml", "map.xml")]
    assert not (folder.folder / "site" / "sitemap.xml").exists()
    assert warnings(folder) == []


def test_the_parts_of_an_index_are_read_too(folder):
    """All of their URLs."""
    before(folder, {"": None, "blog/": None}, name="site/sitemap-1.xml")
    loc = "<sitemap><loc>https://web.example/sitemap-1.xml</loc></sitemap>"
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    folder.write({"site/sitemap.xml": f'<sitemapindex xmlns="{space}">{loc}</sitemapindex>'})
    line, new, note = warnings(folder)
    assert f"lacks 1 URL ({BLOG})" in line
    assert new == NEW
    assert note == (
        "Note: 1 sitemap of another program is still there, and lists the same pages "
        "(sitemap-1.xml). Name sitemap.xml instead of it in robots.txt and to search engines, and "
        "remove it: `rm site/sitemap-1.xml`."
    )


def test_urls_that_are_not_pages_are_missed_too(folder):
    """Instant navigation moves them to a file of their own, and another builder lets it stay."""
    more = "theme: {name: material, features: [navigation.instant]}\n"
    files = {f"docs/{number}.pdf": "%PDF" for number in range(7)}
    folder.write(files | {name.replace("docs", "site"): text for name, text in files.items()})
    folder.config("extra_files: ['*.pdf']", more=more)
    with limits(max_urls=5):
        run_command("build", cwd=folder.folder)
    assert len([*folder.folder.glob("site/sitemap-extra*.xml")]) == 2
    (folder.folder / "site/6.pdf").unlink()
    (folder.folder / "docs/6.pdf").unlink()
    _, warning = warnings(folder)  # after the note on instant navigation
    assert (
        warning == f"Warning: sitemap.xml: {LACKS} 1 URL (https://web.example/6.pdf). {CAN_RUN_IT}"
    )


def test_an_own_index_that_gives_way_is_named(folder):
    """In the built folder by the command; one in the docs folder by both doors, and there alone."""
    own = {"sitemap-index.xml": "<mine/>", "sitemap-1.xml": "<mine/>"}
    folder.config("extra_sitemaps: [https://web.example/blog/sitemap.xml]")
    folder.write({f"site/{name}": text for name, text in own.items()})
    replaced = (
        "Note: site/sitemap-index.xml: another program wrote this file, and the new sitemap took "
        "its place."
    )
    assert replaced in warnings(folder)
    assert folder.folder.joinpath("site/sitemap-1.xml").read_text("utf-8") == "<mine/>"
    assert not any("sitemap-index.xml" in line for line in warnings(folder))
    folder.docs(own)
    folder.write({f"site/{name}": text for name, text in own.items()})
    not_published = "docs/sitemap-index.xml: this file is not published, because the plugin writes"
    for lines in (warnings(folder), folder.build(found=["page-absent"]).notes):
        (line,) = (line for line in lines if "sitemap-index.xml" in line)
        assert not_published in line
