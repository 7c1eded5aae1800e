"""Messages about patterns that match nothing."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from mkdocs_sitemap_plus.files import files_below, path_from
from mkdocs_sitemap_plus.generator.options.value_kinds import Invalid, Patterns, pattern_list
from mkdocs_sitemap_plus.generator.pages.site import MARKDOWN, SourcePage, UncheckedSite
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing

_PAGES = (*MARKDOWN, ".html")  # how the names of files end that can be pages, or drafts of them


def unmatched(
    patterns: Patterns, paths: Sequence[str], place: Place, what: str
) -> Iterator[Problem]:
    """Yield a note on each pattern that matches none of the `paths`; `what` says what these are."""
    for line in patterns.unmatched(paths):
        found = f"has {format_value(line)}, which matches no {what}"
        yield Problem(Code.PATTERN, found, place, level=Level.NOTE)


def unmatched_excludes(
    patterns: Patterns, paths: Sequence[str], place: Place, folder: Path, shown: str
) -> Iterator[Problem]:
    """Yield a warning for each pattern that should leave out pages, and matches nothing.

    Whatever its author meant by it, those pages are listed. `paths` are those of pages below the
    `folder`, which messages name as `shown`. A pattern that matches a draft there may stay, so its
    files are read where there is one that matches no page; on other files there is a note.
    """
    lines = [line for line in patterns.lines if line.strip(" ")]
    done = "It leaves out nothing."
    if lines and all(line.startswith("#") for line in lines):
        yield Problem(Code.PATTERN, "has only comments", place, done=done, level=Level.NOTE)
        return
    if lines and all(line[0] in "!#" for line in lines):
        first = next(line for line in lines if line.startswith("!"))
        found = f"has only patterns that begin with `!`, such as {format_value(first)}"
        fix = "They bring pages back: to leave out all others, write '/*' before them."
        yield Problem(Code.PATTERN, found, place, done=done, fix=fix)
        return
    if not patterns.unmatched(paths):
        return
    files = [path_from(folder, path) for path in files_below(folder)]
    unmatched_files = patterns.unmatched([*paths, *files])
    rule = f"Patterns are paths below {shown}/ as in .gitignore, no URLs and no regular "
    for line in patterns.unmatched([*paths, *(each for each in files if each.endswith(_PAGES))]):
        if line not in unmatched_files:  # a folder of images may have the name of a page
            found = f"has {format_value(line)}, which matches files in {shown}/, but no page"
            yield Problem(Code.PATTERN, found, place, level=Level.NOTE)
            continue
        brings_back = line.startswith("!")
        yield Problem(
            Code.PATTERN,
            f"has {format_value(line)}, which matches nothing in {shown}/",
            place,
            fix=None if brings_back else f"{rule}expressions.",
            level=Level.NOTE if brings_back else Level.WARNING,
        )


def dropped_excludes(
    site: UncheckedSite, own: Collection[str], pages: Sequence[SourcePage]
) -> Iterator[Problem]:
    """Yield a warning if inherited patterns would leave out some of the listed `pages`.

    `own` are the lines of the patterns that count. One of them that names an inherited pattern
    with ``!`` drops it on purpose.
    """
    for key in dict.fromkeys(each.key for each in site.inherited):
        of_key = [each for each in site.inherited if each.key == key]
        brought_back = [each.line for each in of_key if each.line.startswith("!")]
        dropped, names = list[str](), dict[str, None]()
        for line in (each.line for each in of_key if not each.line.startswith(("#", "!"))):
            with suppress(Invalid):
                spec = pattern_list([line, *brought_back])
                found = [page.file for page in pages if spec.match_file(page.src_uri)]
                if found and not {line, f"!{line}"} & {*own}:
                    dropped.append(line)
                    names |= dict.fromkeys(found)
        if dropped:
            count = f"{counted(len(names), 'page')} ({first_names([*names])})"
            leaves = "leaves" if len(dropped) == 1 else "leave"
            it = "it" if len(dropped) == 1 else "them"
            on_purpose = listing((format_value(f"!{line}") for line in dropped), "and")
            yield Problem(
                Code.PATTERN,
                f"lacks {listing(map(format_value, dropped))}, which in {of_key[0].where} {leaves} "
                f"out {count}",
                site.option(key),
                done=f"Now {'it is' if len(names) == 1 else 'they are'} listed.",
                fix=f"An own list replaces the inherited one: add {it}, or {on_purpose} if this is "
                "meant.",
            )
