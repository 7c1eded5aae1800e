"""What a call of a door loads: what somebody may have to know who changes it."""

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/count_doors.py"

pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="only a whole checkout has scripts")

OF_A_BUILD = {"anysite", "generate", "lastmod", "options", "output", "pipeline", "plugin"}


def test_explain_and_check_stand_on_the_report_that_a_build_kept():
    """They load nothing that decides, nor what reads the options, if the project sets none."""
    doors = runpy.run_path(str(SCRIPT))["measured"]("explain", "check")
    for door, most in (("explain", 5_700), ("check", 12_000)):
        rooms = {name.split(".")[1] for name in doors[door] if "." in name}
        assert rooms.isdisjoint(OF_A_BUILD), door
        assert sum(doors[door].values()) < most, door
