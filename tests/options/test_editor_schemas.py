"""The JSON schemas for editors: they take every example of the docs, and no common mistake.

The oracle is the plugin's own reader, and jsonschema. References to schemas of MkDocs and Material,
which are on the web, are taken for schemas that allow everything.
"""

import json
import re
from datetime import UTC
from functools import cache
from pathlib import Path
from runpy import run_path

import pytest
import yaml
from jsonschema import Draft7Validator
from readers import OPTIONS
from referencing import Registry, Resource
from test_options import ERRORS, UNKNOWN

from mkdocs_sitemap_plus.generator.options.fields import read_front_matter
from mkdocs_sitemap_plus.generator.options.settings import LastmodSettings
from mkdocs_sitemap_plus.problems import Level

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "assets" / "schema"
NAMES = ["sitemap-plus.json", "mkdocs.json", "mkdocs-material.json", "front-matter.json"]

pytestmark = pytest.mark.skipif(
    not (ROOT / "scripts").is_dir(), reason="only a whole checkout has the schemas"
)


class EditorLoader(yaml.SafeLoader):
    """YAML as an editor reads it: version 1.2, where a date and ``yes`` are text."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - as in PyYAML
        first: [
            (tag, regex) for tag, regex in resolvers if not tag.endswith((":timestamp", ":bool"))
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


EditorLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("true|True|TRUE|false|False|FALSE"), list("tTfF")
)


def _untagged(loader, _suffix, node):
    """The value of a node with a tag such as ``!ENV``, which editors leave as it is written."""
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    return loader.construct_sequence(node)


EditorLoader.add_multi_constructor("!", _untagged)
EditorLoader.add_multi_constructor("tag:yaml.org,2002:python/", _untagged)


def as_in_an_editor(text):
    """The documents of a text."""
    return list(yaml.load_all(text, EditorLoader))


@cache
def validator(name):
    """A validator by one of the schemas."""
    found = {each: json.loads((FOLDER / each).read_text("utf-8")) for each in NAMES}
    for schema in found.values():
        Draft7Validator.check_schema(schema)
    own = {schema["$id"]: Resource.from_contents(schema) for schema in found.values()}
    web = Resource.from_contents(
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": {}}
    )
    registry = Registry(retrieve=lambda _uri: web).with_resources(own.items()).crawl()
    return Draft7Validator(found[name], registry=registry)


def faults(name, value):
    """What the schema finds wrong with a value."""
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]


def project(options):
    """A mkdocs.yml with options of the plugin."""
    return {"plugins": ["search", {"sitemap-plus": options}]}


@pytest.mark.parametrize("name", NAMES)
def test_the_schemas_follow_the_table_of_options(name):
    """`nox -s schema` writes them; each option is in them with its sentence."""
    script = run_path(str(ROOT / "scripts" / "make_schemas.py"))
    assert list(script["SCHEMAS"]) == NAMES
    assert (FOLDER / name).read_text("utf-8") == script["written"](name)


def test_every_option_has_its_sentence_its_default_and_its_link():
    """At its place in mkdocs.yml; the link names the heading of the option."""
    top = validator("sitemap-plus.json").schema["definitions"]["options"]
    docs = (ROOT / "docs" / "reference" / "options.md").read_text("utf-8")
    docs = re.sub(r"(?<=\w)\n(?=\w|`)|(?<=[,.`])\n(?=\w|`)", " ", docs)
    for option in OPTIONS:
        found = top
        for part in option.name.split("."):
            found = found["properties"][part]
        assert f"## {option.name}\n\n{found['description']}\n" in docs
        anchor = option.name.replace(".", "")
        assert found["markdownDescription"].endswith(f"page/reference/options/#{anchor})")
        if option.name != "alternates" and isinstance(option.default, (bool, int, str)):
            assert found["default"] == option.default


def test_the_page_names_the_schemas_by_their_addresses():
    """The lines to paste, and the links to the files."""
    text = (ROOT / "docs" / "reference" / "options.md").read_text("utf-8")
    addresses = {validator(name).schema["$id"] for name in NAMES}
    named = set(re.findall(r'https://mkdocs-sitemap[^\s"]+', text))
    assert named
    assert named <= addresses
    linked = set(re.findall(r"assets/schema/([\w-]+\.json)\)", text))
    assert linked
    assert linked <= set(NAMES)


def yaml_blocks():
    """All YAML blocks of README and docs, and the sample site's own file."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        found = re.findall(
            r"^( *)```yaml.*?\n(.*?)^\1```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
        )
        for indent, block in found:
            yield page.name, re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
    yield "sample", (ROOT / "sample_site" / "mkdocs.yml").read_text("utf-8")


