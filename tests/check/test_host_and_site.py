"""What the host of a site does to its URLs, as far as the files of the site say it."""

import json

import pytest
from commands import run
from sitemap_texts import urlset

BASE = "https://docs.example.org/"


def page(canonical):
    return (
        f'<!doctype html><html lang="en"><head><title>T</title><link rel="canonical" '
        f'href="{canonical}"></head><body><main>Text of {canonical}</main></body></html>'
    )


STUB = (
    "<!doctype html><html><head><title>Redirecting</title><noscript>"
    '<meta http-equiv="refresh" content="1; url={0}"></noscript>'
    '<script>window.location.replace("{0}")</script></head><body>To <a href="{0}">{0}</a></body>'
)


def write(folder, texts):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def found_by_check(folder):
    """The codes and places of the findings in a built site."""
    _, out, _ = run("check", "--format", "json", folder)
    return [(each["code"], each["reason"]) for each in json.loads(out)["findings"]]


@pytest.mark.parametrize("door", ["plugin", "command"])
def test_a_cname_of_another_host_is_a_warning(site, door, monkeypatch):
    """GitHub Pages redirects each URL of the sitemap then. `check` finds it in the built site."""
    site.docs({"index.md": "# Home\n", "CNAME": "Docs.Other.example\n"})
    site.config()
    monkeypatch.chdir(site.folder)
    said = (
        "docs/CNAME: it names 'docs.other.example', so GitHub Pages redirects https://web.example/ "
        "to it. Set site_url to the address there, or delete this file."
    )
    built = site.build(found=["loc-outside"])
    assert built.warnings == [said]
    assert site.build("--strict", check=False, found=["loc-outside"]).returncode == 1
    if door == "command":
        code, _, err = run("build", "--strict")
        assert (code, f"Warning: {said}" in err) == (1, True)
    clause = "has URLs of https://web.example/, but CNAME names 'docs.other.example'"
    assert found_by_check("site") == [("loc-outside", clause)]


@pytest.mark.parametrize(
    "text", ["Web.EXAMPLE\n", "", "a.example\nb.example\n", "not a host", "\0"]
)
def test_a_cname_of_this_host_or_of_none_says_nothing(site, text):
    """Capital letters are no other host."""
    site.docs({"index.md": "# Home\n", "CNAME": text})
    site.config()
    assert site.build("--strict").warnings == []


def test_folders_whose_canonical_url_lacks_the_slash_are_one_note(tmp_path, monkeypatch):
    """As Docusaurus makes them without `trailingSlash`: the server redirects them."""
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        {
            "build/index.html": page(BASE),
            "build/a/index.html": page(f"{BASE}a"),
            "build/b/index.html": page(f"{BASE}b"),
            "build/c.html": page(f"{BASE}c"),
            "build/d/index.html": page(f"{BASE}d/"),
        },
    )
    note = "2 pages are folders without a slash at the end of the canonical URL"
    _, _, err = run("build", "build", "--site-url", BASE)
    assert f"Note: {note} (a/index.html, b/index.html). Most servers redirect such a URL." in err
    code, out, err = run("check", "build")
    assert (code, out.startswith("No problems")) == (0, True)
    assert f"Note: {note} ({BASE}a, {BASE}b), which most servers redirect." in err


@pytest.mark.parametrize("alias", ["redirects", "copy", "link", "none"])
def test_the_canonical_version_of_mike_is_looked_at(tmp_path, alias, monkeypatch):
    """All URLs are those of the alias: if it is made of redirects, each of them redirects."""
    monkeypatch.chdir(tmp_path)
    versions = [{"version": "2.0", "title": "2.0", "aliases": ["latest"]}]
    versions.append({"version": "1.0", "title": "1.0", "aliases": []})
    write(tmp_path, {"versions.json": json.dumps(versions), "index.html": STUB.format("latest/")})
    pages = ("", "a/")
    locs = [f"{BASE}latest/{path}" for path in pages]
    for version in ("1.0", "2.0"):
        write(
            tmp_path / version,
            {f"{path}index.html": page(f"{BASE}latest/{path}") for path in pages},
        )
        (tmp_path / version / "sitemap.xml").write_bytes(
            urlset(*(f"<url><loc>{loc}</loc></url>" for loc in locs))
        )
    made = {
        "redirects": {f"{path}index.html": STUB.format(f"../2.0/{path}") for path in pages},
        "copy": {f"{path}index.html": page(f"{BASE}latest/{path}") for path in pages},
    }
    write(tmp_path / "latest", made.get(alias, {}))
    if alias == "link":
        (tmp_path / "latest").symlink_to("2.0")
    clause = f"begins with {BASE}latest/, whose pages redirect to '../2.0/'"
    expected = [("redirect", clause)] if alias == "redirects" else []
    old = ("loc-outside", f"is not below {BASE}1.0/, nor is any other entry")
    assert found_by_check(".") == [*expected, old]
    assert found_by_check("2.0") == expected
