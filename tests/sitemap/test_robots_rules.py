"""What robots.txt forbids, as RFC 9309 and the search engines read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from mkdocs_sitemap_plus.sitemap.robots import read_robots

URL = "https://example.com"


def allows(text, path, crawler="Googlebot"):
    return read_robots(text.encode()).allows(crawler, URL + path)


@pytest.mark.parametrize(
    ("rule", "path", "fits"),
    [
        ("/fish", "/fish", True),
        ("/fish", "/fishheads/yummy.html", True),
        ("/fish", "/Fish.asp", False),
        ("/fish", "/catfish", False),
        ("/fish*", "/fish.html", True),
        ("/fish/", "/fish", False),
        ("/*.php", "/filename.php?parameters", True),
        ("/*.php", "/windows.PHP", False),
        ("/*.php$", "/folder/filename.php", True),
        ("/*.php$", "/filename.php/", False),
        ("/*.php$", "/a.php.php", True),
        ("/fish*.php", "/fishheads/catfish.php?parameters", True),
        ("/fish*.php", "/Fish.PHP", False),
        ("/a*a", "/a", False),
        ("/a*a$", "/a", False),
        ("/a$", "/a", True),
        ("/a$", "/ab", False),
        ("/a$b", "/a$b", True),
        ("/", "/anything", True),
        ("*", "/anything", True),
        ("/ü", "/%C3%BC/", True),
        ("/%c3%bc", "/%C3%BC/", True),
        ("/%7Ejoe", "/~joe/", True),
        ("/a%2Fb", "/a/b", False),
        ("/?id", "/?id=1", True),
        ("/?", "/?", True),
        ("/?", "?a=1", True),
        ("/$", "", True),
        ("", "/", False),
        ("/ # not this", "/this", True),
    ],
)
def test_a_rule_fits_paths_as_google_documents_it(rule, path, fits):
    """Google's own table of examples, and what RFC 9309 2.2.2 adds on escapes."""
    assert allows(f"User-agent: *\nDisallow: {rule}\n", path) is not fits


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nAllow: /p\nDisallow: /\n", "/page", True),
        ("User-agent: *\nDisallow: /\nAllow: /p\n", "/page", True),
        ("User-agent: *\nAllow: /folder\nDisallow: /folder\n", "/folder/page", True),
        ("User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "/page.htm", False),
        ("User-agent: *\nAllow: /$\nDisallow: /\n", "/", True),
        ("User-agent: *\nAllow: /$\nDisallow: /\n", "/page.htm", False),
        ("Disallow: /\n", "/", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nAllow: /\n", "/", True),
        ("User-agent: Otherbot\nDisallow: /\n", "/", True),
        ("User-agent: Otherbot\nUser-agent: Googlebot/2.1\nDisallow: /\n", "/", False),
        ("User-agent: *\n\nSitemap: x\nCrawl-delay: 1\n\nDisallow: /\n", "/", False),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "/a", False),
        ("\ufeffuser-AGENT : *\r\n DISALLOW:/\r\n", "/", False),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        ("User-agent: *\nDisallow: /\n" + "#" * 600_000 + "\nAllow: /\n", "/", False),
        ("<!doctype html><p>404", "/", True),
    ],
)
def test_of_several_rules_the_longest_counts(text, path, allowed):
    """Of two that are equally long the kinder one; the crawler's own group before that for all."""
    assert allows(text, path) is allowed


PATHS = st.text("/ab.?=~-*$", max_size=6).map(lambda text: "/" + text)
# Protego does not count a "*" at the end when it asks which rule is longer; Google's parser does.
PATTERNS = PATHS.map(lambda text: text.rstrip("*"))
RULES = st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), PATTERNS), max_size=5)


@given(RULES, RULES, PATHS)
def test_protego_says_the_same(for_all, for_google, path):
    """The parser of Scrapy, for two groups of any rules."""
    groups = {"*": for_all, "Googlebot": for_google} if for_google else {"*": for_all}
    text = "".join(
        f"User-agent: {name}\n" + "".join(f"{key}: {value}\n" for key, value in rules)
        for name, rules in groups.items()
    )
    url = URL + path.replace("*", "x").replace("$", "y")
    assert read_robots(text.encode()).allows("Googlebot", url) == Protego.parse(text).can_fetch(
        url, "Googlebot"
    )


def test_sitemaps_come_with_their_lines():
    """They belong to no group (RFC 9309 2.2.4)."""
    robots = read_robots(b"Sitemap: https://example.com/s.xml\n\nUser-agent: *\nsitemap: /t.xml\n")
    assert robots.sitemaps == ((1, "https://example.com/s.xml"), (4, "/t.xml"))
