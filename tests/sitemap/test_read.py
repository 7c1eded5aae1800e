"""Files, folders and URLs to all entries behind them."""

import gzip

import pytest
from sitemap_texts import PAGE, SPACE, robots
from sitemap_texts import index_of as index
from sitemap_texts import sitemap_of as urlset

from mkdocs_sitemap_plus.command.reader.find import Web
from mkdocs_sitemap_plus.command.reader.read import collect
from mkdocs_sitemap_plus.problems import SitemapError


def error_of(where):
    with pytest.raises(SitemapError) as caught:
        collect(str(where), Web(60))
    return str(caught.value)


A, B, C = (f"https://example.com/docs/{name}/" for name in "abc")


@pytest.mark.parametrize(("name", "pack"), [("sitemap.xml.gz", gzip.compress), ("x", bytes)])
def test_a_file_is_read_whatever_its_name(tmp_path, name, pack):
    """By what is in it."""
    (tmp_path / name).write_bytes(pack(urlset(A, B)))
    found = collect(str(tmp_path / name))
    assert list(found.entries) == [A, B]
    assert found.files == ((tmp_path / name).as_posix(),)


@pytest.mark.parametrize("name", ["sitemap.xml.gz", "sitemap-index.xml"])
def test_a_folder_is_that_of_a_site(tmp_path, name):
    """Its sitemap is read, or its index, or the ``.gz`` of either."""
    (tmp_path / name).write_bytes(urlset(A))
    assert list(collect(str(tmp_path)).entries) == [A]


def test_the_sitemap_of_a_folder_is_read_and_not_the_index_beside_it(tmp_path):
    """``sitemap.xml`` has all URLs wherever both are there."""
    (tmp_path / "sitemap.xml").write_bytes(urlset(A))
    (tmp_path / "sitemap-index.xml").write_bytes(index("https://example.com/docs/b.xml"))
    assert list(collect(str(tmp_path)).entries) == [A]


def test_the_parts_of_an_index_are_beside_it(tmp_path):
    """In its folder and below, packed or not; what is not part of it is not read."""
    (tmp_path / "de").mkdir()
    (tmp_path / "sitemap.xml").write_bytes(
        index(
            "https://example.com/docs/sitemap-1.xml",
            "https://example.com/docs/de/sitemap%201.xml.gz",
        )
    )
    (tmp_path / "sitemap-1.xml").write_bytes(urlset(A, B))
    (tmp_path / "de" / "sitemap 1.xml.gz").write_bytes(gzip.compress(urlset(C)))
    (tmp_path / "sitemap-2.xml").write_bytes(urlset("https://example.com/docs/old/"))
    assert list(collect(str(tmp_path)).entries) == [A, B, C]


@pytest.mark.parametrize("piece", ["../", "..%2F", "..%5C"])
def test_an_index_does_not_lead_out_of_its_folder(tmp_path, piece):
    """Whatever its URLs are made of."""
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.xml").write_bytes(urlset(A))
    (tmp_path / "in" / "sitemap.xml").write_bytes(index(f"https://example.com/{piece}secret.xml"))
    missing = (tmp_path / "in" / "secret.xml").as_posix()
    assert error_of(tmp_path / "in") == f"{missing}: can't be read (No such file or directory)."


@pytest.mark.parametrize("name", ["%00.xml", "x" * 1000 + ".xml"])
def test_parts_with_names_that_no_file_can_have_are_reported(tmp_path, name):
    """As parts that are not there."""
    (tmp_path / "sitemap.xml").write_bytes(index(f"https://example.com/{name}"))
    assert "can't be read (" in error_of(tmp_path)


def test_an_index_that_leads_back_to_itself_comes_to_an_end(tmp_path):
    """Each file is read once."""
    (tmp_path / "sitemap.xml").write_bytes(
        index("https://example.com/sitemap.xml", "https://example.com/a.xml")
    )
    (tmp_path / "a.xml").write_bytes(urlset(A))
    found = collect(str(tmp_path))
    assert list(found.entries) == [A]
    assert [name.rpartition("/")[2] for name in found.files] == ["sitemap.xml", "a.xml"]


def test_indexes_in_indexes_come_to_an_end(web):
    """They are none by the rules, and a server can make them for ever."""
    for number in range(9):
        web.pages[f"/{number}.xml"] = index(f"{web.url}{number + 1}.xml")
    reported = f"{web.url}3.xml: is an index in an index, more than 3 deep."
    assert error_of(web.url + "0.xml") == reported
    web.pages["/0.xml"] = index(*(f"{web.url}p{number}.xml" for number in range(1001)))
    assert error_of(web.url + "0.xml") == f"{web.url}0.xml: leads to more than 1,000 files."


