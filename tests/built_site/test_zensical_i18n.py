"""A site of Zensical in several languages, as zensical-i18n 0.3 lays it out."""

import pytest
from any_sites import by_git, commit, html, put
from commands import run
from sitemap_xml import read_alternates, read_entries, validate

URL = "https://docs.example/"
CONFIG = """\
[project]
site_name = "X"
site_url = "https://docs.example/"
[project.plugins.i18n]
docs_structure = "{}"
[[project.plugins.i18n.languages]]
locale = "en"
name = "English"
[[project.plugins.i18n.languages]]
locale = "pt-BR"
name = "Português"
"""
SOURCES = {
    "folder": {
        "": "en/index.md", "a/": "en/a.md", "only/": "en/only.md",
        "pt-BR/": "pt-BR/README.md", "pt-BR/a/": "pt-BR/a.md",
    },
    "suffix": {
        "": "index.md", "a/": "a.en.md", "only/": "only.md",
        "pt-BR/": "index.pt-BR.md", "pt-BR/a/": "a.pt-BR.md",
    },
}  # fmt: skip
FALLBACK = "pt-BR/only/"
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


@pytest.mark.parametrize("structure", SOURCES)
def test_each_page_is_dated_by_the_file_of_its_language(top, structure):
    """It has the links of all its translations. A fallback page names its original."""
    sources = {url: f"docs/{path}" for url, path in SOURCES[structure].items()}
    if structure == "folder":  # to zensical-i18n, this file is a page of each language
        sources |= dict.fromkeys(("log/", "pt-BR/log/"), "docs/log.md")
    commit(top, dict.fromkeys(sources.values(), "# Text\n"))
    put(top, {"zensical.toml": CONFIG.format(structure)})
    pages = {
        f"site/{url}index.html": html(head=f'<link rel="canonical" href="{URL}{canonical}">')
        for url, canonical in {**{url: url for url in sources}, FALLBACK: "only/"}.items()
    }
    urls = [*sources, FALLBACK]
    texts = {  # each language has a sitemap of its own
        folder: "".join(f"<url><loc>{URL}{url}</loc></url>" for url in urls if of_folder(url))
        for folder, of_folder in (
            ("", lambda url: not url.startswith("pt-BR/")),
            ("pt-BR/", lambda url: url.startswith("pt-BR/")),
        )
    }
    put(
        top,
        pages | {f"site/{folder}sitemap.xml": SITEMAP.format(texts[folder]) for folder in texts},
    )
    code, out, errors = run("build")
    data = (top / "site" / "sitemap.xml").read_bytes()
    validate(data)
    dates = {each["loc"].removeprefix(URL): each["lastmod"] for each in read_entries(data)}
    assert dates == {url: by_git(top, path) for url, path in sources.items()}
    assert (code, "1 left out (not canonical)" in out) == (0, True)
    for page, links in read_alternates(data).items():
        path = page.removeprefix(URL).removeprefix("pt-BR/")
        original = f"{URL}{path}"
        assert links == {"en": original, "pt-BR": f"{URL}pt-BR/{path}", "x-default": original}
    assert read_alternates(data).keys() == {f"{URL}{url}" for url in sources if url != "only/"}
    assert errors == (
        "Note: 1 sitemap of another program is still there, and lists the same pages "
        "(pt-BR/sitemap.xml). Name sitemap.xml instead of it in robots.txt and to search engines.\n"
    )


MKDOCS = """\
site_name: X
site_url: https://docs.example/
plugins:
- i18n:
    docs_structure: folder
    languages:
    - {locale: en, name: English, default: true}
    - {locale: de, name: Deutsch}
    - {locale: fr, name: Français}
"""


def test_a_page_that_two_files_may_have_made_keeps_its_translations(top):
    """Both files are in its language, so only its date is open. As by mkdocs-static-i18n."""
    sources = ("en/a/index.md", "de/a.md", "de/a/index.md", "fr/a/index.md")
    commit(top, {f"docs/{path}": "# Text\n" for path in sources})
    put(top, {"mkdocs.yml": MKDOCS})
    versions = {"en": f"{URL}a/", "de": f"{URL}de/a/", "fr": f"{URL}fr/a/"}
    for url in versions.values():
        page = html(head=f'<link rel="canonical" href="{url}">', text="<h1>Text</h1>")
        put(top, {f"site/{url.removeprefix(URL)}index.html": page})
    run("build")
    data = (top / "site" / "sitemap.xml").read_bytes()
    links = versions | {"x-default": versions["en"]}
    assert read_alternates(data) == dict.fromkeys(versions.values(), links)
    assert [each["loc"] for each in read_entries(data) if "lastmod" not in each] == [f"{URL}de/a/"]
