"""When pages changed: what a source of dates is asked and answers, and why a page has no date."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.generator.options.fields import Overrides
from mkdocs_sitemap_plus.generator.options.settings import LastmodSettings
from mkdocs_sitemap_plus.generator.pages.site import MARKDOWN, Parts
from mkdocs_sitemap_plus.gitdates import Change, NoDate, Skipped
from mkdocs_sitemap_plus.problems import Place, Problem
from mkdocs_sitemap_plus.wording import format_value


class Reason(StrEnum):
    """Why a page has no date, from the least to the most specific reason.

    If several sources have no date of the page, the reason that stands last here is kept. Those of
    git are those of `GitReason`. A source may also have a reason of its own.
    """

    NO_SOURCES = "no sources of dates"
    NOT_SET = "no date in front matter"
    NO_DATES_FILE = "no dates file"
    NO_REPOSITORY = "no git repository"
    GIT_FAILED = "git failed"
    UNUSABLE_DATES_FILE = "unusable dates file"
    NOT_IN_DATES_FILE = "not in the dates file"
    CHANGED_SINCE = "changed since the dates file"
    UNKNOWN_SOURCE = "unknown source"
    NOT_COMMITTED = "not committed"
    SHALLOW = "shallow clone"
    NO_BLOBS = "partial clone"
    IGNORED = "ignored commits"
    INVALID_COMMIT_DATE = "invalid commit date"
    UNKNOWN_INCLUDE = "unknown include"
    UNDATED_POST = "undated post"
    FUTURE = "date in the future"
    INVALID = "invalid date"
    TURNED_OFF = "lastmod: false"
    TRANSFORM = "transform"


_RANKS = {str(reason): rank for rank, reason in enumerate(Reason)}


def more_specific(first: NoDate, second: NoDate) -> NoDate:
    """Return the more specific of two reasons, or `first` if they are equally specific."""
    own_words = _RANKS[Reason.NOT_IN_DATES_FILE]
    return max(first, second, key=lambda why: _RANKS.get(why.reason, own_words))


WRITE_AGAIN = "Write the file again in the repository: `mkdocs-sitemap-plus dates`."
COMMIT_FIRST = "Commit all changes, then run `mkdocs-sitemap-plus dates` in the repository."

UNKNOWN_SOURCE = NoDate(Reason.UNKNOWN_SOURCE, "the source file of the page is not known")
BY_TRANSFORM = NoDate(Reason.TRANSFORM, "the function of `transform` removed it")

Key = tuple[str, str]  # A page: its path in the built site, and its path under the docs folder


class Dated(NamedTuple):
    """The date of a page, and where it comes from: the place of the owner's value, or a change."""

    lastmod: date | datetime
    origin: Place | Change


class DateQuery(NamedTuple):
    """What the date of a page depends on."""

    overrides: Overrides
    # The files that the page may be made from. The first that the source knows counts.
    source_files: tuple[Path, ...] = ()
    no_source: NoDate = UNKNOWN_SOURCE  # if it has none
    parts: Parts = Parts()
    posts: tuple[Key, ...] = ()  # the posts that it shows, if it is a view of a blog
    generated: bool = False  # whether a plugin made it. Such a page has no file of its own.
    published: Dated | None = None  # when its blog publishes it, however old its last commit is


Answers = dict[Key, Dated | NoDate]


class DateSource:
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
        self.settings, self.root, self.docs_dir, self.repo_url = settings, root, docs_dir, repo_url
        self.begin()

    def begin(self) -> None:
        """Begin the work of a slow source."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the date of each of these pages, or why it has none; and what went wrong.

        A build may ask several times, also for no page at all.
        """
        raise NotImplementedError

    def uncommitted(self, files: Iterable[Path]) -> Iterable[Path]:  # noqa: ARG002 - as of git
        """Return those of these files that differ from what it dates."""
        return ()

    @property
    def commit(self) -> str | None:
        """The commit whose history it reads; None if it reads none."""
        return None

    def close(self) -> None:
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
    files: dict[Key, Path] = {}
    for key, query in queries.items():
        own = () if query.generated else query.source_files[:1]
        found = (path for path in query.source_files if path in known)
        if path := next(iter((*found, *own)), None):
            files[key] = path
    dates = dates_of({*files.values()}.union(*(query.parts.files for query in queries.values())))
    answers: Answers = {}
    for key, query in queries.items():
        if key not in files:
            answers[key] = query.no_source
        elif isinstance(own_date := dates[files[key]], NoDate):
            answers[key] = own_date
        elif query.parts.unknown:
            detail = f"it includes {format_value(query.parts.unknown[0])}, whose file is not known"
            has_front_matter = files[key].suffix.lower() in MARKDOWN
            fix = "Name the files under `sitemap.depends` in front matter."
            answers[key] = NoDate(
                Reason.UNKNOWN_INCLUDE, detail, fix=fix if has_front_matter else None
            )
        else:
            answers[key] = _newest(own_date, query.parts, dates)
    return answers


def _newest(own: Change, parts: Parts, dates: Mapping[Path, Change | NoDate]) -> Dated:
    """Return the newest change of a page and its parts; of equally new ones, that of the page.

    Its `skipped` also names what has no date, was not found or not searched, and the older commit.
    """
    newest, undated = own, list[Skipped]()
    for path in parts.files:
        found = dates[path]
        if isinstance(found, NoDate):
            undated.append(Skipped(str(path), f"included, but without a date: {found.reason}"))
        elif (found.when, newest is not own, found.path) > (newest.when, True, newest.path):
            newest = found
    skipped = [
        *newest.skipped,
        *(Skipped(name, "included, but not found") for name in parts.missing),
        *(Skipped(name, f"not searched: {why}") for name, why in parts.unsearched),
        *sorted(undated),
    ]
    if newest is not own:
        skipped.append(Skipped(own.commit or own.path, f"{own.path} itself changed earlier"))
    return Dated(newest.when, newest._replace(skipped=tuple(skipped)))
