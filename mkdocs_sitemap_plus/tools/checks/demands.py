"""Check what the caller of the command demands of a sitemap."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.tools.checks.findings import Listed
from mkdocs_sitemap_plus.tools.checks.protocol import Checked
from mkdocs_sitemap_plus.wording import counted


class Demands(NamedTuple):
    """What all sitemaps together must have."""

    urls: tuple[str, ...]  # that must be listed
    percent: Decimal | None  # of the entries that must have a valid `lastmod`; None: any

    @property
    def codes(self) -> frozenset[str]:
        """The codes of these demands."""
        found = [("required-absent", self.urls), ("too-few-dates", self.percent is not None)]
        return frozenset(code for code, is_there in found if is_there)

    def check(self, listed: Sequence[Listed], first: Checked) -> None:
        """Add what is missing in the entries of all sitemaps to the findings of the first."""
        place = sitemap_place(first.files[0])
        if self.urls:
            keys = {url_key(each.loc) for each in listed}
            for url in self.urls:
                if url_key(url) not in keys:
                    first.findings.add("required-absent", place, "is not listed", url)
        dated = sum(each.lastmod is not None for each in listed)
        if self.percent is not None and 100 * dated < self.percent * len(listed):
            counts = f"{dated:,} of {counted(len(listed), 'entry', 'entries')} have a date"
            reason = f"{counts}, but {self.percent}% are required"
            first.findings.add("too-few-dates", place, reason)
