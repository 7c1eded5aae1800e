"""Check live pages of a server on this machine: the pace, the connections, and Ctrl-C.

python benchmarks/live_pages.py --pages 5000 --rate 100
"""

import argparse
import asyncio
import json
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

PAGE = b"<!doctype html><title>Page</title><body><h1>Page</h1>" + b"<p>text</p>" * 1000
PROGRAM = [sys.executable, "-m", "mkdocs_sitemap_plus", "check", "--pages", "--format", "json"]


class Server:
    """A web server that stays open for further requests, and counts."""

    def __init__(self, pages: int) -> None:
        """Serve so many pages and their sitemap, on a free port."""
        self.times: list[float] = []
        self.open = self.most = self.connections = 0
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/"
        locs = "".join(f"<url><loc>{self.url}{at}/</loc></url>" for at in range(pages))
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        self.sitemap = f'<urlset xmlns="{space}">{locs}</urlset>'.encode()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def start(self) -> None:
        """Forget what was counted."""
        self.times, self.most, self.connections = [], 0, 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        self.connections += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1]
                if path[1:-1].isdigit():
                    self.times.append(time.monotonic())
                status, body = self.answer(path)
                length = f"Content-Length: {len(body)}"
                writer.write(f"HTTP/1.1 {status}\r\n{length}\r\n\r\n".encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()

    def answer(self, path: bytes) -> tuple[str, bytes]:
        """Return status and body: every hundredth page is gone."""
        if path == b"/sitemap.xml":
            return "200 OK", self.sitemap
        number = path[1:-1]
        if number.isdigit() and int(number) % 100:
            return "200 OK", PAGE
        return "404 Not Found", b"gone"


def check(server: Server, rate: float, interrupt_at: int | None) -> None:
    """Check all pages, and print the figures; or press Ctrl-C after so many pages."""
    server.start()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*PROGRAM, "--rate", str(rate), f"{server.url}sitemap.xml"]
    with tempfile.TemporaryFile() as out, subprocess.Popen(command, stdout=out) as process:
        ended = 0.0
        if interrupt_at is not None:
            while len(server.times) < interrupt_at:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            ended = time.monotonic()
        process.wait()
        ended = time.monotonic() - ended if ended else 0.0
        out.seek(0)
        result = json.load(out)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = server.times[-1] - server.times[0]
    print(f"exit code            {process.returncode}")
    print(f"pages, findings      {result['pages_asked']:,}, {len(result['findings'])}")
    print(f"requests a second    {(len(server.times) - 1) / seconds:.2f} of {rate:g}")
    whole = [int(when) for when in server.times]
    most = max(whole.count(second) for second in set(whole))
    print(f"most in one second   {most}")
    print(f"connections at once  {server.most}, in all {server.connections}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"processor's time     {cpu:.1f} s, memory {after.ru_maxrss // 1024} MiB")
    if interrupt_at is not None:
        print(f"ended after Ctrl-C   {ended:.2f} s")


def main() -> None:
    """Check once to the end, and once with Ctrl-C in the middle."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rate", type=float, default=100.0)
    options = parser.parse_args()
    server = Server(options.pages)
    check(server, options.rate, None)
    print()
    check(server, options.rate, options.pages // 2)


if __name__ == "__main__":
    main()
