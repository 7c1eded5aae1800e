"""When files last changed, read from git: one walk a repository, whatever the number of files."""

from mkdocs_sitemap_plus.lastmod.git.history import History

__all__ = ["History"]
