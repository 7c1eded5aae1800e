"""Generate the sitemap of a built site: decide what it has, then write it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.options.settings import Settings, Split
from mkdocs_sitemap_plus.output.robots import name_in_robots
from mkdocs_sitemap_plus.output.write import (
    fingerprint,
    remove_files,
    repack,
    write_beside,
    write_files,
)
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.pipeline.theme import split_for_theme, theme_problems
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.render import STYLESHEET, stylesheet
from mkdocs_sitemap_plus.sitemap.split import Layout, files, index_name
from mkdocs_sitemap_plus.sitemap.urls import DEFAULT_PORTS, loc_fault, read_url, within
from mkdocs_sitemap_plus.wording import counted, format_value


def _no_progress(doing: str) -> None:
    """Show nothing."""


def generate(
    site: Site,
    settings: Settings,
    history: History,
    now: datetime,
    progress: Callable[[str], None] = _no_progress,
) -> Outcome:
    """Decide on every page of `site` and write its sitemap, in as many files as it takes.

    Args:
        site: the built site.
        settings: the options.
        history: the repositories.
        now: the clock, aware; only dates in the future are compared with it.
        progress: is called before each part that may take long, with what is done in a few words.

    Raises:
        SitemapError: an option says that the build must stop, or a file can't be written.
    """
    url_problem = site_url_problem(site)
    problems = [url_problem] if url_problem else []
    if site_url_fault(site.url):
        return Outcome(site=site, decisions=(), problems=tuple(problems))
    progress(f"dating {counted(len(site.pages), 'page')}")
    outcome = decide(site, settings, history, now)
    problems += outcome.problems
    listed, others = split_for_theme(outcome, settings.filename)
    if not listed and not others:
        remove_files(site.site_dir, settings.filename)
        return replace(outcome, problems=(*problems, _empty(settings.filename)))
    layout, layout_problems = _layout(site, settings)
    progress(f"writing {counted(len(listed) + len(others), 'URL')}")
    if settings.stylesheet:
        write_beside(site.site_dir, STYLESHEET, stylesheet())
    content = files(_entries(listed), layout, _entries(others))
    written = write_files(site.site_dir, content, settings.filename)
    problems += [*layout_problems, *theme_problems(site, layout, others, written)]
    if settings.robots_txt:
        index = index_name(settings.filename)
        first = index if index in written else settings.filename
        problems += filter(None, [name_in_robots(site, first)])
    return replace(outcome, files=written, problems=tuple(problems))


def _entries(decisions: Iterable[Decision]) -> list[UrlEntry]:
    return [decision.entry for decision in decisions if decision.entry]


def _layout(site: Site, settings: Settings) -> tuple[Layout, list[Problem]]:
    """Return how the sitemap is split into files, and what is wrong with ``extra_sitemaps``.

    Our own sitemap is listed in any case. Other sitemaps are listed once, in the order written.
    """
    base = site.url or ""
    others: dict[str, None] = {}
    problems = []
    for number, raw in enumerate(settings.extra_sitemaps):
        key = f"extra_sitemaps[{number}]"
        place = Place(origin=Origin.OPTION, file=site.project_file, key=key)
        loc = _read_sitemap(raw, place, base + index_name(settings.filename), site)
        if isinstance(loc, Problem):
            problems.append(replace(loc, done="It is not listed."))
        else:
            others[loc] = None
    others.pop(base + settings.filename, None)
    layout = Layout(
        filename=settings.filename,
        base=base,
        max_urls=settings.max_urls,
        max_bytes=settings.max_bytes,
        sections=settings.split is Split.SECTION,
        others=tuple(others),
        stylesheet=STYLESHEET if settings.stylesheet else None,
    )
    return layout, problems


def _read_sitemap(raw: str, place: Place, index: str, site: Site) -> str | Problem:
    """Return the URL of a sitemap that the index at the URL `index` may list.

    It must be in the directory of the index or below (Google, "Manage your sitemaps with a sitemap
    index file"), and not be an index itself.
    """
    base = site.url or ""
    loc = read_url(raw, place, base)
    if isinstance(loc, Problem):
        return replace(loc, code="extra-sitemap")
    if loc == index:
        return faulty("extra-sitemap", place, raw, "is the index itself")
    # A development server has another address than the one that the owner configured.
    if not site.serving and not within(loc, base):
        return invalid("extra-sitemap", place, raw, f"a URL under the index's own folder {base}")
    return loc


def replaced_file(file: str) -> Problem:
    """Return the note that a file or template of the site's owner is replaced by our sitemap.

    Args:
        file: its path from the folder of the project file.
    """
    return Problem(
        code="replaced",
        place=Place(origin=Origin.PLUGIN, file=file),
        found="this file is not published, since the plugin writes the sitemap",
        fix="Delete it. Set values such as changefreq and priority as options of sitemap-plus.",
        note=True,
    )


def changed_file(folder: Path, name: str, written: bytes | None) -> Problem | None:
    """Return a note if a hook or a later plugin changed a file; its ``.gz`` is written again.

    Args:
        folder: of the built site.
        name: of the file.
        written: its `fingerprint` when it was written.

    Raises:
        SitemapError: the ``.gz`` can't be written.
    """
    repacked, now = repack(folder, name), fingerprint(folder, name)
    if not repacked and now == written:
        return None
    change, done = "changed", "The change is kept"
    if now is None:
        change, done = "removed", "It stays removed"
    if now == written:
        name, done = f"{name}.gz", "It is written again"
    elif repacked:
        done += f", and {name}.gz is {'written again' if now else 'removed as well'}"
    return Problem(
        code="changed",
        found=f"a hook or another plugin {change} {name} after this plugin wrote it",
        done=f"{done}.",
        note=True,
    )


def _empty(filename: str) -> Problem:
    return Problem(
        code="empty",
        place=Place(origin=Origin.PLUGIN, file=filename),
        found="no page of the site can be listed",
        done="No file is written, since a sitemap must not be empty.",
    )


_EXPECTED = "the site's full address, such as https://example.com/docs/"


def site_url_fault(url: str | None) -> str | None:
    """Return why no sitemap can be written for `url`, as a clause; None if one can.

    The protocol takes absolute http and https URLs (sitemaps.org, ``<loc>``); a user name or
    password in a public file would be a leak.
    """
    if not url:
        return "is not set"
    shown = format_value(url)
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError if the port is not a number
    except ValueError:
        return f"is {shown}"
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return f"is {shown}"
    if parts.username is not None or parts.password is not None:
        return "has a user name or a password"
    if "[" in parts.path or "]" in parts.path:  # RFC 3986 3.3; not schema-valid
        return f"is {shown}, whose path should be percent-encoded"
    invalid = loc_fault(url.partition("#")[0])
    return f"is {shown}, which {invalid}" if invalid else None


def site_url_problem(site: Site) -> Problem | None:
    """Return what is wrong with the site's URL; None if it is in its normal form.

    It is never rewritten, so a `site_url` that is not in its normal form is used unchanged.
    """
    place = Place(origin=Origin.OPTION, file=site.project_file, key="site_url")
    found = site_url_fault(site.url)
    if found:
        return Problem(
            code="site-url",
            place=place,
            found="is empty" if site.has_url_key and not site.url else found,
            expected=_EXPECTED,
            done="No sitemap is written by this plugin.",
            note=site.has_url_key and not site.url,
        )
    unusual = _unusual(site.url or "")
    if unusual and not site.serving:
        return Problem(code="site-url", place=place, found=unusual, done="It is used unchanged.")
    return None


def _unusual(url: str) -> str | None:
    """Return how `url` differs from its normal form (RFC 3986 6.2.2, 6.2.3; RFC 5890)."""
    parts, shown = urlsplit(url), format_value(url)
    scheme, host = url.partition("://")[0], parts.hostname or ""
    if not host.isascii():
        return f"is {shown}, whose host should be in its ASCII form (xn--...)"
    authority = (
        host if parts.port in (None, DEFAULT_PORTS.get(scheme.lower())) else f"{host}:{parts.port}"
    )
    normal = f"{scheme.lower()}://{authority}/"
    written = f"{scheme}://{parts.netloc}/"
    if ":" not in host and written != normal:
        return f"is {shown}, which should begin with {format_value(normal)}"
    if parts.query or parts.fragment or "?" in url or "#" in url:
        return f"is {shown}, which should have no query and no fragment"
    if re.search(r"[^!$&'()*+,;=:@/\w.~%-]|%(?![0-9A-Fa-f]{2})", parts.path, re.ASCII):
        return f"is {shown}, whose path should be percent-encoded"
    return None
