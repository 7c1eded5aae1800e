"""Several sources of one URL: the page that is on the disk decides everything."""

from decided import page

from mkdocs_sitemap_plus.command.any_site.built_site import add_languages
from mkdocs_sitemap_plus.html.page_says import read_built_page
from mkdocs_sitemap_plus.html.site_folder import SiteFolder

NOTE = (
    "docs/a.md: this page has the same URL as docs/a/README.md. It is not published: the other "
    "page is listed, with its own date and front matter. Rename one of them."
)


NOT_LISTED = (
    "docs/a.md: this page has the same URL as docs/a/README.md. It is not published: the other "
    "page is written over it. Rename one of them."
)


def make(site, *, first, second):
    """`docs/a.md` with `first` and `docs/a/README.md` with `second` as front matter."""
    site.config()
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n"})
    site.commit_on("2024-02-02", {"docs/a/README.md": f"---\n{second}\n---\n# Second\n"})
    site.commit_on("2024-03-03", {"docs/a.md": f"---\n{first}\n---\n# First\n"})


def test_the_page_on_the_disk_gives_date_and_priority(site):
    """MkDocs writes the README last, although the other source changed later."""
    make(site, first="priority: 0.1", second="priority: 0.9")
    built = site.build("--strict")
    assert "Second" in built.path("a/index.html").read_text("utf-8")
    assert built.by_loc()["a/"] == {"lastmod": "2024-02-02T10:00:00+00:00", "priority": "0.9"}
    assert built.notes == [NOTE]


def test_only_the_page_on_the_disk_can_exclude_the_url(site):
    """Whatever the lost page says."""
    make(site, first="priority: 0.9", second="sitemap: false")
    built = site.build()
    assert "a/" not in built.locs()
    assert built.notes == [NOT_LISTED]


def test_of_two_files_of_one_url_only_one_may_link_languages(tmp_path):
    """Then the URL has no language versions, since its last file names none."""
    links = '<link rel="alternate" hreflang="en" href="/a/">'
    pages = []
    for name, html in (("a/index.html", links), ("a.html", "<p>A</p>")):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(html, "utf-8")
        url = "https://web.example/a/"
        pages.append(page("a")._replace(dest_uri=name, loc=url, built=read_built_page(file)))
    first, second = add_languages(pages, SiteFolder(tmp_path, "https://web.example/"))
    assert (first.locale, first.translation_of) == ("en", "https://web.example/a/")
    assert (second.locale, second.translation_of) == (None, None)
