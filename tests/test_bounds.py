"""Nothing in a page, a name or a project holds a build, ends it, or makes it grow without end."""

import ast
import os
import shutil
import socket
import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta, tzinfo
from glob import glob
from pathlib import Path

import pytest
from decided import decided, page, settings, site_of
from faults import documented
from hypothesis import example, given
from hypothesis import strategies as st
from quantity import at_length
from sites import clean_environment, run_command
from sources import PACKAGE, modules, nodes
from strategies import alias_bomb

from mkdocs_sitemap_plus import files
from mkdocs_sitemap_plus.files import Search, Unreadable, read_file
from mkdocs_sitemap_plus.options import Transform
from mkdocs_sitemap_plus.options.overrides import FIELDS
from mkdocs_sitemap_plus.options.readers import read_priority
from mkdocs_sitemap_plus.options.table import OPTIONS, read_options
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.urls import read_url

UNIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Unix")
LONG = "a" * 300


# Values in messages.

QUOTES = {
    "wording.py": "the one place where values are written",
    "sitemap/values.py": "one character or one escape of a URL",
    "tools/checks/structure.py": "the name of an attribute that the protocol knows",
    "tools/checks/protocol.py": "the namespace of the protocol",
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
    *("options", "built_site/__init__.py", "built_site/project_file.py"),
    *("built_site/docs_folder.py", "built_site/site.py", "plugin/other_plugins.py"),
)
TEXTS = {
    ("options/readers.py", "each"): "a member of an enumeration",
    ("options/readers.py", "raw"): "a text",
    ("options/table.py", "path"): "a path",
    ("built_site/project_file.py", "error"): "an error of a parser, which quotes one line",
    ("built_site/project_file.py", "name"): "a scalar of YAML",
    ("plugin/other_plugins.py", "config.theme.get('locale') or ''"): "an object that MkDocs made",
    ("built_site/docs_folder.py", "path"): "a path",
    ("built_site/__init__.py", "path"): "a text or a path",
    ("built_site/docs_folder.py", "project.site.root"): "a path",
    ("built_site/docs_folder.py", "project.site.docs_dir"): "a path",
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
    site.config("news: {publication: T, match: '*.md'}\nlastmod: {sources: [front_matter]}")
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
    assert "[[[[[[[[['x', 'x'," in done.stderr
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_an_option_that_unfolds_without_end_takes_no_time(option):
    """It is one error, as any other wrong value."""
    text = f"---\n{alias_bomb('x: BOMB')}\n---\n"
    value = read_front_matter_text(text).meta["x"]
    raw = value
    for name in reversed(option.split(".")):
        raw = {name: raw}
    start = time.monotonic()
    reading = read_options(raw)
    assert all(len(str(problem)) < 900 for problem in (*reading.errors, *reading.unknown))
    assert len(reading.errors) + len(reading.unknown) >= 1
    assert time.monotonic() - start < 5


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


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (
            {"images": [f"{i}\n" for i in range(500)]},
            (
                "docs/a.md: sitemap.images[0] is '0\\n', but must be a file of the built site, as "
                "a path from the page's source, or a URL. This image is not listed. This field has "
                "499 more problems."
            ),
        ),
        (
            {f"key{i}": 1 for i in range(2_000)},
            (
                "docs/a.md: sitemap has the unknown keys key0, key1, key2 and 1,997 more (known: "
                f"{', '.join(FIELDS)}). They are ignored."
            ),
        ),
        (
            {"alternates": {f"{a}{b}": "%zz" for a in "def" for b in "ae"}},
            None,
        ),
    ],
)
def test_a_field_with_many_problems_is_one_warning(tmp_path, said, problem):
    """The first is shown, and the others are counted."""
    _, told = decided(site_of(page("a", meta={"sitemap": said}), root=tmp_path))
    assert len(told) == 1
    assert problem is None or told == [problem]


