"""Write files again and again, each time stopped by a signal at one operation further on."""

import os
import shutil
import signal
import sys
from itertools import count

WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir")


def _signal_at(number, folder, kind):
    """Send this process a signal before its n-th operation on a file of that folder."""
    operations = count(1)

    def watch(event, arguments):
        watched = event in WATCHED and str(arguments[0]).startswith(str(folder))
        if watched and next(operations) == number:
            os.kill(os.getpid(), kind)

    sys.addaudithook(watch)


def stop_at_each_operation(root, write, kind, step=1):
    """Call `write` in a fork with a copy of ``old``, for each operation, until one ends by itself.

    `root` gets a folder for each `step`-th operation, named by its number, as the signal left it;
    the last one, ``whole``, was written to its end.
    """
    for number in count(1, step):
        folder = root / str(number)
        shutil.copytree(root / "old", folder)
        child = os.fork()
        if child == 0:
            if kind == signal.SIGINT:  # without the traceback of a KeyboardInterrupt
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            _signal_at(number, folder, kind)
            write(folder)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            folder.rename(root / "whole")
            break
