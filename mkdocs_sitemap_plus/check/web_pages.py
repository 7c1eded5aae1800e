"""Check the pages of a sitemap on the web: which ones are requested, and what is found."""

from collections.abc import Iterable, Mapping, Sequence

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed, most_frequent
from mkdocs_sitemap_plus.check.host_check import HostCheck, How, Target
from mkdocs_sitemap_plus.check.language_versions import by_url
from mkdocs_sitemap_plus.check.protocol import Checked
from mkdocs_sitemap_plus.check.robots_rules import check_host_robots
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.site_files import check_page_dates
from mkdocs_sitemap_plus.check.site_folder import SiteFolder
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.client import AGENT, Client
from mkdocs_sitemap_plus.sitemap.copies import Copy, common_folder, folder_of
from mkdocs_sitemap_plus.sitemap.open_sitemaps import IS_URL
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted

_LONG = 60  # seconds. If requesting the pages takes longer, a note says how long it takes


def choose_pages(
    listed: Sequence[Listed], sample: int | None, origins: Mapping[str, frozenset[str]]
) -> tuple[list[Listed], int]:
    """Return the entries of the hosts that their sitemap may list, or `sample` of them.

    These are at even distances. The number is that of the others. Only entries with a valid URL
    count. Of entries with the same URL, only the first counts. `origins` has the hosts of each
    sitemap file.
    """
    valid = by_url(entry for entry in listed if entry.can_be_requested)
    pages = [page for key, page in valid.items() if origin_url(key) in origins[page.file]]
    number = min(sample or len(pages), len(pages))
    return [pages[at * len(pages) // number] for at in range(number)], len(pages) - number


def linked_targets(
    pages: Iterable[Listed], known: set[str], origins: Mapping[str, frozenset[str]]
) -> tuple[list[Target], int]:
    """Return the language versions and images of pages, each once, without those of other hosts.

    The number is that of the others. `known` has the `url_key` of what is left out; all that is
    found is added.
    """
    found, elsewhere = [], 0
    for page in pages:
        links = [(url, "language version") for url in sorted(page.alternates)]
        for url, kind in (*links, *((image, "image") for image in page.images)):
            key = url_key(url)
            if key not in known:
                known.add(key)
                if origin_url(key) in origins[page.file]:
                    found.append(Target(page, url, kind))
                else:
                    elsewhere += 1
    return found, elsewhere


def check_host(targets: Sequence[Target], findings: Findings, how: How) -> HostCheck:
    """Request targets of one host, and add the findings that the built site did not show."""
    known = {(finding.code, finding.loc) for finding in findings.kept}
    asked = how.url_of(targets[0].url) or ""
    check = HostCheck(origin_url(asked) or "", how)
    pages = [target.entry for target in targets if not target.kind]
    try:
        check.read_robots()
    except SitemapError as error:
        place = sitemap_place(f"{check.host}/robots.txt")
        findings.add(CheckCode.ROBOTS_NO_ANSWER, place, error.problem.found)
        check.stopped = "robots.txt can't be read"
    if check.has_robots and (not how.copy or how.copy.has_same_paths):
        check_host_robots(check.robots, f"{check.host}/", _file_of(pages), pages, findings)
    here = how.copy.folder if how.copy else common_folder(page.loc for page in pages)
    check.run(targets, here if pages else f"{check.host}/")
    check.answers.sort(key=lambda answer: (answer.target.entry.file, answer.target.entry.line))
    _leave_out_preview_noindex(check)
    for answer in check.answers:
        entry = answer.target.entry
        found = [*answer.found]
        if judged := answer.judged:
            tags = {**judged.by_page, **judged.by_header}
            found += ((code, clause, None) for code, clause in tags.items())
        for code, clause, fix in found:
            same = (code, CheckCode.PAGE_ABSENT) if code is CheckCode.PAGE_STATUS else (code,)
            if known.isdisjoint((name, entry.loc) for name in same):
                findings.add(code, entry.place, clause, entry.loc, fix)
    _add_soft_404(check, findings)
    judged_pages = [(answer.target.entry, answer.judged) for answer in check.answers]
    check_page_dates([(entry, [*each.dates]) for entry, each in judged_pages if each], findings)
    return check


def _file_of(pages: Sequence[Listed]) -> str:
    """Return the sitemap that these pages come from; empty without a page."""
    return pages[0].file if pages else ""


def _leave_out_preview_noindex(check: HostCheck) -> None:
    """If each page of a preview has a header with noindex, note that, and forget these headers."""
    judged = [answer.judged for answer in check.answers if answer.judged and not answer.target.kind]
    if not (check.how.copy and judged and all("noindex" in each.by_header for each in judged)):
        return
    check.notes.append("each page of the preview has noindex in its header X-Robots-Tag")
    for at, answer in enumerate(check.answers):
        if answer.judged:
            headers = {k: v for k, v in answer.judged.by_header.items() if k != "noindex"}
            check.answers[at] = answer._replace(judged=answer.judged._replace(by_header=headers))


def _add_soft_404(check: HostCheck, findings: Findings) -> None:
    """Report pages that have the title and the text of the site's page of error 404."""
    pages = [(answer.target.entry, answer.judged.text) for answer in check.answers if answer.judged]
    pages = [(entry, text) for entry, text in pages if text is not None]
    alike = [entry for entry, text in pages if text == check.error_page]
    if check.is_always_200:
        why = "the server answers 200 for a page that does not exist"
        if 2 * len(alike) > len(pages):  # scripts fill all pages, so their text is not known
            check.notes.append(f"{why}, and with the same text for most pages that do")
            return
        check.notes.append(why)
    for entry in alike:
        reason = "answers 200, but with the title and the text of the page of error 404"
        findings.add(CheckCode.SOFT_NOT_FOUND, entry.place, reason, entry.loc)


class LivePages:
    """Requests the pages of several sitemaps, each page once."""

    def __init__(self, options: Options) -> None:
        """Begin without a request."""
        self.options = options
        self.hosts: list[HostCheck] = []  # what was found at each host
        self._requested: set[str] = set()  # the `url_key` of all that was requested

    def request_pages(self, checked: Checked, built: SiteFolder | None, client: Client) -> None:
        """Request the pages of a sitemap, and what they name; note what is not requested."""
        options = self.options
        fresh = [entry for entry in checked.listed if url_key(entry.loc) not in self._requested]
        pages, others = choose_pages(fresh, options.sample, checked.origins)
        if others:
            checked.findings.skip("sample", f"{counted(others, 'page')} outside of the sample")
        left_out = sum(
            origin_url(entry.loc) not in checked.origins[entry.file]
            for entry in fresh
            if entry.can_be_requested
        )
        if left_out:
            what = f"{counted(left_out, 'page')} on other hosts"
            why = "this sitemap may not list them, so they were not requested"
            checked.findings.skip("pages", f"{what}: {why}")
        if not pages:
            return
        self._requested.update(url_key(page.loc) for page in pages)
        known = self._requested | {url_key(entry.loc) for entry in checked.listed}
        links, elsewhere = linked_targets(pages, known, checked.origins)
        self._requested.update(url_key(link.url) for link in links)
        if elsewhere:
            what = counted(elsewhere, "image or language version", "images and language versions")
            checked.findings.skip("links", f"{what} on other hosts: not requested")
        copy = _copy_of(checked, built, options)
        how = How(client, options.rate, copy, options.progress)
        by_host: dict[str, list[Target]] = {}
        outside = 0
        for target in (*(Target(page, page.loc) for page in pages), *links):
            if (asked := how.url_of(target.url)) is None:
                outside += 1
            else:
                by_host.setdefault(origin_url(asked) or "", []).append(target)
        if outside and copy:
            what = f"{counted(outside, 'URL')} outside of {copy.published}"
            why = "the preview does not have them, so they were not requested"
            checked.findings.skip("pages", f"{what}: {why}")
        for host, targets in by_host.items():
            self._request_host(host, targets, checked, how)

    def _request_host(
        self, host: str, targets: Sequence[Target], checked: Checked, how: How
    ) -> None:
        note = self.options.note
        what = f"{counted(sum(not target.kind for target in targets), 'page')} of {host}"
        if (seconds := len(targets) / how.rate) > _LONG:
            note(f"requesting {what}, which takes {seconds / 60:.0f} min.")
        check = check_host(targets, checked.findings, how)
        self.hosts.append(check)
        for text in check.notes:
            note(f"{text}.")
        if check.disallowed:
            why = f"robots.txt disallows {check.disallowed:,} of them for {AGENT}"
            checked.findings.skip("pages", f"{what}: {why}")
        if check.stopped:
            left = len(targets) - len(check.answers) - check.disallowed
            why = f"{left:,} were not requested: {check.stopped}"
            checked.findings.skip("pages", f"{what}: {why}")
        if check.interrupted:
            raise KeyboardInterrupt


def _copy_of(checked: Checked, built: SiteFolder | None, options: Options) -> Copy | None:
    """Return where the site of a sitemap is published, and its copy; None without ``--base-url``.

    Only a built site, or a sitemap on the web, tells the address exactly. Otherwise it is the
    folder that has all listed pages.
    """
    if options.base_url is None:
        return None
    file = checked.files[0]
    if built:
        return Copy(built.url, options.base_url)
    if checked.copy:
        return checked.copy
    if IS_URL.match(file) and not options.is_copy(file):
        return Copy(folder_of(file), options.base_url)
    host = most_frequent(origin_url(entry.loc) for entry in checked.listed)
    locs = [entry.loc for entry in checked.listed if origin_url(entry.loc) == host]
    return Copy(common_folder(locs), folder_of(file) if IS_URL.match(file) else options.base_url)
