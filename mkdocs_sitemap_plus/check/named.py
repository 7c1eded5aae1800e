"""Find the sitemaps that a person named."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.files import is_folder
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.copies import folder_of
from mkdocs_sitemap_plus.sitemap.open_sitemaps import FoundFile, find_sitemaps, sitemaps_in
from mkdocs_sitemap_plus.sitemap.versions import (
    Versions,
    VersionsError,
    current_versions,
    read_versions,
)
from mkdocs_sitemap_plus.wording import first_names


def named_sitemaps(where: str, options: Options) -> Sequence[FoundFile]:
    """Return the sitemaps of a path or URL."""
    if options.is_copy(where):
        where = options.where(where)
        return [FoundFile(where, copy=folder_of(where))]
    if not is_folder(where):
        try:
            found = find_sitemaps(where, options.web)
        except SitemapError as error:
            return [FoundFile(where, error=error)]
        names = [file.name for file in found]
        if names != [where]:
            options.note(f"{where}: checking {first_names(names)}.")
        return found
    paths = _in_folder(where)
    if not paths and (versions := _versions(where)):
        options.note(f"{where}: checking {first_names(versions)}.")
        paths = [path for version in versions for path in _in_folder(version) or [version]]
    return [FoundFile(path) for path in paths or [where]]


def _in_folder(folder: str) -> list[str]:
    """Return the paths of the sitemaps in a folder, without compressed copies."""
    names = sitemaps_in(folder)
    copies = {f"{name}.gz" for name in names}
    return [Path(folder, name).as_posix() for name in names if name not in copies]


def _versions(folder: str) -> list[str]:
    """Return the folders of mike's versions in a folder, without old ones that have no sitemap."""
    versions: Versions = {}
    with suppress(VersionsError):
        versions = read_versions(Path(folder)) or {}
    paths = {name: Path(folder, name).as_posix() for name in versions}
    current = current_versions(versions)
    return [path for name, path in paths.items() if name in current or _in_folder(path)]
