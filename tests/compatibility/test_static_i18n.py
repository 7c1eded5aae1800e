"""mkdocs-static-i18n: all languages of one build, each page in as many as it is written in."""

import pytest
from doors import HOOK, compare
from servers import Server
from sites import MATERIAL, needs, run_command

pytestmark = needs("mkdocs-static-i18n")

WRITTEN = {"index": ("en", "fr", "de"), "sub/a": ("en", "fr"), "only": ("en",)}
"""Pages, and the languages in which they are."""

LINKS = {
    "index": {"de": "de/", "en": "", "fr": "fr/", "x-default": ""},
    "sub/a": {"en": "sub/a/", "fr": "fr/sub/a/", "x-default": "sub/a/"},
}
ALTERNATES = {
    "": LINKS["index"],
    "de/": LINKS["index"],
    "fr/": LINKS["index"],
    "sub/a/": LINKS["sub/a"],
    "fr/sub/a/": LINKS["sub/a"],
}
LOCS = ["", "de/", "fr/", "fr/sub/a/", "only/", "sub/a/"]
UNTRANSLATED = ["de/only/", "de/sub/a/", "fr/only/"]
HALF = "lastmod: {sources: []}\n"


def name_of(structure, page, language):
    if structure == "folder":
        return f"{language}/{page}.md"
    return f"{page}.md" if language == "en" else f"{page}.{language}.md"


def plugin(structure="suffix", *, fallback=True, languages="en fr de", more=None):
    """The plugin's own options, of which `more` has those of single languages."""
    built = "".join(
        f"        - {{locale: {each}, name: {each}, build: true"
        f"{', default: true' if each == 'en' else ''}{(more or {}).get(each, '')}}}\n"
        for each in languages.split()
    )
    return (
        f"  - i18n:\n      docs_structure: {structure}\n"
        f"      fallback_to_default: {str(fallback).lower()}\n      languages:\n{built}"
    )


@pytest.fixture
def translated(site):
    """A maker of sites with the pages in `WRITTEN`."""

    def write(structure="suffix"):
        site.docs(
            {
                name_of(structure, page, language): f"# {page} in {language}\n"
                for page, languages in WRITTEN.items()
                for language in languages
            }
        )
        return site

    return write


@pytest.mark.parametrize(
    ("structure", "fallback", "theme"),
    [("suffix", True, MATERIAL), ("folder", True, ""), ("suffix", False, "")],
    ids=["material", "folder", "no-fallback"],
)
def test_each_language_version_names_all_of_them_and_itself(translated, structure, fallback, theme):
    """A page that is not translated is listed where it is built, and is no version of anything."""
    site = translated(structure)
    site.config(theme=theme, more=plugin(structure, fallback=fallback))
    site.commit()
    built = site.build("--strict")
    assert built.locs() == sorted(LOCS + UNTRANSLATED if fallback else LOCS)
    assert built.alternates() == ALTERNATES
    assert set(map(str, built.by_loc().values())) == {"{'lastmod': '2024-05-01T10:00:00+00:00'}"}
    number = "9 pages (3 fallback pages)" if fallback else "6 pages"
    assert built.lines == [f"INFO sitemap.xml: {number}, all dated (git)"]
    assert not list(built.path().parent.glob("*/sitemap.xml*"))


@pytest.mark.parametrize("structure", ["suffix", "folder"])
@pytest.mark.parametrize("fallback", [True, False], ids=["fallback", "no-fallback"])
def test_the_command_makes_the_same_of_it(translated, structure, fallback, monkeypatch):
    """Sources, languages and translations; also of a README, and of what is in no folder."""
    site = translated(structure)
    site.commit()
    more = ["sub/README", "v1.2", "sub/io/x"]
    site.docs({name_of(structure, page, "fr"): f"# {page}\n" for page in more})
    site.docs({name_of(structure, page, "en"): f"# {page}\n" for page in more[1:]})
    site.docs({"sub/b.md": "# In no folder of a language\n"})
    site.commit("More", "2024-06-01T10:00:00+0000")
    site.write({"hook.py": HOOK})
    site.config(more=plugin(structure, fallback=fallback) + "hooks: [hook.py]\n")
    monkeypatch.chdir(site.folder)
    built, _ = compare(site)
    assert {"fr/sub/", "v1.2/", "fr/v1.2/", "sub/b/"} <= built.by_loc().keys()


