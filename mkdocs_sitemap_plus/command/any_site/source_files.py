"""Read the sources of pages without a build, also the front matter of other builders."""

import posixpath
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.files import Unreadable, is_folder, path_from, read_text
from mkdocs_sitemap_plus.generator.options.fields import TOP_LEVEL_KEYS, has_sitemap_keys, top_keys
from mkdocs_sitemap_plus.generator.options.settings import IncludeKind, LastmodSettings
from mkdocs_sitemap_plus.generator.options.value_kinds import Invalid, flag
from mkdocs_sitemap_plus.generator.pages.front_matter import (
    Broken,
    FrontMatter,
    merge,
    read_front_matter_text,
    read_yaml_mapping,
    split_page,
)
from mkdocs_sitemap_plus.generator.pages.include_syntax import includes_in
from mkdocs_sitemap_plus.generator.pages.project_file import read_toml
from mkdocs_sitemap_plus.generator.pages.site import (
    MARKDOWN,
    Evidence,
    MadeFrom,
    Parts,
    SourcePage,
    UncheckedSite,
)
from mkdocs_sitemap_plus.problems import Code, SitemapError, invalid


def check_docs_dir(site: UncheckedSite) -> None:
    """Raise SitemapError if there is no docs folder."""
    if not is_folder(site.docs_dir):
        path = path_from(site.root, site.docs_dir)
        place = site.option("docs_dir")
        raise SitemapError(invalid(Code.DOCS_DIR, place, path, "a folder that exists"))


API = "what mkdocstrings shows"
"""What a page takes from code, if the owner wants it to count. Only a build knows which files."""

FolderMeta = Callable[[str], Mapping[str, Any]]
"""Takes the path of a folder in the docs folder; returns the front matter of the pages in it."""


def folder_meta(docs_dir: Path, options: Mapping[str, Any] | None) -> FolderMeta:
    """Return what the meta plugin of Zensical gives to the pages of folders, by its `options`.

    A file ``.meta.yml`` is for all pages below its folder. Without the plugin, there is nothing.
    """
    name = None if options is None else options.get("meta_file", ".meta.yml")

    @cache
    def of_folder(folder: str) -> Mapping[str, Any]:
        meta = of_folder(posixpath.dirname(folder)) if folder else {}
        if isinstance(name, str):
            with suppress(Unreadable):
                text = read_text(docs_dir / folder / name, "utf-8-sig")
                meta = merge(meta, read_yaml_mapping(text).meta, join_lists=True)
        return meta

    return of_folder


def with_source_text(
    page: SourcePage, site: UncheckedSite, settings: LastmodSettings, inherited: FolderMeta
) -> SourcePage:
    """Return a page with what its source says: front matter, and the files that it includes.

    The source is the file at `src_uri` in the docs folder. What only a build of MkDocs knows is
    missing, such as front matter that a plugin adds.
    """
    path = site.docs_dir / page.src_uri
    text, unreadable = "", None
    try:
        text = read_text(path, "utf-8-sig")
    except Unreadable as error:  # each key may be in the file
        unreadable = Broken(error.reason, keys=frozenset(TOP_LEVEL_KEYS), is_shown=False)
    front_matter, body = split_page(text)
    options, above = site.include_options, inherited(posixpath.dirname(page.src_uri))
    meta = merge(above, front_matter.meta, join_lists=True) if above else front_matter.meta
    keys = top_keys(settings.front_matter_keys)
    parts = page.parts
    if IncludeKind.MKDOCSTRINGS in settings.includes and "\n::: " in f"\n{body}":
        parts = parts.with_more(Parts(unknown=(API,)))
    seen = front_matter if has_sitemap_keys(meta, keys) else FrontMatter()
    return page._replace(
        file=path_from(site.root, path),
        made_from=page.made_from or (MadeFrom(path, Evidence.PATH),),
        parts=parts,
        includes=options.active(includes_in(body, options), page.src_uri, meta) if options else (),
        meta=meta,
        lines=seen.lines,
        written=seen.written,
        twice=seen.twice,
        broken=unreadable or front_matter.broken,
    )


