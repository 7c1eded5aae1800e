"""Write the JSON schemas for editors into ``docs/assets/schema``: `nox -s schema`.

The options, their meaning and their defaults come from `Settings`. A type that its field does not
tell stands in `TYPES`.
"""

import json
import re
import tomllib
from dataclasses import fields
from datetime import tzinfo
from decimal import Decimal
from enum import EnumType
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from mkdocs_sitemap_plus import sitemap
from mkdocs_sitemap_plus.options import LastmodSettings, Settings
from mkdocs_sitemap_plus.options.mappings import (
    EXTRA_URL_KEYS,
    NEWS_KEYS,
    RULE_KEYS,
    VIDEO_KEYS,
    ExtraUrl,
    NewsSettings,
    Rule,
)
from mkdocs_sitemap_plus.options.overrides import SITEMAP_KEYS, TOP_LEVEL_KEYS
from mkdocs_sitemap_plus.options.patterns import Patterns
from mkdocs_sitemap_plus.sitemap import Changefreq

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "assets" / "schema"
DOCS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"][
    "Documentation"
]
LATEST = f"{DOCS}page/"  # Read the Docs sends this on to the default version
MKDOCS = "https://www.schemastore.org/mkdocs-1.6.json"
MATERIAL = "https://squidfunk.github.io/mkdocs-material/schema/"

Schema = dict[str, Any]


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def text(pattern: str = r"\S") -> Schema:
    return {"type": "string", "pattern": pattern}


def words(*allowed: str) -> str:
    """Return a pattern of words in any case, with blanks around them."""
    any_case = ("".join(f"[{c.upper()}{c}]" for c in word) for word in allowed)
    return rf"^\s*({'|'.join(any_case)})\s*$"


def list_of(items: Schema, **more: int) -> Schema:
    return {"type": "array", "items": items, **more}


def one_or_several(items: Schema, **more: int) -> Schema:
    return either(items, list_of(items, **more))


def mapping(keys: tuple[str, ...], required: tuple[str, ...], types: dict[str, Schema]) -> Schema:
    """Return the schema of a mapping with these keys; those that are not required may be empty."""
    optional = {key: either(types[key], {"type": "null"}) for key in keys}
    properties = {key: types[key] if key in required else optional[key] for key in keys}
    demands = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **demands, "additionalProperties": False}


def needs(key: str) -> Schema:
    """Return the schema of a mapping that has a value for this key."""
    return {"required": [key], "properties": {key: {"not": {"type": "null"}}}}


def number(greatest: int, least: int = 0) -> Schema:
    """Return the schema of a number; it may be written as text, whose value is not checked."""
    written = text(r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$")
    return either({"type": "number", "minimum": least, "maximum": greatest}, written)


# For an editor, which reads YAML 1.2, `no` and `off` are texts; for MkDocs they are false.
FALSE = either({"const": False}, text(words("false", "no", "off")))
FLAG = either({"type": "boolean"}, text(words("true", "yes", "on", "false", "no", "off")))
CHANGEFREQ = either({"enum": list(Changefreq)}, text(words(*Changefreq)))
PRIORITY = either(
    {"type": "number", "minimum": 0, "maximum": 1},
    text(r"^\s*(\+?0*(0\.?|1(\.0*)?|\.\d+|0\.\d+)|-0+(\.0*)?)\s*$"),
)
_A_PATTERN = r"(^|\n)(?!#|/?\s*($|\n))"  # a line that is no comment
MATCH = either(text(_A_PATTERN), {**list_of({"type": "string"}), "contains": text(_A_PATTERN)})
LINE = text(r"^[^\u0000]*[^\s\u0000][^\u0000]*$")
LANGUAGE = text(
    r"^([A-Za-z]{2}([-_][A-Za-z]{4})?([-_][A-Za-z]{2})?|[Xx]-[Dd][Ee][Ff][Aa][Uu][Ll][Tt])$"
)
WEB_URL = text(r"^\s*[Hh][Tt][Tt][Pp][Ss]?://[^/]")
_CLOCK = r"([Tt]|[ \t]+)\d\d?:\d\d(:\d\d(\.\d*)?)?([ \t]*([Zz]|[+-]\d\d?(:?\d\d)?))?"
DATE = text(rf"^\s*\d{{4}}-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])({_CLOCK})?\s*$")
LASTMOD = either(DATE, FALSE)
LANGUAGE_LINKS = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": LANGUAGE,
    "additionalProperties": text(),
}
WORDS = either(text(), {"type": "integer"})  # a text, or a number that stands for one


