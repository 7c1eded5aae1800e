"""Select what is listed: the pages of the site, `extra_files`, `extra_urls`."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime

from mkdocs_sitemap_plus.options import Settings, Source
from mkdocs_sitemap_plus.options.fields import (
    TOP_LEVEL_KEYS,
    Overrides,
    key_of_other_tool,
    read_front_matter,
    top_keys,
)
from mkdocs_sitemap_plus.options.values import Invalid, lastmod
from mkdocs_sitemap_plus.pages import OutReason, Site, SiteFile, SourcePage, Url
from mkdocs_sitemap_plus.pipeline import (
    Candidate,
    Context,
    Decision,
    LeftOut,
    Listed,
    Work,
    files_in,
    listed_in,
)
from mkdocs_sitemap_plus.problems import (
    MAX_OF_A_KIND,
    Code,
    Level,
    Origin,
    Place,
    Problem,
    invalid,
)
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.sitemap.urls import (
    loc_fault,
    within,
)
from mkdocs_sitemap_plus.web.html import is_error_page
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, shorten


def overrides_of(file: SiteFile, settings: Settings) -> tuple[Overrides, list[Problem]]:
    """Return what is set for a page or a file, and what is wrong with its front matter.

    For each field, the first of these that sets it wins, even if its value is invalid: the front
    matter, the last matching rule, the site-wide option, which is the first rule.
    """
    found, problems = Overrides(), list[Problem]()
    for rule in settings.rules:
        if rule.matches(file.src_uri):
            found = found.under(rule.overrides)
    if isinstance(file, SourcePage):
        zone, keys = settings.lastmod.timezone, settings.lastmod.front_matter_keys
        if file.broken is not None:
            return found, _unreadable(file, top_keys(keys))
        own, problems = read_front_matter(
            file.meta, file.file, file.lines, zone, keys, written=file.written
        )
        problems += _twice(file, top_keys(keys))
        found = found.under(own) if own.places else found
    return found, problems


def _unreadable(page: SourcePage, known: frozenset[str]) -> list[Problem]:
    """Return a warning if unreadable front matter has a key that this plugin reads."""
    broken = page.broken
    if broken is None or broken.keys.isdisjoint(known):
        return []
    found = f"the front matter can't be read ({broken.reason})"
    if broken.key:
        found = f"is {format_value(broken.value)}, which can't be read ({broken.reason})"
    done = "All front matter of this page is ignored."
    if broken.is_shown:
        done = "MkDocs ignores all front matter of this page, and shows it as text."
    place = Place(Origin.FRONT_MATTER, page.file, broken.key, broken.line)
    return [Problem(Code.FRONT_MATTER, found, place, done=done, fix=broken.fix)]


def _twice(page: SourcePage, known: frozenset[str]) -> Iterator[Problem]:
    """Yield a warning for each key of ours that stands twice: YAML forgets the first value."""
    for key in page.twice:
        if key.partition(".")[0] in known:
            place = Place(Origin.FRONT_MATTER, page.file, key, page.lines.get(key))
            done = "Only this value counts, which is the last one."
            yield Problem(Code.FRONT_MATTER, "stands twice", place, done=done, fix="Delete one.")


def select_pages(work: Work) -> None:
    """Add each page and each file of ``extra_files``: an entry, or the reason why it has none."""
    site, settings, problems = work.context.site, work.context.settings, work.problems
    files: list[SiteFile] = [*site.pages]
    if settings.extra_files:
        from mkdocs_sitemap_plus.pipeline.extra import extra_files  # noqa: PLC0415 - few have any

        files += extra_files(work, settings.extra_files)
    reasons: list[tuple[OutReason, str, Place] | None] = []
    overrides: list[Overrides] = []
    for file in files:
        fields, found = overrides_of(file, settings)
        problems += found if site.project_file else map(_of_other_tool, found)
        overrides.append(fields)
        reasons.append(_reason(file, fields, work.context))
    canonical_problem = None
    if any(file.built and file.loc and file.built.names_other(file.loc) for file in files):
        from mkdocs_sitemap_plus.pipeline.canonicals import (  # noqa: PLC0415 - few sites have any
            leave_out_not_canonical,
        )

        canonical_problem = leave_out_not_canonical(files, reasons, site)
    for file, fields, out in zip(files, overrides, reasons, strict=True):
        candidate = Candidate(about=file, overrides=fields)
        if out:
            work.decisions.append(candidate.left_out(*out))
        else:
            why = Place(Origin.BUILT_PAGE, file.dest_uri)
            if fields.exclude is False:
                why = fields.places["exclude"]
            work.decisions.append(candidate.listed(file.loc, why))
    posts = {post for page in site.pages for post in page.posts}
    problems += filter(None, (_not_left_out(each.about, posts) for each in work.listed))
    problems += _unread_dates(work)
    if settings.rules:
        from mkdocs_sitemap_plus.pipeline.unmatched import unmatched_in_rules  # noqa: PLC0415 - few

        problems += unmatched_in_rules(work)
    problems += [canonical_problem] if canonical_problem else []
    problems += _unreadable_problem(work.decisions)
    problems += _noindex_note(work.decisions)
    problems += _url_problems(work.decisions, site)


def _of_other_tool(problem: Problem) -> Problem:
    """Return a problem. Without a project file, a key at the top may be that of another tool."""
    key = problem.place and problem.place.key
    is_ours = key not in ("lastmod", *TOP_LEVEL_KEYS)
    return problem if is_ours else problem._replace(level=Level.INFO)


def _not_left_out(page: object, posts: Container[str]) -> Problem | None:
    """Return the note that a key such as ``noindex: true`` does not leave out a listed page."""
    key = key_of_other_tool(page.meta) if isinstance(page, SourcePage) and page.meta else None
    if key is None or not isinstance(page, SourcePage):
        return None
    if key == "draft" and page.src_uri in posts:  # a blog can publish drafts
        return None
    place = Place(Origin.FRONT_MATTER, page.file, key, page.lines.get(key))
    found = f"is {format_value(page.meta[key])}, but this plugin does not read that key"
    done, fix = "The page is listed.", "To leave it out, write `sitemap: false`."
    if key == "draft":
        found = found.replace("this plugin", "MkDocs")
        done = "The page is published and listed."
        fix = (
            "To keep it unpublished, use draft_docs in mkdocs.yml. To leave it out of the sitemap "
            "only, write `sitemap: false`."
        )
    return Problem(Code.NEAR_MISS, found, place, done=done, fix=fix, level=Level.INFO)


def _unread_dates(work: Work) -> Iterator[Problem]:
    """Yield a note on pages with a date under a key of other tools, which is not read."""
    settings = work.context.settings.lastmod
    if Source.FRONT_MATTER not in settings.sources:
        return
    counts: Counter[str] = Counter()
    for page in work.listed:
        if isinstance(page.about, SourcePage) and page.about.meta:
            counts.update(
                key
                for key, value in page.about.meta.items()
                if isinstance(value, date) and _letters(key) in _DATES_OF_OTHERS
            )
            yield from _unread_date_of_docusaurus(page.about, settings.front_matter_keys)
    for key, count in counts.items():
        if key not in settings.front_matter_keys:
            keys = ", ".join((*settings.front_matter_keys, key))
            found = f"{counted(count, 'page has', 'pages have')} the key `{key}`, which is not read"
            fix = f"To use it: `lastmod: {{front_matter_keys: [{keys}]}}`."
            yield Problem(Code.UNREAD_DATE, found, fix=fix, level=Level.INFO)


_DATES_OF_OTHERS = ("updated", "lastupdated", "modified", "lastmodified", "revisiondate")
"""Keys with dates that are not read, without what stands between their words."""


def _letters(key: object) -> str:
    return key.replace("_", "").replace("-", "").lower() if isinstance(key, str) else ""


def _unread_date_of_docusaurus(page: SourcePage, read_keys: Container[str]) -> Iterator[Problem]:
    """Yield the note that ``last_update: {date: 1/3/2025}`` is not read."""
    update = page.meta.get("last_update")
    raw = update.get("date") if isinstance(update, Mapping) else None
    if raw is None or isinstance(raw, date) or "last_update.date" in read_keys:
        return
    key = "last_update.date"
    line = page.lines.get(key) or page.lines.get("lastmod")  # `build` takes it for its own key
    place = Place(Origin.FRONT_MATTER, page.file, key, line)
    try:
        lastmod(raw, UTC)
    except Invalid as error:
        problem = invalid(
            Code.UNREAD_DATE, place, raw, "a date such as 2026-11-20", error.suggestion
        )
        yield problem._replace(done="It does not date the page.", level=Level.INFO)


def _reason(
    file: SiteFile, fields: Overrides, context: Context
) -> tuple[OutReason, str, Place] | None:
    """Return why a page or a file is not listed, but for its canonical URL; and where it stands."""
    site, built = context.site, Place(Origin.BUILT_PAGE, file.dest_uri)
    if isinstance(file, SourcePage):
        if file.is_fallback and not context.settings.fallback_pages:
            option = site.option("fallback_pages")
            return OutReason.FALLBACK_PAGE, f"no translation into {file.locale}", option
        if file.replaced_by is not None:
            return OutReason.SAME_URL, file.replaced_by, built
    if fields.exclude and not is_error_page(file.dest_uri):
        place = fields.places["exclude"]
        return OutReason.EXCLUDED, str(place.key), place
    reason = (
        _error_page(file)
        or reason_in_html(file, trust_canonicals=False)
        or _reason_in_url(file.loc, site)
    )
    return (*reason, built) if reason else None


def _error_page(file: SiteFile) -> tuple[OutReason, str] | None:
    return (OutReason.ERROR_PAGE, file.dest_uri) if is_error_page(file.dest_uri) else None


def _reason_in_url(loc: str, site: Site) -> tuple[OutReason, str] | None:
    """Return why a page or a file is left out because of its URL."""
    if fault := loc_fault(loc):
        return OutReason.UNUSABLE_URL, fault
    return None if within(loc, site.url) else (OutReason.OUTSIDE, loc)


def reason_in_html(file: SiteFile, *, trust_canonicals: bool) -> tuple[OutReason, str] | None:
    """Return why a page or a file is left out because of its HTML (Google, "Build and submit")."""
    built = file.built
    if built is None:
        return OutReason.NOT_BUILT, "no file in the built site"
    if built.unreadable is not None:
        return OutReason.NOT_BUILT, f"can't be read: {built.unreadable}"
    if built.noindex is not None:
        return OutReason.NOINDEX, f"robots: {built.noindex}"
    if built.leads_elsewhere(file.loc):
        return OutReason.REDIRECT, f"refresh: {built.redirect}"
    if trust_canonicals and file.loc and built.names_other(file.loc):
        return OutReason.NOT_CANONICAL, f"canonical: {built.canonical}"
    return None


def _unreadable_problem(decisions: Iterable[Decision]) -> Iterator[Problem]:
    """Yield a problem if pages are left out since their built files can't be read."""
    left_out = [each for each in decisions if isinstance(each, LeftOut)]
    not_built = [each for each in left_out if each.reason is OutReason.NOT_BUILT]
    built = [(file.dest_uri, file.built.unreadable) for file in files_in(not_built) if file.built]
    faults = {name: why for name, why in built if why is not None}
    if faults:
        first, why = next(iter(faults.items()))
        files = counted(len(faults), "file")
        found = f"{files} of the built site can't be read ({shorten(first)}: {why})"
        yield Problem(Code.UNREADABLE, found, done="No such page is listed.")


