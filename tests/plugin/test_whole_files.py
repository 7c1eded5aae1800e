"""Whole files of builds: what is true of each of them."""

from pathlib import Path

import pytest
from golden import Golden
from lxml import etree
from quantity import at_length
from sitemap_xml import validate

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def files():
    """All sitemaps of the golden sites, which are what builds give."""
    return [path.read_bytes() for path in GOLDEN.glob("*/expected/*.xml")]


ORDERS = {
    "urlset": ["loc", "lastmod", "changefreq", "priority", "link", "image", "video", "news"],
    "sitemapindex": ["loc", "lastmod"],
}


def test_children_stand_in_the_order_of_the_schemas(files):
    """What the protocol has is there once, extensions come last; no other text."""
    for data in files:
        validate(data)
        root = etree.fromstring(data)
        order = ORDERS[etree.QName(root).localname]
        for entry in root:
            names = [etree.QName(child).localname for child in entry]
            assert names == sorted(names, key=order.index)
            own = [name for name in names if name in order[:4]]
            assert len(own) == len(set(own))
            assert not entry.attrib
            assert not "".join([entry.text, *(child.tail for child in entry)]).strip()


SURROGATE = """\
from dataclasses import replace
from mkdocs_sitemap_plus import Video

def function(entry, page):
    video = Video(
        thumbnail_loc="https://cdn.example/t", title="Half \\ud83d of a 😀", description="D",
        content_loc="https://cdn.example/v",
    )
    return replace(entry, videos=(video,))
"""


def test_a_lone_surrogate_of_a_function_is_taken_out(site):
    """No XML can have it, and a build goes on."""
    site.docs({"news/a.md": "Text.\n"})
    site.write({"hook.py": SURROGATE})
    site.config("transform: hook.py:function")
    built = site.build("--strict")
    assert "<video:title>Half  of a 😀</video:title>" in built.xml()


WATCH = """\
import sys

def watch(event, arguments):
    sent = event.startswith(("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib."))
    fetched = event == "subprocess.Popen" and {"fetch", "ls-remote"} & set(map(str, arguments[1]))
    if sent or fetched:
        with open("sent.txt", "a") as file:
            file.write(f"{event} {arguments}\\n")

sys.addaudithook(watch)
def on_config(config):
    if config.extra.get("send"):
        import socket
        with socket.socket() as it:
            it.connect_ex(("127.0.0.1", 9))
"""


@at_length
@pytest.mark.parametrize("more", ["", "extra: {send: true}\n"], ids=["ours", "the-watch-works"])
def test_a_build_sends_nothing_to_anybody(site, more):
    """No search engine is pinged; a sitemap in robots.txt needs none."""
    Golden(GOLDEN / "everything", site.folder).prepare()
    site.write({"hook.py": WATCH})
    config = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"mkdocs.yml": f"{config}      robots_txt: true\nhooks: [hook.py]\n{more}"})
    site.commit()
    site.build(program="mkdocs")
    assert (site.folder / "sent.txt").exists() is bool(more)
