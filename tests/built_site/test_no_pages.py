"""HTML files that are no pages: `build` does not list them, and `check` does not ask for them."""

from any_sites import built, commit, html, put
from commands import run
from sites import Built, run_command

CODE = "0123456789abcdef"
RESULTS = (
    '<!DOCTYPE html><html><head><title></title></head><body class="SRPage"><div id="SRIndex">'
    '<div class="SRStatus" id="NoMatches">No Matches</div></div></body></html>'
)
NO_PAGES = {
    "part of a page": {
        "part.html": "<div><p>Text</p></div>",
        f"google{CODE}.html": f"google-site-verification: google{CODE}.html",
        "baidu_verify_code-x.html": "abc123",
    },
    "empty page": {
        "alias.html": (
            "<!DOCTYPE html><html><head><title>Redirect</title><script>go('/new');</script></head>"
            "<body>\n</body></html>"
        ),
        "by-script.html": (
            "<html><body><!-- empty --><script>document.write('<p>--><!--');</script></body></html>"
        ),
    },
    "page for addresses that do not exist, or for errors": {
        "200.html": html(),
        "500.html": html(),
    },
    "verification file": {
        f"yandex_{CODE}.html": (
            '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8">'
            f"</head><body>Verification: {CODE}</body></html>"
        ),
    },
    "part of a search box": {"search/all_0.html": RESULTS, "search/nomatches.html": RESULTS},
    "template that was not rendered": {
        "404-of-theme.html": '{% extends "main.html" %}\n<html><body></body></html>',
        "head.html": "{# A part #}<title>{{ page.title }}</title>",
        "title.html.html": "<html><title>{{ page.title }}</title><body><p>Text</p></body></html>",
    },
    "list of members": {"classA-members.html": html()},
    "index, search or code that its builder adds": {"doxygen_crawl.html": html()},
}
PAGES = {
    "index.html": html(),
    "title.html": "<title>A page</title><p>With a title, and no more tags that it may leave out.",
    "classA.html": html(),
    "all-members.html": html(),
    "api/200.html": html(),
    "api/search.html": html(),
    "api/doxygen_crawl.html": html(),
    f"commit-{CODE}.html": html(text=f"Verification: {CODE}, and more"),
    "script.html": "<html><body><p>Text</p><script>'<!--'</script></body></html>",
    "comment.html": "<html><body><script>'<!--'</script><p>Text</p></body></html>",
    "app.html": '<html><body><div id="app"></div><script src="app.js"></script></body></html>',
    "empty.html": '<html><head><link rel="canonical" href="https://docs.example/empty.html"></html>',
}
BESIDE = {"dynsections.js": ""}


def test_what_is_no_page_is_neither_listed_nor_asked_for(top):
    """Each kind is named in a line, and `explain` says it of each file; a redirect stays one."""
    commit(top, {"docs/index.md": "# Text\n"})
    files = {name: text for kind in NO_PAGES.values() for name, text in kind.items()}
    stub = '<html><head><meta http-equiv="refresh" content="0; url=/"></head></html>'
    put(top / "built", PAGES | files | BESIDE | {"old.html": stub})
    dates, out, errors = built(top)
    assert dates.keys() == {name.removesuffix("index.html") for name in PAGES}
    assert "1 left out (redirect)" in out
    (line,) = (line for line in errors.splitlines() if "no page" in line)
    assert line.startswith(f"Note: {len(files)} HTML files are no pages (")
    assert line.endswith("). They are not listed.")
    for kind, texts in NO_PAGES.items():
        assert f"{kind}: {min(texts)}" in line
        for name in texts:
            explained = run("explain", "-d", "built", name)[1]
            assert f"static file  {kind}\n" in explained, (name, explained)
    code, out, _ = run("check", "built")
    assert (code, out.splitlines()[0]) == (0, f"No problems in 1 file with {len(PAGES)} URLs.")


def test_one_such_file_is_one(top):
    """Also where the old sitemap listed it: it is not missing."""
    commit(top, {"docs/index.md": "# Text\n"})
    old = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<url><loc>https://docs.example/200.html</loc></url></urlset>"
    )
    put(top / "built", {"index.html": html(), "200.html": html(), "sitemap.xml": old})
    errors = built(top)[2]
    assert (
        "Note: 1 HTML file is no page (page for addresses that do not exist, or for errors: "
        "200.html). It is not listed.\n"
    ) in errors
    assert "lacks" not in errors


def test_what_its_owner_leaves_out_now_is_not_missing(top):
    """The sitemap before listed it, ours or not."""
    commit(top, {"docs/index.md": "# Text\n"})
    put(top / "built", {"index.html": html(), "sub/a.html": html(), "b.html": html()})
    assert built(top)[2].count("lacks") == 0
    assert built(top, "--exclude", "/sub/")[2].count("lacks") == 0
    (top / "built/b.html").unlink()
    assert "the new sitemap lacks 1 URL (https://docs.example/b.html)" in built(top)[2]


def test_a_page_of_a_project_may_have_such_a_name(site):
    """Its source says that it is one."""
    site.docs({"index.md": "# Home\n", "500.md": "# Five hundred\n"})
    site.commit()
    site.config(more="use_directory_urls: false\n")
    by_plugin = site.build().locs()
    assert "500.html" in by_plugin
    done = run_command("build", cwd=site.folder)
    assert (Built(site.folder, done.returncode, done.stderr).locs(), done.stderr) == (by_plugin, "")
