"""The log of a build and the output of the command: what is shown, how often, and in which form."""

import os

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from quantity import at_length
from servers import Server
from sitemap_xml import read_entries, validate
from sites import CHANGEFREQS, MATERIAL, as_user, needs, own_lines, run_command

from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Level, Problem, log_lines

NO_GIT = "lastmod: {sources: [front_matter]}\n"
INJECTED = "a\n::error::b\x1b[31m"
"""A text that would begin a command to GitHub Actions, and colour a terminal."""
ESCAPED = r"a\n::error::b\x1b[31m"


def lines_of(site):
    """Return the plugin's own lines of a build, but for the summary."""
    return site.build().lines[:-1]


def lines_of_command(site):
    """Return the warnings and notes of the command about the same site, in the form of the log."""
    levels = {"Warning:": "WARNING", "Note:": "INFO"}
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0
    words = [line.partition(" ") for line in done.stderr.splitlines()]
    return [f"{levels[first]} {rest}" for first, _, rest in words if first in levels]


DOORS = pytest.mark.parametrize("lines_of", [lines_of, lines_of_command], ids=["build", "command"])


@DOORS
def test_of_a_kind_five_problems_are_shown_and_the_others_counted(site, lines_of):
    """Each kind for itself: one that is rare is not lost among many of another kind."""
    site.docs({f"p{number}.md": f"---\nchangefreq: {number}\n---\n# P\n" for number in range(8)})
    site.docs({"q.md": "---\nsitemap: {priority: 7}\n---\n# Q\n"})
    site.config(NO_GIT)
    site.build()
    assert lines_of(site) == [
        *(
            f"WARNING docs/p{number}.md:2: changefreq is {number}, but must be one of "
            f"{CHANGEFREQS}. No changefreq is written."
            for number in range(5)
        ),
        (
            "WARNING docs/q.md:2: sitemap.priority is 7, but must be a number from 0.0 to 1.0. "
            "No priority is written."
        ),
        "WARNING 3 more problems of this kind (changefreq).",
    ]


def test_notes_and_warnings_of_a_kind_are_counted_apart():
    """And what is there twice is shown once, and counted once."""
    notes = [Problem(code="x", found=f"note {number}", level=Level.INFO) for number in range(7)]
    warnings = [Problem(code="x", found=f"warning {number}") for number in range(MAX_OF_A_KIND)]
    assert list(log_lines([*notes, *warnings, *notes])) == [
        *((Level.INFO, f"note {number}.") for number in range(MAX_OF_A_KIND)),
        *((Level.WARNING, f"warning {number}.") for number in range(MAX_OF_A_KIND)),
        (Level.INFO, "2 more notes of this kind (x)."),
    ]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@DOORS
def test_the_name_of_a_page_can_not_write_a_line_of_its_own(site, lines_of):
    """Nor a command to a terminal: control characters are escaped."""
    site.docs({"index.md": "# Home\n", f"{INJECTED}.md": "---\nsitemap: {priority: 7}\n---\n# A\n"})
    site.config(NO_GIT)
    site.build()
    assert lines_of(site) == [
        (
            f"WARNING docs/{ESCAPED}.md:2: sitemap.priority is 7, but must be a number from 0.0 to "
            "1.0. No priority is written."
        )
    ]


def test_what_git_prints_is_escaped(site):
    """Here git quotes a value of the configuration; it escapes only some control characters."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    site.write({".git/config": '[core]\n\tbare = "no\\n::error::"\n'})
    built = site.build()
    assert [line for line in built.output.splitlines() if line.startswith("::")] == []
    site.write({".git/config": '[core]\n\tbare = "no\\t\u202eb"\n'})
    assert site.build().warnings == [
        (
            r"0 of 1 page has a date: git can't read the repository (fatal: bad "
            r"boolean config value 'no\t\u202eb' for 'core.bare'). Run `git fsck` in the "
            r"repository, "
            "or accept missing dates with `lastmod: {sources: [front_matter]}`."
        )
    ]


RAISES = f"def change(entry, page):\n    raise ValueError({INJECTED!r})\n"
RAISED = r"hook.py:2: change raised ValueError: a ::error::b\x1b[31m for docs/index.md."


def test_the_error_of_a_transform_can_not_write_a_line_of_its_own(site):
    """The build stops with one line, and so does the command."""
    site.docs({"index.md": "# Home\n"})
    site.config(f"{NO_GIT}transform: hook.py:change")
    site.write({"hook.py": RAISES})
    built = site.build(check=False)
    assert built.returncode == 1
    assert built.lines == [f"ERROR {RAISED}"]
    done = run_command("build", cwd=site.folder)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"Error: {RAISED}\n")


def check_own_sitemap(built, name="sitemap.xml"):
    """Check that the sitemap is ours, and that no line is about MkDocs' own."""
    assert "Template skipped" not in built.output
    assert "sitemap.xml'" not in built.output
    data = built.path(name).read_bytes()
    assert b"{%" not in data
    validate(data)


