"""Options in the wrong place: the message names the place where they belong."""

import pytest
from quantity import at_length
from readers import nearest_option
from sites import SiteMaker, run_command


@pytest.mark.parametrize(
    ("name", "suggestion"),
    {
        "timezone": "lastmod.timezone",
        "shallow": "lastmod.git.shallow",
        "git_date": "lastmod.git.date",
        "Priority": "priority",
        "exlude": "exclude",
        "ignore-authors": "lastmod.git.ignore_authors",
        "front_matter_key": "lastmod.front_matter_keys",
        "frequency": "changefreq",
        "noindex": "exclude",
        "ignored_commits_file": "lastmod.git.ignore_revs_file",
        "theme": None,
        "x": None,
    }.items(),
)
def test_the_nearest_option_is_found_wherever_it_is_nested(name, suggestion):
    """At the top level of the plugin's options."""
    assert nearest_option(name) == suggestion


@at_length
def test_misplaced_options_are_reported_in_the_order_of_the_file_with_their_place(site):
    """MkDocs itself keeps unknown names in a set, whose order changes from run to run."""
    site.docs({"index.md": "# Home\n"})
    site.config("timezone: UTC\nshallow: error\ngit_date: author\nlastmod: {sources: []}")
    outputs = {site.build(program="mkdocs", PYTHONHASHSEED=str(seed)).output for seed in range(2)}
    lines = {
        tuple(line for line in output.splitlines() if "a known key" in line) for output in outputs
    }
    (found,) = lines
    unknown = "is not a known key. It is ignored."
    assert [line.partition("': ")[2].partition("': ")[2] for line in found] == [
        f"mkdocs.yml:5: timezone {unknown} Did you mean 'lastmod.timezone'?",
        f"mkdocs.yml:6: shallow {unknown} Did you mean 'lastmod.git.shallow'?",
        f"mkdocs.yml:7: git_date {unknown} Did you mean 'lastmod.git.date'?",
    ]


@pytest.mark.parametrize(
    ("options", "front_matter", "fix"),
    [
        ("include: index.md", "", "To leave pages out, use `exclude`."),
        ("robots: true", "", "Did you mean 'robots_txt'?"),
        (
            "rules: [{match: index.md, include: false, priority: 0.5}]",
            "",
            "To leave pages out, use `exclude`.",
        ),
        ("", "sitemap: {include: false}", "To leave the page out, write `sitemap: false`."),
        ("", "sitemap: {listed: false}", "To leave the page out, write `sitemap: false`."),
        ("", "sitemap: {noindex: true}", "Did you mean 'exclude'?"),
    ],
)
def test_no_suggestion_is_the_opposite_of_what_is_written(site, options, front_matter, fix):
    """`include: false`, with `exclude` in the place of `include`, would list the page."""
    site.docs({"index.md": f"---\n{front_matter}\n---\n# Home\n"})
    site.config(f"lastmod: {{sources: []}}\n{options}")
    (line,) = [line for line in site.build().output.splitlines() if "a known key" in line]
    assert line.endswith(f"is not a known key. It is ignored. {fix}")


