"""The findings of a check, and the entries that it compares."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.elements import PREFIXES
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.tools.checks.codes import CODES, Code
from mkdocs_sitemap_plus.wording import MAX_VALUE, shorten

MAX_KEPT = 1_000
"""Findings of one code in one file that are kept. Further findings are only counted."""

_MAX_REASON = 2 * MAX_LOC_LENGTH
"""Characters of a reason: it may contain a URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a sitemap.

    Attributes:
        code: a key of `CODES`.
        place: the file or URL of the sitemap, and the line there; or the file of a built page.
        loc: the URL of the entry, cut if it is longer than the protocol allows; None if the
            finding is about a file.
        reason: what was found, as a clause.
        fix: what to do about it, as a sentence.
    """

    code: str
    place: Place
    loc: str | None
    reason: str
    fix: str

    @property
    def rule(self) -> Code:
        """The code with its meaning and severity."""
        return CODES[self.code]


@dataclass(slots=True)
class Findings:
    """All findings of a check.

    Attributes:
        kept: at most `MAX_KEPT` findings of each code in each file, in order.
        counts: how many findings there were, by code and file.
    """

    kept: list[Finding] = field(default_factory=list)
    counts: Counter[tuple[str, str | None]] = field(default_factory=Counter)

    def add(
        self,
        code: str,
        place: Place,
        reason: str,
        loc: str | None = None,
        *,
        fix: str | None = None,
    ) -> None:
        """Add a finding; without a `fix`, the fix of its code counts."""
        self.counts[code, place.file] += 1
        if self.counts[code, place.file] <= MAX_KEPT:
            finding = Finding(
                code=code,
                place=place,
                loc=shorten(loc, MAX_LOC_LENGTH) if loc else None,
                reason=shorten(reason, _MAX_REASON),
                fix=fix or CODES[code].fix,
            )
            self.kept.append(finding)

    def dropped(self, codes: Iterable[str]) -> int:
        """Return how many findings of these codes were not kept."""
        wanted = set(codes)
        return sum(
            max(0, count - MAX_KEPT) for (code, _), count in self.counts.items() if code in wanted
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Adds findings about the elements of one entry.

    Attributes:
        findings: where the findings are added.
        file: the path or URL of the sitemap.
        loc: the URL of the entry; None for an entry without a URL, and outside of entries.
    """

    findings: Findings
    file: str
    loc: str | None = None

    def add(self, code: str, element: RawElement, clause: str) -> None:
        """Add a finding; its reason is the name of the element with the clause behind it."""
        place = sitemap_place(self.file, element.line)
        self.findings.add(code, place, f"{prefixed_name(element)} {clause}", self.loc)


def prefixed_name(element: RawElement) -> str:
    """Return an element's name with the usual prefix of its namespace."""
    return shorten(PREFIXES.get(element.space, "") + element.name, MAX_VALUE)


def sitemap_place(name: str, line: int | None = None) -> Place:
    """Return a place in a sitemap."""
    return Place(origin=Origin.SITEMAP, file=name, line=line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry of a sitemap or an index, for the rules about several entries.

    Attributes:
        loc: its URL as it is written, without white space around it.
        place: its file and line.
        lastmod: its date; None if it has none, or one that the schema does not allow.
        alternates: the URLs of all its language links, as `url_key` writes them.
        languages: the same without links that are only x-default.
    """

    loc: str
    place: Place
    lastmod: date | datetime | None
    alternates: frozenset[str]
    languages: frozenset[str]
