"""What a real server answers, whatever it does."""

import gzip
import json
from importlib.metadata import PackageNotFoundError, version

import pytest
from quantity import at_length, one_in
from web import HANG, drip, free_port, speaking, trickle

from mkdocs_sitemap_plus.command.reader import client
from mkdocs_sitemap_plus.command.reader.client import Client
from mkdocs_sitemap_plus.problems import SitemapError


def error_of(url, limit=1000, timeout=60.0):
    with pytest.raises(SitemapError) as caught:
        Client(timeout).get(url, limit)
    return str(caught.value)


def test_a_page_is_fetched_as_it_is(web):
    """With the name of the project, and without an encoding that would hide its size."""
    web.pages["/a"] = bytes(range(256))
    response = Client().get(web.url + "a", 256)
    assert (response.status, response.body) == (200, bytes(range(256)))
    ((_, _, headers, _),) = web.requests
    name, _, address = headers["User-Agent"].partition(" ")
    try:
        assert name == f"mkdocs-sitemap-plus/{version('mkdocs-sitemap-plus')}"
    except PackageNotFoundError:  # a copy of the library alone
        assert name == "mkdocs-sitemap-plus"
    assert address == "(+https://mkdocs-sitemap-plus.readthedocs.io/)"
    assert headers["Accept-Encoding"] == "identity"


def test_letters_beyond_ascii_are_escaped(web):
    """A URL is given as a person writes it."""
    web.pages["/%C3%BC%20b?q=%C3%A4"] = b"ok"
    assert Client().get(web.url + "ü b?q=ä", 9).body == b"ok"


def test_an_answer_that_was_packed_twice_is_a_packed_file(web):
    """The file ``sitemap.xml.gz``, which a server packs once more for the way."""
    data = gzip.compress(b"ok")
    web.pages["/s.xml.gz"] = (200, {"Content-Encoding": "gzip"}, gzip.compress(data))
    web.pages["/twice"] = (200, {"Content-Encoding": "gzip, gzip"}, gzip.compress(data))
    assert Client().get(web.url + "s.xml.gz", 99).body == data
    assert Client().get(web.url + "twice", 99).body == b"ok"


def test_every_status_is_an_answer(web):
    """It is for others to say what it means to them."""
    web.pages["/"] = (503, {"Retry-After": "7"}, b"")
    response = Client().get(web.url, 9)
    assert (response.status, response.headers["Retry-After"]) == (503, "7")


@pytest.mark.parametrize("status", [302, 308])
def test_redirects_are_followed(web, status):
    """Absolute ones and relative ones."""
    web.pages |= {
        "/a/b": (status, {"Location": "../c"}, b""),
        "/c": (status, {"Location": web.url + "d"}, b""),
        "/d": b"here",
    }
    response = Client().get(web.url + "a/b", 9)
    assert response.body == b"here"


def test_a_circle_of_redirects_ends(web):
    """After five."""
    web.pages["/"] = (302, {"Location": "/"}, b"")
    assert error_of(web.url) == f"{web.url}: is redirected more than 5 times."
    assert len(web.requests) == 6


def test_redirects_lead_to_the_web_alone(web):
    """Never to a file of this machine, or to another protocol."""
    web.pages["/"] = (302, {"Location": "file:///etc/passwd"}, b"")
    found = "redirects to 'file:///etc/passwd', which is not an http or https URL"
    assert error_of(web.url) == f"{web.url}: {found}."


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("file:///etc/passwd", "which is not an http or https URL"),
        ("http://a:b/", "but must be a URL"),
    ],
)
def test_only_urls_of_the_web_are_fetched(url, fault):
    """Everything else is an error."""
    assert error_of(url) == f"{url}: is '{url}', {fault}."


def test_too_much_is_not_read(web):
    """One byte more than is allowed is too much, however it comes."""
    web.pages["/"] = b"x" * 1001
    assert error_of(web.url) == f"{web.url}: sends more than 1,000 bytes."
    web.pages["/"] = trickle
    assert error_of(web.url, limit=20) == f"{web.url}: sends more than 20 bytes."


def test_a_silent_server_is_given_up(web):
    """After the seconds that were asked for."""
    web.pages["/"] = HANG
    assert error_of(web.url, timeout=0.2) == f"{web.url}: does not answer within 0.2 s."


