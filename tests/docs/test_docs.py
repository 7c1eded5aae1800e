"""What README and docs say is what the code does."""

import ast
import importlib
import inspect
import json
import re
import shlex
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from dataclasses import MISSING, fields
from datetime import UTC
from functools import cache

import click
import pytest
import yaml
from docs_pages import (
    DOCS,
    PAGES,
    README,
    ROOT,
    anchors,
    blocks,
    fenced,
    name_of,
    rows,
    section,
)
from jinja2 import Environment
from markdown.extensions.toc import slugify
from mkdocs.utils.yaml import get_yaml_loader, yaml_load
from readers import OPTIONS

from mkdocs_sitemap_plus import Change, GitDates, NoDate
from mkdocs_sitemap_plus.command.cli.main import command
from mkdocs_sitemap_plus.generator.lastmod.date_source import Reason
from mkdocs_sitemap_plus.generator.lastmod.missing import fix_for_shallow
from mkdocs_sitemap_plus.generator.options.fields import RULE_FIELDS
from mkdocs_sitemap_plus.generator.options.table import read_options, top_names
from mkdocs_sitemap_plus.generator.pipeline.transform import Page
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry

pytestmark = pytest.mark.skipif(
    not (ROOT / "sample_site").is_dir(), reason="only a whole checkout has the docs"
)


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
    "xml": parses_as_xml,
    "html": parses_as_html,
}
OTHERS = {"yaml", "sh", "console", "text", "dockerfile", "css", "diff", "ini", "js"}
"""YAML and sh have their own tests, and consoles are run; no parser is at hand for the rest."""


@pytest.mark.parametrize("language", PARSERS)
def test_every_block_parses(language):
    """Each is right in its language."""
    for _, _, block in blocks_of_pages(language):
        PARSERS[language](block)


def test_every_block_has_a_language():
    """One that we know."""
    found = {language for page in PAGES for language, _ in fenced(page.read_text("utf-8"))}
    assert found <= PARSERS.keys() | OTHERS


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


