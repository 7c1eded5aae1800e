"""Read the header ``X-Robots-Tag``, which rules a page as the robots meta tag does."""

from collections.abc import Iterable

_CRAWLERS = frozenset(("robots", "googlebot", "bingbot"))
_WITH_VALUE = frozenset(
    ("max-image-preview", "max-snippet", "max-video-preview", "unavailable_after")
)


def forbidding_header(values: Iterable[str]) -> str | None:
    """Return the value of the header that forbids Google or Bing to index a page, or None.

    If the name of a crawler and a colon stand before a rule, this rule and all rules after it are
    for this crawler.
    """
    for header in values:
        crawler = "robots"
        for rule in header.lower().split(","):
            name, colon, value = (part.strip() for part in rule.partition(":"))
            if name in _WITH_VALUE:
                continue
            if colon and " " not in name:  # a blank: "25 jun 2030 15" of a date with a comma
                crawler = name
            forbids = (value if colon else name) in ("noindex", "none")
            if forbids and crawler in _CRAWLERS:
                return header.strip()
    return None
