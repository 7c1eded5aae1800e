"""``mkdocs-sitemap-plus index``: one sitemap over several built sites."""

import shutil

import pytest
from indexes import index, listed
from sitemap_xml import NAMESPACE

ENTRY = "<url><loc>{}</loc>{}</url>"
URLSET = f'<urlset xmlns="{NAMESPACE[1:-1]}">{{}}</urlset>'
PART = "<sitemap><loc>{}</loc></sitemap>"
INDEX = f'<sitemapindex xmlns="{NAMESPACE[1:-1]}">{{}}</sitemapindex>'
PAGE = '<html><head><link rel="canonical" href="{}"></head></html>'


def urlset(pages):
    """A sitemap of URLs with their dates, or None."""
    dated = {loc: f"<lastmod>{day}</lastmod>" if day else "" for loc, day in pages.items()}
    return URLSET.format("".join(ENTRY.format(loc, day) for loc, day in dated.items()))


@pytest.fixture
def languages(site):
    """Two languages beside each other, as they are on the web."""
    site.write(
        {
            "public/en/sitemap.xml": urlset(
                {"https://x.example/en/": "2024-01-01", "https://x.example/en/a/": "2024-03-01"}
            ),
            "public/de/sitemap.xml": urlset(
                {"https://x.example/de/": "2024-02-01", "https://x.example/de/a/": None}
            ),
        }
    )
    return site.folder


def test_an_index_lists_each_site_with_its_newest_date(languages):
    """A date is there only if each entry of that sitemap has one; all are valid by the schema."""
    lines = index("public/en", "public/de", cwd=languages)
    assert lines == [
        "sitemap-index.xml and sitemap-index.xml.gz for https://x.example/: 2 sitemaps."
    ]
    path = languages / "public/sitemap-index.xml"
    assert listed(path) == {
        "https://x.example/en/sitemap.xml": "2024-03-01",
        "https://x.example/de/sitemap.xml": None,
    }


def test_the_url_of_a_site_without_directory_urls_is_that_of_its_home_page(site):
    """MkDocs names ``index.html`` as canonical there, with ``use_directory_urls: false``."""
    for name in ("en", "de"):
        home = f"https://x.example/{name}/index.html"
        pages = {home: None, home.replace("index", "a"): None}
        site.write({f"public/{name}/sitemap.xml": urlset(pages)})
        site.write({f"public/{name}/index.html": PAGE.format(home)})
    index("public/en", "public/de", cwd=site.folder)
    assert listed(site.folder / "public/sitemap-index.xml") == {
        "https://x.example/de/sitemap.xml": None,
        "https://x.example/en/sitemap.xml": None,
    }


def test_files_that_are_not_pages_are_listed_too(site):
    """With instant navigation, they are not in the ``sitemap.xml`` of a site, but beside it."""
    for name in ("en", "de"):
        home, files = f"https://x.example/{name}/", f"public/{name}/"
        parts = [f"{home}sitemap.xml", f"{home}sitemap-extra.xml"]
        site.write({f"{files}sitemap.xml": urlset({home: None, f"{home}a/": None})})
        site.write({f"{files}sitemap-extra.xml": urlset({f"{home}sheet.pdf": None})})
        site.write({f"{files}sitemap-index.xml": INDEX.format("".join(map(PART.format, parts)))})
    public = site.folder / "public"
    index("public/en", "public/de", cwd=site.folder)
    assert set(listed(public / "sitemap-index.xml")) == {
        f"https://x.example/{name}/sitemap{extra}.xml"
        for name in ("en", "de")
        for extra in ("", "-extra")
    }
    index("--merge", "public/en", "public/de", cwd=site.folder)
    assert set(listed(public / "sitemap.xml")) == {
        f"https://x.example/{name}/{page}"
        for name in ("en", "de")
        for page in ("", "a/", "sheet.pdf")
    }


def test_the_same_sites_give_the_same_bytes(languages):
    """And a second run replaces what the first one wrote."""
    paths = [languages / "public" / f"sitemap-index.xml{gz}" for gz in ("", ".gz")]
    index("public/en", "public/de", cwd=languages)
    first = [path.read_bytes() for path in paths]
    index("public/en", "public/de", cwd=languages)
    assert [path.read_bytes() for path in paths] == first
    assert sorted(path.name for path in (languages / "public").iterdir()) == [
        "de",
        "en",
        "sitemap-index.xml",
        "sitemap-index.xml.gz",
    ]


