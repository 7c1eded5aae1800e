"""Compare two sitemaps: ``diff``."""

import click

from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.output.json_report import plain
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
    """Return a difference as plain values."""
    return {
        "added": [plain(entry) for entry in found.added],
        "removed": [plain(entry) for entry in found.removed],
        "changed": [
            {
                "loc": each.loc,
                "fields": {
                    name: {
                        "old": plain(getattr(each.old, name)),
                        "new": plain(getattr(each.new, name)),
                    }
                    for name in each.fields
                },
            }
            for each in found.changed
        ],
        "unchanged": found.unchanged,
    }


def print_difference(found: Difference) -> None:
    """Print a difference for people: all URLs, sorted, then their numbers."""
    added = ((entry.loc, "+", None) for entry in found.added)
    removed = ((entry.loc, "-", None) for entry in found.removed)
    changed = ((each.loc, "~", each) for each in found.changed)
    for loc, sign, what in sorted([*added, *removed, *changed], key=lambda each: each[0]):
        click.secho(f"{sign} {printable(loc)}", fg=_COLOURS[sign])
        if what:
            for name in what.fields:
                click.echo(f"    {name}: {_field(what, name)}")
    counts = (
        f"{len(found.added):,} added, {len(found.removed):,} removed, "
        f"{len(found.changed):,} changed, {found.unchanged:,} unchanged"
    )
    total = len(found.added) + len(found.changed) + found.unchanged
    click.echo(f"{counts}; {counted(total, 'URL')} now.")


def _field(changed: Changed, name: str) -> str:
    """Return ``old -> new``; of several values those that only one side has."""
    old, new = getattr(changed.old, name), getattr(changed.new, name)
    if isinstance(old, tuple):
        return f"{_several(old, new)} -> {_several(new, old)}"
    return f"{_text(old)} -> {_text(new)}"


def _several(these: tuple[object, ...], those: tuple[object, ...]) -> str:
    return ", ".join(_text(each) for each in these if each not in those) or "none"


def _text(value: object) -> str:
    if value is None:
        return "none"
    simple = plain(value)
    texts = simple.values() if isinstance(simple, dict) else [simple]
    return printable(" ".join(map(str, texts)))
