"""What a project file drops of the options that it inherits: MkDocs says nothing of it."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, read_file
from mkdocs_sitemap_plus.generator.pages.front_matter import PLUGIN, merge
from mkdocs_sitemap_plus.generator.pages.project_file import lines_of_options, with_parents
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError, with_line
from mkdocs_sitemap_plus.wording import format_key, format_value

_ABSENT = object()


class InheritedPattern(NamedTuple):
    """A pattern with which an inherited file leaves pages out."""

    line: str
    key: str  # the option that has it: ``exclude`` or ``rules``
    where: str  # file and line of this option


class Inherited(NamedTuple):
    """Of the options that a project file inherits, what its own ones may drop."""

    problem: Problem | None = None  # that all of them are dropped
    patterns: tuple[InheritedPattern, ...] = ()


def read_inherited(project_file: Path) -> Inherited:
    """Return what a project file inherits of the options of this plugin; in TOML, nothing.

    In place of a mapping, MkDocs takes null and false for one that is empty.
    """
    with suppress(SitemapError, Unreadable):
        if b"INHERIT" not in read_file(project_file):  # as in most: nothing else need be read
            return Inherited()
        (_, own), *parents = with_parents(project_file)
        merged: Mapping[str, Any] = {}
        for _, settings in reversed(parents):
            merged = merge(merged, settings, join_lists=False)
        value, options = _options_in(own), _options_in(merged)
        if value is _ABSENT or not isinstance(options, Mapping) or not options:
            return Inherited()
        places = lines_of_options(parents, project_file.parent)

        def where(key: str) -> str:
            return str(with_line(Place(Origin.OPTION, key=key), *places)._replace(key=None))

        if isinstance(value, Mapping) or isinstance(own["plugins"], list):
            return Inherited(patterns=tuple(
                InheritedPattern(line, key, where(key)) for key, line in _excluded_by(options)
            ))  # fmt: skip
        names = ", ".join(map(format_key, options))
        return Inherited(Problem(
            Code.OPTION,
            f"is {format_value(value)}, so the plugin is on without the options in "
            f"{where(PLUGIN)} ({names})",
            Place(Origin.OPTION, project_file.name, PLUGIN),
            fix=f"To keep them, remove it. To turn the plugin off, write `{PLUGIN}: {{enabled: "
            "false}`.",
        ))  # fmt: skip
    return Inherited()


def _options_in(settings: Mapping[str, Any]) -> object:
    plugins = settings.get("plugins")
    for part in plugins if isinstance(plugins, list) else [plugins]:
        if isinstance(part, Mapping) and PLUGIN in part:
            return part[PLUGIN]
        if part == PLUGIN:
            return {}
    return _ABSENT


def _excluded_by(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each line of a pattern that leaves pages out, after the key of its option."""
    yield from (("exclude", line) for line in _lines(options.get("exclude")))
    rules = options.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        if isinstance(rule, Mapping) and rule.get("exclude") is True:
            yield from (("rules", line) for line in _lines(rule.get("match")))


def _lines(patterns: object) -> list[str]:
    texts = patterns if isinstance(patterns, list) else [patterns]
    return [line for text in texts if isinstance(text, str) for line in text.splitlines()]
