"""Build a site again and again in one process, as `mkdocs serve` does.

Usage: python rebuilds.py TIMES

It is run in a repository with a mkdocs.yml. Before each build a page is edited, and before every
fifth the edit is committed. After a half and at the end it prints what this process holds, as JSON.
"""

import gc
import json
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from processes import child_processes

URL = "http://127.0.0.1:8000/"


def held():
    """Memory in KiB, objects, open files, threads and processes."""
    gc.collect()
    status = dict(
        line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines()
    )
    return {
        "memory": int(status["VmRSS"].split()[0]),
        "objects": len(gc.get_objects()),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "threads": int(status["Threads"]),
        "processes": len(child_processes()),
    }


def main():
    """Edit, commit, build."""
    times = int(sys.argv[1])
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory() as site_dir:
        for number in range(times):
            Path("docs/a.md").write_text(f"---\npriority: 0.{number % 9}\n---\n# A {number}\n")
            if number % 5 == 0:
                subprocess.run(["git", "commit", "-qam", "Edit"], check=True)
            config = load_config("mkdocs.yml", site_dir=site_dir)
            config.site_url = URL
            config.plugins.on_startup(command="serve", dirty=False)
            build(config, serve_url=URL)
            config.plugins.on_shutdown()
            if number + 1 in (times // 2, times):
                sys.stdout.write(json.dumps(held()) + "\n")


if __name__ == "__main__":
    main()
