"""A pattern that matches nothing is named: what it meant would stay as it is in silence."""

from sites import run_command

OPTIONS = """\
lastmod: {sources: [git]}
exclude: |
  # no pattern
  docs/a.md
  /a/
  /b.md
  !/gone.md
rules:
  - {match: [/a.md, /other/b.md], priority: 0.5}
  - {match: /c.md, changefreq: daily}
extra_files: ["*.pdf", "/site/*.pdf"]
news: {publication: P, match: /nope/}
"""
EXPECTED = [
    (
        "mkdocs.yml: extra_files has the pattern '/site/*.pdf', which matches nothing. "
        "Did you mean '/*.pdf'?"
    ),
    "mkdocs.yml: exclude has the pattern 'docs/a.md', which matches nothing. Did you mean '/a.md'?",
    "mkdocs.yml: exclude has the pattern '/a/', which matches nothing.",
    "mkdocs.yml: exclude has the pattern '!/gone.md', which matches nothing.",
    "mkdocs.yml: rules[0].match has the pattern '/other/b.md', which matches nothing.",
    "docs/a.md:2: sitemap.depends has the pattern '../src/nope.py', which matches no file.",
    "2 more problems of this kind (pattern).",
]


def test_each_pattern_without_a_match_is_one_information(site):
    """Files, exclude, rules, news and depends; five of a kind, and the number of the others."""
    site.docs(
        {
            "a.md": "---\nsitemap: {depends: [../src/nope.py, ../src/there.py]}\n---\n# A\n",
            "b.md": "# B\n",
            "data.pdf": "x",
        }
    )
    site.write({"src/there.py": "x = 1\n"})
    site.config(OPTIONS)
    site.commit()
    built = site.build("--strict")
    assert built.notes == EXPECTED
    assert built.by_loc()["a/"]["priority"] == "0.5"
    notes = run_command("build", cwd=site.folder).stderr.splitlines()
    assert notes == [f"Note: {line}" for line in EXPECTED]


def test_patterns_that_match_are_not_mentioned(site):
    """Also where a later pattern takes back what an earlier one matched."""
    site.docs({"index.md": "# Home\n", "sub/a.md": "# A\n", "data.pdf": "x"})
    site.config(
        'lastmod: {sources: []}\nexclude: ["/sub/", "!/sub/a.md"]\nextra_files: "*.pdf"\n'
        "rules: [{match: '*.md', priority: 0.5}]"
    )
    assert site.build().notes == []
