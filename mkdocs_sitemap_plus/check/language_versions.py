"""Check the links between language versions, of one sitemap or of several."""

from collections.abc import Iterable, Mapping, Sequence
from os.path import commonprefix

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.check.site_folder import SiteFolder
from mkdocs_sitemap_plus.files import is_folder
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT
from mkdocs_sitemap_plus.sitemap.urls import before_path, path_below, url_key
from mkdocs_sitemap_plus.wording import listing


def by_url(listed: Iterable[Listed]) -> dict[str, Listed]:
    """Return the entries by `url_key`. Of several entries with the same URL, the first counts."""
    pages: dict[str, Listed] = {}
    for entry in listed:
        pages.setdefault(url_key(entry.loc), entry)
    return pages


def check_language_versions(
    listed: Sequence[Listed],
    findings: Findings,
    site: SiteFolder | None,
    in_all: Mapping[str, Listed],
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
    folders = _folders(pages)
    for key, page in pages.items():
        for other in sorted(page.alternates.keys() - {key}):
            version = pages.get(other) or in_all.get(other)
            if version is None:
                _check_unlisted(page, other, folders, findings, site)
            elif key not in version.alternates:
                reason = f"links to {version.loc}, which does not link back"
                findings.add(CheckCode.HREFLANG_RETURN, page.place, reason, page.loc)
            elif other_code := _other_code(page.alternates[other], version, other):
                findings.add(CheckCode.HREFLANG_RETURN, page.place, other_code, page.loc)


def _other_code(codes: str, version: Listed, key: str) -> str | None:
    """Return that a language version gives itself none of the codes of a link to it, as a clause.

    `key` is the `url_key` of the version. The code x-default says nothing of a language.
    """
    both = codes, version.alternates.get(key, "")
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
    by_origin: dict[str, list[str]] = {}
    for url in urls:
        by_origin.setdefault(before_path(url), []).append(url)
    found = {}
    for origin, urls_there in by_origin.items():
        common = commonprefix(urls_there)  # noqa: RUF071 - cut at its last slash below
        common = common[: common.rfind("/") + 1]
        found[origin] = (common, frozenset(_top(url, common) for url in urls_there))
    return found


def _top(url: str, folder: str) -> str:
    """Return the name of the first folder of a URL below `folder`; empty if there is none."""
    top, slash, _ = url.removeprefix(folder).partition("/")
    return top if slash else ""


def _check_unlisted(
    page: Listed, other: str, folders: _Folders, findings: Findings, site: SiteFolder | None
) -> None:
    """Report a link to a language version that is not listed, unless another build may have it."""
    common, names = folders.get(before_path(other), ("", frozenset()))
    rest = path_below(other, site.url) if site else None
    if site and rest is not None and site.file_of(other) is None:
        # Without a folder for the language, another build may publish it.
        if is_folder(site.folder / _top(rest, "")):
            reason = f"links to {other}, which has no file in the built site"
            findings.add(CheckCode.ALTERNATE_ABSENT, page.place, reason, page.loc)
    # A page for x-default is often not listed, since it only redirects to a language.
    elif (
        page.alternates[other] != X_DEFAULT
        and other.startswith(common)
        and _top(other, common) in names
    ):
        reason = f"links to {other}, which is not in the sitemap"
        findings.add(CheckCode.HREFLANG_UNLISTED, page.place, reason, page.loc)
