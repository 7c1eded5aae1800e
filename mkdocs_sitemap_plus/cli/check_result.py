"""Print what ``check`` found."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mkdocs_sitemap_plus.check import CODES_URL, Finding, Level
from mkdocs_sitemap_plus.check.page_rules import not_listed
from mkdocs_sitemap_plus.check.sitemaps import CheckResult
from mkdocs_sitemap_plus.cli.printing import (
    Row,
    echo,
    emit,
    print_errors,
    print_line,
    say,
    styled,
)
from mkdocs_sitemap_plus.output.summary import reasons_of
from mkdocs_sitemap_plus.wording import counted

_MAX_PRINTED = 20
"""At most this many findings of one code are printed. The JSON has more."""

_EXPECTED = ("project", "sample", "server", "site")
"""What a person knows not to be checked. The text has no note of it, but the JSON has."""


def print_result(result: CheckResult, form: str) -> None:
    """Print the result in the format `form`, and why sitemaps can't be checked."""
    # Without the project, pages that were left out on purpose are findings.
    lost = any(finding.rule is not_listed for finding in result.findings)
    for skipped in result.not_checked:
        if skipped.what not in _EXPECTED or (skipped.what == "project" and lost):
            print_line("Note", skipped.why)
    emit(form, _rows(result.findings), lambda: _as_json(result))
    if form != "json":
        _print_more(result, form)
    if result.interrupted:
        print_line("Note", "the check was interrupted, so this is not all.")
    print_errors(result.unusable, form)


def _rows(findings: Sequence[Finding]) -> Iterator[Row]:
    """Yield the first findings of each code."""
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= _MAX_PRINTED:
            yield Row(
                about=finding.loc or "",
                text=finding.reason,
                mark=finding.level,
                code=finding.code,
                place=finding.place,
                fix=finding.fix,
                explained=finding.rule.url,
            )


def _print_more(result: CheckResult, form: str) -> None:
    """Print how much was found, and what is no finding, since it is known why."""
    counts = Counter(finding.code for finding in result.findings)
    for code, count in sorted(counts.items()):
        if count > _MAX_PRINTED and form == "text":
            echo(styled(code, bold=True), f": {count - _MAX_PRINTED:,} more are not shown.")
    if result.files:
        say(_summary(result))
    if result.left_out:
        pages = counted(sum(result.left_out.values()), "page")
        reasons = reasons_of(result.left_out)
        say(f"{pages} not listed, as the build decided ({reasons}): `explain --all`.")
    if result.accepted:
        say(f"{counted(result.accepted, 'finding')} accepted by the option check.ignore.")
    for each in result.gone[:_MAX_PRINTED]:
        say(f"{each.loc} is gone: {each.why}.")
    if (more := len(result.gone) - _MAX_PRINTED) > 0:
        say(f"{more:,} more are gone for a known reason.")
    if form == "text" and result.urls and (why := dict(result.not_checked).get("site")):
        say(why)
    if form == "text" and result.findings:
        say(f"What the codes mean: {CODES_URL}")


def _summary(result: CheckResult) -> str:
    counts = Counter(finding.level for finding in result.findings)
    kinds = [counted(counts[level], level) for level in Level if counts[level]]
    more = f", and {result.more:,} more of the same" if result.more else ""
    files, urls = counted(len(result.files), "file"), counted(result.urls, "URL")
    asked = f"; {counted(result.pages_asked, 'page')} requested" if result.pages_asked else ""
    return f"{' and '.join(kinds) or 'No problems'}{more} in {files} with {urls}{asked}."


def _as_json(result: CheckResult) -> dict[str, object]:
    findings = [
        {
            "code": finding.code,
            "severity": finding.level,
            "file": finding.place.file,
            "line": finding.place.line,
            "loc": finding.loc,
            "reason": finding.reason,
            "fix": finding.fix,
            "url": finding.rule.url,
        }
        for finding in result.findings
    ]
    others = {
        name: [each._asdict() for each in getattr(result, name)] for name in ("not_checked", "gone")
    }
    return result._asdict() | others | {"findings": findings}
