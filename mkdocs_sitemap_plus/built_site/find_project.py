"""Find the project of a built site, or do without one."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from mkdocs_sitemap_plus.built_site import Project, project_of_values, read_project
from mkdocs_sitemap_plus.files import absolute_path, is_folder, repository_folder
from mkdocs_sitemap_plus.pages.project_file import find_project_file
from mkdocs_sitemap_plus.problems import SitemapError


def find_project_of(site_dir: Path) -> Project | None:
    """Return the nearest project above a built site whose ``site_dir`` is this site, if any.

    It may also be built in another folder, as with ``mkdocs build -d public``: that of a project
    beside it whose own ``site_dir`` is not there.
    """
    folder, elsewhere = absolute_path(site_dir), None
    for above in folder.parents:
        with suppress(SitemapError):
            project = read_project(find_project_file(above)[0])
            if project.site.site_dir == folder:
                return project
            if above == folder.parent and not is_folder(project.site.site_dir):
                elsewhere = project
    return elsewhere


def project_of_url(site_dir: Path, url: str, docs_dir: Path | None = None) -> Project:
    """Return the project of a built site whose URL is given.

    A project file in the current folder may be that of another site in the same repository.
    """
    with suppress(SitemapError):
        project = read_project(None)
        if project.site.site_dir == absolute_path(site_dir) and not docs_dir:
            return project
    return _project_of_any_site(site_dir, url, docs_dir)


def _project_of_any_site(site_dir: Path, url: str, docs_dir: Path | None = None) -> Project:
    """Return a project without options for a folder that any builder built from this repository.

    The current folder is in the repository. `url` is the URL of the site. `docs_dir` has sources
    under the same paths as the built pages.
    """
    root = Path.cwd()
    values = {
        "site_dir": str(absolute_path(site_dir)),
        "site_url": url,
        "docs_dir": str(docs_dir or repository_folder(root)),
        "theme": {"name": ""},
    }
    project = project_of_values(values, root / "mkdocs.yml")
    site = replace(project.site, project_file="")
    return project._replace(file=root, site=site, has_sources=docs_dir is not None)