def test_videos_with_the_same_mistake_are_one_warning(tmp_path):
    """Each key of a video has one, with the number of others."""
    videos = [{"title": "T", "description": "D", "thumbnail": "%zz", "content": "%zz"}] * 1_000
    _, told = decided(site_of(page("a", meta={"sitemap": {"videos": videos}}), root=tmp_path))
    assert len(told) == 2
    assert all(line.endswith("This field has 999 more problems.") for line in told)
    assert all("sitemap.videos[0]." in line for line in told)


def test_a_key_of_a_megabyte_is_cut(tmp_path):
    """In the message, and wherever else it stands."""
    _, (line,) = decided(site_of(page("a", meta={"sitemap": {"k" * 1_000_000: 1}}), root=tmp_path))
    assert len(line) < 300


def test_a_link_that_nobody_answers_is_one_warning(tmp_path):
    """However many languages lead to it."""
    codes = [f"{a}-{b}" for a in ("de", "fr", "es") for b in ("DE", "FR", "ES", "US", "GB")]
    own = page("a", meta={"sitemap": {"alternates": dict.fromkeys(codes, "/b/")}})
    _, told = decided(site_of(own, page("b"), root=tmp_path))
    assert [line for line in told if "links back to this one" in line] == told[:1]
    assert told[0].endswith("This field has 14 more problems.")


# Values that take long to read.

HERE = Place(origin=Origin.FRONT_MATTER, file="a.md", key="x")


@pytest.mark.parametrize(
    "raw",
    ["1" * 200_000 + "x", 16**1_000_000, "1" * 200_000 + ".", "0." + "9" * 200_000 + ","],
    ids=["letter", "hexadecimal", "point", "comma"],
)
def test_a_number_of_any_length_takes_no_time(raw):
    """Whether it is one or not."""
    start = time.monotonic()
    read_priority(raw, HERE)
    assert time.monotonic() - start < 2


def test_a_url_of_a_megabyte_is_none():
    """A list may name one such text as often as it has room."""
    _, (problem,) = read_url("a" * 1_000_000, HERE, "https://example.com/")
    assert len(str(problem)) < 200


# Front matter.


def front_matter(text):
    """Read front matter within some seconds."""
    start = time.monotonic()
    read = read_front_matter_text(f"---\n{text}\n---\n")
    assert time.monotonic() - start < 20
    return read


DEEP = "it is nested more than 500 deep"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("? " * 100_000 + "a", DEEP),
        ("- " * 100_000 + "a", DEEP),
        ("a: " + "[" * 100_000 + "]" * 100_000, DEEP),
        ("a: " + "{b: " * 100_000 + "}" * 100_000, DEEP),
        ("\n".join(" " * i + "a:" for i in range(700)), DEEP),
        ("priority: 1" + ":1" * 100_000, "it has a number of more than 1,000 characters"),
        (
            "a: &a {x: 1}\n"
            + "".join(
                f"{b}: &{b} {{<<: [{','.join([f'*{a}'] * 9)}]}}\n"
                for a, b in zip("abcdefghi", "bcdefghij", strict=True)
            ),
            "it has more than 1,000,000 merged keys",
        ),
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


# Files.


@UNIX
def test_what_is_no_regular_file_is_not_opened(tmp_path):
    """It could wait for ever, or have no end."""
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "fifo", tmp_path / "socket", Path("/dev/zero")):
            with pytest.raises(Unreadable, match="Not a regular file"):
                read_file(path)
    with pytest.raises(Unreadable, match="Is a directory"):
        read_file(tmp_path)


def test_a_file_has_a_bound(tmp_path):
    """Of a file that says to be larger nothing is read."""
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    assert files.read_start(path, 3) == b"123"
    with pytest.raises(Unreadable, match="More than 0 MiB"):
        read_file(path, 4)
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(Unreadable, match="More than 64 MiB"):
        read_file(path)


