"""The plugin for MkDocs and ProperDocs. Only the modules of this folder import mkdocs."""

import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.base import BaseConfigOption, ValidationError
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger

from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.generator.generate import generate, last_build, summary, without_sitemap
from mkdocs_sitemap_plus.generator.json_report import write_report
from mkdocs_sitemap_plus.generator.lastmod.date_source import DateSource, Key
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.options.table import import_transform, read_options, top_names
from mkdocs_sitemap_plus.generator.output import pack, remove_old_index
from mkdocs_sitemap_plus.generator.pages.front_matter import unseen_front_matter
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.inherited import InheritedPattern, read_inherited
from mkdocs_sitemap_plus.generator.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.generator.pages.site import SourcePage
from mkdocs_sitemap_plus.generator.pages.site_url import check_url
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context, Outcome
from mkdocs_sitemap_plus.generator.replaced import listed_by, listed_in, replaced_by_ours
from mkdocs_sitemap_plus.plugin import mkdocs_site, other_plugins
from mkdocs_sitemap_plus.plugin.mkdocs_site import SITEMAP
from mkdocs_sitemap_plus.plugin.page_dates import PageDates
from mkdocs_sitemap_plus.problems import Level, Problem, SitemapError, log_lines
from mkdocs_sitemap_plus.progress import Progress
from mkdocs_sitemap_plus.sitemap.urls import within
from mkdocs_sitemap_plus.wording import printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.base import ConfigErrors, ConfigWarnings
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation

log = get_plugin_logger("sitemap-plus")


