"""Find the built site of the project in the current folder, as ``build`` does."""

import os
from pathlib import Path

from mkdocs_sitemap_plus.built_site.project import read_project
from mkdocs_sitemap_plus.built_site.project_file import find_project_file
from mkdocs_sitemap_plus.cli.console import tell_problems
from mkdocs_sitemap_plus.problems import Problem, SitemapError


def own_site(config_file: Path | None) -> str:
    """Return the folder of the built site, or the sitemap in it if that has a name of its own.

    Args:
        config_file: the project file; None: the one in the current folder.

    Returns:
        The path as seen from the current folder.

    Raises:
        SitemapError: there is no such project, or its site is not built.
    """
    if config_file is None:
        config_file, note = find_project_file(Path.cwd())
        tell_problems([note] if note else [])
    project = read_project(config_file)
    folder = Path(os.path.relpath(project.site_dir))
    if not folder.is_dir():
        found = f"there is no built site at {folder.as_posix()}"
        fix = "Build the site first, or name a sitemap."
        raise SitemapError(Problem(code="site-dir", found=found, fix=fix))
    name = project.plugins.get("sitemap-plus", {}).get("filename")
    own = folder / name if isinstance(name, str) else folder
    return (own if own.is_file() else folder).as_posix()