def _noindex_note(decisions: Iterable[Decision]) -> Iterator[Problem]:
    """Yield a note on pages that a robots tag in their text leaves out, maybe by accident."""
    left_out = [each for each in decisions if isinstance(each, LeftOut)]
    noindex = [each for each in left_out if each.reason is OutReason.NOINDEX]
    pages = [file.file for file in files_in(noindex) if file.built and file.built.noindex_in_body]
    if pages:
        these = counted(len(pages), "page has", "pages have")
        names = first_names([*dict.fromkeys(pages)], MAX_OF_A_KIND)
        them = "the page is" if len(pages) == 1 else "these pages are"
        yield Problem(
            Code.NOINDEX_IN_BODY,
            f"{these} a robots meta tag with noindex in the text ({names})",
            done=f"Search engines obey it there, so {them} not listed.",
            fix="If the tag is an example, write it as code.",
            level=Level.INFO,
        )


def _url_problems(decisions: Iterable[Decision], site: Site) -> Iterator[Problem]:
    """Yield a problem for each reason why URLs can't be used, with the first page that has it."""
    outside = f"is not under the sitemap's own folder {site.url}"
    by_fault: dict[str, list[LeftOut]] = {}
    for each in decisions:
        if isinstance(each, Listed):
            continue
        if each.reason is OutReason.UNUSABLE_URL:
            by_fault.setdefault(each.detail, []).append(each)
        elif each.reason is OutReason.OUTSIDE and not site.serving:
            by_fault.setdefault(outside, []).append(each)
    for fault, (first, *others) in by_fault.items():
        more = f" (likewise {counted(len(others), 'more page')})" if others else ""
        yield Problem(
            Code.LOC,
            f"its URL {shorten(first.loc, 100)} {fault}{more}",
            Place(Origin.PLUGIN, first.name),
            done="They are left out." if others else "The page is left out.",
        )


