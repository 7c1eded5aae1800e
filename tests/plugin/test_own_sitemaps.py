"""What an own template or file of a sitemap listed is compared with what replaces it."""

import re

import pytest
from sitemap_xml import read_entries
from sites import run_command

URL = "https://web.example/"
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{}</urlset>\n'
TEMPLATE = SITEMAP.format("""\
{% for file in pages if not file.src_uri.startswith("api/") and not file.page.meta.hidden %}
<url><loc>{{ file.page.canonical_url|e }}</loc></url>
{% endfor %}
<url><loc>{{ config.site_url }}play/</loc></url>
""")
FILE = SITEMAP.format(
    "".join(f"<url><loc>{URL}{path}</loc></url>\n" for path in ("", "guide/", "play/"))
)
PAGES = {
    "index.md": "# Home\n",
    "guide.md": "# Guide\n",
    "plans.md": "---\nhidden: true\n---\n# Plans\n",
    "api/a.md": "# A\n",
    "api/more/b.md": "# B\n",
}
OVERRIDES = "theme: {name: mkdocs, custom_dir: overrides}\n"
NO_GIT = "lastmod: {sources: [front_matter]}"
ADDED = (
    "WARNING {}: this file, which is replaced, did not list 3 pages (docs/api/a.md, "
    "docs/api/more/b.md, docs/plans.md). Now they are listed. To leave them out: "
    "`exclude: [/api/, /plans.md]`. Then delete this file."
)
GONE = (
    "WARNING {}: this file, which is replaced, also listed 1 URL (https://web.example/play/). Now "
    "it is not listed. List what people should find by `extra_urls` or `extra_files`. Then delete "
    "this file."
)
SAME = (
    "INFO {}: this file is not published, because the plugin writes the sitemap. Delete it. "
    "Options of sitemap-plus set values such as changefreq, and name further sitemaps "
    "(extra_sitemaps)."
)


@pytest.fixture
def own(site):
    """A site with such a template."""
    site.docs(PAGES)
    site.write({"overrides/sitemap.xml": TEMPLATE})
    site.config(NO_GIT, theme=OVERRIDES)
    return site


def without_plugin(site):
    """Build the site as it was before."""
    text = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"mkdocs.yml": re.sub(r"(?s)plugins:.*", "plugins: []\n", text)})
    return site.build()


def locs(built):
    return {entry["loc"] for entry in read_entries(built.path().read_bytes())}


def test_the_advice_leads_to_what_a_template_listed(own):
    """It is followed to the letter."""
    lines = own.build(found=["not-listed"]).lines
    assert lines[:2] == [
        ADDED.format("overrides/sitemap.xml"),
        GONE.format("overrides/sitemap.xml"),
    ]
    exclude = re.search(r"`(exclude: .*?)`", lines[0])[1]
    before = locs(without_plugin(own))
    own.config(f"{NO_GIT}\n{exclude}\nextra_urls: [{{loc: play/}}]", theme=OVERRIDES)
    same = own.build("--strict", found=["page-absent"])
    assert same.lines[0] == SAME.format("overrides/sitemap.xml")
    assert locs(same) == before


def test_the_command_says_the_same(own):
    """Of the sitemap that MkDocs made of the template."""
    without_plugin(own)
    own.config(NO_GIT, theme=OVERRIDES)
    said = run_command("build", cwd=own.folder).stderr
    lines = [ADDED.format("overrides/sitemap.xml"), GONE.format("overrides/sitemap.xml")]
    assert said == "".join(line.replace("WARNING", "Warning:") + "\n" for line in lines)


@pytest.mark.parametrize(
    ("template", "more"),
    [(FILE, ""), (TEMPLATE, "extra_templates: [sitemap.xml]\n")],
)
def test_a_file_of_the_docs_folder_is_compared_as_well(site, template, more):
    """Also one that MkDocs renders."""
    site.docs(PAGES | {"sitemap.xml": template})
    site.config(NO_GIT, more=more)
    expected = [ADDED.format("docs/sitemap.xml"), GONE.format("docs/sitemap.xml")]
    assert site.build().lines[:2] == expected
    if not more:
        said = run_command("build", cwd=site.folder).stderr
        assert said == "".join(line.replace("WARNING", "Warning:") + "\n" for line in expected)


NOT_KNOWN = SAME.replace("Delete it.", "What it lists is not known. Delete it.")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ 1 / 0 }}", NOT_KNOWN),
        ("{% if %}", NOT_KNOWN),
        ("{{ pages.of_a_plugin_that_is_gone() }}", NOT_KNOWN),
        ("no XML", NOT_KNOWN),
        ("", SAME),
        (SITEMAP.format(""), SAME),
        (
            "<sitemapindex><sitemap><loc>https://web.example/de.xml</loc></sitemap></sitemapindex>",
            SAME,
        ),
    ],
)
def test_what_lists_nothing_is_not_compared(own, template, said):
    """It failed, or its owner wanted no sitemap, or one for each language."""
    own.write({"overrides/sitemap.xml": template})
    assert own.build("--strict").lines[0] == said.format("overrides/sitemap.xml")


def test_serve_compares_what_has_the_address_of_its_server(own):
    """A file with the address of the site lists no page of the server."""
    own.docs({"sitemap.xml": FILE})
    own.config(NO_GIT, theme=OVERRIDES, site_url="http://127.0.0.1:8000/")
    lines = own.build().lines
    assert lines[0] == NOT_KNOWN.format("docs/sitemap.xml")
    assert lines[1] == ADDED.format("overrides/sitemap.xml")


def test_under_another_name_the_template_is_replaced_all_the_same(own):
    """MkDocs' name for it is that of the template, whatever ours is."""
    own.config(f"{NO_GIT}\nfilename: map.xml", theme=OVERRIDES)
    assert own.build().lines[0] == ADDED.format("overrides/sitemap.xml")
