"""Generate the sitemap of a built site: make its entries, then write its files."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.options import Settings, Split
from mkdocs_sitemap_plus.options.readers import read_items
from mkdocs_sitemap_plus.output import (
    fingerprint,
    remove_files,
    repack,
    write_files,
    write_if_missing,
)
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.pipeline import Context, Decision, Outcome, OutReason
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.pipeline.theme import split_for_theme, theme_problems
from mkdocs_sitemap_plus.problems import (
    Code,
    Level,
    Origin,
    Place,
    Problem,
    Result,
    invalid,
)
from mkdocs_sitemap_plus.sitemap import UrlEntry
from mkdocs_sitemap_plus.sitemap.render import STYLESHEET, stylesheet
from mkdocs_sitemap_plus.sitemap.split import Layout, files, index_name
from mkdocs_sitemap_plus.sitemap.urls import DEFAULT_PORTS, loc_fault, read_url, within
from mkdocs_sitemap_plus.wording import counted, format_value, shorten


def generate(context: Context, progress: Callable[[str], None] = lambda _: None) -> Outcome:
    """Write the sitemap of a site, in one file or in several, and return all results.

    `progress` is called before each task that may take long, with a few words about the task.
    Raises SitemapError if an option makes the build stop, or a file can't be written.
    """
    site, settings = context.site, context.settings
    url_problem = site_url_problem(site)
    problems = [url_problem] if url_problem else []
    if site_url_fault(site.url):
        remove_files(site.site_dir, settings.filename)  # the builder's own lists no usable URL
        return Outcome(site=site, decisions=(), problems=tuple(problems))
    progress(f"dating {counted(len(site.pages), 'page')}")
    outcome = decide(context)
    problems += outcome.problems
    main, extra = split_for_theme(outcome, settings.filename)
    if not main and not extra:
        remove_files(site.site_dir, settings.filename)
        return outcome._replace(problems=(*problems, _empty_problem(outcome, settings.filename)))
    layout, layout_problems = _layout(site, settings)
    progress(f"writing {counted(len(main) + len(extra), 'URL')}")
    if settings.stylesheet:
        write_if_missing(site.site_dir, STYLESHEET, stylesheet())
    content = files(_entries(main), layout, _entries(extra))
    written = write_files(site.site_dir, content, settings.filename)
    problems += [*layout_problems, *theme_problems(site, layout, extra, written)]
    if settings.robots_txt:
        from mkdocs_sitemap_plus.output.robots import add_to_robots  # noqa: PLC0415 - rare

        index = index_name(settings.filename)
        first = index if index in written else settings.filename
        problems += filter(None, [add_to_robots(site, first)])
    return outcome._replace(files=written, problems=tuple(problems))


def _entries(decisions: Iterable[Decision]) -> list[UrlEntry]:
    return [decision.entry for decision in decisions if decision.entry]


def _empty_problem(outcome: Outcome, filename: str) -> Problem:
    """Return a note if every page is noindex, as in a preview; otherwise a warning."""
    place = Place(origin=Origin.PLUGIN, file=filename)
    built = [
        each.page.built
        for each in outcome.decisions
        if each.page and each.left_out and each.left_out.reason not in _NEVER_LISTED
    ]
    if built and all(page and page.noindex for page in built):
        pages = counted(len(built), "page")
        found = f"there is no sitemap, since the whole site is noindex ({pages})"
        return Problem(code=Code.EMPTY, place=place, found=found, level=Level.INFO)
    reasons = Counter(each.left_out.reason for each in outcome.decisions if each.left_out)
    counts = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    return Problem(
        code=Code.EMPTY,
        place=place,
        found=f"no page of the site can be listed{f' ({counts})' if counts else ''}",
        done="No file is written, because a sitemap must not be empty.",
    )


_NEVER_LISTED = (OutReason.ERROR_PAGE, OutReason.REDIRECT, OutReason.SAME_URL)


def _layout(site: Site, settings: Settings) -> tuple[Layout, list[Problem]]:
    """Return how the sitemap is split into files, and the problems of ``extra_sitemaps``."""
    base = site.url or ""
    index = base + index_name(settings.filename)
    read = partial(_read_sitemap, index=index, site=site)
    locs, problems = read_items(read, settings.extra_sitemaps, site.option("extra_sitemaps"))
    layout = Layout(
        filename=settings.filename,
        base=base,
        max_urls=settings.max_urls,
        max_bytes=settings.max_bytes,
        sections=settings.split is Split.SECTION,
        others=tuple(each for each in dict.fromkeys(locs) if each != base + settings.filename),
        stylesheet=STYLESHEET if settings.stylesheet else None,
    )
    return layout, [each._replace(done="It is not listed.") for each in problems]


def _read_sitemap(raw: object, place: Place, index: str, site: Site) -> Result[str]:
    """Return the URL of another sitemap; a problem if the index with the URL `index` can't list it.

    An index lists only sitemaps in its own folder or below (Google, "Manage your sitemaps with a
    sitemap index file").
    """
    base = site.url or ""
    loc, problems = read_url(raw, place, base)
    if loc is None:
        return None, [each._replace(code=Code.EXTRA_SITEMAP) for each in problems]
    if loc == index:
        return None, [invalid(Code.EXTRA_SITEMAP, place, raw, fault="is the index itself")]
    # The address of a development server is not the one that the owner configured.
    if not site.serving and not within(loc, base):
        expected = f"a URL under the index's own folder {base}"
        return None, [invalid(Code.EXTRA_SITEMAP, place, raw, expected)]
    return loc, []


def replaced_file(file: str) -> Problem:
    """Return the note that the sitemap replaces this file or template of the site's owner."""
    return Problem(
        code=Code.REPLACED,
        place=Place(origin=Origin.PLUGIN, file=file),
        found="this file is not published, because the plugin writes the sitemap",
        fix="Delete it. Set values such as changefreq and priority as options of sitemap-plus.",
        level=Level.INFO,
    )


def repack_file(folder: Path, name: str, written: bytes | None) -> Problem | None:
    """Write or remove a file's ``.gz`` if it does not match the file.

    Return a note if a hook or a later plugin changed one of the two; otherwise None. `folder` is
    that of the built site. `written` is the `fingerprint` that the file had when this plugin wrote
    it. Raises SitemapError if the ``.gz`` can't be written.
    """
    repacked, current = repack(folder, name), fingerprint(folder, name)
    if current == written:
        if not repacked:
            return None
        found, done = f"changed {name}.gz", "It is written again"
    elif current is None:
        found, done = f"removed {name}", "It stays removed"
        done += f", and {name}.gz is removed as well" if repacked else ""
    else:
        found, done = f"changed {name}", "The change is kept"
        done += f", and {name}.gz is written again" if repacked else ""
    return Problem(
        code=Code.CHANGED,
        found=f"a hook or another plugin {found} after this plugin wrote it",
        done=f"{done}.",
        level=Level.INFO,
    )


def site_url_fault(url: str | None) -> str | None:
    """Return as a clause why no sitemap can be written for the site at `url`; otherwise None.

    The protocol allows absolute http and https URLs (sitemaps.org, ``<loc>``). A user name or a
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
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return f"is {shown}"
    if parts.username is not None or parts.password is not None:
        return "has a user name or a password"
    if "[" in parts.path or "]" in parts.path:  # RFC 3986 3.3 and the schema forbid these
        return f"is {shown}, whose path should be percent-encoded"
    fault = loc_fault(url.partition("#")[0])
    return f"is {shown}, which {fault}" if fault else None


def site_url_problem(site: Site) -> Problem | None:
    """Return the problem of the site's URL; in ``serve``, only if no sitemap can be written."""
    place = site.option("site_url")
    address = "the full address of the site, such as https://example.com/docs/"
    if site.has_url_key and not site.url:  # as with `!ENV`, in a build that should have none
        found = "has no value, so this build has no sitemap"
        fix = f"If it should have one, set it, or its environment variable, to {address}."
        return Problem(code=Code.SITE_URL, place=place, found=found, fix=fix, level=Level.INFO)
    if fault := site_url_fault(site.url):
        found = f"{fault}, so no sitemap is written"
        return Problem(code=Code.SITE_URL, place=place, found=found, fix=f"Set it to {address}.")
    return None if site.serving else _unusual_url(site.url or "", place)


def _unusual_url(url: str, place: Place) -> Problem | None:
    """Return the problem of a site's URL that can be used, but is probably not what was meant."""
    shown, host = format_value(url), urlsplit(url).hostname or ""
    folder, _, page = url.rstrip("/").rpartition("/")
    is_loopback = host.startswith("127.") and host[-1].isdigit()
    if is_loopback or host in ("0.0.0.0", "::1") or f".{host}".endswith(".localhost"):  # noqa: S104 - nothing listens
        found = f"is {shown}, which only this computer can open"
        fix = "Before you publish the site, set its public address."
        return Problem(code=Code.SITE_URL, place=place, found=found, fix=fix, level=Level.INFO)
    if page.lower().endswith((".html", ".htm")):
        found = f"is {shown}, which should be a folder, not a page"
        done = f"All URLs in the sitemap begin with {shorten(url)}, and lead nowhere."
        meant = format_value(f"{folder}/")
        return Problem(code=Code.SITE_URL, place=place, found=found, done=done, suggestion=meant)
    if difference := _normal_form_fault(url):
        return Problem(
            code=Code.SITE_URL, place=place, found=difference, done="It is used unchanged."
        )
    return None


def _normal_form_fault(url: str) -> str | None:
    """Return how `url` differs from its normal form (RFC 3986 6.2.2, 6.2.3; RFC 5890)."""
    parts, shown = urlsplit(url), format_value(url)
    host = parts.hostname or ""
    if not host.isascii():
        return f"is {shown}, whose host should be in its ASCII form (xn--...)"
    port = "" if parts.port in (None, DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    normal = f"{parts.scheme}://{host}{port}/"
    written = f"{url.partition('://')[0]}://{parts.netloc}/"  # `parts.scheme` has no capitals
    if ":" not in host and written != normal:  # of an IPv6 address, `host` lacks the brackets
        return f"is {shown}, which should begin with {format_value(normal)}"
    if "?" in url or "#" in url:
        return f"is {shown}, which should have no query and no fragment"
    if re.search(r"[^!$&'()*+,;=:@/\w.~%-]|%(?![0-9A-Fa-f]{2})", parts.path, re.ASCII):
        return f"is {shown}, whose path should be percent-encoded"
    return None
