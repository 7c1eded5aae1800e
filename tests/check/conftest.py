"""How quickly pages are asked here, and a clone whose dates are compared."""

from importlib import import_module

import pytest
from compared import make_clone

CHECK = import_module("mkdocs_sitemap_plus.command.cli.check")


@pytest.fixture(autouse=True)
def rate(monkeypatch):
    """Spare no server, unless a test sets another rate."""

    def set_rate(number):
        monkeypatch.setattr(CHECK, "RATE", number)

    set_rate(500.0)
    return set_rate


@pytest.fixture(scope="session")
def cloned(tmp_path_factory):
    """A project of twelve pages, each of which changed on a day of its own."""
    return make_clone(tmp_path_factory.mktemp("clone") / "site")


@pytest.fixture
def clone(cloned, tmp_path):
    """A copy of it."""
    return cloned.copy(tmp_path / "site")
