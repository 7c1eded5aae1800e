"""Hundreds of small sitemaps, each with one thing that is right or wrong.

``cases.txt`` has them, and ``verdicts.txt`` what other validators say of them.
"""

import pytest
from broken_sitemaps import findings
from small_sitemaps import VERDICTS, read_cases, real_files

CASES = read_cases()
GROUPS = dict.fromkeys(case.name.partition(":")[0] for case in CASES)


@pytest.mark.parametrize("group", GROUPS)
def test_each_sitemap_has_its_findings(tmp_path, group):
    """All codes of each row, and no other."""
    cases = [case for case in CASES if case.name.startswith(f"{group}:")]
    found = [sorted({finding.code for finding in findings(case.write(tmp_path))}) for case in cases]
    assert {case.name: codes for case, codes in zip(cases, found, strict=True)} == {
        case.name: case.codes for case in cases
    }


def test_nothing_harmful_passes_and_nothing_right_fails():
    """What the rules say of a sitemap is written beside it, apart from what is found."""
    wrong = [case.name for case in CASES if case.mark == "+" and case.codes]
    assert wrong == []
    assert [case.name for case in CASES if case.mark == "-" and not case.codes] == []
    assert len({case.name for case in CASES}) == len(CASES) > 300


def test_the_verdicts_of_others_stand_beside_ours():
    """For each sitemap, in order. ``scripts/compare_validators.py`` writes them."""
    start, *lines = VERDICTS.read_text("utf-8").splitlines()
    rows = [(line[:1].strip(), *line[start.index("check") :].split(maxsplit=1)) for line in lines]
    small = [(case.mark, ",".join(case.codes) or "ok", case.name.rstrip()) for case in CASES]
    assert rows[: len(small)] == small
    folder = VERDICTS.parent
    assert [name for _, _, name in rows[len(small) :]] == [
        path.relative_to(folder).as_posix() for path in real_files()
    ]
