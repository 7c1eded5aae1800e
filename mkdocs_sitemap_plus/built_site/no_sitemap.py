"""Say why a folder has no sitemap, as far as a project knows it."""

import os
from contextlib import suppress
from pathlib import Path

from mkdocs_sitemap_plus.built_site import read_project
from mkdocs_sitemap_plus.built_site.find_project import find_project_of
from mkdocs_sitemap_plus.files import absolute_path, is_folder
from mkdocs_sitemap_plus.pages.project_file import (
    find_project_file,
    project_files_in,
    with_option_lines,
)
from mkdocs_sitemap_plus.pages.site_url import check_url
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError


def why_no_sitemap(problem: Problem) -> Problem:
    """Return a problem; if it is that a folder has no sitemap, with the cause as its fix.

    Perhaps the project of the site has no ``site_url``, or the folder is not its built site.
    """
    if problem.code not in (Code.SITEMAP, Code.NO_SITEMAP) or not problem.place:
        return problem
    folder = absolute_path(problem.place.file or "")
    if not problem.place.file or not is_folder(folder):
        return problem
    with suppress(SitemapError):
        if project := find_project_of(folder):
            site, url_problems = check_url(project.site)
            why = with_option_lines(url_problems, project.file)
            return problem if site else problem._replace(fix=" ".join(map(str, why)))
        nearest = next(filter(project_files_in, (folder, *folder.parents)), folder)
        unbuilt = read_project(find_project_file(nearest)[0]).site
        if folder in (unbuilt.root, unbuilt.docs_dir):
            built = Path(os.path.relpath(unbuilt.site_dir)).as_posix()
            return problem._replace(fix=f"The built site of this project is {built}.")
    return problem
