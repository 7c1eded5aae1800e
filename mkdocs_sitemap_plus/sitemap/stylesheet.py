"""How a browser shows a sitemap to people."""

from importlib.resources import files

STYLESHEET = "sitemap.css"
"""The name of the file, beside the sitemap."""


def stylesheet() -> bytes:
    """What that file says, for ``urlset`` and ``sitemapindex``: UTF-8, LF."""
    return (files(__package__) / STYLESHEET).read_bytes()
