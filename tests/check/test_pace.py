"""When requests start, by a clock of the test."""

import pytest

from mkdocs_sitemap_plus.command.checks.live_pages import Pace


class Clock:
    """A time that passes only when somebody waits for it."""

    def __init__(self):
        """Begin somewhere."""
        self.time = 1000.0

    def now(self):
        """The time in seconds."""
        return self.time

    def is_set(self):
        """Never at the end."""
        return False

    def wait(self, seconds):
        """Let time pass, and a little more, as a system does."""
        self.time += seconds + 0.001 if seconds else 0


@pytest.fixture
def clock():
    """A clock that is also the end that never comes."""
    return Clock()


def paced(clock, rate):
    return Pace(rate, now=clock.now, ended=clock)


@pytest.mark.parametrize("rate", [0.5, 333])
def test_the_rate_is_that_of_the_user(clock, rate):
    """Within two percent over many requests, although each wait is a little too long."""
    pace, begin = paced(clock, rate), clock.time
    for _ in range(1000):
        pace.wait()
    assert 999 / (clock.time - begin) == pytest.approx(rate, rel=0.02)


def test_who_comes_late_does_not_catch_up(clock):
    """A server that was slow for a while is not flooded then."""
    pace = paced(clock, 10)
    pace.wait()
    clock.time += 60
    begin = clock.time
    for _ in range(11):
        pace.wait()
    assert clock.time - begin == pytest.approx(1.0, rel=0.02)


def test_a_delay_of_robots_txt_slows_down(clock):
    """If it is slower than the rate; a longer one than a minute is an answer of its own."""
    pace, begin = paced(clock, 10), clock.time
    assert pace.slow_down(0.05) is None
    assert pace.slow_down(2.0) is None
    for _ in range(11):
        pace.wait()
    assert clock.time - begin == pytest.approx(20, rel=0.02)
    assert pace.slow_down(61) == "robots.txt asks for 61 seconds between two requests"


def test_a_pause_holds_also_those_who_wait_already(clock):
    """They take a later turn."""
    pace, asked = paced(clock, 1), []
    pace.wait()

    def wait(seconds):
        if not asked:  # another thread gets an answer meanwhile
            asked.append(pace.pause(30))
        Clock.wait(clock, seconds)

    clock.wait = wait
    begin = clock.time
    pace.wait()
    assert asked == [None]
    assert 30 <= clock.time - begin < 31


def test_pauses_that_overlap_count_once(clock):
    """Twenty requests that are busy at once ask for one pause; but there is an end to pauses."""
    pace = paced(clock, 10)
    assert {pace.pause(40) for _ in range(20)} == {None}
    for _ in range(6):
        clock.time += 40
        assert pace.pause(40) is None
    clock.time += 40
    assert pace.pause(40) == "all waits together are longer than 300 seconds"
    assert pace.pause(61) == "the server asks to wait 61 seconds"
