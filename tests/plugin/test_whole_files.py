"""Whole files of one real build with everything in it, down to the byte."""

import gzip
import re
from datetime import UTC, datetime, timedelta

import pytest
from lxml import etree
from quantity import at_length
from sitemap_xml import NAMESPACE, validate
from sites import SiteMaker

DAY = f"{datetime.now(UTC) - timedelta(days=1):%Y-%m-%d}"
"""A day on which an article is news."""
WITHOUT_IT = "which XML does not allow. The text is written without it."

DOCS = {
    "index.md": """\
---
lastmod: 2024-01-02
changefreq: Weekly
priority: 1
---
![A lamp](img/lamp.png) ![Again](img/lamp.png#only-dark)
![Elsewhere](https://cdn.example/a%20b.png?w=1&h=2)
![No file](data:image/png;base64,AA==)
""",
    "img/lamp.png": "not looked into",
    "app/a.png": "nor this one",
    "film.md": """\
---
priority: .8
sitemap:
  alternates: {de: 'https://de.example/film/?a=1&b=2'}
  videos:
    - live: no
      platform: {deny: [tv]}
      uploader: Ann & Bob
      uploader_info: /
      requires_subscription: yes
      restriction: {allow: [DE, at]}
      family_friendly: true
      tags: [lamp, fog]
      publication_date: 2024-01-02
      view_count: 1000
      rating: 4
      expiration_date: 2099-01-02T03:04:05Z
      duration: 28800
      player: https://media.example/p?v=1&a=0
      content: ../img/lamp.png
      description: "Café 😀 \\L \\N"
      title: "A\\bB & 'C' \\"D\\" <b>E</b> ]]>"
      thumbnail: img/lamp.png
    - {title: Two, description: Short, thumbnail: img/lamp.png, player: 'https://media.example/2'}
---
![A lamp](img/lamp.png)
""",
    "news/fog.md": f"""\
---
date: {DAY}T09:00:00+01:00
title: "A\\bfog 😀 \\L \\N & 'C' \\"D\\" <b>E</b> ]]>"
---
# Fog
""",
}
OPTIONS = """\
images: true
news: {publication: The <Lamp> & Co, match: /news/}
lastmod: {sources: [front_matter]}
extra_urls: [{loc: 'app/?a=1&b=2', lastmod: 2024-01-03, images: [a.png]}]
"""
SITEMAP = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="sitemap.css"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" \
xmlns:xhtml="http://www.w3.org/1999/xhtml" \
xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" \
xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" \
xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
  <url>
    <loc>https://example.com/</loc>
    <lastmod>2024-01-02</lastmod>
    <changefreq>weekly</changefreq>
    <priority>1.0</priority>
    <image:image>
      <image:loc>https://example.com/img/lamp.png</image:loc>
    </image:image>
    <image:image>
      <image:loc>https://cdn.example/a%20b.png?w=1&amp;h=2</image:loc>
    </image:image>
  </url>
  <url>
    <loc>https://example.com/app/?a=1&amp;b=2</loc>
    <lastmod>2024-01-03</lastmod>
    <image:image>
      <image:loc>https://example.com/app/a.png</image:loc>
    </image:image>
  </url>
  <url>
    <loc>https://example.com/film/</loc>
    <priority>0.8</priority>
    <xhtml:link rel="alternate" hreflang="de" href="https://de.example/film/?a=1&amp;b=2"/>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/film/"/>
    <xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/film/"/>
    <image:image>
      <image:loc>https://example.com/img/lamp.png</image:loc>
    </image:image>
    <video:video>
      <video:thumbnail_loc>https://example.com/img/lamp.png</video:thumbnail_loc>
      <video:title>AB &amp; &apos;C&apos; &quot;D&quot; &lt;b&gt;E&lt;/b&gt; ]]&gt;</video:title>
      <video:description>Café 😀 \u2028 \x85</video:description>
      <video:content_loc>https://example.com/img/lamp.png</video:content_loc>
      <video:player_loc>https://media.example/p?v=1&amp;a=0</video:player_loc>
      <video:duration>28800</video:duration>
      <video:expiration_date>2099-01-02T03:04:05+00:00</video:expiration_date>
      <video:rating>4.0</video:rating>
      <video:view_count>1000</video:view_count>
      <video:publication_date>2024-01-02</video:publication_date>
      <video:tag>lamp</video:tag>
      <video:tag>fog</video:tag>
      <video:family_friendly>yes</video:family_friendly>
      <video:restriction relationship="allow">DE AT</video:restriction>
      <video:requires_subscription>yes</video:requires_subscription>
      <video:uploader info="https://example.com/">Ann &amp; Bob</video:uploader>
      <video:platform relationship="deny">tv</video:platform>
      <video:live>no</video:live>
    </video:video>
    <video:video>
      <video:thumbnail_loc>https://example.com/img/lamp.png</video:thumbnail_loc>
      <video:title>Two</video:title>
      <video:description>Short</video:description>
      <video:player_loc>https://media.example/2</video:player_loc>
    </video:video>
  </url>
  <url>
    <loc>https://example.com/news/fog/</loc>
    <news:news>
      <news:publication>
        <news:name>The &lt;Lamp&gt; &amp; Co</news:name>
        <news:language>en</news:language>
      </news:publication>
      <news:publication_date>{DAY}T09:00:00+01:00</news:publication_date>
      <news:title>Afog 😀 \u2028 \x85 &amp; &apos;C&apos; &quot;D&quot; \