STATUS = b"HTTP/1.1 200 OK\r\n"
DRIPPING = {
    "a status line": (b"HTTP/1.1 2", b"0"),
    "a body": (STATUS + b"\r\n", b"x"),
    "a chunked body": (STATUS + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
}
"""What a server can send in small pieces, each in time: what comes first, and what then."""


@one_in(3)
@pytest.mark.parametrize("name", DRIPPING)
@pytest.mark.fault("`check` asks a server that never ends its answer")
def test_an_answer_that_drips_is_given_up(monkeypatch, name):
    """Each part of an answer is bound by the deadline: here 0.2 s of the three that it takes."""
    monkeypatch.setattr(client, "DEADLINE_FACTOR", 0.004)
    first, again = DRIPPING[name]

    def speak(connection):
        connection.sendall(first)
        drip(connection, again)

    with speaking(speak) as port:
        url = f"http://127.0.0.1:{port}/"
        said = error_of(url, limit=1 << 30, timeout=50)
    assert said == f"{url}: gives no whole answer within 0.2 s."


@at_length
def test_a_tls_handshake_that_drips_is_given_up():
    """A server that does not come to the end of its hello blocks no check."""

    def speak(connection):
        connection.sendall(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc")
        drip(connection, b"\0")

    with speaking(speak) as port:
        url = f"https://127.0.0.1:{port}/"
        said = error_of(url, timeout=0.3)
    ends = ("does not answer within 0.3 s.", "gives no whole answer within 1.5 s.")
    assert said in [f"{url}: {end}" for end in ends]


def test_a_long_answer_of_a_server_is_cut(web):
    """A status line, or a line that is no HTTP, is shown in part."""
    with speaking(lambda connection: connection.sendall(b"\x1b" + b"x" * 60_000 + b"\r\n")) as port:
        assert len(error_of(f"http://127.0.0.1:{port}/")) < 400
    web.pages["/"] = lambda handler: handler.wfile.write(
        b"HTTP/1.1 404 " + b"x" * 60_000 + b"\r\n\r\n"
    )
    assert len(Client().get(web.url, 9).answer) < 100


def test_half_an_answer_is_none(web):
    """A sitemap that ends in the middle may still be well-formed to somebody."""
    web.pages["/"] = (200, {"Content-Length": "99"}, b"x" * 9)
    assert error_of(web.url) == f"{web.url}: stops after 9 of 99 bytes."


def test_a_refused_connection_is_an_error():
    """As the system says it."""
    url = f"http://127.0.0.1:{free_port()}/"
    assert error_of(url) == f"{url}: can't be reached (Connection refused)."


def test_an_answer_that_is_not_http_is_an_error():
    """Whatever it is."""
    with speaking(lambda connection: connection.sendall(b"SSH-2.0-OpenSSH\r\n\r\n")) as port:
        url = f"http://127.0.0.1:{port}/"
        assert error_of(url) == f"{url}: gives an answer that is not HTTP (SSH-2.0-OpenSSH)."


def test_json_is_posted(web):
    """As IndexNow asks for, in UTF-8; a redirect is an answer, and nothing is sent elsewhere."""
    web.pages["/in"] = (307, {"Location": web.url}, b"")
    response = Client().post(web.url + "in", {"host": "ü.example", "urlList": []})
    assert (response.status, response.headers["Location"]) == (307, web.url)
    ((command, path, headers, body),) = web.requests
    assert (command, path) == ("POST", "/in")
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert json.loads(body.decode()) == {"host": "ü.example", "urlList": []}


def test_a_proxy_of_the_environment_is_asked(web, monkeypatch):
    """As other programs do; a host in ``no_proxy`` is asked itself."""
    monkeypatch.setenv("http_proxy", web.url)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    web.pages |= {"http://site.example/a": b"by proxy", "/a": b"itself"}
    assert Client().get("http://site.example/a", 99).body == b"by proxy"
    assert Client().get(f"{web.url}a", 99).body == b"itself"
    monkeypatch.setenv("http_proxy", web.url.replace("//", "//me:p%40ss@"))
    Client().get("http://site.example/a", 99)
    *_, (_, _, headers, _) = web.requests
    assert headers["Proxy-Authorization"] == "Basic bWU6cEBzcw=="  # me:p@ss
