"""Print what ``check`` found: as text, as annotations for GitHub, or as JSON."""

from collections import Counter
from collections.abc import Sequence

from mkdocs_sitemap_plus.check import CODES_URL, CheckCode, Finding, Severity
from mkdocs_sitemap_plus.check.sitemaps import CheckResult
from mkdocs_sitemap_plus.cli.printing import (
    Styled,
    echo,
    print_annotation,
    print_errors,
    print_json,
    print_line,
    say,
    styled,
)
from mkdocs_sitemap_plus.output.summary import reasons_of
from mkdocs_sitemap_plus.sitemap.open_sitemaps import STDIN_NAME
from mkdocs_sitemap_plus.wording import counted

_MAX_PRINTED = 20
"""At most this many findings of one code are printed as text or for GitHub. The JSON has more."""

_EXPECTED = ("project", "sample", "server", "site")
"""What a person knows not to be checked. The text has no note of it, but the JSON has."""

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def print_result(result: CheckResult, form: str) -> None:
    """Print the result in the format `form`, and why sitemaps can't be checked."""
    # Without the project, pages that were left out on purpose are findings.
    lost = any(finding.code is CheckCode.NOT_LISTED for finding in result.findings)
    for skipped in result.not_checked:
        if skipped.what not in _EXPECTED or (skipped.what == "project" and lost):
            print_line("Note", "yellow", skipped.why)
    if form == "json":
        print_json(_as_json(result))
    else:
        _print_findings(result.findings, github=form == "github")
        if result.files:
            say(_summary(result))
        _print_decided(result)
        if form == "text" and result.urls and (why := dict(result.not_checked).get("site")):
            say(why)
        if form == "text" and result.findings:
            say(f"What the codes mean: {CODES_URL}")
    if result.interrupted:
        print_line("Note", "yellow", "the check was interrupted, so this is not all.")
    print_errors(result.unusable, form)


def _print_findings(findings: Sequence[Finding], *, github: bool) -> None:
    """Print the first findings of each code. As text, print also how many are not shown."""
    counts: Counter[CheckCode] = Counter()
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= _MAX_PRINTED:
            subject = f"{finding.loc}: " if finding.loc else ""
            message = f"{subject}{finding.reason}. {finding.fix}"
            if github:
                _annotate(finding, message)
            else:
                echo(*_line(finding, message))
    for code, count in sorted(counts.items()):
        more = count - _MAX_PRINTED
        if more > 0 and not github:
            echo(styled(code, bold=True), f": {more:,} more are not shown.")


def _print_decided(result: CheckResult) -> None:
    """Print what is no finding, since the owner decided it or the reason is known."""
    if result.left_out:
        pages = counted(sum(result.left_out.values()), "page")
        reasons = reasons_of(result.left_out)
        say(f"{pages} not listed, as the build decided ({reasons}): `explain --all`.")
    if result.accepted:
        say(f"{counted(result.accepted, 'finding')} accepted by the option check.ignore.")
    for number, gone in enumerate(result.gone):
        if number == _MAX_PRINTED:
            say(f"{len(result.gone) - number:,} more are gone for a known reason.")
            break
        say(f"{gone.loc} is gone: {gone.why}.")


def _line(finding: Finding, message: str) -> tuple[str | Styled, ...]:
    """Return ``sitemap.xml:3: error loc-fragment: URL: loc has the fragment '#a'. FIX``."""
    severity = styled(finding.code.severity, fg=_COLOURS[finding.code.severity])
    return f"{finding.place}: ", severity, " ", styled(finding.code, bold=True), f": {message}"


def _annotate(finding: Finding, message: str) -> None:
    place = finding.place
    properties = {"title": str(finding.code)}
    if place.file and "://" not in place.file and place.file != STDIN_NAME:
        line = {"line": str(place.line)} if place.line else {}
        properties = {"file": place.file, **line, **properties}
    else:
        message = f"{place}: {message}"
    print_annotation(finding.code.severity, f"{message} {finding.code.url}", **properties)


def _summary(result: CheckResult) -> str:
    counts = Counter(finding.code.severity for finding in result.findings)
    kinds = [counted(counts[severity], severity) for severity in Severity if counts[severity]]
    more = f", and {result.more:,} more of the same" if result.more else ""
    files, urls = counted(len(result.files), "file"), counted(result.urls, "URL")
    asked = [counted(result.pages_asked, "page")] if result.pages_asked else []
    asked += [counted(result.links_asked, "link")] if result.links_asked else []
    pages = f"; {' and '.join(asked)} requested" if asked else ""
    return f"{' and '.join(kinds) or 'No problems'}{more} in {files} with {urls}{pages}."


def _as_json(result: CheckResult) -> dict[str, object]:
    findings = []
    for finding in result.findings:
        code, place, loc, reason, fix = finding
        where = {"file": place.file, "line": place.line, "loc": loc}
        what = {"code": code, "severity": finding.code.severity, **where}
        findings.append(what | {"reason": reason, "fix": fix, "url": finding.code.url})
    others = {
        name: [each._asdict() for each in getattr(result, name)] for name in ("not_checked", "gone")
    }
    return result._asdict() | others | {"findings": findings}
