"""The recipes of docs/command/dates.md, run by the real builders: `nox -s builders`.

The builders are installed into the folder that the variable BUILDERS names.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from builder_sites import dates_of, expected, path_of, replay
from commands import run
from make_sites import SITES, build, install
from sitemap_xml import read_entries

RECIPES = Path(__file__).parents[2] / "docs" / "command" / "dates.md"

pytestmark = [
    pytest.mark.builders,
    pytest.mark.skipif(not RECIPES.is_file(), reason="only a whole checkout has the docs"),
]


@pytest.fixture
def built(request):
    """A site that was built as the section of a builder says, and the folder of its sources."""
    name, title, data = request.param
    site = SITES[name]
    tool = Path(os.environ.get("BUILDERS", ".nox/builders")).absolute() / site.tool
    install(tool)
    top = Path(tempfile.mkdtemp(dir=tool))
    replay(name, top)
    text = RECIPES.read_text("utf-8")
    section = text.split(f"### {title}\n")[1].split("\n##")[0]
    for path, code in re.findall(r'```\w+ title="(.*?)"\n(.*?)```', section, re.DOTALL):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(code, "utf-8")
    if site.tool == "docusaurus":  # which refuses a site without a home page
        (top / "src" / "pages").mkdir()
        (top / "src" / "pages" / "index.md").write_text("# Home\n", "utf-8")
    (top / data).parent.mkdir(exist_ok=True)
    line = re.search(r"^git ls-files .* dates\.json$", text, re.MULTILINE)[0].replace(
        "dates.json", data
    )
    line = line.replace("mkdocs-sitemap-plus", f"{sys.executable} -m mkdocs_sitemap_plus")
    subprocess.run(["sh", "-ec", line], cwd=top, check=True, capture_output=True)
    build(top, site, tool)
    yield name, top
    shutil.rmtree(top)


@pytest.mark.parametrize(
    "built",
    [
        ("docusaurus", "Docusaurus", "dates.json"),
    ],
    indirect=True,
    ids=lambda about: about[0],
)
def test_a_sitemap_has_the_dates_of_the_file(built):
    """Each page the date that git has for its source, and no date without one."""
    name, top = built
    out = top / SITES[name].out
    sitemap = next(iter(sorted(out.glob("sitemap-[0-9]*.xml"))), out / "sitemap.xml")
    found = {
        path_of(urlsplit(entry["loc"]).path, out): entry.get("lastmod")
        for entry in read_entries(sitemap.read_bytes())
    }
    sources = expected(name)["sources"]
    assert sources.keys() <= found.keys()
    dates = dates_of(top, sources)
    assert {path: date and date[:19] for path, date in found.items()} == {
        path: dates[path][:19] if path in dates else None for path in found
    }
    assert run("check", sitemap, "--ignore", "not-listed")[0] == 0


@pytest.mark.parametrize("built", [("furo", "Sphinx", "dates.json")], indirect=True, ids=["sphinx"])
def test_pages_show_the_dates_of_the_file(built):
    """Sphinx' own pages, such as the index, show none."""
    name, top = built
    out = top / SITES[name].out
    shown = {
        path.relative_to(out).as_posix(): re.findall(
            r"Last updated on\s*([\d-]+)", path.read_text("utf-8")
        )
        for path in out.rglob("*.html")
    }
    dates = dates_of(top, expected(name)["sources"])
    assert shown == {path: [dates[path][:10]] if path in dates else [] for path in shown}
