"""Nothing in a page or a project holds a build, ends it, or makes it grow without end."""

import time

import pytest
import yaml
from readers import OPTIONS, read_priority
from sites import run_command
from strategies import alias_bomb

from mkdocs_sitemap_plus.generator.options.table import read_options
from mkdocs_sitemap_plus.generator.pages import front_matter
from mkdocs_sitemap_plus.generator.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.problems import Origin, Place

# Values in messages.

BOMBS = {
    "priority": "priority: BOMB",
    "changefreq": "changefreq: BOMB",
    "sitemap": "sitemap: BOMB",
    **{
        name: f"sitemap: {{{name}: BOMB}}"
        for name in (
            *("changefreq", "priority", "lastmod", "exclude"),
            *("images", "depends"),
        )
    },
    "unknown": "sitemap: {x: BOMB}",
    "date": "date: BOMB",
    "updated": "date: {updated: BOMB}",
    "lastmod-key": "lastmod: BOMB",
    "title": "title: BOMB",
    "tags": "tags: BOMB",
    "macros": "render_macros: BOMB",
}


@pytest.mark.fault("YAML aliases that expand without end")
def test_aliases_that_unfold_without_end_take_no_time(site):
    """Under every key that is read, by both doors; each value is one warning."""
    pages = {f"{name}.md": f"---\n{alias_bomb(text)}\n---\n# T\n" for name, text in BOMBS.items()}
    pages.pop("title.md")  # MkDocs' own template writes it
    site.docs({"index.md": "# Home\n", **pages})
    site.config("lastmod: {sources: [front_matter]}")
    start = time.process_time()
    built = site.build()
    lines = built.warnings
    assert all(len(line) < 700 for line in built.lines)
    named = [name for name in pages if name not in ("unknown.md", "tags.md", "macros.md")]
    shown = {line.partition(":")[0].removeprefix("docs/") for line in lines}
    assert shown <= set(named) | {"unknown.md"} | {
        line for line in shown if " more problems" in line
    }
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    assert "[[[..., ...," in done.stderr
    assert time.process_time() - start < 30


def test_an_option_that_unfolds_without_end_takes_no_time():
    """It is one error, as any other wrong value."""
    text = f"---\n{alias_bomb('x: BOMB')}\n---\n"
    value = read_front_matter_text(text).meta["x"]
    for option in OPTIONS:
        raw = value
        for name in reversed(option.name.split(".")):
            raw = {name: raw}
        start = time.process_time()
        reading = read_options(raw)
        assert all(len(str(problem)) < 900 for problem in (*reading.errors, *reading.unknown))
        assert len(reading.errors) + len(reading.unknown) >= 1, option.name
        assert time.process_time() - start < 5, option.name


# Values that take long to read.

HERE = Place(origin=Origin.FRONT_MATTER, file="a.md", key="x")


@pytest.mark.parametrize(
    "raw",
    ["1" * 200_000 + "x", 16**1_000_000, "1" * 200_000 + ".", "0." + "9" * 200_000 + ","],
    ids=["letter", "hexadecimal", "point", "comma"],
)
def test_a_number_of_any_length_takes_no_time(raw):
    """Whether it is one or not."""
    start = time.process_time()
    read_priority(raw, HERE)
    assert time.process_time() - start < 2


# Front matter.


def read_yaml(text):
    return read_front_matter_text(f"---\n{text}\n---\n")


NESTED = {
    "keys": lambda levels: "? " * levels + "a",
    "lists": lambda levels: "- " * levels + "a",
    "brackets": lambda levels: "a: " + "[" * levels + "]" * levels,
    "braces": lambda levels: "a: " + "{b: " * levels + "}" * levels,
    "indented": lambda levels: "\n".join(" " * i + "a:" for i in range(levels)),
}
"""Front matter of so many levels, or one more, in each way in which YAML can be nested."""


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.fault("YAML with more than 500 levels of nesting")
def test_what_is_nested_deeper_than_the_limit_is_not_read(monkeypatch, kind):
    """It does not even come to the reader of YAML. The limit is lower here, so nothing is deep."""
    monkeypatch.setattr(front_matter, "_MAX_DEPTH", 20)
    assert read_yaml(f"priority: 0.7\n{NESTED['indented'](12)}").meta["priority"] == 0.7
    fits = read_yaml(NESTED[kind](12)).broken
    assert fits is None or "nested" not in fits.reason  # a list can't be a key
    monkeypatch.setattr(yaml, "compose", lambda *_: pytest.fail("the reader was called"))
    read = read_yaml(NESTED[kind](30))
    assert (read.broken.reason, read.meta) == ("it is nested more than 20 deep", {})


# The owner's function.
