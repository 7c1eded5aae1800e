"""Submit changes by IndexNow: ``submit`` and ``key``."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from mkdocs_sitemap_plus.built_site import own_sitemap
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.diff import print_changes
from mkdocs_sitemap_plus.cli.printing import echo, is_quiet, print_json, print_line, say, styled
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.indexnow import (
    ENDPOINT,
    Endpoint,
    Submission,
    check_key_file,
    find_key_file,
    key_fits,
    make_submissions,
)
from mkdocs_sitemap_plus.indexnow import submit as submit_to
from mkdocs_sitemap_plus.output import write_file
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import changes
from mkdocs_sitemap_plus.sitemap.collect import collect_both, collect_site
from mkdocs_sitemap_plus.wording import counted, first_names

_REST = Path("indexnow-rest.txt")


@click.command(short_help="Submit changed URLs to search engines (IndexNow).")
@click.argument("site", required=False, type=console.PATH_OR_URL)
@console.config_file_option
@click.option("--key", required=True, metavar="KEY", help="The key of the host; see: key --help.")
@click.option(
    "--since",
    metavar="OLD",
    type=console.PATH_OR_URL,
    help="Submit the URLs that changed since this sitemap.",
)
@click.option("--all", "everything", is_flag=True, help="Submit all URLs.")
@click.option(
    "--rest",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Submit the URLs that an earlier run left in FILE.",
)
@click.option("--key-location", metavar="URL", help="The URL of the key file.  [default: /KEY.txt]")
@click.option(
    "--endpoint", metavar="URL", default=ENDPOINT, show_default=True, help="The IndexNow endpoint."
)
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
    rest: Path | None,
    key_location: str | None,
    endpoint: str,
    dry_run: bool,
    form: str,
    timeout: float,
) -> None:
    """Submit the URLs of SITE that were added, changed or removed since OLD, or all URLs.

    Give one of --since OLD, --all and --rest FILE. SITE and OLD are files, folders with a
    sitemap.xml in them, or URLs. Without SITE, the built site of the project in this folder is
    taken. Before anything is sent, the key file is fetched from each host. A build never sends
    anything.

    If URLs are refused, they are written to indexnow-rest.txt, from which --rest goes on.

    \b
    Examples:
      mkdocs-sitemap-plus submit --all --dry-run --key 2f5c0e1b7a9d4863
      mkdocs-sitemap-plus submit site --since before --key 2f5c0e1b7a9d4863

    The exit code is 0 if all was accepted or nothing changed, 1 if an endpoint refused, and 2 if
    something can't be used.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if [everything, since is not None, rest is not None].count(True) != 1:
        raise click.UsageError("Give one of --since OLD, --all and --rest FILE.")
    # The URLs are the result of a dry run.
    tell = partial(echo if dry_run else say, err=form == "json")
    if rest:
        urls = _read_urls(rest)
    else:
        where = site or own_sitemap(console.read_project(config_file))
        shown = form == "text" and (dry_run or not is_quiet())
        urls = _urls(where, since, key_location, timeout, shown=shown)
    if not urls:
        nothing = f"Nothing changed since {since}." if since else "There are no URLs."
        tell(f"{nothing} Nothing is sent.")
    elif dry_run and since is None:  # otherwise `_urls` has printed them
        for url in urls:
            tell(url)
    submissions = make_submissions(urls, key, key_location) if urls else ()
    target = Endpoint(endpoint, timeout, report_wait=partial(say, err=True))
    sent = _send_all(submissions, target, tell, dry_run=dry_run)
    if form == "json":
        hosts = [result._asdict() for result in sent]
        print_json({"urls": urls, "dry_run": dry_run, "hosts": hosts})
    if left := [url for result in sent for url in result.left]:
        _keep(left, len(urls), rest)
        context.exit(1)
    if rest and not dry_run:
        rest.unlink()


