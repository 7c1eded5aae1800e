"""What ``explain`` and ``report`` print of a built site, compared with its sitemap by lxml."""

import json

from commands import run
from lxml import etree, html
from sitemap_xml import LINK, NAMESPACE

IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"


def explain(folder, *pages, code=0):
    """Its output and its errors, of the site in a folder."""
    found, out, errors = run("explain", "-f", folder / "mkdocs.yml", *pages)
    assert found == code, (out, errors)
    return out, errors


def pages_of(folder, *pages):
    """The pages as JSON."""
    return json.loads(explain(folder, "--format", "json", *pages)[0])["pages"]


def check_as_published(folder, name="sitemap.xml"):
    """Every value of every page is that of the file, in both subcommands; returns the pages."""
    published = {}
    for url in urls_of(folder / "site", name):
        published |= url
    pages = {page["loc"]: page for page in pages_of(folder, *published)}
    entries = {loc: page.get("entry", {}) for loc, page in pages.items()}
    assert {loc: _stated(entry) for loc, entry in entries.items()} == published
    days = {loc: (values["lastmod"] or "")[:10] for loc, values in published.items()}
    assert _drawn(folder) == days
    return pages


def urls_of(site_dir, name):
    """The values of each ``url``, through an index."""
    root = etree.parse(site_dir / name).getroot()
    for child in root:
        loc = child.findtext(f"{NAMESPACE}loc")
        if child.tag == f"{NAMESPACE}sitemap":
            yield from urls_of(site_dir, loc.rpartition("/")[2])
        elif child.tag == f"{NAMESPACE}url":
            values = {
                name: child.findtext(f"{NAMESPACE}{name}")
                for name in ("lastmod", "changefreq", "priority")
            }
            links = [(link.get("hreflang"), link.get("href")) for link in child.iterfind(LINK)]
            images = [each.text for each in child.iterfind(f"{IMAGE}image/{IMAGE}loc")]
            yield {loc: values | {"alternates": links, "images": images}}


def _stated(entry):
    values = {name: entry.get(name) for name in ("lastmod", "changefreq", "priority")}
    links = [(each["hreflang"], each["href"]) for each in entry.get("alternates", [])]
    return values | {"alternates": links, "images": entry.get("images", [])}


def _drawn(folder):
    """The day of each page that the report has as listed, or nothing."""
    output = folder / "drawn.html"
    code, _, errors = run("report", folder / "site", "-f", folder / "mkdocs.yml", "-o", output)
    assert code == 0, errors
    data = html.fromstring(output.read_bytes()).xpath('//script[@id="data"]')[0].text
    output.unlink()
    return {
        url: day
        for _, url, _, day, _, status, _ in json.loads(data)
        if not status.startswith("left out")
    }
