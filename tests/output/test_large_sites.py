"""Sites in several files, in real builds: options, warnings, what stays and what goes."""

import gzip

import pytest
from limits import limits
from lxml import etree
from sitemap_xml import NAMESPACE, validate
from sites import MATERIAL, run_command

UNDATED = "lastmod: {sources: []}\n"
PAGES = {f"{name}.md": f"# {name}\n" for name in ("index", "a", "guide/b", "guide/index", "ref/c")}


def files_of(built):
    """The names of all XML files at the top of the site, each checked; each has its ``.gz``."""
    for path in built.path("").glob("*.xml"):
        data = path.read_bytes()
        validate(data)
        assert gzip.decompress(built.path(f"{path.name}.gz").read_bytes()) == data
    return sorted(path.name for path in built.path("").glob("*.xml"))


def index(built, name="sitemap.xml"):
    """What an index has: dates by URL below the site's."""
    root = etree.fromstring(built.path(name).read_bytes())
    assert root.tag == f"{NAMESPACE}sitemapindex"
    return {
        node.findtext(f"{NAMESPACE}loc").removeprefix("https://web.example/"): node.findtext(
            f"{NAMESPACE}lastmod"
        )
        for node in root
    }


def test_above_max_urls_the_sitemap_is_an_index_with_the_newest_date_of_each_part(site):
    """A part with an undated page has no date; without Material nothing is lost."""
    site.docs(PAGES | {"ref/c.md": "---\nlastmod: false\n---\n"})
    site.config()
    site.commit()
    with limits(max_urls=2):
        built = site.build("--strict")
    assert files_of(built) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    day = "2024-05-01T10:00:00+00:00"
    assert index(built) == {"sitemap-1.xml": day, "sitemap-2.xml": day, "sitemap-3.xml": None}
    parts = [built.locs(f"sitemap-{number}.xml") for number in (1, 2, 3)]
    assert parts == [["", "a/"], ["guide/", "guide/b/"], ["ref/c/"]]
    assert built.lines == [
        "INFO sitemap.xml and 3 parts: 5 pages, 4 dated (git), 1 undated (docs/ref/c.md)"
    ]


def test_an_entry_above_max_bytes_ends_the_build_with_one_line(site):
    """No traceback, and nothing is written."""
    site.docs({"/".join(["n" * 200] * 5) + ".md": "# P\n"})
    site.config(UNDATED)
    with limits(max_bytes=1000):
        built = site.build(check=False)
    loc = "https://web.example/" + "n" * 177 + "..."
    (line,) = built.lines
    assert line == (
        f"ERROR the entry of {loc} alone needs a sitemap of 1259 bytes, but only 1000 are allowed. "
        "No file is written. List fewer images, videos or links for that page."
    )
    assert files_of(built) == []


LOST = (
    "sitemap.xml: the sitemap has more than {} URLs or 52,428,800 bytes, so this file became an "
    "index, which the script of the theme can't read. Links load the whole page, without instant "
    "previews. Version and language selectors open the home page of the other version or language."
)


@pytest.mark.parametrize(
    ("most", "options", "warnings"),
    [(4, "", [LOST.format(4)]), (4, "filename: m.xml", [])],
    ids=["index", "another-name"],
)
def test_with_material_an_index_is_a_warning(site, most, options, warnings):
    """Its script reads sitemap.xml, and no other file."""
    site.docs(PAGES)
    site.config(UNDATED + options, theme=MATERIAL)
    with limits(max_urls=most):
        assert site.build().warnings == warnings


def test_other_sitemaps_stand_in_an_index_beside_ours(site):
    """Relative ones start from the site; each once; our own is there in any case."""
    site.docs({"index.md": "---\nlastmod: 2024-01-02\n---\n"})
    site.config(
        "extra_sitemaps: [blog/sitemap.xml, https://web.example/blog/sitemap.xml, "
        "https://web.example/sitemap.xml, 'a b/&.xml']"
    )
    built = site.build("--strict")
    assert files_of(built) == ["sitemap-index.xml", "sitemap.xml"]
    assert index(built, "sitemap-index.xml") == {
        "sitemap.xml": "2024-01-02",
        "blog/sitemap.xml": None,
        "a%20b/&.xml": None,
    }


