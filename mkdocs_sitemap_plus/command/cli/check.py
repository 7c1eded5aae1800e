"""Check sitemaps: ``check``."""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic

import click
from click.shell_completion import CompletionItem

from mkdocs_sitemap_plus.command.any_site.project import (
    Project,
    find_project_of,
    own_sitemap,
    read_plugin_options,
)
from mkdocs_sitemap_plus.command.checks.check_sitemap import (
    CheckResult,
    Options,
    all_rules,
    check_sitemaps,
)
from mkdocs_sitemap_plus.command.checks.git_rules import WrongDate, lastmod_git
from mkdocs_sitemap_plus.command.checks.live_pages import RATE
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.checks.page_rules import lastmod_differs, not_listed
from mkdocs_sitemap_plus.command.checks.rules import CODES, CODES_URL, Finding
from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.history import Given, history_of
from mkdocs_sitemap_plus.command.cli.kept import (
    no_report,
    open_project,
    other_build,
    place_of,
    report_of_build,
    why_no_sitemap,
)
from mkdocs_sitemap_plus.command.cli.printing import (
    OutputRow,
    echo,
    emit,
    is_quiet,
    print_errors,
    print_line,
    say,
    styled,
)
from mkdocs_sitemap_plus.command.reader.find import sitemaps_in
from mkdocs_sitemap_plus.command.views.report_reader import is_report_of, read_report
from mkdocs_sitemap_plus.files import absolute_path, is_folder
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.generator.pages.site import reasons_of
from mkdocs_sitemap_plus.problems import Level
from mkdocs_sitemap_plus.progress import Progress
from mkdocs_sitemap_plus.sitemap.urls import before_path, folder_fault, loc_fault
from mkdocs_sitemap_plus.wording import counted, format_value

_BETWEEN_LINES = 60.0  # seconds between two lines of a log
_MAX_PRINTED = 20  # at most this many findings of one code are printed. The JSON has more.
_EXPECTED = ("address", "project", "sample", "server", "site")
"""What a person knows not to be checked. The text has no note of it, but the JSON has."""

_ALWAYS = ("required-absent", "too-few-dates")  # what a person asked for in the same call


def _codes(_context: object, _parameter: object, values: tuple[str, ...]) -> frozenset[str]:
    """Return the codes of an option. A value is one code, or several codes with commas between."""
    names = {name.strip() for value in values for name in value.split(",")}
    for name in sorted(names.difference(CODES)):
        raise click.BadParameter(f"there is no code {name!r}. All codes: {CODES_URL}")
    return frozenset(names)


def _complete_codes(_context: object, _parameter: object, begun: str) -> list[CompletionItem]:
    """Return all codes that a shell can write in the place of what is begun; after commas, too."""
    before, comma, start = begun.rpartition(",")
    found = (each for code, each in all_rules().items() if code.startswith(start))
    return [CompletionItem(f"{before}{comma}{each.code}", help=each.meaning) for each in found]


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
    if name is None:
        return
    (code,) = _codes(context, _parameter, (name,))
    of = all_rules()[code]
    echo(styled(code, bold=True), f": {of.level}, by {of.source}.")
    echo(of.meaning)
    echo(f"What to do: {of.fix}")
    echo(of.url)
    context.exit()


def _folder_url(_context: object, _parameter: object, value: str | None) -> str | None:
    if value is not None and (fault := folder_fault(value)):
        raise click.BadParameter(f"{format_value(value)} {fault}.")
    return value and f"{value.rstrip('/')}/"


_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)")


def _headers(_context: object, _parameter: object, values: tuple[str, ...]) -> dict[str, str]:
    headers = {}
    for value in values:
        header = _HEADER.fullmatch(value)
        if header is None:  # its text may be a secret, so the message does not quote it
            raise click.BadParameter("a header looks like 'Name: value', in one line.")
        headers[header[1]] = header[2].strip()
    return headers


class Watcher:
    """Shows how far a check is: on a terminal in one line, and in a log once a minute."""

    def __init__(self, line: Progress, now: Callable[[], float] = monotonic) -> None:
        self._line, self._now = line, now
        self._next = now() + _BETWEEN_LINES

    def note(self, text: str) -> None:
        """Print a note."""
        self._line.clear()
        print_line("Note", text)

    def progress(self, done: int, total: int) -> None:
        """Show how many pages of a host were requested."""
        text = f"requested {done:,} of {total:,} pages"
        self._line.show(text)
        if self._now() >= self._next and not self._line.is_shown:
            self._next = self._now() + _BETWEEN_LINES
            self.note(f"{text}.")


_GROUPS = {
    "config_file": "What to check",
    "pages": "The pages on the web",
    "require": "What counts as failure",
    "form": "Other options",
}
"""The headings of the options in the help, each by the first option below it."""


