"""Print how many lines of this package a call of each door has loaded at its end.

A door is the plugin or a subcommand. Its lines are what somebody may have to know who changes it.
The calls are real: of a site of one page, whose report was kept just before. Modules that a call
does not need are imported later or never, and so do not count.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

AT_END = """
import atexit, sys
at = sys.argv.pop(1)
sys.argv[0] = sys.argv.pop(1)
def show():
    names = [name for name in sys.modules if name.partition(".")[0] == "mkdocs_sitemap_plus"]
    files = {name: sys.modules[name].__file__ for name in names}
    lines = {name: len(open(file, "rb").read().splitlines()) for name, file in files.items()}
    with open(at, "w") as out:
        out.writelines(f"{lines[name]} {name}\\n" for name in sorted(lines))
atexit.register(show)
"""
COMMAND = "from mkdocs_sitemap_plus.cli import command; command()"
MKDOCS = "from mkdocs.__main__ import cli; cli()"
DOORS = {
    "mkdocs build": (MKDOCS, "mkdocs", "build", "-q"),
    "explain": (COMMAND, "mkdocs-sitemap-plus", "explain", "index.md"),
    "check": (COMMAND, "mkdocs-sitemap-plus", "check"),
    "check URL-or-FILE": (COMMAND, "mkdocs-sitemap-plus", "check", "alone.xml"),
    "report": (COMMAND, "mkdocs-sitemap-plus", "report", "site", "-o", "r.html"),
    "dates": (COMMAND, "mkdocs-sitemap-plus", "dates"),
    "diff": (COMMAND, "mkdocs-sitemap-plus", "diff", "site", "site"),
    "index": (COMMAND, "mkdocs-sitemap-plus", "index", "site", "-o", "i.xml"),
    "build": (COMMAND, "mkdocs-sitemap-plus", "build"),
}


def lines_of(door: tuple[str, ...], folder: Path, environment: dict[str, str]) -> dict[str, int]:
    """Return the lines of each module that a call has loaded, by the name of the module."""
    code, *call = door
    out = folder / "loaded.txt"
    program = [sys.executable, "-c", AT_END + code, str(out), *call]
    done = subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert out.exists(), done.stderr
    assert done.returncode in (0, 1), done.stderr
    found = (line.split() for line in out.read_text().splitlines())
    out.unlink()
    return {name: int(lines) for lines, name in found}


def measured(*names: str) -> dict[str, dict[str, int]]:
    """Return the lines of the modules of these doors, or of all."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "project")
        (folder / "docs").mkdir(parents=True)
        (folder / "docs/index.md").write_text("# Home\n")
        (folder / "mkdocs.yml").write_text(
            "site_name: T\nsite_url: https://lighthouse.example/\nplugins: [sitemap-plus]\n"
        )
        environment = os.environ | {"XDG_CACHE_HOME": temporary, "GIT_CONFIG_NOSYSTEM": "1"}
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
        for call in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
            subprocess.run([*git, *call], cwd=folder, env=environment, check=True)
        found = {"mkdocs build": lines_of(DOORS["mkdocs build"], folder, environment)}
        (folder / "alone.xml").write_bytes((folder / "site/sitemap.xml").read_bytes())
        for name in names or DOORS:
            found[name] = lines_of(DOORS[name], folder, environment)
        return found


def main() -> None:
    print("door                  lines  modules")
    for door, modules in measured().items():
        print(f"{door:20} {sum(modules.values()):6,} {len(modules):8}")
        if "-v" in sys.argv:
            for name, lines in sorted(modules.items()):
                print(f"    {lines:5} {name}")


if __name__ == "__main__":
    main()
