"""Parse untrusted bytes into the elements of a sitemap or an index, each with its line.

Expat comes with Python, says the line of each element, and lets its handlers stop at a limit while
it reads. ElementTree and defusedxml know no lines; lxml knows them, but would be a dependency of
each site for what the checks of the elements cost anyway. The handlers here forbid all that
defusedxml forbids. They run for each tag of each entry, so they do little, and what is done once a
file or an entry is elsewhere.
"""

from codecs import iterdecode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from mkdocs_sitemap_plus.sitemap.codes import SitemapCode
from mkdocs_sitemap_plus.sitemap.xml import UnreadableError, WebPageError, is_web_page
from mkdocs_sitemap_plus.wording import format_value

MAX_ENTRIES = 100_000  # of one file: twice as many as allowed, so that `check` can count them
MAX_ELEMENTS = 10_000  # of one entry: enough for 1,000 images with all their fields
MAX_DEPTH = 16  # levels of elements inside of each other; the protocol has five
_PIECE = 1 << 16  # bytes that are read at once
# Bytes of one tag or comment. With each piece expat reads an unfinished tag again from its start.
_MAX_MARKUP = 1 << 20
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"\0<", b"\0\0\0<", b"<\0")
_START = 4096  # bytes at the start of a file that show its kind
_UTF_8 = ("utf-8", "utf8", "us-ascii", "ascii")


@dataclass(slots=True)
class RawElement:
    """An element as it is written, known or not; or text between two entries."""

    tag: str  # the URI of its namespace, a space and its name; or its name; empty for text
    line: int  # where it begins, counted from 1
    attributes: Mapping[str, str] = field(default_factory=dict)  # by names that are like `tag`
    text: str = ""  # directly in the element, with its white space
    children: list["RawElement"] = field(default_factory=list)

    @property
    def space(self) -> str:
        """The URI of its namespace; empty if it has none."""
        return split_tag(self.tag)[0]

    @property
    def name(self) -> str:
        """Its name without a prefix; empty for text."""
        return split_tag(self.tag)[1]

    def by_tag(self) -> dict[str, list["RawElement"]]:
        """Return its children by their tags."""
        found: dict[str, list[RawElement]] = {}
        for child in self.children:
            found.setdefault(child.tag, []).append(child)
        return found

    def all(self, tag: str) -> list["RawElement"]:
        """Return the children with this tag."""
        return [child for child in self.children if child.tag == tag]


def split_tag(tag: str) -> tuple[str, str]:
    """Return the namespace and the name in a tag, or in the name of an attribute."""
    space, _, name = tag.rpartition(" ")
    return space, name


def elements(data: bytes, file: str) -> Iterator[RawElement]:
    """Yield the root without its content, then each child of the root with all its content.

    Of RSS, whose root has only a ``channel``, the children of this are yielded instead.

    Text between these children is yielded, too, unless it is only white space. The five entities of
    XML are resolved. No DTD is read, and nothing is fetched.

    Raises UnreadableError if the file is not well-formed XML in UTF-8, has a DTD, or exceeds a
    limit of this module. The elements before the fault are yielded first.
    """
    check_kind(data, file)
    reader = _Reader(file)
    for start in range(0, len(data), _PIECE):
        yield from reader.read(data[start : start + _PIECE])
    yield from reader.read(b"", is_last=True)


def check_kind(data: bytes, file: str) -> None:
    """Raise UnreadableError if a file is clearly not XML in UTF-8. Expat's error would say less."""
    if not data or data.isspace():
        raise UnreadableError(file, SitemapCode.NOT_XML, "is empty", fix="Build the sitemap again.")
    if data.startswith(_UTF_16_OR_32):
        raise UnreadableError(
            file, SitemapCode.ENCODING, "is in UTF-16 or UTF-32, but must be UTF-8"
        )
    if is_web_page(data):
        raise WebPageError(file, "Name the sitemap itself, such as sitemap.xml.")
    if not data[:_START].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        found = "is not XML, but must be a sitemap"
        raise UnreadableError(file, SitemapCode.NOT_XML, found, fix="Name a sitemap in XML.")


def is_utf_8(data: bytes) -> bool:
    """Return whether a file is UTF-8. It is decoded in pieces, to save memory."""
    pieces = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    try:
        for _ in iterdecode(pieces, "utf-8"):
            pass
    except UnicodeDecodeError:
        return False
    return True


