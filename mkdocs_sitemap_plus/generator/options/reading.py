"""Read values at their places, and collect all that is wrong with them."""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, tzinfo
from typing import Any

from mkdocs_sitemap_plus.generator.options.value_kinds import QUOTE_IT, Invalid, ReadValue
from mkdocs_sitemap_plus.problems import Code, Place, Problem, invalid
from mkdocs_sitemap_plus.wording import DOCS, first_names, format_key

_RECIPES = f"{DOCS}guide/files-images-videos/"
_LINKS = f"To link pages by hand, use the option `transform`: {_RECIPES}#links-by-hand"
REMOVED = {
    "x_default": "x-default is the default language, or the first of `alternates`. To set another, "
    f"use the option `transform`: {_RECIPES}#links-by-hand",
    "check": "Use `check --ignore CODE` instead.",
    "lastmod.file": "The dates file is `sitemap-dates.json`, beside the project file: move it "
    "there.",
    "sitemap.videos": f"To list videos, use the option `transform`: {_RECIPES}#videos",
    "sitemap.alternates": _LINKS,
    "extra_urls.alternates": _LINKS,
}
"""Options and keys of 0.11, and what holds now. The next version takes them for unknown keys."""


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
        self, read: ReadValue, raw: object, *, done: str | None = None, written: str | None = None
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

    def required(
        self, key: str, read: ReadValue, keys: Mapping[Any, Any], known: Collection[str]
    ) -> Any:  # noqa: ANN401 - what `read` returns
        """Return a value that a mapping must have. Where it is missing, unknown keys are named.

        The error stops the build before anybody sees their warnings.
        """
        value = self.under(key).value(read, keys.get(key))
        unknown = [f"`{format_key(each)}`" for each in keys if each not in known]
        if unknown and keys.get(key) is None:
            fix = f"Unknown here: {first_names(unknown)}."
            self.problems[-1] = self.problems[-1]._replace(fix=fix)
        return value

    def items(self, raw: object, what: str, first: str) -> list[tuple["Reading", Any]]:
        """Return the items of a list of mappings, each with its reading; all have `first`."""
        if isinstance(raw, list):
            return [(self.item(number), each) for number, each in enumerate(raw)]
        self.wrong(raw, Invalid(f"a list of {what}", fix=f"Begin each with `- {first}: …`."))
        return []

    def unknown(self, keys: Collection[object], known: Collection[str]) -> None:
        """Add a problem for each unknown key."""
        for key in keys:
            place = self.under(key).place
            if fix := REMOVED.get(re.sub(r"\[\d+\]", "", place.key or "")):
                found = "was removed"
            else:
                found = f"is not a known key (known: {', '.join(known)})"
                fix = QUOTE_IT if isinstance(key, bool) else None
            problem = Problem(Code.UNKNOWN_KEY, found, place, done="It is ignored.", fix=fix)
            self.problems.append(problem)


def _problem(
    error: Invalid, raw: object, place: Place, done: str | None, written: str | None = None
) -> Problem:
    place = place._replace(key=f"{place.key or ''}{error.key}" or None)
    written = None if error.key else written  # which is the text of all of the value
    code, wrong = _code_of(place), error.of(raw)
    problem = invalid(code, place, wrong, error.expected, fault=error.fault, written=written)
    return problem._replace(done=done, fix=error.fix)


def _code_of(place: Place) -> Code:
    try:
        return Code(place.name.partition("[")[0])
    except ValueError:
        return Code.OPTION
