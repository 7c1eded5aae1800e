"""Shared fixtures: a real site from text, built by the real ``mkdocs`` command."""

import gc
import os
import re
import signal
from collections import Counter
from importlib import import_module
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from quantity import LONG, tries
from web import Web

pytest_plugins = ["git_fixtures"]

FOLDERS = count(1)
"""The numbers of the folders of this process's tests."""

# A shell's background job ignores Ctrl-C, and what nohup starts the end of its terminal; so would
# the processes that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if os.name != "nt" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile(
    "ours",
    max_examples=tries(few=12, many=60),
    deadline=None,
    derandomize=LONG < 2,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ours")


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    """What a build says in a CI alone is not said, unless a test sets this."""
    monkeypatch.delenv("CI", raising=False)


def pytest_addoption(parser):
    """Add the option of the golden sites."""
    parser.addoption(
        "--update-golden", action="store_true", help="write what golden sites expect anew"
    )


def pytest_collection_modifyitems(items):
    """Skip what is run only at length, and on Windows what needs the files of Unix."""
    cases = Counter()
    for item in items:
        if mark := item.get_closest_marker("one_in"):
            function = item.nodeid.partition("[")[0]
            if cases[function] % mark.args[0]:
                item.add_marker("at_length")
            cases[function] += 1
        if os.name == "nt" and item.get_closest_marker("unix"):
            item.add_marker(pytest.mark.skip(reason="Unix"))
        if not LONG and item.get_closest_marker("at_length"):
            item.add_marker(pytest.mark.skip(reason="takes seconds; with LONG=1 it is run"))


def pytest_collection_finish():
    """Let the garbage collector look less often, and pass over what stays until the end."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    """Look once for what is not referenced any more; pytest looks ten times at all that is left."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def tmp_path(request, tmp_path_factory):
    """A folder of one test; pytest's own looks through all others, and makes a link beside it."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{next(FOLDERS)}-{name}", numbered=False)


@pytest.fixture
def site(tmp_path):
    """A maker of sites in an empty folder."""
    return import_module("sites").SiteMaker(tmp_path)  # the libraries' tests need no MkDocs


@pytest.fixture
def web(monkeypatch):
    """A real web server on this machine, whatever proxy is between it and others."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Web()
    yield server
    server.stop()
