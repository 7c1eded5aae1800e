"""Submit changes to search engines by IndexNow: ``submit`` and ``key``."""

from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site.project import own_sitemap, read_project
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.diff import print_difference
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.tools.collect import Collected, collect
from mkdocs_sitemap_plus.tools.compare import difference
from mkdocs_sitemap_plus.tools.indexnow import (
    ENDPOINT,
    Endpoint,
    Submission,
    check_key_file,
    make_submission,
    new_key,
)
from mkdocs_sitemap_plus.tools.indexnow import submit as submit_to
from mkdocs_sitemap_plus.wording import counted, printable


@click.command(short_help="Submit changed URLs to search engines (IndexNow).")
@click.argument("site", required=False)
@console.config_file_option
@click.option("--key", "key", required=True, metavar="KEY", help="The key of the host.")
@click.option("--since", metavar="OLD", help="Submit what changed since this sitemap.")
@click.option("--all", "everything", is_flag=True, help="Submit every URL, changed or not.")
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
    """Submit the URLs of SITE that were added, changed or removed since OLD, or all.

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
    if everything == (since is not None):
        raise click.UsageError("Give either --since OLD or --all.")
    if site is None:
        project = read_project(config_file)
        console.print_problems(project.notes)
        site = own_sitemap(project)
    urls = _urls(site, since, timeout)
    if not urls:
        nothing = f"Nothing changed since {since}." if since else "The sitemap has no URLs."
        click.echo(f"{nothing} Nothing is sent.")
        return
    submission = make_submission(urls, key, key_location)
    what = f"{counted(len(urls), 'URL')} of {submission.host} to {endpoint}"
    requests = counted(len(submission.batches), "request")
    if dry_run:
        for url in urls if everything else ():  # with --since, they are printed already
            click.echo(printable(url))
        click.echo(f"Would send {what} in {requests}. Nothing is sent.")
        return
    check_key_file(submission, timeout=timeout)
    click.echo(f"Sending {what} in {requests}.")
    if not _send(submission, Endpoint(url=endpoint, timeout=timeout, report_wait=_print_wait)):
        context.exit(1)


def _urls(site: str, since: str | None, timeout: float) -> tuple[str, ...]:
    """Return the URLs to submit: all, or those that changed; print what changed."""
    now = _collect(site, timeout)
    if since is None:
        return tuple(sorted(now.entries))
    changes = difference(_collect(since, timeout).entries, now.entries)
    print_difference(changes)
    return changes.urls


def _collect(where: str, timeout: float) -> Collected:
    collected = collect(where, timeout=timeout)
    console.print_unread(collected.problems)
    return collected


def _send(submission: Submission, endpoint: Endpoint) -> bool:
    """Send all requests, print the result of each, and return whether all were accepted."""
    accepted = 0
    for answer in submit_to(submission, endpoint):
        if answer.accepted:
            accepted += answer.urls
        colour = "green" if answer.accepted else "red"
        click.secho(f"{counted(answer.urls, 'URL')}: {printable(answer.words)}.", fg=colour)
    if accepted < len(submission.urls):
        click.echo(f"{accepted:,} of {counted(len(submission.urls), 'URL')} accepted.", err=True)
    return accepted == len(submission.urls)


def _print_wait(line: str) -> None:
    click.echo(printable(line), err=True)


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
    """Create an IndexNow key of 32 hexadecimal digits, and the file that proves it is yours.

    Each call creates a new key, so call it once. The file KEY.txt must be published at the root of
    the host, and is not a secret: MkDocs publishes it from the folder docs.

    \b
    Example:
      mkdocs-sitemap-plus key -o docs
    """  # noqa: D301 - \b keeps the lines of an example, for click
    digits = new_key()
    file = folder / f"{digits}.txt"
    try:
        file.write_text(digits, encoding="ascii")
    except OSError as error:
        place = Place(origin=Origin.OPTION, file=file.as_posix())
        found = f"can't be written ({error.strerror})"
        raise SitemapError(Problem(code="write", place=place, found=found)) from error
    click.echo(f"Key: {digits}")
    click.echo(f"File: {file.as_posix()}")
    click.echo(f"Publish the file at the root of your host, as https://HOST/{digits}.txt.")
