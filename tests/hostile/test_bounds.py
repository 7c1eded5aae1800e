"""Nothing in a page or a project holds a build, ends it, or makes it grow without end."""

import ast
import os
import subprocess
import sys
import time
from datetime import datetime, timedelta, tzinfo

import pytest
from decided import decided, page, settings, site_of
from quantity import at_length
from readers import OPTIONS, read_priority
from sites import clean_environment, run_command
from sources import PACKAGE, modules, nodes
from strategies import alias_bomb

from mkdocs_sitemap_plus.options import Transform
from mkdocs_sitemap_plus.options.fields import SITEMAP_KEYS
from mkdocs_sitemap_plus.options.table import read_options
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.urls import read_url

UNIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Unix")
LONG = "a" * 300


# Values in messages.

QUOTES = {
    "wording.py": "the one place where values are written",
    "gitdates/values.py": "one character",
    "gitdates/walk.py": "a text that is cut",
    "gitdates/log.py": "80 bytes, or what failed to match, which is cut later",
    "check/codes.py": "a code",
    "check/protocol_rules.py": "one character, or one character reference, of a URL",
    "check/run.py": "the namespace of the protocol",
    "cli/__init__.py": "a subcommand that the user types",
    "cli/check.py": "a code that the user types",
    "cli/explain.py": "a page that the user types",
}
"""Modules that may use ``!r``, ``repr()`` or ``ascii()``, and why."""


def _quotes(module):
    for node in nodes(module):
        if isinstance(node, ast.FormattedValue) and chr(max(node.conversion, 0)) in "ra":
            yield node.lineno
        if isinstance(node, ast.Name) and node.id in ("repr", "ascii"):
            yield node.lineno


def test_foreign_values_are_written_in_one_place():
    """``repr()`` unfolds aliases to gigabytes; `format_value` is bounded."""
    for name in modules():
        found = list(_quotes(name))
        assert name in QUOTES or not found, f"{name}: lines {found}"


VALUES = (
    *("options", "built_site/__init__.py", "pages/project_file.py"),
    *("built_site/docs_folder.py", "built_site/languages.py", "plugin/other_plugins.py"),
)
TEXTS = {
    ("options/values.py", "member"): "a member of an enumeration",
    ("options/values.py", "raw"): "a number, or a text",
    ("options/fields.py", "meta[key]"): "a value that is compared with words",
    ("options/table.py", "path"): "a path",
    ("pages/project_file.py", "error"): "an error of a parser, which quotes one line",
    ("pages/project_file.py", "name"): "a scalar of YAML",
    ("plugin/other_plugins.py", "config.theme.get('locale') or ''"): "an object that MkDocs made",
    ("built_site/__init__.py", "path"): "a text or a path",
}
"""What becomes a text by ``str()`` in the modules that read values of others, and why."""


def test_values_of_others_do_not_become_a_text():
    """``str()`` of a list unfolds aliases as well."""
    assert all((PACKAGE / name).exists() for name in VALUES)
    for name in modules():
        if name in VALUES or name.rpartition("/")[0] in VALUES:
            for node in nodes(name):
                calls = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                if calls and node.func.id == "str" and node.args:
                    assert (name, ast.unparse(node.args[0])) in TEXTS


