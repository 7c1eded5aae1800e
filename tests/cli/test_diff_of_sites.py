"""A site has the same URLs for the command, whether it lies on the disk or is on the web."""

import pytest
from commands import run
from sitemap_texts import PAGE, index_of, robots, sitemap_of

from mkdocs_sitemap_plus.command.reader.read import collect

A, B, C = (f"https://example.com/docs/{name}/" for name in "abc")


def comparison(old, new):
    """Return the URLs that the command calls added, removed or changed; then the sum."""
    code, out, err = run("diff", str(old), str(new))
    assert (code, err) == (0, "")
    *urls, total = out.splitlines()
    return urls, total


EXTRA = "https://example.com/docs/manual.pdf"


@pytest.fixture
def site_with_pdf(tmp_path):
    """A built site with Material's instant navigation, and its sitemaps by name."""
    folder = "https://example.com/docs/"
    names = ("sitemap.xml", "sitemap-extra.xml")
    files = {
        "sitemap.xml": sitemap_of(A, B),
        "sitemap-extra.xml": sitemap_of(EXTRA),
        "sitemap-index.xml": index_of(*(folder + name for name in names)),
    }
    site = tmp_path / "site"
    site.mkdir()
    for name, data in files.items():
        (site / name).write_bytes(data)
    return site, files


def publish(web, files, folder=""):
    """Publish sitemaps in a folder of the host; indexes list them there."""
    for name, data in files.items():
        here = data.replace(
            b"https://example.com/docs/sitemap", f"{web.url}{folder}sitemap".encode()
        )
        web.pages[f"/{folder}{name}"] = here


@pytest.mark.parametrize("named", ["host", "page"])
def test_a_site_has_the_same_urls_on_the_disk_and_on_the_web(web, site_with_pdf, named):
    """The PDF of ``sitemap-extra.xml`` is neither added nor removed, however the site is named."""
    site, files = site_with_pdf
    folder = "" if named == "host" else "docs/"
    publish(web, files, folder)
    web.pages |= {"/docs/a/": PAGE, "/robots.txt": robots(f"{web.url}{folder}sitemap-index.xml")}
    url = web.url + folder + ("a/" if named == "page" else "")
    for old, new in ((url, site), (site, url), (site, site), (url, url)):
        assert comparison(old, new) == (
            [],
            "0 added, 0 removed, 0 changed, 3 unchanged; 3 URLs now.",
        )
    (site / "sitemap-extra.xml").unlink()
    assert comparison(url, site)[0] == [f"- {EXTRA}"]
    key = ("--key", "0123456789abcdef", "--all", "--dry-run")
    _, out, _ = run("submit", url, *key)
    assert out.splitlines()[:-1] == sorted([A, B, EXTRA])


def test_a_single_sitemap_is_compared_with_the_sitemap_alone(web, site_with_pdf, tmp_path):
    """Without the PDF, which a downloaded ``sitemap.xml`` can't have; an index has it."""
    site, files = site_with_pdf
    publish(web, files)
    (tmp_path / "before.xml").write_bytes(files["sitemap.xml"])
    for old in (tmp_path / "before.xml", web.url + "sitemap.xml", site / "sitemap.xml"):
        assert comparison(old, site)[0] == []
        assert comparison(site, old)[0] == []
    for old in (web.url + "sitemap-index.xml", site / "sitemap-index.xml"):
        assert comparison(old, site)[0] == []
    assert "/sitemap-extra.xml" in web.paths()


def test_sitemaps_of_other_sites_are_not_those_of_a_folder(web, site_with_pdf):
    """An index lists them by ``extra_sitemaps``. Two hosts are compared in whole."""
    site, files = site_with_pdf
    publish(web, files)
    other = f"<sitemap><loc>{web.url}blog/sitemap.xml</loc></sitemap></sitemapindex>".encode()
    web.pages["/sitemap-index.xml"] = web.pages["/sitemap-index.xml"].replace(
        b"</sitemapindex>", other
    )
    web.pages |= {
        "/robots.txt": robots(web.url + "sitemap-index.xml"),
        "/blog/sitemap.xml": sitemap_of(C),
    }
    assert comparison(web.url, site)[0] == []
    assert comparison(web.url, web.url)[1].endswith("4 URLs now.")
    assert set(collect(web.url).entries) == {A, B, C, EXTRA}


def test_two_spellings_of_a_url_are_one_page(tmp_path):
    """RFC 3986 6.2.2: the case of escapes and of the host, and a port that is the default."""
    old = ["https://example.com/%c3%bc/", "https://EXAMPLE.com:443/a/", "https://example.com/%2f"]
    new = ["https://example.com/%C3%BC/", "https://example.com/a/", "https://example.com//"]
    for name, locs in (("old.xml", old), ("new.xml", new)):
        (tmp_path / name).write_bytes(sitemap_of(*locs))
    changed, total = comparison(tmp_path / "old.xml", tmp_path / "new.xml")
    assert changed == ["- https://example.com/%2f", "+ https://example.com//"]
    assert total == "1 added, 1 removed, 0 changed, 2 unchanged; 3 URLs now."