def test_other_sitemaps_that_an_index_can_not_list_are_warnings(site):
    """Outside of its folder, no URL, or the index itself; the rest is listed."""
    site.docs({"index.md": "# Home\n"})
    site.config(
        "extra_sitemaps: [https://other.example/s.xml, /s.xml, sitemap-index.xml, 'http://[', "
        "a.xml]",
        site_url="https://web.example/docs/",
    )
    built = site.build()
    under = (
        "but must be a URL under the index's own folder https://web.example/docs/. "
        "It is not listed."
    )
    assert built.warnings == [
        f"mkdocs.yml:5: extra_sitemaps[0] is 'https://other.example/s.xml', {under}",
        f"mkdocs.yml:5: extra_sitemaps[1] is '/s.xml', {under}",
        (
            "mkdocs.yml:5: extra_sitemaps[2] is 'sitemap-index.xml', which is the index itself. "
            "It is not listed."
        ),
        "mkdocs.yml:5: extra_sitemaps[3] is 'http://[', but must be a URL. It is not listed.",
    ]
    assert list(index(built, "sitemap-index.xml")) == ["docs/sitemap.xml", "docs/a.xml"]


OWN = {
    "sitemap-old.xml": "<mine/>",
    "sitemap-7.xml": "<mine/>",
    "sitemap-index.xml": "<mine/>",
    "sitemap-section-mine.xml": "<mine/>",
}


def test_parts_of_an_earlier_build_go_and_nothing_else(site):
    """MkDocs leaves the folder as it is in a dirty build; files of the owner's stay."""
    site.docs(PAGES | {name: text for name, text in OWN.items() if name != "sitemap-index.xml"})
    site.config(UNDATED)
    with limits(max_urls=2):
        before = {path.name for path in site.build().path("").glob("*.xml*")}
    assert {"sitemap-3.xml", "sitemap-3.xml.gz"} < before
    with limits(max_urls=4):
        built = site.build("--dirty")
    left = {path.name for path in built.path("").glob("*.xml*")} - {*OWN}
    assert left == {f"{name}{gz}" for name in ("sitemap", "sitemap-1", "sitemap-2")
                    for gz in (".xml", ".xml.gz")}  # fmt: skip
    for name in {*OWN} - {"sitemap-index.xml"}:
        assert built.path(name).read_text() == "<mine/>"
    site.config(UNDATED)
    built = site.build("--dirty")
    left = {path.name for path in built.path("").glob("*.xml*")} - {*OWN}
    assert left == {"sitemap.xml", "sitemap.xml.gz"}
    site.docs(dict.fromkeys(PAGES, "---\nsitemap: false\n---\n"))
    with limits(max_urls=2):
        built = site.build("--dirty")
    left = {path.name for path in built.path("").glob("*.xml*")} - {*OWN}
    assert left == set()


def test_files_of_the_owner_with_our_names_stay_while_we_do_not_write_them(site):
    """Even if an index of theirs lists them, and if they are packed."""
    theirs = '<sitemapindex xmlns="x"><sitemap><loc>/sitemap-7.xml</loc></sitemap></sitemapindex>'
    mine = OWN | {"sitemap-index.xml": theirs}
    packed = {f"{name}.gz": gzip.compress(text.encode()) for name, text in mine.items()}
    site.docs(PAGES | mine | packed)
    site.config(UNDATED)
    built = site.build(found=["wrong-root"])
    for name, text in mine.items():
        assert built.path(name).read_text() == text
        assert built.path(f"{name}.gz").exists()


def test_a_file_of_the_docs_folder_that_a_part_replaces_is_reported(site):
    """Each of them, by its name."""
    site.docs(PAGES | OWN)
    site.config(UNDATED + "extra_sitemaps: [a/s.xml]")
    with limits(max_urls=4):
        built = site.build("--strict")
    note = (
        "docs/sitemap-index.xml: this file is not published, because the plugin writes the "
        "sitemap. "
        "Delete it. Options of sitemap-plus set values such as changefreq, and name further "
        "sitemaps (extra_sitemaps)."
    )
    assert built.notes == [note]
    with limits(max_urls=4):
        done = run_command("build", cwd=site.folder)
    assert done.stderr.splitlines() == [f"Note: {note}"]


def test_a_part_that_can_not_be_written_is_named_and_the_old_files_stay(site):
    """Found before anything is replaced."""
    site.docs(PAGES)
    site.config(UNDATED)
    old = site.build().path().read_bytes()
    (site.folder / "site" / "sitemap-2.xml").mkdir()
    with limits(max_urls=2):
        built = site.build("--dirty", check=False)
    assert (
        "ERROR   -  sitemap-plus: sitemap-2.xml: it can't be written (Is a directory). "
        "The file of an earlier build stays as it was."
    ) in built.output.splitlines()
    assert built.path().read_bytes() == old
    assert not list(built.path("").glob("sitemap-1.xml*"))
