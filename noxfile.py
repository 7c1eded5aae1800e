"""All that a developer or CI runs: `nox -l` lists it, `nox -s lint` runs one of these sessions.

Each session has an environment of its own in `.nox`, made by uv where that is installed, else by
pip. It is kept; `nox -R` does not even look whether the dependencies have changed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nox
from nox.project import dependency_groups, load_toml

nox.needs_version = ">=2026.8.10"  # the first one that runs sessions side by side
nox.options.sessions = ["lint", "test"]
nox.options.reuse_venv = "yes"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.allow_parallel = True

PROJECT = load_toml("pyproject.toml")
LIBRARIES = {  # what they import of the package, and the tests that show that they need no more
    "gitdates": ([], ["git_history", "git_renames"]),
    "sitemap": (["problems", "wording", "files"], ["render", "split", "xml"]),
}
NEWEST = "python3.15"  # of those in Debian unstable, where `python3` may still be the one before
MOUNTED = ["golden", "output", "pipeline/test_edge_cases.py"]
NEEDED_ALONE = re.compile("pytest|hypothesis|lxml")
NEEDED_BY_SITEMAP = ["idna"]
PROGRAMS = {  # and their packages in Debian
    "chromium": "chromium",
    "mmdebstrap": "mmdebstrap",
    "mkfs.exfat": "exfatprogs",
    "mount.exfat-fuse": "exfat-fuse",
}

# Mounts and processes of such a shell end with it, however it ends.
APART = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]

# Trust whom the system trusts, as pip does, and compile only those modules that are imported.
os.environ |= {"UV_SYSTEM_CERTS": "1", "PIP_NO_COMPILE": "1", "NO_MKDOCS_2_WARNING": "1"}


def prepare(session, *groups, also=()):
    """Install the package, these groups of pyproject.toml, and these requirements."""
    session.install("-e", ".", *dependency_groups(PROJECT, *groups), *also)


def pytest(session, *options, files=(), **env):
    """Run pytest on these files, or as the arguments behind `--` say."""
    session.run("pytest", "-q", *options, *(session.posargs or ["-n", "auto", *files]), env=env)


def needs_mounts(session, *programs):
    """Skip a session, aloud, where nothing can be mounted or one of these programs is missing."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        session.skip(f"nothing was tested: {' and '.join(missing)} not installed")
    if not shutil.which("unshare") or subprocess.run([*APART, "true"], check=False).returncode:
        session.skip("nothing was tested: only root may mount, and this is not root of a Linux")


@nox.session(tags=["ci"])
def lint(session):
    """Check code, types, imports, spelling and workflows; `-- --fix` mends what ruff can."""
    prepare(session, "lint")
    session.run("ruff", "check", *session.posargs, ".")
    session.run("ruff", "format", *([] if session.posargs else ["--check"]), ".")
    session.run("mypy")
    session.run("lint-imports")
    session.run("codespell")
    session.run("zizmor", "-q", "--offline", ".")
    github = Path(".github")
    for schema, files in {
        "github-workflows": sorted(github.glob("workflows/*.yml")),
        "github-actions": ["action.yml"],
        "dependabot": [github / "dependabot.yml"],
    }.items():
        session.run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *files)


@nox.session
def test(session):
    """Run the quick tests, or those named behind `--`."""
    prepare(session, "test")
    pytest(session)


@nox.session(venv_backend="none")
def programs(session):
    """Install what others need, if this is CI as root on a Debian that lacks it."""
    missing = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    if missing and os.environ.get("CI") and shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"env": {"DEBIAN_FRONTEND": "noninteractive"}, "external": True, "silent": True}
        session.run("apt-get", "update", **quiet)
        session.run("apt-get", "install", "-y", "--no-install-recommends", *missing, **quiet)


@nox.session(tags=["ci"])
def long(session):
    """Run the random tests, and those that take long, at length."""
    prepare(session, "compatibility")
    marks = "at_length or more_at_length or hypothesis"
    pytest(session, "-m", marks, LONG=os.environ.get("LONG", "1"))


@nox.session(tags=["ci"], venv_backend="none", requires=["programs"])
def newest(session):
    """Run the quick tests with the newest Python and git of Debian, and measure coverage."""
    needs_mounts(session, "mmdebstrap")
    top = Path(session.create_tmp()).absolute() / "debian"
    shutil.rmtree(top, ignore_errors=True)
    packages = f"--include={NEWEST}-venv,git,ca-certificates"
    valid = '--aptopt=Acquire::Check-Valid-Until "false"'  # a mirror may be older than its suite
    command = ["mmdebstrap", "-q", "--variant=apt", valid, packages, "sid", str(top)]
    session.run(*command, external=True)
    # How this machine reaches the package index.
    shutil.rmtree(top / "etc" / "ssl")
    shutil.copytree("/etc/ssl", top / "etc" / "ssl", symlinks=True)
    for file in filter(Path.is_file, map(Path, ("/etc/resolv.conf", "/etc/pip.conf"))):
        shutil.copy(file, top / "etc")
    for name in session.run("git", "ls-files", "-z", silent=True, external=True).split("\0")[:-1]:
        if Path(name).is_file():
            (top / "project" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, top / "project" / name)
    tests = session.posargs or ["-n", "auto", "--cov", "--cov-report=", "--cov-fail-under=95"]
    session.run(*APART, "bash", ".ci/newest.sh", str(top), NEWEST, *tests, external=True)


@nox.session(tags=["ci"], requires=["programs"])
def neighbours(session):
    """Build sites beside plugins, programs and extensions of others, and let others read ours."""
    prepare(session, "compatibility", "readers")
    names = ["golden/test_golden", "docs/test_docs_tasks", "plugin/test_log", "plugin/test_readers"]
    files = [f"tests/{name}.py" for name in names]
    marks = ["-m", "not browser and not install", "-k", "not test_golden or fallback"]
    pytest(session, "--dist=loadfile", *marks, files=["tests/compatibility", *files])