_TOML_START = re.compile(r"\+{3}[ \t]*\n")
_TOML = re.compile(rf"(?ms){_TOML_START.pattern}(.*?)^\+{{3}}[ \t]*$")
_MAX_TOML = 1 << 14  # characters; the time to read a dotted key grows with the square of its parts
_NAME = r"(?:[\w-]++|\"[^\"\n]*\"|'[^'\n]*')"
_KEY = re.compile(rf"[ \t]*+(\[?\[?)[ \t]*+({_NAME}(?:[ \t]*+\.[ \t]*+{_NAME})*)[ \t]*+[=:\]]")
_PART = re.compile(rf"[ \t]*+\.?[ \t]*+({_NAME})")
_LONG_QUOTE = re.compile(r"\"{3}|'{3}")
_WITH_FRONT_MATTER = (*MARKDOWN, ".mdx")
_DATES = ("lastmod", "lastUpdated", "last_update", "last_modified_at")
"""Keys with the date of a page: Hugo, VitePress and Starlight, Docusaurus, Jekyll."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def foreign_front_matter(file: Path, *, is_post: bool = False) -> FrontMatter:
    """Return the front matter of a Markdown file, YAML or TOML, with our keys only.

    Of a post that its blog publishes by date, it also has what the blog reads for that.
    """
    if not file.name.lower().endswith(_WITH_FRONT_MATTER):
        return FrontMatter()
    try:
        text = read_text(file, "utf-8-sig")
    except Unreadable:
        return FrontMatter()
    if text.startswith("---"):
        found = read_front_matter_text(text)
    elif text.startswith("+++"):
        found = _read_toml_front_matter(text)
    else:
        return FrontMatter()
    broken = found.broken and found.broken._replace(is_shown=False)
    lines = {_plain(key): line for key, line in found.lines.items()}
    written = {_plain(key): text for key, text in found.written.items()}
    meta = _ours(found.meta)
    if is_post:
        meta |= {key: found.meta[key] for key in ("date", "draft") if key in found.meta}
    return found._replace(meta=meta, lines=lines, written=written, broken=broken)


def _ours(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of front matter that are this package's, without what others mean by them.

    A date in a key of another builder becomes ``lastmod``, unless it is true or false.
    What leaves a page out of the sitemap of its builder leaves it out of ours. Hugo writes
    ``changeFreq``. What is misspelt under ``sitemap`` stays, since a message should name it.
    """
    found = {key: meta[key] for key in TOP_LEVEL_KEYS if key in meta}
    values = [meta[key] for key in _DATES if key in meta]
    dates = [each.get("date") if isinstance(each, Mapping) else each for each in values]
    dates = [d for d in dates if isinstance(d, (str, date)) and _DATE.match(str(d))]
    if "lastmod" in meta or dates:
        found["lastmod"] = meta["lastmod"] if "lastmod" in meta else dates[0]
    if meta.get("sitemap") is not None:
        found["sitemap"] = _our_sitemap(meta["sitemap"])
    return found


def _our_sitemap(raw: object) -> object:
    if not isinstance(raw, Mapping):
        return raw
    named = {_plain(f"sitemap.{key}").removeprefix("sitemap."): raw[key] for key in raw}
    for key in _OUT & named.keys():
        with suppress(Invalid):
            if flag(named[key]):
                return False
    return {key: named[key] for key in named if key not in (*_OUT, "filename")}


_OUT = frozenset(("disable", "ignore"))
"""Keys under ``sitemap`` that leave a page out, in Hugo (it also has ``filename``) and Eleventy."""


def _plain(key: str) -> str:
    """Return a dotted key as this package writes it."""
    if key in ("lastUpdated", "last_update.date", "last_modified_at"):
        return "lastmod"
    return "sitemap.changefreq" if key == "sitemap.changeFreq" else key


def _read_toml_front_matter(text: str) -> FrontMatter:
    start, block = _TOML_START.match(text), _TOML.match(text)
    if start is None:
        return FrontMatter()
    toml = block[1] if block else text[start.end() :][:_MAX_TOML].partition("\n\n")[0]
    lines = _key_lines(toml)
    keys = frozenset(name.partition(".")[0] for name in lines)
    if block is None:
        return FrontMatter(broken=Broken("a line +++ must end it", line=1, keys=keys))
    if len(toml) > _MAX_TOML:
        why = f"it has more than {_MAX_TOML:,} characters"
        return FrontMatter(broken=Broken(why, line=1, keys=keys))
    try:
        meta = read_toml(toml)
    except Unreadable as error:
        line = error.line and error.line + 1
        return FrontMatter(broken=Broken(str(error), line=line, keys=keys))
    return FrontMatter(meta, _with_inline_keys(lines, meta), length=block[0].count("\n") + 1)


def _key_lines(toml: str) -> dict[str, int]:
    """Return the line in the page of each dotted key that begins a line."""
    lines: dict[str, int] = {}
    table, quote = "", ""
    for number, line in enumerate(toml.split("\n"), 2):
        if not quote and (key := _KEY.match(line)):
            name = ".".join(part.strip("\"'") for part in _PART.findall(key[2]))
            if key[1]:
                table = f"{name}."
            lines.setdefault(name if key[1] else f"{table}{name}", number)
        for mark in _LONG_QUOTE.findall(line):  # text of several lines may look like keys
            quote = "" if quote == mark else quote or mark
    return lines


def _with_inline_keys(lines: Mapping[str, int], meta: Mapping[str, Any]) -> dict[str, int]:
    """Return the lines, also of keys such as that in ``sitemap = {priority = 0.5}``."""
    inline = {
        f"{name}.{key}": lines[name]
        for name, value in meta.items()
        if isinstance(value, Mapping) and name in lines
        for key in value
    }
    return inline | dict(lines)
