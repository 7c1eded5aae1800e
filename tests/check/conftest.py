"""How quickly pages are asked here."""

from importlib import import_module

import pytest

CHECK = import_module("mkdocs_sitemap_plus.command.cli.check")


@pytest.fixture(autouse=True)
def rate(monkeypatch):
    """Spare no server, unless a test sets another rate."""

    def set_rate(number):
        monkeypatch.setattr(CHECK, "RATE", number)

    set_rate(500.0)
    return set_rate
