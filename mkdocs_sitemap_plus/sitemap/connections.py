"""Connections to web servers, with one deadline for all of a request.

Of the HTTP libraries for threads, none ends a request at a deadline: the time limits of urllib3,
requests and httpx begin anew with each byte that arrives, so a server that sends one byte now and
then holds them for ever. Those for asyncio have such a deadline, but would bring five packages or
more into the environment of every build. So this is `http.client` with a clock.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import BadStatusLine, HTTPConnection, HTTPResponse, HTTPSConnection
from io import BufferedReader, RawIOBase
from queue import Empty, SimpleQueue
from selectors import EVENT_READ, DefaultSelector
from socket import SHUT_RDWR, SOCK_STREAM, create_connection, getaddrinfo, socket
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Clock:
    """The time that a server has: for its next byte, and for all of a request."""

    def __init__(self, silence: float, total: float) -> None:
        """Begin now. Both are seconds."""
        self.silence = silence
        self.total = total
        self._end = monotonic() + total

    @property
    def is_over(self) -> bool:
        """Whether the time for all of the request has passed."""
        return monotonic() >= self._end

    def left(self) -> float:
        """Return the seconds to wait for the next byte; raise a TimeoutError at the deadline."""
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError
        return min(self.silence, left)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let the time in the block not count."""
        start = monotonic()
        try:
            yield
        finally:
            self._end += monotonic() - start

    @contextmanager
    def hurrying(self, seconds: float) -> Iterator[None]:
        """Move the deadline so many seconds from now, if it is later, until the block ends."""
        end = self._end
        self._end = min(end, monotonic() + seconds)
        try:
            yield
        finally:
            self._end = end


class _TimedReader(RawIOBase):
    """The bytes of a connection. A read ends at the deadline, so that no answer is endless."""

    def __init__(self, raw: RawIOBase, connection: socket, clock: Clock) -> None:
        self._raw, self._connection, self._clock = raw, connection, clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        self._connection.settimeout(self._clock.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedConnection(HTTPConnection):
    """A connection, to a server or a proxy, that is opened and read only until the deadline."""

    clock: Clock  # of the request for which the connection is used

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.response_class = self._timed_response  # type: ignore[assignment] # any callable will do
        self._create_connection = self._connected  # the hook of http.client

    def _connected(self, address: tuple[str, int], *_: object) -> socket:
        """Connect to the first address of the host that answers. All addresses share the time."""
        failed = OSError("the host has no address")
        for ip in _addresses(*address, self.clock):
            try:
                return create_connection((ip, address[1]), self.clock.left())
            except OSError as error:
                failed = error
        raise failed

    def _timed_response(self, connection: socket, *arguments: Any, **options: Any) -> HTTPResponse:  # noqa: ANN401 - those of http.client
        response = HTTPResponse(connection, *arguments, **options)
        raw = response.fp.detach()
        response.fp = BufferedReader(_TimedReader(raw, connection, self.clock))
        return response


class _TimedHttpsConnection(_TimedConnection, HTTPSConnection):
    """The same with TLS. The timeout of the socket also ends the handshake."""


def _addresses(host: str, port: int, clock: Clock) -> list[str]:
    """Return the IP addresses of a host. Nothing can stop the system's search, so it has a thread.

    Raises OSError, of which TimeoutError is a kind, and UnicodeError if no host has such a name.
    """
    found: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def search() -> None:
        try:
            answers = getaddrinfo(host, port, type=SOCK_STREAM)
            found.put([str(address[0]) for *_, address in answers])
        except (OSError, UnicodeError) as error:
            found.put(error)

    Thread(target=search, daemon=True).start()
    try:
        addresses = found.get(timeout=clock.left())
    except Empty:
        raise TimeoutError from None
    if isinstance(addresses, Exception):
        raise addresses
    return addresses


class _Route(NamedTuple):
    """Where a request is sent: to the host of its URL, or to a proxy."""

    scheme: str
    host: str  # with the port, if the URL has one
    proxy: str | None  # host and port
    proxy_headers: Mapping[str, str]

    def connection(self) -> _TimedConnection:
        """Return a connection that is not open yet."""
        kind = _TimedHttpsConnection if self.scheme == "https" else _TimedConnection
        connection = kind(self.proxy or self.host)
        if self.proxy and self.scheme == "https":
            connection.set_tunnel(self.host, headers=self.proxy_headers)
        return connection


def _route_of(url: str) -> _Route:
    """Return where the request for a URL is sent. The environment names the proxy, if any."""
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if not proxy or proxy_bypass(parts.netloc):
        return _Route(parts.scheme, parts.netloc, None, {})
    user, _, host = urlsplit(proxy if "://" in proxy else f"//{proxy}").netloc.rpartition("@")
    headers = {}
    if user:
        secret = b64encode(unquote(user).encode()).decode("ascii")
        headers["Proxy-Authorization"] = f"Basic {secret}"
    return _Route(parts.scheme, parts.netloc, unquote(host), headers)


class Session:
    """Requests of one thread. The connection to the last host stays open until the next request."""

    def __init__(self) -> None:
        """Begin without a connection."""
        self._connection: _TimedConnection | None = None
        self._route: _Route | None = None

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self.close()

    def request(
        self, url: str, headers: Mapping[str, str], clock: Clock, data: bytes | None = None
    ) -> HTTPResponse:
        """Return the answer, without having read its body. With `data`, POST it.

        Raises OSError, HTTPException, and ValueError for what http.client can't read.
        """
        route = _route_of(url)
        target, method = url.partition(f"://{route.host}")[2] or "/", "GET"
        if route.proxy and route.scheme == "http":
            target, headers = url, {**route.proxy_headers, **headers}
        if data is not None:
            method = "POST"
        kept = self._kept(route)
        if kept:
            # A server may close the connection just now, without having read the request.
            with suppress(ConnectionError, BadStatusLine):
                return self._answer(kept, clock, method, target, data, headers)
            self.close()
        self._connection, self._route = route.connection(), route
        return self._answer(self._connection, clock, method, target, data, headers)

    def _kept(self, route: _Route) -> _TimedConnection | None:
        """Return the open connection. It is closed if it can't be used for this request.

        If something can be read, the server has closed it, or has sent more than its answer.
        """
        connection = self._connection
        if connection is None or connection.sock is None or route != self._route:
            self.close()
            return None
        with DefaultSelector() as selector:
            selector.register(connection.sock, EVENT_READ)
            is_readable = bool(selector.select(0))
        if is_readable:
            self.close()
            return None
        return connection

    def _answer(
        self,
        connection: _TimedConnection,
        clock: Clock,
        *request: Any,  # noqa: ANN401 - those of http.client
    ) -> HTTPResponse:
        connection.clock = clock
        if connection.sock:
            connection.sock.settimeout(clock.left())
        connection.request(*request)
        return connection.getresponse()

    def close(self) -> None:
        """Close the connection, if one is open."""
        if self._connection:
            self._connection.close()
        self._connection = None

    def abort(self) -> None:
        """End the request that another thread is waiting for, if it is connected."""
        connection = self._connection
        if connection and (open_socket := connection.sock):
            with suppress(OSError):  # past the methods of TLS, which this thread must not use
                socket.shutdown(open_socket, SHUT_RDWR)
