"""Front matter that YAML can't read: MkDocs ignores all of it without a word."""

import pytest
from decided import decided, page, settings, site_of
from mkdocs.utils.meta import get_data
from sites import run_command

from mkdocs_sitemap_plus.generator.pages.front_matter import read_front_matter_text

IGNORED = "MkDocs ignores all front matter of this page, and shows it as text."
WARNED = {
    "a-date-that-does-not-exist": (
        "title: T\nlastmod: 2026-13-45",
        "docs/a.md:3: lastmod is '2026-13-45', which can't be read (there is no such date).",
    ),
    "a-value-of-another-key": (
        "sitemap:\n  priority: 0.5\nreviewed: [1, 2026-02-30]",
        ("docs/a.md:4: reviewed[1] is '2026-02-30', which can't be read (there is no such date)."),
    ),
    "a-colon-too-many": (
        "title: a: b\npriority: 0.5",
        (
            "docs/a.md:2: the front matter can't be read (mapping values are not allowed in this "
            "context)."
        ),
        "Put the value of title in quotes.",
    ),
    "no-space-after-a-colon": (
        "sitemap:false",
        (
            "docs/a.md:2: the front matter can't be read (sitemap:false needs a space after the "
            "colon)."
        ),
    ),
    "a-tab": (
        "title: T\n\tsitemap: false",
        (
            "docs/a.md:3: the front matter can't be read (found a tab character that violates "
            "indentation)."
        ),
        "Replace the tab by spaces.",
    ),
    "an-open-bracket": (
        "changefreq: [daily",
        "docs/a.md:3: the front matter can't be read (did not find expected ',' or ']').",
    ),
}


def reported(text, **lastmod):
    """The problems of a page with this text, which is listed without what it asked for."""
    read = read_front_matter_text(text)
    own = page("a", meta=read.meta, lines=read.lines, broken=read.broken)
    entries, problems = decided(
        site_of(own), settings(lastmod={"sources": ["front_matter"], **lastmod})
    )
    assert [*entries] == ["a/"]
    return problems


@pytest.mark.parametrize(
    ("text", "expected", "fix"), [(*it, "")[:3] for it in WARNED.values()], ids=WARNED
)
def test_a_key_of_ours_that_is_lost_is_a_warning_with_line_key_and_value(text, expected, fix):
    """The page is listed without what it asked for."""
    expected = f"{expected} {IGNORED} {fix}".rstrip()
    assert reported(f"---\n{text}\n---\n# A\n") == [expected]


def test_both_doors_report_it(site):
    """The plugin and the command."""
    lost = "---\ntitle: a: b\nsitemap: false\n---\n# A\n"
    site.docs({"a.md": lost, "b.md": "\n---\nsitemap: false\n---\n"})
    site.config("lastmod: {sources: [front_matter]}")
    built = site.build()
    assert built.warnings == [*reported(lost), f"docs/b.md:1: {NOT_FIRST} {IGNORED}"]
    assert built.locs() == ["a/", "b/"]
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr.splitlines() == [f"Warning: {line}" for line in built.warnings]


NOT_FIRST = "the front matter can't be read (it must begin in the first line)."


