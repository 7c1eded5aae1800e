"""The page about the codes of ``check`` is made from their rules, and old codes are named."""

import tomllib
from pathlib import Path
from runpy import run_path

import pytest

from mkdocs_sitemap_plus.command.checks.check_sitemap import all_rules
from mkdocs_sitemap_plus.command.checks.rules import CODES, RULES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "command" / "check-codes.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="only a whole checkout has the docs")


def test_the_page_of_the_codes_is_that_of_the_rules():
    """With the cases of the tests as its examples. If not, run the script."""
    script = run_path(str(ROOT / "scripts" / "make_check_codes.py"))
    assert PAGE.read_text("utf-8") == script["page"]()


def test_each_rule_has_a_code_and_each_code_a_rule():
    """A build reads the list of codes alone."""
    assert all_rules().keys() == RULES.keys() == set(CODES)


def test_findings_link_to_the_documentation():
    """At its address in ``[project.urls]``, to the section of their code."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    path = PAGE.relative_to(ROOT / "docs").with_suffix("").as_posix()
    for code, rule in all_rules().items():
        assert rule.url == f"{project['urls']['Documentation']}page/{path}/#{code}"
