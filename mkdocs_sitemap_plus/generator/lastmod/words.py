"""Tell changes of words from changes of markup alone."""

import re
from collections.abc import Iterable
from pathlib import Path

from mkdocs_sitemap_plus.generator.pages import MARKDOWN
from mkdocs_sitemap_plus.generator.pages.front_matter import body_of
from mkdocs_sitemap_plus.gitdates.single_commits import unchanged


def without_words(repository: Path, commit: str, before: str, paths: Iterable[str]) -> set[str]:
    """Return in which of these files a commit changed no word; code is words, too.

    `before` is the commit that it is compared with. Front matter but for titles and descriptions,
    markup, attributes and the targets of links are no words.
    """
    return unchanged(repository, commit, before, paths, _words)


_SHOWN = ("title", "description")  # by search engines

# Each alternative of the first and the third begins with a letter that is looked for.
_FENCE = re.compile(
    rb"(?m)\n[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>(?:.*\n)*?)[ \t>]*(?P=fence)[`~]*[ \t]*$"
    rb"|`(?P<inline>[^`\n]+)`"
)
_INDENTED = re.compile(rb"(?m)^(?:[ \t]+(?P<code>\S.*)|(?P<inline>(?!)))$")
_UNSEEN = re.compile(
    rb"(?m)\]\([^)\n]*\)|\]\[[^\]\n]*\]|<[^>\n]*>|https?://\S+|\[(?<=^\[)[^\]\n]+\]:.*$|\{[^}\n]*\}"
)
_LETTERS = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or chr(byte) == "_" else ord(" ")
    for byte in range(256)
).lower()
"""What each byte is among words, in lower case: itself or a blank."""


def _words(path: str, content: bytes) -> bytes:
    """In other texts than Markdown, such as RST, whatever is indented may be code."""
    is_markdown = path.lower().endswith(MARKDOWN)
    text = body_of(content, _SHOWN) if is_markdown else content
    text = b"\n" + text  # so that each line follows a newline
    words, end, code = list[bytes](), 0, _FENCE if is_markdown else _INDENTED
    for found in code.finditer(text):
        shown = found["code"] or found["inline"] or b""
        words += [_plain(text[end : found.start()]), *shown.split()]
        end = found.end()
    return b" ".join(filter(None, [*words, _plain(text[end:])]))


def _plain(text: bytes) -> bytes:
    """Return the words of a text without its markup, in lower case."""
    return b" ".join(_UNSEEN.sub(b" ", text).translate(_LETTERS).split())