class _Reader:
    """Reads a file piece by piece with expat, and yields its elements."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[RawElement] = []
        self.texts: list[str] = []  # since the last tag
        # The texts in each open element, without those of `texts`.
        self.kept_texts: list[list[str]] = [[] for _ in range(MAX_DEPTH + 1)]
        self.ready: list[RawElement] = []  # the elements to yield next
        self.bytes_read = self.entries = self.elements = 0
        self.level = 1  # how many elements are open around an entry
        parser = self.parser = ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        # Without a DTD there are no entities to expand, inside or outside of the file.
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.texts.append
        # Before these, expat passes on the text before them. Its line is known only then.
        parser.CommentHandler = self._text_ends
        parser.StartCdataSectionHandler = parser.EndCdataSectionHandler = self._text_ends

    def read(self, piece: bytes, *, is_last: bool = False) -> Iterator[RawElement]:
        """Read on. Yield the root if it begins in this piece, and the entries that end in it."""
        self.bytes_read += len(piece)
        fault: UnreadableError | None = None
        try:
            self.parser.Parse(piece, is_last)
        except ExpatError as error:
            found = f"is not well-formed XML ({ErrorString(error.code)})"
            fault = UnreadableError(self.file, SitemapCode.NOT_XML, found, line=error.lineno)
            if len(self.open) == self.level:
                self._text_ends()
        except UnreadableError as error:  # of a handler
            fault = error
        ready, self.ready = self.ready, []
        yield from ready
        if fault:
            raise fault
        if self.bytes_read - self.parser.CurrentByteIndex > _MAX_MARKUP + _PIECE:
            raise self._fault(
                SitemapCode.TOO_COMPLEX, f"has a tag or comment of more than {_MAX_MARKUP:,} bytes"
            )

    def _fault(self, code: SitemapCode, found: str) -> UnreadableError:
        return UnreadableError(self.file, code, found, line=self.parser.CurrentLineNumber)

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _UTF_8:
            found = f"is declared as {format_value(encoding)}, but must be UTF-8"
            raise self._fault(SitemapCode.ENCODING, found)

    def _doctype(self, *_: object) -> None:
        raise self._fault(
            SitemapCode.DOCTYPE, "has a document type declaration, which is not allowed"
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        opened = self.open
        depth = len(opened)
        if self.texts:
            self._keep_texts(depth)
        self.elements += 1
        if depth >= MAX_DEPTH:
            raise self._fault(SitemapCode.TOO_COMPLEX, f"has elements more than {MAX_DEPTH} deep")
        if self.elements > MAX_ELEMENTS:
            raise self._fault(
                SitemapCode.TOO_COMPLEX, f"has an entry of more than {MAX_ELEMENTS:,} elements"
            )
        element = RawElement(tag, self.parser.CurrentLineNumber, attributes, "", [])
        if depth > self.level:
            opened[-1].children.append(element)
        elif not depth:
            self.level = 2 if tag == "rss" else 1
            self.ready.append(element)
        opened.append(element)

    def _end(self, _tag: str) -> None:
        opened = self.open
        if self.texts:
            self._keep_texts(len(opened))
        element = opened.pop()
        depth = len(opened)
        if texts := self.kept_texts[depth]:
            element.text = "".join(texts)
            texts.clear()
        if depth == self.level:
            self._add_entry(element)

    def _add_entry(self, element: RawElement) -> None:
        self.entries, self.elements = self.entries + 1, 0
        if self.entries > MAX_ENTRIES:
            raise self._fault(SitemapCode.TOO_COMPLEX, f"has more than {MAX_ENTRIES:,} entries")
        self.ready.append(element)

    def _text_ends(self, *_: object) -> None:
        if self.texts:
            self._keep_texts(len(self.open))

    def _keep_texts(self, depth: int) -> None:
        """Keep the text that has ended for its element. Between entries, it stands for itself."""
        texts = self.texts
        if depth > self.level:
            self.kept_texts[depth - 1] += texts
        elif not (text := "".join(texts)).isspace():
            # The line of the tag or comment behind it is the current one.
            line = self.parser.CurrentLineNumber - text.lstrip().count("\n")
            self._add_entry(RawElement("", line, text=text))
        texts.clear()
