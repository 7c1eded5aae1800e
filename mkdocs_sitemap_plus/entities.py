"""Character references of HTML and XML."""

import html
import re

_TOO_LONG = re.compile(r"&#[0-9]{1000,}+;?")


def unescape(text: str) -> str:
    """Return `text` with its character references resolved, as browsers do it.

    A number of so many digits names no character. Python reads no number of over 4,300 digits, so
    `html.unescape` raises an error there.
    """
    return html.unescape(_TOO_LONG.sub("\ufffd", text) if "&#" in text else text)
