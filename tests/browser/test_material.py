"""Material for MkDocs reads ``sitemap.xml`` in the browser: what a reader sees of ours there.

The theme is MaterialX where that is installed instead of Material.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from sites import INSTANT, MATERIAL_NAME, SiteMaker, git, only_material, run

pytestmark = pytest.mark.browser

INSTANTLY = "instantly"
BY_A_FULL_LOAD = "by a full load"
NOT_FOUND = r"responded with a status of 404 \(File not found\)"

MKDOCS_YML = """\
site_name: Lamp
site_url: {url}
{theme}
{more}
plugins:
  - search
{plugins}
  - sitemap-plus
"""


def links(*names):
    """A list of links to pages of the same folder: ``Guide`` is in ``guide.md``."""
    return "".join(f"\n- [{name}]({name.lower()}.md)" for name in names)


def build(maker, server, docs, *, folder="", more="", plugins="", theme=INSTANT, options="{}"):
    """Build a site for the server's address; returns the folder of the built site."""
    maker.docs(docs)
    url = server.url + folder
    text = MKDOCS_YML.format(url=url, more=more, plugins=plugins, theme=theme)
    maker.write(
        {"mkdocs.yml": text.replace("  - sitemap-plus\n", f"  - sitemap-plus: {options}\n")}
    )
    return built(maker)


def built(maker):
    """Build in a process of its own: MaterialX can't build beside the event loop of Playwright."""
    return maker.build(program="mkdocs").folder / "site"


def edit(path, change):
    """Write into a built file what an option of the plugin or another tool would."""
    path.write_text(change(path.read_text("utf-8")), "utf-8")


def as_it_is(text):
    return text


def with_images(text):
    """An image in each entry, behind all else."""
    space = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    image = "<image:image><image:loc>https://web.example/a.png</image:loc></image:image>"
    text = text.replace("<urlset ", f"<urlset {space} ", 1)
    return text.replace("  </url>", f"    {image}\n    {image}\n  </url>")


def an_index(text):
    """A list of sitemaps."""
    return text.replace("urlset", "sitemapindex").replace("url>", "sitemap>")


either_way = pytest.mark.parametrize("change", [as_it_is, with_images])


# Instant navigation.

PAGES = ("Guide", "Reference", "Internal")
TO_FILES = '\n- [Manual]({0}manual.pdf)\n- <a href="{0}app/">App</a>\n'
PREVIEWS = "[Guide](guide.md){ data-preview } and [Internal](internal.md){ data-preview }\n"


def a_pdf():
    """The smallest file that a browser shows as a PDF."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
        b"trailer<</Root 1 0 R>>\n"
    )


@pytest.fixture(scope="module")
def lamp(server, tmp_path_factory):
    """A site with instant navigation that lists a PDF and an application, but not *Internal*."""
    maker = SiteMaker(tmp_path_factory.mktemp("lamp"))
    ends = {name: links(*PAGES) + TO_FILES.format("../") for name in PAGES}
    docs = {f"{name.lower()}.md": f"# {name}\n{end}" for name, end in ends.items()}
    docs["index.md"] = f"# Home\n{links(*PAGES)}{TO_FILES.format('')}"
    docs["internal.md"] = "---\nsitemap: false\n---\n" + docs["internal.md"]
    docs["previews.md"] = "# Previews\n\n" + PREVIEWS
    maker.write({"docs/favicon.ico": ""})  # the browser asks for it beside what is no page
    maker.write({"docs/manual.pdf": a_pdf(), "docs/app/index.html": "<title>The app</title>"})
    return build(
        maker,
        server,
        docs,
        more="markdown_extensions: [attr_list]\n"
        "validation: {links: {not_found: ignore, unrecognized_links: ignore}}",
        options="{extra_files: '*.pdf', extra_urls: [{loc: app/}]}",
    )


@either_way
def test_a_click_changes_the_page_without_loading_it_anew(reader, show, lamp, change):
    """Instant navigation works, whatever the file holds beside the URLs.

    A page that is left out is loaded in full, as on any site; the others stay instant.
    """
    edit(show(lamp) / "sitemap.xml", change)
    reader.open()
    assert reader.follow("Guide") == INSTANTLY
    assert (reader.title, reader.where) == ("Guide", "/guide/")
    assert reader.follow("Internal") == BY_A_FULL_LOAD
    assert (reader.title, reader.where) == ("Internal", "/internal/")
    assert reader.follow("Reference") == INSTANTLY


def test_previews_are_those_of_listed_pages(reader, show, lamp):
    """The theme's script reads them from the same file. The link to another page still works."""
    show(lamp)
    reader.open("previews/")
    assert reader.shows_no_preview_of("Internal")
    reader.link("Guide").hover()
    assert reader.page.locator(".md-tooltip2--active").inner_text().split("\n")[0] == "Guide"
    assert reader.follow("Internal") == BY_A_FULL_LOAD


