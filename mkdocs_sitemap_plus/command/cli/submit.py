"""Submit changes by IndexNow: ``submit``."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.diff import changes, print_changes
from mkdocs_sitemap_plus.command.cli.printing import (
    echo,
    is_quiet,
    print_json,
    print_line,
    say,
    styled,
)
from mkdocs_sitemap_plus.command.indexnow import (
    ENDPOINT,
    Endpoint,
    Submission,
    host_and_port,
    make_submissions,
    with_key_file,
)
from mkdocs_sitemap_plus.command.indexnow import submit as submit_to
from mkdocs_sitemap_plus.command.reader.find import Web
from mkdocs_sitemap_plus.command.reader.read import collect_both, collect_site
from mkdocs_sitemap_plus.wording import counted, first_names


@click.command()
@click.argument("site", required=False, type=console.PATH_OR_URL)
@console.config_file_option
@click.option(
    "--key",
    required=True,
    metavar="KEY",
    help="The key of the host: 8 to 128 letters, digits and hyphens.",
)
@click.option(
    "--since",
    metavar="OLD",
    type=console.PATH_OR_URL,
    help="Submit the URLs that changed since this sitemap.",
)
@click.option("--all", "everything", is_flag=True, help="Submit all URLs.")
@click.option("--dry-run", is_flag=True, help="Print the URLs, and send nothing.")
@console.format_option("text", "json", meaning="Output for people or for programs.")
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
    dry_run: bool,
    form: str,
    timeout: float,
) -> None:
    """Submit the URLs of SITE that were added, changed or removed since OLD, or all URLs.

    Give --since OLD or --all. SITE and OLD are files, folders with a sitemap.xml in them, or URLs.
    Without SITE, the built site of the project in this folder is taken. Before anything is sent,
    the key file is fetched from each host. A build never sends anything.

    \b
    Examples:
      mkdocs-sitemap-plus submit --all --dry-run --key 2f5c0e1b7a9d4863
      mkdocs-sitemap-plus submit site --since before --key 2f5c0e1b7a9d4863

    The exit code is 0 if all was accepted or nothing changed, 1 if an endpoint refused, and 2 if
    something can't be used.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if everything == (since is not None):
        raise click.UsageError("Give one of --since OLD and --all.")
    tell = partial(echo if dry_run else say, err=form == "json")  # a dry run has no other result
    web = Web(timeout)
    where = site or _own_sitemap(config_file)
    listed: Iterable[str] = ()
    if since is None:
        found_urls = collect_site(where, web)
        console.print_unread(found_urls.problems)
        urls = tuple(sorted(found_urls.entries))
    else:
        shown = form == "text" and (dry_run or not is_quiet())
        urls, listed = _changed(where, since, web, shown=shown)
    if not urls:
        tell("There is nothing to submit.")
    submissions = make_submissions(urls, key, listed) if urls else ()
    target = Endpoint(ENDPOINT, web.client, report_wait=partial(say, err=True))
    sent: list[_Sent] = []
    if dry_run:
        for url in urls if everything else ():  # otherwise `_changed` has printed them
            tell(url)
        for submission in submissions:
            tell(f"Would send {_what(submission, ENDPOINT)}. Nothing is sent.")
    else:
        found = tuple(with_key_file(each, web.client) for each in submissions)
        _note_removed({*urls}.difference(*(each.urls for each in found)))
        submissions = found
        sent += [_send(submission, target, tell) for submission in submissions]
    if form == "json":
        print_json({"urls": urls, "dry_run": dry_run, "hosts": [each._asdict() for each in sent]})
    context.exit(int(any(each.left for each in sent)))


def _own_sitemap(config_file: Path | None) -> str:
    from mkdocs_sitemap_plus.command.any_site.project import own_sitemap  # noqa: PLC0415 - 20 ms, without SITE
    from mkdocs_sitemap_plus.command.cli.kept import open_project  # noqa: PLC0415 - 20 ms

    return own_sitemap(open_project(config_file))


class _Sent(NamedTuple):
    """What became of the URLs of one host. The JSON has the same keys as this class has fields."""

    host: str
    accepted: int
    answers: list[str]
    left: list[str]  # the URLs that were refused, or not sent after a refusal


def _send(submission: Submission, endpoint: Endpoint, tell: Callable[..., None]) -> _Sent:
    tell(f"Sending {_what(submission, endpoint.url)}.")
    accepted, answers = 0, []
    for answer in submit_to(submission, endpoint):
        words = f"{counted(answer.urls, 'URL')}: {answer.words}"
        answers.append(words)
        if answer.accepted:
            accepted += answer.urls
            tell(styled(f"{words}.", fg="green"))
        else:
            print_line("Error", f"{words}.")
    return _Sent(submission.host, accepted, answers, list(submission.urls[accepted:]))


def _what(submission: Submission, endpoint: str) -> str:
    urls, requests = len(submission.urls), counted(len(submission.batches), "request")
    return f"{counted(urls, 'URL')} of {submission.host} to {endpoint} in {requests}"


def _changed(
    site: str, since: str, web: Web, *, shown: bool
) -> tuple[tuple[str, ...], Iterable[str]]:
    """Return the URLs that changed since an older sitemap, and all; the first can be printed too.

    If the site moved, the key is not valid for the removed pages. They are left out, with a note.
    """
    before, after = collect_both(since, site, web)
    console.print_unread((*after.problems, *before.problems))
    changed = changes(before.entries, after.entries)
    if shown:
        print_changes(changed, len(after.entries))
    hosts = {host_and_port(loc) for loc in after.entries or changed}
    fitting = tuple(
        loc for loc, change in changed.items() if change.new or host_and_port(loc) in hosts
    )
    _note_removed(changed.keys() - set(fitting))
    return fitting, after.entries


def _note_removed(urls: Iterable[str]) -> None:
    """Say which URLs are beside the folder or the host of the key, since the site moved."""
    if gone := sorted(urls):
        removed = f"{counted(len(gone), 'removed URL')} can't be submitted with this key"
        print_line("Note", f"{removed}: {first_names(gone, most=1)}.")
