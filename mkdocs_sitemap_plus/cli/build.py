"""Write the sitemap of a site that is built already: ``build``."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site.project import (
    Project,
    built_folder,
    is_enabled,
    read_plugin_options,
    settings_with_transform,
)
from mkdocs_sitemap_plus.built_site.site import open_site
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.files import exists, is_file
from mkdocs_sitemap_plus.generate import generate, replaced_file, site_url_fault
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.output.json_report import write_report
from mkdocs_sitemap_plus.output.summary import summary
from mkdocs_sitemap_plus.output.write import remove_files
from mkdocs_sitemap_plus.pages.page import path_from
from mkdocs_sitemap_plus.pipeline.decision import Outcome
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import counted, first_names


@click.command(short_help="Write the sitemap of a site that is built already.")
@console.config_file_option
@console.site_dir_option
@click.option("-s", "--strict", is_flag=True, help="Exit with 1 if there is any warning.")
@click.pass_context
def build(
    context: click.Context, config_file: Path | None, site_dir: Path | None, *, strict: bool
) -> None:
    """Write the sitemap of a site that is built already, whatever built it.

    The pages are those of the built site. Their dates and front matter come from their sources. The
    options are those of the plugin, in the project file.

    \b
    Examples:
      mkdocs-sitemap-plus build
      mkdocs-sitemap-plus build -f docs/mkdocs.yml -d public --strict

    The exit code is 0, and 1 if nothing could be written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    project = console.read_project(config_file)
    if not is_enabled(project):
        console.print_line("Note", None, "sitemap-plus is switched off; nothing is written.")
        return
    options = read_plugin_options(project)
    settings = settings_with_transform(project, options)
    outcome = _write_sitemap(project, built_folder(project, site_dir), settings)
    problems = [*options.unknown, *outcome.problems]
    if outcome.files:
        problems += [*_replaced_files(outcome, project), *_unknown_sources(outcome)]
    console.print_problems(problems)
    if outcome.files:
        click.echo(summary(outcome))
    if not outcome.files or (strict and not all(problem.note for problem in problems)):
        context.exit(1)


def _write_sitemap(project: Project, site_dir: Path, settings: Settings) -> Outcome:
    """Write the sitemap and the JSON report, as the plugin does."""
    with open_site(project, site_dir, settings) as (site, history):
        outcome = generate(site, settings, history, datetime.now(UTC))
    renamed = settings.filename != "sitemap.xml"
    if renamed and not site_url_fault(project.url) and not exists(project.docs_dir / "sitemap.xml"):
        remove_files(site_dir, "sitemap.xml")  # the one that the builder wrote
    problem = write_report(outcome, settings)
    return outcome._replace(problems=(*outcome.problems, problem)) if problem else outcome


def _replaced_files(outcome: Outcome, project: Project) -> Iterator[Problem]:
    """Yield a note for each file of the owner that the sitemap replaced."""
    for name in outcome.files:
        for folder in filter(None, (project.docs_dir, project.custom_dir)):
            if not name.endswith(".gz") and is_file(folder / name):
                yield replaced_file(path_from(str(project.root), str(folder / name)))


def _unknown_sources(outcome: Outcome) -> Iterator[Problem]:
    """Yield a note if the source of a listed page is not known."""
    listed = [each.page for each in outcome.decisions if each.entry and each.page]
    unknown = [page.file for page in listed if not page.sources]
    if unknown:
        has = "has" if len(unknown) == 1 else "have"
        yield Problem(
            code="no-source",
            found=f"{counted(len(unknown), 'page')} {has} no known source ({first_names(unknown)})",
            done="Pages without a source are listed without a date.",
            note=True,
        )
