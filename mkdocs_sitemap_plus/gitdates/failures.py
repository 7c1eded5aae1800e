"""Tell what an error of git means."""

import re

from .values import GitCode, GitFailed


def error_of(status: int, errors: bytes) -> GitFailed:
    """Return git's first error as an exception; without one, its last line, or its status."""
    text = errors.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith(("fatal:", "error:"))), None)
    end = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    why = first or (lines[-1] if lines else end)
    for pattern, code in _ERRORS:
        if found := re.search(pattern, text):
            # What follows each of these errors is what they are about, such as a folder.
            about = found["about"] if "about" in found.groupdict() else why
            return GitFailed(re.sub(r"\n\s+", ", ", (about or "").strip()), code)
    return GitFailed(why)


_ERRORS = (
    (
        # The folder that git's advice names need not be the one that was asked for.
        r"(?:dubious ownership|unsafe repository)(?:(?s:.*?)safe\.directory (?P<about>.+))?",
        GitCode.UNSAFE_REPOSITORY,
    ),
    (r"unknown repository extensions? found:(?P<about>(?:\s*\n\s+\S+)+)", GitCode.NEWER_GIT),
    (r"(?P<about>Expected git repo version <= \d+, found \d+)", GitCode.NEWER_GIT),
    (r"unable to normalize alternate object path: (?P<about>.+)", GitCode.LOST_REFERENCE),
    (r"ambiguous argument 'HEAD'", GitCode.NO_COMMITS),
    (r"unknown value for --|unrecognized argument|usage: git|--is-shallow", GitCode.OLD_GIT),
    (r"promisor remote|lazy fetching disabled|not a tree object", GitCode.NO_TREES),
    (r"must be run in a work tree", GitCode.BARE_REPOSITORY),
    (r"Invalid path '|cannot chdir to '", GitCode.LOST_WORK_TREE),
    (r"not a git repository: ", GitCode.LOST_REPOSITORY),
    (r"not a git repository", GitCode.BROKEN_REPOSITORY),
)
"""What git's errors mean, and what they are about: the first pattern that is found counts."""
