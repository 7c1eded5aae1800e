"""The action for GitHub, the component for GitLab and the workflows."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from builder_sites import dates_of, expected, put_pages, replay
from ci_scripts import ACTION, BOTH, COMPONENT, IF_THERE, ONE_OR_BOTH, ROOT, act, copied, run_job
from lighthouse import lighthouse
from quantity import at_length
from sitemap_xml import read_entries

pytestmark = IF_THERE


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The sample site, built."""
    site = lighthouse(tmp_path_factory.mktemp("ci") / "lighthouse")
    site.build("--strict")
    return site.folder


@pytest.fixture
def folder(original, tmp_path):
    """A copy, and a folder with the command on the path."""
    return copied(original, tmp_path)


@at_length
@ONE_OR_BOTH
def test_build_writes_the_sitemap(folder, host):
    """In place of that of the builder; the options come from the project file."""
    sitemap = folder / "site" / "sitemap.xml"
    expected = sitemap.read_bytes()
    sitemap.write_bytes(b"")
    code, output = host(folder, command="build", site="site")
    assert (code, sitemap.read_bytes()) == (0, expected), output
    assert output.startswith("sitemap.xml: 12 pages, 10 dated")


@at_length
@BOTH
@pytest.mark.parametrize("name", ["hugo"])
def test_build_writes_the_sitemap_of_another_builder(tmp_path, host, name):
    """In the repository of its sources, without a project file."""
    put_pages(name, tmp_path / "built")
    folder = copied(tmp_path / "built", tmp_path / "copy")
    replay(name, folder)
    put_pages(name, folder / "public")
    url = "https://lighthouse.example/"
    code, output = host(folder, command="build", site="public", site_url=url)
    assert code == 0, output
    sitemap = (folder / "public" / "sitemap.xml").read_bytes()
    dates = [entry.get("lastmod") for entry in read_entries(sitemap)]
    sources = expected(name)["sources"]
    assert sorted(filter(None, dates)) == sorted(dates_of(folder, sources).values())
    source = next(path for path in map(folder.joinpath, sources.values()) if "install" in path.stem)
    if source.suffix == ".md":
        source.write_text("---\ntitle: Install\nsitemap: false\n---\n", "utf-8")
        assert host(folder, command="build", site="public", site_url=url)[0] == 0
        code, output = host(folder, command="check", site="public")
        assert (code, "1 page not listed, as the build decided" in output) == (0, True), output


@at_length
@BOTH
def test_check_fails_with_findings(folder, host):
    """On GitHub they are annotations; further options go to the command."""
    assert host(folder, command="check", site="site")[0] == 0
    args = "--fail-on error\n--min-dated 90%"
    code, output = host(folder, command="check", site="site", args=args)
    assert code == 1
    (line,) = (line for line in output.splitlines() if "10 of 12 entries have a date" in line)
    assert line.startswith("::error ") == (host is act)


def blocks(title):
    """The YAML of the page about CI in blocks with such a title."""
    text = (ROOT / "docs" / "hosting" / "check-in-ci.md").read_text("utf-8")
    start = re.escape(f' title="{title}"')
    found = re.findall(rf"^```yaml{start}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(each) for each in found]


def handed_on(built, kept, tmp_path, monkeypatch):
    """The same commit for another job, on a machine of its own, with what the first one kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache-of-the-other-job"))
    folder = copied(built, tmp_path / "other")
    for made in {"site", "public", "sitemap-report.json"}.difference(kept):
        path = folder / made
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return folder


@pytest.fixture
def to_build(original, tmp_path, monkeypatch):
    """The sample site before the build, with the options of the page; it excludes pages."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache-of-the-build"))
    folder = copied(original, tmp_path / "first")
    shutil.rmtree(folder / "site")
    (own,) = blocks("mkdocs.yml")
    (report,) = (each["sitemap-plus"]["report"] for each in own["plugins"] if each != "search")
    project = folder / "mkdocs.yml"
    text = project.read_text("utf-8")
    assert "exclude:" in text
    changed = text.replace("sitemap-plus:\n", f"sitemap-plus:\n      report: {report}\n")
    project.write_text(changed, "utf-8")
    return folder


def mkdocs(script, folder):
    """Run the lines of a job that build, without those that install."""
    for line in script:
        if not line.startswith("pip "):
            assert line.startswith("mkdocs build ")
            subprocess.run([sys.executable, "-m", *line.split()], cwd=folder, check=True)


