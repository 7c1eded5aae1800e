"""Find the sources of Sphinx' pages by the copies that it publishes, as ``_sources/a.rst.txt``."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from mkdocs_sitemap_plus.anysite import Claims, Head, Page
from mkdocs_sitemap_plus.files import Unreadable, read_text


def copied_files(pages: Sequence[Page], site_dir: Path, head: Head) -> Claims:
    """Return the files at HEAD with the text of each page's copy, linked or not.

    The copies of a site come from one folder: from the one that has most of them.
    """
    built = {page.dest_uri for page in pages}
    above = {folder for page in built for folder in PurePosixPath(page).parents}
    sites = [str(folder) for folder in above if (site_dir / folder / "_sources").is_dir()]
    named: dict[str, list[str]] = defaultdict(list)
    for path in head.files if sites else ():
        named[posixpath.basename(path)].append(path)
    found: dict[str, str] = {}
    for site in sorted(sites):
        originals = [  # a page, and the folder and path of a file
            (page, path.removesuffix(source), path)
            for page, source, copy in _copies(site_dir, site, built)
            for path in named[posixpath.basename(source)]
            if f"/{path}".endswith(f"/{source}") and _is_same(copy, head.top / path)
        ]
        counts = Counter(folder for _, folder, _ in originals).most_common(2)
        if (counts and counts[0][1] != counts[-1][1]) or len(counts) == 1:
            found |= {page: path for page, folder, path in originals if folder == counts[0][0]}
    return Claims(found)


def _copies(site_dir: Path, site: str, built: set[str]) -> Iterator[tuple[str, str, Path]]:
    """Yield each page of a Sphinx site, the path of its source, and the copy of that."""
    folder = site_dir / site / "_sources"
    for copy in folder.rglob("*.*"):
        source = copy.relative_to(folder).as_posix()
        shorter = source.removesuffix(".txt")
        source = shorter if posixpath.splitext(shorter)[1] else source  # no second .txt is added
        stem = posixpath.normpath(posixpath.join(site, posixpath.splitext(source)[0]))
        for page in (f"{stem}.html", f"{stem}/index.html"):
            if page in built:
                yield page, source, copy


def _is_same(copy: Path, file: Path) -> bool:
    try:
        return read_text(copy) == read_text(file)
    except Unreadable:
        return False
