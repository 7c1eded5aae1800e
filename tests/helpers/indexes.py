"""Run ``mkdocs-sitemap-plus index``, and read what it wrote."""

import gzip

from lxml import etree
from sitemap_xml import NAMESPACE, read_entries, validate
from sites import run_command


def index(*arguments, cwd, code=0):
    """Run it; returns its lines."""
    done = run_command("index", *arguments, cwd=cwd)
    assert done.returncode == code, done.stdout + done.stderr
    return (done.stdout + done.stderr).splitlines()


def listed(path):
    """What a written file lists: URLs with their dates; valid, and the same as its ``.gz``."""
    data = path.read_bytes()
    assert gzip.decompress(path.with_name(path.name + ".gz").read_bytes()) == data
    validate(data)
    if b"<sitemapindex" in data:
        return {
            each.findtext(f"{NAMESPACE}loc"): each.findtext(f"{NAMESPACE}lastmod")
            for each in etree.fromstring(data)
        }
    return {entry["loc"]: entry.get("lastmod") for entry in read_entries(data)}
