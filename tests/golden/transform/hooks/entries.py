"""The owner's function."""

from dataclasses import replace


def own(entry, page):
    """Remove what is secret, and set what front matter names."""
    if page is None:
        return replace(entry, changefreq="daily")
    if page.meta.get("secret"):
        return None
    return replace(entry, **page.meta.get("entry", {}))
