"""Check the links between the language versions of a page (Google, "localized versions")."""

from collections.abc import Iterable, Mapping, Sequence
from os.path import commonprefix

from mkdocs_sitemap_plus.files import is_folder
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang, suggest_hreflang
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.render import XHTML
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.sitemap.values import SPACE, url_fault
from mkdocs_sitemap_plus.tools.checks import Findings, Listed, Report
from mkdocs_sitemap_plus.tools.checks.site_files import BuiltSite
from mkdocs_sitemap_plus.wording import format_value


def targets(links: Iterable[tuple[str, str]]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the `url_key` of all links (code, URL) of an entry, and of those besides x-default."""
    pairs = [(code.lower(), url_key(href)) for code, href in links]
    found = frozenset(href for _, href in pairs)
    languages = frozenset(href for code, href in pairs if code != X_DEFAULT)
    return found, found if found == languages else languages  # most are equal: that saves memory


def targets_of(url: RawElement) -> tuple[frozenset[str], frozenset[str]]:
    """Return the `targets` of the language links of an element."""
    return targets(
        (code, href.strip(SPACE))
        for link in _links(url)
        if (code := link.attribute("hreflang")) and (href := link.attribute("href"))
    )


def _links(url: RawElement) -> tuple[RawElement, ...]:
    """Return the language links of an entry. A link with ``media`` is for a mobile page."""
    return tuple(
        link
        for link in url.all(XHTML, "link")
        if link.attribute("rel") == "alternate" and link.attribute("media") is None
    )


def check_links(url: RawElement, alternates: frozenset[str], report: Report) -> None:
    """Report what is wrong with the language links of one entry; see `targets_of`."""
    for link in url.all(XHTML, "link"):
        if link.attribute("rel") is None:
            report.add("hreflang-link", link, "has no rel")
    found = _links(url)
    codes: set[str] = set()
    for link in found:
        code, href = link.attribute("hreflang"), link.attribute("href")
        if not code or not href:
            report.add("hreflang-link", link, f"has no {'href' if code else 'hreflang'}")
            continue
        shown = format_value(code)
        known = hreflang(code)
        if known is None or "_" in code:
            suggestion = known or suggest_hreflang(code)
            hint = f" (perhaps {suggestion})" if suggestion else ""
            expected = f"a language code such as de, pt-BR or zh-Hant{hint}"
            clause = f"has the hreflang {shown}, but must have {expected}"
            report.add("hreflang-code", link, clause)
        if fault := url_fault(href):
            report.add("hreflang-url", link, f"for {shown} {fault}")
        if code.lower() in codes:
            report.add("hreflang-twice", link, f"has the hreflang {shown} a second time")
        codes.add(code.lower())
    if found and report.loc and url_key(report.loc) not in alternates:
        report.add("hreflang-self", url, "has language links, but none to the page itself")


def check_versions(listed: Sequence[Listed], findings: Findings, site: BuiltSite | None) -> None:
    """Check that all language versions exist and link to each other.

    A version that is not listed may be in another sitemap, since languages are often built one by
    one. So it is a finding only if the sitemap or the built site has other pages in the folder of
    this version. `listed` are the entries of all sitemaps.
    """
    if not any(each.alternates for each in listed):
        return
    pages: dict[str, Listed] = {}
    for each in listed:
        pages.setdefault(url_key(each.loc), each)
    folders = _folders(pages)
    for own, page in pages.items():
        for other in sorted(page.alternates - {own}):
            there = pages.get(other)
            if there is None:
                _check_unlisted(page, other, folders, findings, site)
            elif own not in there.alternates:
                reason = f"links to {there.loc}, which does not link back"
                findings.add("hreflang-return", page.place, reason, page.loc)


_Folders = Mapping[str, tuple[str, frozenset[str]]]


def _folders(urls: Iterable[str]) -> _Folders:
    """Return the folders of a sitemap's URLs, by scheme and host.

    The first value is the deepest folder with all URLs of a host; the second are the names of the
    folders in it that contain a URL, or an empty name for the deepest folder itself.
    """
    by_origin: dict[str, list[str]] = {}
    for url in urls:
        by_origin.setdefault(_origin(url), []).append(url)
    found = {}
    for origin, some in by_origin.items():
        common = commonprefix((min(some), max(some)))  # noqa: RUF071 - cut at its last slash below
        common = common[: common.rfind("/") + 1]
        found[origin] = (common, frozenset(_top(url, common) for url in some))
    return found


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


def _top(url: str, folder: str) -> str:
    """Return the name of the first folder of a URL below `folder`; empty if there is none."""
    top, slash, _ = url.removeprefix(folder).partition("/")
    return top if slash else ""


def _check_unlisted(
    page: Listed, other: str, folders: _Folders, findings: Findings, site: BuiltSite | None
) -> None:
    common, names = folders.get(_origin(other), ("", frozenset()))
    rest = site.below(other) if site else None
    if site and rest is not None and site.file_of(other) is None:
        if is_folder(site.folder / _top(rest, "")):
            reason = f"links to {other}, which has no file in {site.folder.as_posix()}"
            findings.add("alternate-absent", page.place, reason, page.loc)
    # An x-default is often a page that redirects by language, and is not listed.
    elif other in page.languages and other.startswith(common) and _top(other, common) in names:
        reason = f"links to {other}, which is not in the sitemap"
        findings.add("hreflang-unlisted", page.place, reason, page.loc)