def test_who_wants_no_dates_learns_how(site):
    """`lastmod: false` is a likely guess."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: false")
    built = site.build(check=False)
    assert built.returncode == 1
    assert (
        "mkdocs.yml:5: lastmod is false, but must be a mapping of sources, file, format, timezone, "
        "front_matter_keys, git, includes. To write no dates, use `lastmod: {sources: []}`."
    ) in built.output


@pytest.mark.parametrize(
    ("key", "suggestion"),
    {
        "Sitemap": "sitemap",
        "site_map": "sitemap",
        "change_freq": "changefreq",
        "changeFreq": "changefreq",
        "Priority": "priority",
        "prioriti": "priority",
        "last_mod": "lastmod",
        "last-modified-at": "last_modified_at",
        "Date": None,
        "sitemaps_of_us": None,
        "tags": None,
        "priorities": None,
        "exclude": None,
        "noindex": None,
    }.items(),
)
def test_a_slip_in_a_key_of_front_matter_is_an_information(site, key, suggestion):
    """It fails no strict build, since the key may be another tool's."""
    site.docs({"index.md": f"---\ntitle: T\n{key}: no\n---\n# Home\n"})
    site.config("lastmod: {sources: [front_matter]}")
    done = "It does not leave the page out." if suggestion == "sitemap" else "It is ignored."
    expected = (
        f"docs/index.md:3: {key} is not a key that this plugin reads. {done} "
        f"Did you mean {suggestion!r}?"
    )
    plugin = site.build("--strict").notes
    assert plugin == ([expected] if suggestion else [])
    notes = run_command("build", cwd=site.folder).stderr.splitlines()
    assert notes == [f"Note: {line}" for line in plugin]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("noindex: true", "noindex is true"),
        ("exclude: true", "exclude is true"),
        ("sitemap_exclude: yes", "sitemap_exclude is true"),
        ("no_index: 'true'", "no_index is 'true'"),
        ("robots: noindex, nofollow", "robots is 'noindex, nofollow'"),
        ("robots: NONE", "robots is 'NONE'"),
    ],
)
def test_a_key_that_leaves_a_page_out_elsewhere_is_an_information(site, said, shown):
    """By both doors: the page is listed, though its owner may have meant to leave it out."""
    site.docs({"index.md": f"---\ntitle: T\n{said}\n---\n# Home\n"})
    site.config("lastmod: {sources: [front_matter]}")
    expected = (
        f"docs/index.md:3: {shown}, but this plugin does not read that key. The page is listed. "
        "To leave it out, write `sitemap: false`."
    )
    assert site.build("--strict").notes == [expected]
    assert run_command("build", cwd=site.folder).stderr == f"Note: {expected}\n"


@pytest.mark.parametrize(
    "said",
    [
        "noindex: false",
        "exclude: [a, b]",
        "robots: index, max-image-preview:none",
        "noindex: true\nsitemap: false",
        "draft: false",
        "draft: true\nsitemap: false",
    ],
)
def test_a_key_that_leaves_nothing_out_or_a_page_that_is_not_listed_needs_no_word(site, said):
    """The key means the opposite, is another tool's, or has what it asks for."""
    site.docs({"index.md": "# Home\n", "a.md": f"---\n{said}\n---\n# A\n"})
    site.config("lastmod: {sources: [front_matter]}")
    assert site.build("--strict").notes == []


def test_a_draft_that_mkdocs_publishes_is_an_information(site):
    """Other generators would not publish the page at all."""
    site.docs({"index.md": "---\ndraft: true\n---\n# Home\n"})
    site.config("lastmod: {sources: [front_matter]}")
    assert site.build("--strict").notes == [
        (
            "docs/index.md:2: draft is true, but MkDocs does not read that key. The page is "
            "published and listed. To keep it unpublished, use draft_docs in mkdocs.yml. To leave "
            "it out of the sitemap only, write `sitemap: false`."
        )
    ]


def test_a_dotted_key_is_reported_as_it_is_written(site):
    """As in the names of options."""
    site.docs({"index.md": "---\nsitemap.exclude: true\n---\n# Home\n"})
    site.config("lastmod: {sources: [front_matter]}")
    assert site.build("--strict").notes == [
        (
            "docs/index.md:2: sitemap.exclude is not a key that this plugin reads. It is ignored. "
            "Did you mean 'sitemap'?"
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


def test_the_warnings_of_a_build_that_stops_are_not_those_of_the_next_build(tmp_path):
    """MkDocs keeps them in the class of its settings, which the tests of one process share."""
    for folder, options in (("stops", "priority: 7\ncolours: x"), ("next", "priority: 1")):
        site = SiteMaker(tmp_path / folder)
        site.docs({"index.md": "# Home\n"})
        site.config(options)
        built = site.build(check=False)
    assert built.returncode == 0
    assert "Config value" not in built.output


def test_an_unknown_option_is_reported_with_its_line(site):
    """By both doors."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod:\n  sources: []\n  timezon: UTC")
    expected = (
        "mkdocs.yml:7: lastmod.timezon is not a known key. It is ignored. "
        "Did you mean 'lastmod.timezone'?"
    )
    assert expected in site.build().output
    assert run_command("build", cwd=site.folder).stderr == f"Warning: {expected}\n"


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