@UNIX
def test_a_file_without_a_size_is_read():
    """Such as those of /proc."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("needs /proc")
    assert read_file(status).startswith(b"Name:")


NAMES = [LONG, "a/" * 3_000, "a\0b", "\ud800", "\udc80", ""]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_no_file_can_have_is_no_error(tmp_path, name):
    """Whatever is asked of it."""
    path = os.fspath(tmp_path) + "/" + name
    assert not files.is_file(path)
    assert not files.is_same_file(path, LONG)
    files.is_folder(path)
    files.exists(path)
    assert isinstance(files.real_path(path), Path)
    with pytest.raises(Unreadable):
        read_file(path)
    assert Search([tmp_path]).files(tmp_path, name).files == ()
    assert Search([tmp_path]).files(tmp_path, f"{name}*").files == ()


@UNIX
def test_links_that_lead_in_a_circle_are_no_error(tmp_path):
    """They lead nowhere."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert not files.exists(tmp_path / "a")
    assert files.real_path(tmp_path / "a" / "c")
    with pytest.raises(Unreadable, match="symbolic links"):
        read_file(tmp_path / "a")


# Searches.

TREE = ("a.md", "b.txt", ".h", "s/a.md", "s/t/a.md", "s/t/b.py", ".d/a.md", "x[1].md", "s/.h/b.md")
PARTS = st.sampled_from(["*", "**", "*.md", "s", "t", "a.md", "?.*", ".", "[ab].md", ".*", ""])
SEARCHES = (
    st.lists(PARTS, min_size=1, max_size=5)
    .map("/".join)
    .filter(lambda text: text and text[0] != "/" and text.split("/")[-1] not in ("", ".", ".."))
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A folder with some files."""
    top = tmp_path_factory.mktemp("tree")
    for name in TREE:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(name)
    return top


@given(SEARCHES)
@example("../*.md")
@example("*/../*.md")
@example("t/../../*")
@example("*/*/../../a.md")
def test_a_search_finds_what_glob_finds(tree, pattern):
    """Below its folders; nothing above them."""
    found = glob(pattern, root_dir=tree / "s", recursive=True)  # noqa: PTH207
    names = [name for name in found if not name.endswith("/")]
    paths = {Path(os.path.abspath(tree / "s" / name)) for name in names}  # noqa: PTH100
    expected = {path for path in paths if path.is_file()}
    match = Search([tree]).files(tree / "s", pattern)
    assert (set(match.files), match.reason) == (expected, None)


@pytest.mark.parametrize("pattern", ["/**", "/proc/**", "../../../../**", "../*/*", "s/../../**"])
def test_no_pattern_is_searched_outside(tree, pattern):
    """A contributor's page could hold any build."""
    start = time.monotonic()
    match = Search([tree]).files(tree, pattern)
    assert match.files == ()
    assert match.reason == f"No file outside of {tree.name} is searched."
    assert time.monotonic() - start < 2


@UNIX
def test_no_link_leads_a_search_outside(tmp_path):
    """Neither to the root of all, nor to the folder above."""
    top = tmp_path / "top"
    (top / "s").mkdir(parents=True)
    (tmp_path / "out.md").write_text("")
    (top / "s" / "a.md").write_text("")
    (top / "root").symlink_to("/")
    (top / "s" / "up").symlink_to("../..")
    (top / "s" / "self").symlink_to(".")
    (top / "s" / "self2").symlink_to(".")
    search = Search([top])
    for pattern in ("**", "**/*.md", "*/*.md", "s/*/*.md", "s/up/*.md", "*/**"):
        assert {path.name for path in search.files(top, pattern).files} <= {"a.md"}
    assert search.files(top, "root/**").reason == "No file outside of top is searched."


def test_a_search_has_bounds(tmp_path, monkeypatch):
    """A pattern that matches too much, or needs too long a look, finds nothing."""
    for i in range(30):
        (tmp_path / f"{i}.md").write_text("")
    assert len(Search([tmp_path]).files(tmp_path, "*.md").files) == 30
    monkeypatch.setattr(files, "MAX_FOUND", 29)
    assert Search([tmp_path]).files(tmp_path, "*.md") == files.Match(
        reason="It matches more than 29 files."
    )
    monkeypatch.setattr(files, "MAX_SEEN", 20)
    assert Search([tmp_path]).files(tmp_path, "*.txt") == files.Match(
        reason="It needs a look at more than 20 files."
    )
    monkeypatch.setattr(files, "MAX_SEEN_IN_ALL", 10)
    assert Search([tmp_path]).files(tmp_path, "*.txt") == files.Match(
        reason="The patterns of this build need a look at more than 10 files."
    )
    long = Search([tmp_path]).files(tmp_path, "*" * 5_000)
    assert long.reason == "It has more than 4,096 characters."


# Builds.


@pytest.mark.fault("a pattern that matches the whole disk")
def test_a_part_that_no_file_can_be_is_no_error(site):
    """Both doors build, and say nothing but what was not searched."""
    site.docs(
        {
            "index.md": "# Home\n",
            "long.md": f"---\nsitemap: {{depends: [{LONG}]}}\n---\n# A\n",
            "snippet.md": f'# A\n\n--8<-- "{LONG}"\n',
            "all.md": '---\nsitemap: {depends: ["/**", "/proc/**"]}\n---\n# A\n',
        }
    )
    site.config(more="markdown_extensions: [pymdownx.snippets]\n")
    site.commit()
    built = site.build()
    told = [
        f"docs/all.md:2: sitemap.depends has the pattern '{pattern}'. No file outside of "
        f"{site.folder.name} and docs is searched. The page gets no date from these files."
        for pattern in ("/**", "/proc/**")
    ]
    missing = (
        f"docs/long.md:2: sitemap.depends has the pattern '{LONG[:76]}..., which matches no file."
    )
    assert (built.warnings, built.notes) == (told, [missing])
    plugin = built.path().read_bytes()
    done = run_command("build", cwd=site.folder)
    assert [line for line in done.stderr.splitlines() if "Warning" in line] == [
        f"Warning: {line}" for line in told
    ]
    assert built.path().read_bytes() == plugin
    documented("a pattern that matches the whole disk", *built.warnings)


@UNIX
@pytest.mark.timeout(60)
@pytest.mark.fault("a named pipe is in the place of a file")
def test_a_pipe_in_the_place_of_a_file_holds_no_build(site):
    """The dates file, a part, robots.txt, the sitemap itself, a page, and a built page."""
    os.mkfifo(site.folder / "sitemap-dates.json")
    os.mkfifo(site.folder / "part.md")
    os.mkfifo(site.folder / "revs")
    text = "---\nsitemap: {depends: [../part.md]}\n---\n\n# A\n"
    site.docs({"index.md": "# Home\n", "a.md": text, "b.md": "# B\n"})
    options = "robots_txt: true\nlastmod: {sources: [git, file], git: {ignore_revs_file: revs}}"
    site.config(options)
    assert site.build(timeout="30").returncode == 0
    for name in ("site/robots.txt", "site/sitemap.xml", "site/b/index.html", "docs/b.md"):
        (site.folder / name).unlink()
        os.mkfifo(site.folder / name)
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    assert "robots.txt: it can't be read (Not a regular file)." in done.stderr
    documented("a named pipe is in the place of a file", done.stderr)


@UNIX
def test_links_of_the_docs_folder_to_folders_above_have_an_end(site):
    """Two of them would double the pages at every level."""
    site.docs({"index.md": "# Home\n", "a/b.md": "# B\n"})
    site.config()
    site.build()
    for name, target in (("self", "."), ("self2", "."), ("a/up", "../.."), ("root", "/")):
        (site.folder / "docs" / name).symlink_to(target)
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    assert "2 URLs" in done.stdout


@UNIX
def test_of_two_built_pages_that_can_not_be_read_the_first_is_named_with_its_own_reason(site):
    """The reason of the other is not the same."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    site.config()
    site.build()
    a, b = (site.folder / "site" / name / "index.html" for name in "ab")
    for path, target in ((a, "x" * 300), (b, b)):
        path.unlink()
        path.symlink_to(target)
    done = run_command("build", cwd=site.folder)
    expected = (
        "Warning: 2 files of the built site can't be read (a/index.html: File name too long). No "
        "such page is listed."
    )
    assert expected in done.stderr.splitlines()


@UNIX
@pytest.mark.skipif(not shutil.which("setpriv"), reason="needs setpriv, since root may read all")
@pytest.mark.fault("a file is not readable")
def test_what_may_not_be_read_does_not_end_the_build(site):
    """A folder of parts, a source, and a built page."""
    site.write({"secret/a.txt": "A\n"})
    names = "[../secret/a.txt, ../secret/*]"
    site.docs(
        {
            "index.md": "# Home\n",
            "a.md": f"---\nsitemap: {{depends: {names}}}\n---\n# A\n",
            "b.md": "# B\n",
            "c.md": "---\npriority: 0.7\n---\n# C\n",
        }
    )
    site.config()
    site.commit()
    site.build()
    nobody = 65534
    for name in ("secret", "site/b/index.html", "docs/c.md"):
        if os.geteuid() == 0:
            os.chown(site.folder / name, nobody, nobody)
        (site.folder / name).chmod(0)
    drop = "-dac_override,-dac_read_search"
    command = ["setpriv", "--bounding-set", drop, "--inh-caps", drop]
    command = command if os.geteuid() == 0 else []

    def run(subcommand):
        return subprocess.run(
            [*command, sys.executable, "-m", "mkdocs_sitemap_plus", subcommand],
            cwd=site.folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    done = run("build")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("Warning")] == [
        (
            "Warning: docs/c.md: the front matter can't be read (Permission denied). The whole "
            "front matter of this page is ignored."
        ),
        (
            "Warning: 1 file of the built site can't be read (b/index.html: Permission denied). No "
            "such page is listed."
        ),
    ]
    documented("a file is not readable", done.stderr)
    checked = run("check")
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("name", ["v" * 300, "\\ud800"])
def test_a_version_that_no_folder_can_be_is_one_line(tmp_path, name):
    """As mike would not write it."""
    (tmp_path / "versions.json").write_text(f'[{{"version": "{name}", "aliases": []}}]')
    done = run_command("index", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "Error: versions.json: lists a name that can't be the name of a folder.\n"


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
    listed, told = decided(site_of(page("a")), own)
    return listed["a/"], told


def test_a_value_that_raises_is_one_warning():
    """A zone, and a text."""
    entry, told = transformed(datetime(2024, 1, 2, tzinfo=_BrokenZone()))
    assert entry.lastmod is None
    assert told == [
        (
            "mkdocs.yml: transform: docs/a.md: lastmod is a datetime, which raised "
            "ZeroDivisionError: no zone. No lastmod is written."
        )
    ]
    entry, told = transformed(_BrokenText("daily"), "changefreq")
    assert entry.changefreq is None
    assert told == [
        (
            "mkdocs.yml: transform: docs/a.md: changefreq is a _BrokenText, which raised "
            "ZeroDivisionError: no text. No changefreq is written."
        )
    ]


def test_a_date_of_a_class_of_its_own_is_written_as_a_plain_one():
    """Its methods could raise while the file is written."""
    entry, told = transformed(_BrokenDate(2024, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert (type(entry.lastmod), told) == (datetime, [])
    assert entry.lastmod.isoformat() == "2024-01-02T03:04:05+01:00"

    class Day(date):
        def isoformat(self):
            raise ZeroDivisionError

    entry, told = transformed(Day(2024, 1, 2))
    assert (type(entry.lastmod), entry.lastmod, told) == (date, date(2024, 1, 2), [])
