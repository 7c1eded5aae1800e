"""A pattern of ``exclude`` that matches nothing is a warning: what it meant would be listed."""

import os
from pathlib import Path

import pytest
from commands import run
from decided import decided, page, settings, site_of

PAGES = dict.fromkeys(
    ("index.md", "guide/a.md", "internal/a.md", "internal/b.md", "c++/(old)/z.md"), "# Page\n"
)
RULE = "Patterns are paths below docs/ as in .gitignore, no URLs and no regular expressions."
MATCH_NOTHING = [
    *("^internal/.*", "intrenal/", "{internal,guide}/", "internal\\*", "docs/internal/"),
    *("https://web.example/internal/", "/internal/a/", "(internal|api)/", "/gone/"),
]
MATCH = [
    "internal/",
    "**/b.md",
    "/internal/*.md",
    "/c++/",
    "/c++/(old)/",
    "internal/ ",
    "[hi]nternal/",
]


@pytest.mark.parametrize("pattern", MATCH_NOTHING)
def test_a_pattern_of_exclude_that_matches_nothing_fails_a_strict_build(site, pattern):
    """Whatever its author meant by it, the pages are listed; in a rule as in the option."""
    site.docs(PAGES)
    for options, key in (
        (f"exclude: ['{pattern}']", "mkdocs.yml:5: exclude"),
        (f"rules: [{{match: '{pattern}', exclude: true}}]", "mkdocs.yml:5: rules[0].match"),
    ):
        site.config(options)
        built = site.build("--strict", check=False)
        assert built.returncode == 1
        said = pattern.replace("\\", "\\\\")
        assert built.warnings == [f"{key} has '{said}', which matches nothing in docs/. {RULE}"]
        code, _, err = run("build", "-f", site.folder / "mkdocs.yml", "--strict")
        assert (code, err.count(RULE)) == (1, 1)


@pytest.mark.parametrize("pattern", MATCH)
def test_a_pattern_that_matches_a_page_is_said_by_the_summary_alone(site, pattern):
    """And leaves it out; `c++` and `(old)` are names."""
    site.docs(PAGES)
    site.config(f"exclude: ['{pattern}']")
    built = site.build("--strict", check=False)
    assert (built.returncode, built.notes) == (0, [])


def test_a_pattern_may_match_any_file_of_the_docs_folder(site):
    """Drafts, what `exclude_docs` names, and HTML that is no page: the pattern is no mistake."""
    site.docs({**PAGES, "theme/announce.html": "", "old/a.md": "# A\n", "draft.md": "# D\n"})
    config = "exclude: [/theme/announce.html, /old/, /draft.md]"
    site.config(config, more="exclude_docs: /old/\ndraft_docs: /draft.md\n")
    assert site.build("--strict").notes == []
    assert run("build", "-f", site.folder / "mkdocs.yml", "--strict")[0] == 0


def test_a_pattern_that_matches_only_files_beside_a_page_is_a_note(site):
    """Images of a page often lie in a folder with its name; the page itself is listed."""
    site.docs({**PAGES, "plans.md": "# Plans\n", "plans/roof.png": ""})
    site.config("exclude: /plans/")
    note = "mkdocs.yml:5: exclude has '/plans/', which matches files in docs/, but no page."
    assert site.build("--strict").notes == [note]
    assert f"Note: {note}" in run("build", "-f", site.folder / "mkdocs.yml", "--strict")[2]


@pytest.mark.skipif(os.name == "nt", reason="Windows needs a right to make links")
def test_a_file_behind_a_link_to_a_folder_counts(site):
    """As MkDocs follows it; a link to a folder above itself has an end."""
    site.docs(PAGES)
    site.write({"elsewhere/x.txt": "x"})
    (site.folder / "docs" / "linked").symlink_to(site.folder / "elsewhere")
    site.config("exclude: [/linked/*.txt, /nothing/]")
    (warning,) = site.build("--strict", check=False).warnings
    assert "'/nothing/'" in warning


