"""Read the links of a built page that lead to a file of a repository, such as "Edit this page".

They have the form ``REPOSITORY/VERB/REF/PATH``, in a spelling of each host:

- GitHub, GitLab: ``owner/name/edit/main/docs/a.md``, ``group/name/-/edit/…``, ``-/ide/project/…``
- Gitea, Forgejo: ``owner/name/_edit/main/docs/a.md``, ``owner/name/src/branch/main/docs/a.md``
- Bitbucket: ``owner/name/src/main/docs/a.md?mode=edit``, ``projects/X/repos/Y/browse/a.md?at=main``
- Azure: ``org/project/_git/name?path=/docs/a.md&version=GBmain``
- sourcehut: ``~owner/name/tree/main/item/docs/a.md``
"""

import posixpath
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import unquote_path
from mkdocs_sitemap_plus.web.built_html import attributes_of, language_of
from mkdocs_sitemap_plus.web.tags import find_links

_MOST = 100  # links of a page that are read; a page with more is a list of files
_VERBS = r"(?P<verb>_?edit|blob|tree|src|browse)"
_IDE = re.compile(rf"/-/ide/project/(?P<repository>[^/].*?)/{_VERBS}/(?P<rest>.+)")
_GITLAB = re.compile(rf"/(?P<repository>[^/].*?)/-/{_VERBS}/(?P<rest>.+)")
_OTHER = re.compile(rf"/(?P<repository>[^/]+/.+?)/{_VERBS}/(?P<rest>.+)")
_LINES = re.compile(r"L\d|lines-\d")  # the fragment of a link to lines of code
_KIND_OF_REF = re.compile(r"(?:branch|tag|commit)/(?=.)")
_START = 1 << 12  # bytes of a page in which its language is looked for
_BEFORE = re.compile(rb"(/?[A-Za-z][^ \t\n\f\r/>]*|!--)?[^>]*>?\s*")


class FileLink(NamedTuple):
    """A link to a file of a repository. Paths are unquoted, as git keeps them."""

    edits: bool  # whether it opens the file in an editor, and does not only show it
    host: str
    repository: str  # as from `repository_key`
    path: str  # of the file, behind the name of the branch or tag unless `ref` has that
    ref: str | None  # the branch, tag or commit; empty: the default branch; None: it begins `path`
    markup: tuple[str, ...]  # what the links of a theme share, and links in a text do not


class PageLinks(NamedTuple):
    """What a built page says of the file that it is made from."""

    links: tuple[FileLink, ...] = ()
    copied_from: tuple[str, str] | None = None  # Sphinx: where its site lies, and the page's source
    language: str = ""  # of ``<html lang>``, in lower case
    html_hash: int | None = None  # the same for copies of a page


class LinkedPage(NamedTuple):
    """A page whose source is wanted."""

    dest_uri: str  # the path in the built site
    loc: str  # its URL; two files with the same URL are one page
    links: PageLinks


def read_links(html: bytes, dest_uri: str) -> PageLinks:
    """Return the links of a page in UTF-8. `dest_uri` is its path in the built site, with ``/``."""
    links: dict[FileLink, None] = {}
    copied_from = None
    language = language_of(html[:_START].decode("utf-8", "replace")).lower().replace("_", "-")
    for found, start in find_links(html):
        attributes = attributes_of(found.decode("utf-8", "replace"))
        href = attributes.get("href", "").strip()
        if len(href) > MAX_LOC_LENGTH:
            continue
        if "_sources/" in href:
            copied_from = copied_from or _copied_from(href, dest_uri)
        elif len(links) <= _MOST and (link := file_link(href)):
            rel = attributes.get("rel", "").lower().split()
            markup = _markup(attributes, html, start)
            links[link._replace(edits=link.edits or "edit" in rel, markup=markup)] = None
    is_list = len(links) > _MOST
    return PageLinks(() if is_list else tuple(links), copied_from, language, hash(html))


