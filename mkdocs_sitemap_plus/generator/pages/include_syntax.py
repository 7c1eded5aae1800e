"""Find the names of the files that extensions and plugins include in a page."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.generator.options.settings import IncludeKind
from mkdocs_sitemap_plus.generator.options.value_kinds import Invalid, Patterns, pattern_list
from mkdocs_sitemap_plus.generator.pages.project_file import option_of


class Include(NamedTuple):
    """The name of a file that a text includes."""

    kind: IncludeKind
    name: str  # a path, as it is written; a pattern in include-markdown and `sitemap.depends`
    section: str | None = None  # of snippets, such as ``1:5`` or ``name``; None: the whole file
    exclude: str | None = None  # a pattern of files that are not included (include-markdown)
    recursive: bool = True  # whether the file can include further files
    base: Path | None = None  # what a Markdown extension finds it from; None: a plugin includes it
    variants: bool = False  # whether the page also shows its variants (markdown-include-variants)
    fallbacks: tuple[str, ...] = ()  # names to try next if there is no file `name` (macros)


_JINJA = ("{%", "%}")


class IncludeMarkdownOptions(NamedTuple):
    """The options of mkdocs-include-markdown-plugin."""

    tags: tuple[str, str] = _JINJA  # around a directive
    names: tuple[str, ...] = ("include", "include-markdown")  # of the directives
    recursive: bool = True  # the default of the argument `recursive` of directives
    # Patterns of files. These are not included, and directives in them have no effect.
    exclude: tuple[str, ...] = ()

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> "IncludeMarkdownOptions":
        """Read the plugin's options; an invalid one counts as not set."""
        names = option_of(options, "directives", dict[str, Any]())
        exclude = option_of(options, "exclude", list[Any]())
        return cls(
            tags=(_text(options, "opening_tag", "{%"), _text(options, "closing_tag", "%}")),
            names=tuple(_text(names, name, name) for name in ("include", "include-markdown")),
            recursive=option_of(options, "recursive", default=True),
            exclude=tuple(each for each in exclude if isinstance(each, str)),
        )


class MacrosOptions(NamedTuple):
    """The options of mkdocs-macros-plugin."""

    folder: Path  # of the files to include, absolute
    tags: tuple[str, str] = _JINJA  # around a statement
    comment_tags: tuple[str, str] = ("{#", "#}")
    by_default: bool = True  # whether pages without `render_macros` in front matter are rendered
    forced: Patterns | None = None  # pages that are rendered if `by_default` is False

    @classmethod
    def from_options(
        cls, options: Mapping[str, Any], docs_dir: Path, folder: Callable[[Any], Path]
    ) -> "MacrosOptions":
        """Read the plugin's options. `folder` makes the path of an option absolute."""
        begin = _text(options, "j2_block_start_string", "{%")
        begin_comment = _text(options, "j2_comment_start_string", "{#")
        forced = None
        with suppress(Invalid):  # macros reports it
            forced = pattern_list(options.get("force_render_paths") or "")
        return cls(
            folder=folder(options.get("include_dir") or docs_dir),
            tags=(begin, _text(options, "j2_block_end_string", "%}")),
            comment_tags=(begin_comment, _text(options, "j2_comment_end_string", "#}")),
            by_default=bool(options.get("render_by_default", True)),
            forced=forced,
        )


class IncludeOptions(NamedTuple):
    """The options of the plugins and extensions that include files in pages.

    All paths are absolute, except ``Path()`` in `snippets`, which is the folder of each page.
    """

    docs_dir: Path
    snippets: tuple[Path, ...] = ()  # the base paths of snippets; empty if snippets are off
    restricted: bool = True  # whether snippets must be inside of their base path
    markdown_include: Path | None = None  # the base path of markdown-include; None if it is off
    mdx_include: Path | None = None  # the base path of mdx_include; None if it is off
    variants: Path | None = None  # that of markdown-include-variants; None if it is off
    include_markdown: IncludeMarkdownOptions | None = None  # None if the plugin is off
    macros: MacrosOptions | None = None  # None if the plugin is off
    docstrings: bool = False  # whether mkdocstrings is on

    @classmethod
    def from_options(
        cls,
        plugins: Mapping[str, Mapping[str, Any]],
        extensions: Mapping[str, Mapping[str, Any]],
        docs_dir: Path,
        folder: Callable[[Any], Path],
    ) -> "IncludeOptions":
        """Read the options of plugins and Markdown extensions, each by its name.

        `folder` makes the path of an option absolute. As in Markdown extensions, a relative path
        starts at the folder in which the build runs.
        """
        snippets = extensions.get("pymdownx.snippets")
        bases: Any = [] if snippets is None else snippets.get("base_path", ["."])
        bases = bases if isinstance(bases, (list, tuple)) else [bases]

        def base(name: str) -> Path | None:
            extension = extensions.get(name)
            return None if extension is None else folder(extension.get("base_path") or ".")

        directives, macros = plugins.get("include-markdown"), plugins.get("macros")
        read_directives = IncludeMarkdownOptions.from_options
        return cls(
            docs_dir=docs_dir,
            snippets=tuple(map(folder, bases)),
            restricted=option_of(snippets or {}, "restrict_base_path", default=True),
            markdown_include=base("markdown_include.include"),
            mdx_include=base("mdx_include"),
            variants=base("markdown_include_variants"),
            include_markdown=None if directives is None else read_directives(directives),
            macros=None if macros is None else MacrosOptions.from_options(macros, docs_dir, folder),
            docstrings="mkdocstrings" in plugins,
        )

    def active(
        self, includes: Iterable[Include], src_uri: str, meta: Mapping[str, Any]
    ) -> tuple[Include, ...]:
        """Return the includes of a page; those of macros only if macros renders the page."""
        macros, is_rendered = self.macros, meta.get("render_macros")
        if macros is None:
            return tuple(includes)
        if is_rendered is None:
            is_forced = macros.forced and macros.forced.match_file(src_uri)
            is_rendered = macros.by_default or is_forced
        return tuple(each for each in includes if is_rendered or each.kind != IncludeKind.MACROS)


