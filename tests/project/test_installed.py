"""The distribution, installed into empty environments, and the steps of the README there.

Run by `pytest -m install`, since it takes long and needs a package index: `nox -s install`.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from functools import cache, partial
from pathlib import Path

import pytest
import yaml
from lighthouse import lighthouse

ROOT = Path(__file__).parents[2]
LOWEST, HIGHEST = 11, 14  # Python 3.x, as in the workflow

pytestmark = [
    pytest.mark.install,
    pytest.mark.skipif(not (ROOT / "action.yml").is_file(), reason="needs a whole checkout"),
]


def run(*arguments, cwd, code=0, **variables):
    """What a program prints on stdout, without the environment of these tests."""
    own = ("PYTHONPATH", "VIRTUAL_ENV", "PYENV_VERSION")
    env = {name: value for name, value in os.environ.items() if name not in own} | variables
    done = subprocess.run(
        [str(each) for each in arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@cache
def pythons():
    """Each Python of this machine that the package is for, by its version."""
    found = {f"3.{sys.version_info[1]}": sys.executable}
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for minor in range(LOWEST, HIGHEST + 1):
        installed = pyenv.glob(f"versions/3.{minor}.*/bin/python3")
        for program in (shutil.which(f"python3.{minor}"), *map(str, installed)):
            answer = program and subprocess.run(
                [program, "-c", "import ensurepip, sys; print(sys.version_info[1])"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if answer and answer.stdout.strip() == str(minor):
                found.setdefault(f"3.{minor}", program)
    return found


@cache
def build(kind, folder):
    """The source distribution, or the wheel."""
    run(sys.executable, "-m", "build", "-q", f"--{kind}", "-o", folder / kind, ROOT, cwd=folder)
    (file,) = (folder / kind).iterdir()
    return file


def pytest_generate_tests(metafunc):
    """Look for each Python only if these tests were asked for."""
    if "version" in metafunc.fixturenames:
        asked = "install" in metafunc.config.option.markexpr.replace("not install", "")
        metafunc.parametrize("kind", ["wheel", "sdist"])
        metafunc.parametrize("version", pythons() if asked else [])


@pytest.fixture(scope="module")
def distribution(tmp_path_factory):
    """A function that builds one of the two kinds, once."""
    return partial(build, folder=tmp_path_factory.mktemp("dist"))


def test_the_steps_of_the_readme_work_in_an_empty_environment(
    distribution, kind, version, tmp_path
):
    """Install, three lines in mkdocs.yml, build, explain, check: with nothing else installed."""
    run(pythons()[version], "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    bin_ = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(bin_ / "python", "-m", "pip", "install", "-q", distribution(kind), cwd=tmp_path)
    where = run(
        bin_ / "python", "-c", "import mkdocs_sitemap_plus as m; print(m.__file__)", cwd=tmp_path
    )
    assert str(tmp_path / "venv") in where
    folder = lighthouse(tmp_path / "site").folder
    start = re.search(r"^## Start\n.*?```yaml\n(.*?)```", README, re.DOTALL | re.MULTILINE)[1]
    (folder / "mkdocs.yml").write_text(f"site_name: Lighthouse\n{start}", "utf-8")
    run(bin_ / "mkdocs", "build", cwd=folder, NO_MKDOCS_2_WARNING="1")
    xml = (folder / "site" / "sitemap.xml").read_text("utf-8")
    assert "<lastmod>2026-09-02T08:14:05+00:00</lastmod>" in xml
    assert (folder / "site" / "sitemap.xml.gz").is_file()
    program = bin_ / "mkdocs-sitemap-plus"
    assert run(program, "--version", cwd=folder).startswith("mkdocs-sitemap-plus")
    assert run(program, "explain", "install.md", cwd=folder).startswith("install.md: listed\n")
    checked = run(program, "check", cwd=folder)
    said = "No problems in 1 file with 14 URLs. Git: 14 dates are as the last build decided.\n"
    assert checked.startswith(said)
    assert run(program, "build", cwd=folder).startswith("sitemap.xml: 14 pages")
    assert (folder / "site" / "sitemap.xml").read_text("utf-8") == xml


README = (ROOT / "README.md").read_text("utf-8")


def test_the_sdist_has_all_that_is_in_the_repository(distribution, tmp_path):
    """So that it can be built and tested again, and the sample site unpacked without a clone."""
    listed = run("git", "ls-files", "-z", cwd=ROOT).strip("\0").split("\0")
    with tarfile.open(distribution("sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    assert [name for name in listed if not (source / name).is_file()] == []
    run(
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", cwd=source
    )
    quick = ["tests/options", "tests/docs/test_sample_history.py"]
    run(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *quick),
        cwd=source,
        PYTHONPATH=str(source),
    )


def test_the_wheel_has_the_package_alone(distribution):
    """And the licence, the types, and the two entry points."""
    with zipfile.ZipFile(distribution("wheel")) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}
    (metadata,) = tops - {"mkdocs_sitemap_plus"}
    assert metadata.endswith(".dist-info")
    assert {"mkdocs_sitemap_plus/py.typed", f"{metadata}/licenses/LICENSE",
            f"{metadata}/entry_points.txt"} <= set(names)  # fmt: skip


def test_the_action_installs_its_release(tmp_path):
    """As the runner fetched it, in a job that has not installed the package; once for all steps."""
    site = lighthouse(tmp_path / "site")
    site.build("--strict")
    (step,) = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]
    empty = dict.fromkeys(step["env"], "")
    variables = empty | {"COMMAND": "check", "ARGS": "", "SITE": "site"}
    host = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ROOT), "PATH": os.defpath}
    program = tmp_path / "bin" / "python3"
    program.parent.mkdir()
    program.symlink_to(sys.executable)
    host["PATH"] = f"{program.parent}{os.pathsep}{os.defpath}"
    for _ in range(2):
        output = run(
            "bash", "-eo", "pipefail", "-c", step["run"], cwd=site.folder, **variables, **host
        )
        assert output.startswith("No problems in 1 file with 12 URLs. Git: ")
    assert (tmp_path / "mkdocs-sitemap-plus").is_dir()
