"""What a source of dates is: it is asked for the dates of pages, and answers for each of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.gitdates import Skipped
from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.parts import FoundParts
from mkdocs_sitemap_plus.options import LastmodSettings
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.problems import Place, Problem
from mkdocs_sitemap_plus.wording import format_value

Key = tuple[str, str]  # A page: its path in the built site, and its path under the docs folder


class DateQuery(NamedTuple):
    """What the date of a page depends on."""

    overrides: Overrides
    # The files that the page may be made from. The first that the source knows counts.
    source_files: tuple[Path, ...] = ()
    no_source: str | None = None  # why it has none, if that is known
    parts: FoundParts = FoundParts()
    posts: tuple[Key, ...] = ()  # the posts that it shows, if it is a view of a blog
    generated: bool = False  # whether a plugin made it. Such a page has no file of its own.


class Dated(NamedTuple):
    """The date of a page, and where it comes from: the place of the owner's value, or a change."""

    lastmod: date | datetime
    because: Place | Change


Answers = dict[Key, Dated | NoDate]


class DateSource(ABC):
    """A source of dates. It is opened once for each build, and reads what it needs when asked."""

    def __init__(
        self,
        settings: LastmodSettings,
        root: Path = Path(),
        docs_dir: Path | None = None,
        repo_url: str | None = None,
    ) -> None:
        """Open the source; `root` is the folder of the project file.

        With `docs_dir`, a slow source begins its work now, while the pages are built.
        """
        self.settings = settings
        self.root = root
        self.docs_dir = docs_dir
        self.repo_url = repo_url
        self.open()

    def open(self) -> None:  # noqa: B027 - most read when they are asked
        """Prepare to answer; with `docs_dir`, begin what is slow."""

    @abstractmethod
    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the date of each of these pages, or why it has none; and what went wrong.

        A build may ask several times, also for no page at all.
        """

    @property
    def commit(self) -> str | None:
        """The commit whose history it reads; None if it reads none."""
        return None

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """End what works in the background. The source may still be asked."""


def date_by_files(
    queries: Mapping[Key, DateQuery],
    known_files: Callable[[set[Path]], set[Path]],
    dates_of: Callable[[set[Path]], Mapping[Path, Change | NoDate]],
) -> Answers:
    """Date pages by the first source file that is known, or by a part that changed later.

    For sources that date files: `known_files` returns which of some files the source knows, and
    `dates_of` the dates of files. A page without any file is from an unknown source, and one whose
    builder includes unknown files has no date.
    """
    known = known_files({path for query in queries.values() for path in query.source_files})
    chosen = ((key, _file_of(query, known)) for key, query in queries.items())
    files = {key: path for key, path in chosen if path}
    included = {path for query in queries.values() for path in query.parts.files}
    dates = dates_of(included.union(files.values()))
    answers: Answers = {key: _unknown(query) for key, query in queries.items()}
    for key, path in files.items():
        own, parts = dates[path], queries[key].parts
        if isinstance(own, NoDate):
            answers[key] = own
        elif parts.unknown:
            detail = f"it includes {format_value(parts.unknown[0])}, whose file is not known"
            answers[key] = NoDate(Reason.UNKNOWN_INCLUDE, detail)
        else:
            answers[key] = _newest_of(own, parts, dates)
    return answers


def _unknown(query: DateQuery) -> NoDate:
    why = f": {query.no_source}" if query.no_source else ""
    return NoDate(Reason.UNKNOWN_SOURCE, f"the source file of the page is not known{why}")


def _file_of(query: DateQuery, known: set[Path]) -> Path | None:
    """Return the first source file that is known; otherwise the page's own file, if any."""
    own_file = None if query.generated else next(iter(query.source_files), None)
    return next((path for path in query.source_files if path in known), own_file)


def _newest_of(own: Change, parts: FoundParts, dates: Mapping[Path, Change | NoDate]) -> Dated:
    """Return the newest change of a page and its parts; of equally new ones, that of the page.

    Its `skipped` also names the parts that have no date, were not found or were not searched. If a
    part changed later than the page's own file, it also names the commit of this file.
    """
    found = [dates[path] for path in parts.files]
    changes = [own, *(change for change in found if isinstance(change, Change))]
    newest = max(changes, key=lambda change: (change.when, change is own, change.path))
    skipped = [Skipped(what=name, why="included, but not found") for name in parts.missing]
    skipped += [Skipped(what=name, why=f"not searched: {why}") for name, why in parts.unsearched]
    undated = [(path, dates[path]) for path in parts.files]
    skipped += sorted(
        Skipped(what=str(path), why=f"included, but without a date: {why.reason}")
        for path, why in undated
        if isinstance(why, NoDate)
    )
    if newest is not own:
        skipped.append(Skipped(what=own.name, why=f"{own.path} itself changed earlier"))
    because = newest._replace(skipped=(*newest.skipped, *skipped))
    return Dated(lastmod=newest.when, because=because)


def more_specific(first: Dated | NoDate, second: Dated | NoDate) -> Dated | NoDate:
    """Return the more specific of two reasons, or `first` if they are equally specific.

    If one of the two is a date, return `second`.
    """
    if isinstance(first, NoDate) and isinstance(second, NoDate):
        return max(first, second, key=lambda why: why.rank)
    return second