def test_the_parts_of_a_fetched_index_are_fetched(web):
    """Packed or not; the URL of a site stands for that of its sitemap."""
    web.pages |= {
        "/docs/sitemap.xml": index(web.url + "docs/1.xml", web.url + "docs/2.xml.gz"),
        "/docs/1.xml": urlset(A),
        "/docs/2.xml.gz": gzip.compress(urlset(B)),
    }
    assert list(collect(web.url + "docs/").entries) == [A, B]
    assert web.paths() == ["/docs/sitemap.xml", "/docs/1.xml", "/docs/2.xml.gz"]


def test_a_url_without_a_sitemap_is_an_error(web):
    """By the answer of the server."""
    assert error_of(web.url) == f"{web.url}sitemap.xml: answers 404 (Not Found)."
    web.pages["/sitemap.xml"] = b"<!doctype html><title>Hello</title>"
    assert error_of(web.url) == f"{web.url}sitemap.xml: is a web page (HTML), not a sitemap."


def test_a_missing_file_is_an_error(tmp_path):
    """A file, a folder without a sitemap, a name that no file has."""
    none = (tmp_path / "x").as_posix()
    assert error_of(none) == f"{none}: can't be read (No such file or directory)."
    folder = tmp_path.as_posix()
    assert (
        error_of(folder) == f"{folder}: has no sitemap.xml or sitemap-index.xml in it. "
        "Build the site again, or give the path of the sitemap itself."
    )
    assert error_of("a\0b") == r"a\x00b: can't be read (No file can have this name)."


def test_another_root_element_is_an_error(tmp_path):
    """Such as an entry without its list."""
    file = tmp_path / "sitemap.xml"
    file.write_text(f'<url xmlns="{SPACE}"/>', "utf-8")
    expected = "but must be 'urlset' or 'sitemapindex'."
    assert error_of(file) == f"{file.as_posix()}: the root element is 'url', {expected}"


@pytest.mark.parametrize(
    ("space", "found"),
    [
        ("", "no namespace"),  # as mkdocs-sitemap-exclusion writes it
        (SPACE.replace("http:", "https:"), f"the namespace '{SPACE.replace('http:', 'https:')}'"),
    ],
)
def test_a_sitemap_of_another_namespace_is_read(tmp_path, space, found):
    """Each field of it, in an index too, and with images; a problem says that it is wrong."""
    image = '<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><i:loc>'
    right = urlset(A).replace(
        b"</url>",
        b"<lastmod>2026-01-02</lastmod><priority>0.5</priority>"
        + f"{image}{B}</i:loc></i:image></url>".encode(),
    )
    files = {"a.xml": right, "sitemap-index.xml": index(f"{A}a.xml")}
    for folder, names in (("right", SPACE), ("wrong", space)):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / name).write_bytes(text.replace(SPACE.encode(), names.encode()))
    expected, wrong = (collect(str(tmp_path / name)) for name in ("right", "wrong"))
    assert (wrong.entries, expected.problems) == (expected.entries, ())
    assert wrong.entries[A].images == (B,)
    clause = f"has {found}, so search engines can't read it, but it was read here."
    assert [str(problem).partition(": ")[2] for problem in wrong.problems] == [
        f"sitemapindex {clause}",
        f"urlset {clause}",
    ]


def test_an_unreadable_field_of_an_entry_is_reported(tmp_path):
    """The other entries are read."""
    (tmp_path / "sitemap.xml").write_bytes(urlset(A, "x", B).replace(b"</url>", b"<n/></url>"))
    found = collect(str(tmp_path))
    assert list(found.entries) == [A, B]
    assert [problem.place.line for problem in found.problems] == [3]


def test_the_first_of_two_entries_counts(tmp_path):
    """Of one file, and of two."""
    again = urlset(A, A).replace(
        b"</loc></url>\n</urlset>", b"</loc><priority>1</priority></url></urlset>"
    )
    (tmp_path / "sitemap.xml").write_bytes(again)
    assert collect(str(tmp_path)).entries[A].priority is None


@pytest.mark.parametrize("given", ["", "page.html", "docs"])
def test_a_site_is_given_by_any_of_its_urls(web, given):
    """Its host, a page or a folder: robots.txt names its sitemaps, and all of them are read."""
    web.pages |= {
        "/page.html": PAGE,
        "/docs": PAGE,
        "/docs/sitemap.xml": PAGE,
        "/robots.txt": robots(web.url + "a.xml", "relative.xml", web.url + "b.xml"),
        "/a.xml": urlset(A),
        "/b.xml": urlset(B),
        "/sitemap.xml": urlset(C),
    }
    assert list(collect(web.url + given).entries) == [A, B]
    assert list(collect((web.url + given).removesuffix("/")).entries) == [A, B]


