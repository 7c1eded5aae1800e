"""A pattern that matches nothing is named: what it meant would stay as it is in silence."""

import json
import re
from pathlib import Path

import pytest
import yaml
from commands import run
from decided import URL, decided, page, settings, site_of
from quantity import at_length, one_in

PAGES = (
    "index.md",
    "install.md",
    "guide/index.md",
    "guide/alerts.md",
    "guide/in/x.md",
    "internal/a.md",
    "internal/b.md",
    "api/y.md",
)
RULE = "Patterns are paths in docs/ as in .gitignore, no URLs and no regular expressions."
INSTALL, ALERTS, INTERNAL = ["/install.md"], ["/guide/alerts.md"], ["/internal/"]
BOTH = ["/internal/", "/api/"]
MEANT = {
    # URLs, and paths that begin elsewhere
    "/install/": INSTALL,
    "install/*": INSTALL,
    "install.html": INSTALL,
    "https://web.example/docs/install/": INSTALL,
    "http://web.example/docs/install/": INSTALL,
    "/docs/install/": INSTALL,
    "docs/install.md": INSTALL,
    "/site/install.html": INSTALL,
    "https://web.example/docs/": ["/index.md"],
    "/": ["/index.md"],
    "/guide/alerts/": ALERTS,
    "guide/alerts.html": ALERTS,
    "./internal/": INTERNAL,
    "../docs/internal": INTERNAL,
    "docs/internal/**": INTERNAL,
    "https://web.example/docs/internal/": INTERNAL,
    "/en/internal/": INTERNAL,
    "/latest/internal/*": INTERNAL,
    # slips
    "install": INSTALL,
    "Install": INSTALL,
    "/isntall.md": INSTALL,
    "/guide/alrets.md": ALERTS,
    "alerts": ALERTS,
    "/gide/": ["/guide/"],
    "/Guide/In/": ["/guide/in/"],
    "Internal/*": INTERNAL,
    "INTERNAL": INTERNAL,
    "intern": INTERNAL,
    "internal.md": INTERNAL,
    "internal /": INTERNAL,
    "~internal/": INTERNAL,
    # regular expressions
    "^internal/.*": INTERNAL,
    "^internal": INTERNAL,
    "^/internal": INTERNAL,
    "^internal/": INTERNAL,
    "^internal/.*$": INTERNAL,
    "internal/.*": INTERNAL,
    "internal/.+": INTERNAL,
    "internal/$": INTERNAL,
    "/internal/?": INTERNAL,
    "internal/.*\\.md$": INTERNAL,
    "internal/[a-z]+": INTERNAL,
    "internal/[^/]+/?$": INTERNAL,
    "internal/\\w+": INTERNAL,
    "^internal/(?!public).*": INTERNAL,
    "(?i)^internal/": INTERNAL,
    "re:^internal": INTERNAL,
    "regex:internal/.*": INTERNAL,
    "^install\\.md$": INSTALL,
    "^guide/alerts\\.md$": ALERTS,
    "guide/al.*\\.md": ["/guide/al*.md"],
    ".*internal.*": ["internal/"],
    "^.*/in/.*": ["in/"],
    # several in one line
    "(internal|api)/.*": BOTH,
    "^(internal|api)/": BOTH,
    "(?:internal|api)/": BOTH,
    "{internal,api}/**": BOTH,
    "{internal, api}": BOTH,
    "[internal/; api/]": BOTH,
    "[internal/, api/]": BOTH,
    "internal/|api/": BOTH,
    "internal/; api/": BOTH,
    "internal/, api/": BOTH,
    "internal/ api/": BOTH,
    "internal/;": INTERNAL,
    "(internal|gone)/.*": INTERNAL,
    "index.md, install.md": ["/index.md", "/install.md"],
    "install.md,/index.md": ["/install.md", "/index.md"],
    # globs of built files, comments, quotes, paths of Windows
    "internal/*.html": INTERNAL,
    "**/internal/**/*.html": ["internal/"],
    "/internal/**/index.html": INTERNAL,
    "**/*.html": ["**/*.md"],
    "internal/  # secret": INTERNAL,
    '"internal/"': INTERNAL,
    "'internal/'": INTERNAL,
    "`internal/`": INTERNAL,
    "internal\\*": INTERNAL,
    "docs\\internal\\*": INTERNAL,
    "guide\\alerts.md": ALERTS,
}
IN_OTHER_LANGUAGES = [
    "^gone/.*",
    "(gone|v1).md",
    "^guide/old/.*",
    "gone/*.html",
    "{gone,v1}/",
    "gone/  # old",
    "gone/; v1/",
    "gone\\.md",
]
NOT_MEANT = [
    "/v1.md",
    "/gone/",
    "/nope/*",
    "/guide/old/",
    "/api/*/*",
    "/guide/in/*/",
    "/gone/*.md",
    "https://example.org/install/",
]
SITE = "https://web.example/docs/"


