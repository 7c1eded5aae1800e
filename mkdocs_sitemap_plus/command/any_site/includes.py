"""Tell what the text of a page takes from elsewhere, and which files that is.

A text can do so by one of few constructs: directives, tags, shortcodes, imports, cells that a
builder runs, and marks that one builder knows. Each has one rule: it stands on its own, it names a
file, or nobody can tell what it shows, and then the page has no date. Which builder reads the text
is not asked. What a component, a template or the layout computes does not count.

What stands in a code block is an example, unless it names a file that is there: some builders
replace their marks before they read Markdown.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, read_text, text_or_empty
from mkdocs_sitemap_plus.generator.pages.site import Parts
from mkdocs_sitemap_plus.generator.parts import Meaning, find_parts


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The names of directives, by what they show.

_VERBATIM = _names(  # their content, as it is written
    """
    code code-block console csv-table digraph doctest example graph graphviz highlight ipython math
    mermaid parsed-literal productionlist prompt raw sourcecode testcleanup testcode testoutput
    testsetup tikz uml
    """
)
_STANDS_ALONE = _VERBATIM | _names(  # their content, if they have any
    # docutils
    """
    admonition attention caution class compound container contents danger date default-role
    epigraph error figure footer header highlights hint image important line-block list-table meta
    note pull-quote replace role rubric section-numbering sectnum sidebar table target-notes tip
    title topic unicode warning
    """
    # Sphinx
    """
    acks centered codeauthor default-domain deprecated deprecated-removed eval-rst glossary hlist
    index moduleauthor only rst-class sectionauthor seealso tabularcolumns toctree todo
    versionadded versionchanged versionremoved
    """
    # what the domains of Sphinx describe
    """
    attribute class classmethod cmdoption confval currentmodule data decorator decoratormethod
    describe directive enum enumerator envvar exception function macro member method module object
    option program property setting staticmethod struct type union var variable
    """
    # design, tabs, pictures and films
    """
    article-info aside attribution blockquote button-link button-ref card card-carousel card-footer
    card-header code-tab collapse cssclass details div dropdown figure-md grid grid-item
    grid-item-card group-tab iframe link-button margin panels subfigure tab tab-item tab-set
    tab-set-code tabbed tabs thumbnail toc toggle video vimeo youtube
    """
    # mathematics, and examples that are also shown as they are written
    """
    algorithm assumption axiom conjecture corollary criterion definition exercise exercise-end
    exercise-start furo-demo lemma myst myst-example observation proof proposition remark solution
    solution-end solution-start theorem
    """
)
_DOMAINS = _names("c cpp go http java js php prf py rb rst std")
_INCLUDES = _names("include include-markdown literalinclude mdinclude")
_DRAWINGS = _names("graphviz mermaid tikz uml")  # in the text, or in a file
_FILE_OPTIONS = ("diff", "file", "load")

# The names of other constructs.

_CELLS = _names(  # code that runs during the build
    "bash code-cell exec execute_code julia jupyter-execute ojs python r rcpp run sh sql stan"
)
_INCLUDING_TAGS = _names("from import partial remote_include render renderFile")
_INCLUDING_SHORTCODES = re.compile("(?i)embed|import|include|read-?file|snippet|transclude")
_LINKS = _names(  # tags and shortcodes that show no file that they name
    "button capture card case figure if elsif image img link post_url ref relref unless video when"
)
_HELD_BY_SITE = re.compile(  # what templates know of other pages and of data
    r"\bsite\.(?:data|documents|html_pages|pages|posts|related_posts|static_files|tags|categories)"
    r"\b|\bcollections\b"
)
_OF_PAGE = _names("forloop include page")  # what templates know of the page
_LISTS = re.compile(r"(?m)^(?:listing|pagination)[ \t]*:")  # front matter of a page of pages
_DATA_OF_HUGO = re.compile(r"\b(?:hugo|[Ss]ite)\.Data\.(\w+)")
_OTHER_PAGES = re.compile(
    r"GetPage|\.(?:Regular)?Pages\b|readFile|[Rr]esources\.Get|\.Data\b(?!\.\w)"
)

# The endings of files.

_MARKDOWN = (".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdoc", ".qmd", ".rmd")
_RST = (".rst", ".rest", ".txt")
_ASCIIDOC = (".adoc", ".asciidoc", ".asc")
_TEMPLATES = (".htm", ".html", ".liquid", ".njk", ".org", ".webc")
_WITH_NAMES = (*_MARKDOWN, *_RST, *_ASCIIDOC, *_TEMPLATES, ".ipynb")
_DATA = (".csv", ".json", ".json5", ".md", ".mdx", ".toml", ".txt", ".yaml", ".yml")
_COMPONENTS = (".astro", ".css", ".jsx", ".scss", ".svelte", ".tsx", ".vue")
_SCRIPTS = (".js", ".ts", ".mjs", ".mts", ".cjs", ".cts", ".json")
_MEDIA = (".avif", ".gif", ".jpeg", ".jpg", ".mp4", ".pdf", ".png", ".svg", ".webm", ".webp")


class TakenName(NamedTuple):
    """What a text takes from elsewhere."""

    shown: str  # what messages call it, such as ``automodule lamp``
    name: str | None = None  # the path of a file, as it is written; None: nobody can tell
    is_text: bool = True  # whether what that file takes is taken too
    is_beside: bool = True  # whether a file beside the text counts before all others
    is_needed: bool = True  # False: without such a file, the construct stands on its own
    endings: tuple[str, ...] = ()  # which the name may lack
    shortcode: str = ""  # if no file is named, what its template shows counts
    is_included: bool = False  # whether its text is read like the text around, whatever its ending


def _optional(shown: str, name: str) -> TakenName:
    """Return a construct that may name a file, which is shown as it is; else it stands alone."""
    return TakenName(shown, name, is_text=False, is_needed=False)


class _Lookup(NamedTuple):
    """What a text takes, to be looked up at HEAD. Paths are relative to the top."""

    taken: TakenName
    within: str  # the file in which it stands
    source: str  # that of the page
    kind: str  # the file, or ``*`` and an ending, by whose name `within` is read


class PartsAtHead:
    """Finds the parts of pages in a repository. Many pages share one, so each is read once."""

    def __init__(self, top: Path, files: Collection[str]) -> None:
        """Read nothing yet. `files` are those at HEAD, relative to `top`, with ``/``."""
        self._top, self._files = top, files
        self._named: dict[str, list[str]] = defaultdict(list)
        for path in files:
            self._named[posixpath.basename(path)].append(path)
        self._taken = cache(self._read)
        self._of_template = cache(self._read_template)

    def of(self, source: str) -> Parts:
        """Return what a source takes, and what the files that it names take."""
        taken = self._taken(source, source)
        lookups = (_Lookup(each, source, source, source) for each in taken)
        return find_parts(self._top / source, lookups, self._meaning)

    def _meaning(self, lookup: _Lookup) -> Meaning[_Lookup]:
        taken, within, source, kind = lookup
        paths = self._paths(taken, within, source)
        if len(paths) == 1:
            (path,) = paths
            is_read_like_it = taken.is_included and not path.lower().endswith(_WITH_NAMES)
            # By the ending alone, so that what many pages include is read once.
            kind = f"*{posixpath.splitext(kind)[1]}" if is_read_like_it else path
            inside = self._taken(path, kind) if taken.is_text else ()
            inner = [_Lookup(each, path, source, kind) for each in inside]
            return Meaning((self._top / path,), inner)
        if paths or taken.is_needed:
            return Meaning(unknown=taken.shown)
        of_template = self._of_template(taken.shortcode)
        return Meaning(inner=[_Lookup(each, within, source, kind) for each in of_template])

    def _read(self, path: str, kind: str) -> tuple[TakenName, ...]:
        try:
            text = read_text(self._top / path, "utf-8-sig")
        except Unreadable as error:
            return (TakenName(f"{path} ({error.reason})"),)
        return tuple(dict.fromkeys(taken_by(kind, text)))

    def _read_template(self, shortcode: str) -> tuple[TakenName, ...]:
        """Return what the template of a shortcode shows of data or of other pages (Hugo)."""
        paths = self._named.get(f"{posixpath.basename(shortcode)}.html", ()) if shortcode else ()
        templates = [path for path in paths if path.endswith(f"shortcodes/{shortcode}.html")]
        text = "\n".join(text_or_empty(self._top / path) for path in templates)
        data = TakenName("", is_text=False, endings=_DATA)
        names = {f"data/{key}" for key in _DATA_OF_HUGO.findall(text)}
        taken = (data._replace(shown=f"{shortcode} ({name})", name=name) for name in names)
        return (*taken, *([TakenName(shortcode)] if _OTHER_PAGES.search(text) else []))

    def _paths(self, taken: TakenName, within: str, source: str) -> Collection[str]:
        """Return the files that a name may mean: the one beside the text, or all that end so."""
        name = taken.name
        if name is None or "://" in name or "{" in name:
            return ()
        if taken.is_beside or name.startswith("."):
            for folder in map(posixpath.dirname, (within, source)):
                path = posixpath.normpath(posixpath.join(folder, name))
                stem = path.removesuffix(".js")
                for each in (path, *(stem + ending for ending in taken.endings)):
                    if each in self._files:
                        return (each,)
        if name.startswith("../") or not name:
            return ()
        if not taken.is_needed and "/" not in name:
            return ()
        ending = posixpath.normpath(re.sub(r"\A(?:@site|@|~)?/*", "/", name, count=1))
        found = [
            path
            for each in (ending, *(ending + more for more in taken.endings))
            for path in self._named.get(posixpath.basename(each), ())
            if f"/{path}".endswith(each)
        ]
        # A language may have files of the same names as another one.
        above = [path for path in found if source.startswith(path.rpartition(ending[1:])[0])]
        return above or found


def taken_by(path: str, text: str) -> Iterator[TakenName]:
    """Yield what a text takes from elsewhere, by what a file of its kind can have."""
    name = path.lower()
    if "[" in path:  # ``[name].md`` is a route: a script makes its pages
        yield TakenName(posixpath.basename(path))
    if name.endswith((*_MARKDOWN, *_TEMPLATES)) and _LISTS.search(_front_matter(text)):
        yield TakenName("front matter of a list")
    if name.endswith(_RST):
        yield from _in_rst(text.split("\n"))
    elif name.endswith(_ASCIIDOC):
        for found in _ASCIIDOC_INCLUDE.finditer(_ASCIIDOC_COMMENT.sub("", text)):
            family, dollar, rest = found["name"].rpartition(":")[2].partition("$")
            path = f"{family}s/{rest}" if dollar else found["name"]  # ``partial$a.adoc`` of Antora
            yield TakenName(f"include {found['name']}", path)
    elif name.endswith(".ipynb"):
        yield from _in_cell(text.replace('\\"', '"'))
    elif name.endswith(_MARKDOWN):
        yield from _in_markdown(_UNSEEN.sub("", text))
    elif name.endswith(_TEMPLATES):
        yield from _in_any_builder(_UNSEEN.sub("", text))


def _in_any_builder(text: str) -> Iterator[TakenName]:
    yield from _in_marks(text)
    yield from _in_tags(text)
    yield from _in_shortcodes(text)


def _front_matter(text: str) -> str:
    return text[3:].partition("\n---")[0] if text.startswith("---") else ""


# ---- Directives, in reStructuredText and in MyST

_DIRECTIVE = re.compile(r"(?:(?<=[\s|])|^)\.\. +(?:\|[^|]+\| +)?(?P<name>\w[\w.+:-]*?) ?::(?: +|$)")
_COMMENT = re.compile(r"\s*\.\.(?:$|\s+(?![_\[|]))")
_OPTION = re.compile(r"(?P<colon>:?)(?P<key>[\w-]+):(?:[ \t]+(?P<value>.*))?$")
_URL = re.compile(r"https?://\S+")
_LONGEST = 50  # lines that the options of a directive have at most


def _of_directive(written: str, argument: str, lines: Sequence[str]) -> Iterator[TakenName]:
    """Yield what a directive takes. Its options are in the `lines` below it."""
    domain, name = written.lower().rpartition(":")[0], _plain(written)
    argument, options = argument.strip(), _options(lines)
    is_url = _URL.fullmatch(argument)  # as that of a film
    if name in _INCLUDES:
        is_verbatim = name == "literalinclude" or not options.keys().isdisjoint(("code", "literal"))
        if not argument.startswith("<"):  # that is a file of docutils
            taken = TakenName(f"{name} {argument}", argument or None, is_text=not is_verbatim)
            yield taken._replace(is_included=name == "include")
    elif name in _CELLS:
        if argument and name != "code-cell":  # that names the language there
            yield TakenName(f"{name} {argument}", argument, is_text=False)
    elif name.startswith("auto") or not (is_url or name in _STANDS_ALONE or domain in _DOMAINS):
        yield TakenName(f"{name} {argument}".rstrip())
    elif name in _DRAWINGS and argument and not is_url:
        yield TakenName(argument, argument, is_text=False)
    for key in _FILE_OPTIONS:
        if key in options:
            yield TakenName(f"{name} {options[key]}", options[key] or None, is_text=False)
    if "url" in options and name in ("csv-table", "raw"):
        yield TakenName(f"{name} {options['url']}")


def _plain(written: str) -> str:
    """Return the name of a directive without that of its domain, such as ``py:``."""
    return written.lower().rpartition(":")[2]


def _options(lines: Sequence[str]) -> dict[str, str]:
    """Return the options in the first lines: ``:key: value``, or YAML between dashes (MyST)."""
    found: dict[str, str] = {}
    in_yaml = False
    for line in takewhile(str.strip, lines):
        text = line.strip(" \t>")
        in_yaml = in_yaml != (text == "---")
        option = _OPTION.match(text)
        if option and (in_yaml or option["colon"]):
            found[option["key"].lower()] = (option["value"] or "").strip(" \t\"'")
    return found


def _in_rst(lines: Sequence[str]) -> Iterator[TakenName]:
    above: int | None = None  # the column above a block that is no text
    is_cell = False
    for number, line in enumerate(lines):
        column = len(line) - len(line.lstrip())
        if above is not None and (column > above or not line.strip()):
            yield from _in_cell(line) if is_cell else ()
            continue
        above = None
        is_last = number + 1 == len(lines) or not lines[number + 1].strip()
        directives = [*_DIRECTIVE.finditer(line)]  # one may stand in another, and in a list
        for found in directives:
            below = lines[number + 1 : number + 1 + _LONGEST]
            yield from _of_directive(found["name"], line[found.end() :], below)
            name = _plain(found["name"])
            is_cell = name in _CELLS
            above = found.start() if name in _VERBATIM or is_cell else None
        if directives:
            continue
        if line.rstrip().endswith("::"):
            above = column if is_last else None
        elif _COMMENT.match(line) and not (is_last and line.strip() == ".."):
            above = column


# ---- Markdown

_FENCE = re.compile(
    r"(?P<before>[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)*)(?P<mark>`{3,}|~{3,}|:{3,})(?P<info>.*)"
)
# Not only of MyST.
_BRACES = re.compile(r"\{(?P<name>[A-Za-z][\w.:+-]*)(?=[\s,}])[^{}]*\}(?P<argument>.*)")
_ATTRIBUTE = re.compile(r"\b(?:child|file|include)\s*=\s*[\"']?(?P<name>[^\s\"'{},]+)")
_CODE_SPAN = re.compile(r"`[^`\n]+`")
_COMMENTS = {"<!--": "-->", "{/*": "*/}"}
_UNSEEN = re.compile(  # shown as it is written, or not at all
    r"(?s)\{%-?\s*(?P<tag>raw|verbatim|comment)\s*-?%\}.*?(?:\{%-?\s*end(?P=tag)\b|\Z)"
)


class _Fence(NamedTuple):
    mark: str  # the backticks, tildes or colons
    name: str  # of a directive or a cell; empty for other blocks
    start: int  # the number of its first line
    is_code: bool


def _in_markdown(text: str) -> Iterator[TakenName]:
    shown: list[str] = []
    code: list[str] = []
    fences: list[_Fence] = []
    comment = ""  # the end of the comment that is open
    lines = text.split("\n")
    for number, line in enumerate(lines):
        inner = fences[-1] if fences else None
        is_code = inner is not None and inner.is_code
        if not is_code and (comment := _open_comment(line, comment)):
            continue
        fence = _FENCE.match(line)
        info = fence["info"].strip() if fence else ""
        if fence and inner and not info and fence["mark"].startswith(inner.mark):
            fences.pop()
            yield from _of_content(inner, lines[inner.start : number])
        elif fence and not is_code and (info or fence["mark"][0] != ":") and "`" not in info:
            below = lines[number + 1 : number + 1 + _LONGEST]
            yield from _of_info(info, below)
            fences.append(_fence(fence["mark"], info, number + 1))
        else:
            (code if is_code else shown).append(line)
    for still_open in fences:
        yield from _of_content(still_open, lines[still_open.start :])
    prose = "\n".join(shown)
    spans = _CODE_SPAN.findall(prose)
    prose = _CODE_SPAN.sub("", prose)
    yield from _in_imports(prose)
    yield from _in_any_builder(prose)
    for taken in _in_any_builder("\n".join((*code, *spans))):  # examples
        if taken.name:
            yield taken._replace(is_needed=False)


def _fence(mark: str, info: str, start: int) -> _Fence:
    braces = _BRACES.match(info)
    name = _plain(braces["name"]) if braces else ""
    is_code = name in _VERBATIM | _CELLS | {"eval-rst"}
    if not braces:
        is_code = mark[0] != ":" and info != "mdx-code-block"
    return _Fence(mark, name, start, is_code)


def _of_info(info: str, below: Sequence[str]) -> Iterator[TakenName]:
    braces = _BRACES.match(info)
    name = _plain(braces["name"]) if braces else ""
    if braces and (name not in _CELLS or name == "code-cell"):
        yield from _of_directive(braces["name"], braces["argument"], below)
        return
    for found in _ATTRIBUTE.finditer(info):
        path = found["name"]
        if found[0].startswith("child"):
            yield TakenName(path, path)
        elif path.startswith("."):  # others are titles
            yield _optional(path, path)


def _open_comment(line: str, end: str) -> str:
    """Return the end of the comment that a line is in or begins; empty if the line is text."""
    text = line.strip()
    if not end and text.startswith((*_COMMENTS,)) and "@include" not in text:
        end = next(_COMMENTS[start] for start in _COMMENTS if text.startswith(start))
    return "" if end and end in text else end


def _of_content(fence: _Fence, lines: Sequence[str]) -> Iterator[TakenName]:
    if fence.name == "eval-rst":
        yield from _in_rst(lines)
    elif fence.name in _CELLS:
        yield from _in_cell("\n".join(lines))


_STRING = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'")


def _in_cell(code: str) -> Iterator[TakenName]:
    """Yield the files that the strings of code name, which runs during the build."""
    for double, single in _STRING.findall(code):
        if "." in (name := double or single) and not name.lower().endswith(_MEDIA):
            yield _optional(name, name)


# ---- Imports, in MDX and in scripts of Vue

_IMPORT = re.compile(
    r"(?m)(?:^|;)[ \t]*(?:import|export)\b(?:[^'\"=;`()]{0,1000}\bfrom\b)?"
    r"\s*['\"](?P<name>[^'\"\n]+)"
    r"|\b(?:require|import)\s*\(\s*['\"](?P<called>[^'\"\n]+)"
)
_LOADER = re.compile(r"\.(?:data|paths)(?:\.[cm]?[jt]s)?\Z")  # VitePress runs it


def _in_imports(text: str) -> Iterator[TakenName]:
    may_import = any(word in text for word in ("import", "export", "require"))
    for match in _IMPORT.finditer(text) if may_import else ():
        loader, _, name = (match["name"] or match["called"]).rpartition("!")
        name, _, query = name.partition("?")
        is_own = name.startswith((".", "/"))
        ending = posixpath.splitext(name)[1].lower()
        if is_own and _LOADER.search(name):
            yield TakenName(f"import {name}")
        elif ending in _DATA or "raw" in loader or "raw" in query:
            yield TakenName(f"import {name}", name, is_text=ending in (".md", ".mdx"))
        elif is_own and ending not in _COMPONENTS:
            yield _optional(f"import {name}", name)._replace(endings=_SCRIPTS)


# ---- Marks that one builder knows

_ASCIIDOC_COMMENT = re.compile(r"(?ms)^////+$.*?(?:^////+$|\Z)")
_ASCIIDOC_INCLUDE = re.compile(r"(?m)^include::(?P<name>[^\s\[][^\[\n]*)\[")
_MARKS = tuple(
    (start, re.compile(expression, re.MULTILINE))
    for start, expression in (
        # mdBook
        (
            "{{",
            r"(?<!\\)\{\{\s*#(?:(?:rustdoc_)?include|playground|playpen|template)\s+(?P<name>[^\s}:]+)",
        ),
        # VitePress and VuePress
        ("@include", r"<!--\s*@include:\s*(?P<name>[^\s{}#<>]+)"),
        ("<<<", r"^[ \t>]*<<<(?!<)[ \t]*(?P<name>[^\s{}#\[\]]+)"),
        ("@[code", r"@\[code[^\[\]\n]*\]\((?P<name>[^\s)]+)"),
        # snippets, by name and as a block
        ("-8<-", r"-8<-+[ \t]+[\"'](?P<name>[^\"'\n]+)"),
        ("-8<-", r"^[ \t]*-+8<-+[ \t]*$"),
        # MyST: a block of another page
        ("](#", r"!\[[^\[\]\n]*\]\(#"),
        # scripts of Vite and webpack
        ("import.meta.glob", r"\bimport\.meta\.glob"),
        ("require.context", r"\brequire\.context"),
        # org
        ("#+", r"(?i)^[ \t]*#\+(?:include|setupfile):"),
    )
)
"""What each mark has in it, which is found sooner, and its expression."""


def _in_marks(text: str) -> Iterator[TakenName]:
    for start, mark in _MARKS:
        for found in mark.finditer(text) if start in text else ():
            name = found.groupdict().get("name")
            yield TakenName(" ".join(found[0].split()), name)


# ---- Tags of Liquid and Nunjucks

_TAG = re.compile(r"(?<!\{)\{%-?\s*(?P<tag>\w+)(?P<rest>[^%]*)")
_OUTPUT = re.compile(r"\{\{(?P<rest>[^{}]*)\}\}")
_LOOP = re.compile(r"(?P<variables>[^%]*?)\sin\s+(?P<over>[\w.]*)")
_FIRST = re.compile(
    r"\s*(?:file\s*=\s*)?(?:[\"'`](?P<quoted>[^\"'`\n]+)[\"'`]|(?P<plain>[^\s\"'`%{}=]+)(?!\s*=))"
)


def _in_tags(text: str) -> Iterator[TakenName]:
    if "{%" not in text and "{{" not in text:
        return
    known = {*_OF_PAGE, *re.findall(r"(?m)^\s*([\w-]+)\s*:", _front_matter(text))}
    for found in _TAG.finditer(text):
        tag, rest = found["tag"], found["rest"]
        if _HELD_BY_SITE.search(rest):
            yield TakenName(f"{tag} {' '.join(rest.split())}")
        elif tag.startswith("include") or tag in _INCLUDING_TAGS:
            first = _FIRST.match(rest)
            name = first and (first["quoted"] or first["plain"])
            taken = TakenName(f"{tag} {name or ''}".rstrip(), name)
            is_beside = tag == "include_relative"
            yield taken._replace(is_beside=is_beside, is_included=is_beside or tag == "include")
        elif tag in ("assign", "macro", "set"):
            known.update(re.findall(r"\w+", rest.partition("=")[0]))
        elif tag in ("for", "tablerow") and (loop := _LOOP.match(rest)):
            known.update(re.findall(r"\w+", loop["variables"]))
            if not re.fullmatch(r"\d*", of := loop["over"].partition(".")[0]) and of not in known:
                yield TakenName(f"{tag} {' '.join(rest.split())}")
        elif tag not in _LINKS:
            yield from (each for each in _in_cell(rest) if "/" in each.shown)
    outputs = (found[0] for found in _OUTPUT.finditer(text) if _HELD_BY_SITE.search(found["rest"]))
    yield from (TakenName(" ".join(output.split())) for output in outputs)


# ---- Shortcodes of Hugo and Quarto

_END_OF_SHORTCODE = re.compile(r"\{\{[<%]\s*/\s*(?P<name>\w[\w./-]*)")
_SHORTCODE = re.compile(r"\{\{[<%]\s*(?P<name>\w[\w./-]*)(?P<arguments>[^<>{}]*)")
_ARGUMENT = re.compile(
    r"(?:(?P<key>[\w-]+)\s*=\s*)?(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    r"|`(?P<back>[^`]*)`|(?P<plain>[^\s\"'`%]+))"
)
_FILE_KEYS = ("", "file", "filename", "name", "page", "path", "src")


def _in_shortcodes(text: str) -> Iterator[TakenName]:
    """Yield the files that shortcodes name. What their templates take is found at HEAD."""
    ends = {found["name"]: found.start() for found in _END_OF_SHORTCODE.finditer(text)}
    for found in _SHORTCODE.finditer(text):
        name = found["name"]
        values: list[str] = []
        for argument in _ARGUMENT.finditer(found["arguments"]):
            if (argument["key"] or "") in _FILE_KEYS:
                values += filter(None, argument.groups()[1:])
        if _INCLUDING_SHORTCODES.search(name):
            path = values[0] if values else None
            yield TakenName(f"{name} {path or ''}".rstrip(), path)
        elif name not in _LINKS:
            paths = [each for each in values if "/" in each and not each.endswith(_MEDIA)]
            path = paths[0] if paths else ""  # a name without a slash is a title
            is_alone = found["arguments"].rstrip().endswith("/")
            is_around_text = not is_alone and ends.get(name, 0) > found.start()
            template = "" if is_around_text else name
            yield _optional(f"{name} {path}".rstrip(), path)._replace(shortcode=template)
