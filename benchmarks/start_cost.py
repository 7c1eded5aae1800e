"""What the plugin costs before there is anything to do: its import, and a build of one empty page.

Usage: python benchmarks/start_cost.py [--rounds N]

Each pair of processes runs in turns: MkDocs alone, then with the plugin. The figures are the
processor's time of whole processes, user and system, with the median of the differences.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORTS = {
    "without": "import mkdocs.commands.build, mkdocs.config, mkdocs.plugins",
    "with": (
        "import mkdocs.commands.build, mkdocs.config, mkdocs.plugins, mkdocs_sitemap_plus.plugin"
    ),
}


def cost(*arguments):
    """Run Python with the arguments, and return the milliseconds of processor's time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def site(folder, plugins):
    """Write a site of one empty page, committed to git, and return its mkdocs.yml."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/index.md").write_text("", encoding="utf-8")
    config = folder / "mkdocs.yml"
    config.write_text(
        f"site_name: One page\nsite_url: https://example.com/\nplugins: {plugins}\n",
        encoding="utf-8",
    )
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    return config


def build(config):
    """Build the site, and return the milliseconds of processor's time it took."""
    return cost("-m", "mkdocs", "build", "-q", "-f", str(config))


def show(name, without, with_plugin):
    """Print the medians, and the median of what the plugin adds."""
    added = [b - a for a, b in zip(without, with_plugin, strict=True)]
    print(
        f"{name}: {statistics.median(without):.0f} ms without, "
        f"{statistics.median(with_plugin):.0f} ms with, {statistics.median(added):.0f} ms more"
    )


def main():
    """Measure both, in turns."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = range(parser.parse_args().rounds)
    with tempfile.TemporaryDirectory() as folder:
        # Modules are compiled once, as after an installation.
        os.environ |= {"NO_MKDOCS_2_WARNING": "1", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        cost("-c", IMPORTS["with"])
        pairs = [(cost("-c", IMPORTS["without"]), cost("-c", IMPORTS["with"])) for _ in rounds]
        show("import", *zip(*pairs, strict=True))
        plain, ours = (
            site(Path(folder, name), plugins)
            for name, plugins in (("plain", "[]"), ("ours", "[sitemap-plus]"))
        )
        build(ours)
        pairs = [(build(plain), build(ours)) for _ in rounds]
    show("build of one empty page", *zip(*pairs, strict=True))


if __name__ == "__main__":
    main()
