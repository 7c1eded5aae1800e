"""Files that HEAD does not hold: which file they are a copy of, or why git ignores them."""

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .blobs import blob_ids, content_of
from .git import command, environment
from .log import path_text
from .repository import Version
from .values import Change, GitReason, NoDate, one_line

_LINK = b"120000"  # the mode of a symbolic link, whose blob is a path
_FIX = (
    "If a script makes the page, let it copy a committed file unchanged; otherwise run "
    "`git add -f`."
)


def paths_by_blob(files: Mapping[bytes, Version]) -> dict[bytes, list[bytes]]:
    """Return the paths of the files at HEAD by the ids of their blobs."""
    found: dict[bytes, list[bytes]] = defaultdict(list)
    for path, (mode, blob) in files.items():
        if mode != _LINK:
            found[blob].append(path)
    return dict(found)


def originals(
    top: Path, paths: Iterable[bytes], by_blob: Mapping[bytes, Sequence[bytes]]
) -> dict[bytes, list[bytes]]:
    """Return the files at HEAD that have the bytes of each of these files, if any has.

    A file without text is a copy of none.
    """
    length, found = len(next(iter(by_blob), b"")), dict[bytes, list[bytes]]()
    for path in paths:
        data = content_of(top / os.fsdecode(path)) or b""
        ids = blob_ids(data, length) if data.strip() else ()
        if same := [each for oid in ids for each in by_blob.get(oid.encode(), ())]:
            found[path] = same
    return found


def of_original(original: bytes, found: Change | NoDate) -> Change | NoDate:
    """Return the date of a copy: that of its original, which a note names."""
    if isinstance(found, NoDate):
        return found
    note = f"its bytes are those of {path_text(original)}"
    return found._replace(note=f"{note}; {found.note}" if found.note else note)


def why_undated(
    top: Path, paths: Sequence[bytes], same: Mapping[bytes, Sequence[bytes]]
) -> dict[bytes, NoDate]:
    """Return why files that HEAD does not hold have no date.

    `same` has the files with the bytes of each, where several have them.
    """
    ignored, found = _ignored(top, paths), {}
    for path in paths:
        why = f"{path_text(path)} is not committed"
        if path in ignored:
            why += f": git ignores it{ignored[path]}"
        if path in same:
            why += f", and {len(same[path])} files at HEAD have its bytes, such as "
            why += path_text(min(same[path]))
        fix = _FIX if path in ignored else None
        found[path] = NoDate(GitReason.NOT_COMMITTED, why, fix=fix)
    return found


def _ignored(top: Path, paths: Iterable[bytes]) -> dict[bytes, str]:
    """Return the line by which git ignores each of these paths, such as `` (.gitignore:1)``.

    A file of patterns outside of the repository is that of a person, and is not named.
    """
    options = ("check-ignore", "--no-index", "--verbose", "-z", "--stdin")
    words = [*command(top, literal=False), *options]  # it does not know literal paths
    asked = b"".join(b"./%b\0" % path for path in paths)  # without a dot, a colon is magic
    done = subprocess.run(words, input=asked, capture_output=True, check=False, env=environment())
    parts = done.stdout.split(b"\0")
    found = {}
    for file, line, pattern, path in zip(*(parts[n::4] for n in range(4)), strict=False):
        name = path_text(file)
        is_own = not Path(name).is_absolute() and not name.startswith("../")
        if not pattern.startswith(b"!"):
            where = one_line(f" ({name}:{line.decode()})") if is_own else ""
            found[path.removeprefix(b"./")] = where
    return found