@at_length
def test_the_jobs_on_gitlab_agree_about_what_is_left_out(to_build, tmp_path, monkeypatch):
    """As the page has them: one builds, and the component checks in a container of its own."""
    (jobs,) = blocks(".gitlab-ci.yml")
    mkdocs(jobs["build"]["script"], to_build)
    kept = jobs["build"]["artifacts"]["paths"]
    folder = handed_on(to_build, kept, tmp_path, monkeypatch)
    (component,) = jobs["include"]
    code, output = run_job(folder, **component["inputs"])
    assert (code, "as the build decided" in output) == (0, True), output
    (folder / "sitemap-report.json").unlink()  # without it, each page that is left out is a finding
    assert run_job(folder, **component["inputs"])[0] == 1


@at_length
def test_the_component_hands_the_report_of_its_own_build_on(to_build, tmp_path, monkeypatch):
    """`build` and `check` of the component, in two jobs, without an option of the project."""
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-d", "public"], cwd=to_build, check=True
    )
    (to_build / "sitemap-report.json").unlink()
    assert run_job(to_build, command="build")[0] == 0
    _, jobs = yaml.safe_load_all(COMPONENT.read_text("utf-8"))
    (job,) = jobs.values()
    assert job["artifacts"]["paths"] == ["$[[ inputs.site ]]", "$[[ inputs.report ]]"]
    kept = ["public", "sitemap-report.json"]
    folder = handed_on(to_build, kept, tmp_path, monkeypatch)
    code, output = run_job(folder, command="check")
    assert (code, "as the build decided" in output) == (0, True), output


@at_length
def test_the_jobs_on_github_agree_about_what_is_left_out(to_build, tmp_path, monkeypatch):
    """As the page says, with one artifact; without the clone too, since the report is named."""
    mkdocs(["mkdocs build --strict"], to_build)
    kept = ["site", "sitemap-report.json"]
    page = (ROOT / "docs" / "hosting" / "check-in-ci.md").read_text("utf-8")
    args = "--report sitemap-report.json"
    assert f"`args: {args}`" in " ".join(page.split())
    inputs = {"command": "check", "site": "site", "args": args}
    folder = handed_on(to_build, kept, tmp_path, monkeypatch)
    alone = copied(folder, tmp_path / "alone")
    for path in alone.iterdir():
        if path.name not in kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for each in (folder, alone):
        code, output = act(each, **inputs)
        assert (code, "as the build decided" in output) == (0, True), output


def test_the_action_runs_no_module_of_the_checkout(tmp_path):
    """Where it installs the command itself, and a pull request has files named like modules."""
    wheel = tmp_path / "mkdocs_sitemap_plus-1-py3-none-any.whl"
    about = "mkdocs_sitemap_plus-1.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("mkdocs_sitemap_plus.py", "def command(): print('Checked.')")
        archive.writestr(f"{about}/METADATA", "Name: mkdocs-sitemap-plus\nVersion: 1\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        script = "[console_scripts]\nmkdocs-sitemap-plus = mkdocs_sitemap_plus:command\n"
        archive.writestr(f"{about}/entry_points.txt", script)
        archive.writestr(f"{about}/RECORD", "")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("ensurepip", "logging", "mkdocs_sitemap_plus", "pip", "platform", "venv"):
        run_it = f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\n"
        (checkout / f"{name}.py").write_text(run_it)
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    machine = {
        "GITHUB_ACTION_PATH": str(wheel),
        "PATH": f"{python.parent}{os.pathsep}{os.defpath}",
        "PIP_NO_INDEX": "1",
        "PYTHONPATH": "",
        "RUNNER_TEMP": str(tmp_path),
    }
    code, output = act(checkout, machine, command="check")
    assert (code, output) == (0, "Checked.\n")
    assert not (tmp_path / "ran").exists()


def test_the_action_uses_no_expression_in_a_script():
    """Inputs reach scripts by the environment alone, and the action uses no other action."""
    (step,) = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]
    assert "${{" not in step["run"]
    assert "uses" not in step
    _, jobs = yaml.safe_load_all(COMPONENT.read_text("utf-8"))
    assert "$[[" not in str([job["script"] for job in jobs.values()])


