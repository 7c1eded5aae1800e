"""Other people's readers of sitemaps find in ours what we put into it."""

import gzip
import os
import re
import shutil
import subprocess
import urllib.request
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib import import_module

import pytest
from limits import limits
from servers import served
from sitemap_xml import LINK, NAMESPACE, validate
from sites import SiteMaker

pytestmark = [
    pytest.mark.readers,
    pytest.mark.filterwarnings("ignore"),  # those of the readers are not ours
]

IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
DATES = (date(2024, 2, 29), datetime(2026, 9, 2, 8, 14, 5, tzinfo=UTC))
EXPECTED = {
    "": {"lastmod": DATES[1], "changefreq": "weekly", "priority": 1.0},
    "a%20b%26c/": {"lastmod": DATES[0]},
    "de/guide/": {},
    "guide/": {"lastmod": DATES[0], "priority": 0.3},
    "it%27s/": {"changefreq": "never"},
    "%C3%BCber/": {},
    "z/": {"lastmod": DATES[1]},
}
"""What each entry says, by its path."""
LINKED = {
    "guide/": {"en": "guide/", "de": "de/guide/"},
    "de/guide/": {"en": "guide/", "de": "de/guide/"},
}
IN_CI = bool(os.environ.get("CI"))
LINKS = """\
from dataclasses import replace
from mkdocs_sitemap_plus import Alternate

def link(entry, page):
    if page and page.src_uri.endswith("guide.md"):
        links = {"en": "/guide/", "de": "/de/guide/"}
        return replace(entry, alternates=[Alternate(hreflang=k, href=links[k]) for k in links])
    return entry
"""
SHOWN = {
    "guide/": ["guide/lamp.png", "a%20b.png?w=1&h=2"],
    "z/": ["guide/lamp.png"],
}
"""The images of each entry, by their paths."""
DOCS = {
    "index.md": "lastmod: 2026-09-02T08:14:05Z\nchangefreq: weekly\npriority: 1",
    "a b&c.md": "lastmod: 2024-02-29",
    "de/guide.md": "",
    "guide.md": "lastmod: 2024-02-29\npriority: .3",
    "it's.md": "changefreq: never",
    "über.md": "",
    "z.md": "lastmod: 2026-09-02T10:14:05+02:00",
}


def reader(name):
    """A reader's module; where it is not installed a developer skips, and CI fails."""
    try:
        return import_module(name)
    except ImportError:
        absent(f"{name} is not installed; pip install --group readers")


def absent(what):
    if IN_CI:
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="module", params=[50_000, 3], ids=["one file", "an index"])
def site(request, tmp_path_factory):
    """A built site on a server: its URL."""
    with served() as (url, show):
        maker = SiteMaker(tmp_path_factory.mktemp("site"))
        maker.docs({name: f"---\n{said}\n---\n# Page\n" for name, said in DOCS.items()})
        maker.docs({"robots.txt": "User-agent: *\nAllow: /\n"})
        for path, images in SHOWN.items():
            with (maker.folder / "docs" / f"{path.strip('/')}.md").open("a") as page:
                page.writelines(f"\n![Image]({url}{image})\n" for image in images)
        maker.write({"links.py": LINKS})
        options = "robots_txt: true\nlastmod: {sources: [front_matter]}\nimages: true"
        maker.config(f"{options}\ntransform: links.py:link", site_url=url)
        with limits(max_urls=request.param):
            show(maker.build().folder / "site")
        yield url


def fetched(url):
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310
        data = answer.read()
    return gzip.decompress(data) if url.endswith(".gz") else data


def asserted(found, url):
    """Hold what a reader found, by URL, against what is expected."""
    assert dict(found) == {url + path: says for path, says in EXPECTED.items()}


def images(url):
    """The images that each entry should have."""
    return {url + path: [url + image for image in shown] for path, shown in SHOWN.items()}


def moment(text):
    """A lastmod as it is written."""
    whole = len(text) > len("2024-02-29")
    return datetime.fromisoformat(text).astimezone(UTC) if whole else date.fromisoformat(text)


