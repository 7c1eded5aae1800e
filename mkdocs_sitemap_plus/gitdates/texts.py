"""Show texts of others in messages: in one line, shortened, and without passwords."""

import re

MAX_VALUE = 80  # characters of a quoted text
_MAX_TEXT = 200  # characters of another program's text, such as an error of git

# The user part of a URL ends with the last @ before a slash. No host is as long as 256 characters:
# such a text is the beginning of a user part that somebody else has cut.
_USER = re.compile(r"(?<=://)(?:[^\s/?#]*@|[^\s/?#]{256,})")


def printable(text: str) -> str:
    """Return a text in one line, which commands neither a terminal nor a CI system."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    for command in ("##[", "##vso["):  # GitHub and Azure obey these anywhere in a line
        text = text.replace(command, rf"\x23{command[1:]}")
    return _without_users(text)


def shorten(text: str, most: int = _MAX_TEXT) -> str:
    """Return a text, cut to `most` characters; three dots at its end show that it is cut."""
    if len(text) > most:
        text = _without_users(text)  # nobody could find the half of a password
    return text if len(text) <= most else f"{text[: most - 3]}..."


def quote(text: str) -> str:
    """Return a text in quotes, in one line of at most `MAX_VALUE` characters."""
    return shorten(printable(repr(_without_users(text)[: MAX_VALUE + 1])), MAX_VALUE)


def _without_users(text: str) -> str:
    return _USER.sub("***@", text) if "://" in text else text
