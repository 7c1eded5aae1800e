"""The codes of ``check``, and what became of those of version 0.9.

A build reads them here for the option ``check.ignore``, without the rules themselves.
"""

from mkdocs_sitemap_plus.wording import DOCS, closest, listing

CODES_URL = f"{DOCS}command/check-codes/"
CODES = (
    "page-absent", "page-status", "noindex", "redirect", "folder-slash", "not-canonical",
    "soft-not-found", "lastmod-differs", "robots", "disallowed", "not-listed", "replaced",
    "gone", "required-absent", "too-few-dates", "not-xml", "encoding", "wrong-root", "gzip",
    "too-large", "empty", "element-missing", "element-unknown", "namespace-misspelled",
    "loc-relative", "loc-invalid", "loc-fragment", "loc-not-ascii", "loc-local", "loc-outside",
    "duplicate-loc", "lastmod-format", "lastmod-future", "same-lastmod", "value",
    "nested-index", "part-missing", "part-lastmod", "hreflang-code", "hreflang-self",
    "hreflang-return",
)  # fmt: skip
"""All codes, in the order of the documentation. Each is that of a rule in `check`."""

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


def nearest_code(code: str) -> str | None:
    """Return the codes that begin so, or the most similar one; None for a code of 0.9."""
    if what_became_of(code):
        return None
    longer = [each for each in CODES if each.startswith(f"{code}-")]
    return listing(longer, "or") if longer else closest(code, CODES)
