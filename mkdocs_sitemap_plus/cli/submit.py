"""Compare two sitemaps, and submit changes by IndexNow: ``diff``, ``submit`` and ``key``."""

import secrets
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site import own_sitemap
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.printing import echo, print_json, print_line, styled
from mkdocs_sitemap_plus.indexnow import (
    ENDPOINT,
    Endpoint,
    Submission,
    check_key_file,
    find_key_file,
    key_fits,
    make_submission,
)
from mkdocs_sitemap_plus.indexnow import submit as submit_to
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.report.json_report import json_value
from mkdocs_sitemap_plus.sitemap import UrlChange, changes
from mkdocs_sitemap_plus.sitemap.collect import collect_both, collect_site
from mkdocs_sitemap_plus.wording import counted, first_names


@click.command(short_help="Submit changed URLs to search engines (IndexNow).")
@click.argument("site", required=False)
@console.config_file_option
@click.option("--key", required=True, metavar="KEY", help="The key of the host; see: key --help.")
@click.option("--since", metavar="OLD", help="Submit the URLs that changed since this sitemap.")
@click.option("--all", "everything", is_flag=True, help="Submit all URLs.")
@click.option("--key-location", metavar="URL", help="The URL of the key file.  [default: /KEY.txt]")
@click.option(
    "--endpoint", metavar="URL", default=ENDPOINT, show_default=True, help="The IndexNow endpoint."
)
@click.option("--dry-run", is_flag=True, help="Print the URLs, and send nothing.")
@console.timeout_option
@click.pass_context
def submit(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    site: str | None,
    config_file: Path | None,
    key: str,
    since: str | None,
    everything: bool,
    key_location: str | None,
    endpoint: str,
    dry_run: bool,
    timeout: float,
) -> None:
    """Submit the URLs of SITE that were added, changed or removed since OLD, or all URLs.

    Give either --since OLD or --all. SITE and OLD are files, folders with a sitemap.xml in them,
    or URLs. Without SITE, the built site of the project in this folder is taken. Before anything is
    sent, the key file is fetched from the site. A build never sends anything.

    \b
    Examples:
      mkdocs-sitemap-plus submit --all --dry-run --key 2f5c0e1b7a9d48632f5c0e1b7a9d4863
      mkdocs-sitemap-plus submit site --since before --key 2f5c0e1b7a9d48632f5c0e1b7a9d4863

    The exit code is 0 if all was accepted or nothing changed, 1 if an endpoint refused, and 2 if
    something can't be used.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if everything != (since is None):
        raise click.UsageError("Give either --since OLD or --all.")
    if site is None:
        site = own_sitemap(console.read_project(config_file))
    urls = _urls(site, since, key_location, timeout)
    if not urls:
        nothing = f"Nothing changed since {since}." if since else "The sitemap has no URLs."
        echo(f"{nothing} Nothing is sent.")
        return
    submission = make_submission(urls, key, key_location)
    what = f"{counted(len(urls), 'URL')} of {submission.host} to {endpoint}"
    requests = counted(len(submission.batches), "request")
    if dry_run:
        if everything:  # with --since, `_urls` has printed them
            for url in urls:
                echo(url)
        echo(f"Would send {what} in {requests}. Nothing is sent.")
        return
    check_key_file(submission, timeout=timeout)
    echo(f"Sending {what} in {requests}.")
    accepted = _send(submission, endpoint, timeout)
    if accepted < len(submission.urls):
        echo(f"{accepted:,} of {counted(len(submission.urls), 'URL')} accepted.", err=True)
        context.exit(1)


def _urls(
    site: str, since: str | None, key_location: str | None, timeout: float
) -> tuple[str, ...]:
    """Return the URLs to submit: all, or those that changed since OLD, which are also printed.

    If the site moved, the key is not valid for the removed pages. They are left out, with a note.
    """
    if since is None:
        found = collect_site(site, timeout=timeout)
        console.print_unread(found.problems)
        return tuple(sorted(found.entries))
    before, after = collect_both(since, site, timeout=timeout)
    console.print_unread((*after.problems, *before.problems))
    changed = changes(before.entries, after.entries)
    print_changes(changed, len(after.entries))
    listed = [loc for loc, change in changed.items() if change.new]
    if not listed or not all(key_fits(loc, listed[0], key_location) for loc in listed):
        return tuple(changed)  # if the key fits only some of them, `make_submission` says so
    fitting = [loc for loc in changed if key_fits(loc, listed[0], key_location)]
    gone = sorted(changed.keys() - fitting)
    if gone:
        where = first_names(gone, most=1)
        removed = f"{counted(len(gone), 'removed URL')} can't be submitted with this key: {where}"
        print_line("Note", None, f"{removed}.")
    return tuple(fitting)


def _send(submission: Submission, url: str, timeout: float) -> int:
    """Send all requests, print the result of each, and return how many URLs were accepted."""
    accepted = 0
    endpoint = Endpoint(url, timeout, report_wait=lambda line: echo(line, err=True))
    for answer in submit_to(submission, endpoint):
        if answer.accepted:
            accepted += answer.urls
        colour = "green" if answer.accepted else "red"
        echo(styled(f"{counted(answer.urls, 'URL')}: {answer.words}.", fg=colour))
    return accepted


@click.command(short_help="Create an IndexNow key and its file.")
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=".",
    help="The folder for the key file, such as docs.  [default: this folder]",
)
def key(folder: Path) -> None:
    """Create an IndexNow key of 32 hexadecimal digits, and a file that proves the key is yours.

    If there is a key in the folder already, it is shown, and no other is made. The file KEY.txt is
    not a secret. Publish the file with the site: MkDocs does so if the file is in the folder docs.

    \b
    Example:
      mkdocs-sitemap-plus key -o docs
    """  # noqa: D301 - \b keeps the lines of an example, for click
    file = find_key_file(folder)
    if file:
        print_line("Note", None, "This key is there already. No new key is made.")
    else:
        file = folder / f"{secrets.token_hex(16)}.txt"  # a form that all search engines accept
        try:
            file.write_text(file.stem, encoding="ascii")
        except OSError as error:
            place = Place(origin=Origin.OPTION, file=file.as_posix())
            found = f"can't be written ({error.strerror})"
            raise SitemapError(Problem(code=Code.WRITE, place=place, found=found)) from error
    echo(f"Key: {file.stem}")
    echo(f"File: {file.as_posix()}")
    echo("Publish the file with your site. If it is not at the root of the host, give")
    echo("its URL to the command submit, with --key-location URL.")


_COLOURS = {"+": "green", "-": "red", "~": "yellow"}


@click.command(short_help="Compare two sitemaps.")
@click.argument("old")
@click.argument("new")
@console.format_option(
    "text", "json", "urls", meaning="Output for people, for programs, or only the URLs."
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
    before, after = collect_both(old, new, timeout=timeout)
    console.print_unread((*before.problems, *after.problems))
    changed = changes(before.entries, after.entries)
    if form == "json":
        print_json(_as_json(changed, len(after.entries)))
    elif form == "urls":
        for url in changed:
            echo(url)
    else:
        print_changes(changed, len(after.entries))


def _as_json(changed: Mapping[str, UrlChange], total: int) -> dict[str, object]:
    added = [json_value(change.new) for change in changed.values() if not change.old]
    removed = [json_value(change.old) for change in changed.values() if not change.new]
    differing = [
        {"loc": loc, "fields": {name: _json_pair(change, name) for name in change.fields}}
        for loc, change in changed.items()
        if change.fields
    ]
    unchanged = total - len(added) - len(differing)
    return {"added": added, "removed": removed, "changed": differing, "unchanged": unchanged}


def _json_pair(change: UrlChange, name: str) -> dict[str, object]:
    old, new = getattr(change.old, name), getattr(change.new, name)
    return {"old": json_value(old), "new": json_value(new)}


def print_changes(changed: Mapping[str, UrlChange], total: int) -> None:
    """Print all URLs that differ, each with its changed fields, and the number of each kind.

    The new sitemap has `total` URLs.
    """
    counts: Counter[str] = Counter()
    for loc, change in changed.items():
        sign = "+" if change.new else "-"
        if change.fields:
            sign = "~"
        counts[sign] += 1
        echo(styled(f"{sign} {loc}", fg=_COLOURS[sign]))
        for name in change.fields:
            echo(f"    {name}: {_field(change, name)}")
    kinds = f"{counts['+']:,} added, {counts['-']:,} removed, {counts['~']:,} changed"
    unchanged = total - counts["+"] - counts["~"]
    echo(f"{kinds}, {unchanged:,} unchanged; {counted(total, 'URL')} now.")


def _field(change: UrlChange, name: str) -> str:
    """Return ``OLD -> NEW``, the values of a field. Items that are in both lists are left out."""
    old, new = getattr(change.old, name), getattr(change.new, name)
    if isinstance(old, tuple):
        return f"{_without(old, new)} -> {_without(new, old)}"
    return f"{_text(old)} -> {_text(new)}"


def _without(items: tuple[object, ...], other: tuple[object, ...]) -> str:
    return ", ".join(_text(item) for item in items if item not in other) or "none"


def _text(value: object) -> str:
    if value is None:
        return "none"
    plain = json_value(value)
    parts = plain.values() if isinstance(plain, dict) else [plain]
    return " ".join(map(str, parts))
