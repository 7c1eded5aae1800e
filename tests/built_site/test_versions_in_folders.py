"""Versions of a site in folders: those that name the current page as canonical are not listed."""

import pytest
from any_sites import html, put
from commands import run
from sitemap_xml import read_entries
from sites import SiteMaker

BASE = "https://web.example/"


def canonical(path):
    return html(head=f'<link rel="canonical" href="{BASE}{path}">')


def listed(top, *arguments):
    """What ``build`` lists of a folder, in which ``check`` finds nothing then; and what it says."""
    code, out, err = run("build", top / "site", "--site-url", BASE, *arguments)
    assert code == 0, err
    assert run("check", top / "site")[0] == 0
    entries = read_entries((top / "site" / "sitemap.xml").read_bytes())
    return [entry["loc"].removeprefix(BASE) for entry in entries], out + err


@pytest.mark.parametrize("old", [1, 2, 4])
def test_only_current_pages_are_listed_however_many_versions_there_are(tmp_path, old):
    """As of Antora and Docusaurus, with redirects and noindex pages beside them."""
    names = ["index.html", "a/index.html", "b/index.html"]
    pages = {name: canonical(name.removesuffix("index.html")) for name in names}
    pages |= {f"v{n}/{name}": pages[name] for n in range(old) for name in names}
    pages |= {
        f"old{n}.html": html(
            head=f'<meta http-equiv=refresh content="0; url={BASE}a/">'
            f'<link rel=canonical href="{BASE}a/">'
        )
        for n in range(9)
    }
    put(tmp_path / "site", pages)
    found, said = listed(tmp_path)
    assert found == ["", "a/", "b/"]
    assert "canonical URL that no page" not in said


@pytest.mark.unix
@pytest.mark.parametrize("arguments", [(), ("--exclude", "v1.0.0/", "--exclude", "v1.1.0/")])
def test_a_linked_folder_has_the_pages_that_name_it(tmp_path, arguments):
    """As `stable` of Documenter, and `latest` of mike with a canonical version."""
    names = ["index.html", "guide/index.html"]
    pages = {
        f"{version}/{name}": canonical(f"stable/{name.removesuffix('index.html')}")
        for version in ("v1.0.0", "v1.1.0", "dev")
        for name in names
    }
    pages["index.html"] = '<meta http-equiv="refresh" content="0; url=./stable/"/>'
    put(tmp_path / "site", pages)
    (tmp_path / "site" / "stable").symlink_to("v1.1.0")
    (tmp_path / "site" / "v1").symlink_to("v1.1.0")
    assert listed(tmp_path, *arguments)[0] == ["stable/", "stable/guide/"]


def test_aliases_that_redirect_to_the_version_that_names_them_are_not_canonical(tmp_path):
    """As mike writes them for `alias_type: redirect` with `canonical_version: latest`."""
    put(
        tmp_path / "site",
        {
            "1.0/index.html": canonical("latest/"),
            "2.0/index.html": canonical("latest/"),
            "latest/index.html": html(head='<meta http-equiv="refresh" content="0; url=../2.0/">'),
        },
    )
    assert listed(tmp_path)[0] == ["2.0/"]


def test_a_page_with_two_possible_sources_is_listed_without_a_date_and_named(tmp_path):
    """Which of them was built is not known."""
    site = SiteMaker(tmp_path)
    text = "---\nlastmod: 2024-01-02\n---\n# {}\n"
    site.docs({"index.md": "# Home\n", "a.md": text.format(1), "a/index.md": text.format(2)})
    site.config()
    built = site.build()
    built.path().unlink()
    code, _, err = run("build", "-f", tmp_path / "mkdocs.yml")
    assert (code, "a/index.html` says why." in err) == (0, True)
    assert built.locs() == ["", "a/"]
    assert "lastmod" not in built.by_loc()["a/"]
