"""Language versions: for each page the same, reciprocal set, itself included.

Google, "Tell Google about localized versions of your page": pages that do not link back are
ignored, so no set is written that is not answered.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mkdocs_sitemap_plus.files import is_file, is_folder, real_path
from mkdocs_sitemap_plus.options.mappings import Language
from mkdocs_sitemap_plus.options.readers import read_hreflang
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, first_of, invalid
from mkdocs_sitemap_plus.sitemap.entry import Alternate
from mkdocs_sitemap_plus.sitemap.fields import read_url
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang
from mkdocs_sitemap_plus.sitemap.urls import comparable
from mkdocs_sitemap_plus.wording import first_names


@dataclass(slots=True, kw_only=True)
class _Versions:
    """The language versions of a page: URLs by hreflang, and who says so."""

    hrefs: dict[str, str]
    place: Place
    by_hand: bool = False


_Problems = dict[Problem, None]
"""A set that keeps its order."""


def linked(
    decisions: list[Decision], site: Site, settings: Settings
) -> tuple[list[Decision], list[Problem]]:
    """Give each entry its alternates.

    Returns:
        The decisions, in their order; and one problem for each code or link that is left out.
    """
    listed = [decision for decision in decisions if decision.entry]
    problems: _Problems = {}
    versions: dict[str, _Versions] = {}
    if settings.alternates is True:
        versions |= _of_one_build(listed, site.languages, problems)
    elif settings.alternates:
        versions |= _of_several_builds(listed, site, settings.alternates, problems)
    by_hand = _by_hand(decisions, problems)
    versions |= _with_themselves(by_hand, listed, site, versions, problems)
    _drop_unanswered(versions, {each.loc for each in decisions}, problems)
    if settings.x_default:
        _tell_unknown_default(settings.x_default, versions, site, problems)
    default = _default(site, settings)
    told = [replace(each, done=each.done or "This link is not written.") for each in problems]
    return [_with(each, versions, default) for each in decisions], told


def _default(site: Site, settings: Settings) -> str | None:
    """The language of ``x-default``: of languages that are built one by one the first."""
    if settings.x_default is not None:
        return settings.x_default or None
    several = settings.alternates
    return several[0].locale if isinstance(several, tuple) else site.default_locale


def _of_one_build(
    listed: Iterable[Decision], place: Place, problems: _Problems
) -> dict[str, _Versions]:
    """The languages that are built into one site."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for page, loc in ((each.page, each.loc) for each in listed):
        if page is not None and page.translation_of and page.locale and loc:
            code = read_hreflang(page.locale, replace(place, key="locale"))
            if isinstance(code, Problem):
                problems[replace(code, done="Its pages get no language links.")] = None
            else:
                groups[page.translation_of][code] = loc
    return {
        loc: _Versions(hrefs=dict(group), place=place)
        for group in groups.values()
        for loc in group.values()
    }


def _of_several_builds(
    listed: Iterable[Decision], site: Site, languages: tuple[Language, ...], problems: _Problems
) -> dict[str, _Versions]:
    """The languages that the option names: a page is there if its docs folder holds the source."""
    place = Place(origin=Origin.OPTION, file=site.project_file, key="alternates")
    folders = {language: real_path(site.root / language.docs_dir) for language in languages}
    here = real_path(site.docs_dir)
    own = next((each for each, folder in folders.items() if folder == here), None)
    problems |= dict.fromkeys(_wrong_languages(own, folders, site, place))
    if own is None:
        return {}
    found = {}
    for page, loc in ((each.page, each.loc or "") for each in listed):
        if page is None:
            continue
        rest = loc.removeprefix(site.url or "")
        hrefs = {
            language.locale: loc if language == own else language.url + rest
            for language, folder in folders.items()
            if language == own or is_file(folder / page.src_uri)
        }
        found[loc] = _Versions(hrefs=hrefs, place=place)
    return found


def _wrong_languages(
    own: Language | None, folders: Mapping[Language, Path], site: Site, place: Place
) -> Iterator[Problem]:
    """What is wrong with the mapping: then the languages' sitemaps would not answer each other."""

    def at(language: Language, key: str) -> Place:
        return replace(place, key=f"{place.key}.{language.locale}.{key}")

    for language, folder in folders.items():
        if not is_folder(folder):
            expected = f"a folder, relative to {site.project_file}"
            yield replace(
                invalid("alternates", at(language, "docs_dir"), language.docs_dir, expected),
                done="No links to this language are written.",
            )
    if own is None:
        yield Problem(
            code="alternates",
            place=place,
            found="has no language with the docs_dir of this build",
            done="No language links are written.",
            fix="Name all languages, this one as well.",
        )
    elif not site.serving and own.url != site.url:
        expected = f"the site_url of this build, {site.url}"
        yield replace(
            invalid("alternates", at(own, "url"), own.url, expected),
            done="The sitemaps of the other languages link to the wrong URL.",
        )