def test_merged_all_pages_are_in_one_sitemap(languages):
    """By URL, in one order."""
    lines = index("--merge", "public/en", "public/de", cwd=languages)
    assert lines == ["sitemap.xml and sitemap.xml.gz for https://x.example/: 4 URLs."]
    assert list(listed(languages / "public/sitemap.xml").items()) == [
        ("https://x.example/de/", "2024-02-01"),
        ("https://x.example/de/a/", None),
        ("https://x.example/en/", "2024-01-01"),
        ("https://x.example/en/a/", "2024-03-01"),
    ]


def test_an_index_in_a_site_s_own_folder_needs_a_name(site):
    """Only its owner knows which is free; a sitemap that is to be listed is not replaced."""
    for name in ("", "de/"):
        home = f"https://x.example/{name}"
        site.write({f"public/{name}sitemap.xml": urlset({home: None})})
        site.write({f"public/{name}index.html": PAGE.format(home)})
    both = ("public", "public/de")
    own = (
        "sitemap-index.xml: would be written into the folder of a site, which may have such a file"
    )
    assert index(*both, cwd=site.folder, code=1) == [
        f"Error: {own}. Choose the output file with -o."
    ]
    assert index(*both, "-o", "public/sitemap.xml", cwd=site.folder, code=1) == [
        (
            "Error: sitemap.xml: would replace one of the sitemaps that it lists. "
            "Choose the output file with -o."
        )
    ]
    index(*both, "-o", "public/all.xml", cwd=site.folder)
    assert list(listed(site.folder / "public/all.xml")) == [
        "https://x.example/sitemap.xml",
        "https://x.example/de/sitemap.xml",
    ]


def test_folders_may_be_called_otherwise_than_on_the_web(site):
    """The home pages show where each site is."""
    home = PAGE.format("https://x.example/")
    pages = {"https://x.example/de/": None, "https://x.example/de/a/": None}
    site.write({"site/sitemap.xml": urlset({"https://x.example/": None}), "site/index.html": home})
    site.write({"site-de/sitemap.xml": urlset(pages)})
    index("site", "site-de", "-o", "out/root.xml", cwd=site.folder)
    assert list(listed(site.folder / "out/root.xml")) == [
        "https://x.example/sitemap.xml",
        "https://x.example/de/sitemap.xml",
    ]


def test_a_site_without_a_known_url_needs_the_option(site):
    """Without its home page the URLs of a sitemap do not show where it is."""
    site.write({"a/sitemap.xml": urlset({"https://x.example/p/a/b/": None})})
    site.write({"b/sitemap.xml": urlset({"https://x.example/p/b/c/": None})})
    assert index("a", "b", "-o", "x.xml", cwd=site.folder, code=1) == [
        f"Error: {site.folder.name}: has no known URL. Give it with --url."
    ]
    index("a", "b", "-o", "x.xml", "--url", "https://x.example/p", cwd=site.folder)
    expected = ["https://x.example/p/a/sitemap.xml", "https://x.example/p/b/sitemap.xml"]
    assert list(listed(site.folder / "x.xml")) == expected
    urls = ("a=https://x.example/p/a/", "b=https://x.example/p/b")
    index(*urls, "-o", "y.xml", cwd=site.folder)
    assert list(listed(site.folder / "y.xml")) == expected


def test_an_index_contributes_its_parts(site):
    """No index lists an index."""
    parts = {f"https://x.example/a/sitemap-{i}.xml": None for i in (1, 2)}
    site.write(
        {
            "a/sitemap.xml": INDEX.format("".join(map(PART.format, parts))),
            "a/sitemap-1.xml": urlset({"https://x.example/a/": "2024-01-01"}),
            "a/sitemap-2.xml": urlset({"https://x.example/a/b/": "2024-02-01"}),
            "b/sitemap.xml": urlset({"https://x.example/b/": "2024-03-01"}),
        }
    )
    index("a", "b", cwd=site.folder)
    assert listed(site.folder / "sitemap-index.xml") == {
        "https://x.example/a/sitemap-1.xml": "2024-01-01",
        "https://x.example/a/sitemap-2.xml": "2024-02-01",
        "https://x.example/b/sitemap.xml": "2024-03-01",
    }


