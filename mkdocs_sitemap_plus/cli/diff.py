"""Compare two sitemaps: ``diff``."""

import click

from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.output.json_report import json_value
from mkdocs_sitemap_plus.tools.collect import collect
from mkdocs_sitemap_plus.tools.compare import Changed, Difference, difference
from mkdocs_sitemap_plus.wording import counted, printable

_COLOURS = {"+": "green", "-": "red", "~": "yellow"}


@click.command(short_help="Compare two sitemaps.")
@click.argument("old")
@click.argument("new")
@console.format_option(
    "text", "json", "urls", meaning="For people, for programs, or just the URLs."
)
@console.timeout_option
def diff(old: str, new: str, form: str, timeout: float) -> None:
    """Compare two sitemaps: which URLs were added, removed or changed, and in which fields.

    OLD and NEW are files, folders with a sitemap.xml in them, or URLs.

    \b
    Examples:
      mkdocs-sitemap-plus diff https://example.com/sitemap.xml site
      mkdocs-sitemap-plus diff --format urls before/sitemap.xml.gz site

    The exit code is 0, and 2 if one of the two can't be read.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    before, after = collect(old, timeout=timeout), collect(new, timeout=timeout)
    console.print_unread((*before.problems, *after.problems))
    found = difference(before.entries, after.entries)
    if form == "json":
        console.print_json(_as_json(found))
    elif form == "urls":
        for url in found.urls:
            click.echo(url)
    else:
        print_difference(found)


def _as_json(found: Difference) -> dict[str, object]:
    return {
        "added": [json_value(entry) for entry in found.added],
        "removed": [json_value(entry) for entry in found.removed],
        "changed": [
            {
                "loc": each.loc,
                "fields": {
                    name: {
                        "old": json_value(getattr(each.old, name)),
                        "new": json_value(getattr(each.new, name)),
                    }
                    for name in each.fields
                },
            }
            for each in found.changed
        ],
        "unchanged": found.unchanged,
    }


def print_difference(found: Difference) -> None:
    """Print all URLs that differ, sorted, each with its changed fields; then how many there are."""
    added = ((entry.loc, "+", None) for entry in found.added)
    removed = ((entry.loc, "-", None) for entry in found.removed)
    changed = ((each.loc, "~", each) for each in found.changed)
    for loc, sign, change in sorted([*added, *removed, *changed], key=lambda each: each[0]):
        click.secho(f"{sign} {printable(loc)}", fg=_COLOURS[sign])
        if change:
            for name in change.fields:
                click.echo(f"    {name}: {_field(change, name)}")
    counts = (
        f"{len(found.added):,} added, {len(found.removed):,} removed, "
        f"{len(found.changed):,} changed, {found.unchanged:,} unchanged"
    )
    total = len(found.added) + len(found.changed) + found.unchanged
    click.echo(f"{counts}; {counted(total, 'URL')} now.")


def _field(changed: Changed, name: str) -> str:
    """Return ``OLD -> NEW``: both values of a field; of a list, only items that the other lacks."""
    old, new = getattr(changed.old, name), getattr(changed.new, name)
    if isinstance(old, tuple):
        return f"{_items_not_in(new, old)} -> {_items_not_in(old, new)}"
    return f"{_text(old)} -> {_text(new)}"


def _items_not_in(other: tuple[object, ...], items: tuple[object, ...]) -> str:
    return ", ".join(_text(each) for each in items if each not in other) or "none"


def _text(value: object) -> str:
    if value is None:
        return "none"
    json = json_value(value)
    texts = json.values() if isinstance(json, dict) else [json]
    return printable(" ".join(map(str, texts)))
