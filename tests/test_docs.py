"""What README and docs say is what the code does."""

import ast
import importlib
import inspect
import json
import re
import shlex
import shutil
import subprocess
import textwrap
import tomllib
import xml.etree.ElementTree as ET
from dataclasses import MISSING, fields
from datetime import UTC, datetime, timedelta
from functools import cache

import click
import pytest
import yaml
from docs_pages import (
    DOCS,
    HOME,
    PAGES,
    README,
    ROOT,
    blocks,
    fenced,
    marked,
    name_of,
    rows,
    section,
)
from jinja2 import Environment
from lighthouse import lighthouse as make_lighthouse
from markdown.extensions.toc import slugify
from mkdocs.utils.yaml import get_yaml_loader, yaml_load
from sites import SiteMaker

from mkdocs_sitemap_plus.cli import command
from mkdocs_sitemap_plus.lastmod import Reason
from mkdocs_sitemap_plus.lastmod.missing import fix_for_shallow
from mkdocs_sitemap_plus.options.overrides import FIELDS, RULE_FIELDS, SHORT_FIELDS
from mkdocs_sitemap_plus.options.table import OPTIONS, read_options, top_names
from mkdocs_sitemap_plus.pipeline.apply_transform import PageOfEntry
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND
from mkdocs_sitemap_plus.sitemap import Alternate, News, Restriction, UrlEntry, Video

LIGHTHOUSE = "https://lighthouse.example/docs/"

pytestmark = pytest.mark.skipif(
    not (ROOT / "sample_site").is_dir(), reason="only a whole checkout has the docs"
)


def urls(xml):
    """The ``url`` elements of a text, as they are written."""
    return re.findall(r"^  <url>\n.*?^  </url>\n", xml, re.DOTALL | re.MULTILINE)


def sitemaps(xml):
    """The ``sitemap`` elements of a text, as they are written."""
    return re.findall(r"^  <sitemap>\n.*?^  </sitemap>\n", xml, re.DOTALL | re.MULTILINE)


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


def blocks_of_pages(*languages):
    """Each block of README and docs in one of these languages: its page, its language, its text."""
    for page in PAGES:
        for language, block in fenced(page.read_text("utf-8")):
            if language in languages:
                yield name_of(page), language, block


@cache
def loaded_yaml(block):
    """The documents of a block of YAML, as MkDocs reads them."""
    return list(yaml.load_all(block.removesuffix("---\n"), get_yaml_loader()))


def test_every_yaml_block_loads():
    """Every YAML block of README and docs is YAML that MkDocs reads."""
    for page, _, block in blocks_of_pages("yaml"):
        assert loaded_yaml(block), (page, block)


def test_every_option_in_an_example_is_an_option():
    """What README and docs set under ``sitemap-plus`` is known, and right."""
    for page, language, block in blocks_of_pages("yaml", "toml"):
        toml = language == "toml"
        project = tomllib.loads(block).get("project") if toml else loaded_yaml(block)[0]
        plugins = project.get("plugins", []) if isinstance(project, dict) else []
        for plugin in [plugins] if isinstance(plugins, dict) else plugins:
            options = plugin.get("sitemap-plus") if isinstance(plugin, dict) else None
            mine = {key: value for key, value in (options or {}).items() if key != "enabled"}
            reading = read_options(mine)
            assert (reading.errors, reading.unknown) == ((), ()), page


def test_every_example_of_options_can_be_pasted():
    """It is whole, from ``plugins`` on; what is between ``---`` is front matter."""
    for page, _, block in blocks_of_pages("yaml"):
        loaded = None if block.startswith("---") else loaded_yaml(block)[0]
        assert not isinstance(loaded, dict) or loaded.keys().isdisjoint(top_names()), (page, block)
        first = loaded[0] if isinstance(loaded, list) and loaded else None
        assert not isinstance(first, dict) or "sitemap-plus" not in first, (page, block)


def parses_as_json(block):
    """One document."""
    json.loads(block)


def parses_as_toml(block):
    """One document."""
    tomllib.loads(block)