def test_nothing_outside_of_its_folder_is_listed(site):
    """An index lists no sitemap, and a list no URL, above itself or on another host.

    Without a site that a person names, nothing is written; an old version of mike is left out.
    """
    site.write({"a/sitemap.xml": urlset({"https://x.example/p/a/": None})})
    site.write(
        {"b/sitemap.xml": urlset({"https://y.example/b/": None, "https://y.example/b/c/": None})}
    )
    scope = "not under https://x.example/p/, and a sitemap there may list only URLs under it."
    url = ("--url", "https://x.example/p/")
    given = ("a", "b=https://y.example/b/", *url)
    assert index(*given, cwd=site.folder, code=1) == [
        f"Error: b: its URL https://y.example/b/ is {scope[:-1]}. No file is written."
    ]
    assert index("--merge", *given, cwd=site.folder, code=1) == [
        f"Error: b: 2 of 2 URLs are {scope[:-1]}. No file is written."
    ]
    assert not list(site.folder.glob("*.xml"))
    site.write({"versions.json": '[{"version": "a"}, {"version": "b"}]'})
    lines = index(".", *url, cwd=site.folder)
    assert lines == [
        "sitemap-index.xml and sitemap-index.xml.gz for https://x.example/p/: 1 sitemap.",
        f"Warning: b: its URL https://y.example/b/ is {scope} It is not listed.",
    ]
    assert list(listed(site.folder / "sitemap-index.xml")) == ["https://x.example/p/a/sitemap.xml"]
    lines = index("--merge", ".", *url, cwd=site.folder)
    assert f"Warning: b: 2 of 2 URLs are {scope} They are not listed." in lines
    assert list(listed(site.folder / "sitemap.xml")) == ["https://x.example/p/a/"]


def test_a_note_says_which_urls_a_merged_list_has(site):
    """It has none of another host."""
    other = {"https://y.example/": None, "https://x.example/c/": None}
    site.write({"a/sitemap.xml": urlset(other | {"https://x.example/a/": None})})
    site.write({"c/index.html": PAGE.format("https://x.example/c/")})
    note = "With --merge, those under https://x.example/ are listed."
    given = ("a=https://x.example/a/", "--url", "https://x.example", "-o", "out.xml")
    lines = index(*given, cwd=site.folder)
    assert lines[1] == (
        "Note: a: 2 of 3 URLs are not under https://x.example/a/. Search engines ignore them. "
        + note
    )
    index("--merge", *given, cwd=site.folder)
    assert list(listed(site.folder / "out.xml")) == ["https://x.example/a/", "https://x.example/c/"]


def test_a_page_that_is_gone_from_the_canonical_version_is_not_listed(site):
    """An old version lists it under the URL of the new one, which a browser could not open."""
    latest = "https://x.example/latest/"
    versions = '[{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]'
    site.write({"pages/versions.json": versions})
    for version, names in (("2.0", ("", "a/")), ("1.0", ("", "a/", "old/"))):
        urls = [latest + name for name in names]
        site.write({f"pages/{version}/sitemap.xml": urlset(dict.fromkeys(urls))})
        for name, url in zip(names, urls, strict=True):
            site.write({f"pages/{version}/{name}index.html": PAGE.format(url)})
    assert index("--merge", "pages", cwd=site.folder) == [
        "sitemap.xml and sitemap.xml.gz for https://x.example/: 2 URLs.",
        (
            "Note: 1.0: lists 1 page that is not in the site of its URL (https://x.example/latest/old/)."
            " The merged sitemap does not list them."
        ),
    ]
    assert list(listed(site.folder / "pages/sitemap.xml")) == [latest, f"{latest}a/"]


@pytest.mark.parametrize(
    ("given", "loc"),
    [
        ("a=http2", "https://x.example/a/sitemap.xml"),
        ("a=http2=HTTPS://y.example/b/", "https://y.example/b/sitemap.xml"),
    ],
)
def test_the_url_of_a_folder_begins_at_its_scheme(site, given, loc):
    """Which may be in capital letters (RFC 3986 3.1); a name of a folder may be like its start."""
    home = loc.removesuffix("sitemap.xml")
    site.write({"a=http2/sitemap.xml": urlset({home: None})})
    site.write({"a=http2/index.html": PAGE.format(home)})
    base = loc.partition("/sitemap.xml")[0].rpartition("/")[0]
    index(given, "-o", "out.xml", "--url", base, cwd=site.folder)
    assert list(listed(site.folder / "out.xml")) == [loc]


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("x.example", "is not an http or https URL"),
        ("https://x.example/?a=1", "has a query"),
    ],
)
def test_a_url_that_can_t_be_that_of_a_folder_is_an_error(site, url, fault):
    """No file is written with it."""
    site.write({"a/sitemap.xml": urlset({"https://x.example/a/": None})})
    reported = [f"Error: {url}: {fault}."]
    assert index("a", "-o", "out.xml", "--url", url, cwd=site.folder, code=1) == reported
    if "://" in url:
        assert index(f"a={url}", "-o", "out.xml", cwd=site.folder, code=1) == reported
    assert not (site.folder / "out.xml").exists()


