"""Build a site with MkDocs again and again, each time stopped by a signal: see killed.py.

Usage: python killed_build.py SIGNAL STEP FOLDER

FOLDER has a site under ``source``, and what an earlier build made of it under ``old``.
"""

import logging
import signal
import sys
from pathlib import Path

from killed import stop_at_each_operation
from mkdocs.commands.build import build
from mkdocs.config import load_config


def main():
    """The configuration is read once, before the forks."""
    kind, step, root = signal.Signals[sys.argv[1]], int(sys.argv[2]), Path(sys.argv[3])
    logging.disable(logging.CRITICAL)
    config = load_config(str(root / "source" / "mkdocs.yml"))

    def write(folder):
        config.site_dir = str(folder)
        build(config)

    stop_at_each_operation(root, write, kind, step)


if __name__ == "__main__":
    main()
