"""Add the language versions of each page: a set of links that includes the page itself.

Google, "Tell Google about localized versions of your page": links to pages that do not link back
are ignored. So each page of a set has the links of the whole set.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from mkdocs_sitemap_plus.files import is_file, is_folder, real_path
from mkdocs_sitemap_plus.options.mappings import Language
from mkdocs_sitemap_plus.options.readers import read_fields, read_hreflang
from mkdocs_sitemap_plus.pages import Site, SourcePage, Url
from mkdocs_sitemap_plus.pages.paths import built_paths
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision, Listed, listed_in
from mkdocs_sitemap_plus.problems import Code, Place, Problem, Result, invalid, one_per_field
from mkdocs_sitemap_plus.sitemap import Alternate
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang
from mkdocs_sitemap_plus.sitemap.urls import read_url, url_key
from mkdocs_sitemap_plus.wording import first_names

_Versions = dict[str, dict[str, str]]
"""For each page, by its URL: the URLs of its language versions, by hreflang."""

_Found = tuple[_Versions, list[Problem]]
_NOT_WRITTEN = "This link is not written."


def add_alternates(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the language links of each entry."""
    listed = listed_in(decisions)
    built: _Versions = {}
    problems: list[Problem] = []
    place, option = context.site.option("alternates"), context.settings.alternates
    if option is True:
        place = context.site.languages_place
        built, problems = _versions_of_one_build(listed, place)
    elif option:
        built, problems = _versions_of_several_builds(listed, option, context.site)
    by_owner, faults = _owner_versions(listed, decisions)
    problems += faults
    by_owner, faults = _completed(by_owner, listed, built, context.site)
    problems += faults
    places = {
        page.loc: page.overrides.places["alternates"] for page in listed if page.loc in by_owner
    }
    links = {
        loc: [Alternate(hreflang=code, href=href) for code, href in hrefs.items()]
        for loc, hrefs in (built | by_owner).items()
    }
    mutual = mutual_links(links, {page.loc for page in decisions})
    for loc in by_owner:
        one_way = [link for link in links[loc] if link not in mutual[loc]]
        problems += one_per_field([one_way_problem(link, places[loc]) for link in one_way])
    default, faults = _default(mutual, context)
    problems += faults
    linked = list(decisions)
    for number, page in enumerate(decisions):
        if not isinstance(page, Listed) or page.loc not in links:
            continue
        if is_language_set(mutual[page.loc], page.loc):
            alternates = _with_default(mutual[page.loc], default)
            why = places.get(page.loc, place)
            linked[number] = page.with_field("alternates", alternates, why)
    problems = [problem._replace(done=problem.done or _NOT_WRITTEN) for problem in problems]
    return linked, list(dict.fromkeys(problems))  # many pages may have the same problem


def one_way_problem(link: Alternate, place: Place) -> Problem:
    """Return the problem of a link to a page that does not link back."""
    expected = "a page of the sitemap that links back to this one"
    problem = invalid(Code.ALTERNATES, place.under(link.hreflang), link.href, expected)
    return problem._replace(done=_NOT_WRITTEN)