QUOTES = "Put the value of title in quotes."
MENDED = {
    "title: Install: the guide": (1, QUOTES, "title: 'Install: the guide'"),
    "title: Next steps:": (1, QUOTES, "title: 'Next steps:'"),
    "title: `mkdocs` on CI": (1, QUOTES, "title: '`mkdocs` on CI'"),
    "title: *New* lamps": (1, QUOTES, "title: '*New* lamps'"),
    "title: [draft] Lamps": (1, QUOTES, "title: '[draft] Lamps'"),
    "lastmod: {{ date }}": (1, "Templates do not work here. Delete the line.", "title: T"),
    "tags:\n- a: b: c": (2, "Put the value of a in quotes.", "tags:\n- a: 'b: c'"),
    'title: "Lamps': (1, None, 'title: "Lamps"'),
    "title: 'It's here'": (1, None, "title: 'It''s here'"),
    'title: "C:\\docs"': (1, None, "title: 'C:\\docs'"),
    "\ttitle: T": (1, "Replace the tab by spaces.", "title: T"),
    "hide:\n\t- toc": (2, "Replace the tab by spaces.", "hide:\n    - toc"),
    "title: T # lamps: all\n  x: 1": (2, None, "title: T # lamps: all\nx: 1"),
    "title: T\n  x: 'y # z' # and: more": (2, None, "title: T\nx: 'y # z'"),
    "title: T\nof the lamp": (2, None, "title: T\n  of the lamp"),
    "about: |\nfirst\nsecond": (2, None, "about: |\n  first\n  second"),
    "the\uff1a lamp\nx: 1": (2, None, "the: lamp\nx: 1"),
    "tags:\n  - a: 1\n   b: 2": (3, None, "tags:\n  - a: 1\n    b: 2"),
    "title: [a, b": (None, None, "title: [a, b]"),
    'videos: [{title: "\\d"}]': (1, None, "videos: [{title: 'd'}]"),
    "a: {b: [c] d: e}": (1, None, "a: {b: [c], d: e}"),
}


@pytest.mark.parametrize(("text", "said"), MENDED.items(), ids=range(len(MENDED)))
def test_a_common_mistake_is_named_with_its_line_and_what_mends_it(text, said):
    """Who does what the message says, has front matter that MkDocs reads."""
    line, fix, mended = said
    [warning] = reported(f"---\n{text}\nsitemap: false\n---\n# A\n")
    assert warning.endswith(f" {IGNORED} {fix}" if fix else IGNORED)
    if line:
        assert warning.startswith(f"docs/a.md:{line + 1}: ")
    _, meta = get_data(f"---\n{mended}\nsitemap: false\n---\n# A\n")
    assert meta["sitemap"] is False


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\nsitemap: false\n\n# A\n", "a line --- must end it"),
        ("---\ntitle: T\nsitemap:\n  priority: 0.5\n\n---\n# A\n", None),
        ("---\ntitle: T\nsitemap: false\n# A\n", "a line --- must end it"),
        ("\n---\nsitemap: false\n---\n# A\n", "it must begin in the first line"),
        ("<!-- Ours -->\n---\nsitemap: false\n---\n# A\n", "it must begin in the first line"),
        ("<!--\n-->\n<!-- -->\n\n---\ntitle: A\n---\n# A\n", None),
        ("<!-- not closed\n---\nsitemap: false\n---\n# A\n", None),
        (
            "+++\nsitemap = false\n+++\n# A\n",
            "MkDocs reads YAML between lines ---, not TOML between lines +++",
        ),
        ("+++\ntitle = 'A'\n+++\n# A\n", None),
        ("---\nsitemap\uff1a false\n---\n# A\n", "its lines are not KEY: VALUE"),
        ("---\nIt has a priority: 0.5\n", None),
        ("---\ntitle: T\n\nText\n\nsitemap: false\n", None),
        ("\n---\ntitle: T\n---\nsitemap: false\n", None),
    ],
)
def test_front_matter_that_mkdocs_does_not_see_is_a_warning(text, reason):
    """Not closed, or not at the start; without a key of ours at the start of a line, silence."""
    expected = f"docs/a.md:1: the front matter can't be read ({reason}). {IGNORED}"
    assert reported(text) == ([expected] if reason else [])


@pytest.mark.parametrize(
    "text",
    ["title: a: b\n  priority: 1", "# sitemap: false\na: [", "x: 'sitemap: false", "name:x"],
)
def test_without_a_key_of_ours_a_strict_build_passes_in_silence(text):
    """What is wrong is no matter of the sitemap, and MkDocs itself has nothing to say."""
    assert reported(f"---\n{text}\n---\n# A\n") == []


def test_a_key_of_the_owners_choice_counts():
    """`lastmod.front_matter_keys` says which keys are read."""
    text = "---\nchanged: 2026-02-30\n---\n# A\n"
    expected = "changed is '2026-02-30', which can't be read (there is no such date)."
    assert reported(text, front_matter_keys=["changed"]) == [f"docs/a.md:2: {expected} {IGNORED}"]
