"""A site made by hand, as an owner would: the whole sitemap, and every warning."""

import pytest
from sites import CHANGEFREQS, DATES, SiteMaker

from mkdocs_sitemap_plus.options.overrides import SITEMAP_KEYS

KEYS = ", ".join(SITEMAP_KEYS)

PAGES = {
    "index.md": "# Home\n",
    "a b.md": "---\nchangefreq: Weekly\npriority: .5\n---\n# Short\n",
    "it's.md": """\
---
title: Long
sitemap:
  changefreq: monthly
  priority: 1
  lastmod: 2024-02-29T08:00:00+09:00
changefreq: never
priority: 0.1
---
# Long, which wins over short
""",
    "ü/é.md": "Priority: 0.80\nLastmod: 2023-12-24\n\n# MultiMarkdown\n",
    "ü/ö.md": "---\nsitemap: false\n---\n# Left out\n",
    "x&y.md": """\
---
sitemap:
  changefreq: dayly
  priority: 1.5
  lastmod: '2024-13-01'
  prioritty: 0.5
---
# All wrong
""",
    "short.md": "---\npriority: 0,5\nchangefreq: no\nlastmod: 2024\n---\n# Short and wrong\n",
    "half.md": "---\nsitemap:\n  priority: five\npriority: 0.3\n---\n# The long form is wrong\n",
    "lost.md": "---\npriority: 0.9\nlastmod: 2024-02-30\n---\n# A date that does not exist\n",
    "undated.md": "---\nsitemap:\n  lastmod: false\n---\n# Undated\n",
    "ticket.md": "---\npriority: high\n---\n# Another tool's\n",
    "yes.md": "---\nsitemap: yes please\n---\n# Neither yes nor no\n",
}

SITEMAP = """\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="sitemap.css"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/</loc>
    <lastmod>2024-05-01T10:00:00+00:00</lastmod>
  </url>
  <url>
    <loc>https://example.com/%C3%BC/%C3%A9/</loc>
    <lastmod>2023-12-24</lastmod>
    <priority>0.8</priority>
  </url>
  <url>
    <loc>https://example.com/a%20b/</loc>
    <lastmod>2024-05-01T10:00:00+00:00</lastmod>
    <changefreq>weekly</changefreq>
    <priority>0.5</priority>
  </url>
  <url>
    <loc>https://example.com/half/</loc>
    <lastmod>2024-05-01T10:00:00+00:00</lastmod>
  </url>
  <url>
    <loc>https://example.com/it%27s/</loc>
    <lastmod>2024-02-29T08:00:00+09:00</lastmod>
    <changefreq>monthly</changefreq>
    <priority>1.0</priority>
  </url>
  <url>
    <loc>https://example.com/lost/</loc>
    <lastmod>2024-05-01T10:00:00+00:00</lastmod>
  </url>
  <url>
    <loc>https://example.com/short/</loc>
  </url>
  <url>
    <loc>https://example.com/ticket/</loc>
    <lastmod>2024-05-01T10:00:00+00:00</lastmod>
  </url>
  <url>
    <loc>https://example.com/undated/</loc>
  </url>
  <url>
    <loc>https://example.com/x%26y/</loc>
  </url>
  <url>
    <loc>https://example.com/yes/</loc>
    <lastmod>2024-05-01T10:00:00+00:00</lastmod>
  </url>
</urlset>
"""

WARNINGS = [
    (
        "docs/half.md:3: sitemap.priority is 'five', but must be a number from 0.0 to 1.0. "
        "No priority is written."
    ),
    (
        "docs/lost.md:3: lastmod is '2024-02-30', which can't be read (there is no such date). "
        "MkDocs ignores all front matter of this page, and shows it as text."
    ),
    (
        "docs/short.md:2: priority is '0,5', but must be a number from 0.0 to 1.0. "
        "No priority is written. Did you mean 0.5?"
    ),
    (
        f"docs/short.md:3: changefreq is false, but must be one of {CHANGEFREQS}. "
        "No changefreq is written."
    ),
    f"docs/short.md:4: lastmod is 2024, but must be {DATES}. No lastmod is written.",
    (
        f"docs/x&y.md:3: sitemap.changefreq is 'dayly', but must be one of {CHANGEFREQS}. "
        "No changefreq is written. Did you mean 'daily'?"
    ),
    (
        "docs/x&y.md:4: sitemap.priority is 1.5, but must be a number from 0.0 to 1.0. "
        "No priority is written."
    ),
    (
        "docs/x&y.md:5: sitemap.lastmod is '2024-13-01', which is not a date that exists. "
        "No lastmod is written."
    ),
    (
        "docs/x&y.md:6: sitemap.prioritty is not a known key. It is ignored. "
        "Did you mean 'priority'?"
    ),
    (
        f"docs/yes.md:2: sitemap is 'yes please', but must be true, false or a mapping of "
        f"{KEYS}. It is ignored."
    ),
]


@pytest.fixture(scope="module")
def hand_made(tmp_path_factory):
    """The site, committed at one moment."""
    site = SiteMaker(tmp_path_factory.mktemp("hand-made"))
    site.docs(PAGES)
    site.config()
    site.commit()
    return site


@pytest.fixture(scope="module")
def built(hand_made):
    return hand_made.build()


def test_the_whole_sitemap_is_what_the_owner_wrote_and_git_knows(built):
    """Each right value once; nothing of what is wrong."""
    assert built.xml() == SITEMAP


def test_every_wrong_value_is_one_whole_warning(built):
    """File, line, key, value, what is allowed, what was probably meant."""
    assert built.warnings == WARNINGS


def test_a_priority_of_another_tool_is_a_note(built):
    """It fails no strict build."""
    assert built.notes == [
        (
            "docs/ticket.md:2: priority is 'high', which is not a number from 0.0 to 1.0. "
            "It is ignored, because it may belong to another tool."
        )
    ]


def test_the_last_line_sums_the_build_up(built):
    """Files, URLs, dates and their sources, what is left out and why."""
    assert built.summary == (
        "sitemap.xml: 11 pages, 8 dated (git 6, front matter 2), "
        "3 undated (docs/short.md, docs/undated.md, docs/x&y.md); 1 left out (excluded)"
    )


def test_a_strict_build_fails_with_the_same_warnings(hand_made):
    """Exit code 1, all the warnings, MkDocs' own last line, and no traceback."""
    strict = hand_made.build("--strict", check=False)
    assert strict.returncode == 1
    assert strict.warnings == WARNINGS
    assert f"Aborted with {len(WARNINGS)} warnings in strict mode!" in strict.output
