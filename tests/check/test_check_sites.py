"""``check`` over several built sites in one folder, as ``index`` or mike leave them."""

import gzip
import json

import pytest
from commands import run
from indexes import index
from sitemap_texts import index_of, sitemap_of, urlset

HOST = "https://x.example/"


def build(folder, url, *paths):
    """A built site: pages that name themselves as canonical, and a sitemap that lists them."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in ("", *paths):
        page(folder, url, path)
    (folder / "sitemap.xml").write_bytes(sitemap_of(*(url + path for path in ("", *paths))))


def page(folder, url, path):
    """A page of a built site."""
    (folder / path).mkdir(exist_ok=True)
    head = f'<head><link rel="canonical" href="{url}{path}"></head>'
    (folder / path / "index.html").write_text(f"<!doctype html><html>{head}</html>", "utf-8")


def check(*arguments):
    """The exit code, the findings as (code, file, URL), and the rest of the JSON."""
    code, out, err = run("check", "--format", "json", *arguments)
    result = json.loads(out)
    found = {(each["code"], each["file"], each["loc"]) for each in result["findings"]}
    return code, found, result | {"notes": err}


@pytest.fixture
def top(tmp_path, monkeypatch):
    """A folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def languages(top):
    """Two languages without a page above them: a page of each is lost, and one is not built."""
    for name in ("en", "de"):
        build(top / name, f"{HOST}{name}/", "a/", "b/")
    return {"en": top / "en", "de": top / "de"}


def lose(folder, url):
    """Lose the page a/, and forget the page c/."""
    (folder / "a/index.html").unlink()
    page(folder, url, "c/")


def test_each_site_of_an_index_is_compared_with_its_pages(top):
    """Though there is no page beside the index."""
    folders = languages(top)
    index("en", "de", cwd=top)
    code, found, result = check(".")
    assert (code, found, result["pages_checked"], result["urls"]) == (0, set(), True, 6)
    for name, folder in folders.items():
        lose(folder, f"{HOST}{name}/")
    expected = {
        finding
        for name in folders
        for finding in (
            ("page-absent", f"{name}/sitemap.xml", f"{HOST}{name}/a/"),
            ("not-listed", f"{name}/c/index.html", f"{HOST}{name}/c/"),
        )
    }
    assert check(".")[:2] == (1, expected)
    assert check("en", "de")[:2] == (1, expected)
    assert check("sitemap-index.xml")[1] == expected
    (top / "index.html").write_text("<!doctype html><html><noscript>", "utf-8")
    assert check(".")[1] == expected | {("not-listed", "index.html", HOST)}


@pytest.mark.parametrize("layout", ["packed", "split", "deeper", "below a site"])
def test_the_sites_may_lie_anywhere(top, layout):
    """Packed, in parts, in deeper folders, and below another site."""
    name, file = "en", "en/sitemap.xml"
    if layout == "deeper":
        name, file = "docs/en", "docs/en/sitemap.xml"
    url = f"{HOST}{name}/"
    build(top / name, url, "a/", "b/")
    build(top / "de", f"{HOST}de/", "a/")
    lose(top / name, url)
    given = [name, "de", "-o", "sitemap-index.xml"]
    if layout == "packed":
        file = "en/sitemap.xml.gz"
        data = (top / "en/sitemap.xml").read_bytes()
        (top / file).write_bytes(gzip.compress(data))
        (top / "en/sitemap.xml").unlink()
    elif layout == "split":
        file = "en/sitemap-1.xml"
        (top / "en/sitemap.xml").rename(top / file)
        (top / "en/sitemap.xml").write_bytes(index_of(f"{url}sitemap-1.xml"))
    elif layout == "below a site":
        build(top, HOST, "r/")
        given = [".", *given]
    index(*given, cwd=top)
    expected = {
        ("page-absent", file, f"{url}a/"),
        ("not-listed", f"{name}/c/index.html", f"{url}c/"),
    }
    assert check(".")[:2] == (1, expected)


def test_a_site_that_an_index_lists_is_there_and_not_empty(top):
    """It may be built again without any page, or not at all."""
    languages(top)
    build(top / "fr", f"{HOST}fr/", "a/")
    index("en", "de", "fr", cwd=top)
    (top / "de/sitemap.xml").unlink()
    (top / "fr/sitemap.xml").write_bytes(urlset())
    found = check(".")[1]
    listed = ("part-missing", "sitemap-index.xml", f"{HOST}de/sitemap.xml")
    assert {finding for finding in found if finding[0] != "not-listed"} == {
        listed,
        ("empty", "fr/sitemap.xml", None),
    }


VERSIONS = '[{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0"}]'


@pytest.mark.parametrize("outer", ["latest", "1.0"])
def test_a_version_is_in_no_other_version(top, outer):
    """So says ``versions.json``. mike makes such URLs of a ``site_url`` with the name of one."""
    (top / "versions.json").write_text(VERSIONS, "utf-8")
    url = f"{HOST}docs/{outer}/2.0/"
    build(top / "2.0", url, "a/")
    build(top / "1.0", f"{HOST}docs/1.0/", "a/")
    (top / "latest").symlink_to("2.0")
    (refused,) = index(".", cwd=top, code=1)
    assert url in refused
    assert f"Set site_url to {HOST}docs/, " in refused
    for where, file in (
        ("2.0", "2.0/sitemap.xml"),
        ("2.0/sitemap.xml", "2.0/sitemap.xml"),
        ("latest", "latest/sitemap.xml"),
        (".", "2.0/sitemap.xml"),
    ):
        code, found, result = check(where)
        assert (code, found) == (1, {("page-absent", file, None)})
        (finding,) = result["findings"]
        assert finding["reason"] in refused
        assert finding["fix"] in refused
    (top / "sitemap-index.xml").write_bytes(index_of(f"{url}sitemap.xml"))
    assert check(".")[:2] == (1, {("page-absent", "2.0/sitemap.xml", None)})


