"""Versions of a site, as mike deploys them: in folders beside each other, with a list of them."""

import json
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.files import Unreadable, absolute_path, is_file, read_file
from mkdocs_sitemap_plus.sitemap.urls import unquote_path

LIST = "versions.json"
_MAX_NAME = 255  # bytes of a folder's name
_OTHER_FORM = "does not have the form that mike writes"

Versions = Mapping[str, Sequence[str]]  # versions, the newest first, each with its aliases


def read_versions(folder: Path) -> Versions | None:
    """Return mike's versions in a folder; None without mike. Raises Unreadable."""
    path = folder / LIST
    return versions_of(read_file(path)) if is_file(path) else None


def usable_versions(folder: Path) -> Versions:
    """Return the versions that mike deployed into a folder; none if their list can't be used."""
    with suppress(Unreadable):
        return read_versions(folder) or {}
    return {}


def versions_of(data: bytes) -> Versions:
    """Return the versions in a list of mike. Raises Unreadable."""
    try:
        listed = _list(json.loads(data))
        versions = {
            version["version"]: tuple(_list(version.get("aliases", []))) for version in listed
        }
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        raise Unreadable(_OTHER_FORM) from error
    names = [name for version, aliases in versions.items() for name in (version, *aliases)]
    if not all(isinstance(name, str) and _is_name(name) for name in names):
        raise Unreadable("lists a name that can't be the name of a folder")
    return versions


def current_versions(versions: Versions) -> frozenset[str]:
    """Return the newest version, and those with an alias. Others may never be built again."""
    return frozenset(name for at, name in enumerate(versions) if not at or versions[name])


def names_of(versions: Versions) -> frozenset[str]:
    """Return the names of the folders of versions: their own ones, and their aliases."""
    return frozenset(name for each, aliases in versions.items() for name in (each, *aliases))


def _list(value: object) -> list[Any]:
    """Return a value if it is a list. Raises TypeError if it is not."""
    if isinstance(value, list):
        return value
    raise TypeError


def _is_name(name: str) -> bool:
    # JSON can contain halves of surrogate pairs, which are not printable and can't be encoded.
    fits = name.isprintable() and len(name.encode()) <= _MAX_NAME
    return fits and name not in ("", ".", "..") and not set(name) & set("/\\:")


def version_in_version(folder: Path, url: str) -> tuple[str, str] | None:
    """Say why a version of mike can't have a URL, or return None.

    `url` is that of the version's `folder`, by its sitemap. If it ends in the names of two versions
    or aliases, it is wrong: these are folders beside each other. The values are a clause, and a
    sentence with what to do.
    """
    folder = absolute_path(folder)
    names = names_of(usable_versions(folder.parent))
    above = _before_names(url, names)
    if folder.name not in names or above is None:
        return None
    *_, outer, inner = _segments(url)
    beside = f"{outer} and {inner} beside" if outer != inner else "all versions beside"
    found = f"its URLs begin with {url}, but mike deploys {beside} each other, so no page is there"
    return found, (
        f"Set site_url to {above}, to which mike adds the version, and deploy it again. "
        "For one canonical version, use mike's option canonical_version."
    )


def _before_names(url: str, names: Container[str]) -> str | None:
    """Return a folder's URL without the names at its end; None if these are less than two."""
    segments = _segments(url)
    kept = len(segments)
    while kept and segments[kept - 1] in names:
        kept -= 1
    if len(segments) - kept < 2:
        return None
    return "/".join(url.split("/")[: 3 + kept]) + "/"


def _segments(url: str) -> list[str]:
    return [unquote_path(name) for name in urlsplit(url).path.split("/")[1:-1]]
