"""Shared fixtures: a real site from text, built by the real ``mkdocs`` command."""

import pytest
from sites import SiteMaker

pytest_plugins = ["git_fixtures"]


@pytest.fixture
def site(tmp_path):
    """A maker of sites in an empty folder."""
    return SiteMaker(tmp_path)
