"""The output of ``git log`` with a fault at each of its bytes: no crash, and no wrong date."""

import pytest
from eventful import NAMES, eventful
from git_repositories import make
from git_settings import Options
from quantity import LONG, at_length, more_at_length

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate
from mkdocs_sitemap_plus.gitdates.line import Line
from mkdocs_sitemap_plus.gitdates.query import Ignored, Query
from mkdocs_sitemap_plus.gitdates.repository import RepositoryFinder, files_at_head
from mkdocs_sitemap_plus.gitdates.values import GitFailed
from mkdocs_sitemap_plus.gitdates.walk import Walk

pytestmark = pytest.mark.usefixtures("plain_git")


class Recorded:
    """What git printed, with a fault in it."""

    def __init__(self, printed):
        """All of it comes at once."""
        self._printed = printed

    def read(self):
        """It, and then nothing."""
        printed, self._printed = self._printed, b""
        return printed

    def __enter__(self):
        """A process would run now."""
        return self

    def __exit__(self, *_):
        """It would be gone."""


class Printed:
    """The output of a real ``git log``, and the dates that it gives with a fault in it."""

    def __init__(self, top, settings):
        """Run git once."""
        repository = RepositoryFinder().folder(str(top))[0]
        self._query = Query(repository, (b"",), Ignored(), settings.date, settings.change)
        self._files = files_at_head(repository, [])
        with self._query.log() as running:
            self.output = b"".join(iter(running.read, b""))
        self.dates, self.failed = self.walk(self.output)

    def walk(self, output):
        """The dates, and whether there was a failure to report."""
        found = {}
        try:
            walk = Walk(self._query, Line(self._query.repository), Recorded(output))
            for stop in walk.stops(self._files):
                found[stop.cursor.file] = stop.commit.when
        except (GitFailed, ValueError, TypeError):
            return found, True
        return found, False


@pytest.fixture(
    params=[
        pytest.param((GitDate.PUBLISHED, GitChange.CONTENT), id="published"),
        pytest.param((GitDate.COMMIT, GitChange.ANY), id="commit", marks=at_length),
    ]
)
def printed(request, tmp_path):
    """What git prints of the eventful history."""
    make(tmp_path / "site", eventful())
    date, change = request.param
    found = Printed(tmp_path / "site", Options(date=date, change=change))
    assert not found.failed
    assert len(found.dates) == len(NAMES)
    return found


@more_at_length
@pytest.mark.fault("git is killed, or stops too early")
def test_output_that_ends_early_anywhere(printed):
    """Cut at any byte, the dates that are there are right, and it is reported that some lack."""
    for end in range(0, len(printed.output), 1 if LONG else 7):
        found, failed = printed.walk(printed.output[:end])
        assert found.items() <= printed.dates.items()
        assert failed or found == printed.dates


@more_at_length
@pytest.mark.fault("git prints something unexpected")
def test_output_with_a_wrong_byte_anywhere(printed):
    """Outside of paths no such byte moves a date, but for a digit in the place of a digit."""
    for at in list(outside_of_paths(printed.output))[:: 1 if LONG else 7]:
        for invalid in b"\0\n x\xff" if LONG else (b"\0", b"x")[at % 2]:
            output = bytearray(printed.output)
            output[at] = invalid
            found, failed = printed.walk(bytes(output))
            assert found.items() <= printed.dates.items(), (at, invalid)
            assert failed or found == printed.dates


def outside_of_paths(output):
    """The places of all bytes but those of paths: what follows the header of a change."""
    at, header = 0, False
    for token in output.split(b"\0"):
        if not header:
            yield from range(at, min(at + len(token) + 1, len(output)))
        header = not header and token[:2].lstrip(b"\n").startswith(b":")
        at += len(token) + 1
