"""What the plugin and the command make of a site, to compare them."""

import pickle
import re
from collections import Counter
from dataclasses import replace

from sites import run_command

from mkdocs_sitemap_plus.command.any_site.built_site import read_site
from mkdocs_sitemap_plus.command.any_site.project import read_project, read_settings
from mkdocs_sitemap_plus.generator.pages.site_url import check_url

HOOK = """\
import pickle
from mkdocs.plugins import event_priority

@event_priority(-300)
def on_post_build(config):
    with open("site.pickle", "wb") as file:
        pickle.dump(config.plugins["sitemap-plus"].outcome.site, file)
"""
"""A hook that writes down the plugin's Site."""


def sites_of(site, config="mkdocs.yml"):
    """The site, as the plugin saw it in the last build, and as the command sees it."""
    with (site.folder / "site.pickle").open("rb") as file:
        by_plugin = pickle.load(file)  # noqa: S301 - our own
    project = read_project(site.folder / config)
    settings, _ = read_settings(project)
    read = read_site(project, project.site.site_dir, settings).site
    by_command, _ = check_url(read)
    return _comparable(by_plugin), _comparable(by_command or read)


def _comparable(site):
    """The fields of the site, but for the navigation, titles, and what tells the sources of pages.

    The command reads titles in the built pages. MkDocs tells the plugin of which file a page is
    made; to the command, the path of the page does.
    """
    known = {"title": None, "in_nav": None}
    pages = (page._replace(made_from=page.source_files, **known) for page in site.pages)
    return vars(replace(site, pages=tuple(pages)))


def files_of(folder):
    """Every sitemap of a folder, robots.txt and the style, by name."""
    patterns = ("*.xml", "*.xml.gz", "*.css", "robots.txt")
    return {path.name: path.read_bytes() for each in patterns for path in folder.glob(each)}


def compare(site, *arguments, config="mkdocs.yml"):
    """Build with MkDocs, then by the command: the same Site, the same bytes."""
    built = site.build("-f", config, *arguments)
    by_plugin, by_command = sites_of(site, config)
    assert by_command == by_plugin
    before = files_of(built.path("."))
    for name in before:
        if name.startswith("sitemap"):
            built.path(name).unlink()
    done = run_command("build", "-f", config, cwd=site.folder)
    assert files_of(built.path(".")) == before
    return built, done


def check_summaries(of_command, of_plugin):
    """They say the same, but for HTML files that are no pages, which only the command counts."""
    (start, out), (same, fewer) = map(_parts_of_summary, (of_command, of_plugin))
    assert start == same
    assert fewer <= out
    assert (out - fewer).keys() <= {"static file", "no canonical", "not canonical", "redirect"}


def _parts_of_summary(line):
    start, _, end = line.strip().rstrip(".").partition("; ")
    total, _, reasons = end.partition(" left out (")
    found = re.findall(r"(?:(\d+) )?([a-z ]+?)s?[,)]", reasons)
    return start, Counter({why: int(n or total) for n, why in found})