def test_the_docs_use_what_there_is():
    """Every input has its row, and every snippet names the version of the package."""
    text = (ROOT / "docs" / "hosting" / "check-in-ci.md").read_text("utf-8")
    _, action, component = text.split("## The ")
    inputs = yaml.safe_load(ACTION.read_text("utf-8"))["inputs"]
    assert set(re.findall(r"^\| `([\w-]+)` \|", action, re.MULTILINE)) == set(inputs)
    spec, _ = yaml.safe_load_all(COMPONENT.read_text("utf-8"))
    named = set(re.findall(r"`([\w-]+)`", component))
    assert set(spec["spec"]["inputs"]) - named - set(inputs) == set()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    named = re.findall(r"sitemap-plus(?:@v|/v|==|/sitemap@v)(\d[\d.]*)", text)
    assert set(named) == {version}
    assert len(named) == 2
    for block in re.findall(r"```yaml.*?\n(.*?)```", text, re.DOTALL):
        given = re.findall(r"^ *with:\n((?: +[\w-]+: .*\n)+)", block, re.MULTILINE)
        ours = [part for part in given if "command:" in part]
        names = {name for part in ours for name in re.findall(r"^ +([\w-]+):", part, re.MULTILINE)}
        assert names <= set(inputs)


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
USES = re.compile(r"uses: (?P<action>[\w./-]+)@(?P<commit>[0-9a-f]{40}) # (?P<version>v[\d.]+)$")


def jobs_of(workflow):
    """The jobs of a workflow."""
    return yaml.safe_load(workflow.read_text("utf-8"))["jobs"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_only_what_its_jobs_need(workflow):
    """No permission for all jobs, no expression in a script, no token left by the checkout."""
    loaded = yaml.safe_load(workflow.read_text("utf-8"))
    assert loaded["permissions"] == {}
    for job in loaded["jobs"].values():
        assert job["permissions"].keys() <= {"contents", "id-token"}
        assert job["permissions"].get("contents", "read") == "read"
        assert job["timeout-minutes"]
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_actions_are_pinned_by_one_commit_each():
    """With the version beside it, in the workflows and in the docs."""
    pinned = {}
    pages = [*WORKFLOWS, *sorted((ROOT / "docs" / "hosting").glob("*.md"))]
    for path in pages:
        for line in re.findall(r"uses: .*", path.read_text("utf-8")):
            if not line.startswith(("uses: ./", "uses: mkdocs-sitemap-plus/")):
                found = USES.fullmatch(line)
                assert found, (path.name, line)
                pinned.setdefault(found["action"], set()).add((found["commit"], found["version"]))
    assert len(pinned) > 4
    assert all(len(each) == 1 for each in pinned.values()), pinned


def test_the_workflow_tests_each_version_and_system_that_is_promised():
    """The classifiers name the versions of Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    promised = [
        each.rpartition(" ")[2] for each in project["classifiers"] if ":: Python :: 3." in each
    ]
    matrix = jobs_of(ROOT / ".github" / "workflows" / "ci.yml")["test"]["strategy"]["matrix"]
    assert matrix["python"] == promised
    assert [each.partition("-")[0] for each in matrix["os"]] == ["ubuntu", "macos", "windows"]


@pytest.mark.parametrize(
    ("tag", "heading", "code"),
    [
        ("v{0}", "## [{0}] - 2026-11-22", 0),
        ("v{0}", "## [Unreleased]", 1),
    ],
)
def test_a_release_has_the_version_of_its_tag(tmp_path, tag, heading, code):
    """Else the workflow stops before anything is built."""
    steps = jobs_of(ROOT / ".github" / "workflows" / "release.yml")["build"]["steps"]
    (script,) = (step["run"] for step in steps if "changelog" in step.get("name", ""))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading.format(version)}\n")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"GITHUB_REF_NAME": tag.format(version), "PATH": path},
        check=False,
    )
    assert done.returncode == code


NOXFILE = (ROOT / "noxfile.py").read_text("utf-8")
SESSIONS = set(re.findall(r"^@nox\.session.*\n(?:@.*\n)*def (\w+)\(", NOXFILE, re.MULTILINE))


def sessions_in(text):
    """The sessions that follow `nox -s` in a text."""
    return set(" ".join(re.findall(r"\bnox\b[^`\n]*? -s ([a-z]+(?: [a-z]+)*)", text)).split())


def test_workflows_and_pages_run_sessions_that_there_are():
    """What CI, a hook or a page asks nox for is a session."""
    contributing = ROOT / "CONTRIBUTING.md"
    files = [ROOT / ".ci" / "run", ROOT / ".pre-commit-config.yaml", contributing, *WORKFLOWS]
    for path in [*files, ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md"]:
        assert sessions_in(path.read_text("utf-8")) <= SESSIONS, path


def test_each_session_says_what_it_does():
    """`nox -l`, to which CONTRIBUTING sends, prints a sentence for each."""
    functions = {
        node.name: node for node in ast.parse(NOXFILE).body if hasattr(node, "decorator_list")
    }
    assert all(ast.get_docstring(functions[session]) for session in SESSIONS)
