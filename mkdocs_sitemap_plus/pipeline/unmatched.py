"""Messages about patterns of rules and of ``exclude`` that match no page."""

from collections.abc import Iterator

from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.unmatched import Named, UnmatchedPatterns
from mkdocs_sitemap_plus.pipeline import Work, files_in
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.sitemap.urls import unquote_path


def unmatched_in_rules(work: Work) -> Iterator[Problem]:
    """Yield a problem for each pattern of a rule or of ``exclude`` that matches no page.

    It is a warning if the pattern should have left out a page that is listed.
    """
    paths, site = [file.src_uri for file in files_in(work.decisions)], work.context.site
    listed: list[Named] = []
    for page in work.listed:
        if isinstance(page.about, SourcePage):
            url = unquote_path(page.loc.removeprefix(site.url))
            listed.append(Named(page.about.src_uri, page.about.file, url))
    reader = UnmatchedPatterns(paths, listed, site, site.docs_dir.name, "page")
    for rule in work.context.settings.rules:
        if rule.match is not None:
            yield from reader.problems(
                rule.match, rule.place, excludes=bool(rule.overrides.exclude)
            )
