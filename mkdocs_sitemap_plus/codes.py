"""The codes of ``check``, which its help names without reading the rules themselves."""

from mkdocs_sitemap_plus.wording import DOCS

CODES_URL = f"{DOCS}command/check-codes/"
CODES = (
    "page-absent", "page-status", "noindex", "redirect", "folder-slash", "not-canonical",
    "canonicals-differ", "soft-not-found", "lastmod-differs", "robots", "disallowed", "not-listed",
    "closed", "replaced", "gone", "required-absent", "too-few-dates", "not-xml", "encoding",
    "wrong-root",
    "gzip", "too-large", "empty", "element-missing", "element-unknown", "namespace-misspelled",
    "loc-relative", "loc-invalid", "loc-fragment", "loc-not-ascii", "loc-local", "loc-outside",
    "duplicate-loc", "lastmod-format", "lastmod-future", "same-lastmod", "lastmod-git", "value",
    "nested-index", "part-missing", "part-lastmod", "hreflang-code", "hreflang-self",
    "hreflang-return",
)  # fmt: skip
"""All codes, in the order of the documentation. Each is that of a rule in `check`."""
