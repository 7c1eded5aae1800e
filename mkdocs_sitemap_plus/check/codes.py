"""All codes of ``check`` by their rules, and what became of those of version 0.9."""

from collections.abc import Mapping
from types import MappingProxyType

from mkdocs_sitemap_plus.check import RULES as _RULES
from mkdocs_sitemap_plus.check import Rule, page_rules, protocol_rules

__all__ = ["RULES", "page_rules", "protocol_rules", "what_became_of"]
RULES: Mapping[str, Rule] = MappingProxyType(_RULES)
"""All rules by their codes, in the order of the documentation: those modules add them."""

MERGED = {  # the codes of 0.9 by the new one
    "disallowed": "sitemap-disallowed",
    "element-unknown": "element-twice root-child text",
    "gzip": "gz-differs",
    "hreflang-code": "hreflang-link hreflang-twice hreflang-url",
    "hreflang-return": "alternate-absent hreflang-unlisted",
    "lastmod-format": "lastmod-epoch",
    "loc-invalid": "loc-character loc-escape loc-escaped-twice loc-host loc-scheme loc-too-long",
    "loc-outside": "part-outside",
    "not-xml": "doctype leading-text",
    "page-absent": "version-url",
    "page-status": "page-no-answer robots-no-answer",
    "replaced": "excluded",
    "robots": "robots-no-sitemap robots-place robots-sitemap",
    "soft-not-found": "error-page",
    "too-large": "too-complex too-many-bytes too-many-images too-many-urls",
    "value": "attribute changefreq media-url priority video-loc video-value",
    "wrong-root": "wrong-namespace",
}
DROPPED = (
    "bom", "element-order", "image-twice", "lastmod-imprecise", "link-broken", "namespace-unknown",
    "news-old", "news-value", "outdated", "part-unread", "template-published", "too-many-news",
)  # fmt: skip
_NEW = {old: new for new, olds in MERGED.items() for old in olds.split()}


def what_became_of(code: str) -> str:
    """Return what became of a code of 0.9, as a sentence; empty if it never was one."""
    if code in DROPPED:
        return "It is no finding any more."
    return f"It is {_NEW[code]!r} now." if code in _NEW else ""
