"""Find the sources of Sphinx' pages by the copies that it publishes, as ``_sources/a.rst.txt``."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from filecmp import cmp
from pathlib import Path

from mkdocs_sitemap_plus.gitdates.at_head import AtHead
from mkdocs_sitemap_plus.web.edit_links import LinkedPage


def copied_sources(pages: Iterable[LinkedPage], site_dir: Path, head: AtHead) -> dict[str, str]:
    """Return the sources that Sphinx copied, by ``dest_uri``, as paths in the repository.

    A copy has the bytes of its source. The copies of a site come from one folder: from the one that
    has most of them, or else from the one of these that has a ``conf.py``.
    """
    sites: dict[str, dict[str, str]] = defaultdict(dict)
    for page in pages:
        if page.links.copied_from:
            site, source = page.links.copied_from
            sites[site][page.dest_uri] = source
    named: dict[str, list[str]] = defaultdict(list)
    if sites:
        for path in head.files:
            named[posixpath.basename(path)].append(path)
    found: dict[str, str] = {}
    for site, sources in sites.items():
        copies = site_dir / site / "_sources"
        found |= _of_one_folder(
            {page: _originals(copies, source, named, head.top) for page, source in sources.items()},
            head,
        )
    return found


def _originals(
    copies: Path, source: str, named: Mapping[str, list[str]], top: Path
) -> dict[str, str]:
    """Return the files with the bytes of a source's copy, by the folder that `source` is in."""
    copy = next(filter(Path.is_file, (copies / f"{source}.txt", copies / source)), None)
    same_name = (
        path for path in named[posixpath.basename(source)] if f"/{path}".endswith(f"/{source}")
    )
    return {
        path.removesuffix(source): path for path in same_name if copy and _is_same(copy, top / path)
    }


def _is_same(copy: Path, file: Path) -> bool:
    try:
        return cmp(copy, file, shallow=False)
    except OSError:
        return False


def _of_one_folder(originals: Mapping[str, Mapping[str, str]], head: AtHead) -> dict[str, str]:
    counts = Counter(folder for folders in originals.values() for folder in folders)
    most = max(counts.values(), default=0)
    folders = [folder for folder, count in counts.items() if count == most]
    if len(folders) > 1:
        folders = [folder for folder in folders if f"{folder}conf.py" in head.files]
    if len(folders) != 1:
        return {}
    (folder,) = folders
    return {page: found[folder] for page, found in originals.items() if folder in found}