def _text(options: Mapping[str, Any], key: str, default: str) -> str:
    return option_of(options, key, default) or default


# An opening without an end matches the rest of the line here, and the rest of the text in the
# expressions of directives and statements. So the search for an end does not start again at each
# opening that follows, and the time stays linear.
_MARKDOWN_INCLUDE = r"\{!(?:[^\S\n]*+(\S.*?)!(?:lines=[0-9 -]+)?\}|.*)"
_MDX_INCLUDE = r"\\\{!|\{!(?P<mark>[+-]?)>?(?:(?P<inside>.*?)!\}|.*)"  # a backslash makes it text


def includes_in(text: str, include_options: IncludeOptions) -> Iterator[Include]:
    """Yield what a text includes, by each extension and plugin in turn."""
    include_markdown, macros = include_options.include_markdown, include_options.macros
    if include_options.snippets and "8<-" in text:
        for name, section in snippets_in(text):
            yield Include(IncludeKind.SNIPPETS, name, section)
    if "{!" in text or "{*" in text:
        for each in _by_extensions(text, include_options):
            yield Include(IncludeKind.INCLUDE_MARKDOWN, **each)
    if include_markdown and include_markdown.tags[0] in text:
        yield from _directives(text, include_markdown)
    if macros and macros.tags[0] in text:
        yield from _templates(text, macros)


def _by_extensions(text: str, include_options: IncludeOptions) -> Iterator[dict[str, Any]]:
    """Yield the fields of what Markdown extensions other than snippets include."""
    if base := include_options.markdown_include:
        for name in filter(None, re.findall(_MARKDOWN_INCLUDE, text)):
            yield {"name": name.rstrip(), "base": base}
    if base := include_options.mdx_include:
        for match in re.finditer(_MDX_INCLUDE, text):
            # Lines and an encoding may follow the name: ``a.md [ln:1-5] | utf-8``.
            name = (match["inside"] or "").partition("|")[0].partition("[")[0].strip()
            if name and "://" not in name:
                yield {"name": name, "base": base, "recursive": match["mark"] != "-"}
    if base := include_options.variants:
        for line in text.split("\n"):
            if line.startswith("{*") and line.endswith("*}") and (words := line[2:-2].split()):
                yield {"name": words[0], "base": base, "variants": True}


# A name in double or single quotes. After a backslash, a quote is part of the name.
_QUOTED = r"(?:\"(?P<double>(?>(?:[^\"]++|(?<=\\)\")+))\"|'(?P<single>(?>(?:[^']++|(?<=\\)')+))')"


@cache
def _directive_pattern(options: IncludeMarkdownOptions) -> re.Pattern[str]:
    opening, closing = map(re.escape, options.tags)
    names = "|".join(map(re.escape, options.names))
    return re.compile(
        rf"{opening}\s*+(?:{names})\s++{_QUOTED}(?:(?P<arguments>.*?){closing}|.*)", re.DOTALL
    )


def _directives(text: str, options: IncludeMarkdownOptions) -> Iterator[Include]:
    for match in _directive_pattern(options).finditer(text):
        name, arguments = _unquoted(match), match["arguments"]
        if arguments is not None and not name.startswith(("http://", "https://")):
            exclude = re.search(rf"\bexclude={_QUOTED}", arguments)
            recursive = re.search(r"\brecursive=(true|false)\b", arguments)
            yield Include(
                IncludeKind.INCLUDE_MARKDOWN,
                name,
                exclude=_unquoted(exclude) if exclude else None,
                recursive=recursive[1] == "true" if recursive else options.recursive,
            )


def _unquoted(match: re.Match[str]) -> str:
    if match["single"] is not None:
        return match["single"].replace(r"\'", "'")
    return match["double"].replace(r"\"", '"')


_ONE_NAME = r"\"[^\"]+\"|'[^']+'"