def test_two_sites_do_not_have_one_url(site):
    """One of them would be lost, as if a language had the ``site_url`` of another one."""
    pages = urlset({"https://x.example/p/": None, "https://x.example/p/a/": None})
    site.write({"one/sitemap.xml": pages, "two/sitemap.xml": pages})
    same = "its URL https://x.example/p/ is that of one as well"
    assert index("one", "two", cwd=site.folder, code=1) == [
        (
            f"Error: two: {same}. No file is written. "
            "Set the site_url of each, or give the URL as DIR=URL."
        )
    ]


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (
            ["", "3", "[1]", "{}", '[{"version": "1", "aliases": "latest"}]'],
            "does not have the form that mike writes",
        ),
        (
            ['[{"version": "../up"}]', '[{"version": "1", "aliases": [2]}]'],
            "lists a name that can't be the name of a folder",
        ),
    ],
)
def test_a_damaged_versions_json_is_named(site, texts, fault):
    """One line, and no file is written."""
    site.write({"up/sitemap.xml": urlset({"https://x.example/": None})})
    for text in texts:
        site.write({"pages/versions.json": text})
        lines = index("pages", cwd=site.folder, code=1)
        assert lines == [f"Error: pages/versions.json: {fault}."], text
    assert not list((site.folder / "pages").glob("*.xml*"))


@pytest.mark.parametrize("merge", [(), ("--merge",)])
def test_a_site_without_urls_ends_it(languages, merge):
    """A language that was not built must not vanish from the list; nor one that lists nothing."""
    path = languages / "public/x.xml"
    path.write_text("before", "utf-8")
    fr = languages / "public/fr"
    fr.mkdir()
    for given in ("public/fr", "public/fr=https://x.example/fr/"):
        assert index(*merge, "public/en", given, "-o", path, cwd=languages, code=1) == [
            "Error: public/fr: has no sitemap in it. No file is written."
        ]
    assert index(*merge, "public/fr", cwd=languages, code=1) == [
        "Error: public/fr: has no sitemap in it. No file is written."
    ]
    undated = ENTRY.format("None", "")  # as of MkDocs without site_url
    for text in (urlset({}), URLSET.format(undated), INDEX.format("")):
        (fr / "sitemap.xml").write_text(text, "utf-8")
        empty = "has no sitemap in it" if text == INDEX.format("") else "its sitemap has no URLs"
        (line,) = index(*merge, "public/en", "public/fr", "-o", path, cwd=languages, code=1)
        assert line.startswith(f"Error: public/fr: {empty}. No file is written.")
    assert index(*merge, "public/en", "nowhere", cwd=languages, code=1) == [
        "Error: nowhere: is not a folder."
    ]
    assert path.read_text("utf-8") == "before"


def test_an_empty_part_is_not_listed(site):
    """An index may list no empty sitemap."""
    parts = [f"https://x.example/a/sitemap-{i}.xml" for i in (1, 2)]
    site.write(
        {
            "a/sitemap.xml": INDEX.format("".join(map(PART.format, parts))),
            "a/sitemap-1.xml": urlset({"https://x.example/a/": None}),
            "a/sitemap-2.xml": urlset({}),
        }
    )
    lines = index(
        "a=https://x.example/a/", "-o", "x.xml", "--url=https://x.example", cwd=site.folder
    )
    assert lines[1:] == ["Warning: a: sitemap-2.xml has no URLs. That file is not listed."]
    assert list(listed(site.folder / "x.xml")) == parts[:1]