def _by_hand(decisions: Iterable[Decision], problems: _Problems) -> dict[str, _Versions]:
    """What owners say, as absolute URLs; those of pages of this site as the pages' own."""
    saying = [
        (each.loc, each.overrides)
        for each in decisions
        if each.entry and each.loc and each.overrides.alternates
    ]
    locs = {comparable(each.loc): each.loc for each in decisions if saying and each.loc}
    found = {}
    for loc, overrides in saying:
        place = overrides.places["alternates"]
        read = {
            code: read_url(href, replace(place, key=f"{place.key}.{code}"), loc)
            for code, href in (overrides.alternates or {}).items()
        }
        wrong_urls = [href for href in read.values() if isinstance(href, Problem)]
        problems |= dict.fromkeys(first_of(wrong_urls))
        hrefs = {
            code: locs.get(comparable(href), href)
            for code, href in read.items()
            if isinstance(href, str)
        }
        found[loc] = _Versions(hrefs=hrefs, place=place, by_hand=True)
    return found


def _with_themselves(
    by_hand: Mapping[str, _Versions],
    listed: Iterable[Decision],
    site: Site,
    known: Mapping[str, _Versions],
    problems: _Problems,
) -> Iterator[tuple[str, _Versions]]:
    """What front matter says, added to what is known otherwise, and the page itself.

    Its own language is what it is built as, what the others call it, or that of the site.
    """
    called = {href: code for own in by_hand.values() for code, href in _languages(own.hrefs)}
    for page, loc in ((each.page, each.loc or "") for each in listed if each.loc in by_hand):
        own = by_hand[loc]
        hrefs = (known[loc].hrefs if loc in known else {}) | own.hrefs
        if loc not in dict(_languages(hrefs)).values():
            names = (
                page.locale if page is not None else None,
                called.get(loc),
                site.default_locale,
            )
            codes = (hreflang(name or "") for name in names)
            code = next((code for code in codes if code and code not in hrefs), None)
            if code is None:
                if not site.serving:  # where no URL is what its owner wrote
                    problems[_no_language(own.place)] = None
                continue
            hrefs[code] = loc
        yield loc, _Versions(hrefs=hrefs, place=own.place, by_hand=True)


def _languages(hrefs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((code, href) for code, href in hrefs.items() if code != X_DEFAULT)


def _no_language(place: Place) -> Problem:
    return Problem(
        code="alternates",
        place=place,
        found="does not name the page itself, and the language of the page is not known",
        done="No language links are written.",
        fix="Add the page itself, or set the theme's language.",
    )


def _drop_unanswered(
    versions: dict[str, _Versions], site_locs: Container[str | None], problems: _Problems
) -> None:
    """Leave out links to pages of this site that are not listed, or do not link back."""
    named = {loc: {href for _, href in _languages(own.hrefs)} for loc, own in versions.items()}
    expected = "a page of the sitemap that names this one in turn"
    for loc, own in versions.items():
        unanswered = [
            (code, href)
            for code, href in _languages(own.hrefs)
            if href != loc and href in site_locs and loc not in named.get(href, ())
        ]
        for code, _ in unanswered:
            del own.hrefs[code]
        if own.by_hand:
            found = [
                invalid(
                    "alternates", replace(own.place, key=f"{own.place.key}.{code}"), href, expected
                )
                for code, href in unanswered
            ]
            problems.update(dict.fromkeys(first_of(found)))


def _tell_unknown_default(
    locale: str, versions: Mapping[str, _Versions], site: Site, problems: _Problems
) -> None:
    codes = sorted({code for own in versions.values() for code, _ in _languages(own.hrefs)})
    if codes and locale not in codes:
        place = Place(origin=Origin.OPTION, file=site.project_file, key="x_default")
        problem = invalid("x_default", place, locale, f"one of {first_names(codes, 20)}")
        problems[replace(problem, done="No x-default is written.")] = None


def _with(decision: Decision, versions: dict[str, _Versions], default: str | None) -> Decision:
    own = versions.get(decision.loc or "")
    if decision.entry is None or own is None or len(set(own.hrefs) - {X_DEFAULT}) < 2:
        return decision
    hrefs = dict(sorted(own.hrefs.items()))
    fallback = hrefs.pop(X_DEFAULT, None) or hrefs.get(hreflang(default or "") or "")
    if fallback:
        hrefs[X_DEFAULT] = fallback
    alternates = tuple(Alternate(hreflang=code, href=href) for code, href in hrefs.items())
    return replace(
        decision,
        entry=replace(decision.entry, alternates=alternates),
        because={**decision.because, "alternates": own.place},
    )
