"""Read the JSON report of a build, and say whether it is that of a built site."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path

from mkdocs_sitemap_plus.files import Mark, Unreadable, is_file, is_ours, read_file, read_stdin
from mkdocs_sitemap_plus.generator.kept_report import (
    FORMAT,
    REQUIRED,
    VERSION,
    Data,
    fingerprint,
    read_kept,
)
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import xml
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, lastmod_text
from mkdocs_sitemap_plus.wording import format_value, listing


def read_report(path: Path) -> Data:
    """Return a report; ``-`` is the standard input. Raises SitemapError if it can't be read."""
    try:
        data = read_stdin(limit=-1) if path == Path("-") else path.read_bytes()
    except Unreadable as error:
        raise _unusable(path.as_posix(), f"it can't be read ({error.reason})") from error
    except OSError as error:
        raise _unusable(path.as_posix(), f"it can't be read ({error.strerror})") from error
    return from_json(data, path.as_posix())


def report_kept_of(site_dir: Path) -> Data | None:
    """Return the report that the last build of a folder kept; None if none can be used."""
    data = read_kept(site_dir)
    try:
        return from_json(data, "") if data else None
    except SitemapError:  # of another release, for example
        return None


def is_report_of(report: Data, site_dir: Path) -> bool:
    """Return whether a built site has the sitemap that a report is about, or none as it says."""
    if "fingerprint" not in report:
        return not is_file(site_dir / "sitemap.xml")
    try:
        found: str = report["fingerprint"]
        return found == fingerprint(_entries(site_dir, report["files"]))
    except (Unreadable, SitemapError):
        return False


def is_by_us(site_dir: Path, name: str) -> bool:
    """Return whether this package wrote a sitemap in a built site.

    It carries our mark. Release 0.10 wrote none: such a file is that of the report which is kept.
    """
    if is_ours(site_dir / name, Mark.SITEMAP):
        return True
    report = report_kept_of(site_dir)
    return bool(report and name in report["files"] and is_report_of(report, site_dir))


def _entries(site_dir: Path, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the URL and the date of each entry in these files of a sitemap; an index has none."""
    for name in names:
        if not name.endswith(".gz"):
            _, elements, _ = xml.read(read_file(site_dir / name, MAX_BYTES), name)
            for element in elements:
                if element.tag == f"{xml.NS}url":
                    texts = (element.findtext(f"{xml.NS}{tag}", "") for tag in ("loc", "lastmod"))
                    loc, lastmod = (text.strip() for text in texts)
                    yield loc, _in_one_spelling(lastmod)


def _in_one_spelling(text: str) -> str:
    """Return a date in our spelling; another program may have written ``Z`` for ``+00:00``."""
    with suppress(ValueError):
        kind = datetime if "T" in text else date
        return lastmod_text(kind.fromisoformat(text))
    return text


def _unusable(name: str, found: str, expected: str | None = None) -> SitemapError:
    place = Place(origin=Origin.OPTION, file=name)
    return SitemapError(Problem(code=Code.REPORT, place=place, found=found, expected=expected))


def from_json(data: bytes, name: str) -> Data:
    """Return a report from its bytes, as any release with this `VERSION` writes them.

    Keys that this release does not know are kept. Raises SitemapError if the bytes are no report,
    one of another version, or one that lacks a part.
    """
    try:
        report = json.loads(data)
    except (ValueError, RecursionError):
        report = None
    expected = None
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        found = "is not a report of this plugin"
    elif report.get("version") != VERSION:
        found = f"is a report of version {format_value(report.get('version'))}"
        expected = f"of version {VERSION}"
    elif lacking := sorted(REQUIRED - report.keys()):
        found = f"is a damaged report without {listing(lacking)}"
    else:
        return report
    raise _unusable(name, found, expected)
