"""What a call of a door loads: what somebody may have to know who changes it."""

import runpy
from pathlib import Path

import pytest
from quantity import at_length

SCRIPT = Path(__file__).parents[2] / "scripts/count_doors.py"

pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="only a whole checkout has scripts")

OF_A_BUILD = {"anysite", "generate", "lastmod", "options", "output", "pipeline", "plugin"}


MOST_LINES = {
    "mkdocs build": 8_226,
    "explain": 5_400,
    "check": 11_100,
    "diff": 3_900,
    "index": 5_600,
}
"""What a door may load: somewhat more than it does."""


@at_length
def test_a_door_loads_only_what_its_call_needs():
    """A line that all calls load is to be known by whoever changes one of them."""
    doors = runpy.run_path(str(SCRIPT))["measured"](*MOST_LINES)
    loaded = {door: sum(lines.values()) for door, lines in doors.items()}
    assert {door for door, lines in loaded.items() if lines > MOST_LINES[door]} == set(), loaded
    # explain and check stand on the report that a build kept: they load nothing that decides.
    for door in ("explain", "check"):
        rooms = {name.split(".")[1] for name in doors[door] if "." in name}
        assert rooms.isdisjoint(OF_A_BUILD), door