def test_an_old_version_in_another_one_is_left_out(top):
    """It may never be deployed again; the others are listed."""
    (top / "versions.json").write_text(VERSIONS, "utf-8")
    build(top / "2.0", f"{HOST}2.0/", "a/")
    build(top / "1.0", f"{HOST}latest/1.0/", "a/")
    for options, written in ((), "1 sitemap"), (("--merge",), "2 URLs"):
        first, warning = index(*options, ".", cwd=top)
        assert first.endswith(f" for {HOST}: {written}.")
        assert warning.startswith(f"Warning: 1.0: its URLs begin with {HOST}latest/1.0/, but ")


@pytest.mark.parametrize("url", [f"{HOST}latest/", f"{HOST}a/2.0/"])
def test_a_version_may_be_below_any_other_folder(top, url):
    """Also one with the name of a page, or none."""
    (top / "versions.json").write_text(VERSIONS, "utf-8")
    build(top / "2.0", url, "a/", "latest/")
    assert check("2.0")[:2] == (0, set())
    (top / "versions.json").write_text("{", "utf-8")
    assert check("2.0")[:2] == (0, set())


def test_the_owner_may_know_that_a_site_is_called_like_an_alias(top):
    """A project called dev is published at /dev/."""
    (top / "versions.json").write_text('[{"version": "2.0", "aliases": ["dev"]}]', "utf-8")
    build(top / "2.0", f"{HOST}dev/2.0/", "a/")
    assert "page-absent" in str(check("2.0")[1])
    index(".", cwd=top, code=1)
    for given in ((".", "--url", f"{HOST}dev/"), (f".={HOST}dev/",)):
        index(*given, cwd=top)
    index(f".={HOST}", cwd=top, code=1)


def test_a_folder_of_mike_stands_for_its_versions(top):
    """Without a sitemap of its own. An old version may have none; the newest should have one."""
    (top / "versions.json").write_text(VERSIONS, "utf-8")
    build(top / "2.0", f"{HOST}2.0/", "a/")
    page(top, HOST, "1.0/")
    code, found, result = check(".")
    assert (code, found, result["files"]) == (0, set(), ["2.0/sitemap.xml"])
    assert "Note: .: checking 2.0." in result["notes"]
    (top / "1.0/sitemap.xml").write_bytes(urlset())
    assert check(".")[:2] == (1, {("empty", "1.0/sitemap.xml", None)})
    (top / "2.0/sitemap.xml").unlink()
    code, _, result = check(".")
    assert code == 2
    assert "2.0: has no sitemap.xml" in result["unusable"][0]


def test_an_old_version_that_lists_the_canonical_one_is_found_by_url_and_in_its_folder(top, web):
    """With mike's `canonical_version`; and so is a page that was removed since."""
    (top / "versions.json").write_text(VERSIONS, "utf-8")
    latest = f"{web.url}latest/"
    for name, paths in {"2.0": ("a/",), "1.0": ("a/", "gone/")}.items():
        build(top / name, latest, *paths)
    (top / "latest").symlink_to("2.0")
    for path in ("", "a/"):
        web.pages[f"/latest/{path}"] = (top / "2.0" / path / "index.html").read_bytes()
    web.pages["/1.0/sitemap.xml"] = (top / "1.0/sitemap.xml").read_bytes()
    ignored = ("--ignore", "loc-local,soft-not-found")
    code, found, _ = check(*ignored, "1.0")
    assert code == 1
    assert found == {
        ("loc-outside", "1.0/sitemap.xml", latest),
        ("page-absent", "1.0/sitemap.xml", f"{latest}gone/"),
    }
    assert check(*ignored, ".")[1] == found
    assert check(*ignored, "2.0")[:2] == (0, set())
    by_url = check(*ignored, "--pages", f"{web.url}1.0/sitemap.xml")[1]
    assert {(code, loc) for code, _, loc in by_url} == {
        ("loc-outside", latest),
        ("page-status", f"{latest}gone/"),
    }


@pytest.mark.parametrize("cname", ["", "x.example"])
def test_versions_that_were_built_for_another_host_are_one_finding(top, cname):
    """By the CNAME beside the list of versions, if there is one. Nobody guesses the right host."""
    (top / "versions.json").write_text(VERSIONS, "utf-8")
    (top / "CNAME").write_text(cname, "utf-8")
    build(top / "2.0", f"{HOST}2.0/", "a/")
    build(top / "1.0", "https://old.example/1.0/", "a/")
    built = "https://x.example (2.0) and https://old.example (1.0)"
    code, found, result = check(".")
    assert (code, found) == (1, {("loc-outside", "versions.json", None)})
    (finding,) = result["findings"]
    of_cname = f", but CNAME names '{cname}'" if cname else ""
    assert finding["reason"] == f"has versions that were built for {built}{of_cname}"
    assert finding["fix"].startswith("Build those of another host again, with the `site_url` that")
    assert check("2.0")[:2] == (0, set())
    assert [each for each, *_ in check("1.0")[1]] == (["loc-outside"] if cname else [])
    done = index(".", cwd=top, code=1)
    assert (
        "has sites that were built for https://old.example/ (1.0) and https://x.example/ (2.0)."
        in str(done)
    )
    assert "or give the right one with --url." in str(done)
