"""Read values at their places, and collect all that is wrong with them."""

from collections.abc import Collection, Mapping
from datetime import UTC, tzinfo
from typing import Any

from mkdocs_sitemap_plus.options.values import QUOTE_IT, Invalid, Read
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import (
    DOCS,
    MAX_VALUE,
    closest,
    counted,
    format_key,
    format_value,
    printable,
    shorten,
)

_MAX_UNKNOWN = 10  # unknown keys of a mapping that get a message each; the others are counted
_FEW = 10  # keys that a message can list

_MEANT = {
    "frequency": "changefreq", "freq": "changefreq", "change_frequency": "changefreq",
    "noindex": "exclude", "no_index": "exclude", "ignore": "exclude", "hidden": "exclude",
    "hide": "exclude", "disable": "exclude", "date": "lastmod", "last_modified": "lastmod",
    "updated": "lastmod", "weight": "priority", "ignored_commits_file": "ignore_revs_file",
    "ignored_commits": "ignore_revs_file", "path": "match", "paths": "match", "pattern": "match",
    "patterns": "match", "page": "match", "pages": "match", "file": "match", "files": "match",
    "glob": "match", "url": "match",
}  # fmt: skip
"""The names that other tools have for our keys."""

_OPPOSITES = frozenset((
    "enable", "enabled", "include", "included", "index", "list", "listed", "publish", "show",
))  # fmt: skip
"""Keys that are similar to ``exclude``, and mean the opposite."""


class Reading:
    """Values at a place. Readings of the parts of a value share their problems."""

    def __init__(
        self, place: Place, zone: tzinfo = UTC, problems: list[Problem] | None = None
    ) -> None:
        """Begin at a place. Datetimes without an offset are in `zone`."""
        self.place, self.zone = place, zone
        self.problems = [] if problems is None else problems

    def at(self, place: Place) -> "Reading":
        """Return the reading of another place."""
        return Reading(place, self.zone, self.problems)

    def under(self, key: object) -> "Reading":
        """Return the reading of a key in the mapping at this place."""
        name = format_key(key)
        return self.at(self.place.under(name) if self.place.key else self.place._replace(key=name))

    def item(self, number: int) -> "Reading":
        """Return the reading of an item in the list at this place."""
        return self.at(self.place.item(number))

    def value(
        self, read: Read, raw: object, *, done: str | None = None, written: str | None = None
    ) -> Any:  # noqa: ANN401 - what `read` returns
        """Return the value that `read` makes of `raw`; if there is none, None and a problem.

        The problem quotes the text from which YAML made the value, if that is known.
        """
        try:
            return read(raw)
        except Invalid as error:
            self.problems.append(_problem(error, raw, self.place, done, written))
            return None

    def wrong(self, raw: object, error: Invalid) -> None:
        """Add the problem that a value is not what it must be."""
        self.problems.append(_problem(error, raw, self.place, None))

    def mapping(self, raw: object, known: Collection[str]) -> Mapping[Any, Any] | None:
        """Return a mapping whose unknown keys are problems; None if it is none."""
        if not isinstance(raw, Mapping):
            self.wrong(raw, Invalid("a mapping of " + ", ".join(known)))
            return None
        self.unknown([key for key in raw if key not in known], known)
        return raw

    def items(self, raw: object, what: str) -> list[tuple["Reading", Any]]:
        """Return the items of a list of mappings, each with its reading."""
        if isinstance(raw, list):
            return [(self.item(number), each) for number, each in enumerate(raw)]
        fix = None
        if isinstance(raw, Mapping) and raw:
            fix = f"Put `- ` before its first key, `{format_key(next(iter(raw)))}`."
        self.wrong(raw, Invalid(f"a list of {what}", fix=fix))
        return []

    def unknown(
        self,
        keys: Collection[object],
        known: Collection[str],
        names: Mapping[str, str] = {},
    ) -> None:
        """Add a problem for each unknown key.

        `names` has what messages call keys, also those that are known in other mappings only.
        """
        for key in list(keys)[:_MAX_UNKNOWN]:
            found, near, fix = "is not a known key", None, None
            name = format_key(key)
            if isinstance(key, bool):
                fix = QUOTE_IT
            elif name.lower() in _OPPOSITES and "exclude" in known:
                fix = "To leave pages out, use `exclude`. To list only one folder, write "
                fix += "`exclude: ['/*', '!/folder/']`."
                if self.place.key is not None:  # in a rule
                    fix = "To leave pages out, use `exclude`."
                if self.place.origin is Origin.FRONT_MATTER:
                    fix = "To leave the page out, write `sitemap: false`."
            else:
                near = nearest(name, known, names)
            if not near and not fix and self.place.key is None:
                fix = f"All options: {DOCS}reference/options/."
            elif not near and not fix:
                found += f" (known: {', '.join(known)})"
            place = self.under(key).place
            problem = Problem(Code.UNKNOWN_KEY, found, place, done="It is ignored.", fix=fix)
            if near:  # an option under another; its dotted name would be no key, either
                near = " under ".join(map(format_value, reversed(near.split("."))))
            self.problems.append(problem._replace(suggestion=near))
        if (more := len(keys) - _MAX_UNKNOWN) > 0:
            found, done = f"has {counted(more, 'more unknown key')}", "They are ignored."
            self.problems.append(Problem(Code.UNKNOWN_KEY, found, self.place, done=done))


def nearest(name: str, known: Collection[str], names: Mapping[str, str]) -> str | None:
    """Return the name of the option or field that is meant by an unknown one, if that is clear."""
    word = name.lower().replace("-", "_")
    meant = meant_by(word)
    if meant and meant in known and word not in names:
        return names.get(meant, meant)
    right = names.get(word) or names.get(meant or "")
    if right or meant:  # what has another meaning is no slip
        return right
    near = closest(word, known, cutoff=0.6 if len(known) < _FEW else 0.7)
    near = near or closest(word, names, cutoff=0.8)
    return names.get(near, near) if near else None


def meant_by(name: object) -> str | None:
    """Return the key of ours for which other tools have this name; None if there is none."""
    return _MEANT.get(name) if isinstance(name, str) else None


def _problem(
    error: Invalid, raw: object, place: Place, done: str | None, written: str | None = None
) -> Problem:
    """Return the problem of a value that a reader did not take."""
    wrong = error.of(raw)
    shown = format_value(wrong)
    if written and not error.key:
        shown = shorten(printable(written), MAX_VALUE)
    found = "is missing or empty" if wrong is None else f"is {shown}"
    place = place._replace(key=f"{place.key or ''}{error.key}" or None)
    return Problem(
        code=_code_of(place),
        place=place,
        found=f"{found}, which {error.fault}" if error.fault else found,
        expected=error.expected,
        suggestion=None if error.suggestion is None else format_value(error.suggestion),
        done=done,
        fix=error.fix,
    )


def _code_of(place: Place) -> Code:
    """Return the code of an invalid value: that of its field, or of all options."""
    if "videos[" in (place.key or ""):
        return Code.VIDEOS
    try:
        return Code(place.name.partition("[")[0])
    except ValueError:
        return Code.OPTION
