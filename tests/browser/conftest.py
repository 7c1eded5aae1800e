"""A real Chromium, and a server for the built sites that it reads."""

import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from servers import served

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
"""Milliseconds; a page of these sites takes some hundred, but the machine may be busy."""


class Reader:
    """Somebody who reads a site in the browser, and what their browser complains of."""

    def __init__(self, page, server):
        """Nothing is open yet."""
        self.page = page
        self.server = server
        self.complaints = []
        self.expected = []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._on_request)

    def _on_console(self, message):
        if message.type in ("error", "warning"):
            text = message.text.removeprefix("Failed to load resource: the server ")
            self.complaints.append(f"{self._short(message.location['url'])}: {text}")

    def _on_request(self, request):
        own = ("data:", "blob:", "chrome:", "chrome-extension:")  # of the browser, to show a PDF
        if not request.url.startswith((self.server.url, *own)):
            self.complaints.append(f"{request.url}: outside of the site")

    def _short(self, url):
        return "/" + url.removeprefix(self.server.url)

    @property
    def where(self):
        """The path that the address bar shows."""
        return self._short(self.page.url)

    @property
    def title(self):
        """The heading that the reader sees."""
        return self.page.locator("article h1").inner_text()

    def wait_for(self, heading):
        """Wait until the page with that heading is there."""
        self.page.locator("article h1").get_by_text(heading, exact=True).wait_for()

    def link(self, name):
        """The link of that name in the text."""
        return self.page.locator("article").get_by_role("link", name=name, exact=True)

    def shows_no_preview_of(self, name):
        """Whether nothing shows up for a second while the pointer rests on the link."""
        self.link(name).hover()
        self.page.wait_for_timeout(1000)
        return not self.page.locator(".md-tooltip2--active").count()

    def open(self, path=""):
        """Open a page by its address, and wait until its scripts have fetched what they want."""
        self.page.goto(self.server.url + path, wait_until="networkidle")
        self._mark()

    def expect_complaint(self, pattern):
        """Say which complaints, whole, there must be at least one of."""
        self.expected.append(pattern)

    def unexpected(self):
        """The complaints that are not expected, and what was expected in vain."""
        found = [next(self._expecting(each), None) for each in self.complaints]
        surplus = [each for each, by in zip(self.complaints, found, strict=True) if by is None]
        return surplus, [pattern for pattern in self.expected if pattern not in found]

    def _expecting(self, complaint):
        return (pattern for pattern in self.expected if re.fullmatch(pattern, complaint))

    def _mark(self):
        """A variable of the window: a full load throws it away with the window's script."""
        self.page.evaluate("window.notReloaded = true")

    def _way(self):
        """How the reader came to this page since `_mark`; what comes next counts from here."""
        if self.page.evaluate("!!window.notReloaded"):
            return "instantly"
        self.page.wait_for_load_state("networkidle")
        self._mark()
        return "by a full load"

    def follow(self, name, heading=None):
        """Click the link of that name in the text; returns how its page came, once it is there."""
        self.link(name).click()
        self.wait_for(heading or name)
        return self._way()

    def choose_version(self, version, path):
        """Choose in the version selector; returns how the page at that path came."""
        self.page.locator(".md-version").hover()
        self.page.locator(".md-version__link", has_text=version).click()
        return self._arrive(path)

    def choose_language(self, language, path):
        """Choose in the language selector; returns how the page at that path came."""
        self.page.locator(".md-header .md-select").hover()
        self.page.locator(f".md-select__link[hreflang={language}]").click()
        return self._arrive(path)

    def _arrive(self, path):
        self.page.wait_for_url(self.server.url + path)
        return self._way()


@pytest.fixture(scope="session")
def server():
    """A server that shows nothing yet: its URL, and `show(folder)`."""
    with served() as (url, show):
        yield SimpleNamespace(url=url, show=show)


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium of the system with an empty profile."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        absent("there is no chromium on the PATH; apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415
    except ImportError:
        absent("playwright is not installed; pip install --group browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


def absent(what):
    """Skip where a developer has no browser; in CI that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture
def reader(chromium, server):
    """A reader who has nothing open, and whose browser has nothing kept.

    In the end the browser must have complained of what the test expects, and of nothing else.
    """
    with chromium.new_context() as context:
        reader = Reader(context.new_page(), server)
        yield reader
    assert reader.unexpected() == ([], [])


@pytest.fixture
def show(server, tmp_path):
    """Serves a copy of a built site, in which the test may change files; returns its folder."""

    def show(built):
        folder = Path(shutil.copytree(built, tmp_path / "shown"))
        server.show(folder)
        return folder

    return show