every_file = pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])


@every_file
def test_lxml(site, name):
    """Each file is valid, and has the expected fields."""
    from lxml import etree  # noqa: PLC0415

    found, links, shown = {}, {}, {}
    for data in documents(site + name):
        validate(data)
        for entry in etree.fromstring(data).iterfind(f"{NAMESPACE}url"):
            says = {child.tag.removeprefix(NAMESPACE): child.text for child in entry}
            found[says["loc"]] = typed(says)
            links[says["loc"]] = {e.get("hreflang"): e.get("href") for e in entry.iterfind(LINK)}
            shown[says["loc"]] = [e.text for e in entry.iterfind(f"{IMAGE}image/{IMAGE}loc")]
    asserted(found, site)
    assert {loc: each for loc, each in links.items() if each} == linked(site)
    assert {loc: each for loc, each in shown.items() if each} == images(site)


def linked(url):
    return {
        url + path: {code: url + other for code, other in codes.items()}
        for path, codes in LINKED.items()
    }


def typed(says):
    """The fields that we compare, out of their texts."""
    readers = {"lastmod": moment, "changefreq": str, "priority": float}
    return {name: read(says[name]) for name, read in readers.items() if says.get(name)}


def documents(url):
    """A sitemap, or an index and all that it lists."""
    data = fetched(url)
    yield data
    if b"<sitemapindex" in data:
        for loc in re.findall(rb"<loc>(.*?)</loc>", data):
            yield fetched(loc.decode())


def days(says):
    """The same with a date for a datetime at midnight, since some readers know no dates."""
    when = says.get("lastmod")
    midnight = isinstance(when, datetime) and not (when.hour or when.minute or when.second)
    return says | {"lastmod": when.date()} if midnight else says


def pages_of(tree):
    for page in tree.all_pages():
        says = {}
        if page.last_modified:
            when = page.last_modified
            says["lastmod"] = when.astimezone(UTC) if when.tzinfo else when
        if page.change_frequency:
            says["changefreq"] = page.change_frequency.value
        if page.priority != Decimal("0.5"):  # which it takes where none is said
            says["priority"] = float(page.priority)
        shown = [image.loc for image in page.images or []]
        yield page.url, days(says), dict(page.alternates or []), shown


@every_file
def test_ultimate_sitemap_parser(site, name):
    """Each file by its address, an index with its parts."""
    fetcher = reader("usp.fetch_parse").SitemapFetcher(site + name, 0)
    hold_usp(fetcher.sitemap(), site)


def test_ultimate_sitemap_parser_finds_it_by_robots_txt(site):
    """As it looks for the sitemaps of a site."""
    tree = reader("usp.tree").sitemap_tree_for_homepage(site, use_known_paths=False)
    hold_usp(tree, site)


def hold_usp(tree, site):
    pages = list(pages_of(tree))
    assert len(pages) == len(EXPECTED)
    found = [(loc, says) for loc, says, *_ in pages]
    asserted(found, site)
    assert {loc: links for loc, _, links, _ in pages if links} == linked(site)
    assert {loc: shown for loc, *_, shown in pages if shown} == images(site)


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-index.xml"])
def test_linkchecker_knows_a_sitemap_without_a_style_sheet(tmp_path, name):
    """And an index of it: it looks for nothing but the root, in the first 70 characters."""
    program = shutil.which("linkchecker") or absent("linkchecker is not installed")
    with served() as (url, show):
        maker = SiteMaker(tmp_path)
        maker.docs({"index.md": "# Home\n", "a.md": "# A\n", "b/c.md": "# C\n"})
        options = f"stylesheet: false\nextra_sitemaps: [{url}x.xml]"
        maker.config(options, site_url=url, more="nav: [index.md]\n")
        show(maker.build().folder / "site")
        call = [program, "--no-robots", "--verbose", "--recursion-level=2", url + name]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
    found = set(re.findall(rf"^Real URL +{re.escape(url)}(\S*)$", done.stdout, re.MULTILINE))
    assert found >= {"", "a/", "b/c/"}
