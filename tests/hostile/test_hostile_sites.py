"""Whatever stands in front matter: a build ends, soon, without a traceback.

The texts are made by a grammar: aliases that unfold, nesting, names that no file
system takes, patterns that are none, values of every wrong kind.
"""

import resource
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quantity import tries
from sitemap_xml import validate
from sites import run_command
from strategies import alias_bomb

from mkdocs_sitemap_plus.generator.options.fields import SITEMAP_KEYS

LIMIT = settings(
    max_examples=tries(few=5, many=50), deadline=None, suppress_health_check=list(HealthCheck)
)
MEMORY = 1 << 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")

THEME = "theme: {name: null, custom_dir: theme}\n"
TEMPLATE = """\
<!doctype html><html><head><title>{{ page.title }}</title>
<link rel="canonical" href="{{ page.canonical_url }}"></head><body>{{ page.content }}</body></html>
"""


@contextmanager
def memory_limit(size):
    """Let this process have `size` bytes more than now; beyond that, a MemoryError is raised."""
    now = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    old = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, old)


_WORDS = (
    "daily", "Daily", "dayly", "0.5", ".5", "1,0", "7", "-1", "1e3", ".nan", ".inf", "true",
    "no", "off", "~", "''", "2024-01-02", "2026-13-45", "2024-01-02T03:04:05+14:30",
    "9999-12-31", "0000-01-01", "2024-02-30", "12:34", "0x10", "0o17", "1_000", "!!str",
    "!!binary", "AAAA", "<<:", "?", "-", ":", "&", "*", "!", "|", ">", "%", "@", "`",
    "https://web.example/", "//x", "/../..", "../a", "%zz", "a..b",
)  # fmt: skip
WORDS = st.sampled_from(_WORDS) | st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12
).map(repr)
_LONG = (
    "a" * 300, "é" * 5000, "/".join("a" * 600), "*a*b*c*", "**/a/**/b/**/c", "[z-a]", "[" * 50,
    "!" * 9, "/**", "../../../**", "/proc/**", "/dev/null", "\\", "a\\\\\x00b", "--8<--",
    "{" * 99,
)  # fmt: skip
LONG = st.sampled_from(_LONG).map(repr)
NESTED = st.builds(
    lambda mark, deep: mark[0] * deep + mark[1] * deep,
    st.sampled_from(["[]", "{}"]),
    st.integers(1, 200),
)
ALIASES = st.sampled_from([f"*{name}" for name in "abcde"])
PLAIN = WORDS | LONG | NESTED | ALIASES
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(PLAIN, inner), max_size=3).map(
            lambda pairs: f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"
        )
    ),
    max_leaves=6,
)
# No title: the theme writes it out, and unfolds its aliases, whatever this plugin does.
KEYS = st.sampled_from(
    [*SITEMAP_KEYS, "sitemap", "date", "last_modified_at", "Sitemap", "change_freq", "tags", "x"]
)
LONG_FORM = st.lists(st.tuples(st.sampled_from(SITEMAP_KEYS) | PLAIN, VALUES), max_size=4).map(
    lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
)
LINES = st.tuples(KEYS, VALUES) | st.tuples(st.just("sitemap"), LONG_FORM)
FRONT_MATTER = st.builds(
    lambda anchors, lines, body: (
        "---\n"
        + alias_bomb() * anchors
        + "".join(f"{key}: {value}\n" for key, value in lines)
        + f"---\n{body}\n"
    ),
    st.booleans(),
    st.lists(LINES, max_size=5),
    st.sampled_from(
        ["# T", "--8<-- " + repr("a" * 300), "{% include 'a' %}" * 9, "{!a " * 99, "<img src=x>"]
    ),
)


def check_result(folder):
    """What was written is valid by the schema, and `check` has no findings."""
    sitemap = folder / "site/sitemap.xml"
    if sitemap.exists():
        validate(sitemap.read_bytes())
        done = run_command("check", "--ignore", "not-listed", "site", cwd=folder)
        assert done.returncode == 0, done.stdout


@LIMIT
@given(text=FRONT_MATTER)
def test_both_doors_write_a_valid_sitemap_of_any_front_matter(site, text):
    """In a gigabyte at most, with messages of a bounded length; `check` has no findings."""
    site.write({"theme/main.html": TEMPLATE})
    site.docs({"index.md": "# Home\n", "a.md": text})
    site.config("images: true", theme=THEME, more="markdown_extensions: [pymdownx.snippets]\n")
    with memory_limit(MEMORY):
        lines = site.build(check=False).lines
        assert max(map(len, lines)) < 2_000
        assert len(lines) < 80
        check_result(site.folder)
        done = run_command("build", cwd=site.folder)
        assert (done.returncode, len(done.stderr) < 40_000) == (0, True)
        check_result(site.folder)
