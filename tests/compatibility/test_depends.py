"""``sitemap.depends``: a page is as new as the newest of the files that it names."""

import pytest

PAGES = {
    "plain.md": "",
    "one.md": "../src/a.py",
    "list.md": "[../src/a.py, ../src/b.py]",
    "glob.md": "../src/*.py",
    "deep.md": "../src/**/*.py",
    "sub/page.md": "[../../src/a.py]",
    "sub/beside.md": "data.json",
    "brackets.md": "'../src/[x].txt'",
    "missing.md": "[../none.py, ../none/*.py]",
    "folder.md": "../src",
    "itself.md": "itself.md",
    "untracked.md": "../src/new.txt",
}
DAYS = {
    "plain/": "2024-01-01",
    "one/": "2024-02-01",
    "list/": "2024-02-02",
    "glob/": "2024-02-02",
    "deep/": "2024-02-03",
    "sub/page/": "2024-02-01",
    "sub/beside/": "2024-02-04",
    "brackets/": "2024-02-05",
    "missing/": "2024-01-01",
    "folder/": "2024-01-01",
    "itself/": "2024-01-01",
    "untracked/": "2024-01-01",
}


def page(depends):
    """A page whose front matter names what it depends on."""
    return f"---\nsitemap:\n  depends: {depends}\n---\n# Page\n"


@pytest.fixture
def depending(site):
    """Pages that depend on source code of later days."""
    site.commit_on("2024-01-01", {f"docs/{name}": page(text) for name, text in PAGES.items()})
    site.commit_on("2024-02-01", {"src/a.py": "A = 1\n"})
    site.commit_on("2024-02-02", {"src/b.py": "B = 1\n"})
    site.commit_on("2024-02-03", {"src/c/d.py": "D = 1\n"})
    site.commit_on("2024-02-04", {"docs/sub/data.json": "{}\n"})
    site.commit_on("2024-02-05", {"src/[x].txt": "x\n"})
    site.write({"src/new.txt": "new\n"})
    return site


def test_paths_and_patterns_are_relative_to_the_page(depending):
    """A file that is missing, a folder, or not in git does not count; what is missing is named."""
    depending.config()
    built = depending.build()
    assert built.days() == DAYS
    assert built.notes == []
    assert built.warnings == [
        f"docs/{page}.md:3: sitemap.depends has the pattern '{name}', which matches no file. So it "
        "never changes the date of the page. Paths start from docs/, the folder of the page."
        for page, name in (
            ("folder", "../src"),
            ("missing", "../none.py"),
            ("missing", "../none/*.py"),
        )
    ]


def test_on_request_they_do_not_count(depending):
    """As with all that a page may include."""
    depending.config("lastmod: {includes: [snippets]}")
    assert depending.build("--strict").days() == dict.fromkeys(DAYS, "2024-01-01")


WRONG = {
    "boolean.md": ("true", "true"),
    "empty.md": ("[]", "[]"),
    "empty-name.md": ("['']", "['']"),
    "mapping.md": ("{a: b}", "{'a': 'b'}"),
    "number.md": ("[a, 3]", "['a', 3]"),
}


def test_a_wrong_value_is_a_warning(site):
    """Page, line, key, value, and what is allowed; the date is that of the page."""
    pages = {f"docs/{name}": page(raw) for name, (raw, _) in WRONG.items()}
    site.commit_on("2024-01-01", pages)
    site.config()
    built = site.build()
    expected = "but must be a list of paths or patterns, relative to the page"
    assert built.warnings == [
        f"docs/{name}:3: sitemap.depends is {shown}, {expected}. It is ignored."
        for name, (_, shown) in sorted(WRONG.items())
    ]
    assert set(built.days().values()) == {"2024-01-01"}
    assert built.notes == []
