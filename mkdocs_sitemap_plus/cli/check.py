"""Check sitemaps: ``check``."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

import click

from mkdocs_sitemap_plus.built_site import own_sitemap
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.check_result import CheckResult, print_result
from mkdocs_sitemap_plus.cli.printing import print_line
from mkdocs_sitemap_plus.files import is_file, is_folder
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import loc_fault, origin_url, url_key
from mkdocs_sitemap_plus.tools.checks import (
    CODES,
    DEMANDS,
    MAX_KEPT,
    Finding,
    Listed,
    check_demands,
)
from mkdocs_sitemap_plus.tools.checks.protocol import Checked
from mkdocs_sitemap_plus.tools.checks.protocol import check as check_protocol
from mkdocs_sitemap_plus.tools.checks.site_files import (
    BuiltSite,
    by_url,
    check_language_versions,
    check_site,
    site_beside,
)
from mkdocs_sitemap_plus.tools.checks.web_pages import RATE, check_pages, choose_pages
from mkdocs_sitemap_plus.tools.fetch import AGENT
from mkdocs_sitemap_plus.tools.open_sitemaps import NAMES, FoundFile, find_sitemaps
from mkdocs_sitemap_plus.wording import closest, counted, first_names, format_value

_LONG = 60  # seconds. If requesting the pages takes longer, a note says how long it takes


def _codes(_context: object, _parameter: object, values: tuple[str, ...]) -> frozenset[str]:
    """Return the codes of an option. A value is one code, or several codes with commas between."""
    codes = frozenset(code.strip() for value in values for code in value.split(","))
    for code in sorted(codes - CODES.keys()):
        suggestion = closest(code, CODES)
        hint = f" Did you mean {suggestion!r}?" if suggestion else ""
        raise click.BadParameter(f"there is no code {code!r}.{hint}")
    return codes


def _percent(_context: object, _parameter: object, value: str) -> Decimal:
    with suppress(InvalidOperation):
        percent = Decimal(value.removesuffix("%"))
        if 0 < percent <= 1 and not value.endswith("%"):
            fraction = f"{(100 * percent).normalize():f}%"
            raise click.BadParameter(f"{value} is not clear. Write {fraction} or {value}%.")
        if 0 <= percent <= 100:
            return percent
    raise click.BadParameter(f"{format_value(value)} is not a percentage from 0% to 100%.")


def _urls(_context: object, _parameter: object, values: tuple[str, ...]) -> tuple[str, ...]:
    for url in values:
        if fault := loc_fault(url):
            raise click.BadParameter(f"{format_value(url)} {fault}.")
    return values


@click.command(short_help="Check sitemaps against the protocol and the site.")
@click.argument("where", metavar="[PATH-or-URL]...", nargs=-1)
@console.config_file_option
@console.format_option(
    "text",
    "json",
    "github",
    meaning="Output for people, for programs, or as annotations of a GitHub workflow.",
)
@click.option(
    "--ignore",
    multiple=True,
    callback=_codes,
    metavar="CODE",
    help="Do not report these codes. A code that stops the check is reported.",
)
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The built site, if the sitemap is not in it.",
)
@click.option("--pages", is_flag=True, help="Also request the listed pages from the server.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --pages, request only N pages of each sitemap, evenly spread over it.",
)
@click.option(
    "--require", multiple=True, callback=_urls, metavar="URL", help="Fail if URL is not listed."
)
@click.option(
    "--min-dated",
    callback=_percent,
    default="0",
    metavar="PERCENT",
    help="Fail if a smaller share of the entries has a date. Example: 90%.",
)
@console.timeout_option
@click.pass_context
def check(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    where: tuple[str, ...],
    config_file: Path | None,
    form: str,
    ignore: frozenset[str],
    site: Path | None,
    pages: bool,
    sample: int | None,
    require: tuple[str, ...],
    min_dated: Decimal,
    timeout: float,
) -> None:
    """Check sitemaps against the protocol, and against the built site that they are in.

    PATH-or-URL is a file, a folder with a sitemap.xml or sitemap-index.xml in it, or the URL of a
    sitemap or of a site. Without it, the built site of the project in this folder is checked.
    Indexes are followed.

    \b
    Examples:
      mkdocs-sitemap-plus check
      mkdocs-sitemap-plus check https://example.com
      mkdocs-sitemap-plus check --pages --sample 100 https://example.com
      mkdocs-sitemap-plus check --ignore not-listed,same-lastmod site
      mkdocs-sitemap-plus check --format github site

    The exit code is 0 without findings, 1 with findings, and 2 if a sitemap can't be read to its
    end.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if where and config_file:
        raise click.UsageError("Give either PATH-or-URL or --config-file.")
    if sample and not pages:
        raise click.UsageError("--sample needs --pages.")
    if not where:
        where = (own_sitemap(console.read_project(config_file)),)
    always = DEMANDS.union(code.name for code in CODES.values() if code.stops)
    wanted = (frozenset(CODES) - ignore) | always
    options = _Options(site, pages, sample, require, min_dated, timeout)
    result = _check_all(where, options, wanted)
    print_result(result, form, pages_option=pages)
    if result.unusable or any(finding.rule.stops for finding in result.findings):
        context.exit(2)
    context.exit(1 if result.findings else 0)


class _Options(NamedTuple):
    """How sitemaps are checked."""

    site: Path | None
    pages: bool
    sample: int | None
    require: tuple[str, ...]
    min_dated: Decimal
    timeout: float


