"""What a pattern means that is written in another language than that of ``.gitignore``.

Regular expressions, globs with braces, several patterns in one line, URLs and paths of Windows are
read as the globs that their authors would have written here.
"""

import re
from collections.abc import Collection, Iterator

MAX_PARTS = 20  # of a line; each is compared with all paths
_LETTERS = "^$|(){}+;\\"
"""What no pattern of ``.gitignore`` needs, unless a path has it."""
_COMMENT = re.compile(r"\s+#.*")
_PREFIX = re.compile(r"(?i)^(?:re|regex|regexp|glob|path):\s*|\(\?[a-z]+\)")
_GROUP = re.compile(r"\((?:\?:)?([^(){}]*)\)[+*?]?|\{([^(){}]*)\}")
# What stands for any text in a regular expression: ``.*``, ``\w+``, ``[^/]+``.
_ANY_TEXT = re.compile(r"(?:\\[dwsDWS]|\[\^?[^\]/]+\])[+*]?\??|\[\^/\][+*]?\??|\.[+*]\??")
_ESCAPED = re.compile(r"\\([^A-Za-z0-9])")


def is_other_language(line: str, letters: Collection[str], endings: Collection[str]) -> bool:
    """Return whether a pattern has what only other languages have.

    `letters` are those of the paths that it is compared with, and `endings` those of their names.
    """
    text = re.sub(r"\\[#! *?\[\]\\]", "", line.removeprefix("!"))  # escapes of .gitignore
    if any(letter in text and letter not in letters for letter in _LETTERS):
        return True
    ending = text.rstrip().lower().rpartition(".")[2]
    return bool(
        _COMMENT.search(text) or (ending in ("html", "htm", "md") and ending not in endings)
    )


def parts_of(line: str) -> list[str]:
    """Return the patterns that stand in one line as alternatives: ``a|b``, ``{a,b}``, ``[a; b]``.

    A line that is one pattern is returned alone, without what is no part of it: a comment, quotes.
    """
    text = _COMMENT.sub("", line).strip()
    text = _PREFIX.sub("", text).strip("\"'`")
    if text[:1] == "[" and text[-1:] == "]" and re.search("[;,]", text):
        text = text[1:-1]
    waiting, found = [text], list[str]()
    while waiting and len(found) + len(waiting) <= MAX_PARTS:
        text = waiting.pop(0)
        group = _GROUP.search(text)
        if group is None:
            found += re.split(r"\s*[|;]\s*", text)
            continue
        inside = group[1].split("|") if group[2] is None else group[2].split(",")
        before, after = text[: group.start()], text[group.end() :]
        waiting += [f"{before}{each.strip()}{after}" for each in inside]
    return [part for part in (each.strip("\"' ") for each in found) if part][:MAX_PARTS]


def globs_of(text: str) -> Iterator[str]:
    """Yield the globs that one pattern may mean, with the likeliest first."""
    text = re.sub(r"\\[AZzb]$|^\\[Ab]", "", text).removeprefix("^").removesuffix("$")
    if re.search(r"\w\\\w", text):  # of Windows
        yield text.replace("\\", "/")
    text = _ESCAPED.sub(r"\1", _ANY_TEXT.sub("*", text))
    yield re.sub(r"\*{3,}", "**", text.replace("\\", "/"))
