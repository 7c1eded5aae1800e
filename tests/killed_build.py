"""Build a site with MkDocs again and again, each time killed at one operation on files further on.

Usage: python killed_build.py SIGNAL STEP FOLDER

FOLDER has a site under ``source``, and what an earlier build made of it under ``old``. For each
STEP-th operation on a file of the built site it gets a folder, named by the number of the
operation, as the signal left it; the last one, ``whole``, was built to its end.
"""

import logging
import os
import shutil
import signal
import sys
from itertools import count
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir")


def signal_at(number, folder, kind):
    """Send this process a signal before its n-th operation on a file of that folder."""
    operations = count(1)

    def watch(event, arguments):
        watched = event in WATCHED and str(arguments[0]).startswith(str(folder))
        if watched and next(operations) == number:
            os.kill(os.getpid(), kind)

    sys.addaudithook(watch)


def main():
    """One fork for each operation, until one comes to its end."""
    kind, step, root = signal.Signals[sys.argv[1]], int(sys.argv[2]), Path(sys.argv[3])
    logging.disable(logging.CRITICAL)
    for number in count(1, step):
        folder = root / str(number)
        shutil.copytree(root / "old", folder)
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the traceback of a KeyboardInterrupt
            config = load_config(str(root / "source" / "mkdocs.yml"), site_dir=str(folder))
            signal_at(number, folder, kind)
            build(config)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            folder.rename(root / "whole")
            break


if __name__ == "__main__":
    main()
