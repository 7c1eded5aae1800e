"""Sites of twelve other builders: each page has the date of its own source, or none.

What the builders wrote, and the histories of the sources, are in ``sites``; `make_sites` made them.
"""

import pytest
from builder_sites import NAMES, dates_of, expected, path_of, put_pages, replay
from commands import run
from make_sites import SITES
from sitemap_xml import read_entries, validate


@pytest.mark.parametrize("name", NAMES)
def test_each_page_has_the_date_of_its_own_source(name, tmp_path, monkeypatch):
    """And no page that has none of its own is dated by a link to another file."""
    replay(name, tmp_path)
    site = tmp_path / "built"
    put_pages(name, site)
    monkeypatch.chdir(tmp_path)
    url = f"https://lighthouse.example/{SITES[name].base}"
    code, _, problems = run("build", site, "--site-url", url, *SITES[name].options.split())
    assert code == 0, problems
    sitemap = (site / "sitemap.xml").read_bytes()
    validate(sitemap)
    found = {
        path_of(entry["loc"].removeprefix(url), site): entry.get("lastmod")
        for entry in read_entries(sitemap)
    }
    tables = expected(name)
    dates = dates_of(tmp_path, tables["sources"])
    assert found == dates | dict.fromkeys(tables.get("none", ()))
