"""Write the JSON schemas for editors into ``docs/assets/schema``: `nox -s schema`.

Types and defaults come from `Settings`, and what an option means from its section in the docs.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal
from enum import EnumType
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from mkdocs_sitemap_plus.generator.options.fields import (
    EXTRA_URL_FIELDS,
    RULE_FIELDS,
    SITEMAP_KEYS,
    TOP_LEVEL_KEYS,
    ExtraUrl,
    Language,
    Overrides,
    PageRule,
)
from mkdocs_sitemap_plus.generator.options.settings import Settings, Transform
from mkdocs_sitemap_plus.generator.options.value_kinds import Patterns

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "assets" / "schema"
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
LATEST = f"{URLS['Documentation']}page/"  # Read the Docs sends this on to the default version
MKDOCS = "https://www.schemastore.org/mkdocs-1.6.json"
MATERIAL = "https://squidfunk.github.io/mkdocs-material/schema/"

Schema = dict[str, Any]
STRING = {"type": "string", "pattern": r"\S"}
FLAG, NUMBER, DATE = ({"type": kind} for kind in ("boolean", "number", "string"))
TEXTS = {"anyOf": [STRING, {"type": "array", "items": STRING}]}
# What an editor sees of `!ENV NAME` and `!ENV [NAME, ..., default]`; null stands for the default.
_NAME = {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"}
UNSET = {"anyOf": [{"type": "null"}, _NAME, {"type": "array", "items": [_NAME], "minItems": 1}]}


def mapping(hints: Mapping[str, Any], keys: tuple[str, ...], *required: str) -> Schema:
    """Return the schema of a mapping with these keys."""
    properties = {key: schema(hints[key]) for key in keys}
    return {
        "type": ["object", "null"],
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


PAGE = get_type_hints(Overrides)
_RULE = PAGE | {"match": Patterns, "lastmod": Literal[False], "images": bool}
KNOWN: dict[Any, Schema] = {
    bool: FLAG, str: STRING, int: {"type": "integer"}, float: NUMBER, date: DATE, datetime: DATE,
    Decimal: NUMBER | {"minimum": 0, "maximum": 1}, tzinfo: STRING, Patterns: TEXTS,
    Transform: STRING,
}  # fmt: skip
MAPPINGS: dict[Any, tuple[Mapping[str, Any], tuple[str, ...], tuple[str, ...]]] = {
    PageRule: (_RULE, ("match", *RULE_FIELDS), ("match",)),
    ExtraUrl: (PAGE | {"loc": str}, ("loc", *EXTRA_URL_FIELDS), ("loc",)),
    Language: (get_type_hints(Language), ("url", "docs_dir"), ("url", "docs_dir")),
}
"""The types of a key, the keys, and those that are needed, of the classes that mappings become."""


def schema(kind: Any) -> Schema:
    """Return the schema of the values of a type."""
    if kind in KNOWN:
        return KNOWN[kind]
    if kind in MAPPINGS:
        hints, keys, required = MAPPINGS[kind]
        return mapping(hints, keys, *required)
    if isinstance(kind, EnumType):
        return {"enum": [*kind]}
    return options(kind) if is_dataclass(kind) else _generic(kind)


def _generic(kind: Any) -> Schema:
    """Return the schema of the values of a type with types inside."""
    inside = [each for each in get_args(kind) if each is not NoneType]
    match get_origin(kind):
        case origin if origin is Literal:
            return {"enum": inside}
        case origin if origin is tuple:
            item = schema(inside[0])
            several = {"type": "array", "items": item}
            if inside[0] is Language:  # by its code
                return {"type": "object", "additionalProperties": item}
            return several if inside[0] in (PageRule, ExtraUrl) else {"anyOf": [item, several]}
        case origin if origin in (dict, Mapping):
            value = {} if inside[1] is Any else schema(inside[1])
            return {"type": "object", "additionalProperties": value}
    return {"anyOf": [schema(each) for each in inside]}


def summaries() -> Mapping[str, str]:
    """Return the first sentence of each option in the docs."""
    text = (ROOT / "docs" / "reference" / "options.md").read_text("utf-8")
    return {
        name: " ".join(said.split())
        for name, said in re.findall(r"(?m)^## ([\w.]+)\n\n((?:.+\n)+)", text)
    }


def options(group: type, prefix: str = "") -> Schema:
    """Return the schema of a group of options, such as `Settings`."""
    types, about, properties = get_type_hints(group), summaries(), {}
    for field in fields(group):
        name = prefix + field.name
        if not field.metadata:
            properties[field.name] = options(types[field.name], f"{name}.")
            continue
        link = f"{LATEST}reference/options/#{re.sub('[^a-z_]', '', name)}"
        said = {"description": about[name], "markdownDescription": f"{about[name]} [More]({link})"}
        if isinstance(field.default, (bool, int, str, tuple)):
            said["default"] = field.default
        allowed = schema(types[field.name])
        if name == "alternates":
            allowed = {"anyOf": [allowed, {"const": "auto"}]}
        properties[field.name] = said | {"anyOf": [allowed, {"$ref": "#/definitions/unset"}]}
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


def plugin() -> Schema:
    """Return the schema of an item of ``plugins`` in mkdocs.yml."""
    own = options(Settings)
    said = "Whether the plugin runs; if not, MkDocs' own sitemap stays."
    enabled = {"description": said, "anyOf": [FLAG, {"$ref": "#/definitions/unset"}]}
    own["properties"] = {"enabled": enabled, **own["properties"]}
    item = {"properties": {"sitemap-plus": {"$ref": "#/definitions/options"}}, "type": "object"}
    item |= {"required": ["sitemap-plus"], "additionalProperties": False}
    title = "The plugin sitemap-plus, as an item of the plugins in mkdocs.yml"
    return {
        "title": title,
        "anyOf": [{"const": "sitemap-plus"}, item],
        "definitions": {"options": own, "unset": UNSET},
    }


def project() -> Schema:
    """Return the schema of mkdocs.yml: that of MkDocs' options, and that of this plugin's."""
    own = {"properties": {"sitemap-plus": {"$ref": "sitemap-plus.json#/definitions/options"}}}
    plugins = {"properties": {"plugins": {"items": own, **own}}}
    return {
        "title": "mkdocs.yml with the plugin sitemap-plus",
        "allOf": [{"$ref": MKDOCS}, plugins],
    }


def material() -> Schema:
    """Return the schema of mkdocs.yml with Material; it knows the plugins that Material's knows."""
    own = {"anyOf": [{"const": "sitemap-plus"}, {"type": "object", "required": ["sitemap-plus"]}]}
    others = {"$ref": f"{MATERIAL}plugins.json#/items"}
    plugins = {"if": own, "then": {"$ref": "sitemap-plus.json"}, "else": others}
    files = {part: part for part in ("theme", "extra", "nav", "validation")}
    files["markdown_extensions"] = "extensions"
    properties = {part: {"$ref": f"{MATERIAL}{file}.json"} for part, file in files.items()}
    return {
        "title": "mkdocs.yml with Material for MkDocs and the plugin sitemap-plus",
        "allOf": [{"$ref": MKDOCS}, {"properties": {**properties, "plugins": {"items": plugins}}}],
    }


def front_matter() -> Schema:
    """Return the schema of the front matter of a page; keys of other tools are allowed."""
    under = mapping(PAGE, SITEMAP_KEYS)
    for key, inner in under["properties"].items():
        under["properties"][key] = {
            **inner, "markdownDescription": f"[{key}]({LATEST}reference/front-matter/#{key})"
        }  # fmt: skip
    top = {
        key: {"anyOf": [schema(PAGE[key]), {"type": ["string", "null"]}]} for key in TOP_LEVEL_KEYS
    }
    properties = {"sitemap": {"anyOf": [under, FLAG]}, **top, "lastmod": schema(PAGE["lastmod"])}
    title = "The front matter of a page, as the plugin sitemap-plus reads it"
    return {"title": title, "type": ["object", "null"], "properties": properties}


SCHEMAS = {
    "sitemap-plus.json": plugin,
    "mkdocs.json": project,
    "mkdocs-material.json": material,
    "front-matter.json": front_matter,
}


def written(name: str) -> str:
    """Return the text of a schema."""
    about = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{LATEST}assets/schema/{name}",
    }
    return json.dumps(about | SCHEMAS[name](), indent=1) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        (FOLDER / name).write_text(written(name), "utf-8", newline="\n")
