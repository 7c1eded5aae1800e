"""Select what is listed: the pages of the site, `extra_files`, `extra_urls`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from urllib.parse import urljoin

from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.generator.options.fields import (
    TOP_LEVEL_KEYS,
    ExtraUrl,
    Overrides,
    read_front_matter,
    top_keys,
)
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.pages.site import OutReason, Site, SiteFile, SourcePage, Url
from mkdocs_sitemap_plus.generator.pages.unmatched_patterns import (
    dropped_excludes,
    unmatched,
    unmatched_excludes,
)
from mkdocs_sitemap_plus.generator.pipeline.decisions import BuildState, Candidate, Context, Listed
from mkdocs_sitemap_plus.generator.pipeline.extra import extra_files
from mkdocs_sitemap_plus.generator.pipeline.notes import (
    left_out_by_mistake,
    twice,
    unread_keys,
    unreadable,
)
from mkdocs_sitemap_plus.html.site_folder import Canonical, PageAt, SiteFolder, other_canonical
from mkdocs_sitemap_plus.html.tags import is_error_page
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.protocol import to_datetime
from mkdocs_sitemap_plus.sitemap.urls import loc_fault, url_key, within
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, printable, shorten

Reason = tuple[OutReason, str, Place] | None
"""Why a page or a file is left out: the reason, what was found, and where."""


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
            return found, unreadable(file, top_keys(keys))
        own, problems = read_front_matter(
            file.meta, file.file, file.lines, zone, keys, written=file.written
        )
        problems += twice(file, top_keys(keys))
        found = found.under(own)
    return found, problems


def select_pages(work: BuildState) -> None:
    """Add each page and each file of ``extra_files``: an entry, or the reason why it has none."""
    site, settings, problems = work.context.site, work.context.settings, work.problems
    files: list[SiteFile] = [*site.pages]
    if settings.extra_files:
        files += extra_files(work, settings.extra_files)
    reasons: list[Reason] = []
    overrides: list[Overrides] = []
    for file in files:
        fields, found = overrides_of(file, settings)
        problems += found if site.project_file else map(_of_other_tool, found)
        overrides.append(fields)
        reasons.append(_reason(file, fields, work.context))
    of_canonicals = [*leave_out_not_canonical(files, reasons, site, settings.extra_urls)]
    for file, fields, out in zip(files, overrides, reasons, strict=True):
        candidate = Candidate(target=file, overrides=fields)
        if out:
            work.decisions.append(candidate.left_out(*out))
        else:
            why = Place(Origin.BUILT_PAGE, file.dest_uri)
            if fields.exclude is False:
                why = fields.places["exclude"]
            work.decisions.append(candidate.listed(file.loc, why))
    problems += unread_keys(work)
    problems += _unmatched_in_rules(work, [file.src_uri for file in files])
    problems += of_canonicals
    problems += left_out_by_mistake(work.decisions, site)


def _unmatched_in_rules(work: BuildState, paths: list[str]) -> Iterator[Problem]:
    """Of inherited patterns, the problems are of those that would leave out listed pages."""
    site, rules = work.context.site, work.context.settings.rules
    docs_dir, on_purpose = site.docs_dir, {f"!{each.line}" for each in site.inherited}
    excluding = [each.match for each in rules if each.match and each.overrides.exclude]
    own = [line for patterns in excluding for line in patterns.lines]
    dropped = list[Problem]()
    if site.inherited:
        listed = (each.target for each in work.listed if each.overrides.exclude is None)
        pages = [page for page in listed if isinstance(page, SourcePage)]
        dropped += dropped_excludes(site, own, pages)
    if dropped:  # what is brought back was meant to be left out by these
        on_purpose |= {line for line in own if line.startswith("!")}
    for rule in rules:
        if rule.match is None:
            continue
        if rule.overrides.exclude:
            patterns, shown = rule.match.without(on_purpose), path_from(site.root, docs_dir)
            yield from unmatched_excludes(patterns, paths, rule.place, docs_dir, shown)
        else:
            yield from unmatched(rule.match, paths, rule.place, "page")
    yield from dropped


def _of_other_tool(problem: Problem) -> Problem:
    """Return a problem. Without a project file, a key at the top may be that of another tool."""
    key = problem.place and problem.place.key
    is_ours = key not in ("lastmod", *TOP_LEVEL_KEYS)
    return problem if is_ours else problem._replace(level=Level.NOTE)


def _reason(file: SiteFile, fields: Overrides, context: Context) -> Reason:
    """Return why a page or a file is not listed, but for its canonical URL; and where it stands."""
    site, built = context.site, Place(Origin.BUILT_PAGE, file.dest_uri)
    if isinstance(file, SourcePage):
        if file.is_fallback and not context.settings.fallback_pages:
            option = site.option("fallback_pages")
            return OutReason.FALLBACK_PAGE, f"no translation into {file.locale}", option
        if file.replaced_by is not None:
            return OutReason.SAME_URL, file.replaced_by, built
    if is_error_page(file.dest_uri):
        return OutReason.ERROR_PAGE, file.dest_uri, built
    if fields.exclude:
        place = fields.places["exclude"]
        return OutReason.EXCLUDED, str(place.key), place
    reason = reason_in_html(file, trust_canonicals=False)
    if not reason and (fault := loc_fault(file.loc)):
        reason = OutReason.UNUSABLE_URL, fault
    elif not reason and not within(file.loc, site.url):
        reason = OutReason.OUTSIDE, file.loc
    return (*reason, built) if reason else None


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


def one_per_url(work: BuildState) -> None:
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
            file = None if isinstance(page.target, Url) else page.target.dest_uri
            place = Place(Origin.BUILT_PAGE, file)
            work.decisions[at] = page.left_out(OutReason.SAME_URL, newest.name, place)


def _last_change(page: Listed) -> datetime:
    when = page.entry.lastmod
    return datetime.min.replace(tzinfo=UTC) if when is None else to_datetime(when)


def leave_out_not_canonical(
    files: Sequence[SiteFile], reasons: list[Reason], site: Site, extra_urls: Sequence[ExtraUrl]
) -> Iterator[Problem]:
    """Set the reason of each page that names another URL as canonical, if nothing else left it out.

    Yield what is wrong, or worth a note. Where most of the pages that remain name one that no page
    of the site has, the theme or site_url is wrong, and these are listed. So are pages that name
    two.
    """
    found = _other_canonicals(files, reasons, site)
    yield from _two_canonicals(files, reasons)
    absent = [at for at, canonical in found.items() if canonical.page is None]
    pages = Counter(each.page for each in found.values()).most_common(1)
    one, names = pages[0] if pages else (None, 0)
    is_one = one is not None and 2 * names > reasons.count(None)
    remaining = reasons.count(None) - (len(found) - len(absent))
    is_wrong = 2 * len(absent) > remaining
    for at, canonical in found.items():
        if canonical.page is not None or not is_wrong:
            place = Place(Origin.BUILT_PAGE, files[at].dest_uri)
            reasons[at] = OutReason.NOT_CANONICAL, f"canonical: {canonical.url}", place
    if is_one:
        yield Problem(
            Code.CANONICAL,
            f"{counted(names, 'page names', 'pages name')} the page {one} as the canonical one",
            done="They are left out.",
            fix="If they are no copies of it, check the theme's rel=canonical.",
            level=Level.NOTE,
        )
    if is_wrong:
        first, of_pages = files[absent[0]], counted(remaining, "page names", "pages name")
        named, own = (shorten(printable(url)) for url in (found[absent[0]].url, first.loc))
        example = f"{first.file}: '{named}', its URL is '{own}'"
        yield Problem(
            Code.CANONICAL,
            f"{len(absent)} of {of_pages} a canonical URL that no page of the site has ({example})",
            done="These canonical URLs are ignored.",
            fix="Check site_url, and the theme's rel=canonical.",
        )
    elsewhere = {url_key(urljoin(site.url, str(each.loc))) for each in extra_urls}
    folder = SiteFolder(site.site_dir, site.url)
    lost = () if is_wrong else (at for at in absent if found[at].is_nowhere(folder, elsewhere))
    if lines := [f"{files[at].file}: {format_value(found[at].url)}" for at in lost]:
        yield Problem(
            Code.CANONICAL,
            f"{counted(len(lines), 'page names', 'pages name')} a canonical URL below {site.url} "
            f"that nothing here has ({first_names(lines)})",
            done="It is left out." if len(lines) == 1 else "They are left out.",
            fix="Publish what rel=canonical names, or let the page name itself.",
            level=Level.NOTE,
        )


def _two_canonicals(files: Sequence[SiteFile], reasons: Sequence[Reason]) -> Iterator[Problem]:
    """Yield the problem of pages that name two different URLs as canonical; they are listed."""
    both = [
        f"{file.file}: {format_value(file.built.canonical)} and {format_value(second)}"
        for file, out in zip(files, reasons, strict=True)
        if out is None and file.built and (second := file.built.second_canonical(file.loc))
    ]
    if both:
        pages = counted(len(both), "page names", "pages name")
        yield Problem(
            Code.CANONICAL,
            f"{pages} two different canonical URLs ({first_names(both)})",
            done=f"Search engines ignore both: {'it is' if len(both) == 1 else 'they are'} listed.",
            fix="Let one place write rel=canonical: the theme, or front matter.",
        )


def _other_canonicals(
    files: Sequence[SiteFile], reasons: Sequence[Reason], site: Site
) -> dict[int, Canonical]:
    """Return the canonical URLs for which files, by their number, are not listed."""
    asked = [
        (at, PageAt(file.dest_uri, file.loc, file.built))
        for at, (file, out) in enumerate(zip(files, reasons, strict=True))
        if out is None and file.built and file.loc
    ]
    built = [PageAt(each.dest_uri, each.loc, each.built) for each in files if each.built]
    by_url = {url_key(page.loc): page for page in built if page.loc}
    by_path = {page.path: page for page in built}
    folder = SiteFolder(site.site_dir, site.url)

    def page_at(url: str) -> PageAt | None:
        if known := by_url.get(url_key(url.partition("#")[0])):
            return known
        page = folder.page_at(url)
        return by_path.get(page.path, page) if page else None

    found = ((at, other_canonical(page, page_at)) for at, page in asked)
    return {at: canonical for at, canonical in found if canonical}
