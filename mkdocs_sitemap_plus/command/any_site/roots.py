"""Whose docs folder has the sources of the pages below a URL, by what somebody stated.

A path alone proves nothing: languages that are built apart, a project below another one and the
blog of another builder have the same paths as the pages of this project.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.any_site.project import Project, read_project
from mkdocs_sitemap_plus.command.reader.find import common_folder
from mkdocs_sitemap_plus.command.reader.versions import (
    LIST,
    Versions,
    VersionsError,
    names_of,
    usable_versions,
    versions_of,
)
from mkdocs_sitemap_plus.files import absolute_path, real_path
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.gitdates.at_head import AtHead, at_head, content_at, subject_of_last
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.urls import within

_PROJECT_FILE = re.compile(r"(?:.*/)?[^/]*(?:mkdocs|properdocs|zensical)[^/]*\.(?:ya?ml|toml)")
_DEPLOYED = "refs/remotes/origin/gh-pages"
_MAX_LIST = 1 << 20  # bytes of a list of versions
_OF_MIKE = re.compile(r"Deployed ([0-9a-f]{7,64}) to ")  # the subject of a commit of mike


class Version(NamedTuple):
    """A version of a site, in a folder of its own."""

    url: str  # of the folder, with a slash at its end
    commit: str | None  # from which it was deployed, perhaps on another branch, as far as known


class Root(NamedTuple):
    """A folder on the web, and the project whose docs folder has its sources at the same paths."""

    url: str  # with a slash at its end
    project: Project | None  # None: several, and so nobody knows


def roots_of(project: Project, settings: Settings) -> Sequence[Root]:
    """Return the folders on the web of a project, and what is in them; the deepest first.

    They are its ``site_url``, those that ``alternates`` gives to its languages, and the
    ``site_url`` of other project files at HEAD that is below its own.
    """
    url = project.site.url
    own = [Root(url, project)] if url else []
    found = {root.url: root for root in (*_of_languages(project, settings), *own)}
    for root in _of_others(project, url) if url else ():
        known = found.setdefault(root.url, root)
        if _docs_dir(known) != _docs_dir(root):
            found[root.url] = known._replace(project=None)
    return sorted(found.values(), key=lambda root: len(root.url), reverse=True)


def _docs_dir(root: Root) -> Path | None:
    return real_path(root.project.site.docs_dir) if root.project else None


def _of_languages(project: Project, settings: Settings) -> Iterator[Root]:
    site, languages = project.site, settings.alternates
    for language in languages if isinstance(languages, tuple) else ():
        docs_dir = absolute_path(site.root / language.docs_dir)
        yield Root(
            language.url,
            project._replace(site=replace(site, url=language.url, docs_dir=docs_dir)),
        )


def _of_others(project: Project, url: str) -> Iterator[Root]:
    read, own = at_head(project.site.root), real_path(project.file)
    if not isinstance(read, AtHead):
        return
    for path in sorted(read.files):
        if _PROJECT_FILE.fullmatch(path) and real_path(read.top / path) != own:
            with suppress(SitemapError):
                other = read_project(read.top / path)
                below = other.site.url
                if below and below != url and within(below, url):
                    yield Root(below, other)


def version_of(project: Project, urls: Collection[str], folder: Path | None) -> Version | None:
    """Return the version of which these are all URLs; None if nothing says that it is one.

    That does a ``versions.json`` beside the `folder` of the sitemap, or at the top of the branch
    that mike deployed, if it names the first folder below ``site_url`` that all URLs share. Without
    either, the project file does if it has mike.
    """
    base, shared = project.site.url, common_folder(urls) if urls else ""
    if not base or not shared.startswith(base) or shared == base:
        return None
    name = shared.removeprefix(base).partition("/")[0]
    versions = (folder and usable_versions(folder.parent)) or _deployed(project.site.root)
    is_stated = name in names_of(versions) if versions else project.has_versions
    if not is_stated:
        return None
    own = next((each for each, aliases in (versions or {}).items() if name in aliases), name)
    deployed = _OF_MIKE.match(subject_of_last(project.site.root, _DEPLOYED, own))
    return Version(f"{base}{name}/", deployed[1] if deployed else None)


def _deployed(root: Path) -> Versions | None:
    with suppress(VersionsError):
        listed = content_at(root, _DEPLOYED, LIST, _MAX_LIST)
        return versions_of(listed) if listed else None
    return None