def _check_all(arguments: Sequence[str], options: _Options, wanted: frozenset[str]) -> CheckResult:
    """Check the sitemaps that a person named, and return the findings of the wanted codes."""
    results: list[tuple[Checked, BuiltSite | None]] = []
    errors: list[str] = []
    for argument in arguments:
        for sitemap in _sitemaps(argument, options.timeout):
            try:
                results.append(_check(sitemap, options))
            except SitemapError as error:
                errors.append(str(error))
    sitemaps = [checked for checked, _ in results]
    listed = [*_entries(sitemaps)]
    in_all = by_url(listed) if len(sitemaps) > 1 else {}
    for checked, built in results:
        check_language_versions(checked.listed, checked.findings, built, in_all)
    requested: set[str] = set()
    with_pages = sitemaps if options.pages else []
    pages_asked = sum(_request_pages(each, options, requested) for each in with_pages)
    if sitemaps:
        # --require and --min-dated are about all sitemaps. The first sitemap gets the findings.
        first = sitemaps[0]
        check_demands(listed, first.findings, first.files[0], options.require, options.min_dated)
    findings: list[Finding] = []
    counts: Counter[tuple[str, str | None]] = Counter()
    for checked in sitemaps:
        # A file that several sitemaps list has the same findings in each of them.
        known = set(findings)
        findings += (each for each in _sorted_findings(checked, wanted) if each not in known)
        counts |= checked.findings.counts  # keeps the greater number of a file, and does not add
    return CheckResult(
        findings=findings,
        more=sum(max(0, n - MAX_KEPT) for (code, _), n in counts.items() if code in wanted),
        files=list(dict.fromkeys(name for each in sitemaps for name in each.files)),
        urls=len(listed),
        pages_checked=bool(results) and all(built is not None for _, built in results),
        pages_asked=pages_asked,
        unusable=errors,
    )


def _sitemaps(where: str, timeout: float) -> Sequence[FoundFile]:
    """Return the sitemaps of a path or URL."""
    if not is_folder(where):
        try:
            found = find_sitemaps(where, timeout=timeout)
        except SitemapError as error:
            return [FoundFile(where, error=error)]
        names = [file.name for file in found]
        if names != [where]:
            print_line("Note", None, f"{where}: checking {first_names(names)}.")
        return found
    names = [name for name in NAMES if is_file(Path(where, name))]
    copies = {f"{name}.gz" for name in names}
    paths = [Path(where, name).as_posix() for name in names if name not in copies]
    return [FoundFile(path) for path in paths or [where]]


def _entries(sitemaps: Iterable[Checked]) -> Iterator[Listed]:
    """Yield the entries of all sitemaps. A file that several sitemaps list is read once."""
    read: set[str] = set()
    for checked in sitemaps:
        yield from (each for each in checked.listed if each.file not in read)
        read.update(checked.files)


def _sorted_findings(checked: Checked, wanted: frozenset[str]) -> list[Finding]:
    """Return the findings of the wanted codes: first by file, as they were read, then by line."""
    order: dict[str | None, int] = {name: at for at, name in enumerate(checked.files)}
    last = len(order)  # for files of the built site
    kept = (finding for finding in checked.findings.kept if finding.code in wanted)
    return sorted(kept, key=lambda each: (order.get(each.place.file, last), each.place.line or 0))


def _check(sitemap: FoundFile, options: _Options) -> tuple[Checked, BuiltSite | None]:
    """Check one sitemap. Return also the built site with which it was compared, or None."""
    checked = check_protocol(sitemap, now=datetime.now(UTC), timeout=options.timeout)
    path, built = Path(checked.files[0]), None
    if folder := options.site or site_beside(path):
        # In a folder with several sitemaps, only the first of NAMES must list all pages.
        first = next((name for name in NAMES if is_file(path.with_name(name))), path.name)
        whole = options.site is not None or path.name == first
        built = check_site(checked.listed, folder, checked.findings, whole=whole)
        if options.site and checked.listed and built is None:
            place = sitemap_place(folder.as_posix())
            found = "has no file for any page of the sitemap"
            raise SitemapError(Problem(code="site", place=place, found=found))
    return checked, built


def _request_pages(checked: Checked, options: _Options, requested: set[str]) -> int:
    """Request the pages of a sitemap. Return how many were requested; print why others were not.

    `requested` has the `url_key` of all pages of earlier sitemaps. Those of this sitemap are added.
    """
    listed = [each for each in checked.listed if url_key(each.loc) not in requested]
    pages = choose_pages(listed, options.sample)
    if not pages:
        return 0
    requested.update(url_key(each.loc) for each in pages)
    what = f"{counted(len(pages), 'page')} of {origin_url(pages[0].loc)}"
    if (seconds := len(pages) / RATE) > _LONG:
        print_line("Note", None, f"requesting {what}, which takes {seconds / 60:.0f} min.")
    checker = check_pages(pages, checked.findings, options.timeout)
    if checker.disallowed:
        why = f"robots.txt disallows {checker.disallowed:,} of them for {AGENT}"
        print_line("Note", None, f"{what}: {why}.")
    if checker.stopped:
        left = len(pages) - checker.requested - checker.disallowed
        why = f"{left:,} were not requested: {checker.stopped}"
        print_line("Note", "yellow", f"{what}: {why}.")
    return checker.requested