class _Grouped(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        heading, groups = "", dict[str, list[tuple[str, str]]]()
        for parameter in self.get_params(ctx):
            heading = _GROUPS.get(parameter.name or "", heading)
            if heading and (record := parameter.get_help_record(ctx)):
                groups.setdefault(heading, []).append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)


@click.command(cls=_Grouped)
@click.argument("where", metavar="[PATH-or-URL]...", nargs=-1, type=console.PATH_OR_URL)
@console.config_file_option
@console.report_option
@click.option(
    "--site-url",
    metavar="URL",
    callback=_folder_url,
    help="The address of the site, below which the paths of its sources begin.",
)
@click.option(
    "--docs-dir",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="DIR",
    help="The sources of the pages, under the same paths, of a site without a project file.",
)
@click.option(
    "--since",
    metavar="OLD",
    type=console.PATH_OR_URL,
    help="Also say what OLD lists, a file or a URL, and is not listed any more.",
)
@click.option("--pages", is_flag=True, help="Also request the listed pages from the server.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --pages, request only N pages of each sitemap, evenly spread over it.",
)
@click.option(
    "--base-url",
    callback=_folder_url,
    metavar="URL",
    help="With --pages, request a preview of the site, whose folder has this URL.",
)
@click.option(
    "--header",
    multiple=True,
    callback=_headers,
    metavar="'NAME: VALUE'",
    help="Send a header to the host that is requested, and to no other.",
)
@console.timeout_option
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
    "--ignore",
    multiple=True,
    callback=_codes,
    metavar="CODE",
    shell_complete=_complete_codes,
    help="Do not report these codes. A code that stops the check is reported.",
)
@click.option(
    "--fail-on",
    type=click.Choice(("warning", "error")),
    default="warning",
    show_default=True,
    help="The least severity of findings for the exit code 1.",
)
@console.format_option(
    "text",
    "json",
    "github",
    "markdown",
    meaning="Output for people, for programs, for a GitHub workflow, or for a pull request.",
)
@click.option(
    "--dates",
    is_flag=True,
    help="Also list each page whose date is not that of git: days off, day to write, path.",
)
@click.option(
    "--explain",
    metavar="CODE",
    shell_complete=_complete_codes,
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help="Say what a code means and what to do, and exit.",
)
@click.pass_context
def check(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    where: tuple[str, ...],
    config_file: Path | None,
    report_file: Path | None,
    form: str,
    ignore: frozenset[str],
    site_url: str | None,
    docs_dir: Path | None,
    pages: bool,
    sample: int | None,
    base_url: str | None,
    header: dict[str, str],
    require: tuple[str, ...],
    min_dated: Decimal,
    since: str | None,
    fail_on: str,
    dates: bool,
    timeout: float,
) -> None:
    """Check sitemaps against the protocol, and against the built site that they are in.

    PATH-or-URL is a file, a folder with a sitemap.xml or sitemap-index.xml in it, a folder with the
    versions of mike, or the URL of a sitemap or of a site. Without it, the built site of the
    project in this folder is checked. Indexes are followed.

    \b
    Examples:
      mkdocs-sitemap-plus check
      mkdocs-sitemap-plus check --report report.json site
      mkdocs-sitemap-plus check https://example.com
      mkdocs-sitemap-plus check --pages --sample 100 https://example.com
      mkdocs-sitemap-plus check --pages --base-url https://pr.example site
      mkdocs-sitemap-plus check --since https://example.com/sitemap.xml
      mkdocs-sitemap-plus check --format github site

    The exit code is 0 without findings, 1 with findings, 2 if a sitemap can't be read to its end,
    and 130 after Ctrl-C.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    for option, value in (("--sample NUMBER", sample), ("--base-url URL", base_url)):
        if value and not pages:
            needs = f"{option.partition(' ')[0]} needs --pages"
            raise click.UsageError(f"{needs}: `check --pages {option} PATH-or-URL`.")
    if docs_dir and config_file:
        raise click.UsageError("--docs-dir is for a site without a project file.")
    project = None
    if config_file or not where:
        project = open_project(config_file)
        where = where or (own_sitemap(project),)
    where = tuple(_sitemap_in(name, project) for name in where)
    report = read_report(report_file) if report_file else None
    given = Given(
        project, config_file, report_file, report, where, site_url, docs_dir, needs_git=dates
    )
    explain: list[str] = []  # commands that explain the pages of each site with a report
    known_site = cache(partial(_known_site, given, explain))  # it may have several sitemaps
    options = Options(
        pages=pages,
        sample=sample,
        require=require,
        min_dated=min_dated,
        since=since,
        timeout=timeout,
        base_url=base_url,
        header=header,
        rate=RATE,
        explained=why_no_sitemap,
        dates=dates and form != "text",  # which has a table instead
        history=partial(history_of, given, known_site),
        owner=cache(lambda folder: owner_of(*known_site(folder), absolute_path(folder))),
    )
    with Progress(sys.stderr, shown=not is_quiet()) as line:
        line.show("reading the sitemap")
        watcher = Watcher(line)
        options = options._replace(note=watcher.note, progress=watcher.progress)
        result = check_sitemaps(where, options, ignore.difference(_ALWAYS))
    _print_result(result, form, next(iter(explain), ""), dates=dates)
    context.exit(_exit_code(result, fail_on))


def _exit_code(result: CheckResult, fail_on: str) -> int:
    if result.interrupted:
        return console.INTERRUPTED
    if result.unusable or any(finding.stops for finding in result.findings):
        return 2
    levels = {finding.level for finding in result.findings}
    return int(Level.ERROR in levels or (bool(levels) and fail_on == "warning"))


def _sitemap_in(where: str, project: Project | None) -> str:
    """Return the sitemap that the project of a built folder names, if that has no other one."""
    if not is_folder(where) or sitemaps_in(where):
        return where
    project = project or find_project_of(Path(where))
    return own_sitemap(project, Path(where)) if project else where


def _known_site(
    given: Given, explain: list[str], site_dir: Path
) -> tuple[Data | None, Project | None]:
    """Return the report of the build of a site, and its project, as far as they are known.

    They are those that the user named if the user named this site, its sitemap, or the folder of
    all its versions, and no other one that an index lists beside it. Raises SitemapError if the
    project or the report can't be used.
    """
    folder, paths = absolute_path(site_dir), [absolute_path(name) for name in given.where]
    of_versions = {path for path in paths if is_folder(path) and not sitemaps_in(path)}
    is_named = folder in (*paths, *(path.parent for path in paths)) or folder.parent in of_versions
    is_own = bool(given.project and (is_named or folder == given.project.site.site_dir))
    project = given.project if is_own else find_project_of(site_dir)
    own_report = given.report if is_named else None
    report = own_report or report_of_build(folder, project, named=is_own)
    console.print_problems(other_build(report, folder) if report else ())
    if project and "check" in project.own_options:  # up to 0.11 it accepted findings
        unknown = read_plugin_options(project).unknown
        console.print_problems(each for each in unknown if each.place and each.place.key == "check")
    if report:
        is_here = is_own or (project is not None and project.site.root == Path.cwd())
        is_default = is_here and project and folder == project.site.site_dir
        call = console.command(
            *("explain", "--all"),
            config_file=given.config_file if is_own else None,
            site_dir=None if is_default else Path(os.path.relpath(folder)),
            report_file=given.report_file if own_report else None,
        )
        explain.append(call)
    return report, project


def owner_of(report: Data | None, project: Project | None, site_dir: Path) -> Owner:
    """Return what a build decided. Who writes `page_dates: false` accepts other dates of pages."""
    unknown = None if report else f"what the owner left out is not known: {no_report(project)}"
    accepts_dates = project is not None and project.own_options.get("page_dates") is False
    return Owner(
        report,
        site_dir,
        is_of_folder=report is not None and is_report_of(report, site_dir),
        place_of=lambda place: place_of(dict(place), project),
        accepts=(lambda finding: finding.rule is lastmod_differs) if accepts_dates else None,
        transforms=project is not None and "transform" in project.own_options,
        why_unknown=unknown,
    )


def _print_result(result: CheckResult, form: str, explain: str, *, dates: bool = False) -> None:
    """Print the result in the format `form`, and why sitemaps can't be checked.

    `explain` is the command that says why pages were left out. With `dates`, each date that is not
    that of git is printed: in the text by a table, and not by a finding.
    """
    whole = (lastmod_git.code,) if dates else ()
    has_table = dates and form == "text"
    in_table = lastmod_git if has_table else None
    printed = [each for each in result.findings if not each.loc or each.rule is not in_table]
    # Without the project, pages that were left out on purpose are findings.
    lost = any(finding.rule is not_listed for finding in result.findings)
    for skipped in result.not_checked:
        if skipped.what == "git" and result.git is None and form != "json":
            continue  # the closing line says it
        if skipped.what not in _EXPECTED or (skipped.what == "project" and lost):
            print_line("Note", skipped.why)
    emit(form, _rows(printed, whole), lambda: _as_json(result))
    counts = Counter(each.code for each in result.findings if form == "text")
    for code, count in sorted(counts.items()):
        if count > _MAX_PRINTED and code not in whole:
            echo(styled(code, bold=True), f": {count - _MAX_PRINTED:,} more are not shown.")
    if has_table and result.git:
        _print_dates(result.git.wrong)
    for sentence in _sentences(result, form, explain):
        say(sentence)
    if result.interrupted:
        print_line("Note", "the check was interrupted, so this is not all.")
    print_errors(result.unusable, form)


def _rows(findings: Sequence[Finding], whole: Container[str]) -> Iterator[OutputRow]:
    """Yield the first findings of each code, and all of those of the codes in `whole`."""
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= _MAX_PRINTED or finding.code in whole:
            loc, what, of = finding.loc or "", finding.reason, finding.rule
            yield OutputRow(loc, what, of.level, of.code, finding.place, finding.fix, of.url)


def _print_dates(wrong: Sequence[WrongDate]) -> None:
    if not wrong:
        return
    hosts = {before_path(each.loc) for each in wrong}
    days = max(len("days off"), *(len(f"{each.days:+,}") for each in wrong))
    room = get_terminal_size().columns - days - 14 if sys.stdout.isatty() else 0
    echo(styled(f"{'days off':>{days}}  write       page", bold=True))
    for each in sorted(wrong, key=lambda each: (-abs(each.days), each.loc)):
        path = each.loc if len(hosts) > 1 else each.loc.removeprefix(before_path(each.loc))
        echo(f"{each.days:+{days},}  {each.last_changed}  {cut_in_the_middle(path, room)}")


def _sentences(result: CheckResult, form: str, explain: str) -> Iterator[str]:
    """Yield how much was found, and what is no finding, each in a sentence."""
    if form == "json":
        return
    if result.files:
        yield _closing(result)
    if result.left_out:
        pages = counted(sum(result.left_out.values()), "page")
        reasons = reasons_of(result.left_out)
        yield f"{pages} not listed, as the build decided ({reasons}): {explain}."
    if result.accepted:
        yield f"{counted(result.accepted, 'finding')} accepted by `page_dates: false`."
    for each in result.gone[:_MAX_PRINTED]:
        yield f"{each.loc} is gone: {each.why}."
    if (more := len(result.gone) - _MAX_PRINTED) > 0:
        yield f"{more:,} more are gone for a known reason."
    if form == "text" and result.urls:
        yield from (each.why for each in result.not_checked if each.what == "site")
    if form == "text" and result.findings:
        yield f"What the codes mean: {CODES_URL}"


def _closing(result: CheckResult) -> str:
    counts = Counter(finding.level for finding in result.findings)
    kinds = [counted(counts[level], level) for level in Level if counts[level]]
    git = _of_git(result)
    is_all_right = result.git.right == result.git.dates if result.git else not git
    files, urls = counted(len(result.files), "file"), counted(result.urls, "URL")
    asked = f"; {counted(result.pages_asked, 'page')} requested" if result.pages_asked else ""
    none = "No problems" if is_all_right else "Nothing to mend"
    return f"{' and '.join(kinds) or none} in {files} with {urls}{asked}.{git}"


def _of_git(result: CheckResult) -> str:
    """Return what git says of the dates, as the end of the closing line; empty if nothing."""
    git = result.git
    if git is None:
        return next((f" {why}" for what, why in result.not_checked if what == "git"), "")
    said = []
    if git.dates:
        are = "is" if git.dates == 1 else "are"
        said.append(f"{git.right:,} of {counted(git.dates, 'date')} {are} right")
    if git.by_build:
        dates = f"{git.by_build:,}" if git.dates else counted(git.by_build, "date")
        said.append(f"{dates} {'is' if git.by_build == 1 else 'are'} as the last build decided")
    if git.not_judged:
        reasons = ", ".join(f"{why} ({n:,})" for why, n in git.not_judged.items())
        said.append(f"{sum(git.not_judged.values()):,} not judged: {reasons}")
    return f" Git: {'; '.join(said)}." if said else ""


def _as_json(result: CheckResult) -> dict[str, object]:
    findings = [
        {
            "code": finding.code,
            "severity": finding.level,
            "file": finding.place.file,
            "line": finding.place.line,
            "loc": finding.loc,
            "urls": finding.urls,
            "reason": finding.reason,
            "fix": finding.fix,
            "url": finding.rule.url,
        }
        for finding in result.findings
    ]
    git = result.git and {
        **result.git._asdict(),
        "sources": [row._asdict() for row in result.git.sources],
        "wrong": [
            {**row._asdict(), "lastmod": str(row.lastmod), "last_changed": str(row.last_changed)}
            for row in result.git.wrong
        ],
    }
    return {
        **result._asdict(),
        "findings": findings,
        "not_checked": [each._asdict() for each in result.not_checked],
        "git": git,
        "gone": [each._asdict() for each in result.gone],
    }


def cut_in_the_middle(text: str, most: int) -> str:
    """Return a text of at most `most` letters, whose end says as much as its start; 0: all of it.

    Three dots show where it is cut.
    """
    if not most or len(text) <= most:
        return text
    end = max(most - 3, 2) // 2
    return f"{text[: max(most - 3, 2) - end]}...{text[-end:]}"
