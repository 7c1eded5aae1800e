"""The rules about pages, built or live, about robots.txt, and about what should be listed.

What a page says is read by `web.says`; here it is judged, once for both kinds of pages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.command.checks.rules import (
    ERROR,
    GOOGLE,
    WARNING,
    EntryInFile,
    Findings,
    Rule,
    Subject,
    rule,
    rules_about,
)
from mkdocs_sitemap_plus.command.reader.client import Robots
from mkdocs_sitemap_plus.html.page_says import (
    CRAWLERS,
    GOOGLE_CRAWLERS,
    HEADER,
    PageSays,
    RobotsRules,
)
from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key, within
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing, shorten

_MOST_REASONS = 3  # why entries have no date
_ROBOTS_CRAWLERS = ("Googlebot", "Bingbot")  # crawlers that must be allowed in robots.txt


class Names(StrEnum):
    """What a canonical URL is, as a clause."""

    PAGE = "another page of the site has"
    FORM = "is another form of the URL"
    NOTHING = "no page of the site has"
    UNLISTED = "this sitemap does not list"


class FetchedPage(NamedTuple):
    """A listed page, built or live."""

    entry: EntryInFile
    now: datetime
    says: PageSays = PageSays()  # nothing if there is no page, or it is no HTML
    file: Path | None = None  # of a built page
    no_file: bool = False  # whether the built site has no file for it
    built_as: str | None = None  # then the URL of its file in another form, if there is one
    is_error_page: bool = False  # whether it is the page of error 404 of the built site
    is_settled: bool = False  # whether its canonical URL leads back to it
    names: Names = Names.PAGE  # what its canonical URL is, if that is another one
    answer: str | None = None  # why the server does not give it, as a clause
    redirects: str | None = None  # where the server redirects it, as a clause
    error_text: int | None = None  # the text of the site's page of error 404; see `PageSays.text`

    @property
    def name(self) -> str:
        """What findings call it."""
        return self.file.as_posix() if self.file else "the page"

    @property
    def may_be_listed(self) -> bool:
        """Whether nothing but its canonical URL can be against it."""
        is_there = not (self.no_file or self.is_error_page or self.answer or self.redirects)
        leads = self.says.leads_elsewhere(self.entry.loc)
        return is_there and not leads and self.says.noindex is None

    def who(self, header: str, reference: str | None) -> str:
        """Return what has a reference, in words: the page, or a header of this name."""
        return f"the header {header}" if reference in self.says.in_headers else self.name


def judge(
    pages: Iterable[FetchedPage],
    findings: Findings,
    known: frozenset[tuple[str, str | None]] = frozenset(),
) -> None:
    """Ask all rules about pages, but for what is `known` by code and ``loc``; note the rest."""
    rules = rules_about(Subject.PAGE)
    pages = _noting_folders(pages, findings)
    unread, only_bing, judged = list[str](), list[str](), 0
    of_many = defaultdict[tuple[Rule, Names], list[tuple[FetchedPage, str]]](list)
    for page in pages:
        loc, dates = page.entry.loc, page.says.dates if page.entry.lastmod else ()
        for of in rules:
            for clause in () if (of.code, loc) in known else of.find(page):
                if of is not_canonical:
                    of_many[of, page.names].append((page, clause))
                elif of in (folder_slash, canonicals_differ) or page.built_as:
                    of_many[of, Names.FORM].append((page, clause))
                else:
                    findings.add(of, page.entry.place, clause, loc)
        not_read = (each.text for each in dates if each.when is None)
        unread += [text for text in not_read if re.search(r"\d", text)][:1]
        if _forbidding(page, CRAWLERS) and not _forbidding(page, GOOGLE_CRAWLERS):
            only_bing.append(loc)
        judged += page.may_be_listed
    _add_of_many(of_many, judged, findings)
    if unread:
        shown = f"{counted(len(unread), 'page shows', 'pages show')} a date such as"
        why = "which can't be read, so it is not compared with lastmod"
        findings.skip("dates", f"{shown} {format_value(unread[0])}, {why}")
    if only_bing:
        these = counted(len(only_bing), "page has", "pages have")
        findings.note(f"{these} noindex for Bing alone ({first_names(only_bing)}).")


def _add_of_many(
    found: Mapping[tuple[Rule, Names], Sequence[tuple[FetchedPage, str]]],
    judged: int,
    findings: Findings,
) -> None:
    """Add what pages have in common: one cause is one finding.

    `found` has the pages by their rule, and by what their canonical URL is. `judged` is the number
    of pages that may be listed.
    """
    judged -= len(found.get((not_canonical, Names.PAGE), ()))
    for (of, names), hits in found.items():
        urls = [page.entry.loc for page, _ in hits]
        is_of_site = of is not_canonical and names in (Names.NOTHING, Names.UNLISTED)
        is_one = 2 * len(hits) > judged if is_of_site else names is not Names.PAGE
        for page, clause in hits[:1] if is_one else hits:
            reason, fix = clause, None
            if is_one and len(hits) > 1 and is_of_site:
                pages = counted(judged, "page names", "pages name")
                reason = f"{len(hits):,} of {pages} a canonical URL that {names}: {clause}"
                fix = "Check the address that the site is built for, and the theme's rel=canonical."
            elif is_one and len(hits) > 1:
                reason = f"{clause}; likewise {first_names(urls[1:])}"
            loc, together = page.entry.loc, urls if is_one else ()
            findings.add(of, page.entry.place, reason, loc, fix, urls=together)


def _noting_folders(pages: Iterable[FetchedPage], findings: Findings) -> Iterator[FetchedPage]:
    """Yield the pages; at the end, note the folders whose canonical URL lacks the slash."""
    found = []
    for page in pages:
        yield page
        says, loc = page.says, page.entry.loc
        if _is_folder_without_slash(page) and says.canonicals and not says.names_other(loc):
            found.append(page.entry.loc)
    if found:
        these = counted(len(found), "page is a folder", "pages are folders")
        findings.note(
            f"{these} without a slash at the end of the canonical URL ({first_names(found)}), "
            "which most servers redirect."
        )


def _forbidding(page: FetchedPage, crawlers: Sequence[str]) -> RobotsRules | None:
    forbid = (rules for rules in page.says.robots if rules.forbid_index(crawlers, page.now))
    return next(forbid, None)


@rule("page-absent", ERROR, GOOGLE, Subject.PAGE)
def page_absent(page: FetchedPage) -> Iterator[str]:
    """A page is listed, but the built site has no file for it.

    Build the page, or remove the entry. If it is built under another form of its URL, list that
    one, and redirect this one.
    """
    if page.no_file:
        built_as = f", where the page is {page.built_as}" if page.built_as else ""
        yield f"has no file in the built site{built_as}"


@rule("page-status", ERROR, GOOGLE, Subject.PAGE)
def page_status(page: FetchedPage) -> Iterator[str]:
    """For a listed page or robots.txt, the server answers with an error, or not at all.

    Publish the page, or remove the entry.
    """
    if page.answer:
        yield page.answer


@rule("noindex", ERROR, GOOGLE, Subject.PAGE)
def noindex(page: FetchedPage) -> Iterator[str]:
    """A listed page tells Google not to index it.

    Remove the entry, or remove noindex from the page.
    """
    leads_elsewhere = page.redirects or page.says.leads_elsewhere(page.entry.loc)  # see `redirect`
    if not leads_elsewhere and (rules := _forbidding(page, GOOGLE_CRAWLERS)):
        who = "" if rules.where == HEADER else f"{page.name} "
        yield f"{who}has the {rules.name} {format_value(rules.text)}"


@rule("redirect", ERROR, GOOGLE, Subject.PAGE)
def redirect(page: FetchedPage) -> Iterator[str]:
    """A listed page redirects to another page.

    Instead of this URL, list the URL where its redirects end.
    """
    if page.redirects:
        yield page.redirects
    elif page.says.leads_elsewhere(page.entry.loc):
        target = page.says.redirect
        yield f"{page.who('Refresh', target)} redirects to {format_value(target)}"


@rule("folder-slash", WARNING, "most web servers", Subject.PAGE)
def folder_slash(page: FetchedPage) -> Iterator[str]:
    """A folder is listed without the slash at its end. Most servers redirect such a URL.

    List the URL with its slash, or name this URL as the canonical one of the page.
    """
    if _is_folder_without_slash(page) and not page.says.canonicals:
        yield "is a folder without its slash, which most servers redirect"


def _is_folder_without_slash(page: FetchedPage) -> bool:
    path = urlsplit(page.entry.loc).path
    is_whole = path in ("", "/") or path.endswith(("/", "/index.html"))
    return bool(page.file and page.file.name == "index.html" and not is_whole)


@rule("not-canonical", ERROR, GOOGLE, Subject.PAGE)
def not_canonical(page: FetchedPage) -> Iterator[str]:
    """A listed page names another URL as its canonical URL.

    List the canonical URL, exactly as the page writes it.
    """
    says, loc = page.says, page.entry.loc
    if says.names_other(loc) and not says.leads_elsewhere(loc) and not page.is_settled:
        who, named = page.who("Link", says.canonical), format_value(says.canonical)
        form = ", which is another form of this URL" if page.names is Names.FORM else ""
        yield f"{who} names {named} as its canonical URL{form}"


@rule("canonicals-differ", WARNING, GOOGLE, Subject.PAGE)
def canonicals_differ(page: FetchedPage) -> Iterator[str]:
    """A listed page names two different canonical URLs. Search engines ignore both.

    Let one place write `rel=canonical`: the theme, or front matter.
    """
    says, loc = page.says, page.entry.loc
    if (second := says.second_canonical(loc)) and not says.leads_elsewhere(loc):
        named = (
            f"{format_value(url)}{' in the header Link' if url in says.in_headers else ''}"
            for url in (says.canonical, second)
        )
        yield f"{page.name} names two canonical URLs, {listing(named)}"


@rule("soft-not-found", ERROR, GOOGLE, Subject.PAGE)
def soft_not_found(page: FetchedPage) -> Iterator[str]:
    """A listed page is empty or an error page, though the server answers 200.

    Publish the page, or remove the entry. For a page that does not exist, the server must
    answer 404.
    """
    says = page.says
    if page.is_error_page:
        yield "is the page of error 404"
    elif says.text is not None and says.text == page.error_text:
        yield "answers 200, but with the title and the text of the page of error 404"
    elif says.lacks and not any(any(of.find(page)) for of in (noindex, redirect, not_canonical)):
        yield f"answers 200, but {says.lacks}"


@rule("lastmod-differs", WARNING, GOOGLE, Subject.PAGE)
def lastmod_differs(page: FetchedPage) -> Iterator[str]:
    """A page gives a different day than its `lastmod`. Search engines compare the two days.

    Remove the plugin or the line of the template that writes the other date. With MkDocs,
    `page_dates: true` shows the date of the sitemap in its place. If the other date is that of
    the author, as with git-revision-date-localized in Zensical, `lastmod: {git: {date: author}}`
    takes it for the sitemap too. Templates of any builder can read the dates from the file of
    `mkdocs-sitemap-plus dates`.
    """
    lastmod = page.entry.lastmod
    others = [date for date in page.says.dates if lastmod and date.differs_from(lastmod)]
    if others:
        found = listing(f"{other.where} {format_value(other.text)}" for other in others[:3])
        yield f"has lastmod {lastmod:%Y-%m-%d}, but the page has {found}"


# --- robots.txt


class RobotsTxt(NamedTuple):
    """A robots.txt, and what a sitemap says that crawlers shall fetch."""

    robots: Robots
    place: Place
    folder: str  # the URL of the folder that it is in
    sitemaps: Sequence[tuple[str, str]]  # path or URL as it was opened, and URL
    listed: Sequence[EntryInFile]
    # Returns what is at the URL of a sitemap: none if it is not there, and empty if nobody knows.
    read: Callable[[str], bytes | None] = lambda _url: b""
    at_root: bool = True  # whether its folder is the root of a host
    is_live: bool = False


OfRobots = Iterator[tuple[Place, str, Sequence[str]]]
"""A place, a clause, and the listed URLs that it is about."""


def judge_robots(file: RobotsTxt, findings: Findings) -> None:
    """Ask all rules about a robots.txt."""
    for of in rules_about(Subject.ROBOTS):
        for place, clause, urls in of.find(file):
            loc = urls[0] if urls and place.line else None  # without a line, it is the sitemap
            findings.add(of, place, clause, loc, urls=urls)


@rule("robots", WARNING, "RFC 9309, 2.3; sitemaps.org", Subject.ROBOTS)
def robots(file: RobotsTxt) -> OfRobots:
    """robots.txt is not at the root of the host, or does not name this sitemap by its whole URL.

    Publish robots.txt at the root of the host, with a line such as `Sitemap:
    https://example.com/sitemap.xml`, and without lines for sitemaps that are gone.
    """
    if not file.at_root:
        yield (
            file.place,
            f"is at {file.folder}robots.txt, but must be at the root of the host",
            (),
        )
        return
    for line, url in file.robots.sitemaps:
        if origin_url(url) is None:
            clause = f"Sitemap is {format_value(url)}, but must be an absolute URL"
            yield file.place._replace(line=line), clause, ()
    is_here = any(within(url, file.folder) for _, url in file.sitemaps)
    if file.is_live and is_here and not file.robots.sitemaps:
        yield file.place, "has no line `Sitemap:`", ()
    named = [(line, url) for line, url in file.robots.sitemaps if origin_url(url)]
    gone = []
    for line, url in named[:_MOST_SITEMAPS]:
        if within(url, file.folder) and file.read(url) is None:
            gone.append(url)
            clause = f"Sitemap is {format_value(url)}, but there is no such file"
            yield file.place._replace(line=line), clause, ()
    others = [url for _, url in named if url not in gone]
    if is_here and others and not any(_leads_here(url, file) for url in others[:_MOST_SITEMAPS]):
        clause = f"names {format_value(others[0])}, but not this sitemap"
        yield file.place._replace(line=named[0][0]), clause, ()


_MOST_SITEMAPS = 5  # lines of robots.txt whose sitemaps are looked at


def _leads_here(url: str, file: RobotsTxt) -> bool:
    """Return whether a sitemap that robots.txt names may be, or lead to, a checked one.

    An index in the same host names it; a sitemap on another host may list the pages of this one,
    and so may one at the root of this host, where Read the Docs shows that of a version.
    """
    own = [each for _, each in file.sitemaps]
    plain = url_key(url).removesuffix(".gz")
    if any(url_key(each).removesuffix(".gz") == plain for each in own):
        return True
    data = file.read(url)
    if not data:
        return data == b""
    wanted = own if within(url, file.folder) else [file.folder]
    if url == f"{file.folder}{own[0].rpartition('/')[2]}":
        wanted = [*own, *(entry.loc for entry in file.listed[:1])]
    return any(each.encode() in data for each in wanted)


@rule("disallowed", ERROR, "RFC 9309", Subject.ROBOTS)
def disallowed(file: RobotsTxt) -> OfRobots:
    """robots.txt disallows a listed page, or the sitemap itself.

    Allow the URL in robots.txt, or remove the entry of the page.
    """
    if not file.at_root:
        return
    by_line = defaultdict[str, list[tuple[Place, str | None]]](list)
    for name, url in file.sitemaps:
        if within(url, file.folder) and (why := _blocked(file.robots, url)):
            by_line[why].append((sitemap_place(name), None))
    for entry in file.listed:
        if within(entry.loc, file.folder) and (why := _blocked(file.robots, entry.loc)):
            by_line[why].append((entry.place, entry.loc))
    for why, blocked in by_line.items():
        (place, loc), urls = blocked[0], [loc for _, loc in blocked if loc]
        more = f"; likewise {first_names(urls[1:])}" if len(urls) > 1 else ""
        if loc is None:
            more = f", as {counted(len(urls), 'listed URL is', 'listed URLs are')}" if urls else ""
        yield place, f"is disallowed for {why}{more}", urls


def _blocked(robots: Robots, url: str) -> str:
    """Return which search engines may not fetch a URL, and by which lines; empty if all may."""
    names = [name for name in _ROBOTS_CRAWLERS if not robots.allows(name, url)]
    lines = dict.fromkeys(filter(None, (robots.line_against(name, url) for name in names)))
    by = [f"robots.txt:{number}: Disallow: {shorten(value)}" for number, value in lines]
    return f"{' and '.join(names)} by {listing(by) if by else 'robots.txt'}" if names else ""


# --- What should be listed


@rule("not-listed", WARNING, GOOGLE)
def not_listed() -> None:
    """A page of the built site is not listed, but search engines are allowed to index it.

    List the page. If only the sitemap should not have it, write `sitemap: false` in its front
    matter. A noindex meta tag also takes the page out of Google.
    """


@rule("closed", WARNING, GOOGLE)
def closed() -> None:
    """A site has no sitemap, and its home page tells Google not to index it.

    If people should find the site, remove noindex from the template or from the settings of the
    host that write it. A site that is noindex as a whole needs no sitemap.
    """


@rule("replaced", WARNING, "the options of the project")
def replaced() -> None:
    """Another program replaced the project's sitemap: dates are lost, or excluded pages listed.

    Let sitemap-plus write last. With Zensical, run `mkdocs-sitemap-plus build` after `zensical
    build`.
    """


@rule("gone", WARNING, "the option --since")
def gone() -> None:
    """A URL of the older sitemap is not listed any more, and nothing known explains it.

    List the page again, or redirect its URL to the page that replaces it.
    """


@rule("required-absent", ERROR, "the option --require")
def required_absent() -> None:
    """A required URL is not listed.

    List the page, or find out why the build left it out.
    """


@rule("too-few-dates", ERROR, "the option --min-dated")
def too_few_dates(
    listed: Sequence[EntryInFile], percent: Decimal, undated: Mapping[str, str]
) -> Iterator[str]:
    """Fewer entries have a date than `--min-dated` requires.

    The subcommand `explain` says why a page has no date. If the clone is shallow, fetch the whole
    git history where the site is built.
    """
    without = [entry for entry in listed if entry.lastmod is None]
    dated = len(listed) - len(without)
    if 100 * dated < percent * len(listed):
        counts = f"{dated:,} of {counted(len(listed), 'entry', 'entries')} have a date"
        reasons = Counter(filter(None, (undated.get(entry.key) for entry in without)))
        most = ", ".join(f"{why} ({n:,})" for why, n in reasons.most_common(_MOST_REASONS))
        others = f"; why others have none: {most}" if most else ""
        yield f"{counts}, but {percent}% are required{others}"
