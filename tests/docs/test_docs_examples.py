"""What examples and tables of the docs show is what builds give."""

import json
import re
import shutil
import textwrap

import pytest
import yaml
from docs_pages import (
    DOCS,
    HOME,
    README,
    ROOT,
    blocks,
    marked,
    rows,
    section,
)
from lighthouse import lighthouse as make_lighthouse
from quantity import one_in
from sites import SiteMaker

from mkdocs_sitemap_plus.generator.options.fields import SITEMAP_KEYS, TOP_LEVEL_KEYS
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND

LIGHTHOUSE = "https://lighthouse.example/docs/"

pytestmark = pytest.mark.skipif(
    not (ROOT / "sample_site").is_dir(), reason="only a whole checkout has the docs"
)


def urls(xml):
    """The ``url`` elements of a text, as they are written."""
    return re.findall(r"^  <url>\n.*?^  </url>\n", xml, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def lighthouse(tmp_path_factory):
    """The sample site in a repository with two commits, built as it is."""
    return make_lighthouse(tmp_path_factory.mktemp("lighthouse"))


def options_in(block):
    """The options of this plugin in a whole ``plugins``, as text of the first level."""
    return textwrap.dedent(block.partition("  - sitemap-plus:\n")[2])


def lighthouse_with(site, block):
    """The sample site's sitemap with the plugins of a documentation's example."""
    config = (site.folder / "mkdocs.yml").read_text("utf-8")
    start, end = config.index("plugins:"), config.index("nav:")
    site.write({"other.yml": config[:start] + block + config[end:]})
    return site.build("--strict", "-f", "other.yml").xml()


@one_in(4)
@pytest.mark.parametrize(
    "name",
    ["rules", "lastmod.format", "lastmod.timezone"],
)
def test_the_example_of_an_option_gives_the_xml_beside_it(lighthouse, name):
    """The XML under an option is what its example makes of the sample site."""
    text = section("reference/options.md", name)
    built = lighthouse_with(lighthouse, blocks(text, "yaml")[0])
    (block,) = blocks(text, "xml")
    for piece in urls(block) or [block]:
        assert piece in built


UNDATED = "lastmod: {sources: []}\n"
EXTENDED = {
    "docs/guide/lamp.png": b"not looked into",
    "docs/guide/img/lamp.png": b"nor this one",
    "docs/guide/first-lamp.md": b"# First lamp\n\n![A lamp](lamp.png)\n",
    "docs/data-sheet.pdf": b"not looked into",
}
"""What examples of options are about, and the sample site does not have."""


@pytest.fixture(scope="module")
def extended(lighthouse, tmp_path_factory):
    """The sample site with images and a file."""
    folder = tmp_path_factory.mktemp("extended") / "site"
    shutil.copytree(lighthouse.folder, folder)
    site = SiteMaker(folder)
    site.write(EXTENDED)
    site.commit("Show more", "2026-05-19T16:40:31+0000")
    return site


def written(site, options):
    """All XML files of the sample site with these options, one after the other."""
    config = (site.folder / "mkdocs.yml").read_text("utf-8")
    indented = "".join(f"      {line}\n" for line in options.splitlines())
    start, end = config.index("plugins:"), config.index("nav:")
    plugins = f"plugins:\n  - sitemap-plus:\n{indented}\n"
    site.write({"other.yml": config[:start] + plugins + config[end:]})
    # `check` reads the options of mkdocs.yml, which do not name this report.
    found = ["not-listed"] if "report:" in options else []
    built = site.build("-f", "other.yml", found=found)
    assert built.warnings == []
    return "".join(path.read_text("utf-8") for path in sorted(built.path("").glob("*.xml")))


@one_in(4)
@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("images", UNDATED),
        ("extra_files", ""),
        ("extra_sitemaps", UNDATED),
    ],
)
def test_the_example_of_an_extension_gives_the_xml_beside_it(extended, name, more):
    """What the protocol has beside pages."""
    text = section("reference/options.md", name)
    example = options_in(blocks(text, "yaml")[0])
    xml = written(extended, more + example)
    (shown,) = blocks(text, "xml")
    for piece in urls(shown) or [shown]:
        assert piece in xml


def sides_of_the_example(page):
    """The entry before and after, as its lines without indentation."""
    lines = marked("dates", page).splitlines()
    before, after = (
        [line[1:].strip() for line in lines if line[0] in side] for side in (" -", " +")
    )
    return "\n".join(before), "\n".join(after)


def stripped(text):
    """The lines of a file without indentation."""
    return "\n".join(line.strip() for line in text.splitlines())


