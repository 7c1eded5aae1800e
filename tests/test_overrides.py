"""What counts: front matter, then the last rule that sets the field, then the site-wide option."""

from datetime import UTC

import pytest
from sites import CHANGEFREQS, DATES, SiteMaker

from mkdocs_sitemap_plus.options.overrides import SITEMAP_KEYS, read_front_matter

OPTIONS = """\
changefreq: yearly
priority: 0.1
exclude: |
  hidden/
  !hidden/shown.md
rules:
  - match: "blog/"
    changefreq: monthly
    priority: 0.2
  - match: ["blog/new/", "/news.md"]
    priority: 0.3
  - match: |
      # lists of other pages
      index.md
      !/index.md
    lastmod: false
    exclude: false
  - match: "blog/secret.md"
    exclude: true
  - match: "blog/new/wrong.md"
    changefreq: never
  - match: "*.txt"
    priority: 0.9
"""
LASTMOD = {"lastmod": "2024-05-01T10:00:00+00:00"}

PAGES = {
    "index.md": ("", {"changefreq": "yearly", "priority": "0.1"} | LASTMOD),
    "blog/index.md": ("", {"changefreq": "monthly", "priority": "0.2"}),
    "blog/old.md": ("", {"changefreq": "monthly", "priority": "0.2"} | LASTMOD),
    "blog/new/a.md": ("", {"changefreq": "monthly", "priority": "0.3"} | LASTMOD),
    "news.md": ("", {"changefreq": "yearly", "priority": "0.3"} | LASTMOD),
    "sub/news.md": ("", {"changefreq": "yearly", "priority": "0.1"} | LASTMOD),
    "blog/new/short.md": (
        "changefreq: daily",
        {"changefreq": "daily", "priority": "0.3"} | LASTMOD,
    ),
    "blog/new/long.md": (
        "sitemap: {priority: 1}",
        {"changefreq": "monthly", "priority": "1.0"} | LASTMOD,
    ),
    "both.md": (
        "sitemap: {priority: 0.7}\npriority: 0.6\nchangefreq: hourly",
        {"changefreq": "hourly", "priority": "0.7"} | LASTMOD,
    ),
    "null.md": (
        "sitemap: {priority: null, changefreq: }\npriority: 0.6\nchangefreq:",
        {"changefreq": "yearly", "priority": "0.6"} | LASTMOD,
    ),
    "empty.md": ("sitemap:", {"changefreq": "yearly", "priority": "0.1"} | LASTMOD),
    "empty-mapping.md": ("sitemap: {}", {"changefreq": "yearly", "priority": "0.1"} | LASTMOD),
    "blog/new/wrong.md": ("priority: 7\nchangefreq: x", LASTMOD),
    "wrong-long.md": (
        "sitemap: {priority: 7}\npriority: 0.6",
        {"changefreq": "yearly"} | LASTMOD,
    ),
    "other-tool.md": (
        "priority: high",
        {"changefreq": "yearly", "priority": "0.1"} | LASTMOD,
    ),
    "hidden/a.md": ("", None),
    "hidden/index.md": ("", {"changefreq": "yearly", "priority": "0.1"}),
    "hidden/shown.md": ("", {"changefreq": "yearly", "priority": "0.1"} | LASTMOD),
    "hidden/back.md": ("sitemap: true", {"changefreq": "yearly", "priority": "0.1"} | LASTMOD),
    "hidden/back-too.md": (
        "sitemap: {exclude: false}",
        {"changefreq": "yearly", "priority": "0.1"} | LASTMOD,
    ),
    "hidden/mapping.md": ("sitemap: {priority: 0.5}", None),
    "hidden/wrong.md": (
        "sitemap: {exclude: maybe}",
        {"changefreq": "yearly", "priority": "0.1"} | LASTMOD,
    ),
    "blog/secret.md": ("", None),
    "out.md": ("sitemap: false", None),
    "out-too.md": ("sitemap: {exclude: true, priority: 1}", None),
    "out-in-text.md": ("sitemap: 'false'", None),
    "exclude-at-the-top.md": (
        "exclude: true\nsearch: {exclude: true}",
        {"changefreq": "yearly", "priority": "0.1"} | LASTMOD,
    ),
    "multimarkdown.md": (
        "MM", {"changefreq": "weekly", "priority": "0.4", "lastmod": "2024-01-02"}),
    "multimarkdown-out.md": ("MM sitemap: False", None),
}  # fmt: skip
MULTIMARKDOWN = "Priority: 0.4\nChangefreq: Weekly\nLastmod: 2024-01-02\n\n# Page\n"


