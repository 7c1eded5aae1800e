"""Hundreds of small sitemaps, each with one thing that is right or wrong.

``cases.txt`` has them, and ``verdicts.txt`` what other validators say of them.
"""

from broken_sitemaps import findings
from small_sitemaps import VERDICTS, read_cases, real_files

CASES = read_cases()


def test_each_sitemap_has_its_findings(tmp_path):
    """All codes of each row, and no other."""
    found = [sorted({finding.code for finding in findings(case.write(tmp_path))}) for case in CASES]
    assert {case.name: codes for case, codes in zip(CASES, found, strict=True)} == {
        case.name: case.codes for case in CASES
    }


def test_nothing_harmful_passes_and_nothing_right_fails():
    """What the rules say of a sitemap is written beside it, apart from what is found."""
    wrong = [case.name for case in CASES if case.mark == "+" and case.codes]
    assert wrong == []
    assert [case.name for case in CASES if case.mark == "-" and not case.codes] == []
    assert len({case.name for case in CASES}) == len(CASES) > 300


def test_the_verdicts_of_others_are_about_these_sitemaps():
    """``scripts/compare_validators.py`` writes them. A sitemap may be new, and have none yet."""
    start, *lines = VERDICTS.read_text("utf-8").splitlines()
    files = (path.relative_to(VERDICTS.parent).as_posix() for path in real_files())
    known = {*(case.name.rstrip() for case in CASES), *files}
    assert {line[start.index("sitemap") :] for line in lines} <= known
