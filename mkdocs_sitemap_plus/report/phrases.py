"""What `explain` and the HTML report say of a page in the same words."""

from collections.abc import Container

from mkdocs_sitemap_plus.gitdates import GitReason
from mkdocs_sitemap_plus.lastmod import COMMIT_FIRST, WRITE_AGAIN, Reason
from mkdocs_sitemap_plus.report.data import Because, PageData, PlaceData

_FROM_GIT = frozenset(map(str, GitReason))
_FIXES: dict[str, str] = {
    Reason.SHALLOW: "Run `git fetch --unshallow`.",
    Reason.UNUSABLE_DATES_FILE: WRITE_AGAIN,
    Reason.CHANGED_SINCE: COMMIT_FIRST,
}


def why_undated(page: PageData) -> str:
    """Return why a page has no date, and the fix. The text is empty if no reason is known."""
    if not (why := page.get("undated")):
        return ""
    reason = why["reason"]
    text = f"{'git: ' if reason in _FROM_GIT else ''}{why.get('detail', reason)}"
    fix = why.get("fix") or _FIXES.get(reason)
    return f"{text}. {fix}" if fix else text


def origin_text(because: PlaceData | Because, own_paths: Container[str] = ()) -> str:
    """Return a place as ``a.md:3: priority``, a commit as ``1234567890 a.md``, a file as ``a.md``.

    A path is left out if it is one of `own_paths`, the paths of the page itself.
    """
    if commit := str(because.get("commit", "")):
        path = str(because.get("path", ""))
        return commit[:10] if path in own_paths else f"{commit[:10]} {path}".strip()
    file, line = because.get("file") or str(because.get("path", "")), because.get("line")
    if file in own_paths:
        file = f"line {line}" if line else ""
    elif line:
        file = f"{file}:{line}"
    return ": ".join(filter(None, (file, because.get("key", ""))))