&lt;b&gt;E&lt;/b&gt; ]]&gt;</news:title>
    </news:news>
  </url>
</urlset>
"""


@pytest.fixture(scope="module")
def maker(tmp_path_factory):
    """The site."""
    site = SiteMaker(tmp_path_factory.mktemp("whole"))
    site.docs(DOCS)
    return site


@pytest.fixture(scope="module")
def whole(maker):
    """It in one file."""
    maker.config(OPTIONS)
    return maker.build()


@pytest.fixture(scope="module")
def parts(maker):
    """It in parts and sections: its XML files by name, each the same as its archive."""
    maker.config(OPTIONS + "max_urls: 2\nsplit: section\nextra_sitemaps: [a/sitemap.xml]\n")
    built = maker.build("-d", "parts")
    files = {path.name: path.read_bytes() for path in (built.folder / "parts").glob("*.xml")}
    for name, data in files.items():
        assert gzip.decompress((built.folder / "parts" / f"{name}.gz").read_bytes()) == data
    return files


@pytest.fixture(scope="module")
def files(whole, parts):
    """All of the files of both builds."""
    return [whole.path().read_bytes(), *parts.values()]


def test_images_videos_news_and_links_are_written_as_the_schemas_want_them(whole):
    """Each field that there is, escaped once, in its order."""
    assert whole.xml() == SITEMAP


def test_each_text_that_loses_something_is_one_warning(whole):
    """For its backspaces; all else that the texts hold stays."""
    gone = f"has the character U+0008, {WITHOUT_IT}"
    assert sorted(whole.warnings) == [
        f"docs/film.md:22: sitemap.videos[0].title {gone}",
        f"docs/news/fog.md: title {gone}",
    ]


def test_each_file_begins_with_its_declaration(files):
    """Nothing before it, no BOM, UTF-8, and the namespace of the protocol."""
    assert len(files) == 8
    roots = set()
    for data in files:
        assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<')
        data.decode("utf-8")
        roots.add(etree.fromstring(data).tag)
    assert roots == {f"{NAMESPACE}urlset", f"{NAMESPACE}sitemapindex"}
    assert NAMESPACE == "{http://www.sitemaps.org/schemas/sitemap/0.9}"


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


KNOWN = {
    "http://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.w3.org/1999/xhtml",
    "http://www.google.com/schemas/sitemap-image/1.1",
    "http://www.google.com/schemas/sitemap-video/1.1",
    "http://www.google.com/schemas/sitemap-news/0.9",
}


def test_no_other_namespace_is_ever_named(files):
    """A validator that does not know one refuses the file."""
    named = {name for data in files for name in re.findall(r'xmlns[^=]*="(.*?)"', data.decode())}
    assert named == KNOWN


SURROGATE = """\
def on_page_markdown(markdown, page, config, files):
    page.meta["title"] = "A\\ud800 fog"
    page.meta["sitemap"] = {"videos": [{
        "thumbnail": "https://cdn.example/t",
        "title": "Half \\ud83d of a 😀",
        "description": "D",
        "content": "https://cdn.example/v",
        "tags": ["\\udfff"],
    }]}
"""


def test_a_lone_surrogate_of_a_hook_is_taken_out(site):
    """No text of a YAML file holds one, but a plugin's may."""
    site.docs({"news/a.md": f"---\ndate: {DAY}\n---\nText.\n"})
    site.write({"hook.py": SURROGATE})
    site.config("news: {publication: P, match: /news/}", more="hooks: [hook.py]\n")
    built = site.build()
    text = built.xml()
    assert "<news:title>A fog</news:title>" in text
    assert "<video:title>Half of a 😀</video:title>" in text
    assert "video:tag" not in text
    assert built.warnings == [
        f"docs/news/a.md: sitemap.videos[0].title has the character U+D83D, {WITHOUT_IT}",
        (
            "docs/news/a.md: sitemap.videos[0].tags[0] is '\\udfff', but must be a text. "
            "It is not written."
        ),
        f"docs/news/a.md: title has the character U+D800, {WITHOUT_IT}",
    ]


def test_a_lone_surrogate_in_front_matter_is_no_yaml(site):
    """MkDocs drops such front matter, and the build says so."""
    site.docs({"index.md": '---\nsitemap: {videos: [{title: "A\\ud800"}]}\n---\n'})
    site.config()
    (reported,) = site.build().warnings
    assert reported.startswith("docs/index.md:2: the front matter can't be read (")
    assert reported.endswith(
        "). MkDocs ignores all front matter of this page, and shows it as text."
    )


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


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("", id="ours"),
        pytest.param("extra: {send: true}\n", id="the-watch-works", marks=at_length),
    ],
)
def test_a_build_sends_nothing_to_anybody(site, more):
    """No search engine is pinged; a sitemap in robots.txt needs none."""
    site.docs(DOCS)
    site.write({"hook.py": WATCH})
    site.config(OPTIONS + "robots_txt: true\n", more=f"hooks: [hook.py]\n{more}")
    site.commit()
    site.build(program="mkdocs")
    assert (site.folder / "sent.txt").exists() is bool(more)
