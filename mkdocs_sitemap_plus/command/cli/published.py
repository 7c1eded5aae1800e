"""A file that a command writes is no page: it must not be published with the site."""

from contextlib import suppress
from pathlib import Path

from mkdocs_sitemap_plus.command.any_site.project import Project, read_project
from mkdocs_sitemap_plus.generator.kept_report import published_in
from mkdocs_sitemap_plus.generator.output import is_stream, shown_path
from mkdocs_sitemap_plus.generator.pages.project_file import project_files_in
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError


def refuse_published(output: Path, project: Project | None, site_dir: Path | None = None) -> None:
    """Raise SitemapError if a file for `output` would be part of a site, or of its sources.

    Without `site_dir`, the built site is that of the project.
    """
    if project is None and project_files_in(Path()):  # the report alone was named
        with suppress(SitemapError):
            project = read_project(None)
    folder = published_in(
        output,
        site_dir or (project and project.site.site_dir),
        project and project.site.docs_dir,
    )
    if folder and not is_stream(output):
        raise SitemapError(
            Problem(
                code=Code.WRITE,
                place=Place(origin=Origin.OPTION, file=shown_path(output)),
                found=f"it is in {folder}, where it would be published",
                done="Nothing is written.",
                fix="Name a file in another folder.",
            )
        )