BOMBS = {
    "priority": "priority: BOMB",
    "changefreq": "changefreq: BOMB",
    "sitemap": "sitemap: BOMB",
    **{
        name: f"sitemap: {{{name}: BOMB}}"
        for name in [
            "changefreq",
            "priority",
            "lastmod",
            "exclude",
            "images",
            "videos",
            "alternates",
            "depends",
        ]
    },
    "unknown": "sitemap: {x: BOMB}",
    "video": "sitemap: {videos: [{title: BOMB, tags: BOMB, restriction: {allow: BOMB}}]}",
    "language": "sitemap: {alternates: {de: BOMB}}",
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
    pages.pop("title.md")  # MkDocs' own template would write it
    site.docs({"index.md": "# Home\n", **pages})
    site.config("lastmod: {sources: [front_matter]}")
    start = time.monotonic()
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
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_an_option_that_unfolds_without_end_takes_no_time(option):
    """It is one error, as any other wrong value."""
    text = f"---\n{alias_bomb('x: BOMB')}\n---\n"
    value = read_front_matter_text(text).meta["x"]
    raw = value
    for name in reversed(option.split(".")):
        raw = {name: raw}
    start = time.process_time()
    reading = read_options(raw)
    assert all(len(str(problem)) < 900 for problem in (*reading.errors, *reading.unknown))
    assert len(reading.errors) + len(reading.unknown) >= 1
    assert time.process_time() - start < 5


def test_a_project_file_that_unfolds_without_end_takes_no_time(site):
    """Options of other plugins are read by the command, which takes texts alone."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    assert site.build().returncode == 0
    more = "\n".join(
        [
            alias_bomb("theme: {name: mkdocs, locale: BOMB, features: BOMB}"),
            "markdown_extensions: [{pymdownx.snippets: {base_path: *j}}, {x: *j}]",
            "plugins:",
            "  - sitemap-plus",
            "  - blog: {blog_dir: *j}",
            "  - i18n: {languages: [{default: true, locale: *j}]}",
            "  - include-markdown: {opening_tag: *j, directives: {include: *j}, exclude: *j}",
            "  - macros: {include_dir: *j, j2_block_start_string: *j, force_render_paths: *j}",
        ]
    )
    top = "site_name: T\nsite_url: https://example.com/\n"
    mappings = [
        "x0: &x0 {a: 1}",
        *(f"x{i}: &x{i} {{a: *x{i - 1}, b: *x{i - 1}}}" for i in range(1, 40)),
    ]
    inherited = "\n".join(mappings)
    files = {"mkdocs.yml": f"{top}{more}\n", "child.yml": f"INHERIT: base.yml\n{top}{inherited}\n"}
    site.write({**files, "base.yml": f"{inherited}\n"})
    start = time.monotonic()
    for name in files:
        done = run_command("build", "-f", name, cwd=site.folder)
        assert done.returncode == 0, done.stderr
    assert time.monotonic() - start < 20


# One warning for a page and a field.


def test_of_many_unknown_keys_the_first_have_a_line_each(tmp_path):
    """The others are counted, so that they cost no time."""
    said = {f"key{i}": 1 for i in range(2_000)}
    _, reported = decided(site_of(page("a", meta={"sitemap": said}), root=tmp_path))
    known = f"(known: {', '.join(SITEMAP_KEYS)})"
    assert reported == [
        *(
            f"docs/a.md: sitemap.key{i} is not a known key {known}. It is ignored."
            for i in range(10)
        ),
        "docs/a.md: sitemap has 1,990 more unknown keys. They are ignored.",
    ]


def test_a_key_of_a_megabyte_is_cut(tmp_path):
    """In the message, and wherever else it stands."""
    _, (line,) = decided(site_of(page("a", meta={"sitemap": {"k" * 1_000_000: 1}}), root=tmp_path))
    assert len(line) < 300


def test_a_link_without_a_return_link_is_one_warning(tmp_path):
    """However many languages lead to it."""
    codes = [f"{a}-{b}" for a in ("de", "fr", "es") for b in ("DE", "FR", "ES", "US", "GB")]
    own = page("a", meta={"sitemap": {"alternates": dict.fromkeys(codes, "/b/")}})
    _, reported = decided(site_of(own, page("b"), root=tmp_path))
    assert [line for line in reported if "links back to this one" in line] == reported[:1]


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


def test_a_url_of_a_megabyte_is_none():
    """A list may name one such text as often as it has room."""
    _, (problem,) = read_url("a" * 1_000_000, HERE, "https://example.com/")
    assert len(str(problem)) < 200


# Front matter.


def front_matter(text):
    """Read front matter within some seconds."""
    start = time.process_time()
    read = read_front_matter_text(f"---\n{text}\n---\n")
    assert time.process_time() - start < 20
    return read


# The second one is that of libyaml from 0.2.6 on, if brackets are more than 1,000 deep.
DEEP = ("it is nested more than 500 deep", "exceeded maximum nesting depth")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("? " * 100_000 + "a", DEEP),
        ("- " * 100_000 + "a", DEEP),
        ("a: " + "[" * 100_000 + "]" * 100_000, DEEP),
        ("a: " + "{b: " * 100_000 + "}" * 100_000, DEEP),
        ("\n".join(" " * i + "a:" for i in range(700)), DEEP),
    ],
)
@pytest.mark.fault("YAML with more than 500 levels of nesting")
def test_what_would_kill_or_hold_the_process_is_not_read(text, reason):
    """The page has no front matter then, and the reason is known."""
    read = front_matter(f"priority: 0.7\n{text}" if text[0] in "ap" and "\n" in text else text)
    assert read.broken is not None
    assert read.broken.reason.startswith(reason)
    assert read.meta == {}


@pytest.mark.parametrize(
    "items",
    ["  - t\n" * 20_001, pytest.param("  [" + "[],{}," * 20_000 + "]", marks=at_length)],
)
def test_any_number_of_items_is_read(items):
    """Only what is inside each other counts."""
    read = front_matter(f"sitemap:\n  priority: 0.7\ntags:\n{items}")
    assert read.broken is None
    assert read.meta["sitemap"] == {"priority": 0.7}
    assert len(read.meta["tags"]) > 20_000
    assert read.lines["sitemap.priority"] == 3


def test_a_value_that_does_not_exist_is_found_beside_aliases():
    """Each node is looked at once."""
    read = front_matter(alias_bomb("lastmod: 2024-02-30"))
    assert (read.broken.key, read.broken.line) == ("lastmod", 12)


def test_long_keys_do_not_multiply_with_the_keys_inside():
    """The names of lines would take gigabytes."""
    inside = ",".join(f"a{i}: 1" for i in range(2_000))
    read = front_matter('sitemap: {? "' + "k" * 1_000_000 + '" : {' + inside + "}}")
    assert sum(map(len, read.lines)) < 1_000


@UNIX
@pytest.mark.parametrize(
    "text",
    [
        "? " * 100_000 + "a",
        pytest.param("a: " + "[" * 2_000 + "]" * 2_000, marks=at_length),
    ],
)
@pytest.mark.fault("YAML with more than 500 levels of nesting")
def test_the_command_survives_any_depth(site, text):
    """Also with the small stack of a thread or of Windows."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config()
    site.build()
    site.docs({"a.md": f"---\n{text}\n---\n# A\n"})
    script = f"ulimit -s 1024; exec {sys.executable} -m mkdocs_sitemap_plus build"
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=site.folder,
        env=clean_environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# The owner's function.


class _BrokenZone(tzinfo):
    def utcoffset(self, _):
        raise ZeroDivisionError("no zone")


class _BrokenDate(datetime):
    def isoformat(self, *_, **__):
        raise ZeroDivisionError("no text")

    def utcoffset(self):
        return timedelta(hours=1)


class _BrokenText(str):
    __slots__ = ()

    def strip(self, *_):
        raise ZeroDivisionError("no text")


def transformed(value, field="lastmod"):
    """The entry of a page after a function set one field, and the problems."""
    from dataclasses import replace  # noqa: PLC0415

    function = Transform(name="t:f", call=lambda entry, _: replace(entry, **{field: value}))
    own = replace(settings(), transform=function)
    listed, reported = decided(site_of(page("a")), own)
    return listed["a/"], reported
