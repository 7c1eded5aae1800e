"""The tasks of a developer: `nox -l` lists them, `nox -s test -- tests/test_split.py` runs one.

Each session makes an environment of its own; `nox -r` uses it again.
"""

import nox
from nox.project import dependency_groups, load_toml

nox.options.sessions = ["lint", "test"]
nox.options.reuse_existing_virtualenvs = True

PROJECT = load_toml("pyproject.toml")


@nox.session
def lint(session):
    """Check the code, the spelling and the workflows."""
    session.install("-e", ".", *dependency_groups(PROJECT, "lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")
    session.run("codespell")
    session.run("zizmor", "-q", "--offline", ".")


@nox.session
def test(session):
    """Run the quick tests, with their branch coverage; arguments go to pytest."""
    session.install("-e", ".", *dependency_groups(PROJECT, "test"))
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session
def install(session):
    """Build the distributions, and try them in an empty environment of each Python found here."""
    session.install("-e", ".", *dependency_groups(PROJECT, "install"))
    session.run("pytest", "-m", "install", *(session.posargs or ["tests/test_installed.py"]))


@nox.session
def docs(session):
    """Build the documentation strictly; `nox -s docs -- serve` shows it while you write."""
    session.install("-e", ".", "mkdocs-material")
    session.run("mkdocs", *(session.posargs or ["build", "--strict"]))


@nox.session
def schema(session):
    """Write the JSON schemas for editors, after an option has changed."""
    session.install("-e", ".")
    session.run("python", "scripts/make_schemas.py")


@nox.session
def bench(session):
    """Run a benchmark: `nox -s bench -- git_dates.py --rounds 3`."""
    session.install("-e", ".", *dependency_groups(PROJECT, "compatibility"))
    session.run("python", f"benchmarks/{session.posargs[0]}", *session.posargs[1:])


@nox.session
def mutate(session):
    """Change the code in small ways, and list the changes that no test notices (mutmut).

    The files and the tests stand under `[tool.mutmut]` in pyproject.toml. It takes hours.
    """
    session.install(".", "mutmut==3.8.1", *dependency_groups(PROJECT, "test"))
    session.run("mutmut", "run", success_codes=[0, 1], env={"LONG": "1"})
    session.run("mutmut", "results")