def excluding(pattern, *, rule=False, pages=PAGES):
    """The problems, and the pages that are listed, with a pattern of the option or of a rule.

    The name of the docs folder is also in the URL of the site.
    """
    said = {"rules": [{"match": pattern, "exclude": True}]} if rule else {"exclude": pattern}
    made = (page(name.removesuffix(".md")) for name in pages)
    made = (each._replace(loc=each.loc.replace(URL, SITE)) for each in made)
    site = site_of(*(each._replace(loc=each.loc.removesuffix("index/")) for each in made), url=SITE)
    entries, problems = decided(site, settings(**said))
    return problems, [*entries]


def suggested(problem):
    """What a message suggests, as YAML reads it."""
    return yaml.safe_load(re.search(r"Did you mean (.+?)\? ", f"{problem} ")[1])


@one_in(4)
@pytest.mark.parametrize(("pattern", "meant"), MEANT.items(), ids=MEANT)
def test_a_pattern_that_should_leave_out_a_listed_page_is_a_warning(pattern, meant):
    """What it suggests leaves out what was meant, and nothing is said any more."""
    everything = excluding([])[1]
    for rule, key in ((False, "exclude"), (True, "rules[0].match")):
        (problem,), listed = excluding(pattern, rule=rule)
        assert problem.startswith(f"mkdocs.yml: {key} has {pattern!r}, which matches no page. ")
        assert problem.endswith(f"? {RULE}")
        assert " listed. Did you mean " in problem
        assert listed == everything
        right = suggested(problem)
        assert right == (meant if len(meant) > 1 else meant[0])
        for copied in (right, [right], ["!/nothing.md", right]):
            problems, listed = excluding(copied, rule=rule)
            assert [each for each in problems if "nothing.md" not in each] == []
            assert set(listed) < set(everything)


def test_what_is_suggested_for_a_folder_leaves_out_the_whole_folder():
    """And nothing else."""
    for pattern, meant in MEANT.items():
        if meant == INTERNAL:
            (problem,), _ = excluding(pattern)
            left = set(excluding([])[1]) - set(excluding(suggested(problem))[1])
            assert left == {"internal/a/", "internal/b/"}


@pytest.mark.parametrize("pattern", IN_OTHER_LANGUAGES)
def test_a_pattern_of_another_language_is_a_warning_without_a_suggestion(pattern):
    """It can match no page of this site, whatever was meant."""
    said = f"mkdocs.yml: exclude has {pattern!r}, which matches no page. {RULE}"
    assert excluding(pattern)[0] == [said]


@pytest.mark.parametrize("pattern", ["/c++/old/", "/a (old)/", "/q.html", "/{id}/"])
def test_letters_that_a_path_of_the_site_has_are_letters(pattern):
    """Such a pattern is left over from a page that is gone."""
    pages = (*PAGES, "c++/z.md", "a (b)/z.md", "sub/yy.html", "v{x}/z.md")
    paths = [page(str(at))._replace(src_uri=name) for at, name in enumerate(pages)]
    _, problems = decided(site_of(*paths), settings(exclude=pattern))
    assert problems == [f"mkdocs.yml: exclude has {pattern!r}, which matches no page."]