def text_of(front_matter):
    if front_matter == "MM":
        return MULTIMARKDOWN
    if front_matter.startswith("MM "):
        return front_matter.removeprefix("MM ") + "\n\n# Page\n"
    return f"---\n{front_matter}\n---\n# Page\n" if front_matter else "# Page\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """One site with a page for each case."""
    site = SiteMaker(tmp_path_factory.mktemp("overrides"))
    site.docs({name: text_of(said) for name, (said, _) in PAGES.items()})
    site.config(OPTIONS)
    site.commit()
    return site.build()


@pytest.mark.parametrize(
    ("name", "fields"), [(name, fields) for name, (_, fields) in PAGES.items()], ids=PAGES
)
def test_the_strongest_voice_is_heard_on_each_field(built, name, fields):
    """Field by field; None stands for a page that is left out."""
    url = name.removesuffix(".md").removesuffix("index")
    assert built.by_loc().get(url + "/" if url and not url.endswith("/") else url) == fields


def test_only_wrong_values_are_reported(built):
    """One warning a page and field; not the weaker value, which has no effect."""
    priority = "is 7, but must be a number from 0.0 to 1.0. No priority is written."
    assert built.warnings == [
        f"docs/blog/new/wrong.md:2: priority {priority}",
        (
            f"docs/blog/new/wrong.md:3: changefreq is 'x', but must be one of {CHANGEFREQS}. "
            "No changefreq is written."
        ),
        (
            "docs/hidden/wrong.md:2: sitemap.exclude is 'maybe', but must be true or false. "
            "The page is listed, even if a rule or an option excludes it."
        ),
        f"docs/wrong-long.md:2: sitemap.priority {priority}",
    ]


def test_a_rule_that_matches_no_page_is_a_note(built):
    """Once, and no warning: pages come and go."""
    assert built.notes == [
        (
            "docs/other-tool.md:2: priority is 'high', which is not a number from 0.0 to 1.0. "
            "It is ignored, because it may belong to another tool."
        ),
        (
            "docs/exclude-at-the-top.md:2: exclude is true, but this plugin does not read that "
            "key. The page is listed. To leave it out, write `sitemap: false`."
        ),
        "mkdocs.yml:26: rules[5].match has '*.txt', which matches no page.",
    ]


@pytest.mark.parametrize(
    "front_matter",
    ["sitemap: true", "sitemap: {exclude: false}", "sitemap: {priority: 1.0}"],
)
def test_front_matter_never_lists_what_must_not_be_listed(site, front_matter):
    """Not a draft, not a noindex page, not one with another canonical."""
    site.docs(
        {
            "index.md": "# Home\n",
            "a.md": "# A\n",
            "b.md": "# B\n",
            "c.md": "# C\n",
            "draft.md": f"---\n{front_matter}\n---\n# Draft\n",
            "noindex.md": f"---\n{front_matter}\nrobots: noindex\n---\n# Noindex\n",
            "other.md": f"---\n{front_matter}\ncanonical: /elsewhere/\n---\n# Other\n",
        }
    )
    site.write(
        {
            "theme/main.html": "<head>{% if page.meta.robots %}"
            '<meta name="robots" content="{{ page.meta.robots }}">{% endif %}'
            '{% if page.meta.canonical %}<link rel="canonical" href="{{ page.meta.canonical }}">'
            "{% endif %}</head>{{ page.content }}"
        }
    )
    site.config(
        theme="theme: {name: null, custom_dir: theme}\n",
        more="draft_docs: draft.md\n",
    )
    built = site.build()
    assert built.locs() == ["", "a/", "b/", "c/"]
    assert built.warnings == []


@pytest.mark.parametrize("field", SITEMAP_KEYS)
def test_the_warning_of_an_invalid_value_says_what_happens(field):
    """For each field."""
    _, problems = read_front_matter({"sitemap": {field: 3.5}}, "index.md", {}, UTC, ())
    assert [problem.place.key for problem in problems if problem.done] == [f"sitemap.{field}"]


def test_yaml_reads_no_as_a_boolean_and_the_warning_says_so(site):
    """For a key that was meant as a word; no value of changefreq is such a word."""
    site.docs({"index.md": "---\nsitemap:\n  no: 1\n  changefreq: yes\n---\n"})
    site.config()
    assert site.build().warnings == [
        (
            "docs/index.md:2: sitemap.false is not a known key. It is ignored. Put it in "
            "quotes: YAML reads the words yes, no, on and off as true and false."
        ),
        (
            f"docs/index.md:4: sitemap.changefreq is true, but must be one of {CHANGEFREQS}. "
            "No changefreq is written."
        ),
    ]


@pytest.mark.parametrize("key", ["1", "2026-11-20", "~"])
def test_a_key_that_is_no_word_gets_no_advice_about_words(site, key):
    """YAML reads it as a number, a date or nothing, and quotes would not make it a known key."""
    site.docs({"index.md": f"---\nsitemap: {{{key}: x}}\n---\n"})
    site.config()
    [warning] = site.build().warnings
    assert warning.endswith("alternates, depends). It is ignored.")


def test_a_key_of_odd_characters_is_reported_in_one_line(site):
    """No text of a page commands a terminal, or begins a line of its own."""
    site.docs({"index.md": '---\nsitemap: {"a\\nb\\e[31m": 5, "": 6}\n---\n'})
    site.config()
    reported = [line.partition(" is not ")[0] for line in site.build().warnings]
    assert reported == ["docs/index.md:2: sitemap.'a\\nb\\x1b[31m'", "docs/index.md:2: sitemap.''"]


NO_MAPPING = {
    "date.md": ("2024-01-01", "2024-01-01"),
    "empty-list.md": ("[]", "[]"),
    "empty-text.md": ("''", "''"),
    "list.md": ("[a, b]", "['a', 'b']"),
    "number.md": ("3", "3"),
    "word.md": ("daily", "'daily'"),
}


@pytest.mark.parametrize("names", [sorted(NO_MAPPING)[:3], sorted(NO_MAPPING)[3:]], ids=str)
def test_a_sitemap_key_that_is_no_mapping_is_a_warning(site, names):
    """The page is listed all the same, with nothing of it."""
    site.docs({name: f"---\nsitemap: {NO_MAPPING[name][0]}\n---\n" for name in names})
    site.config("lastmod: {sources: []}")
    built = site.build()
    assert built.warnings == [
        f"docs/{name}:2: sitemap is {NO_MAPPING[name][1]}, but must be true, false or a mapping of "
        "changefreq, priority, lastmod, exclude, images, videos, alternates, depends. "
        "It is ignored."
        for name in names
    ]
    assert built.by_loc() == {f"{name.removesuffix('.md')}/": {} for name in names}


def test_lastmod_may_stand_at_the_top_of_front_matter_or_under_a_dotted_key(site):
    """``sitemap.lastmod``, then the keys of the option, in their order."""
    site.docs(
        {
            "long.md": "---\nlastmod: 2024-01-02\nsitemap: {lastmod: 2024-01-01}\n---\n",
            "first.md": "---\nlast_modified_at: 2024-01-03\nlastmod: 2024-01-02\n---\n",
            "second.md": "---\ndate: {updated: 2024-01-04}\nlast_modified_at: 2024-01-03\n---\n",
            "third.md": "---\ndate: {created: 2023-01-01, updated: 2024-01-04}\n---\n",
            "scalar.md": "---\ndate: 2024-01-05\n---\n",
            "null.md": "---\nlastmod:\ndate: {updated: 2024-01-04}\n---\n",
            "wrong.md": "---\nlastmod: soon\nlast_modified_at: 2024-01-03\n---\n",
            "undated.md": "---\nlastmod: false\nlast_modified_at: 2024-01-03\n---\n",
        }
    )
    site.config()
    assert {loc: entry.get("lastmod") for loc, entry in site.build().by_loc().items()} == {
        "first/": "2024-01-02",
        "long/": "2024-01-01",
        "null/": "2024-01-04",
        "scalar/": None,
        "second/": "2024-01-03",
        "third/": "2024-01-04",
        "undated/": None,
        "wrong/": None,
    }


def test_the_owner_chooses_the_keys_of_lastmod(site):
    """Only those, and any depth; a key that is not named is some other tool's."""
    site.docs(
        {
            "a.md": "---\nmeta: {dates: {changed: 2024-01-01}}\nlastmod: 2020-01-01\n---\n",
            "b.md": "---\nrevised: 2024-01-02T03:04:05Z\n---\n",
            "c.md": "---\nlastmod: nonsense\n---\n",
        }
    )
    keys = "front_matter_keys: [revised, meta.dates.changed]"
    site.config(f"lastmod: {{sources: [front_matter], {keys}}}")
    built = site.build()
    assert built.by_loc() == {
        "a/": {"lastmod": "2024-01-01"},
        "b/": {"lastmod": "2024-01-02T03:04:05+00:00"},
        "c/": {},
    }
    assert built.warnings == []


def test_the_owner_may_choose_a_key_and_a_key_inside_it(site):
    """As for pages with one date, and posts of a blog with several. The mapping is not a date."""
    pages = {
        "page.md": "date: 2024-01-01",
        "post.md": "date: {created: 2024-01-02}",
        "updated.md": "date: {created: 2024-01-03, updated: 2024-01-04}",
        "other.md": "date: {moved: 2024-01-05}",
        "list.md": "date: [2024-01-06]",
    }
    site.docs({name: f"---\n{date}\n---\n" for name, date in pages.items()})
    keys = "front_matter_keys: [date.updated, date, date.created]"
    site.config(f"lastmod: {{sources: [front_matter], {keys}}}")
    built = site.build()
    assert built.days() == {
        "list/": None,
        "other/": None,
        "page/": "2024-01-01",
        "post/": "2024-01-02",
        "updated/": "2024-01-04",
    }
    assert built.warnings == [
        (f"docs/list.md:2: date is [2024-01-06], but must be {DATES}. No lastmod is written.")
    ]
