"""The documentation in a browser: its search finds the right page first, and all pages fit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sites import clean_environment

ROOT = Path(__file__).parents[2]
FOUND = {
    "migrate": "get-started/migrate/",
    "faq": "help/troubleshooting/",
    "troubleshooting": "help/troubleshooting/",
    "no date": "help/troubleshooting/",
    "docker": "hosting/docker/",
    "shallow": "hosting/",
    "shallow clone": "hosting/",
    "fetch-depth": "hosting/",
    "no lastmod": "guide/dates/",
    "all pages same date": "help/troubleshooting/",
    "wrong date": "help/troubleshooting/",
    "old date": "help/troubleshooting/",
    "disable": "help/troubleshooting/",
    "uninstall": "get-started/mkdocs/",
    "indexnow": "guide/search-engines/",
    "zensical": "get-started/any-site/",
    "noindex": "guide/leave-pages-out/",
    "exclude page": "guide/leave-pages-out/",
    "redirect": "help/troubleshooting/",
    "mike": "guide/languages-and-versions/",
    "i18n": "guide/languages-and-versions/",
    "blog": "guide/dates/",
    "robots.txt": "guide/search-engines/",
    "hide page": "guide/leave-pages-out/",
    "ignore commit": "guide/dates/",
    "correct a date": "guide/dates/",
    "last updated on page": "guide/dates-on-pages/",
    "pdf": "guide/files-images-videos/",
    "instant navigation": "guide/files-images-videos/",
    "bot": "guide/dates/",
    "gh-pages": "hosting/",
    "private pages": "guide/leave-pages-out/",
    "created date": "help/troubleshooting/",
    "creation date": "help/troubleshooting/",
    "upgrade": "get-started/migrate/",
    "timezone": "reference/options/",
    "python version": "help/compatibility/",
    "readthedocs": "hosting/",
    "mtime": "help/troubleshooting/",
    "prettier": "guide/dates/",
    "security": "help/compatibility/",
    "windows": "help/compatibility/",
    "subfolder": "help/troubleshooting/",
    "staging": "help/troubleshooting/",
    "custom domain": "help/troubleshooting/",
    "all dates the same": "help/troubleshooting/",
    "only the navigation": "guide/files-images-videos/",
    "linkchecker": "guide/readers/",
    "videos": "guide/files-images-videos/",
    "x-default": "guide/files-images-videos/",
    "large site": "guide/files-images-videos/",
    "material to zensical": "get-started/any-site/",
    "mercurial": "guide/dates/",
    "submit sitemap": "guide/search-engines/",
    "changefreq": "guide/leave-pages-out/",
    "sphinx": "get-started/any-site/",
    "diff": "command/",
    "compare sitemaps": "command/",
    "github actions": "hosting/",
    "gitlab": "hosting/",
    "pull request": "hosting/check-in-ci/",
}
"""What people search for, and the page that should be on top."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="only a whole checkout has the docs"),
]


@pytest.fixture(scope="module")
def built(server, tmp_path_factory):
    """The documentation, built once."""
    folder = tmp_path_factory.mktemp("docs")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-d", folder],
        check=True,
        cwd=ROOT,
        env=clean_environment(READTHEDOCS_CANONICAL_URL=server.url),
    )
    server.show(folder)
    return folder


@pytest.fixture(scope="module")
def box(chromium, server, built):
    """The page of the documentation that is open, whose search box waits."""
    with chromium.new_context() as context:
        page = context.new_page()
        page.route(
            lambda url: not url.startswith(server.url), lambda route: route.abort()
        )  # the repository's stars
        yield page


def test_the_right_page_is_found_first(box, server):
    """For each search; the list of the search before is gone when the next one begins."""
    box.goto(server.url)
    query = box.locator("[data-md-component=search-query]")
    results = box.locator(".md-search-result__item > a")
    wrong = {}
    for words, path in FOUND.items():
        query.fill("")
        query.press("End")
        results.first.wait_for(state="detached")
        query.fill(words)
        query.press("End")  # the theme searches when a key is let go: once, for all the words
        results.first.wait_for()
        found = results.evaluate_all("links => links.map(link => link.href)")
        shown = [os.fspath(url).removeprefix(server.url).partition("?")[0] for url in found]
        if not shown[0].startswith(path):
            wrong[words] = shown[:5]
    assert wrong == {}


LOOK = """() => {
  const bad = [];
  if (document.documentElement.scrollWidth > innerWidth) bad.push("the page scrolls sideways");
  for (const cell of document.querySelectorAll("article :is(td, th)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); )
      for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(line => line.top)).size > 1)
          bad.push(`a table breaks "${word[0]}"`);
      }
  }
  return bad;
}"""
"""What is wrong with the page that is open, as it is laid out."""


def test_each_page_fits_a_phone_and_a_desk(box, server, built):
    """Neither does a page scroll sideways, nor does a table break words."""
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 20
    found = {}
    for page in pages:
        name = page.relative_to(built).as_posix()
        box.goto(server.url + name.removesuffix("index.html"))
        for width in (390, 1280):
            box.set_viewport_size({"width": width, "height": 844})
            found[name, width] = box.evaluate(LOOK)
    assert {page: bad for page, bad in found.items() if bad} == {}


def test_who_shares_a_link_shows_a_picture(box, server):
    """Its address is that of an image of the built site, in the size that is asked for."""
    box.goto(server.url + "guide/dates/")
    address = box.locator("meta[property='og:image']").get_attribute("content")
    box.goto(address)
    image = box.locator("img")
    assert image.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [1200, 630]


def test_a_page_that_does_not_exist_leads_home(box, server):
    """Wherever it was looked for, since its links are absolute."""
    box.goto(server.url + "404.html")
    box.locator("article").get_by_role("link", name="home page").click()
    box.wait_for_url(server.url)
    # The theme changes the address first, and then the page.
    box.locator("article h1", has_text="mkdocs-sitemap-plus").wait_for()
