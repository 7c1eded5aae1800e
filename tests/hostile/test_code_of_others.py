"""A project of strangers, with code at each place where Python or MkDocs would look for some.

`SECURITY.md` says which subcommands run none of it.
"""

import sys
from pathlib import Path

import pytest
from quantity import one_in
from sites import SiteMaker, run

SCRIPT = Path(sys.executable).with_name("mkdocs-sitemap-plus")
THIRD_PARTIES = ("click", "dateutil", "idna", "jinja2", "mkdocs", "pathspec", "yaml", "urllib3")
CALLS = (
    "check",
    "diff site old.xml",
    "dates -o dates.json",
    "explain --all",
    "explain index.md",
    "submit --all --dry-run --key 2f5c0e1b7a9d4863",
    "index site --url https://web.example/ -o index.xml",
    "report site -o report.html",
)

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the script is not installed")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A built site, and then the code: modules, a hook, a function, and tags of YAML."""
    site = SiteMaker(tmp_path_factory.mktemp("strangers"))
    site.docs({"index.md": "# Home"})
    site.config()
    site.commit()
    site.build()
    run_it = f"open({str(site.folder / 'ran')!r}, 'a').write(__name__ + ' ')\ndef f(*_): pass\n"
    names = (*sys.stdlib_module_names, *THIRD_PARTIES, "mkdocs_sitemap_plus", "sitecustomize", "h")
    site.write({f"{name}.py": run_it for name in names})
    site.config("transform: h:f", more="hooks: [h.py]\nextra: !!python/object/apply:h.f []\n")
    site.write({"old.xml": site.folder.joinpath("site/sitemap.xml").read_bytes()})
    return site.folder


@one_in(4)
@pytest.mark.parametrize("call", CALLS)
def test_a_subcommand_that_only_reads_runs_no_code_of_the_project(project, call):
    """Each does its work, and no file of the project was run."""
    done = run(SCRIPT, *call.split(), cwd=project, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (project / "ran").exists()
