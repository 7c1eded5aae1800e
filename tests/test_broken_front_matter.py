"""Front matter that YAML can't read: MkDocs ignores all of it without a word."""

import pytest
from sites import run_command

IGNORED = "The whole front matter of this page is ignored."
WARNED = {
    "a-date-that-does-not-exist": (
        "title: T\nlastmod: 2026-13-45",
        "docs/a.md:3: lastmod is '2026-13-45', which can't be read (month must be in 1..12).",
    ),
    "a-value-of-another-key": (
        "sitemap:\n  priority: 0.5\nreviewed: [1, 2026-02-30]",
        (
            "docs/a.md:4: reviewed[1] is '2026-02-30', which can't be read "
            "(day is out of range for month)."
        ),
    ),
    "a-colon-too-many": (
        "title: a: b\npriority: 0.5",
        (
            "docs/a.md:2: the front matter can't be read (mapping values are not allowed in this "
            "context)."
        ),
    ),
    "an-open-bracket": (
        "changefreq: [daily",
        "docs/a.md:3: the front matter can't be read (did not find expected ',' or ']').",
    ),
}


@pytest.mark.parametrize(("text", "expected"), WARNED.values(), ids=WARNED)
def test_a_key_of_ours_that_is_lost_is_a_warning_with_line_key_and_value(site, text, expected):
    """Both doors say so; the page is listed without what it asked for."""
    site.docs({"a.md": f"---\n{text}\n---\n# A\n"})
    site.config("lastmod: {sources: [front_matter]}")
    built = site.build()
    assert built.warnings == [f"{expected} {IGNORED}"]
    assert built.entries() == [{"loc": "https://example.com/a/"}]
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr == f"Warning: {expected} {IGNORED}\n"


@pytest.mark.parametrize(
    "text",
    [
        "title: a: b",
        "title: a: b\n  priority: 1",
        "reviewed: 2026-02-30",
        "# sitemap: false\na: [",
        "x: 'sitemap: false",
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
            "docs/a.md:2: changed is '2026-02-30', which can't be read (day is out of range for "
            f"month). {IGNORED}"
        )
    ]


def test_a_site_url_that_is_given_but_empty_is_an_information(site):
    """As with `!ENV SITE_URL` in a build that does not set it: a strict build passes."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}", site_url="!ENV [NO_SUCH_VARIABLE]")
    built = site.build("--strict")
    expected = (
        "mkdocs.yml:2: site_url is empty, so no sitemap is written. "
        "Set it to the full address of the site, such as https://example.com/docs/."
    )
    assert built.lines == [f"INFO {expected}"]
    done = run_command("build", cwd=site.folder)
    assert done.stderr == f"Note: {expected}\n"


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