def test_the_path_of_a_file_that_is_no_page_is_no_mistake(tmp_path):
    """Such as one that MkDocs should not publish, in a list that several plugins are given."""
    (tmp_path / "docs/theme").mkdir(parents=True)
    (tmp_path / "docs/theme/announce.html").write_text("")
    site = site_of(page("index"), root=tmp_path)
    for name, mark in (("announce", "page."), ("announced", RULE)):
        (problem,) = decided(site, settings(exclude=f"theme/{name}.html"))[1]
        assert problem.endswith(mark)


@pytest.mark.parametrize("pattern", NOT_MEANT)
def test_a_pattern_that_is_like_no_listed_page_has_no_suggestion(pattern):
    """It is left over from a page that is gone, or from another site."""
    said = f"mkdocs.yml: exclude has {pattern!r}, which matches no page."
    assert excluding(pattern)[0] == [said]


def test_patterns_that_only_bring_back_leave_out_nothing():
    """Who wrote one may have meant the opposite; what is suggested leaves the folder out."""
    problem, note = excluding("!/internal/")[0], excluding("# /internal/")[0]
    assert problem == [
        (
            "mkdocs.yml: exclude has no pattern but '!/internal/', and `!` brings a page back. It "
            "leaves out nothing. Did you mean '/internal/'? To leave out all other pages, write "
            "['/*', '!/internal/']."
        )
    ]
    assert "internal/a/" not in excluding("/internal/")[1]
    assert excluding(["/*", "!/internal/"])[1] == ["internal/a/", "internal/b/"]
    assert note == [
        "mkdocs.yml: exclude has only comments, such as '# /internal/'. It leaves out nothing."
    ]
    (unmatched,), _ = excluding(["/api/", "!/instal.md"])
    assert unmatched == "mkdocs.yml: exclude has '!/instal.md', which matches no page."


def test_in_a_block_the_suggestion_has_no_quotes():
    """They would be part of the pattern; and each stands in a line of its own."""
    (problem,), _ = excluding("/api/\n^internal/.*\n")
    assert "Did you mean /internal/? " in problem
    assert excluding("/api/\n/internal/\n")[0] == []
    (problem,), _ = excluding("/guide/\ninternal/|api/\n")
    assert "Did you mean /internal/ and /api/? Write each in a line of its own. " in problem
    assert excluding("/guide/\n/internal/\n/api/\n")[0] == []


def test_a_page_that_is_left_out_anyway_needs_no_warning():
    """By another pattern, or by its front matter."""
    pages = page("index"), page("a", meta={"sitemap": False}), page("b")
    _, problems = decided(site_of(*pages), settings(exclude=["/a/", "/b/", "/b.md"]))
    assert problems == [
        "mkdocs.yml: exclude has '/a/', which matches no page.",
        "mkdocs.yml: exclude has '/b/', which matches no page.",
    ]


