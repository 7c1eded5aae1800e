"""Add the language versions of each page: a set of links that includes the page itself.

Google, "Tell Google about localized versions of your page": links to pages that do not link back
are ignored. So each page of a set has the links of the whole set.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from mkdocs_sitemap_plus.files import is_file, is_folder, real_path
from mkdocs_sitemap_plus.generator.options import value_kinds
from mkdocs_sitemap_plus.generator.options.fields import Language
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.pages.site import Site, SourcePage, Url, built_paths
from mkdocs_sitemap_plus.generator.pipeline.decisions import BuildState
from mkdocs_sitemap_plus.problems import Code, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.entries import Alternate
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang

Links = dict[str, str]  # the URLs of the language versions of a page, by hreflang
Sets = dict[str, Links]  # by the URL of the page


def add_alternates(work: BuildState) -> None:
    """Add the language links of each entry."""
    site, option = work.context.site, work.context.settings.alternates
    place, built = site.option("alternates"), Sets()
    if option is True:
        place = site.languages_place
        built = _of_one_build(work, place)
    elif option:
        built = _of_several_builds(work, option)
    mutual = mutual_links(built, {page.loc for page in work.decisions})
    default = option[0].locale if isinstance(option, tuple) else site.default_locale
    for page in work.listed:
        if is_language_set(found := mutual.get(page.loc, {}), page.loc):
            page.set("alternates", in_order(found, default), place)


def _of_one_build(work: BuildState, place: Place) -> Sets:
    groups: dict[str, Links] = defaultdict(dict)
    for listed in work.listed:
        page = listed.target
        if isinstance(page, SourcePage) and page.translation_of and page.locale:
            reading = Reading(place._replace(key="locale"), problems=work.problems)
            done = "Its pages get no language links."
            if code := reading.value(value_kinds.language, page.locale, done=done):
                groups[page.translation_of][code] = listed.loc
    return {loc: group for group in groups.values() for loc in group.values()}


def _of_several_builds(work: BuildState, languages: tuple[Language, ...]) -> Sets:
    """Return the versions of pages if each language is a build of its own.

    A page has a version in a language if the docs folder of this language has a file with the path
    of its source. What has a URL that is not made from this path, such as a post, gets no links.
    """
    site = work.context.site
    folders = {language: real_path(site.root / language.docs_dir) for language in languages}
    own = next((each for each in folders if folders[each] == real_path(site.docs_dir)), None)
    work.problems += _language_problems(own, folders, site)
    sets: Sets = {}
    for listed in work.listed if own else ():
        file, rest = listed.target, listed.loc.removeprefix(site.url)
        if isinstance(file, Url) or file.dest_uri not in (file.src_uri, *built_paths(file.src_uri)):
            continue
        sets[listed.loc] = {
            language.locale: language.url + rest
            for language, folder in folders.items()
            if is_file(folder / file.src_uri)
        }
        if own:
            sets[listed.loc][own.locale] = listed.loc
    return sets


def _language_problems(
    own: Language | None, folders: Mapping[Language, Path], site: Site
) -> Iterator[Problem]:
    for language, folder in folders.items():
        if not is_folder(folder):
            place = site.option(f"alternates.{language.locale}.docs_dir")
            expected = f"a folder, relative to {site.project_file}"
            problem = invalid(Code.ALTERNATES, place, language.docs_dir, expected)
            yield problem._replace(done="No links to this language are written.")
    if own is None:
        yield Problem(
            Code.ALTERNATES,
            "has no language with the docs_dir of this build",
            site.option("alternates"),
            done="No language links are written.",
            fix="List all languages, including the language of this build.",
        )
    elif not site.serving and own.url != site.url:
        place = site.option(f"alternates.{own.locale}.url")
        expected = f"the site_url of this build, {site.url}"
        problem = invalid(Code.ALTERNATES, place, own.url, expected)
        yield problem._replace(done="The sitemaps of the other languages link to the wrong URL.")


def mutual_links(sets: Mapping[str, Links], locs: Container[str]) -> Sets:
    """Return all links but those to pages of this site that do not link back."""

    def links_back(href: str, loc: str) -> bool:
        back = sets.get(href, {})
        return any(code != X_DEFAULT and to == loc for code, to in back.items())

    return {
        loc: {
            code: href
            for code, href in links.items()
            if code == X_DEFAULT or href not in locs or links_back(href, loc)
        }
        for loc, links in sets.items()
    }


def one_way_problems(links: Links, mutual: Links, place: Place) -> Iterator[Problem]:
    """Yield the problem of the first link to a page that does not link back."""
    for code in [code for code in links if code not in mutual][:1]:
        expected = "a page of the sitemap that links back to this one"
        problem = invalid(Code.ALTERNATES, place.under(code), links[code], expected)
        yield problem._replace(done="This link is not written.")


def is_language_set(links: Links, loc: str) -> bool:
    """Return whether links lead to at least two languages, one of them to the page itself."""
    languages = {code: href for code, href in links.items() if code != X_DEFAULT}
    return len(languages) >= 2 and loc in languages.values()


def in_order(links: Links, default: str | None = None) -> tuple[Alternate, ...]:
    """Return the links sorted by language, and last the link of ``x-default``, if there is one."""
    ordered = dict(sorted(links.items()))
    code = hreflang(default) if default else None
    if fallback := ordered.pop(X_DEFAULT, None) or ordered.get(code or ""):
        ordered[X_DEFAULT] = fallback
    return tuple(Alternate(hreflang=code, href=href) for code, href in ordered.items())