def test_patterns_that_only_bring_back_leave_out_nothing():
    """Who wrote one may have meant the opposite. Comments alone are a note."""
    pages = page("index"), page("internal/a")
    for patterns, said in {
        "!/internal/": "has only patterns that begin with `!`, such as '!/internal/'. It leaves "
        "out nothing. They bring pages back: to leave out all others, write '/*' before them.",
        "# /internal/": "has only comments. It leaves out nothing.",
    }.items():
        entries, problems = decided(site_of(*pages), settings(exclude=patterns))
        assert problems == [f"mkdocs.yml: exclude {said}"]
        assert len(entries) == 2


def test_the_levels_of_what_leaves_out_nothing(site):
    """Only the pattern with `!` warns."""
    site.docs(PAGES)
    for options, code in {
        "exclude: ['!/guide/']": 1,
        'exclude: "# /guide/"': 0,
        "exclude: [/guide/, '!/gone.md']": 0,
    }.items():
        site.config(options)
        assert (site.build("--strict", check=False).returncode, options) == (code, options)


def test_a_pattern_of_other_options_that_matches_nothing_is_a_note(site):
    """The pages are listed as they should be; only a value is missing. A strict build passes."""
    site.docs(PAGES)
    site.config("rules: [{match: /a/, priority: 0.5}]\nextra_files: '*.pdf'")
    built = site.build("--strict", check=False)
    assert (built.returncode, built.notes) == (
        0,
        [
            "mkdocs.yml:6: extra_files has '*.pdf', which matches no file of the built site.",
            "mkdocs.yml:5: rules[0].match has '/a/', which matches no page.",
        ],
    )


def test_patterns_of_a_shared_file_are_one_note(site):
    """It serves many sites. The same patterns in the file of the site are warnings."""
    site.docs(PAGES)
    site.config("exclude: [/drafts/, /internals/, ^tests/.*, /guide/]")
    assert len(site.build().warnings) == 3
    own = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"shared/base.yml": own, "mkdocs.yml": "INHERIT: shared/base.yml\n"})
    built = site.build("--strict", check=False)
    assert (built.returncode, built.notes) == (
        0,
        [
            (
                "shared/base.yml:5: exclude has '/drafts/', which matches nothing in docs/, like "
                "'/internals/', '^tests/.*'. Other sites may need what matches nothing here: then "
                "it can stay as it is."
            )
        ],
    )
    code, _, err = run("build", "-f", site.folder / "mkdocs.yml", "--strict")
    assert (code, err.count("base.yml")) == (0, 1)
    # What the site itself sets replaces what it inherits.
    site.write({"mkdocs.yml": f"{own}\nINHERIT: shared/base.yml\n"})
    assert [each[:13] for each in site.build().warnings] == ["mkdocs.yml:5:"] * 3


def test_exclude_of_the_command_says_the_same(tmp_path, monkeypatch):
    """There, the paths are those of the built files."""
    monkeypatch.chdir(tmp_path)
    for name in ("index.html", "internal/a/index.html"):
        Path("public", name).parent.mkdir(parents=True, exist_ok=True)
        Path("public", name).write_text("<!DOCTYPE html><title>T</title><p>Text</p>")
    build = ("build", "public", "--site-url", "https://lighthouse.example/")
    for pattern in ("^internal/.*", "/public/internal/", "internal/*.md"):
        rule = "Patterns are paths below public/ as in .gitignore, no URLs and no regular "
        said = f"Warning: --exclude has '{pattern}', which matches nothing in public/. {rule}"
        assert said in run(*build, "--exclude", pattern)[2]
    Path("public/internal/x.css").write_text("")
    note = "Note: --exclude has '*.css', which matches files in public/, but no page."
    assert note in run(*build, "--exclude", "*.css")[2]
    assert "--exclude" not in run(*build, "--exclude", "internal/")[2]