def test_in_a_rule_that_excludes_nothing_it_is_an_information_with_a_suggestion(site):
    """The page is listed as it should be; only a value is missing. A strict build passes."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("rules: [{match: /a/, priority: 0.5}]")
    assert site.build("--strict").notes == [
        "mkdocs.yml:5: rules[0].match has '/a/', which matches no page. Did you mean '/a.md'?"
    ]


@pytest.mark.parametrize("line", ["install.md, c.md", "no such.md"])
def test_a_name_with_a_blank_is_not_taken_for_several_patterns(line):
    """Only if each part is right."""
    assert "Did you mean [" not in str(excluding(line)[0])


FILES = {
    "docs/x.pdf": "/x.pdf",
    "site/x.pdf": "/x.pdf",
    "X.PDF": "/x.pdf",
    ".pdf": "*.pdf",
    "pdf": "*.pdf",
    ".*\\.pdf": "*.pdf",
    "*.{pdf,zip}": ["*.pdf", "*.zip"],
    "*.(pdf|zip)": ["*.pdf", "*.zip"],
    "/dl/.*": "/dl/",
}


@at_length
def test_what_a_pattern_on_files_means_is_suggested(site):
    """A strict build passes, and each suggestion lists the files."""
    files = {"docs/x.pdf": "%PDF", "docs/dl/a.zip": "PK", "docs/index.md": "# Home\n"}
    site.write(files)
    site.config(f"extra_files: {json.dumps([*FILES])}\nreport: report.json")
    assert site.build("--strict").locs() == [""]
    problems = yaml.safe_load((site.folder / "report.json").read_text("utf-8"))["problems"]
    problems = [each for each in problems if each["code"] == "pattern"]
    messages = [each["text"] for each in problems]
    assert [suggested(each) for each in messages] == [*FILES.values()]
    assert [each["level"] for each in problems] == ["note"] * len(FILES)
    for meant in FILES.values():
        site.config(f"extra_files: {json.dumps(meant)}")
        built = site.build("--strict")
        assert built.notes == []
        assert len(built.locs()) > 1


def test_patterns_of_a_shared_file_never_warn(site):
    """It serves many sites; of its patterns there is one note, of one that is like a page here.

    The same patterns in the file of the site are warnings.
    """
    site.docs({"index.md": "# Home\n", "internals/a.md": "# A\n", "tests/b.md": "# B\n"})
    options = "exclude: [/internal/, /drafts/, ^tests/.*, '*.de.md']"
    site.config(options)
    assert len(site.build().warnings) == 2
    own = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"shared/base.yml": own, "mkdocs.yml": "INHERIT: shared/base.yml\n"})
    built = site.build("--strict")
    assert built.notes == [
        (
            "shared/base.yml:5: exclude has '/internal/', which matches no page. The pages in "
            "docs/internals/ are listed. Other sites may need this pattern: then it can stay as "
            "it is."
        )
    ]
    found = run("build", "-f", site.folder / "mkdocs.yml", "--strict")
    assert found[0] == 0
    assert found[2].count("base.yml") == 1
    # What the site itself sets replaces what it inherits.
    site.write({"mkdocs.yml": f"{own}\nINHERIT: shared/base.yml\n"})
    assert [each[:13] for each in site.build().warnings] == ["mkdocs.yml:5:"] * 2


def html(title):
    """A built page of another builder."""
    head = f"<head><title>{title}</title></head>"
    return f"<!DOCTYPE html><html>{head}<body><p>{title}</p></body></html>"


def test_exclude_of_the_command_says_the_same(tmp_path, monkeypatch):
    """There, the paths are those of the built files."""
    monkeypatch.chdir(tmp_path)
    for name in ("index.html", "internal/a/index.html", "internal/b/index.html"):
        Path("public", name).parent.mkdir(parents=True, exist_ok=True)
        Path("public", name).write_text(html(name))
    build = ("build", "public", "--site-url", "https://lighthouse.example/")
    for pattern in (
        "^internal/.*",
        "internal\\*",
        "/public/internal/",
        "internal/*.md",
        "/intrenal/",
    ):
        code, _, err = run(*build, "--exclude", pattern, "--strict")
        assert code == 1
        assert (
            f"--exclude has {pattern!r}, which matches no page. The pages in public/intern" in err
        )
        assert "Patterns are paths in public/ as in .gitignore" in err
        assert "internal/a/" in Path("public/sitemap.xml").read_text("utf-8")
        _, _, err = run(*build, "--exclude", suggested(err), "--strict")
        assert "--exclude" not in err
        assert "internal/" not in Path("public/sitemap.xml").read_text("utf-8")
    assert "which matches no page.\n" in run(*build, "--exclude", "/gone/")[2]


def test_a_pattern_of_check_ignore_that_matches_nothing_is_noted(site):
    """With what was meant; the finding is accepted once the suggestion stands there."""
    thin = "---\nsitemap: {lastmod: 2026-03-14}\n---\n# A\n"
    site.docs({"index.md": "# Home\n", "old/a.md": thin})
    site.config("check: {ignore: {page-absent: ^old/.*}}")
    site.build()
    path = site.folder / "site" / "old" / "a" / "index.html"
    path.unlink()
    code, out, err = run("check", "-f", site.folder / "mkdocs.yml", site.folder / "site")
    assert (code, "page-absent" in out) == (1, True)
    assert "check.ignore.page-absent has '^old/.*', which matches no page or file." in err
    site.config(f"check: {{ignore: {{page-absent: {suggested(err)}}}}}")
    code, out, err = run("check", "-f", site.folder / "mkdocs.yml", site.folder / "site")
    assert (code, "check.ignore" in err) == (0, False)