@lru_cache(maxsize=256)  # the links of a theme's footer are on each page
def file_link(href: str) -> FileLink | None:
    """Return what an absolute URL leads to if it is a file of a repository; otherwise None."""
    try:
        parts = urlsplit(href)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in ("http", "https", "") or not host or _LINES.match(parts.fragment):
        return None
    query = parse_qs(parts.query) if parts.query else {}
    if "/_git/" in parts.path:
        return _of_azure(host, parts.path, query)
    url = re.sub("//+", "/", parts.path)
    found = _IDE.match(url) or _GITLAB.match(url) or _OTHER.match(url)
    if found is None:
        return None
    verb, path, ref = found["verb"], unquote_path(found["rest"]), None
    if verb == "browse":
        ref = re.sub("^refs/(?:heads|tags)/", "", query.get("at", [""])[0])
    elif found.re is _IDE and "/-/" in path:
        ref, _, path = path.partition("/-/")
    elif verb == "tree" and "/item/" in path and found["repository"].startswith("~"):
        ref, _, path = path.partition("/item/")
    elif verb == "src":
        path = _KIND_OF_REF.sub("", path, count=1)
    edits = verb.endswith("edit") or query.get("mode") == ["edit"]
    return _link(host, unquote_path(found["repository"]), path, ref, edits=edits)


def _of_azure(host: str, path: str, query: Mapping[str, list[str]]) -> FileLink | None:
    version = query.get("version", [""])[0]
    file = query.get("path", [""])[0]
    if not file.startswith("/"):
        return None
    ref = version[2:] if version[:2] in ("GB", "GT", "GC") else ""
    return _link(host, unquote_path(path), file, ref)


def _link(
    host: str, repository: str, path: str, ref: str | None, *, edits: bool = False
) -> FileLink | None:
    path = posixpath.normpath(path.strip("/"))
    if path.startswith("../") or path in (".", "..") or "\0" in path:
        return None
    return FileLink(edits, host.lower(), repository_key(repository), path, ref, ())


def repository_key(path: str) -> str:
    """Return the path of a repository on its host, in one spelling for its links and its remotes.

    It is owner and name, in lower case; for a repository of a project, also the project.
    """
    path = path.strip("/").removesuffix(".git").casefold()
    path = re.sub(r"^projects/([^/]+)/repos/", r"\1/", path)  # Bitbucket on a server of one's own
    return path.removeprefix("scm/").removeprefix("v3/").replace("/_git/", "/")


def _markup(attributes: Mapping[str, str], html: bytes, start: int) -> tuple[str, ...]:
    """Return the names of a link's attributes, its classes, the tag before it, and if text is."""
    before = html[max(0, start - 300) : start]
    tag = before[before.rfind(b"<") + 1 :] if b"<" in before else b""
    found = _BEFORE.match(tag)
    name = (found[1] or b"").decode("utf-8", "replace") if found else ""
    after_text = "" if found and found.end() == len(tag) else "text"
    names = " ".join(sorted(attributes))
    return names, attributes.get("class", ""), attributes.get("rel", ""), name.lower(), after_text


def _copied_from(href: str, dest_uri: str) -> tuple[str, str] | None:
    """Return where a Sphinx site lies in the built site, and the source of this page of it.

    Sphinx copies the source ``guide/a.rst`` of the page ``guide/a.html`` to
    ``_sources/guide/a.rst.txt``. A link to the source of another page is None.
    """
    folder = posixpath.dirname(dest_uri)
    path = posixpath.normpath(posixpath.join(folder, unquote_path(href.partition("?")[0])))
    above, found, copied = f"/{path}".rpartition("/_sources/")
    site = f"{above[1:]}/" if above else ""
    if not found or not dest_uri.startswith(site):
        return None
    source = copied.removesuffix(".txt")
    if not posixpath.splitext(source)[1]:  # Sphinx adds no second .txt
        source = copied
    stem, page = posixpath.splitext(source)[0], dest_uri.removeprefix(site)
    return (site, source) if page in (f"{stem}.html", f"{stem}/index.html") else None
