"""Who searches the documentation finds the right page first, in Material's search box."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sites import clean_environment

ROOT = Path(__file__).parents[2]
FOUND = {
    "migrate": "get-started/migrate/",
    "faq": "help/faq/",
    "troubleshooting": "help/troubleshooting/",
    "no date": "guide/dates/",
    "docker": "hosting/",
    "shallow": "hosting/",
    "shallow clone": "hosting/",
    "fetch-depth": "hosting/",
    "no lastmod": "guide/dates/",
    "all pages same date": "help/troubleshooting/",
    "wrong date": "help/troubleshooting/",
    "old date": "help/troubleshooting/",
    "disable": "help/faq/",
    "uninstall": "get-started/mkdocs/",
    "indexnow": "guide/search-engines/",
    "zensical": "get-started/any-site/",
    "noindex": "guide/leave-pages-out/",
    "exclude page": "guide/leave-pages-out/",
    "redirect": "help/troubleshooting/",
    "mike": "guide/languages-and-versions/",
    "i18n": "guide/languages-and-versions/",
    "blog": "guide/blog/",
    "robots.txt": "guide/search-engines/",
    "hide page": "guide/leave-pages-out/",
    "ignore commit": "guide/dates/",
    "correct a date": "guide/dates/",
    "last updated on page": "guide/dates-on-pages/",
    "pdf": "guide/files-images-videos/",
    "instant navigation": "guide/large-sites/",
}
"""What people search for, and the page that should be on top."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="only a whole checkout has the docs"),
]


@pytest.fixture(scope="module")
def box(chromium, server, tmp_path_factory):
    """The page of the documentation that is open, whose search box waits; built once."""
    folder = tmp_path_factory.mktemp("docs")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-d", folder / "site"],
        check=True,
        cwd=ROOT,
        env=clean_environment(READTHEDOCS_CANONICAL_URL=server.url),
    )
    server.folder = folder / "site"
    with chromium.new_context() as context:
        page = context.new_page()
        page.route(
            lambda url: not url.startswith(server.url), lambda route: route.abort()
        )  # the repository's stars
        yield page
    shutil.rmtree(folder)


@pytest.mark.parametrize(("words", "path"), FOUND.items(), ids=FOUND)
def test_the_right_page_is_found_first(box, server, words, path):
    """Each search begins on the home page, as in a new browser."""
    box.goto(server.url)
    box.locator("[data-md-component=search-query]").focus()
    box.keyboard.type(words)
    first = box.locator(".md-search-result__item > a").first
    first.wait_for()
    box.wait_for_timeout(300)  # the results of the last letter
    found = box.locator(".md-search-result__item > a").evaluate_all(
        "links => links.map(link => link.href)"
    )
    shown = [os.fspath(url).removeprefix(server.url).partition("?")[0] for url in found]
    assert shown[0].startswith(path), shown[:5]