def video() -> Schema:
    """Return the schema of a video; the protocol's own names of its keys are accepted, too."""
    url, codes = text(), one_or_several(text(), minItems=1)
    limits = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
        "properties": {"allow": codes, "deny": codes},
    }
    types: dict[str, Schema] = dict.fromkeys(VIDEO_KEYS, WORDS)
    types |= dict.fromkeys(("thumbnail", "content", "player", "uploader_info"), url)
    types |= dict.fromkeys(("family_friendly", "requires_subscription", "live"), FLAG)
    types |= dict.fromkeys(("expiration_date", "publication_date"), DATE)
    types |= dict.fromkeys(("restriction", "platform"), limits)
    types |= {
        "duration": number(sitemap.MAX_VIDEO_SECONDS, 1),
        "rating": number(int(sitemap.MAX_VIDEO_RATING)),
        "view_count": number(sitemap.MAX_VIDEO_VIEWS),
        "tags": either(text(), list_of(WORDS, minItems=1, maxItems=sitemap.MAX_VIDEO_TAGS)),
    }
    own = mapping(VIDEO_KEYS, (), types)
    more = {
        "thumbnail": "thumbnail_loc",
        "content": "content_loc",
        "player": "player_loc",
        "tags": "tag",
    }
    own["properties"] |= {name: own["properties"][key] for key, name in more.items()}
    shown = either(needs("thumbnail"), needs("thumbnail_loc"))
    played = either(*map(needs, ("content", "content_loc", "player", "player_loc")))
    own["allOf"] = [needs("title"), needs("description"), shown, played]
    return own


PAGE: dict[str, Schema] = {
    "changefreq": CHANGEFREQ,
    "priority": PRIORITY,
    "lastmod": LASTMOD,
    "exclude": FLAG,
    "images": either(FLAG, one_or_several(text())),
    "videos": one_or_several(video()),
    "alternates": LANGUAGE_LINKS,
    "depends": one_or_several(text(), minItems=1),
}
"""The values of the keys in front matter. Those of rules and extra URLs are nearly the same."""

RULE = mapping(RULE_KEYS, ("match",), PAGE | {"match": MATCH, "lastmod": FALSE, "images": FLAG})
EXTRA_URL = mapping(
    EXTRA_URL_KEYS, ("loc",), PAGE | {"loc": text(), "images": one_or_several(text())}
)
NEWS_LANGUAGE = text("^([a-z]{2,3}|zh-cn|zh-tw)$")
NEWS = mapping(
    NEWS_KEYS,
    ("publication", "match"),
    {"publication": WORDS, "language": NEWS_LANGUAGE, "match": MATCH},
)
ONE_LANGUAGE = mapping(
    ("url", "docs_dir"), ("url", "docs_dir"), {"url": WEB_URL, "docs_dir": {"type": "string"}}
)