def _send_all(
    submissions: Sequence[Submission],
    endpoint: Endpoint,
    tell: Callable[..., None],
    *,
    dry_run: bool,
) -> list["_Sent"]:
    """Send the URLs of all hosts, after the key files of all were found; return the results."""
    if dry_run:
        for submission in submissions:
            tell(f"Would send {_what(submission, endpoint.url)}. Nothing is sent.")
        return []
    for submission in submissions:
        check_key_file(submission, timeout=endpoint.timeout)
    return [_send(submission, endpoint, tell) for submission in submissions]


def _keep(left: Sequence[str], count: int, rest: Path | None) -> None:
    """Write the URLs that were not accepted into a file, and say so. `count` is that of all.

    The file is `rest`, if they came from there. Otherwise, what an earlier run left stays in it.
    """
    file = rest or _REST
    earlier = [] if rest or not is_file(file) else _read_urls(file)
    write_file(file, "".join(f"{url}\n" for url in dict.fromkeys((*earlier, *left))).encode())
    accepted = f"{count - len(left):,} of {counted(count, 'URL')} accepted."
    name = file.as_posix()
    echo(f"{accepted} The others are in {name}; to go on, use --rest {name}.", err=True)


def _read_urls(file: Path) -> tuple[str, ...]:
    """Return the lines of a file, without empty ones."""
    return tuple(filter(None, map(str.strip, file.read_text("utf-8", "replace").splitlines())))


class _Sent(NamedTuple):
    """What became of the URLs of one host. The JSON has the same keys as this class has fields."""

    host: str
    accepted: int
    answers: list[str]
    left: list[str]  # the URLs that were refused, or not sent after a refusal


def _what(submission: Submission, endpoint: str) -> str:
    urls, requests = len(submission.urls), counted(len(submission.batches), "request")
    return f"{counted(urls, 'URL')} of {submission.host} to {endpoint} in {requests}"


def _urls(
    site: str,
    since: str | None,
    key_location: str | None,
    timeout: float,
    *,
    shown: bool,
) -> tuple[str, ...]:
    """Return the URLs to submit: all, or those that changed since OLD, which can be printed too.

    If the site moved, the key is not valid for the removed pages. They are left out, with a note.
    """
    if since is None:
        found = collect_site(site, timeout=timeout)
        console.print_unread(found.problems)
        return tuple(sorted(found.entries))
    before, after = collect_both(since, site, timeout=timeout)
    console.print_unread((*after.problems, *before.problems))
    changed = changes(before.entries, after.entries)
    if shown:
        print_changes(changed, len(after.entries))
    listed = [loc for loc, change in changed.items() if change.new]
    if not listed or (key_location and not all(key_fits(loc, loc, key_location) for loc in listed)):
        return tuple(changed)  # `make_submissions` says what does not fit
    of_hosts: list[str] = []  # a listed page of each host
    for loc in listed:
        if not any(key_fits(loc, page, None) for page in of_hosts):
            of_hosts.append(loc)
    fitting = [
        loc for loc in changed if any(key_fits(loc, page, key_location) for page in of_hosts)
    ]
    gone = sorted(changed.keys() - fitting)
    if gone:
        where = first_names(gone, most=1)
        removed = f"{counted(len(gone), 'removed URL')} can't be submitted with this key: {where}"
        print_line("Note", None, f"{removed}.")
    return tuple(fitting)


def _send(submission: Submission, endpoint: Endpoint, tell: Callable[..., None]) -> _Sent:
    """Send all requests of a host, and print the result of each."""
    tell(f"Sending {_what(submission, endpoint.url)}.")
    accepted, answers = 0, []
    for answer in submit_to(submission, endpoint):
        if answer.accepted:
            accepted += answer.urls
        words = f"{counted(answer.urls, 'URL')}: {answer.words}"
        answers.append(words)
        line = styled(f"{words}.", fg="green" if answer.accepted else "red")
        tell(line)
        if is_quiet() and not answer.accepted:
            echo(line, err=True)
    return _Sent(submission.host, accepted, answers, list(submission.urls[accepted:]))


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
    say("Publish the file with your site. If it is not at the root of the host, give")
    say("its URL to the command submit, with --key-location URL.")
