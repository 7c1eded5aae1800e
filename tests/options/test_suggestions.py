"""Options in the wrong place: the message names the place where they belong."""

import pytest
from decided import decided, page, settings, site_of
from readers import nearest_option
from sites import run_command

from mkdocs_sitemap_plus.options.table import read_options
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text


def notes(front_matter):
    """What is said of a page with this front matter."""
    read = read_front_matter_text(f"---\ntitle: T\n{front_matter}\n---\n# Home\n")
    return decided(site_of(page("a", meta=read.meta, lines=read.lines)), settings())[1]


@pytest.mark.parametrize(
    ("name", "suggestion"),
    {
        "timezone": "timezone under lastmod",
        "shallow": "shallow under git under lastmod",
        "lastmod.format": "format under lastmod",
        "lastmod_default": None,
        "Priority": "priority",
        "exlude": "exclude",
        "ignore-authors": "ignore_authors under git under lastmod",
        "front_matter_key": "front_matter_keys under lastmod",
        "noindex": "exclude",
        "ignored_commits_file": "ignore_revs_file under git under lastmod",
        "theme": None,
    }.items(),
)
def test_the_nearest_option_is_found_wherever_it_is_nested(name, suggestion):
    """At the top level of the plugin's options."""
    assert nearest_option(name) == suggestion


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ({"include": "index.md"},
         ("To leave pages out, use `exclude`. To list only one folder, write "
         "`exclude: ['/*', '!/folder/']`.")),
        ({"robots": True}, "Did you mean 'robots_txt'?"),
        ({"rules": [{"match": "a", "include": False, "priority": 1}]},
         "To leave pages out, use `exclude`."),
    ],
)  # fmt: skip
def test_no_suggestion_is_the_opposite_of_an_option(options, fix):
    """`include: false`, with `exclude` in the place of `include`, would list the page."""
    (problem,) = read_options(options).unknown
    assert str(problem).endswith(f"is not a known key. It is ignored. {fix}")


@pytest.mark.parametrize(
    ("front_matter", "fix"),
    [
        ("sitemap: {listed: false}", "To leave the page out, write `sitemap: false`."),
        ("sitemap: {noindex: true}", "Did you mean 'exclude'?"),
    ],
)
def test_no_suggestion_is_the_opposite_of_front_matter(front_matter, fix):
    """The same for a page."""
    (line,) = notes(front_matter)
    assert line.endswith(f"is not a known key. It is ignored. {fix}")


@pytest.mark.parametrize(
    ("key", "suggestion"),
    {
        "Sitemap": "sitemap",
        "no_sitemap": "sitemap",
        "sitemap.exclude": "sitemap",
        "sitemap-plus": "sitemap",
        "site_map": "sitemap",
        "changeFreq": "changefreq",
        "Priority": "priority",
        "prioriti": "priority",
        "last-modified-at": "last_modified_at",
        "Date": None,
        "priorities": None,
    }.items(),
)
def test_a_slip_in_a_key_of_front_matter_is_named(key, suggestion):
    """`sitemap: true` is not suggested in the place of `no_sitemap: true`."""
    fix = f"Did you mean {suggestion!r}?"
    if suggestion == "sitemap":
        fix = "To leave the page out, write `sitemap: false`; other values go under `sitemap:`."
    expected = f"docs/a.md:3: {key} is not a key that this plugin reads. It is ignored. {fix}"
    assert notes(f"{key}: yes") == ([expected] if suggestion else [])


def test_both_doors_report_slips_as_notes(site):
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


def test_of_many_slips_five_are_shown_and_the_others_are_counted(site):
    """A site with the same mistake on each page has a log that can be read."""
    site.docs({f"p{number}.md": "---\nSitemap: false\n---\n# P\n" for number in range(8)})
    site.config("lastmod: {sources: [front_matter]}")
    notes = site.build().notes
    assert len(notes) == 6
    assert notes[-1] == "3 more notes of this kind (near-miss)."


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


def test_dates_under_keys_of_other_tools_are_named_once_a_build(site):
    """With the option that reads them, which is right as it stands there."""
    pages = {f"{name}.md": f"---\nupdated: 2024-01-0{name}\n---\n# P\n" for name in "12"}
    site.docs({"index.md": "---\nupdated: soon\n---\n# Home\n", **pages})
    site.config("lastmod: {sources: [front_matter]}")
    option = "front_matter_keys: [lastmod, last_modified_at, date.updated, updated]"
    assert site.build("--strict").notes == [
        f"2 pages have the key `updated`, which is not read. To use it: `lastmod: {{{option}}}`."
    ]
    site.config(f"lastmod: {{sources: [front_matter], {option}}}")
    built = site.build()
    assert built.notes == []
    assert built.by_loc()["1/"] == {"lastmod": "2024-01-01"}


def test_options_of_the_plugin_before_lead_to_the_page_on_migration():
    """Its `exclude` gave pages no date, and here it leaves them out, such as the home page."""
    raw = {"type": "date", "fallback_to_build_date": True, "exclude": ["index.md"]}
    page = "https://mkdocs-sitemap-plus.readthedocs.io/page/get-started/migrate/"
    of_other = (
        f"It is an option of git-revision-date-localized: {page}#from-git-revision-date-localized"
    )
    assert [str(each) for each in read_options(raw).unknown] == [
        f"mkdocs.yml: type is not a known key. It is ignored. {of_other}",
        f"mkdocs.yml: fallback_to_build_date is not a known key. It is ignored. {of_other}",
        (
            "mkdocs.yml: exclude leaves pages out of the sitemap, but only out of the dates in the "
            "other plugin. Pages without a date are listed by `rules: [{match: \u2026, "
            "lastmod: false}]`."
        ),
    ]
    right = {"rules": [{"match": "index.md", "lastmod": False}]}
    assert read_options(right).unknown == ()


@pytest.mark.parametrize(
    ("options", "suggestion"),
    [
        ({"date": "commit"}, "'date' under 'git' under 'lastmod'"),
        ({"ignored_commits": "x"}, "'ignore_revs_file' under 'git' under 'lastmod'"),
        ({"lastmod": {"git": {"ignored_commits": "x"}}}, "'ignore_revs_file'"),
        ({"ignore": "/a/"}, "'exclude'"),
        ({"pages": "/a/"}, None),
    ],
)
def test_a_name_of_another_tool_is_no_slip(options, suggestion):
    """It means what it means there, or nothing here."""
    (problem,) = read_options(options).unknown
    assert problem.suggestion == suggestion
