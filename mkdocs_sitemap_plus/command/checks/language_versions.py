"""Check the links between language versions, of one sitemap or of several."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mkdocs_sitemap_plus.command.checks.protocol_rules import has_link, hreflang_return
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile, Findings, by_url
from mkdocs_sitemap_plus.command.reader.find import common_folder
from mkdocs_sitemap_plus.files import is_folder
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT
from mkdocs_sitemap_plus.sitemap.urls import before_path, can_be_one_file, path_below, without_form
from mkdocs_sitemap_plus.wording import counted, listing


def check_language_versions(
    listed: Sequence[EntryInFile],
    findings: Findings,
    site: SiteFolder | None,
    in_all: Mapping[str, EntryInFile],
) -> None:
    """Check that all language versions exist and link to each other (Google, "localized versions").

    A language version that is not listed may be in another sitemap, since languages are often built
    one by one. So it is a finding only if the sitemap or the built site has other pages in the
    folder of this language. `listed` are the entries of one sitemap. If several sitemaps are
    checked, `in_all` has the entries of all of them, as `by_url` returns them.
    """
    if not any(entry.alternates for entry in listed):
        return
    pages = by_url(listed)
    unlisted: list[_Link] = []
    for key, page in pages.items():
        for other, codes in page.alternates.items():
            if other == key:
                continue
            version = pages.get(other) or in_all.get(other)
            if version is None:
                unlisted.append(_Link(page, other, codes))
            elif key not in version.alternates:
                if not has_link(version, key):  # in another form, the link is found below
                    reason = f"links to {version.loc}, which does not link back"
                    findings.add(hreflang_return, page.place, reason, page.loc)
            elif other_code := _other_code(codes, version, other):
                findings.add(hreflang_return, page.place, other_code, page.loc)
    if unlisted:
        unlisted = _in_another_form(unlisted, (*in_all, *pages), findings)
        _check_unlisted(unlisted, pages, in_all, findings, site)


class _Link(NamedTuple):
    page: EntryInFile
    url: str  # as `url_key` returns it
    codes: str


def _in_another_form(
    links: Iterable[_Link], listed: Iterable[str], findings: Findings
) -> list[_Link]:
    """Report the links whose URL is listed in another form, as one finding; return the others."""
    forms = {without_form(key): key for key in listed}
    found: list[tuple[_Link, str]] = []
    others: list[_Link] = []
    for link in links:
        as_listed = forms.get(without_form(link.url))
        if as_listed and can_be_one_file(as_listed, link.url):
            found.append((link, as_listed))
        else:
            others.append(link)
    if found:
        (page, url, _), as_listed = found[0]
        have = counted(len(found), "language link has", "language links have")
        more = f"; {have} another form than what is listed" if len(found) > 1 else ""
        reason = f"links to {url}, which is listed as {as_listed}{more}"
        fix = "Link each page by the URL that is listed."
        urls = [*dict.fromkeys(link.page.loc for link, _ in found)]
        findings.add(hreflang_return, page.place, reason, page.loc, fix, urls=urls)
    return others


def _check_unlisted(
    links: Sequence[_Link],
    pages: Mapping[str, EntryInFile],
    in_all: Mapping[str, EntryInFile],
    findings: Findings,
    site: SiteFolder | None,
) -> None:
    """Report links to what is not listed; those to languages of which nothing is are one note."""
    folders = _folders(pages)
    absent = Counter[str]()
    for page, other, codes in links:
        if before_path(other) == before_path(page.key):
            absent.update(codes.split())
        _check_link(page, other, folders, findings, site)
    if absent:
        known = pages.keys() | in_all.keys()
        all_links = (link for page in pages.values() for link in page.alternates.items())
        present = {code for other, codes in all_links if other in known for code in codes.split()}
        if unlisted := sorted(absent.keys() - present - {X_DEFAULT}):
            number = sum(absent[code] for code in unlisted)
            lead = counted(number, "language link leads", "language links lead")
            findings.note(f"{lead} to pages in {listing(unlisted)}, of which none is listed.")


def _other_code(codes: str, version: EntryInFile, key: str) -> str | None:
    """Return that a language version gives itself none of the codes of a link to it, as a clause.

    `key` is the `url_key` of the version. The code x-default says nothing of a language.
    """
    both = codes, version.alternates.get(key, "")
    if codes == both[1]:
        return None
    written, own = (set(text.split()) - {X_DEFAULT} for text in both)
    if not written or not own or written & own:
        return None
    as_written, as_own = listing(sorted(written)), listing(sorted(own))
    return f"links to {version.loc} as {as_written}, but this page calls itself {as_own}"


_Folders = Mapping[str, tuple[str, frozenset[str]]]


def _folders(urls: Iterable[str]) -> _Folders:
    """Return for each scheme and host the deepest folder that contains all of its URLs.

    The second value has the names of the subfolders of this folder that contain a URL. An empty
    name stands for a URL that is in no subfolder.
    """
    by_origin: dict[str, list[str]] = defaultdict(list)
    for url in urls:
        by_origin[before_path(url)].append(url)
    commons = {origin: common_folder(there) for origin, there in by_origin.items()}
    return {
        origin: (common, frozenset(_top(url, common) for url in by_origin[origin]))
        for origin, common in commons.items()
    }


def _top(url: str, folder: str) -> str:
    """Return the name of the first folder of a URL below `folder`; empty if there is none."""
    top, slash, _ = url.removeprefix(folder).partition("/")
    return top if slash else ""


def _check_link(
    page: EntryInFile, other: str, folders: _Folders, findings: Findings, site: SiteFolder | None
) -> None:
    """Report a link to a language version that is not listed, unless another build may have it."""
    common, names = folders.get(before_path(other), ("", frozenset()))
    rest = path_below(other, site.url) if site else None
    if site and rest is not None and site.file_of(other) is None:
        # Without a folder for the language, another build may publish it.
        if is_folder(site.folder / _top(rest, "")):
            reason = f"links to {other}, which has no file in the built site"
            findings.add(hreflang_return, page.place, reason, page.loc)
    # A page for x-default is often not listed, since it only redirects to a language.
    elif (
        page.alternates[other] != X_DEFAULT
        and other.startswith(common)
        and _top(other, common) in names
    ):
        reason = f"links to {other}, which is not in the sitemap"
        findings.add(hreflang_return, page.place, reason, page.loc)