def test_the_entry_in_front_is_real(lighthouse):
    """It is what MkDocs gives without the plugin, but for the day, and what it gives with it."""
    by_plugin = stripped(lighthouse.build("--strict").xml())
    lighthouse.write({"plain.yml": "INHERIT: mkdocs.yml\nplugins: []\n"})
    lighthouse.build("-f", "plain.yml", "-d", "plain")
    dated = r"\d{4}-\d\d-\d\d"
    own = re.sub(dated, "DAY", (lighthouse.folder / "plain" / "sitemap.xml").read_text("utf-8"))
    own = re.sub(" *<changefreq>daily</changefreq>\n", "", own)  # MkDocs 1.6.0 alone
    for page in (README, HOME):
        before, after = sides_of_the_example(page)
        assert after in by_plugin
        assert re.sub(dated, "DAY", before) in stripped(own)


def test_the_sample_site_shows_what_a_site_has(lighthouse):
    """Dates from git and from front matter, pages without a date, and pages that are left out.

    Fields from front matter in both its forms, and from a rule, which a page overrides.
    """
    built = lighthouse.build("--strict")
    undated = "2 undated (docs/guide/index.md, docs/reference/index.md)"
    counts = f"12 pages, 10 dated (git 9, front matter 1), {undated}"
    out = "3 left out (2 excluded, 1 noindex)"
    assert built.lines == [f"INFO sitemap.xml: {counts}; {out}"]
    entries = built.by_loc(base=LIGHTHOUSE)
    assert entries["guide/from-version-1/"] == {"lastmod": "2026-03-14", "priority": "0.6"}
    assert entries["guide/"] == {"priority": "0.6"}
    assert entries["reference/"] == {}
    fields = {name: (of.get("changefreq"), of.get("priority")) for name, of in entries.items()}
    assert fields["guide/alerts/"] == ("weekly", "0.8")
    assert fields["install/"] == ("monthly", "0.9")
    assert fields["guide/first-lamp/"] == (None, "0.6")
    assert {value for name, value in fields.items() if not re.match("guide/|install/", name)} == {
        (None, None)
    }
    assert not {"thanks/", "internal/release-checklist/", "all-on-one-page/"} & set(entries)