def _versions_of_one_build(listed: Iterable[Listed], place: Place) -> _Found:
    """Return the versions of pages if all languages are built into one site."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    problems: list[Problem] = []
    for decision in listed:
        page = decision.about
        if isinstance(page, SourcePage) and page.translation_of and page.locale:
            code, faults = read_hreflang(page.locale, place._replace(key="locale"))
            done = "Its pages get no language links."
            problems += [fault._replace(done=done) for fault in faults]
            if code:
                groups[page.translation_of][code] = decision.loc
    return {loc: group for group in groups.values() for loc in group.values()}, problems


def _versions_of_several_builds(
    listed: Iterable[Listed], languages: tuple[Language, ...], site: Site
) -> _Found:
    """Return the versions of pages if each language is a build of its own.

    A page has a version in a language if the docs folder of this language has a file with the path
    of the page's source. The URL of some pages, such as posts of a blog, is not made from this
    path. Such a page gets no links, since the URLs of its versions are not known.
    """
    folders = {language: real_path(site.root / language.docs_dir) for language in languages}
    docs_dir = real_path(site.docs_dir)
    own_language = next((known for known, folder in folders.items() if folder == docs_dir), None)
    problems = list(_language_problems(own_language, folders, site))
    if own_language is None:
        return {}, problems
    versions = {}
    for decision in listed:
        file, loc = decision.about, decision.loc
        if isinstance(file, Url):
            continue
        if file.dest_uri in (file.src_uri, *built_paths(file.src_uri)):
            rest = loc.removeprefix(site.url)
            versions[loc] = {
                language.locale: language.url + rest
                for language, folder in folders.items()
                if is_file(folder / file.src_uri)
            } | {own_language.locale: loc}
    return versions, problems


def _language_problems(
    own_language: Language | None, folders: Mapping[Language, Path], site: Site
) -> Iterator[Problem]:
    """Yield the problems of the option `alternates` that break links between the languages."""
    for language, folder in folders.items():
        if not is_folder(folder):
            place = site.option(f"alternates.{language.locale}.docs_dir")
            expected = f"a folder, relative to {site.project_file}"
            problem = invalid(Code.ALTERNATES, place, language.docs_dir, expected)
            yield problem._replace(done="No links to this language are written.")
    if own_language is None:
        yield Problem(
            code=Code.ALTERNATES,
            place=site.option("alternates"),
            found="has no language with the docs_dir of this build",
            done="No language links are written.",
            fix="List all languages, including the language of this build.",
        )
    elif not site.serving and own_language.url != site.url:
        place = site.option(f"alternates.{own_language.locale}.url")
        expected = f"the site_url of this build, {site.url}"
        problem = invalid(Code.ALTERNATES, place, own_language.url, expected)
        yield problem._replace(done="The sitemaps of the other languages link to the wrong URL.")


def _owner_versions(listed: Iterable[Listed], decisions: Iterable[Decision]) -> _Found:
    """Return the versions that the owner set, as absolute URLs.

    If such a URL is another spelling of a page's ``loc``, the ``loc`` is taken.
    """
    locs = {url_key(page.loc): page.loc for page in decisions}
    found: _Versions = {}
    problems: list[Problem] = []
    for page in listed:
        links, loc = page.overrides.alternates, page.loc
        if not links:
            continue
        place = page.overrides.places["alternates"]
        readers = dict.fromkeys(links, partial(read_url, base=loc))
        urls, faults = read_fields(readers, links, place)
        problems += one_per_field(faults)
        found[loc] = {code: locs.get(url_key(url), url) for code, url in urls.items() if url}
    return found, problems


def _completed(
    by_owner: _Versions, listed: Iterable[Listed], built: _Versions, site: Site
) -> _Found:
    """Return the owner's versions, completed with the built versions and the page itself.

    If no version is the page itself, the page is added. Its language is the first of these that is
    known and that no version has: the language it is built in, the language with which other pages
    link to it, the language of the site. If there is none, the owner's versions are not used.
    """
    pairs = (pair for hrefs in by_owner.values() for pair in hrefs.items())
    codes_by_href = {href: code for code, href in pairs if code != X_DEFAULT}
    completed = {}
    problems = []
    for decision in listed:
        loc, page = decision.loc, decision.about
        if loc not in by_owner:
            continue
        hrefs = built.get(loc, {}) | by_owner[loc]
        names_itself = any(href == loc for code, href in hrefs.items() if code != X_DEFAULT)
        if not names_itself:
            locale = page.locale if isinstance(page, SourcePage) else None
            locales = (locale, codes_by_href.get(loc), site.default_locale)
            codes = list(filter(None, (hreflang(known or "") for known in locales)))
            code = next((code for code in codes if code not in hrefs), None)
            if code is None:
                problems.append(_own_language_problem(decision, codes))
                continue
            hrefs[code] = loc
        completed[loc] = hrefs
    # In serve, site_url is another one, so the owner's URLs are not those of pages.
    return completed, [] if site.serving else problems


def _own_language_problem(decision: Listed, codes: Sequence[str]) -> Problem:
    """Return the problem that no language is left for the page itself.

    `codes` are its known languages, which are all given to other URLs.
    """
    why, fix = "the language of the page is not known", ", or set the theme's language"
    if codes:
        why, fix = f"gives its language, {codes[0]}, to another URL", ""
    return Problem(
        code=Code.ALTERNATES,
        place=decision.overrides.places["alternates"],
        found=f"does not name the page itself, and {why}",
        done="These links are not written.",
        fix=f"Add the page itself{fix}.",
    )


def mutual_links(
    links: Mapping[str, Iterable[Alternate]], locs: Container[str]
) -> dict[str, list[Alternate]]:
    """Return all links but those to pages of this site that do not link back.

    `links` and the result have the links of each page by its URL. `locs` are the URLs of all pages
    of this site. Links of ``x-default`` stay.
    """
    linked = {
        loc: {each.href for each in page_links if each.hreflang != X_DEFAULT}
        for loc, page_links in links.items()
    }

    def stays(link: Alternate, loc: str) -> bool:
        if link.hreflang == X_DEFAULT or link.href not in locs:
            return True  # no link back is needed, or it can't be known
        return loc in linked.get(link.href, ())

    return {
        loc: [each for each in page_links if stays(each, loc)] for loc, page_links in links.items()
    }


def is_language_set(links: Iterable[Alternate], loc: str) -> bool:
    """Return whether links lead to at least two languages, one of them to the page itself."""
    languages = {each.hreflang: each.href for each in links if each.hreflang != X_DEFAULT}
    return len(languages) >= 2 and loc in languages.values()


def _default(links: Mapping[str, Iterable[Alternate]], context: Context) -> Result[str]:
    """Return the language of ``x-default``; None if it is not known, or if the option is false.

    Without the option, it is the first language of the option `alternates`. If one build has all
    languages, it is the language of the site.
    """
    locale, languages = context.settings.x_default, context.settings.alternates
    if locale is None:
        first = languages[0].locale if isinstance(languages, tuple) else None
        return first or context.site.default_locale, []
    if locale is False:
        return None, []
    codes = {each.hreflang for page_links in links.values() for each in page_links} - {X_DEFAULT}
    if not codes or locale in codes:
        return locale, []
    expected = f"one of {first_names(sorted(codes), 20)}"
    problem = invalid(Code.X_DEFAULT, context.site.option("x_default"), locale, expected)
    return locale, [problem._replace(done="It is not used.")]


def _with_default(links: Iterable[Alternate], default: str | None) -> tuple[Alternate, ...]:
    """Return the links sorted by language, and last the link of ``x-default``, if there is one."""
    hrefs = dict(sorted((each.hreflang, each.href) for each in links))
    code = hreflang(default) if default else None
    fallback = hrefs.pop(X_DEFAULT, None) or hrefs.get(code or "")
    if fallback:
        hrefs[X_DEFAULT] = fallback
    return tuple(Alternate(hreflang=code, href=href) for code, href in hrefs.items())
