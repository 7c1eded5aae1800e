"""How much the tests try: little by default, more with the variable ``LONG``."""

import os

import pytest

LONG = int(os.environ.get("LONG", "0"))
"""How many times as much random tests try.

CI sets 1, which tries the same texts each time. From 2 on they are new each time; set 100 for a
night.
"""


at_length = pytest.mark.at_length
"""Marks a test, or a case of one, that takes long; without ``LONG`` others stand for it."""

one_in = pytest.mark.one_in
"""Marks a test with many cases of a kind: one in so many is quick, the others run at length."""

more_at_length = pytest.mark.more_at_length
"""Marks a test that tries more with ``LONG``. Random tests do, and need no mark."""


def tries(few: int, many: int) -> int:
    """Return `few`, or by ``LONG`` a multiple of `many`."""
    return LONG * many if LONG else few
