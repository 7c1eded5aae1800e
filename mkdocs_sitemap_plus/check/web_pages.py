"""Check the pages of a sitemap on the web: which ones are requested, and what is found."""

from collections.abc import Iterable, Mapping, Sequence

from mkdocs_sitemap_plus.check import Findings, Listed
from mkdocs_sitemap_plus.check.host_check import HostCheck, How, Target
from mkdocs_sitemap_plus.check.site_files import by_url, check_disallowed, check_page_dates
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.copies import common_folder
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import origin_url, url_key


def choose_pages(
    listed: Sequence[Listed], sample: int | None, origins: Mapping[str, frozenset[str]]
) -> list[Listed]:
    """Return the entries of the hosts that their sitemap may list, or `sample` of them.

    These are at even distances. Only entries with a valid URL count. Of entries with the same URL,
    only the first counts. `origins` has the hosts of each sitemap file.
    """
    valid = by_url(entry for entry in listed if entry.can_be_requested)
    pages = [page for key, page in valid.items() if origin_url(key) in origins[page.file]]
    number = min(sample or len(pages), len(pages))
    return [pages[at * len(pages) // number] for at in range(number)]


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
    """Request targets of one host, and add the findings."""
    asked = how.url_of(targets[0].url) or ""
    check = HostCheck(origin_url(asked) or "", how)
    pages = [target.entry for target in targets if not target.kind]
    try:
        check.read_robots()
    except SitemapError as error:
        place = sitemap_place(f"{check.host}/robots.txt")
        findings.add("robots-no-answer", place, error.problem.found)
        check.stopped = "robots.txt can't be read"
    if not how.copy or how.copy.has_same_paths:
        check_disallowed(check.robots, pages, findings)
    here = how.copy.folder if how.copy else common_folder(page.loc for page in pages)
    check.run(targets, here if pages else f"{check.host}/")
    check.answers.sort(key=lambda answer: (answer.target.entry.file, answer.target.entry.line))
    _leave_out_preview_noindex(check)
    for answer in check.answers:
        entry = answer.target.entry
        for code, clause, fix in answer.found:
            findings.add(code, entry.place, clause, entry.loc, fix)
        if judged := answer.judged:
            for code, clause in {**judged.by_page, **judged.by_header}.items():
                findings.add(code, entry.place, clause, entry.loc)
    _add_soft_404(check, findings)
    judged_pages = [(answer.target.entry, answer.judged) for answer in check.answers]
    check_page_dates([(entry, [*each.dates]) for entry, each in judged_pages if each], findings)
    return check


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
        findings.add("soft-not-found", entry.place, reason, entry.loc)
