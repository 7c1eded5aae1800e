"""Give the dates of the sitemap to the templates of the theme, and show them on the pages."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined
from mkdocs.utils import get_build_date

from mkdocs_sitemap_plus.files import text_or_empty
from mkdocs_sitemap_plus.generator.generate import decide_page_dates
from mkdocs_sitemap_plus.generator.lastmod.date_source import DateSource, Key
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.pages.project_file import option_of
from mkdocs_sitemap_plus.generator.pages.site import SourcePage, UncheckedSite
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import theme_language
from mkdocs_sitemap_plus.generator.pipeline.decisions import key_of
from mkdocs_sitemap_plus.html import stated_dates
from mkdocs_sitemap_plus.html.stated_dates import StatedDate, with_date
from mkdocs_sitemap_plus.plugin.other_plugins import theme_of
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.protocol import lastmod_text
from mkdocs_sitemap_plus.wording import DOCS, counted, format_value, listing

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page
    from mkdocs.theme import Theme

# What a template writes to show a date; `git_revision_date_localized` is that of another plugin.
_SHOWN = r"(?<!\w)(?:revision_date|update_date)\b|\|\s*lastmod\b"

REVISION = "revision_date"
"""The key of front matter that Material shows below the content of a page."""

_GIT_REVISION = "git_revision_date_localized"


def _key_of(page: object) -> "Key | None":
    """A page has its file in ``file``; values of ``pages`` in a template are files themselves."""
    if isinstance(page, Undefined):  # any access to it would end the build
        return None
    file = getattr(page, "file", page)
    built, source = getattr(file, "dest_uri", None), getattr(file, "src_uri", None)
    return (built, source) if isinstance(built, str) and isinstance(source, str) else None


class PageDates:
    """The dates that the pages of a build show."""

    def __init__(self) -> None:
        self.dates: Dates | None = None
        self._language = "en"  # of the theme
        self._locales: dict[Key, str] = {}  # of the pages on a site in several languages
        self._given: set[str] = set()  # the pages to whose front matter a date was added
        self._no_dates: dict[Key, list[StatedDate]] = {}  # what templates write instead

    def decide(
        self,
        site: UncheckedSite,
        settings: Settings,
        sources: Sequence[DateSource],
        files: "Files",
        config: "MkDocsConfig",
    ) -> None:
        """Decide the dates of all pages, before it is known which are listed.

        They take the place of the day of the build in ``page.update_date``.
        """
        found = decide_page_dates(site, settings, sources, datetime.now(UTC))
        self.dates = self.dates.with_more(found) if self.dates else found
        self._language = theme_language(theme_of(config)) or "en"
        self._locales |= {key_of(page): page.locale for page in site.pages if page.locale}
        for file in files.documentation_pages():
            # Any other value than the day of the build is from another plugin, and stays.
            if file.page is not None and file.page.update_date == get_build_date():
                lastmod = self.of(file.page)
                file.page.update_date = lastmod.isoformat()[:10] if lastmod else ""

    def of(self, page: object) -> date | datetime | None:
        """Return the date of a page; a template may pass anything, such as a section of ``nav``."""
        dated = self.dates.of(_key_of(page)) if self.dates else None
        return dated.lastmod if dated else None

    def show(self, page: "Page") -> None:
        """Let the theme show the date of a page."""
        key = _key_of(page)
        locale = self._locales.get(key) if key else None
        if show_date(page, self.of(page), locale or self._language):
            self._given.add(page.file.src_uri)

    def in_head(self, output: str, page: "Page") -> str | None:
        """Return the page with its date in the head; later plugins see its own front matter."""
        shows_it = page.file.src_uri in self._given
        if shows_it:
            self._given.remove(page.file.src_uri)
            page.meta.pop(REVISION, None)
        lastmod = self.of(page)
        shown = shown_by_others(page.meta)
        if lastmod and shown and shown.is_shown_in(output) and shown.differs_from(lastmod):
            return None
        no_dates: list[StatedDate] = []
        new = with_date(
            output, lastmod, page.canonical_url, shows_it=shows_it, tell=no_dates.append
        )
        if no_dates and (key := _key_of(page)):
            self._no_dates[key] = no_dates
        return new

    def tag_problem(self, pages: Mapping["Key", SourcePage]) -> Problem | None:
        """Return the note that tags of a template have no date, with the first page."""
        found = [(pages[key], tags) for key, tags in self._no_dates.items() if key in pages]
        if not found:
            return None
        (page, tags), others = found[0], len(found) - 1
        texts = listing(f"{each.where} ({format_value(each.text)})" for each in dict.fromkeys(tags))
        likewise = f" (likewise {counted(others, 'more page')})" if others else ""
        return Problem(
            Code.PAGE_DATES,
            f"the page has no date in {texts}{likewise}",
            Place(Origin.BUILT_PAGE, page.file),
            done="The date of the sitemap is added to the head.",
            fix=f"Remove {'this tag' if len(tags) == 1 else 'these tags'} from the template.",
            level=Level.NOTE,
        )

    def theme_problem(self, theme: "Theme", pages: Iterable[SourcePage]) -> Problem | None:
        """Return the note that nothing shows the dates; None if a template or a plugin does."""
        if not (self.dates and any(map(self.dates.of, self.dates.queries))) or any(
            page.date_by_plugin for page in pages
        ):
            return None
        if any(re.search(_SHOWN, text_or_empty(file)) for file in _templates(theme.dirs)):
            return None
        return Problem(
            Code.PAGE_DATES,
            f"{f'the theme {theme.name}' if theme.name else 'the theme'} shows no dates, so they "
            "are only in the head of the pages",
            fix="To show them, write `{{ page.update_date }}` in a template: "
            f"{DOCS}guide/dates-on-pages/#in-other-themes",
            level=Level.NOTE,
        )


def _templates(folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        for path, names_of_folders, names in os.walk(folder):
            # Material has thousands of icons in `.icons`.
            names_of_folders[:] = [each for each in names_of_folders if not each.startswith(".")]
            yield from (os.path.join(path, name) for name in names if name.endswith(".html"))  # noqa: PTH118 - strings suffice


def show_date(page: "Page", lastmod: date | datetime | None, language: str) -> bool:
    """Let the theme show the date of a page; return whether its ``revision_date`` was set.

    A date that front matter or another plugin has set stays. `language` is that in which the page
    is shown.
    """
    if lastmod is None or page.meta.get(REVISION) or page.meta.get(_GIT_REVISION):
        return False
    shown = shown_by_others(page.meta)
    if shown and shown.is_shown_in(page.content or ""):
        return False
    words = in_words((text := lastmod_text(lastmod))[:10], language.replace("-", "_"))
    page.meta[REVISION] = f'<time datetime="{text}">{words}</time>'
    return True


def in_words(day: str, language: str) -> str:
    """Return a day of ISO 8601 in the long form of the language; unchanged if Babel can't do it."""
    with suppress(ImportError, ValueError, LookupError):  # LookupError: an unknown language
        from babel import Locale  # noqa: PLC0415 - installed or not
        from babel.core import UnknownLocaleError  # noqa: PLC0415 - the same
        from babel.dates import format_date  # noqa: PLC0415 - the same

        with suppress(UnknownLocaleError):
            return format_date(date.fromisoformat(day), "long", Locale.parse(language))
    return day


def shown_by_others(meta: Mapping[str, Any]) -> "StatedDate | None":
    """Return the date that another plugin gives a page to show; None without such a plugin."""
    git_date = meta.get(f"{_GIT_REVISION}_raw_iso_date")
    document = option_of(meta, "document_dates", dict[str, Any]())
    text = git_date or option_of(document, "dates", dict[str, Any]()).get("updated")
    if not text or not isinstance(text, str):
        return None
    name = stated_dates.GIT_REVISION if git_date else stated_dates.DOCUMENT_DATES
    return stated_dates.StatedDate(name, text, stated_dates.read_date(text))
