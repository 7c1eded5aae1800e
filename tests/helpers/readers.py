"""The readers of values: each returns the value and the problems of a raw value at its place."""

from dataclasses import fields
from typing import NamedTuple

from mkdocs_sitemap_plus.generator.options import value_kinds
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.options.table import group_of


def _of(read):
    def reader(raw, place, *more):
        reading = Reading(place)
        return reading.value(lambda raw: read(raw, *more), raw), reading.problems

    return reader


read_changefreq = _of(value_kinds.changefreq)
read_flag = _of(value_kinds.flag)
read_priority = _of(value_kinds.priority)
read_lastmod = _of(value_kinds.lastmod)
read_hreflang = _of(value_kinds.language)
read_patterns = _of(value_kinds.pattern_list)


class Option(NamedTuple):
    """An option as it is declared."""

    name: str
    default: object


def _options(kind, prefix=""):
    for field in fields(kind):
        if group := group_of(field):
            yield from _options(group, f"{prefix}{field.name}.")
        else:
            yield Option(f"{prefix}{field.name}", field.default)


OPTIONS = tuple(_options(Settings))