@pytest.mark.parametrize(("url", "old"), [("", None), ("=https://x.example", urlset({}))])
def test_an_old_version_without_urls_is_left_out(site, url, old):
    """Such as one from before the site had a sitemap, or ``site_url``.

    It may never be built again, unless it is the newest one, or one to which an alias leads.
    """
    site.write(
        {
            "pages/versions.json": '[{"version": "1.0"}, {"version": "0.1"}]',
            "pages/1.0/sitemap.xml": urlset({"https://x.example/1.0/": None}),
            "pages/1.0/index.html": PAGE.format("https://x.example/1.0/"),
            "pages/0.1/index.html": "old",
        }
    )
    what = "has no sitemap in it."
    if old:
        site.write({"pages/0.1/sitemap.xml": old})
        what = "its sitemap has no URLs."
    fix = " Set site_url, and build the site again." if old else ""
    expected = ["https://x.example/1.0/sitemap.xml"]
    for merge, name in ((), "sitemap-index.xml"), (("--merge",), "sitemap.xml"):
        lines = index(*merge, f"pages{url}", cwd=site.folder)
        assert lines[1:] == [f"Warning: pages/0.1: {what} It is not listed.{fix}"]
        assert len(listed(site.folder / "pages" / name)) == 1
    for versions in (
        '[{"version": "1.0"}, {"version": "0.1", "aliases": ["stable"]}]',
        '[{"version": "0.1"}, {"version": "1.0"}]',
    ):
        site.write({"pages/versions.json": versions})
        lines = index(f"pages{url}", cwd=site.folder, code=1)
        assert lines == [f"Error: pages/0.1: {what} No file is written.{fix}"]
    index(f"pages/1.0{url and url + '/1.0/'}", "-o", "pages/s.xml", cwd=site.folder)
    assert list(listed(site.folder / "pages/s.xml")) == expected


def test_a_canonical_page_has_the_date_of_the_version_that_it_is_from(site):
    """All versions name it; only one of them is it, even if another one is newer.

    An index can only list the sitemap that is at the URL of the canonical version, too.
    """
    latest = "https://x.example/latest/"
    versions = '[{"version": "2.0-dev", "aliases": []}, {"version": "1.0", "aliases": ["latest"]}]'
    site.write({"pages/versions.json": versions})
    for version, day in (("2.0-dev", "2024-09-01"), ("1.0", "2024-01-01")):
        site.write({f"pages/{version}/sitemap.xml": urlset({latest: day, f"{latest}a/": day})})
    shutil.copytree(site.folder / "pages/1.0", site.folder / "pages/latest")
    assert index("--merge", "pages", cwd=site.folder) == [
        "sitemap.xml and sitemap.xml.gz for https://x.example/: 2 URLs."
    ]
    assert listed(site.folder / "pages/sitemap.xml") == {
        latest: "2024-01-01",
        f"{latest}a/": "2024-01-01",
    }
    outside = "It is not listed. With --merge, those under https://x.example/ are listed."
    assert index("pages", cwd=site.folder) == [
        "sitemap-index.xml and sitemap-index.xml.gz for https://x.example/: 1 sitemap.",
        f"Note: 2.0-dev: 2 of 2 URLs are not under https://x.example/2.0-dev/. {outside}",
    ]
    assert listed(site.folder / "pages/sitemap-index.xml") == {f"{latest}sitemap.xml": "2024-01-01"}
    shutil.rmtree(site.folder / "pages/latest")  # as if it were made of redirects
    outside = outside.replace("It is not listed", "No file is written")
    assert index("pages", cwd=site.folder, code=1) == [
        f"Error: 2.0-dev: 2 of 2 URLs are not under https://x.example/2.0-dev/. {outside}"
    ]


def test_an_alias_without_its_version_is_a_site(site):
    """No other sitemap would list its pages; beside its version, the version is listed."""
    site.write({"pages/versions.json": '[{"version": "2.0", "aliases": ["latest"]}]'})
    for name, home in (("2.0", "latest"), ("latest", "latest"), ("blog", "blog")):
        url = f"https://x.example/{home}/"
        site.write({f"pages/{name}/sitemap.xml": urlset({url: None, f"{url}a/": None})})
    path = site.folder / "pages/s.xml"
    index("pages/latest", "pages/blog", "-o", "pages/s.xml", cwd=site.folder)
    blog = "https://x.example/blog/sitemap.xml"
    assert list(listed(path)) == ["https://x.example/latest/sitemap.xml", blog]
    for both in (("pages/latest", "pages/2.0"), ("pages/latest", "pages")):
        index(*both, "pages/blog", "-o", "pages/s.xml", cwd=site.folder)
        assert list(listed(path)) == ["https://x.example/latest/sitemap.xml", blog]
