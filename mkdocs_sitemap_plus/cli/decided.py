"""What the sitemap of a built site says, and why; nothing is written."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from mkdocs_sitemap_plus.built_site.published import as_published
from mkdocs_sitemap_plus.built_site.site import site_of
from mkdocs_sitemap_plus.cli.build import built_folder, options_of, project_at, settings_in
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.generate import writes_for
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.options.settings import Source
from mkdocs_sitemap_plus.pipeline.decide import decide
from mkdocs_sitemap_plus.pipeline.decision import Outcome
from mkdocs_sitemap_plus.pipeline.site_url import site_url_problem
from mkdocs_sitemap_plus.problems import SitemapError


@contextmanager
def decided(config_file: Path | None, site_dir: Path | None) -> Iterator[tuple[Outcome, History]]:
    """Decide on every page of a built site; its history can be asked until the end.

    Where the sitemap that is there differs, its values are returned: it is what is published.

    Args:
        config_file: the project file; None: the one of the current folder.
        site_dir: the built site; None: what the project file says.

    Raises:
        SitemapError: there is no such project or site, or one of them can't be used.
    """
    project = project_at(config_file)
    reading = options_of(project)
    settings = settings_in(reading, project)
    folder = built_folder(project, site_dir)
    with closing(History(settings.lastmod.git, project.root)) as history:
        if Source.GIT in settings.lastmod.sources:
            history.start(project.docs_dir)
        site = site_of(project, folder, settings)
        problem = site_url_problem(site)
        if problem and not writes_for(site.url):
            raise SitemapError(problem)
        outcome = decide(site, settings, history, datetime.now(UTC))
        names = (settings.filename, f"{settings.filename}.gz")
        problems = (*reading.unknown, *filter(None, [problem]), *outcome.problems)
        files = tuple(name for name in names if is_file(folder / name))
        outcome = replace(outcome, problems=problems, files=files)
        yield as_published(outcome, settings.filename), history
