"""Front matter that YAML can't read: MkDocs ignores all of it without a word."""

import pytest
from quantity import one_in
from sites import run_command

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
    "no-space-below-another-key": (
        "title: T\nsitemap:false\nx: 1",
        (
            "docs/a.md:3: the front matter can't be read (sitemap:false needs a space after the "
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


@pytest.mark.parametrize(
    ("text", "expected", "fix"), [(*it, "")[:3] for it in WARNED.values()], ids=WARNED
)
def test_a_key_of_ours_that_is_lost_is_a_warning_with_line_key_and_value(site, text, expected, fix):
    """Both doors say so; the page is listed without what it asked for."""
    expected = f"{expected} {IGNORED} {fix}".rstrip()
    site.docs({"a.md": f"---\n{text}\n---\n# A\n"})
    site.config("lastmod: {sources: [front_matter]}")
    built = site.build()
    assert built.warnings == [expected]
    assert built.entries() == [{"loc": "https://example.com/a/"}]
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr == f"Warning: {expected}\n"


QUOTES = "Put the value of title in quotes."
MENDED = {
    "title: Install: the guide": (1, QUOTES, "title: 'Install: the guide'"),
    "title: Next steps:": (1, QUOTES, "title: 'Next steps:'"),
    "title: @home": (1, QUOTES, "title: '@home'"),
    "title: `mkdocs` on CI": (1, QUOTES, "title: '`mkdocs` on CI'"),
    "title: %d lamps": (1, QUOTES, "title: '%d lamps'"),
    "title: *New* lamps": (1, QUOTES, "title: '*New* lamps'"),
    "title: *": (1, QUOTES, "title: '*'"),
    "title: & more": (1, QUOTES, "title: '& more'"),
    "title: !Note": (1, QUOTES, "title: '!Note'"),
    "title: [draft] Lamps": (1, QUOTES, "title: '[draft] Lamps'"),
    "title: {{ name }}": (1, QUOTES, "title: '{{ name }}'"),
    "title: {{ name }} of the lamp": (1, QUOTES, "title: '{{ name }} of the lamp'"),
    "tags:\n- a: b: c": (2, "Put the value of a in quotes.", "tags:\n- a: 'b: c'"),
    "tags:\n- @home": (2, "Put the value in quotes.", "tags:\n- '@home'"),
    'title: "Lamps': (1, None, 'title: "Lamps"'),
    "title: 'It's here'": (1, None, "title: 'It''s here'"),
    'title: "C:\\docs"': (1, None, "title: 'C:\\docs'"),
    "\ttitle: T": (1, "Replace the tab by spaces.", "title: T"),
    "hide:\n\t- toc": (2, "Replace the tab by spaces.", "hide:\n    - toc"),
    "title: T # lamps: all\n  x: 1": (2, None, "title: T # lamps: all\nx: 1"),
    "title: T\n  x: 'y # z' # and: more": (2, None, "title: T\nx: 'y # z'"),
    "title: T\n  x: 'y'": (2, None, "title: T\nx: 'y'"),
    "title: T\nof the lamp": (2, None, "title: T\n  of the lamp"),
    "about: |\nfirst\nsecond": (2, None, "about: |\n  first\n  second"),
    "the\uff1a lamp\nx: 1": (2, None, "the: lamp\nx: 1"),
    " title: T\nx: 1": (2, None, "title: T\nx: 1"),
    "title: T\n x: 1": (2, None, "title: T\nx: 1"),
    "tags:\n  - a: 1\n   b: 2": (3, None, "tags:\n  - a: 1\n    b: 2"),
    "title: [a, b": (None, None, "title: [a, b]"),
    'videos: [{title: "\\d"}]': (1, None, "videos: [{title: 'd'}]"),
    "a: {b: [c] d: e}": (1, None, "a: {b: [c], d: e}"),
    "base: &base {a: [b}": (1, None, "base: &base {a: [b]}"),
}


@one_in(4)
@pytest.mark.parametrize(("text", "said"), MENDED.items(), ids=range(len(MENDED)))
def test_a_common_mistake_is_named_with_its_line_and_what_mends_it(site, text, said):
    """Who does what the message says, has front matter that MkDocs reads."""
    line, fix, mended = said
    site.config("lastmod: {sources: [front_matter]}")
    site.docs({"index.md": "# Home\n", "a.md": f"---\n{text}\nsitemap: false\n---\n# A\n"})
    built = site.build()
    [warning] = built.warnings
    assert warning.endswith(f" {IGNORED} {fix}" if fix else IGNORED)
    if line:
        assert warning.startswith(f"docs/a.md:{line + 1}: ")
    assert built.locs() == ["", "a/"]
    site.docs({"a.md": f"---\n{mended}\nsitemap: false\n---\n# A\n"})
    built = site.build("--strict")
    assert (built.warnings, built.locs()) == ([], [""])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\nsitemap: false\n\n# A\n", "a line --- must end it"),
        ("---\ntitle: T\nsitemap:\n  priority: 0.5\n\n---\n# A\n", None),
        ("---\ntitle: T\nsitemap: false\n# A\n", "a line --- must end it"),
        ("---\nsitemap: false\n---", "a line --- must end it"),
        ("\n---\nsitemap: false\n---\n# A\n", "it must begin in the first line"),
        (" \n\n---\nlastmod: 2024-01-01\n---\n# A\n", "it must begin in the first line"),
        ("<!-- Ours -->\n---\nsitemap: false\n---\n# A\n", "it must begin in the first line"),
        ("<!--\n-->\n<!-- -->\n\n---\ntitle: A\n---\n# A\n", None),
        ("<!-- not closed\n---\nsitemap: false\n---\n# A\n", None),
        (
            "+++\nsitemap = false\n+++\n# A\n",
            "MkDocs reads YAML between lines ---, not TOML between lines +++",
        ),
        ("+++\ntitle = 'A'\n+++\n# A\n", None),
        ("---\nsitemap = false\n---\n# A\n", "its lines are not KEY: VALUE"),
        ("---\nsitemap\uff1a false\n---\n# A\n", "its lines are not KEY: VALUE"),
        ("---\n\nsitemap: false\n", None),
        ("---\nIt has a priority: 0.5\n", None),
        ("---\ntitle: T\n\nText\n\nsitemap: false\n", None),
        ("\n---\ntitle: T\n---\nsitemap: false\n", None),
        ("# A\n\n---\nsitemap: false\n", None),
    ],
)
def test_front_matter_that_mkdocs_does_not_see_is_a_warning(site, text, reason):
    """Not closed, or not at the start; without a key of ours at the start of a line, silence."""
    site.docs({"a.md": text})
    site.config("lastmod: {sources: [front_matter]}")
    built = site.build()
    expected = f"docs/a.md:1: the front matter can't be read ({reason}). {IGNORED}"
    assert built.warnings == ([expected] if reason else [])
    assert built.locs() == ["a/"]
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr == (f"Warning: {expected}\n" if reason else "")


