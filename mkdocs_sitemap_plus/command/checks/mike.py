"""What is wrong with versions that mike deployed: folders beside each other, and a list of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.command.checks import page_rules as rules
from mkdocs_sitemap_plus.command.checks.protocol_rules import loc_outside
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile, Findings
from mkdocs_sitemap_plus.command.reader.versions import (
    LIST,
    names_of,
    usable_versions,
    version_in_version,
)
from mkdocs_sitemap_plus.files import absolute_path, is_folder, path_from
from mkdocs_sitemap_plus.html.page_says import read_built_page
from mkdocs_sitemap_plus.html.site_folder import SiteFolder, served_file
from mkdocs_sitemap_plus.sitemap.urls import (
    origin_url,
    other_host,
    quote_path,
    unquote_path,
    within,
)
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import format_value, listing


def is_version(folder: Path) -> bool:
    """Return whether the list beside a folder names it."""
    folder = absolute_path(folder)
    return folder.name in names_of(usable_versions(folder.parent))


def check_version(site: SiteFolder, listed: Sequence[EntryInFile], findings: Findings) -> None:
    """Report that the URLs of a version can't exist, or are those of another version."""
    site = SiteFolder(absolute_path(site.folder), site.url)
    _check_nested(site, listed, findings)
    versions = usable_versions(site.folder.parent)
    name = unquote_path(site.url.rstrip("/").rpartition("/")[2])
    own = next(
        (each for v, more in versions.items() if site.folder.name in (each := (v, *more))), ()
    )
    if name == site.folder.name or not own:
        return
    if name in own:
        _check_alias(site.folder.with_name(name), site.url, listed, findings)
    elif name in names_of(versions):
        _check_other_version(site, name, listed, findings)


def _check_nested(site: SiteFolder, listed: Sequence[EntryInFile], findings: Findings) -> None:
    """Report versions whose URLs can't exist, each at its first sitemap."""
    sitemaps = {site.folder: listed[0].file}
    for name in dict.fromkeys(entry.file for entry in listed):
        folder = absolute_path(name).parent
        if folder.is_relative_to(site.folder):
            sitemaps.setdefault(folder, name)
    for folder, name in sitemaps.items():
        if wrong := version_in_version(folder, site.url_of(folder / "index.html")):
            findings.add(rules.page_absent, sitemap_place(name), wrong[0], fix=wrong[1])


def _check_alias(alias: Path, url: str, listed: Sequence[EntryInFile], findings: Findings) -> None:
    """Report that the URLs of a version are those of an alias that is made of redirects."""
    for entry in listed:
        file = served_file(alias, url, entry.loc)
        says = read_built_page(file) if file else None
        if says and says.leads_elsewhere(entry.loc):
            clause = f"begins with {url}, whose pages redirect to {format_value(says.redirect)}"
            fix = "Deploy with mike's `alias_type: copy`, or set canonical_version to a version."
            findings.add(rules.redirect, entry.place, clause, entry.loc, fix)
            return


def _check_other_version(
    site: SiteFolder, name: str, listed: Sequence[EntryInFile], findings: Findings
) -> None:
    """Report that a version lists the URLs of another one, and those that this one has not.

    Of its URL, the first is known without a built folder, and the second if pages are requested.
    """
    above = site.url.rstrip("/").rpartition("/")[0]
    others = ", nor is any other entry" if len(listed) > 1 else ""
    clause = f"is not below {above}/{quote_path(site.folder.name)}/{others}"
    fix = f"Do not submit this sitemap. Its pages are in that of {name}, as far as they are there."
    findings.add(loc_outside, listed[0].place, clause, listed[0].loc, fix)
    other = site.folder.with_name(name)
    if is_folder(other):
        for entry in listed:
            if within(entry.loc, site.url) and not served_file(other, site.url, entry.loc):
                clause = f"has no file in {path_from(Path.cwd(), other)}"
                findings.add(rules.page_absent, entry.place, clause, entry.loc)


def check_hosts(sites: Iterable[tuple[SiteFolder, Findings]]) -> None:
    """Report versions that were built for another host than others, or than ``CNAME`` names.

    Which host is the right one, nobody guesses.
    """
    beside: dict[Path, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    first: dict[Path, Findings] = {}
    for site, findings in sites:
        folder = absolute_path(site.folder)
        if (host := origin_url(site.url)) and is_version(folder):
            beside[folder.parent][host].append(folder.name)
            first.setdefault(folder.parent, findings)
    for top, hosts in beside.items():
        named = next(filter(None, (other_host(top, host) for host in hosts)), None)
        if len(hosts) == 1 and not named:
            continue
        built = [f"{host} ({listing(names)})" for host, names in hosts.items()]
        clause = f"has versions that were built for {listing(built)}"
        clause += f", but CNAME names {format_value(named)}" if named else ""
        fix = (
            "Build those of another host again, with the `site_url` that the site has now, and "
            "deploy them."
        )
        place = sitemap_place(path_from(Path.cwd(), top / LIST))
        first[top].add(loc_outside, place, clause, fix=fix)