def test_every_example_of_the_docs_is_right_in_an_editor():
    """Options and front matter; some front matter is wrong there on purpose."""
    tried = {"plugins": 0, "front matter": 0, "options": 0}
    tops = {option.name.partition(".")[0] for option in OPTIONS}
    for page, block in yaml_blocks():
        loaded = as_in_an_editor(block)[0]
        kind, found, wrong = None, [], False
        if isinstance(loaded, dict) and block.startswith("---\n"):
            kind, found = "front matter", faults("front-matter.json", loaded)
            wrong = bool(problems_of(next(yaml.safe_load_all(block))))
        elif isinstance(loaded, dict) and "plugins" in loaded:
            kind = "plugins"
            found = faults("mkdocs.json", loaded) + faults("mkdocs-material.json", loaded)
        elif isinstance(loaded, dict) and loaded.keys() <= tops:
            kind, found = "options", faults("mkdocs.json", project(loaded))
        if kind:
            tried[kind] += 1
            assert bool(found) == wrong, (page, block, found)
    assert tried["plugins"] > 5
    assert tried["front matter"] > 5


UNSEEN = {
    text
    for text, error in {**ERRORS, **UNKNOWN}.items()
    if text.startswith(("lastmod: {timezone: ", "filename: ", "report: "))
    or text == "lastmod: {git: {branch: origin/main}}"
    or "reviewed, lastmod" in text
    or "\\x00" in error
} - {"lastmod: {timezone: ''}"}
"""What the plugin rejects and a schema can't."""


@pytest.mark.parametrize("name", ["mkdocs.json", "mkdocs-material.json"])
def test_an_editor_rejects_what_the_plugin_rejects(name):
    """Wrong values and unknown keys."""
    texts = {*ERRORS, *UNKNOWN}
    wrong = {text for text in texts if faults(name, project(as_in_an_editor(text)[0]))}
    assert wrong == texts - UNSEEN


@pytest.mark.parametrize(
    "text",
    [
        "page_dates: !ENV PAGE_DATES",
        "lastmod: {git: {shallow: !ENV [FIRST, SECOND, warn]}}",
        "rules:\nlastmod: {git: }",
    ],
)
def test_an_editor_takes_what_an_environment_variable_gives(text):
    """As editors see it, and as the tag stands in mkdocs.yml; so is an option without a value."""
    assert faults("mkdocs.json", project(as_in_an_editor(text)[0])) == []


@pytest.mark.parametrize(
    "plugins",
    [["sitemap-plus"], [{"sitemap-plus": None}], {"sitemap-plus": {}, "search": {}},
     ["search", {"blog": {"blog_dir": "news"}}]],
)  # fmt: skip
def test_plugins_may_be_written_in_each_form(plugins):
    """A name, a name without options, a mapping, and other plugins."""
    assert faults("mkdocs.json", {"plugins": plugins}) == []


def problems_of(meta):
    """What the plugin finds wrong with front matter, apart from information."""
    _, problems = read_front_matter(meta, "docs/a.md", {}, UTC, LastmodSettings().front_matter_keys)
    return [each for each in problems if each.level is Level.WARNING]
