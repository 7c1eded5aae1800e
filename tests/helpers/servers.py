"""Real servers: the development server with what it prints, and one for built sites."""

import gzip
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from sitemap_xml import read_entries
from sites import clean_environment
from web import free_port


class Server:
    """A real ``mkdocs serve``; its lines come as they are printed."""

    def __init__(self, folder, *arguments):
        """Start it on a free port."""
        self.url = f"http://127.0.0.1:{free_port()}/"
        self.lines = []
        self.arrived = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-um", "mkdocs", "serve", "-a", self.url[7:-1], *arguments],
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            self.arrived.put(line)
        self.arrived.put(None)

    def wait_for(self, pattern):
        """Wait until a line says so."""
        until = time.monotonic() + 120
        while True:
            line = self.arrived.get(timeout=max(until - time.monotonic(), 0.01))
            assert line is not None, "".join(self.lines)
            if re.search(pattern, line):
                return

    def get(self, path):
        """What it answers."""
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:  # noqa: S310
            return answer.read()

    def locs(self):
        """Its sitemap."""
        data = self.get("sitemap.xml")
        assert gzip.decompress(self.get("sitemap.xml.gz")) == data
        return [entry["loc"].removeprefix(self.url) for entry in read_entries(data)]

    def stop(self):
        """End it, as a user does; returns all that it printed."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        return "".join(self.lines)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def served():
    """A server on loopback for a site that is not built yet: yields its URL and `show(folder)`."""
    shown = {}

    def handler(*arguments):
        return _Quiet(*arguments, directory=shown["folder"])

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield (
                f"http://127.0.0.1:{server.server_port}/",
                lambda folder: shown.update(folder=str(folder)),
            )
        finally:
            server.shutdown()
            thread.join()