def test_an_index_would_be_seen_here(reader, show, lamp):
    """These tests can fail: Material can't use it, so clicks load pages, and previews end."""
    edit(show(lamp) / "sitemap.xml", an_index)
    reader.open("previews/")
    assert reader.shows_no_preview_of("Guide")
    reader.open()
    assert reader.follow("Guide") == BY_A_FULL_LOAD


def test_a_listed_file_that_is_no_page_opens_by_a_click(reader, show, lamp):
    """From the page that was loaded, and from one that came instantly."""
    show(lamp)
    for name, path in (("Manual", "manual.pdf"), ("App", "app/")):
        reader.open()
        assert opens(reader, name, path)
        reader.open()
        assert reader.follow("Guide") == INSTANTLY
        assert opens(reader, name, path)


def opens(reader, name, path):
    """Whether a click on the link of that name leads away from the theme's pages, to that path."""
    reader.link(name).click()
    reader.page.wait_for_url(reader.server.url + path, wait_until="commit")
    reader.page.wait_for_timeout(500)
    return reader.page.locator("article").count() == 0


def test_a_file_among_the_pages_would_be_seen_here(reader, show, lamp):
    """The script fetches it, and the reader still sees the page that they left."""
    entry = f"<url><loc>{reader.server.url}app/</loc></url>\n"
    edit(show(lamp) / "sitemap.xml", lambda text: text.replace("</urlset>", f"{entry}</urlset>"))
    reader.open()
    reader.link("App").click()
    reader.page.wait_for_timeout(1000)
    assert reader.page.evaluate("!!window.notReloaded")


# Versions.

OLD_PAGES = ("Guide", "Reference")
NEW_PAGES = ("Guide", "News", "Reference")
VERSION = """\
extra:
  version:
    provider: mike
"""


@pytest.fixture(scope="module")
def versions(server, tmp_path_factory):
    """Versions 1.0 and 2.0, deployed by mike.

    Version 1.0 has no page *News*, and its page *Guide* is not listed.
    """
    maker = SiteMaker(tmp_path_factory.mktemp("versions"))
    top = maker.folder
    git("init", "-q", cwd=top)
    git("config", "user.name", "Ann", cwd=top)
    git("config", "user.email", "ann@example.com", cwd=top)
    programs = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
    config = MKDOCS_YML.format(url=server.url, more=VERSION, plugins="  - mike", theme=INSTANT)
    maker.write({"mkdocs.yml": config})
    for version, names in {"1.0": OLD_PAGES, "2.0": NEW_PAGES}.items():
        docs = {f"{name.lower()}.md": f"# {name} of {version}\n" for name in names}
        docs["index.md"] = f"# Home of {version}\n{links(*names)}\n"
        if version == "1.0":
            docs["guide.md"] = "---\nsitemap: false\n---\n" + docs["guide.md"]
        maker.docs(docs)
        maker.commit(version)
        run("mike", "deploy", version, cwd=top, PATH=programs)
    git("worktree", "add", "-q", "published", "gh-pages", cwd=top)
    return top / "published"


def test_the_reader_of_a_page_stays_on_it_in_the_other_version(reader, show, versions):
    """The version selector finds the page in that version's sitemap; inside, clicks are instant."""
    show(versions)
    reader.open("2.0/")
    assert reader.follow("Reference", "Reference of 2.0") == INSTANTLY
    assert reader.where == "/2.0/reference/"
    assert reader.choose_version("1.0", "1.0/reference/") == BY_A_FULL_LOAD
    assert reader.title == "Reference of 1.0"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("2.0/news/", id="the other version has no such page"),
        pytest.param("2.0/guide/", id="it is left out of that version's sitemap"),
    ],
)
def test_a_page_that_the_other_version_does_not_list_leads_to_its_home(
    reader, show, versions, path
):
    """The version selector then goes to the root of the version, as with MkDocs' own sitemap."""
    show(versions)
    reader.open(path)
    assert reader.choose_version("1.0", "1.0/") == BY_A_FULL_LOAD
    assert reader.title == "Home of 1.0"


def test_without_the_home_page_in_the_file_no_page_is_found_in_the_other_version(
    reader, show, versions
):
    """Material takes the home page for the version's root; the plugin's note says so."""
    built = show(versions)
    home = re.compile(r"  <url>\s*<loc>[^<]*/1\.0/</loc>.*?</url>\n", re.DOTALL)
    edit(built / "1.0" / "sitemap.xml", lambda text: home.sub("", text, count=1))
    reader.open("2.0/reference/")
    assert reader.choose_version("1.0", "1.0/") == BY_A_FULL_LOAD
    assert reader.title == "Home of 1.0"


# Languages.