class _Printable(logging.Filter):
    """Escapes each line that the plugin logs, whatever text of others is in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = printable(record.getMessage()), ()
        return True


log.logger.addFilter(_Printable())

_START = 4000  # characters of a page in which front matter may be that MkDocs does not see

_shown_by_serve: set[str] = set()
"""The messages of the last build of ``serve``; the next build logs only other messages."""


class _ToMkDocs(logging.Handler):
    """Passes messages of the package to the log of MkDocs, for example if git does not answer."""

    def emit(self, record: logging.LogRecord) -> None:
        log.info(record.getMessage())


_package_log = logging.getLogger("mkdocs_sitemap_plus")
_package_log.setLevel(logging.INFO)
_package_log.addHandler(_ToMkDocs())


class SitemapPlusPlugin(BasePlugin):  # type: ignore[type-arg]  # its options are in config_scheme
    """Writes the sitemap of a site that MkDocs or ProperDocs builds.

    It has no ``on_startup``, so MkDocs makes a new object for each rebuild of ``serve``.
    mkdocs-static-i18n builds each further language in its ``on_post_build``, with the same object.
    """

    config_scheme = tuple((name, BaseConfigOption[Any]()) for name in top_names())

    def __init__(self) -> None:
        """Start without options; MkDocs then calls `load_config`."""
        self.settings: Settings
        self.sources: Sequence[DateSource] = ()
        self.files: Files
        self.nav: Navigation
        self.pages: dict[Key, SourcePage] = {}
        self.include_options: IncludeOptions | None
        self.texts: dict[str, mkdocs_site.PageText] = {}
        self.own_sitemaps: dict[Path, list[str]] = {}  # what templates of the owner list
        self.inherited: tuple[InheritedPattern, ...] = ()
        self.outcome: Outcome | None = None
        self.page_dates: PageDates | None = None  # with the option of this name
        self.site_url: str | None = None
        self.depth = 0  # the number of builds that are running, one inside another
        self.template_is_removed = False

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple["ConfigErrors", "ConfigWarnings"]:
        """Read the options, and return errors and warnings, which MkDocs reports."""
        known = {name: value for name, value in options.items() if name in top_names()}
        super().load_config(known, config_file_path)  # this class reports unknown keys itself
        file = mkdocs_site.project_file(config_file_path)
        reading = read_options(options, file.name, file.parent)
        dropped, self.inherited = read_inherited(file)
        warnings = (*reading.unknown, *filter(None, [dropped]))
        settings, not_imported = import_transform(reading.settings, file)
        errors = (*reading.errors, *not_imported)
        if settings:
            self.settings = settings
        errors, warnings = with_option_lines(errors, file), with_option_lines(warnings, file)
        return (
            [(_top_option(each), ValidationError(str(each))) for each in errors],
            [(_top_option(each), str(each)) for each in warnings],
        )

    def _begin(self, *, config: "MkDocsConfig") -> None:
        """Begin a build; it may be inside another build."""
        self._restore_template(config)
        if self.depth == 0:
            if self.settings.page_dates:
                self.page_dates = PageDates()
            self.site_url = config.site_url  # an inner build may have the URL of a language
            root = mkdocs_site.project_file(config.config_file_path).parent
            docs_dir = other_plugins.docs_folder(config)  # git reads while MkDocs builds
            self.sources = open_sources(self.settings.lastmod, root, docs_dir, config.repo_url)
            other_plugins.run_after_redirects(config, self._generate)
        self.depth += 1
        self.include_options = other_plugins.include_options(config)

    @event_priority(-200)  # last, just before MkDocs empties the folder of the site
    def _remove_old_index(self, *, config: "MkDocsConfig") -> None:
        if self.depth == 1:
            folder = Path(config.site_dir)
            root = mkdocs_site.project_file(config.config_file_path).parent
            last = last_build(folder, root, self.settings)
            remove_old_index(folder, self.settings.filename, last)

    on_pre_build = CombinedEvent(_begin, _remove_old_index)

    def _restore_template(self, config: "MkDocsConfig") -> None:
        """Undo what `on_env` did, before MkDocs collects the theme's files again."""
        if self.template_is_removed:
            config.theme.static_templates.add(SITEMAP)
            self.template_is_removed = False

    @event_priority(200)  # before others change the text
    def on_page_markdown(
        self, markdown: str, *, page: Any, config: "MkDocsConfig", **_: Any
    ) -> None:
        """Read what the text includes, and front matter that MkDocs could not read."""
        start = markdown[:_START]
        is_like = start.startswith(("---", "+++", "<!--")) or "\nsitemap:" in start
        broken = None
        if is_like and not page.meta:
            broken = unseen_front_matter(markdown)
        text = mkdocs_site.page_text(markdown, self.include_options, broken)
        self.texts[page.file.src_uri] = text

    @event_priority(-200)  # after plugins that replace it
    def on_nav(self, nav: "Navigation", **_: Any) -> None:
        """Keep the navigation, which `transform` and a template of an own sitemap may read."""
        self.nav = nav

    @event_priority(-200)  # after plugins that replace the collection
    def on_env(
        self, env: "Environment", *, config: "MkDocsConfig", files: "Files", **_: Any
    ) -> None:
        """Keep the files of this build, and remove the template of MkDocs' own sitemap.

        It is removed after MkDocs collected the theme's files. Otherwise MkDocs would publish the
        template itself as a file of the theme.
        """
        self.files = files
        env.filters.setdefault("lastmod", lambda page: self.page_dates and self.page_dates.of(page))
        if self.page_dates:
            pages = mkdocs_site.source_pages(files, config, self.texts, self.settings)
            with _plugin_errors(config), Progress(sys.stderr) as progress:
                progress.show("dating pages")
                site = mkdocs_site.site_of(config, self.site_url, pages)
                self.page_dates.decide(site, self.settings, self.sources, files, config)
        templates = config.theme.static_templates
        if SITEMAP in templates:
            templates.discard(SITEMAP)
            self.template_is_removed = True
            if own := mkdocs_site.sitemap_of_template(env, self.nav, files, config):
                self._keep_own_sitemap(*own)

    @event_priority(-200)  # after plugins that show a date of their own
    def on_page_context(self, context: Any, *, page: Any, **_: Any) -> None:
        """Let the theme show the date of the page."""
        if self.page_dates:
            self.page_dates.show(page)

    @event_priority(-200)  # after plugins that add tags to the head, or that minify the page
    def on_post_page(self, output: str, *, page: Any, **_: Any) -> str | None:
        """Add the date of the page to its head."""
        return self.page_dates.in_head(output, page) if self.page_dates else None

    def on_post_template(self, output: str, *, template_name: str, config: "MkDocsConfig") -> str:
        """Empty MkDocs' own sitemap if another plugin added its template again."""
        if template_name != SITEMAP:
            return output
        if SITEMAP in config.extra_templates:
            self._keep_own_sitemap(Path(config.docs_dir, SITEMAP), output)
        return ""

    def _keep_own_sitemap(self, template: Path, text: str) -> None:
        """Keep what a template of the owner lists, for all languages that are built one by one."""
        if (listed := listed_in(text.encode())) is not None:
            self.own_sitemaps.setdefault(template, []).extend(listed)

    @event_priority(0)  # before users' hooks, which may edit the file; after mkdocs-redirects
    def _generate(self, *, config: "MkDocsConfig") -> None:
        """Write the sitemap of the pages that are built so far. Other languages may follow."""
        with Progress(sys.stderr) as progress:
            progress.show("reading what was built")
            # An inner build may build a page again. That page is then the last one in `pages`.
            for page in mkdocs_site.source_pages(
                self.files, config, self.texts, self.settings, self.nav
            ):
                self.pages.pop((page.dest_uri, page.src_uri), None)
                self.pages[page.dest_uri, page.src_uri] = page
            built = mkdocs_site.site_of(config, self.site_url, self.pages.values())
            built = replace(built, inherited=self.inherited)
            site, problems = check_url(built)
            with _plugin_errors(config):
                if site is None:
                    outcome = without_sitemap(built, self.settings)
                else:
                    now = datetime.now(UTC)
                    dates = self.page_dates.dates if self.page_dates else None
                    context = Context(site, self.settings, self.sources, now, dates)
                    outcome = generate(context, progress.show)
        self.outcome = outcome._replace(problems=(*problems, *outcome.problems))

    @event_priority(-200)  # after mkdocs-static-i18n has built the other languages
    def _report(self, *, config: "MkDocsConfig") -> None:
        """Log problems and the summary at the end of the outermost build."""
        self.depth -= 1
        if self.depth > 0 or self.outcome is None:
            return
        commit = next(filter(None, (source.commit for source in self.sources)), None)
        self._close_sources()
        self._restore_template(config)
        file = mkdocs_site.project_file(config.config_file_path)
        found = with_option_lines(self.outcome.problems, file)
        self.outcome = self.outcome._replace(problems=found)
        folder = self.outcome.site.site_dir
        with _plugin_errors(config):
            names, written = self.outcome.files, pack(folder, self.outcome.files)
        self.outcome = self.outcome._replace(files=written)
        problems: list[Problem | None] = [
            *self._replaced(self.outcome, names, config),
            *self.outcome.problems,
        ]
        if self.page_dates:
            problems.append(self.page_dates.theme_problem(config.theme, self.pages.values()))
            problems.append(self.page_dates.tag_problem(self.pages))
        if self.settings.report is not None or not self.outcome.site.serving:
            unpublished = mkdocs_site.unpublished(self.files, config)
            problems.append(write_report(self.outcome, self.settings, unpublished, commit))
        last = [each for each in config.plugins.values() if isinstance(each, type(self))][-1]
        if self is last:  # MkDocs warns of a plugin that is listed twice, and the last one counts
            _log(filter(None, problems), self.outcome)

    def _replaced(
        self, outcome: "Outcome", names: Sequence[str], config: "MkDocsConfig"
    ) -> Iterator[Problem]:
        for file in mkdocs_site.replaced_files(self.files, config, names) if names else ():
            listed = self.own_sitemaps.get(file) if file in self.own_sitemaps else listed_by(file)
            if outcome.site.serving:  # where another host is written, it is not that of the server
                listed = [
                    loc for loc in listed or () if within(loc, outcome.site.url or "")
                ] or None
            yield from replaced_by_ours(path_from(outcome.site.root, file), listed, outcome)

    on_post_build = CombinedEvent(_generate, _report)

    def on_build_error(self, **_: Any) -> None:
        """End the processes of git."""
        self._close_sources()

    def _close_sources(self) -> None:
        for source in self.sources:
            source.close()


def _top_option(problem: Problem) -> str:
    key = problem.place.key if problem.place else None
    return printable((key or "").partition(".")[0].partition("[")[0])


_LEVELS = {Level.WARNING: logging.WARNING, Level.NOTE: logging.INFO}


def _log(problems: Iterable[Problem], outcome: "Outcome") -> None:
    """Log each problem, and the summary; a rebuild of ``serve`` only what the last did not have."""
    lines = [*log_lines(problems)]
    if outcome.files:
        lines.append((Level.NOTE, summary(outcome)))
    before = set(_shown_by_serve) if outcome.site.serving else set()
    _shown_by_serve.clear()
    for level, line in lines:
        _shown_by_serve.add(line)
        if line not in before:
            log.log(_LEVELS[level], line)


@contextmanager
def _plugin_errors(config: "MkDocsConfig") -> Iterator[None]:
    """Turn errors of this package into PluginError, which MkDocs reports without a traceback."""
    try:
        yield
    except SitemapError as error:
        file = mkdocs_site.project_file(config.config_file_path)
        (problem,) = with_option_lines([error.problem], file)
        raise PluginError(f"sitemap-plus: {problem}") from error
