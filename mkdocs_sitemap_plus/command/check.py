"""What is wrong with a sitemap: ``check``."""

import os.path
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

import click

from mkdocs_sitemap_plus.check.built_site import check_site, not_its_site, site_beside
from mkdocs_sitemap_plus.check.codes import CODES, Severity
from mkdocs_sitemap_plus.check.finding import Finding
from mkdocs_sitemap_plus.check.protocol import Checked
from mkdocs_sitemap_plus.check.protocol import check as check_protocol
from mkdocs_sitemap_plus.collect import NAMES
from mkdocs_sitemap_plus.command.options import timeout_option
from mkdocs_sitemap_plus.command.tell import plural, tell_error, tell_json
from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.wording import printable

PROBLEMS, UNUSABLE = 1, 2
"""The exit codes if there is a finding, and if something could not be checked to its end."""

_MOST = 20
"""Findings of one code that are shown to people and to GitHub, which shows no more than ten."""

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def _codes(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> frozenset[str]:
    """All codes that an option names, several of them with commas between them."""
    codes = frozenset(code.strip() for value in values for code in value.split(","))
    for code in sorted(codes - CODES.keys()):
        near = get_close_matches(code, CODES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise click.BadParameter(f"there is no code {code!r}.{hint}")
    return codes


@click.command(short_help="What is wrong with a sitemap.")
@click.argument("where", metavar="PATH-or-URL...", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="For people, for programs, or as annotations of a GitHub workflow.",
)
@click.option(
    "--select", multiple=True, callback=_codes, metavar="CODE", help="Look for these codes only."
)
@click.option(
    "--ignore", multiple=True, callback=_codes, metavar="CODE", help="Don't look for these codes."
)
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The built site, if the sitemap does not lie in it.",
)
@timeout_option
@click.pass_context
def check(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    where: tuple[str, ...],
    form: str,
    select: frozenset[str],
    ignore: frozenset[str],
    site: Path | None,
    timeout: float,
) -> None:
    """Check sitemaps against the protocol, and against the built site that they lie in.

    PATH-or-URL is a file, a folder with a sitemap.xml or sitemap-index.xml in it, or a URL.
    Indexes are followed.

    \b
    Examples:
      mkdocs-sitemap-plus check site
      mkdocs-sitemap-plus check --ignore not-listed,same-lastmod site
      mkdocs-sitemap-plus check --format github https://example.com/sitemap.xml

    The exit code is 0 if nothing was found, 1 if something was, and 2 if a sitemap can't be read
    to its end.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    wanted = _wanted(select, ignore)
    checked, errors = [], []
    for each in (path for given in where for path in _sitemaps(given)):
        try:
            checked.append(_checked(each, site, timeout))
        except SitemapError as error:
            errors.append(str(error))
    findings = [finding for one in checked for finding in _in_order(one, wanted)]
    if form == "json":
        tell_json(_as_json(checked, findings, wanted, errors))
    else:
        _tell_findings(findings, github=form == "github")
        if checked:
            click.echo(_summary(checked, findings, wanted))
    for problem in errors:
        tell_error(problem)
    if errors or any(finding.rule.stops for finding in findings):
        context.exit(UNUSABLE)
    context.exit(PROBLEMS if findings else 0)


def _wanted(select: frozenset[str], ignore: frozenset[str]) -> frozenset[str]:
    """The codes that count. What keeps a file from being read can't be ignored."""
    stops = {code.name for code in CODES.values() if code.stops}
    return ((select or frozenset(CODES)) - ignore) | stops


def _sitemaps(where: str) -> list[str]:
    """What there is to check at `where`: of a folder its sitemap, and the index beside it."""
    if not os.path.isdir(where):  # noqa: PTH112 - `Path.is_dir` raises for too long a name
        return [where]
    names = [name for name in NAMES if Path(where, name).is_file()]
    packed = {f"{name}.gz" for name in names}
    return [Path(where, name).as_posix() for name in names if name not in packed] or [where]


def _in_order(checked: Checked, wanted: frozenset[str]) -> list[Finding]:
    """The findings that count, by file and line."""
    order = {name: number for number, name in enumerate(checked.files)}
    kept = (finding for finding in checked.findings.kept if finding.code in wanted)
    return sorted(
        kept, key=lambda each: (order.get(each.place.file or "", len(order)), each.place.line or 0)
    )


def _checked(where: str, site: Path | None, timeout: float) -> Checked:
    now = datetime.now(UTC)
    checked = check_protocol(where, now=now, timeout=timeout)
    folder = site or (site_beside(checked.path) if checked.path else None)
    if folder:
        whole = site is not None or _is_whole(checked.path)
        found = check_site(checked.listed, folder, checked.findings, whole=whole)
        if site and checked.listed and found is None:
            raise not_its_site(site)
    return checked


def _is_whole(path: Path | None) -> bool:
    """Whether a file is the one that is meant where its folder is named."""
    names = (name for name in NAMES if path and path.with_name(name).is_file())
    return path is not None and path.name == next(names, None)


def _tell_findings(findings: Sequence[Finding], *, github: bool) -> None:
    """Print at most `_MOST` of each code, and what to do about each."""
    told: Counter[str] = Counter()
    for finding in findings:
        told[finding.code] += 1
        if told[finding.code] <= _MOST:
            click.echo(_annotation(finding) if github else _line(finding))
    for code, count in sorted(told.items()) if not github else ():
        left = f", {count - _MOST:,} of them not shown" if count > _MOST else ""
        click.echo(f"{click.style(code, bold=True)} ({count:,}{left}): {CODES[code].fix}")


def _line(finding: Finding) -> str:
    """``site/sitemap.xml:3: error loc-fragment: URL: loc has a fragment``."""
    severity = click.style(finding.rule.severity, fg=_COLOURS[finding.rule.severity])
    told = f"{severity} {click.style(finding.code, bold=True)}: {_reason(finding)}"
    return f"{printable(str(finding.place))}: {told}"


def _reason(finding: Finding) -> str:
    return printable(f"{finding.loc}: {finding.reason}" if finding.loc else finding.reason)


def _annotation(finding: Finding) -> str:
    """A workflow command of GitHub; files are named as the command got them."""
    place, properties = finding.place, {"title": finding.code}
    message = f"{_reason(finding)}. {finding.rule.fix}"
    if place.file and "://" not in place.file:
        line = {"line": str(place.line)} if place.line else {}
        properties = {"file": place.file, **line, **properties}
    else:
        message = f"{printable(str(place))}: {message}"
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{finding.rule.severity} {said}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _summary(
    checked: Sequence[Checked], findings: Sequence[Finding], wanted: frozenset[str]
) -> str:
    counts = Counter(finding.rule.severity for finding in findings)
    kinds = [plural(counts[severity], severity) for severity in Severity if counts[severity]]
    files = plural(len({name for one in checked for name in one.files}), "file")
    urls = plural(sum(len(one.listed) for one in checked), "URL")
    left = sum(one.findings.more(wanted) for one in checked)
    more = f", and {left:,} more of the same" if left else ""
    return f"{' and '.join(kinds) or 'No problems'}{more} in {files} with {urls}."


def _as_json(
    checked: Sequence[Checked],
    findings: Sequence[Finding],
    wanted: frozenset[str],
    errors: Sequence[str],
) -> dict[str, object]:
    return {
        "findings": [
            {
                "code": finding.code,
                "severity": finding.rule.severity,
                "file": finding.place.file,
                "line": finding.place.line,
                "loc": finding.loc,
                "reason": finding.reason,
                "fix": finding.rule.fix,
            }
            for finding in findings
        ],
        "more": sum(one.findings.more(wanted) for one in checked),
        "files": list(dict.fromkeys(name for one in checked for name in one.files)),
        "urls": sum(len(one.listed) for one in checked),
        "unusable": list(errors),
    }