def test_every_script_parses():
    """Bash reads them all, also those in the YAML of a CI."""
    found = [block for _, _, block in blocks_of_pages("sh")]
    for _, _, block in blocks_of_pages("yaml"):
        found += scripts(loaded_yaml(block)[0])
    text = re.sub(r"\$\{\{.*?\}\}", "VALUE", "\n".join(found))
    done = subprocess.run(["bash", "-n"], check=False, input=text.encode(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def calls(text):
    """The words of each call of the command in a text, up to the end of the line or command."""
    for before, line in re.findall(
        # But not in the address of the repository.
        r"^(.*?)(?<!mkdocs-sitemap-plus/)\bmkdocs-sitemap-plus ((?:.*\\\n)*.*)$",
        text,
        re.MULTILINE,
    ):
        if '"format"' in before:  # the mark of a file
            continue
        words = shlex.split(re.split(r"[|;&>#`]", line.replace("\\\n", " "))[0].replace("'", ""))
        if "install" not in before and words and re.match("[a-z-]", words[0]):
            yield words


def test_every_call_of_the_command_is_one_that_exists():
    """In all blocks, such as those of a CI: the subcommand, and each of its options."""
    blocks = (block for page in PAGES for lang, block in fenced(page.read_text("utf-8")) if lang)
    text = "".join(blocks)
    for name, *words in calls(text):
        if name.startswith("-"):
            assert name in ("--help", "--version")
            continue
        found = command.get_command(click.Context(command), name)
        assert found is not None, name
        known = {option for each in found.params for option in (*each.opts, *each.secondary_opts)}
        given = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
        assert given <= known | {"--help"}, name


NAMED_DEFAULTS = {
    "alternates": "`auto`",
    "page_dates": "`false`",
}


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


def test_tables_of_all_options_come_first():
    """Each option links its section in one of two tables, and the sections are in their order."""
    text = (DOCS / "reference/options.md").read_text("utf-8")
    first = text.partition("\n## ")[0]
    listed = re.findall(r"\[`([\w.]+)`\]\(#(\w+)\)", first)
    assert listed == [(name, slugify(name, "-")) for name, _ in listed]
    names = [name for name, _ in listed]
    assert sorted(names) == sorted(option.name for option in OPTIONS)
    assert re.findall(r"^## ([\w.]+)$", text, re.MULTILINE) == names
    assert len(rows(first)) == 8


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_each_option_has_a_summary_its_default_and_example(option):
    """An option's section is short: its summary, its type, its default and one example."""
    text = section("reference/options.md", option.name)
    default = re.escape(default_text(option.default, option.name))
    assert re.match(rf"\n\S.*\n\n\S.+\. Default: {default}\.\n\n```yaml\n", text)
    assert len(text.split()) <= 80
    (shown,) = blocks(text, "yaml")
    assert shown.startswith("plugins:\n  - search\n  - sitemap-plus:\n")
    options = yaml.safe_load(shown)["plugins"][-1]["sitemap-plus"]
    reading = read_options(options)
    assert (reading.errors, reading.unknown) == ((), ())
    for part in option.name.split("."):
        assert list(options) == [part]
        options = options[part]


TYPES = {
    "Changefreq | None": "`Changefreq` or `None`",
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


@pytest.mark.parametrize("kind", [Page, UrlEntry])
def test_the_python_types_are_those_of_the_code(kind):
    """Each field in its row, in order, with its type and its default."""
    annotations = annotations_of(kind)
    expected = [[f"`{field.name}`", type_text(annotations[field.name])] for field in fields(kind)]
    if kind is not Page:
        for field, row in zip(fields(kind), expected, strict=True):
            row.append("required" if field.default is MISSING else f"`{field.default}`")
    table = rows(section("reference/python.md", kind.__name__))
    assert [row[: len(expected[0])] for row in table] == expected


@pytest.mark.parametrize("kind", [Change, NoDate])
def test_the_values_of_git_dates_are_those_of_the_code(kind):
    """Each field is named behind its type."""
    said = section("reference/python.md", "GitDates").partition(f"A `{kind.__name__}` has ")[2]
    named = re.findall(r"`(\w+)`", said)
    assert [name for name in kind._fields if name not in named] == []


def test_the_arguments_of_git_dates_are_documented():
    """Each that has a name, once, in the table."""
    table = rows(section("reference/python.md", "GitDates"))
    shown = [name for row in table for name in re.findall(r"`(\w+)`", row[0])]
    parameters = inspect.signature(GitDates).parameters.values()
    assert sorted(shown) == sorted(
        each.name for each in parameters if each.kind is each.KEYWORD_ONLY
    )


def annotations_of(kind):
    """The types of the fields as they are written in the code."""
    tree = ast.parse(inspect.getsource(kind)).body[0]
    written = [each for each in tree.body if isinstance(each, ast.AnnAssign)]
    return {each.target.id: ast.unparse(each.annotation).strip("'") for each in written}


def test_the_keys_of_a_rule_are_documented():
    """The section on rules names all of them."""
    text = section("reference/options.md", "rules")
    assert [key for key in ("match", *RULE_FIELDS) if not re.search(rf"\b{key}\b", text)] == []


FIXES = {
    "GitHub Actions": "GITHUB_ACTIONS",
    "GitLab CI": "GITLAB_CI",
    "Bitbucket Pipelines": "BITBUCKET_BUILD_NUMBER",
    "Azure Pipelines": "TF_BUILD",
    "Read the Docs": "READTHEDOCS",
    "Vercel": "VERCEL",
}
UNSHALLOW = "Run `git fetch --unshallow || true` before the build"


def test_the_fixes_for_shallow_clones_in_the_docs_are_those_of_the_line(monkeypatch):
    """Each CI has its row, with what the line says where it runs."""
    text = (DOCS / "hosting/index.md").read_text("utf-8")
    shown = {re.sub(r"\[(.*?)\]\(.*?\)", r"\1", name): fix for name, fix in rows(text)}
    for variable in (*FIXES.values(), "NETLIFY", "CF_PAGES"):
        monkeypatch.delenv(variable, raising=False)
    assert fix_for_shallow() == f"{UNSHALLOW}."
    assert shown["any other"] == f"{UNSHALLOW}."
    for variable in ("NETLIFY", "CF_PAGES"):
        with monkeypatch.context() as running:
            running.setenv(variable, "true")
            assert fix_for_shallow() == f"{UNSHALLOW}, in the build command."
    assert shown["Netlify, Cloudflare Pages"] == f"{UNSHALLOW}, in the build command."
    for name, variable in FIXES.items():
        with monkeypatch.context() as running:
            running.setenv(variable, "true")
            assert shown[name] == fix_for_shallow()


def test_the_docs_have_each_reason_for_a_page_without_a_date():
    """As `explain` and the report name it."""
    heading = "No date: pages without one { #pages-without-a-date }"
    cells = [row[0] for row in rows(section("guide/dates.md", heading))]
    assert sorted(re.findall("`(.*?)`", " ".join(cells))) == sorted(Reason)


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


def page_at(path):
    """The page or file of the docs with this path below the address of the documentation."""
    name = path.removeprefix("page/").strip("/")
    pages = (DOCS / f"{name}.md", DOCS / name / "index.md", DOCS / name)
    return next((page for page in pages if page.is_file()), None)


def texts_with_addresses():
    """All files that may name the documentation or the repository."""
    yield from (*PAGES, *(ROOT / name for name in ("CHANGELOG.md", "mkdocs.yml", "pyproject.toml")))
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
