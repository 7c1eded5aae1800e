"""Find the source of each page of a built site, by one kind of evidence after the other."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.anysite import Claims, Head, Page
from mkdocs_sitemap_plus.anysite.copies import copied_files
from mkdocs_sitemap_plus.anysite.links import edited_files, shown_files
from mkdocs_sitemap_plus.anysite.paths import files_at_paths
from mkdocs_sitemap_plus.anysite.versions import versions_problem, without_rivals
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import format_value


class Sources(NamedTuple):
    """The sources of pages, and why others have none, by ``dest_uri``."""

    files: dict[str, str]  # relative to the top of the repository
    doubts: dict[str, str]
    problem: Problem | None = None  # one that many pages share


def find_sources(
    pages: Sequence[Page],
    site_dir: Path,
    head: Head,
    docs_dir: Path | None = None,
    taken: Iterable[str] = (),
) -> Sources:
    """Return the source of each page.

    The first of these that a page has counts:

    1. the file that Sphinx copied into the site
    2. the file that the theme's link to edit the page leads to
    3. the file at the path of the page in `docs_dir`, the folder that the user named
    4. the file that the theme's link to show the source leads to

    No file is the source of two pages. `pages` are also those that are not listed, since they may
    be those of another version. `taken` are the sources that are known already.
    """
    evidence: tuple[Callable[[], Claims], ...] = (
        lambda: copied_files(pages, site_dir, head),
        lambda: edited_files(pages, head),
        lambda: files_at_paths(pages, docs_dir, head) if docs_dir else Claims({}),
        lambda: shown_files(pages, head),
    )
    found, doubts, claimed = dict[str, str](), dict[str, str](), set(taken)
    rivals: list[tuple[str, str]] = []
    for claims_by in evidence:
        claims = claims_by()
        new = {page: path for page, path in claims.files.items() if page not in found}
        for page, path in new.items():
            if path in claimed:
                doubts[page] = f"{format_value(path)} is that of another page"
        new = {page: path for page, path in new.items() if path not in claimed}
        kept = without_rivals(new, pages, head.files)
        found |= kept.files
        doubts = {**claims.doubts, **doubts, **kept.doubts}
        rivals += kept.rivals
        claimed.update(new.values())
    doubts = {page: why for page, why in doubts.items() if page not in found}
    return Sources(found, doubts, versions_problem(rivals))
