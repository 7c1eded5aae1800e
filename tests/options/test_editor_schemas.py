"""The JSON schemas for editors: what they accept is what the plugin accepts.

The oracle is the plugin's own reader, and jsonschema. References to schemas of MkDocs and Material,
which are on the web, are taken for schemas that allow everything.
"""

import json
import re
from datetime import UTC
from functools import cache, partial
from pathlib import Path
from runpy import run_path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from referencing import Registry, Resource
from test_options import ERRORS, TWO_SPELLINGS, UNKNOWN

from mkdocs_sitemap_plus.options import LastmodSettings
from mkdocs_sitemap_plus.options.mappings import (
    EXTRA_URL_KEYS,
    NEWS_KEYS,
    RULE_KEYS,
    VIDEO_KEYS,
    read_video,
)
from mkdocs_sitemap_plus.options.overrides import SITEMAP_KEYS, read_front_matter
from mkdocs_sitemap_plus.options.table import OPTIONS, read_options
from mkdocs_sitemap_plus.problems import Level, Origin, Place, invalid

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


@pytest.mark.parametrize("type_of_field", [int, int | None, tuple[int, ...]], ids=str)
def test_an_option_of_a_vague_type_needs_a_schema(type_of_field):
    """The script says where to add it."""
    script = run_path(str(ROOT / "scripts" / "make_schemas.py"))
    with pytest.raises(SystemExit, match=r"Add the schema of lastmod\.days to TYPES in scripts"):
        script["type_of"]("lastmod.days", type_of_field)


def test_every_option_has_its_sentence_its_default_and_its_link():
    """At its place in mkdocs.yml; the link names the heading of the option."""
    top = validator("sitemap-plus.json").schema["definitions"]["options"]
    for option in OPTIONS:
        found = top
        for part in option.name.split("."):
            found = found["properties"][part]
        assert found["description"] == option.summary
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
    assert set(re.findall(r"assets/schema/([\w-]+\.json)\)", text)) == set(NAMES)


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
    "lastmod: {timezone: Europe/Berln}",  # an editor has no list of time zones
    "lastmod: {timezone: UTC+3}",
    "lastmod: {timezone: EST5EDT4}",
    TWO_SPELLINGS,  # a schema compares no keys
}
"""What the plugin rejects and a schema can't."""


@pytest.mark.parametrize("text", [*ERRORS, *UNKNOWN])
def test_an_editor_rejects_what_the_plugin_rejects(text):
    """Wrong values and unknown keys."""
    options = as_in_an_editor(text)[0]
    assert bool(faults("mkdocs.json", project(options))) == (text not in UNSEEN)
    assert bool(faults("mkdocs-material.json", project(options))) == (text not in UNSEEN)


@pytest.mark.parametrize(
    "text",
    [
        "page_dates: !ENV PAGE_DATES",
        "page_dates: !ENV [PAGE_DATES, false]",
        "lastmod: {git: {shallow: !ENV [FIRST, SECOND, warn]}}",
        "enabled: !ENV [CI, false]",
        "max_urls: !ENV [MAX_URLS, 100]",
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


TEXTS = st.sampled_from(
    ["daily", "' Weekly '", "a.md", "'#a'", "UTC", "auto", "section", "git", "file", "mkdocstrings",
     "false", "No", "'no'", "off", "0.5", "'0.5'", "-1", "'1.'", "'-0'", "x.xml", "r.json", "a.b:c",
     "de", "pt-BR", "https://e.example/", "/", "' '", "''", "2026-03-14", "'2026-03-14'",
     "'2026-13-14'", "2026-3-1 1:02:03", "2026-03-14T10:00:00+01:00", "14.03.2026",
     '"x\\ny"', "depends",
     "tree"]
)  # fmt: skip
SCALARS = TEXTS | (
    st.none() | st.booleans() | st.integers(-2, 60000) | st.floats(-1, 2, width=16)
).map(json.dumps)
KEYS = st.sampled_from(
    [*{part for option in OPTIONS for part in option.name.split(".")},
     *RULE_KEYS, *NEWS_KEYS, *EXTRA_URL_KEYS, *SITEMAP_KEYS,
     "url", "docs_dir", "de", "no", "unknown", "title", "thumbnail", "content", "description"]
)  # fmt: skip


def mapping(texts):
    """A mapping in YAML, of keys and values in YAML."""
    return f"{{{', '.join(f'{key}: {value}' for key, value in texts.items())}}}"


def a_list(texts):
    """A list in YAML, of items in YAML."""
    return f"[{', '.join(texts)}]"


VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(a_list)
        | st.dictionaries(KEYS, inner, max_size=4).map(mapping)
    ),
    max_leaves=6,
)
CHOSEN = st.sampled_from(OPTIONS).flatmap(lambda option: st.tuples(st.just(option), VALUES))


