"""A real web server on this machine, with the answers of a test."""

import socket
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import SystemRandom

CLOSE = "close the connection without a word"
HANG = "say nothing for longer than anybody waits"


class Web:
    """Serves `pages` by path; keeps all requests.

    A page is bytes, a status, or a status with headers and bytes, `CLOSE` or `HANG`; of a list the
    first is taken each time, and the last stays.
    """

    def __init__(self):
        """Listen on a free port."""
        self.pages = {}
        self.requests = []
        self.done = threading.Event()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                size = int(self.headers.get("Content-Length", 0))
                web.requests.append((self.command, self.path, self.headers, self.rfile.read(size)))
                web.answer(self)

            do_GET = do_POST = answer  # noqa: N815 - names of http.server

            def log_message(self, *_):
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        self.host = self.url[7:-1]
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, handler):
        """Answer one request."""
        page = self.pages.get(handler.path, 404)
        if isinstance(page, list):
            page = page.pop(0) if len(page) > 1 else page[0]
        if page is CLOSE:
            handler.close_connection = True
            return
        if page is HANG:
            self.done.wait(30)
            return
        if callable(page):
            page(handler)
            return
        status, headers, body = page if isinstance(page, tuple) else (page, {}, b"")
        if isinstance(page, bytes):
            status, body = 200, page
        handler.send_response(status)
        headers = {"Content-Length": str(len(body)), **headers}
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    def paths(self):
        """The path of each request, in order."""
        return [path for _, path, _, _ in self.requests]

    def posts(self):
        """The body of each POST, in order."""
        return [body for command, _, _, body in self.requests if command == "POST"]

    def stop(self):
        """End the server, and all that hangs."""
        self.done.set()
        self.server.shutdown()
        self.server.server_close()


def trickle(handler):
    """Send one byte after the other, for longer than a test waits."""
    handler.close_connection = True
    handler.send_response(200)
    handler.end_headers()
    drip(handler.connection, b"x")


def drip(connection, piece, pieces=300):
    """Send the same some hundred times, with a pause after each."""
    with suppress(OSError):
        for _ in range(pieces):
            connection.sendall(piece)
            time.sleep(0.01)


def free_port():
    """A port that nobody listens on, and that the system gives to nobody who asks for any."""
    for port in SystemRandom().sample(range(20_000, 32_000), 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError


@contextmanager
def speaking(speak):
    """A server on loopback that answers each request with `speak(socket)`: yields its port."""
    done = threading.Event()

    def run():
        while not done.is_set():
            with suppress(OSError):
                client, _ = server.accept()
                with client:
                    client.recv(9999)
                    speak(client)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            done.set()
            thread.join()