I18N = """\
  - i18n:
      docs_structure: folder
      languages:
        - {locale: en, default: true, name: English, build: true}
        - {locale: fr, name: Français, build: true}
"""
NO_SUCH_SITEMAP = r"/(fr/)?(\w+/)?sitemap\.xml: " + NOT_FOUND


@pytest.fixture(scope="module")
def one_build(server, tmp_path_factory):
    """English and French by mkdocs-static-i18n: one build, one sitemap at the root."""
    maker = SiteMaker(tmp_path_factory.mktemp("one_build"))
    english = {
        "index.md": f"# Home\n{links('Guide', 'Reference')}\n",
        "guide.md": f"# Guide\n{links('Reference')}\n",
        "reference.md": "# Reference\n",
    }
    french = {
        "index.md": "# Accueil\n\n- [Mode d'emploi](guide.md)\n",
        "guide.md": "# Mode d'emploi\n\n- [Référence](reference.md)\n",
        "reference.md": "# Référence\n",
    }
    docs = {f"en/{name}": text for name, text in english.items()}
    docs |= {f"fr/{name}": text for name, text in french.items()}
    return build(maker, server, docs, plugins=I18N)


def test_with_alternates_in_the_file_clicks_are_instant(reader, show, one_build):
    """In both languages; the next test says what Material does not find meanwhile."""
    if MATERIAL_NAME == "material":
        reader.expect_complaint(NO_SUCH_SITEMAP)
    assert 'hreflang="fr"' in (show(one_build) / "sitemap.xml").read_text("utf-8")
    reader.open()
    assert reader.follow("Guide") == INSTANTLY
    reader.open("fr/")
    assert reader.follow("Mode d'emploi") == INSTANTLY
    assert (reader.title, reader.where) == ("Mode d'emploi", "/fr/guide/")


@only_material("mkdocs-static-i18n makes the selector of Material alone")
def test_the_selector_of_static_i18n_leads_to_the_translated_page(reader, show, one_build):
    """Each page names its own translation there, and Material follows that link as it stands.

    Material takes the link for the root of a site and asks for a ``sitemap.xml`` below it, such as
    ``/fr/guide/sitemap.xml``. There is none with one build, and the browser's console says so.
    """
    reader.expect_complaint(NO_SUCH_SITEMAP)
    show(one_build)
    reader.open("guide/")
    assert reader.choose_language("fr", "fr/guide/") == BY_A_FULL_LOAD
    assert reader.title == "Mode d'emploi"
    assert reader.choose_language("en", "guide/") == BY_A_FULL_LOAD
    assert reader.title == "Guide"


LANGUAGES = """\
extra:
  alternate:
    - {{name: English, link: {url}en/, lang: en}}
    - {{name: Français, link: {url}fr/, lang: fr}}
"""
ONE_BY_ONE = """\
  - sitemap-plus:
      alternates:
        en: {{url: "{url}en/", docs_dir: ../en/docs}}
        fr: {{url: "{url}fr/", docs_dir: ../fr/docs}}
"""


@pytest.fixture(scope="module")
def two_builds(server, tmp_path_factory):
    """English and French built one by one, each with a sitemap; *News* is not translated."""
    top = tmp_path_factory.mktemp("two_builds")
    texts = {
        "en": {"index": "Home", "guide": "Guide", "news": "News"},
        "fr": {"index": "Accueil", "guide": "Mode d'emploi"},
    }
    makers = {language: SiteMaker(top / language) for language in texts}
    for language, pages in texts.items():
        makers[language].docs({f"{name}.md": f"# {title}\n" for name, title in pages.items()})
    more = LANGUAGES.format(url=server.url)
    for language, maker in makers.items():
        text = MKDOCS_YML.format(
            url=f"{server.url}{language}/", more=more, plugins="", theme=INSTANT
        ).replace("  - sitemap-plus\n", ONE_BY_ONE.format(url=server.url))
        maker.write({"mkdocs.yml": text})
        shutil.copytree(built(maker), top / "site" / language)
    return top / "site"


def test_the_reader_of_a_page_stays_on_it_in_the_other_language(reader, show, two_builds):
    """The language selector finds the page in that language's sitemap."""
    assert 'hreflang="en"' in (show(two_builds) / "fr" / "sitemap.xml").read_text("utf-8")
    reader.open("en/guide/")
    assert reader.choose_language("fr", "fr/guide/") == BY_A_FULL_LOAD
    assert reader.title == "Mode d'emploi"


def test_a_page_that_is_not_translated_leads_to_the_home_of_the_other_language(
    reader, show, two_builds
):
    """The language selector does not lead to a page that is not there."""
    show(two_builds)
    reader.open("en/news/")
    assert reader.choose_language("fr", "fr/") == BY_A_FULL_LOAD
    assert reader.title == "Accueil"
