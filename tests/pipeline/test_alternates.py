"""Language versions: what is linked, and the problems of what is not."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from decided import NOINDEX

from mkdocs_sitemap_plus.generator.generate import decide
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.options.table import read_options
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.site import Site, SourcePage
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context
from mkdocs_sitemap_plus.html.page_says import PageSays
from mkdocs_sitemap_plus.problems import Level

URL = "https://web.example/"


def page(path, *, locale=None, common=None, noindex=False, **sitemap):
    """A built page; `sitemap` is that of its front matter."""
    return SourcePage(
        src_uri=f"{path or 'index'}.md",
        file=f"docs/{path or 'index'}.md",
        dest_uri=f"{path}/index.html" if path else "index.html",
        loc=f"{URL}{path}/" if path else URL,
        locale=locale,
        translation_of=common,
        meta={"sitemap": sitemap} if sitemap else {},
        built=NOINDEX if noindex else PageSays(),
    )


def linked(*pages, default="en", root=Path("/nowhere"), serving=False, **options):
    """The alternates of each page by its path, and the problems."""
    reading = read_options({"lastmod": {"sources": []}, **options})
    assert (reading.errors, reading.unknown) == ((), ())
    settings = reading.settings
    site = Site(
        url=URL,
        has_url_key=True,
        project_file="mkdocs.yml",
        root=root,
        docs_dir=root / "docs" / "en",
        site_dir=root / "site",
        reads_sitemap=False,
        instant=False,
        serving=serving,
        default_locale=default,
        include_options=IncludeOptions(docs_dir=root / "docs" / "en"),
        pages=pages,
    )
    outcome = decide(Context(site, settings, open_sources(settings.lastmod), datetime.now(UTC)))
    entries = [decision.entry for decision in outcome.listed]
    links = {
        entry.loc.removeprefix(URL): {
            each.hreflang: each.href.removeprefix(URL) for each in entry.alternates
        }
        for entry in entries
        if entry.alternates
    }
    assert not any(problem.level is Level.NOTE for problem in outcome.problems)
    return links, [str(problem) for problem in outcome.problems]


# Languages of one build.

EN = page("a", locale="en", common="a")
DE = page("de/a", locale="de", common="a")
FR = page("fr/a", locale="fr", common="a")
PAIR = {"de": "de/a/", "en": "a/", "x-default": "a/"}


def test_all_versions_have_the_same_set_with_themselves_in_it():
    """Sorted by language, the default one last."""
    links = {"de": "de/a/", "en": "a/", "fr": "fr/a/", "x-default": "a/"}
    assert linked(FR, DE, EN) == ({"a/": links, "de/a/": links, "fr/a/": links}, [])


def test_a_page_in_one_language_only_has_no_links():
    """Nor has one that is built under another language's address but not translated."""
    untranslated = page("de/b", locale="de", common=None)
    assert linked(page("b", locale="en", common="b"), untranslated) == ({}, [])


@pytest.mark.parametrize(
    "gone",
    [
        page("fr/a", locale="fr", common="a", exclude=True),
        page("fr/a", locale="fr", common="a", noindex=True),
    ],
    ids=["excluded", "noindex"],
)
def test_a_version_that_is_left_out_is_no_alternate(gone):
    """The others are linked without it, and nothing is wrong with that."""
    assert linked(EN, DE, gone) == ({"a/": PAIR, "de/a/": PAIR}, [])


@pytest.mark.parametrize(("default", "path"), [("en", "a/"), ("de", "de/a/"), (None, None)])
def test_the_default_version_is_that_of_the_site(default, path):
    """If it is known."""
    links = {"de": "de/a/", "en": "a/"} | ({"x-default": path} if path else {})
    assert linked(EN, DE, default=default) == ({"a/": links, "de/a/": links}, [])


def test_an_invalid_code_is_reported_once():
    """However many pages are in that language."""
    pages = [page(f"xx/{name}", locale="xx", common=name) for name in "abc"]
    assert linked(EN, DE, *pages) == (
        {"a/": PAIR, "de/a/": PAIR},
        [
            (
                "mkdocs-static-i18n: locale is 'xx', but must be a language code, such as de, "
                "pt-BR or zh-Hant. Its pages get no language links."
            )
        ],
    )


def test_links_can_be_turned_off():
    """All of them."""
    assert linked(EN, DE, alternates=False) == ({}, [])


# Languages that are built one by one.


@pytest.fixture
def folders(tmp_path):
    """The docs folders of two languages; ``only.md`` is in one of them."""
    for name in ("en/a.md", "en/only.md", "de/a.md"):
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def languages(**changed):
    said = {
        "en": {"url": URL, "docs_dir": "docs/en"},
        "de": {"url": "https://web.example/de", "docs_dir": "docs/de"},
    }
    return {"alternates": said | changed}


@pytest.mark.parametrize(
    ("changed", "links", "problem"),
    [
        (
            {"fr": {"url": "https://web.example/fr/", "docs_dir": "docs/fr"}},
            {"a/": PAIR},
            (
                "alternates.fr.docs_dir is 'docs/fr', but must be a folder, relative to "
                "mkdocs.yml. No links to this language are written."
            ),
        ),
        (
            {"en": {"url": URL, "docs_dir": "docs/de"}},
            {},
            (
                "alternates has no language with the docs_dir of this build. No language links are "
                "written. List all languages, including the language of this build."
            ),
        ),
        (
            {"en": {"url": "https://web.example/en/", "docs_dir": "docs/en"}},
            {"a/": PAIR},
            (
                "alternates.en.url is 'https://web.example/en/', but must be the site_url of this "
                "build, https://web.example/. The sitemaps of the other languages link to the "
                "wrong URL."
            ),
        ),
    ],
    ids=["no-folder", "not-this-build", "other-url"],
)
def test_a_mapping_that_the_builds_would_not_agree_on_is_one_warning(
    folders, changed, links, problem
):
    """The sitemaps would contradict each other."""
    pages = page("a"), page("only")
    found = linked(*pages, root=folders, **languages(**changed))
    assert found == (links, [f"mkdocs.yml: {problem}"])


@pytest.mark.parametrize("source", ["a.md", "guide/README.md", "b.pdf"])
@pytest.mark.parametrize("directories", [True, False], ids=["folders", "files"])
def test_a_file_in_each_docs_folder_has_the_same_path_in_each_language(
    folders, source, directories
):
    """Pages with both kinds of URLs, the index of a folder, and files that are not pages."""
    stem = source.removesuffix(".md").replace("guide/README", "guide/index")
    built = f"{stem}/index.html" if directories and stem == "a" else f"{stem}.html"
    built = built if source.endswith(".md") else source
    url = built.removesuffix("index.html") if directories else built
    for language in ("en", "de"):
        path = folders / "docs" / language / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    own = page("x")._replace(src_uri=source, dest_uri=built, loc=f"{URL}{url}")
    links = {"de": f"de/{url}", "en": url, "x-default": url}
    assert linked(own, root=folders, **languages()) == ({url: links}, [])


def test_a_page_whose_url_is_not_made_of_the_path_of_its_source_has_no_links(folders):
    """A post of a blog has its title in its URL, and the translation has another title."""
    built = "2024/01/05/hello/index.html"
    post = page("a")._replace(dest_uri=built, loc=f"{URL}2024/01/05/hello/")
    assert linked(post, root=folders, **languages()) == ({}, [])