def keep_one_per_url(work: Work) -> None:
    """Keep one entry of a URL, with a note on the others."""
    one_per_url(work)
    work.problems += _same_url_notes(work.decisions)


def one_per_url(work: Work) -> None:
    """Sort by URL. Of several entries with one URL, the newest is kept."""
    work.decisions.sort(key=lambda each: (each.loc, each.name))
    kept: dict[str, Listed] = {}
    for listed in work.listed:
        other = kept.setdefault(listed.loc, listed)
        if _last_change(listed) > _last_change(other):
            kept[listed.loc] = listed
    for at, page in enumerate(work.decisions):
        newest = kept.get(page.loc)
        if isinstance(page, Listed) and newest and newest is not page:
            file = None if isinstance(page.about, Url) else page.about.dest_uri
            place = Place(Origin.BUILT_PAGE, file)
            work.decisions[at] = page.left_out(OutReason.SAME_URL, newest.name, place)


def _last_change(page: Listed) -> datetime:
    when = page.entry.lastmod
    return datetime.min.replace(tzinfo=UTC) if when is None else to_datetime(when)


def _same_url_notes(decisions: Iterable[Decision]) -> Iterator[Problem]:
    """Yield a note for each page that is not listed because another page has its URL."""
    listed = {each.name for each in listed_in(decisions)}
    for each in decisions:
        if isinstance(each, Listed) or each.reason is not OutReason.SAME_URL:
            continue
        is_overwritten = isinstance(each.about, SourcePage) and each.about.replaced_by is not None
        why = "the other page is written over it"
        if each.detail in listed:
            why = "the other page is listed, with its own date and front matter"
        yield Problem(
            Code.SAME_URL,
            f"this page has the same URL as {each.detail}",
            Place(Origin.PLUGIN, each.name),
            done=f"{'It is not published' if is_overwritten else 'It is not listed'}: {why}.",
            fix="Rename one of them." if is_overwritten else None,
            level=Level.INFO,
        )
