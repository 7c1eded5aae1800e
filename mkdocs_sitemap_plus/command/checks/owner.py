"""What the owner of a built site decided, as the report of its build has it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.command.checks.rules import Finding
from mkdocs_sitemap_plus.files import absolute_path
from mkdocs_sitemap_plus.html.site_folder import served_file
from mkdocs_sitemap_plus.html.stated_dates import read_date
from mkdocs_sitemap_plus.problems import Origin
from mkdocs_sitemap_plus.sitemap.protocol import utc_day
from mkdocs_sitemap_plus.sitemap.urls import url_key

_UNDECIDED = ("unknown page", "unusable URL")
"""Why pages are left out though nobody decided it, as the report calls it."""


@dataclass(eq=False)
class Owner:
    """The report of the build of a site, and what its project accepts.

    The checker knows nothing of projects and of how a report is found: who calls it hands in both.
    ``docs/reference/json.md`` describes the keys of a report.
    """

    report: Mapping[str, Any] | None = None
    folder: Path = Path()
    is_of_folder: bool = False  # whether the sitemap in the folder is the one of the report
    place_of: Callable[[Mapping[str, Any]], object] = str
    """Takes a place of the report, and returns the same as messages name it."""
    accepts: Callable[[Finding], bool] | None = None
    """Tells whether the owner accepts a finding for good; None if the owner accepts none."""
    transforms: bool = False  # whether a function of the owner may give a page another URL
    why_unknown: str | None = "what the owner left out is not known"  # without a report

    @property
    def url(self) -> str:
        """The URL of the site, with a slash at its end; empty if it is not known."""
        url: str = self.report["site"].get("url", "") if self.report else ""
        return url

    @cached_property
    def _pages(self) -> Sequence[Mapping[str, Any]]:
        return [*self.report["pages"], *self.report["others"]] if self.report else ()

    @cached_property
    def _by_path(self) -> Mapping[str, Mapping[str, Any]]:
        return {page["dest"]: page for page in self._pages if "dest" in page}

    def why_left_out(self, path: str) -> str | None:
        """Return why a built file is not listed, by its path; None if nobody decided it."""
        page = self._by_path.get(path, {})
        if "left_out" in page:
            reason: str = page["left_out"]["reason"]
            return None if reason in _UNDECIDED else reason
        if self.transforms and "entry" in page:
            served = served_file(self.folder, self.url, page["entry"]["loc"])
            return "transform" if served != self.folder / path else None  # it has another URL
        return None

    @cached_property
    def excluded(self) -> frozenset[str]:
        """The paths of the built files of pages that an option or front matter excludes."""
        return frozenset(path for path in self._by_path if self.why_left_out(path) == "excluded")

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The `url_key` of URLs that the owner lists by hand: another build may make the pages."""
        pages = (page for page in self._pages if "entry" in page and "dest" not in page)
        return frozenset(url_key(page["entry"]["loc"]) for page in pages)

    @cached_property
    def days(self) -> frozenset[date] | None:
        """The days (in UTC) of the dates that the build has for its pages; None if not known."""
        if not self.report:
            return None
        entries = (page["entry"] for page in self._pages if "entry" in page)
        dates = (read_date(entry.get("lastmod", "")) for entry in entries)
        return frozenset(utc_day(when) for when in dates if when)

    @cached_property
    def undated(self) -> Mapping[str, str]:
        """Why entries have no date, in words, by the `url_key` of their URLs."""
        pages = (page for page in self._pages if "entry" in page and "undated" in page)
        return {url_key(page["entry"]["loc"]): page["undated"]["reason"] for page in pages}

    def why_gone(self, locs: Iterable[str]) -> Mapping[str, str]:
        """Return why URLs that were listed before are left out now, as clauses by URL."""
        pages = (page for page in self._pages if "left_out" in page and "loc" in page)
        left_out = {url_key(page["loc"]): page["left_out"] for page in pages}
        outs = {loc: left_out[key] for loc in locs if (key := url_key(loc)) in left_out}
        return {loc: self._why(out) for loc, out in outs.items()}

    def _why(self, out: Mapping[str, Any]) -> str:
        if out["place"]["origin"] in (Origin.FRONT_MATTER, Origin.OPTION, Origin.RULE):
            return f"{out['reason']} by {self.place_of(out['place'])}"
        return f"{out['reason']}: {out['detail']}"

    def has_sitemap(self, file: str) -> bool:
        """Return whether the build wrote a sitemap under the name of this file."""
        return bool(self.report and Path(file).name in self.report["files"][:1])

    def written(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of these files the build wrote, whether they carry our mark or not."""
        if not self.report or not self.is_of_folder:
            return frozenset()
        own = {absolute_path(self.folder / name) for name in self.report["files"]}
        return frozenset(name for name in names if absolute_path(name) in own)
