"""Find pages that a sitemap lists twice."""

from collections.abc import Iterable

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.sitemap.urls import url_key


def check_duplicates(listed: Iterable[Listed], findings: Findings) -> None:
    """Report entries with the same URL, and an ``index.html`` beside the URL of its folder."""
    seen: dict[str, Listed] = {}
    for entry in listed:
        first = seen.setdefault(url_key(entry.loc), entry)
        if first is not entry:
            reason = f"is already listed in {first.place}"
            findings.add(CheckCode.DUPLICATE_LOC, entry.place, reason, entry.loc)
    for key, entry in seen.items():
        if key.endswith("/index.html") and (folder := seen.get(key.removesuffix("index.html"))):
            reason = f"is the page that is listed as {folder.loc} in {folder.place}"
            findings.add(CheckCode.DUPLICATE_LOC, entry.place, reason, entry.loc)
