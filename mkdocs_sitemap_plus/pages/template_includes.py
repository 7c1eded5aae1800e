"""Find what the tags of Liquid and Nunjucks and the shortcodes of Hugo put into a text."""

import re
from collections.abc import Collection, Iterator
from functools import partial

from mkdocs_sitemap_plus.pages.rst_includes import Embed

_TAG = re.compile(
    r"(?<!\{)\{%-?\s*+(?P<tag>include[\w-]*+|remote_include|renderFile|render|partial|from|import)"
    r"(?=[\s\"'])(?P<rest>[^%]*+)"
)
_NAME = re.compile(
    r"\s*+(?:file\s*+=\s*+)?(?:\"(?P<a>[^\"\n]++)\"|'(?P<b>[^'\n]++)'|`(?P<c>[^`\n]++)`"
    r"|(?P<plain>[^\s\"'`%{}=]++)(?!\s*+=))"
)
_SHOWN = re.compile(  # as it is written, or not at all
    r"\{%-?\s*+(?P<tag>raw|verbatim|comment)\s*+-?%\}(?:.*?\{%-?\s*+end(?P=tag)\b|.*)", re.DOTALL
)


def in_liquid(text: str) -> Iterator[Embed]:
    """Yield what Liquid and Nunjucks include."""
    if "{%" not in text:
        return
    for match in _TAG.finditer(_SHOWN.sub("", text)):
        tag, name = match["tag"], _NAME.match(match["rest"])
        embed = partial(Embed, syntax="liquid")
        if name is None:  # it is computed
            yield embed(tag, is_file=False)
            continue
        below = {"include_relative": (), "renderFile": ("", "_includes")}.get(tag, ("_includes",))
        path = name["a"] or name["b"] or name["c"] or name["plain"]
        is_plain = name["plain"] is not None and tag.startswith("include") and bool(below)
        yield embed(path, below=below, by_theme=is_plain)


_SHORTCODE = re.compile(r"\{\{[<%]\s*+(?P<tag>[\w./-]++)(?P<arguments>[^<>{}]*+)")
_SHORTCODES = re.compile(r"(?i)include|import|read-?file|snippet|embed-?(?:file|code)|transclude")
_LINKS = frozenset(("ref", "relref", "figure", "image", "img", "video", "link", "button", "card"))
_FILE = re.compile(r"(?i).*\.(?!(?:png|jpe?g|gif|svg|webp|avif|mp4|webm|pdf|html?)\Z)[a-z]\w*\Z")
_PATH_KEYS = ("file", "path", "src", "filename")


def in_shortcodes(text: str) -> Iterator[Embed]:
    """Yield what shortcodes include, also those that name a file and may show it."""
    for match in _SHORTCODE.finditer(text) if "{{" in text else ():
        tag, arguments = match["tag"], match["arguments"]
        below = ("", "content", "static", "assets")
        if _SHORTCODES.search(tag):
            path = _path_in(arguments, (*_PATH_KEYS, "page", "name")) or tag
            yield Embed(path, below=below, syntax="shortcodes")
        elif tag.lower() in _LINKS:
            continue
        elif (path := _path_in(arguments, _PATH_KEYS)) and _FILE.match(path):
            yield Embed(path, is_file=False, syntax="shortcodes", is_guess=True)


def _path_in(arguments: str, keys: Collection[str]) -> str | None:
    """Return the first argument of a shortcode that can be a path; None without one."""
    for word in arguments.split():
        key, equals, value = word.partition("=")
        if not equals or key in keys:
            return (value if equals else key).strip("\"'`%") or None
    return None
