"""When two URLs are one, and what some have in common."""

import pytest

from mkdocs_sitemap_plus.sitemap.urls import common_start, url_key


@pytest.mark.parametrize(("path", "same"), [("/a/./b", "/a/b"), ("/a/../b", "/b")])
def test_a_path_with_dots_is_the_one_that_it_leads_to(path, same):
    """As browsers resolve it."""
    assert url_key(f"https://e.example{path}") == url_key(f"https://e.example{same}")


def test_a_path_that_begins_with_two_slashes_has_no_host_in_it():
    """So two such paths are two pages, also if they have dots."""
    assert url_key("https://e.example//a/./b") != url_key("https://e.example//c/./b")


@pytest.mark.parametrize(
    ("texts", "start"),
    [
        (["https://e.example/a/", "https://e.example/ab/"], "https://e.example/a"),
        (["b", "a", "c"], ""),
        (["same", "same"], "same"),
        (["long", "longer"], "long"),
        ([], ""),
    ],
)
def test_what_urls_begin_with(texts, start):
    """In whatever order they come."""
    assert common_start(texts) == common_start(texts[::-1]) == start
