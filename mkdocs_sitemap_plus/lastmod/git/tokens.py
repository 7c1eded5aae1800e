"""What git prints with ``-z``: tokens, with a NUL at the end of each."""

from typing import TYPE_CHECKING, Protocol

from mkdocs_sitemap_plus.lastmod.git.process import GitBrokeOff, GitUnexpected

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 1 << 20
"""More bytes than a token has: the longest are paths."""


class Stream(Protocol):
    """Bytes that come by and by."""

    def read(self) -> bytes:
        """The next bytes; none at the end."""


def tokens(stream: Stream, end: bytes = b"") -> "Iterator[list[bytes]]":
    """Yield the tokens, as many at a time as have come.

    Args:
        stream: git's output.
        end: what comes after the last NUL.

    Raises:
        GitBrokeOff: the stream ended inside of a token.
        GitUnexpected: the stream has no NULs where git prints some, or nothing but NULs.
    """
    rest, begun = b"", False
    while piece := stream.read():
        *whole, rest = (rest + piece).split(b"\0")
        if len(rest) > _LONGEST or b"\0\0\0" in piece:
            raise GitUnexpected(rest or piece)
        begun = begun or bool(whole)
        yield whole
    if rest != end:
        raise GitBrokeOff if begun or not rest else GitUnexpected(rest)
