"""Check all entries of a sitemap together: pages listed twice, hosts, and dates all on one day."""

from collections import Counter
from collections.abc import Collection, Container, Iterable
from datetime import date

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.sitemap import utc_day
from mkdocs_sitemap_plus.sitemap.urls import before_path, host_of, is_this_computer, url_key
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted

_MIN_FOR_BUILD_DATE = 10  # so many pages have the same date only rarely by chance


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


def check_same_day(
    listed: Iterable[Listed],
    findings: Findings,
    own: Container[str],
    known_days: Collection[date] | None,
) -> None:
    """Report sitemaps in which all dates are on one day, as if all were that of the build.

    `own` has the files that this package wrote. `known_days` has the days that the project of the
    site has for its pages; None if no project is known. If it has one day too, or none, there is
    nothing better to write.
    """
    dated = [(each.lastmod, each.file) for each in listed if each.lastmod]
    if len(dated) < _MIN_FOR_BUILD_DATE or (known_days is not None and len(known_days) < 2):
        return
    first, file = dated[0]
    if file in own or any(utc_day(when) != utc_day(first) for when, _ in dated):
        return
    reason = f"all {len(dated):,} dates are {utc_day(first)}"
    if known_days:
        reason += f", and the project has dates on {counted(len(known_days), 'day')}"
    findings.add(CheckCode.SAME_LASTMOD, sitemap_place(file), reason)
