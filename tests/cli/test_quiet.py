"""``--quiet`` leaves out what is no result, for scripts and for logs."""

import pytest
from commands import run
from quantity import at_length
from sitemap_texts import HOME, RIGHT, urlset

OTHER = urlset(HOME, "<url><loc>https://example.com/b/</loc></url>")


@pytest.fixture
def built(site, monkeypatch):
    """A built site with a page that the sitemap lacks."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "---\nsitemap: false\n---\n# B\n"})
    site.config("")
    site.commit(date="2024-02-01T10:00:00+0000")
    site.build()
    monkeypatch.chdir(site.folder)
    return site.folder


COMMANDS = ("build", "check", "dates", "diff site site", "index site -o i.xml", "report -o r.html")


@at_length
def test_results_warnings_and_errors_are_printed(built):
    """The same as without the option, but for sums and notes; so nothing if all is well."""
    for command in COMMANDS:
        code, out, err = run(*command.split())
        assert out + err != ""
        assert run(*command.split(), "--quiet") == (code, "", "")
    orphan = built / "site" / "c" / "index.html"
    orphan.parent.mkdir()
    orphan.write_text("<!doctype html><title>C</title><p>C")
    code, out, err = run("check", "-q")
    (finding,) = out.splitlines()
    assert (code, err) == (1, "")
    assert " warning not-listed" in finding
    assert run("check", "--format", "json", "-q") == run("check", "--format", "json")
    _, out, _ = run("check", "-q", "--format", "github")
    assert out.startswith("::warning ")
    assert len(out.splitlines()) == 1
    (built / "s.xml").write_bytes(OTHER)
    (built / "t.xml").write_bytes(RIGHT)
    assert run("diff", "-q", "t.xml", "s.xml")[1] == "+ https://example.com/b/\n"
    _, out, _ = run("explain", "-q", "a.md")
    assert out.startswith("a.md: listed\n")
    code, out, err = run("diff", "-q", "no.xml", "s.xml")
    assert (code, out, err.startswith("Error: no.xml: ")) == (2, "", True)
    assert run("explain", "-q", "none.md")[2].startswith("There is no page 'none.md'.")
    urls = run("submit", "-q", "s.xml", "--all", "--dry-run", "--key", "0" * 32)[1]
    assert urls.splitlines()[:2] == ["https://example.com/", "https://example.com/b/"]

    # A warning of a build stays, since something is to be done about it.
    plugins = "plugins: [{sitemap-plus: {fliename: a.xml}}]\n"
    project = f"site_name: S\nsite_url: https://example.com/\n{plugins}"
    (built / "mkdocs.yml").write_text(project)
    code, out, err = run("build", "-q")
    assert (code, out) == (0, "")
    assert "Warning: " in err
    assert "filename" in err
