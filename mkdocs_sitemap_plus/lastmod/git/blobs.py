"""Compare versions of a file. One git process reads their contents, one after the other."""

import hashlib
import re
from pathlib import Path

from mkdocs_sitemap_plus.lastmod.git.process import (
    GitBrokeOff,
    GitFailed,
    GitProcess,
    GitUnexpected,
)
from mkdocs_sitemap_plus.pages.front_matter import body_of
from mkdocs_sitemap_plus.problems import Problem

_MARKDOWN = (b".md", b".markdown", b".mdown", b".mkdn", b".mkd")
"""The endings of pages in MkDocs; other files have no front matter."""

_NOT_FETCHED = "promisor remote|lazy fetching disabled"
"""Errors of git if a partial clone lacks a blob, and git may not fetch it."""

_HASHES = {40: "sha1", 64: "sha256"}  # the hash of a repository, by the length of its ids
_MAX_HEADER = 256

_MAX_SPLIT = 1 << 22
"""In a file of more bytes, white space counts: its list of words would take too much memory."""


MISSING_BLOBS = Problem(
    code="no-blobs",
    found="the clone does not have the content of old files, as after `git clone "
    "--filter=blob:none`",
    done="It is unknown what a commit changed, so each commit counts.",
    fix="Clone without a filter if `lastmod.git.change` is `body`.",
    note=True,
)


class Blobs:
    """Compares blobs."""

    def __init__(self, top: Path) -> None:
        self.missing = False  # whether the clone lacks a blob that was compared
        self._top = top
        self._running: GitProcess | None = None
        self._unread = bytearray()

    def close(self) -> None:
        """End the process, if one was started."""
        if self._running:
            self._running.stop()

    def same_body(self, path: bytes, one: bytes, other: bytes) -> bool:
        """Whether two blobs of one file, by their ids, differ only in front matter and white space.

        The ending of the path says whether the file can have front matter. Raises GitFailed if git
        can't read one of them.
        """
        page = path.lower().endswith(_MARKDOWN)
        bodies = [self._body(oid, page=page) for oid in (one, other)]
        if None in bodies:
            self.missing = True
            return False  # an unknown difference counts as a change
        return bodies[0] == bodies[1]

    def _body(self, oid: bytes, *, page: bool) -> bytes | None:
        """Return the text with one blank for any white space; None if the clone lacks the blob."""
        data = None if self.missing else self._content(oid)
        text = body_of(data) if page and data is not None else data
        return b" ".join(text.split()) if text is not None and len(text) <= _MAX_SPLIT else text

    def _content(self, oid: bytes) -> bytes | None:
        if self._running is None:
            self._running = GitProcess(
                self._top, "--no-replace-objects", "cat-file", "--batch", stdin=None
            )
        self._running.write(oid + b"\n")
        try:
            while (end := self._unread.find(b"\n")) < 0:
                if len(self._unread) > _MAX_HEADER:
                    raise GitUnexpected(self._unread)
                self._read_more()
            header = self._take(end)
            if header == oid + b" missing":
                return None
            if (found := re.fullmatch(rb"[0-9a-f]+ blob ([0-9]{1,9})", header)) is None:
                raise GitUnexpected(header)
            data = self._take(int(found[1]))
        except GitFailed as failure:
            if re.search(_NOT_FETCHED, failure.stderr):
                return None
            raise
        if blob_id(data, len(oid)) != oid.decode():
            raise GitUnexpected(data)
        return data

    def _take(self, size: int) -> bytes:
        """Return the next bytes of the output, and drop the newline after them."""
        while len(self._unread) <= size:
            self._read_more()
        data = bytes(self._unread[:size])
        del self._unread[: size + 1]
        return data

    def _read_more(self) -> None:
        if self._running is None or not (piece := self._running.read()):
            raise GitBrokeOff
        self._unread += piece


def blob_id(data: bytes, length: int) -> str:
    """Return the id of a blob in a repository whose ids have this length, 40 or 64."""
    digest = hashlib.new(_HASHES[length], b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()
