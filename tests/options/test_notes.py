"""Keys of front matter that only another tool reads, and many mistakes at once."""

import pytest
from decided import decided, page, settings, site_of
from sites import run_command

from mkdocs_sitemap_plus.generator.pages.front_matter import read_front_matter_text


def notes(front_matter):
    """What is said of a page with this front matter."""
    read = read_front_matter_text(f"---\ntitle: T\n{front_matter}\n---\n# Home\n")
    return decided(site_of(page("a", meta=read.meta, lines=read.lines)), settings())[1]


def test_a_capital_in_the_key_sitemap_is_named():
    """Its owner may have meant to leave the page out."""
    assert notes("Sitemap: false") == [
        (
            "docs/a.md:3: Sitemap is not the key `sitemap`. It is ignored. To leave the page out, "
            "write `sitemap: false`; other values go under `sitemap:`."
        )
    ]


@pytest.mark.parametrize("key", ["site_map", "changeFreq", "Priority", "prioriti", "updated"])
def test_a_key_that_is_only_similar_needs_no_word(key):
    """It may belong to another tool."""
    assert notes(f"{key}: 2024-01-01") == []


def test_both_doors_report_keys_that_are_not_read_as_notes(site):
    """A strict build passes."""
    site.docs({"index.md": "---\nSitemap: false\n---\n", "a.md": "---\nnoindex: true\n---\n"})
    site.config("lastmod: {sources: [front_matter]}")
    built = site.build("--strict")
    assert [line.split()[1] for line in built.notes] == ["Sitemap", "noindex"]
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr.splitlines() == [f"Note: {line}" for line in built.notes]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("noindex: true", "noindex is true"),
        ("sitemap_exclude: yes", "sitemap_exclude is true"),
        ("no_index: 'true'", "no_index is 'true'"),
        ("robots: noindex, nofollow", "robots is 'noindex, nofollow'"),
    ],
)
def test_a_key_that_leaves_a_page_out_elsewhere_is_named(said, shown):
    """The page is listed, though its owner may have meant to leave it out."""
    assert notes(said) == [
        (
            f"docs/a.md:3: {shown}, but this plugin does not read that key. The page is listed. "
            "To leave it out, write `sitemap: false`."
        )
    ]


@pytest.mark.parametrize(
    "said",
    [
        "noindex: false",
        "exclude: [a, b]",
        "robots: index, max-image-preview:none",
        "draft: true\nsitemap: false",
    ],
)
def test_a_key_that_leaves_nothing_out_or_a_page_that_is_not_listed_needs_no_word(said):
    """The key means the opposite, is another tool's, or has what it asks for."""
    assert notes(said) == []


def test_a_draft_that_mkdocs_publishes_is_named():
    """Other generators would not publish the page at all."""
    assert notes("draft: true") == [
        (
            "docs/a.md:3: draft is true, but MkDocs does not read that key. The page is "
            "published and listed. To keep it unpublished, use draft_docs in mkdocs.yml. To leave "
            "it out of the sitemap only, write `sitemap: false`."
        )
    ]


def test_of_many_notes_of_a_kind_five_are_shown_and_the_others_are_named(site):
    """A site with the same mistake on each page has a log that can be read, and mended."""
    pages = {f"p{number:02}.md": "---\nnoindex: true\n---\n# P\n" for number in range(30)}
    site.docs(pages)
    site.config("lastmod: {sources: [front_matter]}")
    notes = site.build().notes
    assert len(notes) == 6
    named = ", ".join(f"docs/p{number:02}.md:2" for number in range(5, 25))
    assert notes[-1] == f"25 more notes of this kind (near-miss): {named} and 5 more."


THREE_MISTAKES = """\
priority: 7
lastmod:
  timezon: UTC
  git: {date: never}
rules:
  - match: a.md
  - match: b.md
    priority: high
"""


def test_all_mistakes_are_reported_at_once_each_with_its_line(site):
    """One run of the build is enough to mend them all."""
    site.docs({"index.md": "# Home\n"})
    site.config(THREE_MISTAKES)
    found = [
        "mkdocs.yml:5: priority is 7, but must be a number from 0.0 to 1.0.",
        "mkdocs.yml:8: lastmod.git.date is 'never', but must be one of published, commit, author.",
        "mkdocs.yml:12: rules[1].priority is 'high', but must be a number from 0.0 to 1.0.",
    ]
    output = site.build(check=False).output
    lines = [line.partition("': mkdocs.yml")[2] for line in output.splitlines()]
    assert [f"mkdocs.yml{line}" for line in lines if line] == found
    stderr = run_command("build", cwd=site.folder).stderr.splitlines()
    assert stderr == [f"Error: {line}" for line in found]
