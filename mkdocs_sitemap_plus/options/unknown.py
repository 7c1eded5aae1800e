"""Messages about keys that are not known, with what their author probably meant."""

from collections.abc import Container, Mapping, Sequence

from mkdocs_sitemap_plus.problems import QUOTE_IT, Code, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import DOCS, closest, counted, format_key, format_value

_MAX_UNKNOWN = 10  # unknown keys of a mapping that get a message each; the others are counted

_SYNONYMS = {
    "changefreq": ("change_frequency", "frequency", "freq", "update_frequency"),
    "exclude": (
        "disable", "disabled", "exclude_from_sitemap", "hidden", "hide", "ignore", "no_index",
        "noindex", "robots", "sitemap_exclude", "skip",
    ),
    "lastmod": ("changed", "date", "last_modified", "modified", "updated"),
    "priority": ("importance", "weight"),
    "ignore_revs_file": (
        "ignore_commits", "ignore_commits_file", "ignored_commits", "ignored_commits_file",
    ),
}  # fmt: skip
OPPOSITES = frozenset((
    "enable", "enabled", "include", "included", "index", "list", "listed", "publish", "published",
    "show", "visible",
))  # fmt: skip
"""Words that mean the opposite of ``exclude``, however similar they are to it."""

_MEANT = {word: key for key, words in _SYNONYMS.items() for word in words}

_OF_GIT_REVISION_DATE = frozenset((
    "custom_format", "enable_creation_date", "enable_git_follow", "enable_parallel_processing",
    "fallback_to_build_date", "ignored_commits_file", "locale", "strict", "type",
))  # fmt: skip


def meant(key: str, known: Container[str]) -> str | None:
    """Return the known key for which other tools have this word, such as ``frequency``."""
    word = _MEANT.get(key.lower().replace("-", "_"))
    return word if word in known else None


def unknown_keys(
    raw: Mapping[object, object],
    place: Place,
    known: Sequence[str],
    lines: Mapping[str, int],
    also_known: Container[object] = (),
) -> list[Problem]:
    """Return a problem for each unknown key of a mapping; many further ones share one problem.

    `lines` has the line of each dotted key. The keys `also_known` are allowed, too, but messages do
    not name them.
    """
    unknown = [key for key in raw if key not in known and key not in also_known]
    problems = []
    for key in unknown[:_MAX_UNKNOWN]:
        here = place.under(format_key(key))
        line = lines.get(here.key or "", place.line)
        problems.append(unknown_key(key, here._replace(line=line), known))
    if (more := len(unknown) - _MAX_UNKNOWN) > 0:
        found = f"has {counted(more, 'more unknown key')}"
        done = "They are ignored."
        problems.append(Problem(code=Code.UNKNOWN_KEY, place=place, found=found, done=done))
    return problems


def unknown_key(
    key: object, place: Place, known: Sequence[str], nearest: str | None = None
) -> Problem:
    """Return the problem of an unknown key at this place, with a suggestion or the known keys.

    `nearest` is what the author probably meant, ready for the message, if the caller knows it.
    """
    name = format_key(key)
    suggestion = meant(name, known)
    if name.lower() in OPPOSITES and "exclude" in known:
        return _opposite(place, is_option=place.key == name)
    found, fix = "is not a known key", QUOTE_IT if isinstance(key, bool) else None
    is_option = place.key == name  # and not a key in a mapping, whose known keys are few
    if is_option and name in _OF_GIT_REVISION_DATE:
        page = f"{DOCS}get-started/migrate/#from-git-revision-date-localized"
        fix, nearest = f"It is an option of git-revision-date-localized; see {page}.", None
    else:
        suggestion = suggestion or closest(name, known)
    if not suggestion and not nearest and fix is None:
        if is_option:
            fix = f"All options: {DOCS}reference/options/."
        else:
            found += f" (known: {', '.join(known)})"
    return Problem(
        code=Code.UNKNOWN_KEY,
        place=place,
        found=found,
        suggestion=nearest or (format_value(suggestion) if suggestion else None),
        done="It is ignored.",
        fix=fix,
    )


def _opposite(place: Place, *, is_option: bool) -> Problem:
    """Return the problem of a key such as ``include``, with what leaves pages out."""
    fix = "To leave pages out, write `exclude: true`."
    if place.origin is Origin.FRONT_MATTER:
        fix = "To leave the page out, write `sitemap: false`."
    elif is_option:
        fix = "All pages are listed but those that `exclude` leaves out."
    found, done = "is not a known key", "It is ignored."
    return Problem(code=Code.UNKNOWN_KEY, place=place, found=found, done=done, fix=fix)