def parses_as_python(block):
    """A module, or a piece of one; what it imports of this package is there."""
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mkdocs_sitemap"):
            module = importlib.import_module(node.module)
            assert [name.name for name in node.names if not hasattr(module, name.name)] == []


def parses_as_shell(block):
    """Bash reads it, and what it runs of this package exists."""
    done = subprocess.run(["bash", "-n"], check=False, input=block.encode(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


NAMESPACES = {"image": "google", "news": "google", "video": "google", "xhtml": "w3"}


def parses_as_xml(block):
    """A whole file, or elements of a sitemap."""
    declared = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in NAMESPACES.items())
    whole = block.startswith("<?xml version")
    ET.fromstring(block if whole else f"<root {declared}>{block}</root>")


def parses_as_html(block):
    """HTML without a fault, or a template of Jinja."""
    if "{%" in block or "{{" in block:
        Environment(autoescape=True).parse(block)
        return
    html5lib = pytest.importorskip("html5lib")
    place = "head" if re.match(r"<(meta|link|script|title)\b", block) else "div"
    html5lib.HTMLParser(strict=True).parseFragment(block, container=place)


PARSERS = {
    "json": parses_as_json,
    "toml": parses_as_toml,
    "python": parses_as_python,
    "sh": parses_as_shell,
    "xml": parses_as_xml,
    "html": parses_as_html,
}
OTHERS = {"yaml", "console", "text", "dockerfile", "css", "ini"}
"""YAML has its own test, consoles are run by `test_console`; no parser is at hand for the rest."""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_parses(page):
    """Each has a language, and is right in it."""
    for language, block in fenced(page.read_text("utf-8")):
        assert language in PARSERS.keys() | OTHERS, block
        if language in PARSERS:
            PARSERS[language](block)


def scripts(value):
    """The shell scripts of a CI's configuration: those of ``run``, ``script`` and the like."""
    if isinstance(value, list):
        for each in value:
            yield from scripts(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key in ("run", "script", "before_script", "commands", "command"):
                yield from [each] if isinstance(each, str) else filter(is_text, each or ())
            else:
                yield from scripts(each)


def is_text(value):
    """Whether it is a string; a list of scripts may have mappings, too."""
    return isinstance(value, str)


def test_every_script_of_a_ci_parses():
    """Bash reads the scripts in YAML."""
    for _, _, block in blocks_of_pages("yaml"):
        for script in scripts(loaded_yaml(block)[0]):
            parses_as_shell(re.sub(r"\$\{\{.*?\}\}", "VALUE", script))


def calls(text):
    """The words of each call of the command in a text, up to the end of the line or command."""
    for before, line in re.findall(
        r"^(.*?)\bmkdocs-sitemap-plus ((?:.*\\\n)*.*)$", text, re.MULTILINE
    ):
        words = shlex.split(re.split(r"[|;&>#`]", line.replace("\\\n", " "))[0].replace("'", ""))
        if "install" not in before and words and re.match("[a-z-]", words[0]):
            yield words


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_call_of_the_command_is_one_that_exists(page):
    """In all blocks, such as those of a CI: the subcommand, and each of its options."""
    text = "".join(block for language, block in fenced(page.read_text("utf-8")) if language)
    for name, *words in calls(text):
        if name.startswith("-"):
            assert name in ("--help", "--version")
            continue
        found = command.get_command(click.Context(command), name)
        assert found is not None, name
        known = {option for each in found.params for option in (*each.opts, *each.secondary_opts)}
        given = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
        assert given <= known | {"--help"}, name


def test_the_options_page_follows_the_table():
    """Each option has its heading in the docs, in the order of the table, and there is no other."""
    text = (DOCS / "reference/options.md").read_text("utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [option.name for option in OPTIONS]


NAMED_DEFAULTS = {"alternates": "`auto`", "x_default": "the default language of the site"}


def default_text(default, name=""):
    """A default as the docs write it."""
    if name in NAMED_DEFAULTS:
        return NAMED_DEFAULTS[name]
    if default is None:
        return "none"
    if default is False:
        return "`false`"
    if default is True:
        return "`true`"
    if isinstance(default, tuple):
        return f"`[{', '.join(default)}]`"
    return "`UTC`" if default == UTC else f"`{default}`"


def test_the_table_of_options_is_that_of_the_code():
    """One row for each option, in order, with the type and the default of its section."""
    page = "reference/options.md"
    expected = []
    for option in OPTIONS:
        kind = re.search(r"^- Type: (.*)$", section(page, option.name), re.MULTILINE)[1]
        link = f"[`{option.name}`](#{option.name.replace('.', '')})"
        default = default_text(option.default, option.name)
        expected.append([link, kind, default, option.summary.replace("``", "`")])
    assert rows((DOCS / page).read_text("utf-8")) == expected


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_each_option_has_its_summary_default_and_example(option):
    """An option's section gives its summary, its type, its default, an example and its effect."""
    text = section("reference/options.md", option.name)
    assert text.startswith(f"\n{option.summary.replace('``', '`')}\n\n- Type: ")
    assert f"\n- Default: {default_text(option.default, option.name)}\n" in text
    shown = blocks(text, "yaml")[-1 if option.name == "exclude" else 0]
    assert shown.startswith("plugins:\n  - search\n  - sitemap-plus:\n")
    options = yaml.safe_load(shown)["plugins"][-1]["sitemap-plus"]
    reading = read_options(options)
    assert (reading.errors, reading.unknown) == ((), ())
    for part in option.name.split("."):
        assert list(options) == [part]
        options = options[part]
    if option.name not in ("exclude", "filename", "robots_txt", "report"):
        assert blocks(text, "xml")


@pytest.mark.parametrize(
    "name",
    ["changefreq", "priority", "rules", "lastmod.sources", "lastmod.format", "lastmod.timezone"],
)
def test_the_example_of_an_option_gives_the_xml_beside_it(lighthouse, name):
    """The XML under an option is what its example makes of the sample site."""
    text = section("reference/options.md", name)
    built = lighthouse_with(lighthouse, blocks(text, "yaml")[0])
    for block in blocks(text, "xml"):
        for piece in urls(block) or [block]:
            assert piece in built


YESTERDAY = f"{datetime.now(UTC) - timedelta(days=1):%Y-%m-%d}"
UNDATED = "lastmod: {sources: []}\n"
INSTALL = (ROOT / "sample_site" / "docs" / "install.md").read_bytes()
EXTENDED = {
    "docs/guide/lamp.png": b"not looked into",
    "docs/guide/img/lamp.png": b"nor this one",
    "docs/guide/first-lamp.md": b"# First lamp\n\n![A lamp](lamp.png)\n",
    "docs/data-sheet.pdf": b"not looked into",
    "docs/blog/posts/fog.md": f"---\ndate: {YESTERDAY} 09:00\n---\n# A lamp for fog\n".encode(),
}
"""What examples of options are about, and the sample site does not have."""


@pytest.fixture(scope="module")
def extended(lighthouse, tmp_path_factory):
    """The sample site with images, a file, a video, an article and links to other languages."""
    folder = tmp_path_factory.mktemp("extended") / "site"
    shutil.copytree(lighthouse.folder, folder)
    site = SiteMaker(folder)
    site.write(EXTENDED)
    text = (DOCS / "reference/front-matter.md").read_text("utf-8")
    videos, alternates = (
        re.search(rf"^## {name}\n.*?```yaml\n(.*?)```", text, re.DOTALL | re.MULTILINE)[1].encode()
        for name in ("videos", "alternates")
    )
    site.write({"docs/guide/film.md": videos, "docs/install.md": alternates + INSTALL})
    site.commit("Show more", "2026-05-19T16:40:31+0000")
    return site


def written(site, options):
    """All XML files of the sample site with these options, one after the other."""
    config = (site.folder / "mkdocs.yml").read_text("utf-8")
    indented = "".join(f"      {line}\n" for line in options.splitlines())
    start, end = config.index("plugins:"), config.index("nav:")
    plugins = f"plugins:\n  - sitemap-plus:\n{indented}\n"
    site.write({"other.yml": config[:start] + plugins + config[end:]})
    built = site.build("-f", "other.yml")
    assert built.warnings == []
    return "".join(path.read_text("utf-8") for path in sorted(built.path("").glob("*.xml")))


SMALLER = {"max_urls": ("10000", "10"), "max_bytes": ("10000000", "1000")}


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("images", UNDATED),
        ("news", UNDATED),
        ("extra_urls", UNDATED),
        ("extra_files", ""),
        ("extra_sitemaps", UNDATED),
        ("max_urls", UNDATED),
        ("max_bytes", UNDATED),
    ],
)
def test_the_example_of_an_extension_gives_the_xml_beside_it(extended, name, more):
    """What the protocol has beside pages; limits are smaller here, as the site is."""
    text = section("reference/options.md", name)
    example = options_in(blocks(text, "yaml")[0]).replace(*SMALLER.get(name, ("", "")))
    xml = written(extended, more + example)
    shown = "".join(blocks(text, "xml")).replace("2026-11-20", YESTERDAY)
    for piece in urls(shown) or [shown]:
        assert piece in xml


def test_the_index_of_sections_in_the_docs_is_real(lighthouse):
    """That of the sample site, whose lists of pages have no date; it has one section more."""
    text = section("reference/options.md", "split")
    own = "rules: [{match: [/guide/index.md, /reference/index.md], lastmod: false}]\n"
    xml = written(lighthouse, own + options_in(blocks(text, "yaml")[0]))
    (shown,) = blocks(text, "xml")
    assert [each for each in sitemaps(xml) if "internal" not in each] == sitemaps(shown)


@pytest.mark.parametrize("field", ["videos", "alternates"])
def test_the_example_of_a_key_gives_the_xml_beside_it(extended, field):
    """Front matter of a page of the sample site, in a real build."""
    (shown,) = blocks(section("reference/front-matter.md", field), "xml")
    assert shown in written(extended, UNDATED)


def test_the_files_are_named_as_the_docs_say(lighthouse):
    """The example of ``filename`` writes the two files that its section names, and no other."""
    example = blocks(section("reference/options.md", "filename"), "yaml")[0]
    lighthouse.write({"named.yml": f"INHERIT: mkdocs.yml\n{example}"})
    built = lighthouse.build("--strict", "-f", "named.yml", "-d", "named")
    found = sorted(path.name for path in (built.folder / "named").glob("*.xml*"))
    assert found == ["pages.xml", "pages.xml.gz"]


@pytest.mark.parametrize("page", [README, HOME], ids=name_of)
def test_the_sitemap_after_is_real(lighthouse, page):
    """The XML "after" of README and home page is what the sample site gives, dates and all."""
    shown, built = urls(marked("after", page)), urls(lighthouse.build("--strict").xml())
    assert shown
    assert shown == [url for url in built if url in shown]
    assert len(built) == 12


@pytest.mark.parametrize("page", [README, HOME], ids=name_of)
def test_the_sitemap_before_is_real(lighthouse, page):
    """The XML "before" is what MkDocs gives without the plugin, but for the day."""
    lighthouse.write({"plain.yml": "INHERIT: mkdocs.yml\nplugins: []\n"})
    lighthouse.build("-f", "plain.yml", "-d", "plain")
    dated = r"\d{4}-\d\d-\d\d"
    own = re.sub(dated, "DAY", (lighthouse.folder / "plain" / "sitemap.xml").read_text("utf-8"))
    own = re.sub(" *<changefreq>daily</changefreq>\n", "", own)  # MkDocs 1.6.0 alone
    assert re.sub(dated, "DAY", marked("before", page)) in own
    assert own.count("<loc>") == 15


def test_the_home_page_shows_the_options_of_the_sample_site():
    """The rules on it are those of the sample site."""
    example = next(block for block in blocks(HOME.read_text("utf-8"), "yaml") if "rules:" in block)
    sample = yaml_load((ROOT / "sample_site" / "mkdocs.yml").read_text("utf-8"))
    assert yaml.safe_load(example)["plugins"][-1] == sample["plugins"][-1]


def test_the_sample_site_shows_each_override(lighthouse):
    """The sample site has a page for each way to say something, and the build counts them."""
    built = lighthouse.build("--strict")
    undated = "2 undated (docs/guide/index.md, docs/reference/index.md)"
    counts = f"12 URLs, 10 dated (1 front matter, 9 git), {undated}"
    out = "3 pages left out (2 excluded, 1 noindex)"
    assert built.lines == [f"INFO sitemap.xml and sitemap.xml.gz: {counts}; {out}."]
    entries = built.by_loc(base=LIGHTHOUSE)
    assert entries[""]["priority"] == "1.0"
    assert entries["guide/alerts/"]["changefreq"] == "weekly"
    assert entries["guide/from-version-1/"] == {"lastmod": "2026-03-14"}
    assert entries["guide/"] == {}
    assert entries["reference/"] == {"changefreq": "monthly", "priority": "0.6"}
    assert "internal/security/" in entries
    assert not {"thanks/", "internal/release-checklist/", "all-on-one-page/"} & set(entries)


def test_the_build_in_the_docs_is_real(lighthouse):
    """The line that sums up a build stands in the docs as it is."""
    summary = lighthouse.build("--strict").summary
    for page in ("index.md", "hosting/index.md"):
        assert f"INFO    -  sitemap-plus: {summary}\n" in (DOCS / page).read_text("utf-8")


def test_every_key_of_front_matter_has_its_section():
    """Each key that a page may say has a section, and the long form shows all of them."""
    text = (DOCS / "reference/front-matter.md").read_text("utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == list(FIELDS)
    short, long = (yaml.safe_load(block.split("---")[1]) for block in blocks(text, "yaml")[:2])
    assert tuple(short) == SHORT_FIELDS
    assert tuple(long["sitemap"]) == FIELDS
    assert [row[0] for row in rows(text)] == [f"[`{name}`](#{name})" for name in FIELDS]


def front_matter_cases():
    """Each value in the tables of the front matter page: field, front matter, what comes of it."""
    for field in ("changefreq", "priority", "lastmod"):
        for said, becomes in rows(section("reference/front-matter.md", field)):
            expected = re.match("`(.*?)`|nothing|no date", becomes)
            for value in re.findall("`(.*?)`", said):
                text = value if value.startswith(f"{field}:") else f"{field}: {value}"
                yield field, text, expected[1], becomes


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """The entries and messages of a page for each value in the tables of the front matter page.

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


@pytest.mark.parametrize(
    ("number", "case"),
    list(enumerate(front_matter_cases())),
    ids=[text for _, text, _, _ in front_matter_cases()],
)
def test_the_tables_of_front_matter_are_true(said, number, case):
    """Each value in the tables comes out as its row says, with a warning where it says so."""
    field, _, expected, becomes = case
    entries, lines = said
    assert entries[f"p{number}/"].get(field) == expected
    told = [line.split()[0] for line in lines if f" docs/p{number}.md:2: {field} " in line]
    wanted = [
        level
        for level, words in (("WARNING", "a warning"), ("INFO", "one line of information"))
        if words in becomes
    ]
    assert told == wanted


def test_the_warnings_in_the_docs_are_real(site):
    """The front matter under "What a warning looks like" gives the warnings below it."""
    text = section("reference/front-matter.md", "What a warning looks like")
    site.config()
    site.docs({"index.md": "# Home\n", "guide/alerts.md": blocks(text, "yaml")[0] + "\n# Alerts\n"})
    invalid = site.build().warnings
    site.docs({"guide/alerts.md": "---\nlastmod: 2026-02-30\n---\n\n# Alerts\n"})
    broken = site.build().warnings
    shown = [f"WARNING -  sitemap-plus: {warning}\n" for warning in invalid]
    dropped = [f"WARNING -  sitemap-plus: {warning}\n" for warning in broken]
    assert blocks(text, "text") == ["".join(shown), "".join(dropped)]


def test_the_templates_for_those_who_move_show_the_days(site):
    """One shows the day of a page, the other lists the pages that changed last."""
    text = section("migrate/git-revision-date-localized.md", "What changes")
    templates = "".join(blocks(text, "html"))
    main = f'{{% extends "base.html" %}}{{% block content %}}{templates}{{% endblock %}}'
    site.commit_on("2026-01-05", {"docs/index.md": "# Home\n", "docs/a.md": "# A\n"})
    site.commit_on("2026-02-06", {"docs/a.md": "# A, newer\n", "theme/main.html": main})
    site.docs({"none.md": "# Not committed\n"})
    site.config("page_dates: true", theme="theme: {name: mkdocs, custom_dir: theme}\n")
    built = site.build("--strict")
    home, undated = (built.path(f"{name}index.html").read_text("utf-8") for name in ("", "none/"))
    assert '<time datetime="2026-01-05 10:00:00+00:00">05.01.2026</time>' in home
    assert re.findall(r"</a> ([\d-]+)$", home, re.MULTILINE) == ["2026-02-06", "2026-01-05"]
    assert "Updated:" not in undated


TYPES = {
    "Changefreq | None": "`Changefreq` or `None`",
    "date | datetime": "`date` or `datetime`",
    "date | datetime | None": "`date`, `datetime` or `None`",
}


def type_text(annotation):
    """A type as the docs write it: in alternatives, and with tuples in words."""
    text = str(annotation).strip('"')
    if text in TYPES:
        return TYPES[text]
    if items := re.fullmatch(r"tuple\[(\w+), \.\.\.\]", text):
        return f"tuple of `{items[1]}`"
    return " or ".join(f"`{part}`" for part in text.split(" | "))


@pytest.mark.parametrize("kind", [PageOfEntry, UrlEntry, Alternate, Video, Restriction, News])
def test_the_python_types_are_those_of_the_code(kind):
    """Each field in its row, in order, with its type and its default."""
    annotations = annotations_of(kind)
    shown = [row[:-1] for row in rows(section("reference/python.md", kind.__name__))]
    expected = [[f"`{field.name}`", type_text(annotations[field.name])] for field in fields(kind)]
    if kind is not PageOfEntry:
        for field, row in zip(fields(kind), expected, strict=True):
            row.append("required" if field.default is MISSING else f"`{field.default}`")
    assert shown == expected


def annotations_of(kind):
    """The types of the fields as they are written in the code."""
    tree = ast.parse(inspect.getsource(kind)).body[0]
    written = [each for each in tree.body if isinstance(each, ast.AnnAssign)]
    return {each.target.id: ast.unparse(each.annotation).strip("'") for each in written}


def keys_in(page, heading):
    """The names in the first table below a heading."""
    return [cells[0].strip("`") for cells in rows(section(page, heading))]


def test_each_key_of_a_report_is_documented(extended):
    """Those of the report, of its pages, and of the places that values come from."""
    page = "reference/report-json.md"
    undated = "rules: [{match: /guide/index.md, lastmod: false}]"
    written(extended, f"report: report.json\nexclude: /internal/\n{undated}")
    report = json.loads((extended.folder / "report.json").read_text("utf-8"))
    assert list(report) == keys_in(page, "The report")
    pages, origins = keys_in(page, "A page"), keys_in(page, "Where a value comes from")
    assert {key for each in report["pages"] for key in each} == {*pages} - {"rejected"}
    places = [place for each in report["pages"] for place in each.get("because", {}).values()]
    assert {"repository", "path", "commit", "when"} < {key for each in places for key in each}
    assert {key for each in places for key in each} <= {*origins}
    (example,) = map(json.loads, blocks((DOCS / page).read_text("utf-8"), "json"))
    assert example.keys() < {*pages}
    assert {key for each in example["because"].values() for key in each} < {*origins}


def test_the_keys_of_a_rule_are_documented():
    """The table of a rule's keys has all of them."""
    keys = [cells[0].strip("`") for cells in rows(section("reference/options.md", "rules"))]
    assert keys == ["match", *RULE_FIELDS]


FIXES = {
    "GitHub Actions": "GITHUB_ACTIONS",
    "GitLab CI": "GITLAB_CI",
    "Bitbucket Pipelines": "BITBUCKET_BUILD_NUMBER",
    "Azure Pipelines": "TF_BUILD",
    "Read the Docs": "READTHEDOCS",
    "Netlify": "NETLIFY",
    "Cloudflare Pages": "CF_PAGES",
    "Vercel": "VERCEL",
    "any other": None,
}


def test_the_fixes_for_shallow_clones_in_the_docs_are_those_of_the_line(monkeypatch):
    """Each CI has its row, with what the line says where it runs."""
    for variable in filter(None, FIXES.values()):
        monkeypatch.delenv(variable, raising=False)
    text = (DOCS / "hosting/index.md").read_text("utf-8")
    shown = {name: fix for name, fix, _ in rows(text) if not name.startswith("Docker")}
    found = {}
    for name, variable in FIXES.items():
        with monkeypatch.context() as running:
            if variable:
                running.setenv(variable, "true")
            found[name] = fix_for_shallow()
    assert (
        found.pop("Netlify") == found.pop("Cloudflare Pages") == shown["Netlify, Cloudflare Pages"]
    )
    assert found == {name: fix for name, fix in shown.items() if "," not in name}


def test_the_docs_have_each_reason_for_a_page_without_a_date():
    """As `explain` and the report name it."""
    cells = [row[0] for row in rows(section("how-it-works/dates.md", "What has no date"))]
    assert sorted(re.findall("`(.*?)`", " ".join(cells))) == sorted(Reason)


LONG = "A text that is long enough to be told from others.\n"
CHANGES = {
    "changes the text": {"docs/p{0}.md": "Other.\n"},
    "only renames the page": {
        "docs/p{0}.md": None,
        "docs/r{0}.md": "# P\n" + LONG,
    },
    "renames the page and changes its text": {"docs/p{0}.md": None, "docs/r{0}.md": "# Q\n" + LONG},
    "adds the page as a copy of another page": {"docs/r{0}.md": "# P\n" + LONG},
    "only changes front matter": {"docs/p{0}.md": "---\ntags: [a]\n---\n# P\n" + LONG},
    "only changes line endings or other white space": {"docs/p{0}.md": "#  P\r\n\r\n" + LONG},
}


@pytest.mark.parametrize("change", ["any", "content", "body"])
def test_the_table_of_changes_is_true(site, change):
    """One commit does all of it; a page is dated by it, or by the commit before."""
    cells = {
        row[0]: row[1:] for row in rows(section("how-it-works/dates.md", "any, content, body"))
    }
    mode = next(name for name in cells if name.startswith("only changes the mode"))
    todo = [*CHANGES, mode]
    assert sorted(cells) == sorted(todo)
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
        expected = "2024-02-01" if cells[name][column] == "counts" else "2024-01-01"
        assert days[new] == expected, name


def test_the_readme_has_two_commands_of_one_line():
    """Both commands of the README are one line each."""
    assert marked("try").count("\n") == 1
    assert marked("test").count("\n") == 1


@pytest.mark.parametrize("name", ["try", "test"])
def test_ci_runs_the_commands_of_the_readme(name):
    """CI takes its commands out of the README, and runs them."""
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    function = re.search(r"^readme_command\(\) \{\n.*?^\}\n", script, re.DOTALL | re.MULTILINE)[0]
    done = subprocess.run(
        ["bash", "-c", f"{function}readme_command {name}"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == marked(name)
    assert re.search(rf'^eval "\$\(readme_command {name}\)"( \||$)', script, re.MULTILINE)


def test_the_lowest_versions_are_those_that_are_promised():
    """CI installs the lowest version of each dependency that the package asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    promised = dict(
        re.match(r"([\w-]+)>=([\d.]+)", each).groups() for each in project["dependencies"]
    )
    installed = dict(re.findall(r"([\w-]+)==([\d.]+)", script))
    assert installed.keys() == promised.keys()
    for name, version in promised.items():
        assert f"{installed[name]}.0".startswith(f"{version}."), name


def named_in(nav):
    """The pages of a navigation, also those in sections."""
    for entry in nav:
        page = next(iter(entry.values())) if isinstance(entry, dict) else entry
        yield from [page] if isinstance(page, str) else named_in(page)


def test_every_page_of_the_docs_is_in_the_navigation():
    """The documentation's navigation names every page once."""
    config = yaml_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    pages = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    assert sorted(named_in(config["nav"])) == pages


@pytest.mark.parametrize("page", [ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_links_outside_of_the_docs_lead_somewhere(page):
    """Each relative link names a file; those of the docs are checked by their strict build."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (ROOT / target).exists(), target


def test_the_documentation_is_built_as_it_says_itself():
    """Read the Docs gets the lines for the history and for strictness from its page."""
    own = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text("utf-8"))
    page = DOCS / "hosting/read-the-docs.md"
    shown = yaml.safe_load(blocks(page.read_text("utf-8"), "yaml")[0])
    assert own["build"]["jobs"].pop("install")
    assert shown.pop("python")
    assert own == shown


def test_the_readme_fits_on_a_page_of_a_package_index():
    """It is short, and has absolute links only: an index has no files beside it."""
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 120
    assert "<a " not in text
    links = re.findall(r"\]\(([^)]+)\)|^\[[^]]+\]: (.+)$", text, re.MULTILINE)
    assert links
    assert [link for link in links if not "".join(link).startswith("https://")] == []


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SITE, FORGE = PROJECT["urls"]["Documentation"], PROJECT["urls"]["Source"]


def anchors(page):
    """The anchors of the headings of a page, as MkDocs makes them, but for repeated ones."""
    text = re.sub(
        r"^( *)```.*?^\1```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    headings = re.findall(r"^#+ (.*?)(?: \{.*)?$", text, re.MULTILINE)
    return {slugify(heading.replace("`", ""), "-") for heading in headings}


def page_at(path):
    """The page or file of the docs with this path below the address of the documentation."""
    name = path.removeprefix("page/").strip("/")
    pages = (DOCS / f"{name}.md", DOCS / name / "index.md", DOCS / name)
    return next((page for page in pages if page.is_file()), None)


def texts_with_addresses():
    """All files that may name the documentation or the repository."""
    yield from (*PAGES, ROOT / "mkdocs.yml", ROOT / "pyproject.toml")
    for folder in ("mkdocs_sitemap_plus", "docs/assets/schema", ".github"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".md", ".yml", ".yaml", ".json", ".html"):
                yield path


def leads_somewhere(link):
    """Whether a link to the documentation names a page that is there, and a heading of it."""
    below, _, anchor = link.removeprefix(SITE).partition("#")
    page = page_at(below) if below.startswith("page/") else None
    return link.startswith(SITE) and (
        not below.startswith("page/")
        or (page is not None and (not anchor or anchor in anchors(page)))
    )


def test_addresses_of_the_project_lead_somewhere():
    """Each link to the documentation or to a file of the repository names what is there."""
    raw = FORGE.replace("https://github.com/", "https://raw.githubusercontent.com/")
    for path in texts_with_addresses():
        text = path.read_text("utf-8")
        if path.suffix == ".py":
            text = re.sub(r"\{[^}]*\}", "", text)
        for link in re.findall(r"https://mkdocs-sitemap-plus\.[^\s\"'`)>\]]+", text):
            assert leads_somewhere(link), (name_of(path), link)
        for start in (f"{FORGE}/blob/main/", f"{raw}/main/"):
            for name in re.findall(rf"{re.escape(start)}([^\s\"'`)>\]#]+)", text):
                assert (ROOT / name).is_file(), (name_of(path), name)


def test_the_addresses_are_those_of_the_package():
    """The site of the documentation has the address and the repository that the package names."""
    config = yaml_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    assert config["site_url"].startswith(SITE)
    assert config["repo_url"] == FORGE
    for name in ("Issues", "Changelog"):
        assert PROJECT["urls"][name].startswith((SITE, FORGE)), name
