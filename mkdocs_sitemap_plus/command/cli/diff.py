"""Compare two sitemaps: ``diff``."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import click

from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.printing import OutputRow, emit, print_line, say
from mkdocs_sitemap_plus.command.reader.find import Web
from mkdocs_sitemap_plus.command.reader.read import collect_both
from mkdocs_sitemap_plus.sitemap.entries import ENTRY_FIELDS, UrlEntry
from mkdocs_sitemap_plus.sitemap.urls import can_be_one_file, url_key, without_form
from mkdocs_sitemap_plus.sitemap.write import json_value
from mkdocs_sitemap_plus.wording import counted


class UrlChange(NamedTuple):
    """What became of a URL from one sitemap to another."""

    old: UrlEntry | None  # None if it was added
    new: UrlEntry | None  # None if it was removed
    fields: tuple[str, ...]  # the names of the fields that differ; () if it was added or removed


def changes(old: Mapping[str, UrlEntry], new: Mapping[str, UrlEntry]) -> dict[str, UrlChange]:
    """Return the changes from `old` to `new`, sorted. The keys of all three are ``loc``."""
    found = {}
    for loc in sorted(old.keys() | new.keys()):
        before, after = old.get(loc), new.get(loc)
        if before == after:
            continue
        names = differing_fields(before, after) if before and after else ()
        if names or not before or not after:
            found[loc] = UrlChange(before, after, names)
    return found


def differing_fields(old: UrlEntry, new: UrlEntry) -> tuple[str, ...]:
    """Return the names of the fields whose values differ.

    Two spellings of a time are equal: 12:00+02:00 is 10:00Z. The order of alternates, images and
    videos does not matter.
    """

    def comparable(entry: UrlEntry, name: str) -> object:
        value = getattr(entry, name)
        return frozenset(value) if isinstance(value, tuple) else value

    return tuple(name for name in ENTRY_FIELDS if comparable(old, name) != comparable(new, name))


@click.command()
@click.argument("old", type=console.PATH_OR_URL)
@click.argument("new", type=console.PATH_OR_URL)
@console.format_option(
    "text",
    "json",
    "urls",
    "markdown",
    meaning="Output for people, for programs, only the URLs, or a table for a pull request.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the sitemaps differ.")
@console.timeout_option
@click.pass_context
def diff(  # noqa: PLR0913 - one parameter an option
    context: click.Context, *, old: str, new: str, form: str, exit_code: bool, timeout: float
) -> None:
    """Compare two sitemaps: which URLs were added, removed or changed, and in which fields.

    OLD and NEW are files, folders with a sitemap.xml in them, or URLs.

    \b
    Examples:
      mkdocs-sitemap-plus diff https://example.com/sitemap.xml site
      mkdocs-sitemap-plus diff --format urls before/sitemap.xml.gz site

    The exit code is 0, with --exit-code 1 if the sitemaps differ, and 2 if one of them can't be
    read.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    before, after = collect_both(old, new, Web(timeout))
    console.print_unread((*before.problems, *after.problems))
    changed = changes(before.entries, after.entries)
    _note_other_forms(changed)
    print_changes(changed, len(after.entries), form)
    context.exit(1 if exit_code and changed else 0)


def _note_other_forms(changed: Mapping[str, UrlChange]) -> None:
    """Note that pages are listed in another form of their URL, which is no loss of a page."""
    added = {without_form(url_key(loc)): loc for loc, each in changed.items() if not each.old}
    removed = (loc for loc, each in changed.items() if not each.new)
    pairs = [(loc, added.get(without_form(url_key(loc)))) for loc in removed]
    forms = [(old, new) for old, new in pairs if new]
    if forms:
        old, new = min(forms, key=lambda pair: can_be_one_file(*pair))
        are = counted(len(forms), "removed URL is", "removed URLs are")
        found = f"{are} listed in another form now ({old}, now {new})."
        fix = "" if can_be_one_file(old, new) else " No file answers both: redirect the old form."
        print_line("Note", f"{found}{fix}")


def _as_json(changed: Mapping[str, UrlChange], total: int) -> dict[str, object]:
    added = [json_value(each.new) for each in changed.values() if not each.old]
    removed = [json_value(each.old) for each in changed.values() if not each.new]
    differing = [
        {"loc": loc, "fields": {name: _json_pair(each, name) for name in each.fields}}
        for loc, each in changed.items()
        if each.fields
    ]
    unchanged = total - len(added) - len(differing)
    return {"added": added, "removed": removed, "changed": differing, "unchanged": unchanged}


def _json_pair(change: UrlChange, name: str) -> dict[str, object]:
    old, new = getattr(change.old, name), getattr(change.new, name)
    return {"old": json_value(old), "new": json_value(new)}


def print_changes(changed: Mapping[str, UrlChange], total: int, form: str = "text") -> None:
    """Print all URLs that differ, each with its changed fields, and the number of each kind.

    The new sitemap has `total` URLs.
    """
    emit(form, _rows(changed), lambda: _as_json(changed, total))
    if form == "markdown":
        say()
    if form in ("text", "markdown"):
        say(_summary(changed, total))


def _rows(changed: Mapping[str, UrlChange]) -> Iterator[OutputRow]:
    for loc, change in changed.items():
        fields = [f"{name}: {_field(change, name)}" for name in change.fields]
        for text in fields or [""]:
            yield OutputRow(url=loc, text=text, mark=_sign(change))


def _sign(change: UrlChange) -> str:
    if change.fields:
        return "~"
    return "+" if change.new else "-"


def _summary(changed: Mapping[str, UrlChange], total: int) -> str:
    counts = Counter(map(_sign, changed.values()))
    kinds = f"{counts['+']:,} added, {counts['-']:,} removed, {counts['~']:,} changed"
    unchanged = total - counts["+"] - counts["~"]
    return f"{kinds}, {unchanged:,} unchanged; {counted(total, 'URL')} now."


def _field(change: UrlChange, name: str) -> str:
    """Return ``OLD -> NEW``, the values of a field. Items that are in both lists are left out."""
    old, new = getattr(change.old, name), getattr(change.new, name)
    if isinstance(old, tuple):
        return f"{_without(old, new)} -> {_without(new, old)}"
    return f"{_text(old)} -> {_text(new)}"


def _without(items: tuple[object, ...], other: tuple[object, ...]) -> str:
    return ", ".join(_text(each) for each in items if each not in other) or "none"


def _text(value: object) -> str:
    if value is None:
        return "none"
    plain = json_value(value)
    parts = plain.values() if isinstance(plain, dict) else [plain]
    return " ".join(map(str, parts))
