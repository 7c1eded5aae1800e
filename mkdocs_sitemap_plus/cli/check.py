"""Check sitemaps: ``check``."""

from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site import Project, find_project_of, own_sitemap
from mkdocs_sitemap_plus.built_site.owner import owners_decisions, unknown_codes
from mkdocs_sitemap_plus.check import REQUIREMENTS, CheckCode, Severity
from mkdocs_sitemap_plus.check.decided import Decided
from mkdocs_sitemap_plus.check.sitemaps import Options, check_sitemaps
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.check_result import print_result
from mkdocs_sitemap_plus.cli.printing import echo, print_line, styled
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.urls import loc_fault
from mkdocs_sitemap_plus.wording import closest, format_value


def _codes(_context: object, _parameter: object, values: tuple[str, ...]) -> frozenset[CheckCode]:
    """Return the codes of an option. A value is one code, or several codes with commas between."""
    names = {name.strip() for value in values for name in value.split(",")}
    for name in sorted(names.difference(CheckCode)):
        suggestion = closest(name, [str(code) for code in CheckCode])
        hint = f" Did you mean {suggestion!r}?" if suggestion else ""
        raise click.BadParameter(f"there is no code {name!r}.{hint}")
    return frozenset(code for code in CheckCode if code in names)


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


def _explain(context: click.Context, _parameter: object, name: str | None) -> None:
    """Print what a code means, and end the command."""
    if name is None:
        return
    (code,) = _codes(context, _parameter, (name,))
    echo(styled(code, bold=True), f": {code.severity}, by {code.source}.")
    echo(code.meaning)
    echo(f"What to do: {code.fix}")
    echo(code.url)
    context.exit()


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
@click.option(
    "--since",
    metavar="OLD",
    help="Also say what OLD lists, a file or a URL, and is not listed any more.",
)
@click.option(
    "--fail-on",
    type=click.Choice(("warning", "error")),
    default="warning",
    show_default=True,
    help="The least severity of findings for the exit code 1.",
)
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help="Say what a code means and what to do, and exit.",
)
@console.timeout_option
@click.pass_context
def check(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    where: tuple[str, ...],
    config_file: Path | None,
    form: str,
    ignore: frozenset[CheckCode],
    site: Path | None,
    pages: bool,
    sample: int | None,
    require: tuple[str, ...],
    min_dated: Decimal,
    since: str | None,
    fail_on: str,
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
      mkdocs-sitemap-plus check --since https://example.com/sitemap.xml
      mkdocs-sitemap-plus check --format github site

    The exit code is 0 without findings, 1 with findings, and 2 if a sitemap can't be read to its
    end.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if sample and not pages:
        raise click.UsageError("--sample needs --pages.")
    project = None
    if config_file or not where:
        project = console.read_project(config_file)
        where = where or (own_sitemap(project),)
    decided = partial(_decided, project)
    always = {*REQUIREMENTS, *(code for code in CheckCode if code.stops)}
    wanted = (frozenset(CheckCode) - ignore) | always
    options = Options(site, pages, sample, require, min_dated, since, timeout, _print_note, decided)
    result = check_sitemaps(where, options, wanted)
    print_result(result, form, pages_option=pages)
    if result.unusable or any(finding.code.stops for finding in result.findings):
        context.exit(2)
    fails = ("error",) if fail_on == "error" else tuple(Severity)
    context.exit(int(any(finding.code.severity in fails for finding in result.findings)))


def _decided(project: Project | None, site_dir: Path) -> Decided | None:
    """Return what `project` decides; if it is None, the project that has this built site."""
    project = project or find_project_of(site_dir)
    if project is None:
        return None
    try:
        decided = owners_decisions(project, site_dir)
    except SitemapError as error:
        print_line("Note", "yellow", f"what the project leaves out is not known: {error}")
        return None
    console.print_problems(unknown_codes(project))
    return decided


def _print_note(text: str, *, is_warning: bool) -> None:
    print_line("Note", "yellow" if is_warning else None, text)