BY_TYPE: dict[type, Schema] = {
    bool: FLAG,
    str: LINE,
    Changefreq: CHANGEFREQ,
    Decimal: PRIORITY,
    Patterns: MATCH,
    tzinfo: text(
        r"^(?!localtime|posixrules|right/)[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$(?!\n)"
    ),
    Rule: RULE,
    NewsSettings: NEWS,
    ExtraUrl: EXTRA_URL,
}
TYPES: dict[str, Schema] = {
    "exclude": one_or_several({"type": "string"}),
    "alternates": either(
        {"type": "boolean"},
        {"const": "auto"},
        {**LANGUAGE_LINKS, "additionalProperties": ONE_LANGUAGE},
    ),
    "lastmod.front_matter_keys": one_or_several(text(r"^[^,\u0000]*[^,\s\u0000][^,\u0000]*$")),
    "x_default": either({"const": False}, LANGUAGE),
    "filename": text(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml$(?!\n)"),
    "max_urls": {"type": "integer", "minimum": 1, "maximum": sitemap.MAX_URLS},
    "max_bytes": {
        "type": "integer",
        "minimum": sitemap.MIN_MAX_BYTES,
        "maximum": sitemap.MAX_BYTES,
    },
    "transform": text(r"^[^:\u0000]*[^:\s\u0000][^:\u0000]*:[^:\s\u0000.-]+\s*$"),
    "report": text(r"^[^\u0000]*\.json\s*$"),
    "check.ignore": {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": one_or_several({"type": "string"}),
    },
}
"""The options whose values are not known by their type."""

# What an editor sees of `!ENV NAME` and `!ENV [NAME, ..., default]`; null stands for the default.
_NAME = text("^[A-Z][A-Z0-9_]*$")
UNSET = either({"type": "null"}, _NAME, {"type": "array", "items": [_NAME], "minItems": 1})


def type_of(name: str, annotation: Any) -> Schema:
    """Return the schema of an option's values, from `TYPES` or from the type of its field."""
    if name in TYPES:
        return TYPES[name]
    if get_origin(annotation) is tuple:
        item = get_args(annotation)[0]
        items = type_of(name, item)
        return list_of(items) if item in (Rule, ExtraUrl) else one_or_several(items)
    if NoneType in get_args(annotation):
        return type_of(name, get_args(annotation)[0])
    if annotation in BY_TYPE:
        return BY_TYPE[annotation]
    if isinstance(annotation, EnumType):
        return {"enum": list(annotation)}
    raise SystemExit(f"Add the schema of {name} to TYPES in scripts/make_schemas.py.")


def options(group: type, prefix: str = "") -> Schema:
    """Return the schema of a group of options, such as `Settings`."""
    types, properties = get_type_hints(group), {}
    for field in fields(group):
        name = prefix + field.name
        if not field.metadata:
            properties[field.name] = options(types[field.name], f"{name}.")
            continue
        allowed = type_of(name, types[field.name])
        link = f"{LATEST}reference/options/#{re.sub('[^a-z_]', '', name)}"
        about: Schema = {
            "description": field.metadata["summary"],
            "markdownDescription": f"{field.metadata['summary']} [More]({link})",
        }
        if isinstance(field.default, (bool, int, str, tuple)):
            about["default"] = field.default
        properties[field.name] = about | either(allowed, {"$ref": "#/definitions/unset"})
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


def plugin() -> Schema:
    """Return the schema of an item of ``plugins`` in mkdocs.yml."""
    own = options(Settings)
    about = "Whether the plugin runs; if not, MkDocs' own sitemap stays."
    enabled = {"description": about, "default": True} | either(
        FLAG, {"$ref": "#/definitions/unset"}
    )
    own["properties"] = {"enabled": enabled, **own["properties"]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The plugin sitemap-plus, as an item of the plugins in mkdocs.yml",
        "anyOf": [
            {"const": "sitemap-plus"},
            {
                "type": "object",
                "properties": {"sitemap-plus": {"$ref": "#/definitions/options"}},
                "required": ["sitemap-plus"],
                "additionalProperties": False,
            },
        ],
        "definitions": {"options": own, "unset": UNSET},
    }


def project() -> Schema:
    """Return the schema of mkdocs.yml: that of MkDocs' options, and that of this plugin's."""
    own = {"properties": {"sitemap-plus": {"$ref": "sitemap-plus.json#/definitions/options"}}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "mkdocs.yml with the plugin sitemap-plus",
        "allOf": [{"$ref": MKDOCS}, {"properties": {"plugins": {"items": own, **own}}}],
    }


def material() -> Schema:
    """Return the schema of mkdocs.yml with Material; it knows the plugins that Material's knows."""
    parts = ("theme", "markdown_extensions", "extra", "nav", "validation")
    files = {"markdown_extensions": "extensions"}
    own = either({"const": "sitemap-plus"}, {"type": "object", "required": ["sitemap-plus"]})
    others = {"$ref": f"{MATERIAL}plugins.json#/items"}
    plugins = {"if": own, "then": {"$ref": "sitemap-plus.json"}, "else": others}
    properties = {part: {"$ref": f"{MATERIAL}{files.get(part, part)}.json"} for part in parts}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "mkdocs.yml with Material for MkDocs and the plugin sitemap-plus",
        "allOf": [
            {"$ref": MKDOCS},
            {"properties": {**properties, "plugins": {"items": plugins}}},
        ],
    }


def front_matter() -> Schema:
    """Return the schema of the front matter of a page; keys of other tools are allowed."""
    under = mapping(SITEMAP_KEYS, (), PAGE)
    for key, schema in under["properties"].items():
        schema["markdownDescription"] = f"[{key}]({LATEST}reference/front-matter/#{key})"
    other = text(r"^[^0-9]*$")  # a priority without a digit is another tool's
    top = PAGE | {"priority": either(PRIORITY, other)}
    nothing = {"type": "null"}
    properties = {key: either(top[key], nothing) for key in TOP_LEVEL_KEYS}
    for dotted in LastmodSettings().front_matter_keys:
        key, _, inner = dotted.partition(".")
        value = either(LASTMOD, nothing)
        properties[key] = {"properties": {inner: value}} if inner else value
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The front matter of a page, as the plugin sitemap-plus reads it",
        "type": ["object", "null"],
        "properties": {"sitemap": either(under, FLAG, nothing), **properties},
    }


SCHEMAS = {
    "sitemap-plus.json": plugin,
    "mkdocs.json": project,
    "mkdocs-material.json": material,
    "front-matter.json": front_matter,
}


def written(name: str) -> str:
    """Return the text of a schema."""
    schema = SCHEMAS[name]()
    return json.dumps({"$id": f"{LATEST}assets/schema/{name}", **schema}, indent=1) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        (FOLDER / name).write_text(written(name), "utf-8", newline="\n")
