"""What a check found, and where."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from mkdocs_sitemap_plus.check.codes import CODES, Code
from mkdocs_sitemap_plus.evidence import Place

MOST = 1_000
"""Findings of one code in one file that are kept; the rest is counted. Nobody reads more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a sitemap.

    Attributes:
        code: a key of `CODES`.
        place: the file or URL of the sitemap, and the line there; or the file of a built page.
        loc: the URL of the entry; None for what concerns a whole file.
        reason: what was found, as a clause.
    """

    code: str
    place: Place
    loc: str | None
    reason: str

    @property
    def rule(self) -> Code:
        """What the code means, and what to do about it."""
        return CODES[self.code]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The same, of an element alone.

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
    """All that was found, in the order in which it was.

    Attributes:
        kept: at most `MOST` of each code in each file.
        counts: how many there were, by code and file.
    """

    kept: list[Finding] = field(default_factory=list)
    counts: Counter[tuple[str, str | None]] = field(default_factory=Counter)

    def add(self, code: str, place: Place, reason: str, loc: str | None = None) -> None:
        """Add one."""
        self.counts[code, place.file] += 1
        if self.counts[code, place.file] <= MOST:
            self.kept.append(Finding(code=code, place=place, loc=loc, reason=reason))

    def more(self, codes: Iterable[str]) -> int:
        """How many of these codes were not kept."""
        wanted = set(codes)
        return sum(
            max(0, count - MOST) for (code, _), count in self.counts.items() if code in wanted
        )