@pytest.mark.parametrize("theme", ["", MATERIAL], ids=["mkdocs", "material"])
def test_mkdocs_own_template_is_neither_rendered_nor_published(site, theme):
    """Without a line on an empty file; the theme has the template again after the build."""
    site.docs({"index.md": "# Home\n"})
    site.config(NO_GIT, theme=theme)
    with as_user(site.folder):
        config = load_config(str(site.folder / "mkdocs.yml"))
        before = set(config.theme.static_templates)
        assert "sitemap.xml" in before
        for _ in range(2):
            build(config)
            assert config.theme.static_templates == before
    check_own_sitemap(site.build())


def test_a_template_is_there_again_where_the_plugin_writes_nothing(site):
    """Without ``site_url`` MkDocs' own file is not written, and a second build does the same."""
    site.docs({"index.md": "# Home\n"})
    site.config(NO_GIT, site_url=None)
    config = load_config(str(site.folder / "mkdocs.yml"))
    before = set(config.theme.static_templates)
    for _ in range(2):
        build(config)
        assert config.theme.static_templates == before
        assert not (site.folder / "site" / "sitemap.xml").exists()


def test_with_another_name_there_is_no_sitemap_of_mkdocs(site):
    """Neither a rendered nor a raw one."""
    site.docs({"index.md": "# Home\n"})
    site.config(f"{NO_GIT}filename: map.xml")
    check_own_sitemap(site.build(), "map.xml")
    assert not (site.folder / "site" / "sitemap.xml").exists()


LANGUAGES = """\
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, name: en, default: true}
        - {locale: de, name: de}
        - {locale: fr, name: fr}
"""


@needs("mkdocs-static-i18n")
@pytest.mark.parametrize("theme", ["", MATERIAL], ids=["mkdocs", "material"])
def test_builds_inside_a_build_publish_no_template_either(site, theme):
    """mkdocs-static-i18n builds each language in the same process, with the same theme."""
    site.docs({"index.md": "# Home\n", "index.de.md": "# Start\n", "index.fr.md": "# Accueil\n"})
    site.config(NO_GIT, theme=theme, more=LANGUAGES)
    built = site.build()
    check_own_sitemap(built)
    locs = [entry["loc"] for entry in read_entries(built.path().read_bytes())]
    assert locs == [f"https://example.com/{each}" for each in ("", "de/", "fr/")]
    assert [*built.path("").glob("*/sitemap.xml*")] == []


OWN_TEMPLATE = (
    "overrides/sitemap.xml: this file is not published, because the plugin writes the sitemap. "
    "Delete it. Set values such as changefreq and priority as options of sitemap-plus."
)


def test_an_own_template_is_one_note_with_its_path(site):
    """It is not rendered any more, so it has no other line."""
    site.docs({"index.md": "# Home\n"})
    site.write({"overrides/sitemap.xml": "{{ mine }}"})
    site.config(NO_GIT, theme="theme: {name: mkdocs, custom_dir: overrides}\n")
    built = site.build()
    check_own_sitemap(built)
    assert built.notes == [OWN_TEMPLATE]
    assert built.output.count("overrides") == 1


@at_length
def test_serve_logs_a_mistake_again_that_was_corrected_and_came_back(site):
    """But not at each rebuild while it is there."""
    invalid, right = "---\nsitemap: {priority: 3}\n---\n# A\n", "# A\n"
    site.docs({"index.md": "# Home\n", "a.md": invalid})
    site.config(NO_GIT)
    server = Server(site.folder)
    try:
        server.wait_for("Serving on")
        for changed in ({"index.md": "# Home 2\n"}, {"a.md": right}, {"a.md": invalid}):
            site.docs(changed)
            server.wait_for("Documentation built")
    finally:
        output = server.stop()
    warning = (
        "WARNING docs/a.md:2: sitemap.priority is 3, but must be a number from 0.0 to 1.0. "
        "No priority is written."
    )
    summary = "INFO sitemap.xml: 2 pages, none dated (no date in front matter)"
    assert own_lines(output) == [warning, summary, warning]
