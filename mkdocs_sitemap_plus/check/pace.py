"""When the next request may start."""

from collections.abc import Callable
from threading import Event, Lock
from time import monotonic

_MAX_PAUSE = 60  # seconds of one wait
MAX_PAUSES = 300  # seconds of all waits together


class Pace:
    """Gives turns at even distances, to several threads. A server can ask for a pause."""

    def __init__(
        self, rate: float, *, now: Callable[[], float] = monotonic, ended: Event | None = None
    ) -> None:
        """Give `rate` turns a second. `now` tells the time in seconds.

        Who waits for a turn waits for `ended`, so its `set` ends all waits at once.
        """
        self.ended = ended or Event()
        self._between = 1 / rate
        self._now = now
        self._next = now()  # the first turn that nobody has
        self._resumes = self._next  # when the last pause ends
        self._paused = 0.0  # seconds of all pauses
        self._lock = Lock()

    def wait(self) -> None:
        """Wait for a turn. Return at once after the end."""
        while not self.ended.is_set():
            with self._lock:
                now = self._now()
                turn = max(self._next, self._resumes, now)
                self._next = turn + self._between
            self.ended.wait(max(0.0, turn - now))
            if turn >= self._resumes:
                return

    def slow_down(self, seconds: float) -> str | None:
        """Put so many seconds between two turns, if they are closer. Return why that is too long.

        The reason is a clause; None if it is not too long.
        """
        if seconds > _MAX_PAUSE:
            return f"robots.txt asks for {seconds:,.0f} seconds between two requests"
        self._between = max(self._between, seconds)
        return None

    def pause(self, seconds: float) -> str | None:
        """Let no turn come for some seconds. Return why that is too long, as `slow_down` does."""
        with self._lock:
            now = self._now()
            until = now + seconds
            # What an earlier pause covers is counted already.
            self._paused += max(0.0, until - max(self._resumes, now))
            if seconds > _MAX_PAUSE:
                return f"the server asks to wait {seconds:,.0f} seconds"
            if self._paused > MAX_PAUSES:
                return f"all waits together are longer than {MAX_PAUSES:,} seconds"
            self._resumes = max(self._resumes, until)
            return None
