"""How sitemaps are checked."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.check.decided import OwnersDecisions
from mkdocs_sitemap_plus.check.host_check import RATE
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.sitemap import TIMEOUT
from mkdocs_sitemap_plus.sitemap.open_sitemaps import NAMES, WEB, Web
from mkdocs_sitemap_plus.sitemap.urls import within


class Options(NamedTuple):
    """How sitemaps are checked. The command has an option of each name but the last five."""

    site: Path | None = None
    pages: bool = False
    sample: int | None = None
    require: tuple[str, ...] = ()
    min_dated: Decimal = Decimal(0)
    since: str | None = None  # an older sitemap, a path or a URL
    timeout: float = TIMEOUT
    base_url: str | None = None  # the folder of a copy of the site, which is requested instead
    header: Mapping[str, str] = {}  # it may be a secret
    rate: float = RATE
    web: Web = WEB  # asks servers, with the timeout and the headers above
    note: Callable[[str], None] = lambda _sentence: None
    progress: Callable[[int, int], None] = lambda _done, _all: None  # requests
    # Returns a problem with what else is known of its cause.
    explained: Callable[[Problem], Problem] = lambda problem: problem
    # Takes the folder of a built site; returns what its owner decided, as far as it is known.
    # Raises SitemapError if that can't be known.
    decided: Callable[[Path], OwnersDecisions | None] = lambda _folder: None

    def where(self, argument: str) -> str:
        """Return what to open for an argument: of the preview, the sitemap in its folder."""
        if not self.is_copy(argument) or argument.lower().endswith((".xml", ".gz")):
            return argument
        return f"{argument.rstrip('/')}/{NAMES[0]}"

    def is_copy(self, url: str) -> bool:
        """Return whether a URL is one of the copy, in which all pages have their published URL."""
        return self.base_url is not None and within(f"{url.rstrip('/')}/", self.base_url)