@cache
def _jinja_pattern(tags: tuple[str, str], comment_tags: tuple[str, str]) -> re.Pattern[str]:
    """Return an expression for Jinja's comments, raw blocks, and statements that name templates.

    A comment, a raw block or a list of names without an end matches the rest of the text: Jinja
    then renders nothing.
    """
    begin, end = re.escape(tags[0]) + r"[+-]?\s*+", r"\s*+[+-]?" + re.escape(tags[1])
    begin_comment, end_comment = map(re.escape, comment_tags)
    comment = rf"{begin_comment}(?:.*?{end_comment}|.*)"
    if len(tags[0]) > len(comment_tags[0]):  # where both could begin, Jinja reads the longer tag
        comment = rf"(?!{re.escape(tags[0])}){comment}"
    raw = rf"{begin}raw{end}(?:.*?{begin}endraw{end}|.*)"
    names, no_end = rf"\[[^\]]*+\]|\([^)]*+\)|{_ONE_NAME}", r"[\[(].*"
    named = rf"{begin}(?:include|import|from|extends)\s*+(?:(?P<names>{names})|{no_end})"
    return re.compile(f"{comment}|{raw}|{named}", re.DOTALL)


def _templates(text: str, macros: MacrosOptions) -> Iterator[Include]:
    """Yield the templates that statements name. Of a list, Jinja uses the first that exists."""
    for match in _jinja_pattern(macros.tags, macros.comment_tags).finditer(text):
        quoted = re.findall(_ONE_NAME, match["names"] or "")
        if quoted:
            first, *others = (each[1:-1] for each in quoted)
            yield Include(IncludeKind.MACROS, first, fallbacks=tuple(others))


_MARKER = (
    r"[ \t]*(?P<escape>;*)-+8<-+"
    r"(?:[ \t]+(?:\"(?P<double>(?:\\\"|[^\"\n\r])+?)\"|'(?P<single>(?:\\'|[^'\n\r])+?)'))?\r?"
)
# A path may end with a colon and a section: a list of `FIRST:LAST`, or a name. The text is reversed
# for this expression, so that it finds the longest section.
_NUMBERS = r"[0-9]{0,9}-?(?::[0-9]{0,9}-?)?"
_SECTION_REVERSED = rf"(?ia)(?P<section>(?:(?=[-0-9:]){_NUMBERS},)*{_NUMBERS}|[\w-]*[a-z]):"
# A match does not start inside a run of `;` or `-`, so such a run is read once.
_SECTION = (
    r"(?ia)(?<!;)(?!(?<=-)-)(?P<escape>;*)-+8<-+[ \t]+"
    r"\[[ \t]*(?P<type>start|end)[ \t]*:[ \t]*(?P<name>[a-z][\w-]*)[ \t]*\]"
)


def snippets_in(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each included path and its section; None stands for the whole file.

    A path stands in quotes after a marker, or on a line between two markers. A section is ``name``,
    or lines such as ``1:5,8:9``.
    """
    in_block = False
    for line in text.split("\n"):
        marker = re.fullmatch(_MARKER, line) if "8<-" in line else None
        if marker is None:
            if in_block:
                yield from _path_and_section(line)
        elif marker["escape"]:
            continue
        elif quoted := marker["double"] or marker["single"]:
            if not in_block:
                yield from _path_and_section(quoted)
        else:
            in_block = not in_block


def _path_and_section(written: str) -> Iterator[tuple[str, str | None]]:
    written = written.strip()
    section = None
    if match := re.match(_SECTION_REVERSED, written[::-1]):
        section = match["section"][::-1] or None
        written = written[: -match.end()].rstrip()
    if written and not written.lower().startswith((";", "http://", "https://")):
        yield written, section


def section_of(text: str, section: str | None) -> str:
    """Return the part of a file that a section names; None names the whole file."""
    if section is None:
        return text
    lines = text.split("\n") if text else []
    if section[0].isalpha():
        return "\n".join(_named_section(lines, section))
    return "\n".join(line for span in section.split(",") for line in lines[_line_slice(span)])


def _named_section(lines: list[str], name: str) -> Iterator[str]:
    inside = False
    for line in lines:
        mark = re.search(_SECTION, line) if "8<-" in line else None
        if mark is None or mark["escape"]:
            if inside:
                yield line
        elif mark["name"] == name:
            if mark["type"] != "start":  # ``end``, and also ``Start`` with a capital letter
                return
            inside = True


def _line_slice(span: str) -> slice:
    """Return the slice of ``FIRST:LAST``. Lines are counted from 1; with a minus, from the end."""
    # A minus without a number counts as no number.
    first, _, last = (part.removesuffix("-") for part in span.partition(":"))
    start = int(first) if first else None
    end = int(last) if last else None
    if start is not None and start > 0:
        start -= 1
    if end is not None and end < 0:
        end = end + 1 or None  # -1 is the last line: the slice then has no end
    return slice(start, end)
