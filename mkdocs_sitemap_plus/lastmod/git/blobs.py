"""What files said in older commits: blobs, through one process, asked for one by one."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from mkdocs_sitemap_plus.lastmod.git.process import GitFailed
from mkdocs_sitemap_plus.pages.front_matter import body_of

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.lastmod.git.process import Asking, Git

_MARKDOWN = (b".md", b".markdown", b".mdown", b".mkdn", b".mkd")
"""The names of pages, as MkDocs knows them; what else is included has no front matter."""

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
    _asking: "Asking | None" = None
    _last: dict[tuple[bytes, bool], bytes | None] = field(default_factory=dict)

    def __enter__(self) -> Self:
        """Nothing is started before it is needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        if self._asking:
            self._asking.stop()

    def same_body(self, path: bytes, one: bytes, other: bytes) -> bool:
        """Whether two blobs of one file differ in front matter and white space alone.

        Args:
            path: the file, whose ending tells whether it can have front matter.
            one: the full hexadecimal id of a blob.
            other: that of another.
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
        """Ask git; one that wants to fetch what a partial clone lacks dies instead."""
        try:
            if self._asking is None:
                self._asking = self.git.ask("cat-file", "--batch")
            return self._asking.blob(oid)
        except GitFailed:
            return None