def test_every_key_of_front_matter_has_its_section():
    """Each key that a page may have has a section, and the long form shows all of them."""
    text = (DOCS / "reference/front-matter.md").read_text("utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == list(SITEMAP_KEYS)
    long, short = (yaml.safe_load(block.split("---")[1]) for block in blocks(text, "yaml"))
    assert tuple(short) == TOP_LEVEL_KEYS
    assert tuple(long["sitemap"]) == SITEMAP_KEYS
    assert [row[0] for row in rows(text)] == [f"[`{name}`](#{name})" for name in SITEMAP_KEYS]


def front_matter_cases():
    """Each value in the tables of the front matter page: field, front matter, what comes of it."""
    for field in ("priority", "lastmod"):
        for said, becomes in rows(section("reference/front-matter.md", field)):
            expected = re.match("`(.*?)`|nothing|no date", becomes)
            for value in re.findall("`(.*?)`", said):
                text = value if value.startswith(f"{field}:") else f"{field}: {value}"
                yield field, text, expected[1], becomes


def said(tmp_path_factory):
    """Return the entries and messages of a page for each value in the tables.

    A build has five of the pages, as it shows no more than five messages of a kind.
    """
    entries, lines = {}, []
    cases = list(enumerate(front_matter_cases()))
    for start in range(0, len(cases), MAX_OF_A_KIND):
        site = SiteMaker(tmp_path_factory.mktemp("said"))
        site.config("lastmod:\n  sources: [front_matter]")
        for number, (_, text, _, _) in cases[start : start + MAX_OF_A_KIND]:
            site.docs({f"p{number}.md": f"---\n{text}\n---\n\n# Page\n"})
        built = site.build()
        entries |= built.by_loc()
        lines += built.lines
    return entries, lines


def test_the_tables_of_front_matter_are_true(tmp_path_factory):
    """Each value in the tables comes out as its row says, with a warning where it says so."""
    entries, lines = said(tmp_path_factory)
    for number, (field, text, expected, becomes) in enumerate(front_matter_cases()):
        assert entries[f"p{number}/"].get(field) == expected, text
        reported = [line.split()[0] for line in lines if f" docs/p{number}.md:2: {field} " in line]
        levels = {"WARNING": "a warning", "INFO": "one line of information"}
        assert reported == [level for level, words in levels.items() if words in becomes], text


def test_the_warnings_in_the_docs_are_real(site):
    """Front matter that can't be read gives the one under "When something is wrong"."""
    text = section("reference/front-matter.md", "When something is wrong")
    site.config()
    broken = "---\nlastmod: 2026-02-30\n---\n\n# Alerts\n"
    site.docs({"index.md": "# Home\n", "guide/alerts.md": broken})
    (warning,) = site.build().warnings
    assert blocks(text, "text") == [f"WARNING -  sitemap-plus: {warning}\n"]


def test_the_template_for_those_who_move_shows_the_day(site):
    """Of a page that has one."""
    text = section("get-started/migrate.md", "From git-revision-date-localized")
    template = blocks(text, "html")[-1]
    main = f'{{% extends "base.html" %}}{{% block content %}}{template}{{% endblock %}}'
    site.commit_on("2026-01-05", {"docs/index.md": "# Home\n", "theme/main.html": main})
    site.docs({"none.md": "# Not committed\n"})
    site.config("page_dates: true", theme="theme: {name: mkdocs, custom_dir: theme}\n")
    built = site.build("--strict")
    home, undated = (built.path(f"{name}index.html").read_text("utf-8") for name in ("", "none/"))
    assert '<time datetime="2026-01-05T10:00:00+00:00">05.01.2026</time>' in home
    assert "Updated:" not in undated


def keys_in(page, heading):
    """The names in the first table below a heading."""
    return [cells[0].strip("`") for cells in rows(section(page, heading))]


def test_each_key_of_a_report_is_documented(extended):
    """Those of the report, of its pages, and of the places that values come from."""
    page = "reference/json.md"
    undated = "rules: [{match: /guide/index.md, lastmod: false}]"
    written(extended, f"report: report.json\nexclude: /internal/\n{undated}")
    report = json.loads((extended.folder / "report.json").read_text("utf-8"))
    assert list(report) == [key for key in keys_in(page, "The report") if key != "no_sitemap"]
    pages, origins = keys_in(page, "A page"), keys_in(page, "Where a value comes from")
    assert {key for each in report["pages"] for key in each} | {"rejected", "fallback", "file"} == {
        *pages
    }
    places = [place for each in report["pages"] for place in each.get("because", {}).values()]
    assert {"repository", "path", "commit", "when"} < {key for each in places for key in each}
    assert {key for each in places for key in each} <= {*origins}
    (example,) = map(json.loads, blocks((DOCS / page).read_text("utf-8"), "json"))
    assert example.keys() < {*pages}
    assert {key for each in example["because"].values() for key in each} < {*origins}


LONG = "A text that is long enough to differ from others.\n"
CHANGES = {
    "changes the text": {"docs/p{0}.md": "Other.\n"},
    "only renames the page": {
        "docs/p{0}.md": None,
        "docs/r{0}.md": "# P\n" + LONG,
    },
    "renames the page and changes its text": {"docs/p{0}.md": None, "docs/r{0}.md": "# Q\n" + LONG},
    "adds the page as a copy of another page": {"docs/r{0}.md": "# P\n" + LONG},
    "only changes front matter": {"docs/p{0}.md": "---\ntags: [a]\n---\n# P\n" + LONG},
    "only sets keys of the sitemap in front matter": {
        "docs/p{0}.md": "---\nsitemap: true\n---\n# P\n" + LONG
    },
    "only changes line endings or other white space": {"docs/p{0}.md": "#  P\r\n\r\n" + LONG},
}


@one_in(3)
@pytest.mark.parametrize("change", ["content", "any", "body"])
def test_the_table_of_changes_is_true(site, change):
    """One commit does all of it; a page is dated by it, or by the commit before."""
    cells = {
        row[0]: row[1:]
        for row in rows(section("guide/dates.md", "Which changes count { #any-content-body }"))
    }
    mode = next(name for name in cells if name.startswith("only changes the mode"))
    todo = [*CHANGES, mode]
    assert set(cells) < set(todo)
    pages = {f"docs/p{number}.md": f"# P\n{LONG}" for number in range(len(todo))}
    # Each text is its own, so that no rename is taken for that of another page.
    marked_pages = {name: f"{text}{name[6:-3]}\n" for name, text in pages.items()}
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n"} | marked_pages)
    for number, name in enumerate(CHANGES):
        for path, text in CHANGES[name].items():
            file = site.folder / path.format(number)
            if text is None:
                file.unlink()
            else:
                site.write({path.format(number): f"{text}{number}\n"})
    (site.folder / f"docs/p{todo.index(mode)}.md").chmod(0o755)
    site.commit(date="2024-02-01T10:00:00+0000")
    site.config(f"lastmod: {{git: {{change: {change}}}}}")
    days = site.build("--strict").days()
    column = ["any", "content", "body"].index(change)
    for number, name in enumerate(todo):
        new = f"r{number}/" if f"r{number}/" in days else f"p{number}/"
        counts = cells[name][column] if name in cells else "yes"  # as the sentence above says
        expected = {"yes": "2024-02-01", "no": "2024-01-01"}[counts]
        assert days[new] == expected, name
