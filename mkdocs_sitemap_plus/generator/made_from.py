"""Which file is a page made from? The evidence for it, and the files to which edit links lead.

`Evidence` lists what counts, the surest first. Who asks has different evidence, on purpose:

- The plugin has MkDocs' own word for it, and for generated pages edit links. It reads no HTML, so
  it keeps all possible files in their order, and the first that git tracks counts.
- `build` in a project has the paths of MkDocs (`mkdocs_layout`). The rest as for other builders.
- `build` of another builder's folder has the built HTML and git's HEAD (`page_sources`).
- `check` has the URLs of a sitemap, and what the last build told of them: two files are none.

A wrong source gives a wrong date, and a missing one only none. So where two answers are possible, a
page has no source, and the reason is kept.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from mkdocs_sitemap_plus.files import path_from, real_path
from mkdocs_sitemap_plus.gitdates.at_head import AtHead
from mkdocs_sitemap_plus.sitemap.urls import unquote_path

_FILE = re.compile(
    r"/(?P<repository>[^/]+/.+?)/(?:-/)?(?P<verb>_?edit|blob|tree|src)/"
    r"(?:(?:branch|tag|commit)/(?=.))?(?P<path>.+)"
)
_IDE = re.compile(r"/-/ide/project/(?P<repository>.+?)/(?P<verb>edit)/(?P<ref>.+?)/-/(?P<path>.+)")


class FileLink(NamedTuple):
    """Where a URL leads to. Paths are unquoted, as git keeps them."""

    edits: bool  # whether it opens the file in an editor, and does not only show it
    repository: str  # as from `repository_key`
    path: str  # the branch, tag or commit, and the file behind it
    markup: tuple[str, ...] = ()  # what the links of a theme share, and links in a text do not
    says_edit: bool = False  # whether its class, ID or rel does


def file_link(url: str) -> FileLink | None:
    """Return what an absolute URL leads to if it is a file of a repository; otherwise None.

    It has the form ``REPOSITORY/VERB/REF/PATH``, in a spelling of each host:

    - GitHub: ``owner/name/edit/main/docs/a.md``
    - GitLab: ``group/name/-/edit/main/docs/a.md``,
      ``-/ide/project/group/name/edit/main/-/docs/a.md``
    - Gitea, Forgejo: ``owner/name/_edit/main/docs/a.md``, ``owner/name/src/branch/main/docs/a.md``
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    address = re.sub("//+", "/", parts.path)
    found = (_IDE.match(address) or _FILE.match(address)) if host else None
    if found is None or parts.scheme not in ("http", "https", ""):
        return None
    path = f"{found['ref']}/{found['path']}" if found.re is _IDE else found["path"]
    path = posixpath.normpath(unquote_path(path).strip("/"))
    if path.startswith("../") or "\0" in path:
        return None
    edits = found["verb"].endswith("edit") or "mode=edit" in parts.query  # the latter at Bitbucket
    return FileLink(edits, repository_key(unquote_path(found["repository"])), path)


def repository_key(path: str) -> str:
    """Return the path of a repository on its host, in one spelling for its links and its remotes.

    It is owner and name, in lower case.
    """
    return path.strip("/").removesuffix(".git").casefold()


class EditLinks:
    """The links to edit pages, as the options of a project make them."""

    def __init__(
        self, docs_dir: str, repo_url: str | None, edit_uri: str | None, template: str | None = None
    ) -> None:
        """Read nothing yet. `template` is ``edit_uri_template``."""
        self._docs_dir, self._repo_url = docs_dir, repo_url
        self._edit_uri, self._template = edit_uri, template

    def _joined(self, uri: str) -> str:
        """Return an edit link as MkDocs makes it."""
        repository = self._repo_url
        if repository and not uri.startswith(("?", "#")):
            repository = f"{repository.removesuffix('/')}/"
        return urljoin(repository or "", uri)

    @property
    def repository(self) -> Iterator[str]:
        """What the options call the repository, as from `repository_key`; nothing without them.

        A clone of a fork has another remote.
        """
        with suppress(ValueError):
            if path := urlsplit(self._repo_url or "").path.strip("/"):
                yield repository_key(path)

    def files(self, edit_url: str) -> Iterator[str]:
        """Yield the files to which an edit link may lead, by its path from the docs folder."""
        template = self._template  # mkdocs-gen-files uses `edit_uri` even if this is set
        uris = (template.format(path="", path_noext="") if template else None, self._edit_uri)
        for uri in filter(None, uris):
            relative = _path_between(edit_url, self._joined(uri))
            if relative and "\0" not in relative:
                yield os.path.abspath(os.path.join(self._docs_dir, relative))  # noqa: PTH100, PTH118 - strings are compared faster

    def refs(self, top: Path) -> Iterator[str]:
        """Yield what stands before the docs folder in the options, if that is a branch or a tag.

        MkDocs' default says ``master``, whatever the branch is called that is built.
        """
        template = self._template or f"{self._edit_uri or ''}{{path}}"
        link = file_link(self._joined(template.format(path="page", path_noext="page")))
        ending = f"/{path_from(top, real_path(Path(self._docs_dir)) / 'page')}"
        if link and link.path.endswith(ending):
            yield link.path.removesuffix(ending)


def _path_between(edit_url: str, base: str) -> str | None:
    if edit_url.startswith(base):
        return unquote(edit_url.removeprefix(base))
    try:
        start, end = urlsplit(base), urlsplit(edit_url)
    except ValueError:  # a plugin or hook set an invalid URL
        return None
    is_same_site = (start.scheme, start.netloc) == (end.scheme, end.netloc)
    if start.query or start.fragment or not is_same_site:
        return None
    return unquote(posixpath.relpath(end.path or "/", start.path or "/"))


class Head(NamedTuple):
    """What the repository of the sources holds at HEAD."""

    top: Path  # the top folder of its work tree, without symbolic links
    names: Collection[str]  # as from `repository_key`; empty if it has no remote on a host
    refs: Collection[str]  # the id of HEAD, the branches and tags at it, and that of `edit_uri`
    files: Mapping[str, str]  # blobs by paths, which are relative to the top, with ``/``

    @classmethod
    def of(cls, read: AtHead, links: EditLinks) -> "Head":
        """Return what this room needs to know of a repository, whose pages have such links."""
        names = {*map(repository_key, read.remotes)}
        names |= {*links.repository} if names else set()
        return cls(read.top, names, {*read.refs, *links.refs(read.top)}, read.files)

    def is_of_repository(self, link: FileLink) -> bool:
        """Return whether a link leads into this repository; without a remote, each does."""
        return not self.names or link.repository in self.names

    def file_of(self, link: FileLink) -> str | None:
        """Return the file at HEAD to which a link leads; None if there is none.

        A branch may have slashes in its name.
        """
        for ref in ("HEAD", *self.refs) if self.is_of_repository(link) else ():
            path = link.path.removeprefix(f"{ref}/")
            if path != link.path and path in self.files:
                return path
        return None


def linked_files(urls: Mapping[str, str], head: Head) -> Mapping[str, Path]:
    """Return the file at HEAD to which the edit link of each page leads, by its own form.

    Pages that share a file are left out.
    """
    links = ((page, file_link(url)) for page, url in urls.items())
    found = {page: path for page, link in links if link and (path := head.file_of(link))}
    pages = Counter(found.values())
    return {page: head.top / path for page, path in found.items() if pages[path] == 1}
