"""The corpus: sitemaps and sites, each with what is wrong with it.

A file or a folder of ``check/corpus/`` is a case. The findings stand in a comment behind its end:
the code, and the line, or the file and the line where that is another file.
"""

import re
from datetime import UTC, datetime
from pathlib import Path

from mkdocs_sitemap_plus.command.checks.language_versions import check_language_versions
from mkdocs_sitemap_plus.command.checks.one_sitemap import check
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.checks.site_files import check_site, site_beside
from mkdocs_sitemap_plus.command.reader.find import FoundFile

CORPUS = Path(__file__).parents[1] / "check" / "corpus"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def findings(path, now=NOW):
    """All findings of a file, or of a folder with the site in it."""
    checked = check(FoundFile(str(path)), now=now)
    folder = site_beside(Path(checked.files[0])) if path.is_dir() else None
    site = (
        check_site(checked.listed, folder, checked.findings, Owner(), (), is_whole=True)
        if folder
        else None
    )
    check_language_versions(checked.listed, checked.findings, site, in_all={})
    return checked.findings.kept


def found(case):
    """All findings of a case as short texts, sorted: code, file and line."""
    folder = case if case.is_dir() else case.parent
    own = (case / "sitemap.xml" if case.is_dir() else case).as_posix()
    return sorted(
        " ".join(filter(None, (finding.code, _place(finding.place, own, folder))))
        for finding in findings(case)
    )


def _place(place, own, folder):
    line = str(place.line) if place.line else ""
    if place.file == own:
        return line
    name = Path(place.file).relative_to(folder).as_posix()
    return f"{name}:{line}" if line else name


def expected(case):
    """The findings that stand in a case."""
    text = (case / "sitemap.xml" if case.is_dir() else case).read_text("utf-8")
    comment = re.search(r"<!-- finds\n(.*?)-->\s*\Z", text, re.DOTALL)
    return sorted(comment[1].splitlines())
