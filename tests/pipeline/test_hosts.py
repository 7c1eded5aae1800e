"""A URL whose host cannot exist is written nowhere."""

import json

import pytest
from lxml import etree
from sitemap_xml import validate
from sites import run_command

from mkdocs_sitemap_plus.sitemap.urls import loc_fault

NO_HOSTS = {
    "angle-brackets": "https://<script>/a.png",
    "pipe": "https://a|b{c/",
    "quote": 'http://a"b/',
    "backslash": "http://a\\b/",
    "escape": "http://a%00b/",
    "empty-label": "http://a..b/",
    "blank": "https://a b/x.png",
    "long-label": f"https://{'a' * 64}.example/",
    "long-name": f"https://{'a.' * 127}example/",
    "half-an-address": "http://1.2.3/",
    "too-high-an-address": "http://1.2.3.256/",
    "open-bracket": "http://[::1/",
    "no-address": "http://[::g]/",
    "port": "http://a.example:65536/",
    "port-after-zeros": "http://a.example:0000065536/",
}
HOSTS = [
    "https://example.com/",
    "https://example.com./",
    "https://EXAMPLE.com:8443/a",
    "https://a_b.example/",
    "http://localhost:8000/",
    "http://192.0.2.1:000080/",
    "http://[2001:db8::1]:80/",
    "https://xn--bcher-kva.example/",
    "https://bücher.example/",
]


@pytest.mark.parametrize("url", HOSTS)
def test_a_host_that_can_exist_is_taken(url):
    """Names, addresses, ports and letters of all languages."""
    assert loc_fault(url) is None


@pytest.mark.parametrize("url", NO_HOSTS.values(), ids=NO_HOSTS)
def test_no_field_of_the_sitemap_gets_a_host_that_can_not_exist(site, url):
    """Images, videos, language links, further URLs and sitemaps: one warning each, valid files."""
    quoted = json.dumps(url)
    video = f"{{thumbnail: {quoted}, title: t, description: d, content: {quoted}}}"
    site.docs(
        {
            "index.md": f"---\nsitemap:\n  images: [{quoted}]\n  alternates: {{de: {quoted}}}\n"
            f"  videos: [{video}]\n---\n# Home\n<img src='{url if chr(39) not in url else ''}'>\n"
        }
    )
    site.config(
        f"lastmod: {{sources: []}}\nextra_sitemaps: [{quoted}]\nextra_urls: [{{loc: {quoted}}}]"
    )
    built = site.build()
    assert built.entries() == [{"loc": "https://example.com/"}]
    assert sorted(path.name for path in built.path("").glob("*.xml")) == ["sitemap.xml"]
    keys = [line.partition(" is ")[0] for line in built.warnings]
    assert keys == [
        "mkdocs.yml:7: extra_urls[0].loc",
        "docs/index.md:3: sitemap.images[0]",
        "docs/index.md:5: sitemap.videos[0].thumbnail",
        "docs/index.md:5: sitemap.videos[0].content",
        "docs/index.md:4: sitemap.alternates.de",
        "mkdocs.yml:6: extra_sitemaps[0]",
    ]
    assert run_command("check", "site", cwd=site.folder).returncode == 0


def test_images_of_a_page_with_such_hosts_are_left_out_silently(site):
    """Browsers can't load them either; the others are listed."""
    shown = "".join(f"<img src='{url}'>" for url in NO_HOSTS.values())
    site.docs({"index.md": f"# Home\n\n<p>{shown}<img src='https://example.org/b.png'></p>\n"})
    site.config("lastmod: {sources: []}\nimages: true")
    built = site.build()
    validate(built.path().read_bytes())
    locs = etree.fromstring(built.path().read_bytes()).xpath("//*[local-name()='image']/*/text()")
    assert locs == ["https://example.org/b.png"]
    assert built.warnings == []


def test_a_site_url_whose_host_can_not_exist_is_one_warning(site):
    """Not one for each page."""
    site.docs({f"p{number}.md": "# P\n" for number in range(9)})
    site.config("lastmod: {sources: []}", site_url="https://exa mple.com/")
    built = site.build()
    assert built.lines == [
        (
            "WARNING mkdocs.yml:2: site_url is 'https://exa mple.com/', which has a character that "
            "a URL can't have, so no sitemap is written. Set it to the full address of the site, "
            "such as https://example.com/docs/."
        )
    ]


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [("bücher.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de")],  # UTS 46
)
def test_a_page_may_name_the_host_of_its_canonical_url_in_its_own_letters(site, host, ascii_host):
    """Both spellings are the same host."""
    canonical = f'<link rel="canonical" href="https://{host}/">{{{{ page.content }}}}'
    site.write({"theme/main.html": canonical})
    site.docs({"index.md": "# Home\n"})
    theme = "theme: {name: null, custom_dir: theme}\n"
    site.config(site_url=f"https://{ascii_host}/", theme=theme)
    assert site.build().locs(base="") == [f"https://{ascii_host}/"]
