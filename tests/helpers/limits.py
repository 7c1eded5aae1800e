"""Smaller limits of a file than those of the protocol, which few tests could reach."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mkdocs_sitemap_plus.generator import generate
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, MAX_URLS


@contextmanager
def limits(max_urls: int = MAX_URLS, max_bytes: int = MAX_BYTES) -> Iterator[None]:
    """Split sitemaps above these limits, in builds of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generate, "MAX_URLS", max_urls)
        patch.setattr(generate, "MAX_BYTES", max_bytes)
        yield
