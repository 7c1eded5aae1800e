"""Find where a page leads by a script that leads every visitor away.

Such pages stand where a server should redirect; mike writes one for each alias. Search engines run
the script, and list the page that it leads to.
"""

import re

_MAX_BYTES = 16_384  # of a page that has nothing else
_MAX_TEXT = 300  # bytes, such as "Redirecting to ... Click here if nothing happens."
_SCRIPT = re.compile(rb"(?is)<script\b([^>]*+)>(.*?)(?:</script[^>]*+>|\Z)")
_UNSEEN = re.compile(
    rb"(?is)<!--.*?(?:-->|\Z)|<(style|title|noscript|script)\b.*?(?:</\1[^>]*+>|\Z)"
)
_TAG = re.compile(rb"<[!?/a-zA-Z][^>]*+>")
# A page with one of these has more than a redirect. A link is for those who wait.
_CONTENT = re.compile(
    rb"(?i)<(?:img|svg|iframe|form|input|button|textarea|select|table|ul|ol|dl|pre|article|nav"
    rb"|object|embed|video|audio|canvas|dialog)\b|\bon[a-z]+\s*+="
)
# A script that makes content, waits for a click, or looks at the visitor's language, does not lead
# each visitor away.
_OTHER_WORK = re.compile(
    rb"addEventListener|\bonclick|innerHTML|textContent|document\.write|createElement|append"
    rb"|fetch\(|XMLHttpRequest|navigator\.language"
)
_LEADS_TO = re.compile(
    rb"(?<![\w$-])(?<!const )(?<!let )(?<!var )location(?:\.href)?\s*+"
    rb"(?:=(?!=)|\.(?:replace|assign)\s*+\()\s*+"
    rb"([\"'`])([^\"'`\r\n$]++)"
)
_LEADS_TO_VARIABLE = re.compile(
    rb"(?<![\w$-])location(?:\.href)?\s*+(?:=(?!=)|\.(?:replace|assign)\s*+\()\s*+[A-Za-z_$]"
)
_WITHOUT_SCRIPTS = re.compile(rb"(?i)<noscript\b[^>]*+>\s*+<meta\b([^>]*+)>")
_REFRESH_URL = re.compile(rb"(?i)\burl\s*+=\s*+([^\"'>\s]++)")

_END_OF_HEAD = re.compile(rb"(?i)<(?:/head|body)\b")
_COMMENT = re.compile(rb"(?s)<!--.*?(?:-->|\Z)")
_ONLY_LEADS = re.compile(
    rb"(?i)<script(?:\s[^<>]*+)?>\s*+(?:(?:window|document|self|top)\.)?location(?:\.href)?\s*+"
    rb"(?:=|\.(?:replace|assign)\s*+\()\s*+([\"'])([^\"'\r\n<>]++)\1\s*+\)?\s*+;?\s*+</script"
)


def script_target(page: bytes) -> str | None:
    """Return the URL to which a script leads from a page, or None.

    Either the script is in the head and does nothing else, or the page has nothing else. The URL is
    that which stands in the script, without what a variable adds behind it. Where the script has
    only a variable, it is that of the refresh for visitors without scripts (sphinx-reredirects).
    """
    if b"location" not in page:
        return None
    if _ONLY_LEADS.search(page):
        head = _END_OF_HEAD.split(_COMMENT.sub(b"", page), maxsplit=1)[0]
        if alone := _ONLY_LEADS.search(head):
            return _url(alone[2])
    if len(page) > _MAX_BYTES:
        return None
    scripts = _SCRIPT.findall(page)
    code = b"\n".join(text for _, text in scripts)
    target = _url_in(code, page)
    is_loaded = any(b"src" in attributes.lower() for attributes, _ in scripts)
    if target is None or is_loaded or _OTHER_WORK.search(code):
        return None
    rest = _UNSEEN.sub(b"", page)
    text = b" ".join(_TAG.sub(b" ", rest).split())
    if _CONTENT.search(rest) or len(text) > _MAX_TEXT:
        return None
    return _url(target)


def _url_in(code: bytes, page: bytes) -> bytes | None:
    """Return the URL to which the code of a page leads, as it is written, or None."""
    if target := _LEADS_TO.search(code):
        return target[2]
    if _LEADS_TO_VARIABLE.search(code) and (refresh := _WITHOUT_SCRIPTS.search(page)):
        url = _REFRESH_URL.search(refresh[1]) if b"refresh" in refresh[1].lower() else None
        return url[1] if url else None
    return None


def _url(written: bytes) -> str | None:
    """Return a text that can be a URL; None for a word such as ``Berlin``."""
    url = written.decode("utf-8", "replace")
    return url if "/" in url or "." in url else None
