"""What a terminal shows."""

import os


def pieces(watcher):
    while True:
        try:
            piece = os.read(watcher, 1000)
        except OSError:  # so Linux says that the other end is closed
            return
        if not piece:
            return
        yield piece


def seen(got):
    """The lines that stand on the terminal in the end: what follows a CR writes over the line."""
    lines = []
    for text in got.replace("\r\n", "\n").split("\n"):
        line = ""
        for piece in text.split("\r"):
            line = piece + line[len(piece) :]
        lines.append(line.rstrip())
    return lines