@pytest.mark.parametrize(
    "text",
    [
        "title: a: b",
        "title: a: b\n  priority: 1",
        "reviewed: 2026-02-30",
        "# sitemap: false\na: [",
        "x: 'sitemap: false",
        "Only a text",
        "https://example.com/",
        "name:x",
        "- sitemap: false",
    ],
)
def test_without_a_key_of_ours_a_strict_build_passes_in_silence(site, text):
    """What is wrong is no matter of the sitemap, and MkDocs itself has nothing to say."""
    site.docs({"a.md": f"---\n{text}\n---\n# A\n"})
    site.config("lastmod: {sources: [front_matter]}")
    built = site.build("--strict")
    assert (built.warnings, built.notes) == ([], [])
    assert run_command("build", "--strict", cwd=site.folder).stderr == ""


def test_a_key_of_the_owners_choice_counts(site):
    """`lastmod.front_matter_keys` says which keys are read."""
    site.docs({"a.md": "---\nchanged: 2026-02-30\n---\n# A\n"})
    site.config("lastmod: {sources: [front_matter], front_matter_keys: [changed]}")
    assert site.build().warnings == [
        (
            "docs/a.md:2: changed is '2026-02-30', which can't be read (there is no such date). "
            f"{IGNORED}"
        )
    ]


def test_a_site_url_that_is_given_but_empty_is_an_information(site):
    """As with `!ENV SITE_URL` in a build that does not set it: a strict build passes."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}", site_url="!ENV [NO_SUCH_VARIABLE]")
    built = site.build("--strict")
    expected = (
        "mkdocs.yml:2: site_url has no value, so this build has no sitemap. If it should have one, "
        "set it, or its environment variable, to the full address of the site, such as "
        "https://example.com/docs/."
    )
    assert built.lines == [f"INFO {expected}"]
    done = run_command("build", cwd=site.folder)
    assert (done.returncode, done.stderr) == (0, f"Note: {expected}\n")


def test_without_the_key_site_url_there_is_a_warning(site):
    """Nothing can be written, and the owner has to set it."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}", site_url=None)
    built = site.build("--strict", check=False)
    assert built.returncode == 1
    assert built.warnings == [
        (
            "mkdocs.yml: site_url is not set, so no sitemap is written. "
            "Set it to the full address of the site, such as https://example.com/docs/."
        )
    ]
