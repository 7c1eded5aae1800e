"""Check all entries of a sitemap together: pages listed twice, and hosts that can't be reached."""

from collections import Counter
from collections.abc import Iterable

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.sitemap.urls import before_path, host_of, is_this_computer, url_key
from mkdocs_sitemap_plus.wording import counted


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


def check_local_hosts(listed: Iterable[Listed], findings: Findings) -> None:
    """Report, once a file and host, pages on a host that only this computer can open.

    A sitemap that was itself read from such a host is that of a preview.
    """
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Listed] = {}
    for entry in listed:
        key = entry.file, before_path(entry.loc)
        counts[key] += 1
        first.setdefault(key, entry)
    for key, entry in first.items():
        file, host = key
        if is_this_computer(host_of(host)) and not is_this_computer(host_of(file)):
            entries = counted(counts[key], "entry is", "entries are")
            reason = f"{entries} on {host}, which only this computer can open"
            findings.add(CheckCode.LOC_LOCAL, entry.place, reason, entry.loc)
