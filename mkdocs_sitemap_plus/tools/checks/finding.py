"""What a check found, and where."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.tools.checks.codes import CODES, Code
from mkdocs_sitemap_plus.wording import shorten

MOST = 1_000
"""Findings of one code in one file that are kept; the rest is counted. Nobody reads more."""

_MAX_REASON = 2 * MAX_LOC_LENGTH
"""Characters of a reason: it may contain a URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a sitemap.

    Attributes:
        code: a key of `CODES`.
        place: the file or URL of the sitemap, and the line there; or the file of a built page.
        loc: the URL of the entry, cut if it is longer than the protocol allows; None for a whole
            file.
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
        """What the code means."""
        return CODES[self.code]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with an element.

    Attributes:
        code: a key of `CODES`.
        line: the 1-based line in the sitemap.
        reason: what was found, as a clause.
    """

    code: str
    line: int
    reason: str


@dataclass(slots=True)
class Findings:
    """All findings, in order.

    Attributes:
        kept: at most `MOST` of each code in each file.
        counts: how many there were, by code and file.
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
        """Add one; without a `fix` of its own it gets that of its code."""
        self.counts[code, place.file] += 1
        if self.counts[code, place.file] <= MOST:
            finding = Finding(
                code=code,
                place=place,
                loc=shorten(loc, MAX_LOC_LENGTH) if loc else None,
                reason=shorten(reason, _MAX_REASON),
                fix=fix or CODES[code].fix,
            )
            self.kept.append(finding)

    def more(self, codes: Iterable[str]) -> int:
        """Return how many findings of these codes were not kept."""
        wanted = set(codes)
        return sum(
            max(0, count - MOST) for (code, _), count in self.counts.items() if code in wanted
        )