@nox.session(tags=["ci"], requires=["programs"])
def browser(session):
    """Look at built sites in a real Chromium."""
    prepare(session, "browser")
    pytest(session, "--dist=loadfile", "-m", "browser", files=["tests/browser"])


@nox.session(tags=["ci"], requires=["programs"])
def exfat(session):
    """Build and write on exFAT, which ignores case and has no links and no rights."""
    needs_mounts(session, "mkfs.exfat", "mount.exfat-fuse", "losetup")
    prepare(session, "test")
    tests = session.posargs or ["-n", "auto", *(f"tests/{name}" for name in MOUNTED)]
    command = ["bash", ".ci/exfat.sh", session.create_tmp(), "-m", "not unix", *tests]
    session.run(*APART, *command, external=True)


@nox.session(tags=["ci"], requires=["programs"])
def materialx(session):
    """Run the tests of Material with MaterialX in its place."""
    prepare(session, "materialx")
    names = ["compatibility/test_material_blog", "compatibility/test_static_i18n"]
    names += ["pipeline/test_extra", "plugin/test_page_dates"]
    session.run("pytest", "-q", *(f"tests/{name}.py" for name in names))
    other = "not would_be_seen and not with_images"
    session.run("pytest", "-q", "-m", "browser", "-k", other, "tests/browser/test_material.py")


@nox.session(tags=["ci"])
def sdist(session):
    """Install the source distribution into an empty environment, and start as the README says.

    What both distributions hold, and the action, are tested with it.
    """
    prepare(session, "install")
    this = f"sdist-3.{sys.version_info.minor} or not readme"
    pytest(session, "-m", "install", "tests/project/test_installed.py", "-k", this)


@nox.session(tags=["ci"])
def lowest(session):
    """Test with the lowest versions of the dependencies what these packages do."""
    needed = PROJECT["project"]["dependencies"]
    bounds = [re.fullmatch(r"([\w-]+)>=([\d.]+)(,.*)?", dependency) for dependency in needed]
    prepare(session, "test", also=[bound.expand(r"\1==\2") for bound in bounds])
    names = ["cli/test_command", "lastmod/test_lastmod_dates", "options/test_patterns"]
    files = [f"tests/{name}.py" for name in names]
    pytest(session, files=["tests/golden", "tests/pages", *files])


@nox.session(tags=["ci"])
def alone(session):
    """Run tests of each library on a copy of it, where nothing else of the package is."""
    tools = [tool for tool in dependency_groups(PROJECT, "test-tools") if NEEDED_ALONE.match(tool)]
    session.install(*tools, *NEEDED_BY_SITEMAP)
    for library, (imported, examples) in LIBRARIES.items():
        folder = Path(session.create_tmp()).absolute() / library
        shutil.rmtree(folder, ignore_errors=True)
        package, tests = Path("mkdocs_sitemap_plus"), Path("tests")
        for copied in (package / library, tests / library, tests / "helpers"):
            shutil.copytree(copied, folder / copied)
        files = [package / f"{name}.py" for name in ("__init__", *imported)]
        for file in (*files, tests / "conftest.py", Path("pyproject.toml")):
            shutil.copy(file, folder / file)
        chosen = session.posargs or [f"tests/{library}/test_{name}.py" for name in examples]
        with session.chdir(folder):
            session.run("python", "-m", "pytest", "-q", *chosen)


@nox.session(tags=["ci"])
def docs(session):
    """Build the sample site and the documentation strictly; `-- serve` shows the latter."""
    prepare(session, also=["mkdocs-material"])
    if session.posargs:
        session.run("mkdocs", *session.posargs)
        return
    site = session.env_dir.absolute() / "sample"
    session.run("mkdocs", "build", "--strict", "-f", "sample_site/mkdocs.yml", "-d", str(site))
    session.run("mkdocs", "build", "--strict")


@nox.session
def install(session):
    """Install both distributions with each Python of this machine, and try the action."""
    prepare(session, "install")
    pytest(session, "-m", "install", "tests/project/test_installed.py")


@nox.session(venv_backend="none")
def readme(session):
    """Run the two commands of the README as they stand there."""
    text = Path("README.md").read_text("utf-8")
    for name in ("try", "test"):
        command = re.search(rf"<!-- {name} -->\n```sh\n(.*)\n```", text)[1]
        session.run(*command.split(), external=True)


@nox.session
def dist(session):
    """Build the distributions into `dist`, and check them as PyPI does."""
    session.install(*dependency_groups(PROJECT, "release"))
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build")
    session.run("twine", "check", "--strict", *map(str, Path("dist").iterdir()))


@nox.session
def schema(session):
    """Write the JSON schemas for editors, and the page of the codes of check."""
    prepare(session)
    session.run("python", "scripts/make_schemas.py")
    session.run("python", "scripts/make_check_codes.py")


@nox.session
def bench(session):
    """Run a benchmark: `nox -s bench -- git_dates.py --rounds 3`."""
    prepare(session, "compatibility")
    session.run("python", f"benchmarks/{session.posargs[0]}", *session.posargs[1:])


@nox.session(venv_backend="virtualenv")  # uv would not install a changed package again
def mutate(session):
    """Change the code in small ways, and list the changes that no test notices; takes hours.

    The files and the tests stand under `[tool.mutmut]` in pyproject.toml.
    """
    session.install(".", "mutmut==3.8.1", *dependency_groups(PROJECT, "test"))
    session.run("mutmut", "run", success_codes=[0, 1], env={"LONG": "1"})
    session.run("mutmut", "results")
