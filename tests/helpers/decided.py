"""Decide on a site that is made of values, without a build."""

from datetime import UTC, datetime
from pathlib import Path

from mkdocs_sitemap_plus.generator.generate import decide
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.options.table import read_options
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.site import Site, SourcePage
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context
from mkdocs_sitemap_plus.html.page_says import PageSays, RobotsRules

URL = "https://web.example/"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NOINDEX = PageSays(robots=(RobotsRules("robots", "noindex", "head"),))


def page(path, *, meta=None, **more):
    """A built page; `path` is its source without ``.md``."""
    return SourcePage(
        src_uri=f"{path}.md",
        file=f"docs/{path}.md",
        dest_uri="index.html" if path == "index" else f"{path}/index.html",
        loc=URL if path == "index" else f"{URL}{path}/",
        meta=meta or {},
        built=more.pop("built", None) or PageSays(images=more.pop("images", ())),
        **more,
    )


def site_of(*pages, root=Path("/nowhere"), url=URL, **more):
    """A site of these pages."""
    fields = {
        "has_url_key": True,
        "project_file": "mkdocs.yml",
        "docs_dir": root / "docs",
        "site_dir": root / "site",
        "reads_sitemap": False,
        "instant": False,
        "serving": False,
        "default_locale": "en",
        "include_options": IncludeOptions(docs_dir=root / "docs"),
    }
    return Site(url=url, root=root, pages=pages, **(fields | more))


def settings(**options):
    """Settings of options that are all right."""
    reading = read_options({"lastmod": {"sources": ["front_matter"]}, **options})
    assert (reading.errors, reading.unknown) == ((), ())
    return reading.settings


def decided(site, own=None, now=NOW):
    """The entries by URL below the site's, and the problems as lines."""
    own = own or settings()
    outcome = decide(Context(site, own, open_sources(own.lastmod), now))
    listed = {page.loc.removeprefix(site.url): page.entry for page in outcome.listed}
    for page in outcome.listed:
        fields = ("lastmod", "changefreq", "priority", "alternates", "images", "videos")
        said = {"listed"} | {name for name in fields if getattr(page.entry, name) not in (None, ())}
        if page.entry.lastmod is None:
            said |= page.origins.keys() & {"undated"}
        assert set(page.origins) == said, page.origins
    return listed, [str(problem) for problem in outcome.problems]
