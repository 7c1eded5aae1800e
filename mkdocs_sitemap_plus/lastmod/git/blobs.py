"""What files said in older commits: blobs, through one process, asked for one by one."""

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from mkdocs_sitemap_plus.lastmod.git.process import GitBrokeOff, GitFailed, GitUnexpected
from mkdocs_sitemap_plus.pages.front_matter import body_of

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.lastmod.git.process import Git, Running

_MARKDOWN = (b".md", b".markdown", b".mdown", b".mkdn", b".mkd")
"""The names of pages, as MkDocs knows them; what else is included has no front matter."""

_LACKS = "promisor remote|lazy fetching disabled"
"""What git writes when it would have to fetch a blob that a partial clone lacks."""

_HASHES = {40: "sha1", 64: "sha256"}
"""By the length of an id, the hash that it is."""

_HEAD = re.compile(rb"[0-9a-f]+ blob (?P<size>[0-9]{1,9})")
_LONGEST_HEAD = 256

_HUGE = 1 << 22
"""More bytes than a page has. White space in such a file counts: its words would fill memory."""


@dataclass(slots=True)
class Blobs:
    """The bodies of blobs. Leaving the context ends the process, if one was needed.

    Attributes:
        git: the git program, in a repository.
        missing: whether a blob was asked for that the clone does not hold.
    """

    git: "Git"
    missing: bool = False
    _running: "Running | None" = None
    _rest: bytearray = field(default_factory=bytearray)
    _last: dict[tuple[bytes, bool], bytes | None] = field(default_factory=dict)

    def __enter__(self) -> Self:
        """Nothing is started before it is needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        if self._running:
            self._running.stop()

    def same_body(self, path: bytes, one: bytes, other: bytes) -> bool:
        """Whether two blobs of one file differ in front matter and white space alone.

        Args:
            path: the file, whose ending tells whether it can have front matter.
            one: the full hexadecimal id of a blob.
            other: that of another.

        Raises:
            GitFailed: git can't read one of them.
        """
        page = path.lower().endswith(_MARKDOWN)
        bodies = [self._body(oid, page=page) for oid in (one, other)]
        if None in bodies:
            self.missing = True  # what is not known is taken for a change
            return False
        return bodies[0] == bodies[1]

    def _body(self, oid: bytes, *, page: bool) -> bytes | None:
        """White space counts as one blank; None for a blob that the clone lacks."""
        if (oid, page) not in self._last:
            data = None if self.missing else self._data(oid)
            text = body_of(data) if page and data is not None else data
            while len(self._last) > 1:  # going down a file's history, the old blob is next the new
                self._last.pop(next(iter(self._last)))
            if text is not None and len(text) <= _HUGE:
                text = b" ".join(text.split())
            self._last[oid, page] = text
        return self._last[oid, page]

    def _data(self, oid: bytes) -> bytes | None:
        """The content of a blob; None for one that the clone lacks.

        Raises:
            GitFailed: git can't answer.
        """
        if self._running is None:
            self._running = self.git.start(
                "--no-replace-objects", "cat-file", "--batch", stdin=None
            )
        self._running.write(oid + b"\n")
        try:
            head = self._head()
            if head == oid + b" missing":
                return None
            return self._content(oid, head)
        except GitFailed as failure:
            if re.search(_LACKS, failure.said):  # git dies where it would have to fetch the blob
                return None
            raise

    def _head(self) -> bytes:
        """The first line of an answer."""
        while (end := self._rest.find(b"\n")) < 0:
            if len(self._rest) > _LONGEST_HEAD:
                raise GitUnexpected(self._rest)
            self._more()
        return self._taken(end)

    def _content(self, oid: bytes, head: bytes) -> bytes:
        """The content that follows a first line; its hash is the blob's id."""
        found = _HEAD.fullmatch(head)
        if found is None:
            raise GitUnexpected(head)
        size = int(found["size"])
        while len(self._rest) <= size:
            self._more()
        data = self._taken(size)
        digest = hashlib.new(_HASHES[len(oid)], b"blob %d\0" % size, usedforsecurity=False)
        digest.update(data)
        if digest.hexdigest().encode() != oid:
            raise GitUnexpected(data)
        return data

    def _taken(self, size: int) -> bytes:
        """The next bytes of an answer, without the newline behind them."""
        data = bytes(self._rest[:size])
        del self._rest[: size + 1]
        return data

    def _more(self) -> None:
        """Wait for more of an answer."""
        if self._running is None or not (piece := self._running.read()):
            raise GitBrokeOff
        self._rest += piece