def test_pages_with_the_text_of_another_language_can_be_left_out(translated):
    """The links between the languages stay, and `explain` names the option."""
    site = translated()
    more = plugin()
    site.config(f"{HALF}fallback_pages: false", more=more)
    built = site.build()
    assert built.locs() == LOCS
    assert built.alternates() == ALTERNATES
    assert built.notes == []
    assert "3 left out (fallback pages)" in built.summary
    explained = run_command("explain", "https://web.example/de/only/", cwd=site.folder).stdout
    assert "not listed" in explained
    assert [line.split() for line in explained.splitlines() if "translation" in line] == [
        ["fallback", "page", "no", "translation", "into", "de"]
    ]
    site.config(HALF, more=more)
    assert site.build().locs() == sorted(LOCS + UNTRANSLATED)
    explained = run_command("explain", "https://web.example/de/only/", cwd=site.folder).stdout
    assert "\n  fallback page  no translation: it shows the text of another language\n" in explained
    assert "`fallback_pages: false` leaves such pages out" in explained
    translation = run_command("explain", "https://web.example/de/", cwd=site.folder).stdout
    assert "listed" in translation
    assert "fallback" not in translation


def test_the_versions_of_one_source_are_named_by_their_urls(translated):
    """In the summary; a name of one page stays."""
    site = translated()
    theme = MATERIAL.replace("}", ", features: [navigation.instant]}")
    site.config(theme=theme, more=plugin())
    site.commit_on("2024-01-01", {})
    site.docs({"more.md": "# Not committed\n"})
    urls = [f"https://web.example/{code}more/" for code in ("de/", "fr/", "")]
    built = site.build()
    assert built.summary.endswith(f"9 dated (git), 3 undated ({', '.join(urls)})")


def test_a_language_on_a_host_of_its_own_is_left_out_with_one_warning(translated):
    """One sitemap is for one host; the count and the first example say what is missing."""
    site = translated()
    own = {"fr": ", site_url: 'https://fr.example.com/'"}
    site.config(HALF, more=plugin(more=own))
    built = site.build()
    links = {"de": "de/", "en": "", "x-default": ""}
    assert built.locs() == ["", "de/", "de/only/", "de/sub/a/", "only/", "sub/a/"]
    assert built.alternates() == {"": links, "de/": links}
    assert built.warnings == [
        (
            "docs/index.fr.md: its URL https://fr.example.com/fr/ is not under the sitemap's own "
            "folder https://web.example/ (likewise 2 more pages). They are left out."
        )
    ]


def test_a_development_server_writes_one_complete_sitemap_at_each_rebuild(translated):
    """The languages are built again each time, and none of the last build stays."""
    site = translated()
    site.config(HALF, more=plugin(fallback=False))
    server = Server(site.folder)
    try:
        server.wait_for("Serving on")
        assert server.locs() == LOCS
        site.docs({"sub/a.de.md": "# A\n"})
        server.wait_for("7 pages")
        assert server.locs() == sorted([*LOCS, "de/sub/a/"])
        (site.folder / "docs" / "sub" / "a.fr.md").unlink()
        server.wait_for("6 pages")
        assert server.locs() == sorted({*LOCS, "de/sub/a/"} - {"fr/sub/a/"})
    finally:
        output = server.stop()
    assert "Traceback" not in output
    assert output.count("sitemap-plus: sitemap.xml: ") == 3


OWN_TEMPLATE = """\
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for locale, files in i18n_alternates.items() %}{% for file in files %}
{% if file.locale != locale or file.norm_src_uri != "sub/a.md" %}{% continue %}{% endif %}
<url><loc>{{ file.page.canonical_url }}</loc></url>
{% endfor %}{% endfor %}
</urlset>
"""


def test_a_template_of_all_languages_is_compared_when_all_are_built(translated):
    """The plugin gives it the pages of the languages that are built so far."""
    site = translated()
    site.write({"overrides/sitemap.xml": OWN_TEMPLATE})
    theme = MATERIAL.replace("{", "{custom_dir: overrides, ")
    site.config(HALF, theme=theme, more=plugin())
    assert site.build().warnings == [
        (
            "overrides/sitemap.xml: this file, which is replaced, did not list 7 pages "
            "(docs/index.md, docs/index.de.md, docs/only.md and 4 more). Now they are listed. To "
            "leave them out: `exclude: [/index.de.md, /index.fr.md, /index.md, /only.md]` and "
            "`fallback_pages: false`. Then delete this file."
        )
    ]
