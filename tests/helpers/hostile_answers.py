"""Answers of a web server, from odd to hostile, as the bytes that it sends."""
# ruff: noqa: E501 - tables of bytes

import gzip
import zlib

OK = b"HTTP/1.1 200 OK\r\n"
HTML = b"Content-Type: text/html\r\n"
PAGE = b"<!doctype html><title>A page</title><body>Hello</body>"


def answer(headers=b"", body=PAGE, status=OK):
    return status + b"Content-Length: %d\r\n" % len(body) + headers + b"\r\n" + body


def page(html):
    return answer(HTML, html)


def chunked(body, headers=HTML):
    return OK + headers + b"Transfer-Encoding: chunked\r\n\r\n" + body


STATUS_LINES = [
    b"", b"\r\n\r\n", b"\0" * 100, b"HTTP", b"HTTP/1.1 \r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n",
    b"HTTP/1.1 -200 OK\r\n\r\n", b"HTTP/1.1 1000 OK\r\n\r\n", b"HTTP/1.1 " + b"9" * 5000 + b" OK\r\n\r\n",
    b"HTTP/9.9 200 OK\r\n\r\n", b"HTTP/x 200 OK\r\n\r\n", b"SSH-2.0-x\r\n", b"<html><body>no head",
    b"HTTP/1.1 200 " + b"x" * 70_000 + b"\r\n\r\n", b"HTTP/1.1 200 \x1b[31m\x07\r\n\r\n",
    b"HTTP/1.1 200 OK\n\nbody", b"HTTP/1.1 200 OK\r\rbody", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n" * 9, b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 206 Partial\r\nContent-Range: bytes x\r\n\r\n", b"HTTP/1.1 300 Many\r\n\r\n",
    b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", b"HTTP/1.1 401 No\r\nWWW-Authenticate: \xff\r\n\r\n",
    b"HTTP/1.1 418 " + b"\xff" * 999 + b"\r\n\r\n", b"HTTP/1.1 499 ::error::pwned\r\n\r\n",
]  # fmt: skip
HEADERS = [
    b"Content-Type: text/html; charset*=a\r\n", b"Content-Type: text/html; charset=idna\r\n",
    b'Content-Type: text/html; charset="\r\n', b"Content-Type: text/html; charset=zip\r\n",
    b"Content-Type: text/html; charset=\xff\xfe\r\n", b"Content-Type: text/html; charset=" + b"a" * 6_000 + b"\r\n",
    b"Content-Type:\r\n", b"Content-Type: text/html" + b";" * 500 + b"\r\n", b"Content-Type: =?utf-8?q?=ff?=\r\n",
    b"Content-Encoding: gzip\r\n", b"Content-Encoding: br\r\n", b"Content-Encoding: " + b"gzip, " * 4 + b"\r\n",
    b"X-Robots-Tag: noindex\r\n" * 90, b"X-Robots-Tag: " + b"a:" * 3_000 + b"\r\n",
    b"X-Robots-Tag: unavailable_after: " + b"9" * 5000 + b"\r\n",
    b"X-Robots-Tag: unavailable_after: 0001-01-01T00:00:00+23:59\r\n", b"X-Robots-Tag: \xf0\x9f\x98\x80: none\r\n",
    b"X-Robots-Tag: unavailable_after: Mon, 01 Jan 0000 00:00:00 -2400\r\n", b"Refresh: ;;;\r\n",
    b"Refresh: 0; url=http://[\r\n", b"Refresh: 0; url=" + b"../" * 500 + b"\r\n",
    b"Refresh: 0; url=javascript:alert(1)\r\n", b"Refresh: " + b"9" * 4_000 + b"; url=/\r\n",
    b"Link: <>; rel=canonical\r\n", b"Link: <http://[>; rel=canonical\r\n", b'Link: <a>; rel="canonical\r\n',
    b"Link: " + b'<a>; rel="' * 500 + b"\r\n", b"Link: <http://a:99999/>; rel=canonical\r\n",
    b"Retry-After: " + b"9" * 5000 + b"\r\n", b"Set-Cookie: " + b"a" * 60_000 + b"\r\n",
    b"X: y\r\n" * 150, b"X: " + b"y" * 70_000 + b"\r\n", b": no name\r\n", b"no colon\r\n", b" folded\r\n",
    b"X: a\r\n b\r\n\tc\r\n", b"X\0: y\r\n", b"\xff\xff: \xff\r\n", b"Last-Modified: \xff\r\n",
    b"Keep-Alive: timeout=-1, max=x\r\n", b"Content-Location: http://[\r\n",
]  # fmt: skip
LENGTHS = [
    b"Content-Length: -1\r\n", b"Content-Length: abc\r\n", b"Content-Length: 0x10\r\n",
    b"Content-Length: 5\r\nContent-Length: 9\r\n", b"Content-Length: " + b"9" * 5000 + b"\r\n",
    b"Content-Length: \xb2\r\n", b"Content-Length: 54\r\nTransfer-Encoding: chunked\r\n",
    b"Content-Length: 10\r\n", b"Content-Length: 1000\r\n", b"Transfer-Encoding: \xff\r\n",
]  # fmt: skip
CHUNKS = [
    b"", b"zz\r\nhello\r\n0\r\n\r\n", b"-5\r\nhello\r\n0\r\n\r\n", b"5\r\nhel", b"5\r\nhello0\r\n\r\n",
    b"0\r\n", b"f" * 5000 + b"\r\nx", b"5;ext=" + b"x" * 70_000 + b"\r\nhello\r\n0\r\n\r\n",
    b"5\r\nhello\r\n0\r\n" + b"T: x\r\n" * 500 + b"\r\n", b"5\nhello\n0\n\n", b"1\r\nx\r\n" * 2000,
]  # fmt: skip
REDIRECTS = [
    b"", b"/", b"#", b"http://", b"http://[", b"///", b"http:x", b"http://" + b"a" * 300 + b"/",
    b"http://user:pw@127.0.0.1:1/", b"http://127.0.0.1:99999/", b"\0", b"http://\xff/",
    b"javascript:alert(1)", b"file:///etc/passwd", b"/" + b"a" * 6_000, b"/\x1b[31m",
    b"::error::pwned", b"/%zz", b"http://127.0.0.1:1\\a/", b"\t",
    b"http://xn--" + b"9" * 50 + b"/", b"http://a\xe2\x80\x8b.example:1/",
]  # fmt: skip
PAGES = [
    b"", b"\0", b"\xfe\xff\xd8\x00", b"<", b"<!--", b"<" * 900, b"<!--" * 300, b"<title>" * 300,
    b"<svg>" * 300, b'<meta name="robots" content="' + b"noindex," * 900, b"<a " + b'b="' * 900,
    b"<link rel=canonical href='http://['>", b"<link rel=canonical href='/a'>" * 300, b"&" * 900,
    b"<base href='http://['><link rel=canonical href=x>", b"&#" + b"9" * 9999, b"<table>" * 300,
    b"<meta http-equiv=refresh content='" + b"0" * 4_000 + b";url=/x'>",
    b"<script type=application/ld+json>" + b"[" * 300 + b"</script>x",
    b'<script type=application/ld+json>{"dateModified":"\\ud800"}</script>x',
    b"<meta property=article:modified_time content=" + b"9" * 4_000 + b">x",
    b"<meta name=bingbot content='unavailable_after: " + b"1 " * 300 + b"'>x",
    b"<meta charset=utf-16>\xff", b"<template>" * 300 + b"<meta name=robots content=noindex>",
]  # fmt: skip
PACKED = [
    gzip.compress(PAGE)[:10], gzip.compress(PAGE)[:-4], b"\x1f\x8b", b"\x1f\x8b\x08" + b"\xff" * 99,
    gzip.compress(PAGE) + b"rest", gzip.compress(b""), gzip.compress(bytes(500_000)),
    gzip.compress(gzip.compress(PAGE)), zlib.compress(PAGE), PAGE,
]  # fmt: skip

ANSWERS = [
    *STATUS_LINES,
    *(answer(header) for header in HEADERS),
    *(OK + HTML + length + b"\r\n" + PAGE for length in LENGTHS),
    *(chunked(chunks) for chunks in CHUNKS),
    *(answer(b"Location: " + to + b"\r\n", b"", b"HTTP/1.1 302 x\r\n") for to in REDIRECTS),
    *(page(html) for html in PAGES),
    *(answer(HTML + b"Content-Encoding: gzip\r\n", body) for body in PACKED),
    answer(b"Retry-After: \xb2\r\n", b"", b"HTTP/1.1 503 x\r\n"),
    answer(b"Retry-After: -1\r\n", b"", b"HTTP/1.1 503 x\r\n"),
    answer(HTML) + b"HTTP/1.1 500 an answer that nobody asked for\r\n\r\n",
    answer(HTML) + PAGE * 1000,
]
