"""Sitemaps as a build writes them."""

from mkdocs_sitemap_plus.sitemap.write import Layout, files


def one_file(entries, stylesheet=None):
    """Return the bytes of a sitemap in one file."""
    layout = Layout(filename="sitemap.xml", base="https://web.example/", stylesheet=stylesheet)
    (file,) = files(entries, layout)
    return b"".join(file.pieces)
