"""Find where the script of a page leads its visitors."""

import re

# A page whose script leads every visitor away stands where a server should redirect; mike writes
# one for each alias. Search engines run the script, and list the page that it leads to.
_MAX_BYTES = 16_384  # of a page that has nothing else
_MAX_TEXT = 300  # bytes, such as "Redirecting to ... Click here if nothing happens."
_SCRIPT = rb"(?is)<script\b([^>]*+)>(.*?)(?:</script[^>]*+>|\Z)"
_UNSEEN = rb"(?is)<!--.*?(?:-->|\Z)|<(style|title|noscript|script)\b.*?(?:</\1[^>]*+>|\Z)"
_TAG = rb"<[!?/a-zA-Z][^>]*+>"
# A page with one of these has more than a redirect. A link is for those who wait.
_CONTENT = (
    rb"(?i)<(?:img|svg|iframe|form|input|button|textarea|select|table|ul|ol|dl|pre|article|nav"
    rb"|object|embed|video|audio|canvas|dialog)\b|\bon[a-z]+\s*+="
)
# A script that makes content, waits for a click, or looks at the visitor's language, does not lead
# each visitor away.
_OTHER_WORK = (
    rb"addEventListener|\bonclick|innerHTML|textContent|document\.write|createElement|append"
    rb"|fetch\(|XMLHttpRequest|navigator\.language"
)
_LEADS_TO = (
    rb"(?<![\w$-])(?<!const )(?<!let )(?<!var )location(?:\.href)?\s*+"
    rb"(?:=(?!=)|\.(?:replace|assign)\s*+\()\s*+"
    rb"([\"'`])([^\"'`\r\n$]++)"
)
_LEADS_TO_VARIABLE = (
    rb"(?<![\w$-])location(?:\.href)?\s*+(?:=(?!=)|\.(?:replace|assign)\s*+\()\s*+[A-Za-z_$]"
)
_WITHOUT_SCRIPTS = rb"(?i)<noscript\b[^>]*+>\s*+<meta\b([^>]*+)>"
_REFRESH_URL = rb"(?i)\burl\s*+=\s*+([^\"'>\s]++)"
_END_OF_HEAD = rb"(?i)<(?:/head|body)\b"
_COMMENT = rb"(?s)<!--.*?(?:-->|\Z)"
_ONLY_LEADS = (
    rb"(?i)<script(?:\s[^<>]*+)?>\s*+(?:(?:window|document|self|top)\.)?location(?:\.href)?\s*+"
    rb"(?:=|\.(?:replace|assign)\s*+\()\s*+([\"'])([^\"'\r\n<>]++)\1\s*+\)?\s*+;?\s*+</script"
)


def script_target(page: bytes) -> str | None:
    """Return the URL to which a script leads from a page, or None.

    Either the script is in the head and does nothing else, or the page has nothing else. The URL is
    that which stands in the script, without what a variable adds behind it. Where the script has
    only a variable, it is that of the refresh for visitors without scripts (sphinx-reredirects).
    """
    if re.search(_ONLY_LEADS, page):
        head = re.split(_END_OF_HEAD, re.sub(_COMMENT, b"", page), maxsplit=1)[0]
        if alone := re.search(_ONLY_LEADS, head):
            return _possible_url(alone[2])
    if len(page) > _MAX_BYTES:
        return None
    scripts = re.findall(_SCRIPT, page)
    code = b"\n".join(text for _, text in scripts)
    target = _target_in(code, page)
    is_loaded = any(b"src" in attributes.lower() for attributes, _ in scripts)
    if target is None or is_loaded or re.search(_OTHER_WORK, code):
        return None
    rest = re.sub(_UNSEEN, b"", page)
    text = b" ".join(re.sub(_TAG, b" ", rest).split())
    if re.search(_CONTENT, rest) or len(text) > _MAX_TEXT:
        return None
    return _possible_url(target)


def _target_in(code: bytes, page: bytes) -> bytes | None:
    if target := re.search(_LEADS_TO, code):
        return target[2]
    if re.search(_LEADS_TO_VARIABLE, code) and (refresh := re.search(_WITHOUT_SCRIPTS, page)):
        url = re.search(_REFRESH_URL, refresh[1]) if b"refresh" in refresh[1].lower() else None
        return url[1] if url else None
    return None


def _possible_url(written: bytes) -> str | None:
    """Return a text that can be a URL; None for a word such as ``Berlin``."""
    url = written.decode("utf-8", "replace")
    return url if "/" in url or "." in url else None
