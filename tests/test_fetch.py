"""What a real server answers, whatever it does."""

import json
import socket
import threading

import pytest
from servers import free_port
from web import CLOSE, HANG, trickle

from mkdocs_sitemap_plus import fetch
from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.fetch import get, post_json


def error_of(url, limit=1000, timeout=5.0):
    with pytest.raises(SitemapError) as caught:
        get(url, limit=limit, timeout=timeout)
    return str(caught.value)


def test_a_page_is_fetched_as_it_is(web):
    """With the name of the project, and without an encoding that would hide its size."""
    web.pages["/a"] = bytes(range(256))
    response = get(web.url + "a", limit=256)
    assert (response.status, response.body, response.url) == (200, bytes(range(256)), web.url + "a")
    ((_, _, headers, _),) = web.requests
    assert headers["User-Agent"] == "mkdocs-sitemap-plus"
    assert headers["Accept-Encoding"] == "identity"


def test_letters_beyond_ascii_are_escaped(web):
    """A URL is given as a person writes it."""
    web.pages["/%C3%BC%20b?q=%C3%A4"] = b"ok"
    assert get(web.url + "ü b?q=ä", limit=9).body == b"ok"


@pytest.mark.parametrize("status", [204, 404, 410, 500, 503])
def test_every_status_is_an_answer(web, status):
    """It is for others to say what it means to them."""
    web.pages["/"] = (status, {"Retry-After": "7"}, b"")
    response = get(web.url, limit=9)
    assert (response.status, response.retry_after) == (status, "7")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(web, status):
    """Absolute ones and relative ones."""
    web.pages |= {
        "/a/b": (status, {"Location": "../c"}, b""),
        "/c": (status, {"Location": web.url + "d"}, b""),
        "/d": b"here",
    }
    response = get(web.url + "a/b", limit=9)
    assert (response.body, response.url) == (b"here", web.url + "d")


def test_a_circle_of_redirects_ends(web):
    """After five."""
    web.pages["/"] = (302, {"Location": "/"}, b"")
    assert error_of(web.url) == f"{web.url}: is redirected more than 5 times."
    assert len(web.requests) == 6


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1/", "data:,x", "gopher://127.0.0.1/"]
)
def test_redirects_lead_to_the_web_alone(web, target):
    """Never to a file of this machine, or to another protocol."""
    web.pages["/"] = (302, {"Location": target}, b"")
    assert error_of(web.url) == f"{web.url}: is '{target}', which is not an http or https URL."


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("file:///etc/passwd", "which is not an http or https URL"),
        ("http:///x", "which is not an http or https URL"),
        ("http://[1/", "but must be a URL"),
        ("http://a:b/", "but must be a URL"),
    ],
)
def test_only_urls_of_the_web_are_fetched(url, fault):
    """Everything else is told."""
    assert error_of(url) == f"{url}: is '{url}', {fault}."


def test_too_much_is_not_read(web):
    """One byte more than is allowed is too much, however it comes."""
    web.pages["/"] = b"x" * 1001
    assert error_of(web.url) == f"{web.url}: sends more than 1,000 bytes."
    web.pages["/"] = trickle
    assert error_of(web.url, limit=20) == f"{web.url}: sends more than 20 bytes."


def test_a_server_that_says_nothing_is_given_up(web):
    """After the seconds that were asked for."""
    web.pages["/"] = HANG
    assert error_of(web.url, timeout=0.2) == f"{web.url}: does not answer within 0.2 s."


def test_an_answer_that_only_trickles_is_given_up(web, monkeypatch):
    """Each byte is in time, and all of them are not."""
    monkeypatch.setattr(fetch, "MAX_SECONDS", 0.2)
    web.pages["/"] = trickle
    assert error_of(web.url) == f"{web.url}: still sends after 0.2 s."


def test_a_connection_that_is_closed_is_told(web):
    """Without a word of an answer."""
    web.pages["/"] = CLOSE
    told = "Remote end closed connection without response"
    assert error_of(web.url) == f"{web.url}: can't be reached ({told})."


def test_half_an_answer_is_none(web):
    """A sitemap that ends in the middle may still be well-formed to somebody."""
    web.pages["/"] = (200, {"Content-Length": "99"}, b"x" * 9)
    assert error_of(web.url) == f"{web.url}: stops after 9 of 99 bytes."


def test_nobody_there_is_told():
    """As the system says it."""
    url = f"http://127.0.0.1:{free_port()}/"
    assert error_of(url) == f"{url}: can't be reached (Connection refused)."


def test_an_answer_that_is_not_http_is_told():
    """Whatever it is."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        server.settimeout(5)

        def speak():
            client, _ = server.accept()
            with client:
                client.recv(999)
                client.sendall(b"SSH-2.0-OpenSSH\r\n\r\n")

        thread = threading.Thread(target=speak)
        thread.start()
        told = error_of(url)
        thread.join()
    assert told == f"{url}: gives no answer that is HTTP (SSH-2.0-OpenSSH)."


def test_json_is_posted(web):
    """As IndexNow asks for, in UTF-8; a redirect is an answer, and nobody is told elsewhere."""
    web.pages["/in"] = (307, {"Location": web.url}, b"")
    response = post_json(web.url + "in", {"host": "ü.example", "urlList": []})
    assert (response.status, response.location) == (307, web.url)
    ((command, path, headers, body),) = web.requests
    assert (command, path) == ("POST", "/in")
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert json.loads(body.decode()) == {"host": "ü.example", "urlList": []}
