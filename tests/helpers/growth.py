"""Whether the time that a text takes grows with it, and no faster."""

import time

SHORT, LARGE = 1 << 12, 1 << 14
"""The letters of two texts that are compared."""


def seconds(call, *arguments):
    """The time that the processor takes, of the better of two tries if it is long."""
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        call(*arguments)
        best = min(best, time.process_time() - begun)
        if best < 0.1:
            break
    return best


def check_growth(call, small, large, about):
    """Fail if four times as long a text takes sixteen times as long, as by a quadratic function."""
    now = seconds(call, large)
    if now > 0.2:
        before = seconds(call, small)
        assert now < 8 * before, f"{about}: {now:.2f} s, of a quarter {before:.2f} s"