def nested(name, value):
    """A mapping in YAML with a value at a dotted key."""
    for part in reversed(name.split(".")):
        value = mapping({part: value})
    return value


@given(CHOSEN)
def test_an_editor_and_the_plugin_agree_on_options(chosen):
    """On any value of any option, each by its own YAML."""
    option, value = chosen
    text = nested(option.name, value)
    reading = read_options(yaml.safe_load(text))
    found = faults("mkdocs.json", project(as_in_an_editor(text)[0]))
    if not reading.errors and not reading.unknown:
        assert found == []
    elif not found:
        assert is_env(as_in_an_editor(value)[0]) or unseen([*reading.errors, *reading.unknown]), (
            text
        )


def is_env(value):
    """Whether an editor may take a value for one of ``!ENV``."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, str) and re.match("^[A-Z][A-Z0-9_]*$", first)


def unseen(problems):
    """Whether an editor can't know of any of these."""
    # A date by its form alone, a zone by its name, words that YAML 1.1 reads as false, 1.0 as 1.
    allowed = (
        r"is -?\d+\.0,|timezone|a host|not a date that exists|'(no|off)', but must be|in quotes"
    )
    return all(re.search(allowed, str(each)) for each in problems)


def problems_of(meta):
    """What the plugin finds wrong with front matter, apart from information."""
    overrides, problems = read_front_matter(
        meta, "docs/a.md", {}, UTC, LastmodSettings().front_matter_keys
    )
    place = Place(origin=Origin.FRONT_MATTER, file="docs/a.md", key="sitemap.videos")
    read = partial(read_video, place=place, zone=UTC, read_url=read_url, loc="https://e.example/p")
    for each in overrides.videos or ():
        problems += read(each)[1]
    return [each for each in problems if each.level is Level.WARNING]


def read_url(raw, place):
    """Any text, as the place of a file."""
    is_text = isinstance(raw, str) and raw.strip()
    return (raw, []) if is_text else (None, [invalid("url", place, raw, "a URL")])


VIDEO = {"thumbnail": "a.png", "title": "A", "description": "B", "content": "https://e.example/a"}
VIDEOS = st.dictionaries(st.sampled_from(VIDEO_KEYS), VALUES, max_size=3).map(
    lambda more: mapping({"videos": mapping(VIDEO | more)})
)
META = st.dictionaries(
    st.sampled_from(["sitemap", "changefreq", "priority", "lastmod", "date", "tags"]), VALUES
)
UNDER = VIDEOS | st.dictionaries(st.sampled_from(SITEMAP_KEYS), VALUES, max_size=3).map(mapping)


@given(META.map(mapping) | UNDER.map(lambda under: mapping({"sitemap": under})))
@example(
    "{sitemap: {videos: [{thumbnail: a, title: no, description: 1, player_loc: b, live: no}]}}"
)
@example("{sitemap: {videos: {restriction: {allow: DE AT}}}}")
@example("{priority: high, sitemap: off, last_modified_at: 2026-03-14 10:00:00 +0100}")
@example("{date: {created: 2026-01-02, updated: 2026-02-31}}")
def test_an_editor_and_the_plugin_agree_on_front_matter(text):
    """On any value of any key that the plugin reads, each by its own YAML."""
    try:
        problems = problems_of(yaml.safe_load(text))
    except ValueError:  # a day that does not exist
        return
    found = faults("front-matter.json", as_in_an_editor(text)[0])
    if not problems:
        assert found == []
    elif not found:
        assert unseen(problems), (text, list(map(str, problems)))
