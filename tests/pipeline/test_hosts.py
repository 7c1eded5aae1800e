"""A URL whose host cannot exist is written nowhere."""

import pytest

from mkdocs_sitemap_plus.sitemap.urls import loc_fault

NO_HOSTS = {
    "angle-brackets": "https://<script>/a.png",
    "pipe": "https://a|b{c/",
    "backslash": "http://a\\b/",
    "empty-label": "http://a..b/",
    "blank": "https://a b/x.png",
    "long-label": f"https://{'a' * 64}.example/",
    "half-an-address": "http://1.2.3/",
    "too-high-an-address": "http://1.2.3.256/",
    "no-address": "http://[::g]/",
    "port": "http://a.example:65536/",
    "port-after-zeros": "http://a.example:0000065536/",
}
HOSTS = [
    "https://web.example/",
    "https://web.example./",
    "https://WEB.example:8443/a",
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
def test_a_host_that_can_not_exist_is_none(url):
    """Its URL is written nowhere."""
    assert loc_fault(url)


def test_no_field_of_the_sitemap_gets_a_host_that_can_not_exist(site):
    """Images, further URLs and sitemaps: one warning each, valid files."""
    quoted = '"https://a|b{c/"'
    site.docs(
        {"index.md": f"---\nsitemap:\n  images: [{quoted}]\n---\n# Home\n<img src={quoted}>\n"}
    )
    site.config(
        f"lastmod: {{sources: []}}\nextra_sitemaps: [{quoted}]\nextra_urls: [{{loc: {quoted}}}]"
    )
    built = site.build()
    assert built.entries() == [{"loc": "https://web.example/"}]
    assert sorted(path.name for path in built.path("").glob("*.xml")) == ["sitemap.xml"]
    keys = [line.partition(" is ")[0] for line in built.warnings]
    assert keys == [
        "mkdocs.yml:7: extra_urls[0].loc",
        "docs/index.md:3: sitemap.images[0]",
        "mkdocs.yml:6: extra_sitemaps[0]",
    ]


def test_a_page_may_name_the_host_of_its_canonical_url_in_its_own_letters(site):
    """Both spellings are the same host, as in UTS 46."""
    host, ascii_host = "faß.de", "xn--fa-hia.de"
    canonical = f'<link rel="canonical" href="https://{host}/">{{{{ page.content }}}}'
    site.write({"theme/main.html": canonical})
    site.docs({"index.md": "# Home\n"})
    theme = "theme: {name: null, custom_dir: theme}\n"
    site.config(site_url=f"https://{ascii_host}/", theme=theme)
    assert site.build().locs(base="") == [f"https://{ascii_host}/"]
