"""The limits of the protocol and of Google, with their sources."""

from datetime import timedelta
from decimal import Decimal

MAX_LOC_LENGTH = 2047
"""Characters of a ``loc``, escaped as a URL: "less than 2,048" (sitemaps.org, ``<loc>``)."""

MIN_PRIORITY = Decimal("0.0")
MAX_PRIORITY = Decimal("1.0")
"""``priority`` runs from 0.0 to 1.0 (sitemaps.org, ``<priority>``)."""

MAX_URLS = 50_000
"""Entries of one file (sitemaps.org, "Using Sitemap index files")."""

MAX_BYTES = 52_428_800
"""Bytes of one file, uncompressed (sitemaps.org, "Using Sitemap index files")."""

MIN_MAX_BYTES = 1_000
"""The least value of the option ``max_bytes``: it leaves room for an ordinary entry."""

MAX_IMAGES = 1_000
"""Images of one page (Google, "Image sitemaps")."""

MAX_NEWS = 1_000
"""News articles of one file (Google, "News sitemaps")."""

MAX_VIDEO_TITLE = 100
MAX_VIDEO_DESCRIPTION = 2_048
MAX_VIDEO_UPLOADER = 255
"""Characters of texts of a video (``sitemap-video.xsd``; Google, "Video sitemaps")."""

MAX_VIDEO_SECONDS = 28_800
"""The largest ``video:duration``: eight hours; the smallest is 1 (Google, "Video sitemaps")."""

MAX_VIDEO_RATING = Decimal("5.0")
"""The largest ``video:rating``; the smallest is 0.0 (Google, "Video sitemaps")."""

MAX_VIDEO_VIEWS = 10**15
"""The largest ``video:view_count`` that is accepted. The protocol has no limit."""

MAX_VIDEO_TAGS = 32
"""Tags of one video (Google, "Video sitemaps")."""

NEWS_AGE = timedelta(days=2)
"""An older article is not news (Google, "News sitemaps")."""