@pytest.mark.parametrize(
    ("given", "robots_txt"), [("", PAGE), ("page", 404), ("docs/", b"User-agent: *\nDisallow:\n")]
)
def test_without_robots_txt_the_sitemap_is_at_the_root(web, given, robots_txt):
    """Where most sites have it."""
    web.pages |= {"/page": PAGE, "/robots.txt": robots_txt, "/sitemap.xml": urlset(A)}
    assert list(collect(web.url + given).entries) == [A]
    assert web.paths().count("/sitemap.xml") == 1


def test_the_sitemap_in_a_folder_is_that_of_the_folder(web):
    """Whatever robots.txt names for the whole host."""
    web.pages |= {"/docs/sitemap.xml": urlset(A), "/robots.txt": robots(web.url + "b.xml")}
    assert list(collect(web.url + "docs/").entries) == [A]
    assert web.paths() == ["/docs/sitemap.xml"]


@pytest.mark.parametrize("given", ["docs", "docs/index.html", "docs?lang=en"])
def test_the_sitemap_in_the_folder_of_a_page_is_that_of_the_page(web, given):
    """A site in a folder of its host is named by its home page, or without its last slash."""
    web.pages |= {
        "/docs": (301, {"Location": "/docs/"}, b""),
        "/docs?lang=en": PAGE,
        "/docs/": PAGE,
        "/docs/index.html": PAGE,
        "/docs/sitemap.xml": urlset(A),
        "/robots.txt": robots(web.url + "b.xml"),
        "/b.xml": urlset(B),
    }
    assert list(collect(web.url + given).entries) == [A]


def test_a_web_page_is_called_a_web_page(web):
    """If a sitemap was named, no other one is read in its place."""
    web.pages |= {"/s.xml": PAGE, "/page": PAGE, "/a.XML": b"\xef\xbb\xbf <html lang='en'>"}
    is_page = "is a web page (HTML), not a sitemap."
    for name in ("s.xml", "a.XML"):
        reported = f"{web.url}{name}: {is_page} Try {web.url}sitemap.xml."
        assert error_of(web.url + name) == reported
    assert set(web.paths()) == {"/s.xml", "/a.XML"}
    neither = f"Neither {web.url}robots.txt nor {web.url}sitemap.xml leads to a sitemap."
    assert error_of(web.url + "page") == f"{web.url}page: {is_page} {neither}"
    missing = f"{web.url}docs/sitemap.xml: answers 404 (Not Found). {neither}"
    assert error_of(web.url + "docs/") == missing


@pytest.mark.parametrize("url", ["HTTP:///", "http:", "https://[1/"])
def test_a_url_without_a_host_is_not_asked_for(url):
    """No host is called sitemap.xml."""
    reported = f"{url}: is not a URL with a host. A URL looks like https://example.com/sitemap.xml."
    assert error_of(url) == reported


SCHEME = "A URL begins with https:// or http://."


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("127.0.0.1:8137/x.xml", SCHEME),
        ("localhost:8000/", SCHEME),
        ("example.com/sitemap.xml", SCHEME),
        ("example.com:8080", SCHEME),
        ("ftp://example.com/sitemap.xml", SCHEME),
        ("publik", None),
        ("public/other.xml", None),
        ("v1.0", None),
        ("news.xml", None),
    ],
)
def test_a_url_without_its_scheme_is_no_file(tmp_path, monkeypatch, name, hint):
    """The message says how a URL begins."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemap.xml").touch()
    (tmp_path / "public").mkdir()
    found = f"{name}: can't be read (No such file or directory)."
    assert error_of(name) == (f"{found} {hint}" if hint else found)


def test_the_folder_of_a_page_leads_to_its_site(tmp_path, monkeypatch):
    """As the URL of a page does."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "public" / "a" / "b").mkdir(parents=True)
    reported = "public/a/b: has no sitemap.xml or sitemap-index.xml in it."
    (tmp_path / "public" / "sitemap.xml").touch()
    assert "has one" not in error_of("public/a/b")
    (tmp_path / "public" / "index.html").touch()
    assert error_of("public/a/b") == f"{reported} public has one."


def test_a_part_is_read_as_it_is_named(web):
    """It is not a site: the URL of a folder is fetched, and not a sitemap in it."""
    web.pages |= {"/s.xml": index(web.url + "docs/"), "/docs/": urlset(A)}
    assert list(collect(web.url + "s.xml").entries) == [A]
    assert web.paths() == ["/s.xml", "/docs/"]


def test_a_robots_txt_behind_too_many_redirects_is_none(web):
    """RFC 9309 2.3.1.2: the sitemap is then looked for at the root."""
    web.pages |= {"/robots.txt": (301, {"Location": "/robots.txt"}, b""), "/sitemap.xml": urlset(A)}
    assert list(collect(web.url).entries) == [A]
