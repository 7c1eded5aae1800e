"""What robots.txt forbids. Protego decides that; here is what is ours."""

import pytest

from mkdocs_sitemap_plus.command.reader.client import read_robots

URL = "https://example.com"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /\nAllow: /p*.html$\n", "/page.html", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nAllow: /\n", "/", True),
        ("\ufeffuser-AGENT : *\r\n DISALLOW:/\r\n", "/", False),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        ("User-agent: *\nDisallow: /\n" + "#" * 600_000 + "\nAllow: /\n", "/", False),
        ("<!doctype html><p>404", "/", True),
    ],
)
def test_a_robots_txt_is_read_as_search_engines_read_it(text, path, allowed):
    """The longest rule counts, a byte order mark does not, nor what is after 500 KiB."""
    assert read_robots(text.encode()).allows("Googlebot", URL + path) is allowed


def test_sitemaps_come_with_their_lines():
    """They belong to no group (RFC 9309 2.2.4)."""
    robots = read_robots(b"Sitemap: https://example.com/s.xml\n\nUser-agent: *\nsitemap: /t.xml\n")
    assert robots.sitemaps == ((1, "https://example.com/s.xml"), (4, "/t.xml"))


@pytest.mark.parametrize("delay", ["", "-1", "nan", "inf", "1,5", "\u00b2"])
def test_a_delay_is_a_number_of_seconds(delay):
    """Or none, so that a robots.txt can't stop the check by it."""
    text = f"User-agent: *\nCrawl-delay: {delay}\n\nUser-agent: our-bot\nCrawl-delay: 1.5"
    robots = read_robots(text.encode())
    assert (robots.delay("a"), robots.delay("our-bot")) == (0, 1.5)
