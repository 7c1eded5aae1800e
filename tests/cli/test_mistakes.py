"""What a person mistypes, and what the command makes of it."""

import pytest
from commands import run

UNSET = "mkdocs.yml: site_url is not set, so no sitemap is written. Set it to the full address of"
EMPTY = "mkdocs.yml:2: site_url has no value, so this build has no sitemap."


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose site is built into ``public``, without a sitemap."""
    monkeypatch.chdir(tmp_path)
    for name in ("docs/index.md", "docs/a.md", "public/index.html", "public/a/index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<!doctype html>" if name.endswith("html") else "# A\n")
    return tmp_path


def configure(project, more):
    (project / "mkdocs.yml").write_text(f"site_name: S\n{more}site_dir: public\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "public"],
        ["check", "-f", "mkdocs.yml"],
        ["diff", "public", "public"],
        ["index", "public"],
        ["submit", "--all", "--key", "0" * 32],
        ["explain", "a.md"],
        ["report"],
    ],
    ids=" ".join,
)
def test_without_a_site_url_there_is_no_sitemap(project, arguments):
    """This is the reason, and not that somebody has to build the site again."""
    for line, why in (("", UNSET), ("site_url: !ENV [NOT_SET_HERE, '']\n", EMPTY)):
        configure(project, line)
        code, out, err = run(*arguments)
        assert (code, out) == (1 if arguments[0] == "index" else 2, "")
        (error,) = err.splitlines()
        assert why in error
        assert "Build the site again" not in error
        if arguments[0] in ("check", "diff", "index"):
            assert error.startswith("Error: public: has no sitemap")
    configure(project, "site_url: https://example.com/\n")
    assert "site_url" not in run("check")[2]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["check"], "."),
        (["check"], "docs"),
        (["diff", "public"], "."),
        (["diff", "public"], "docs"),
        (["index"], "docs"),
    ],
    ids=str,
)
def test_the_built_site_of_a_project_is_named(project, command, name):
    """Its folder, or that of its sources, has no sitemap."""
    configure(project, "site_url: https://example.com/\n")
    site = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'
    (project / "public" / "sitemap.xml").write_text(site)
    code, out, err = run(*command, name)
    assert (code, out) == (1 if command == ["index"] else 2, "")
    assert err.startswith(f"Error: {name}: has no sitemap")
    assert err.endswith(" The built site of this project is public.\n")


@pytest.mark.parametrize("command", ["build", "explain a.md", "report"])
def test_a_folder_without_pages_is_no_built_site(project, command):
    """Such as that of the sources."""
    configure(project, "site_url: https://example.com/\n")
    name, *pages = command.split()
    option = ["docs"] if name == "report" else ["-d", "docs"]
    code, out, err = run(name, *pages, *option)
    assert (code, out) == (1 if name == "build" else 2, "")
    assert "Error: there is no HTML file in docs." in err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["check", "--pagse"], "--pages"),
        (["check", "--ignore", "not-lsited"], "Did you mean 'not-listed'?"),
        (["check", "--format", "jsn"], "'json'"),
        (["check", "public/a"], "Did you mean public?"),
        (["check", "publik"], "Did you mean public?"),
        (["check", "example.com"], "Did you mean https://example.com?"),
        (["diff", "example.com/sitemap.xml", "public"], "https://example.com/sitemap.xml?"),
        (["submit", "public", "--since", "example.com", "--key", "0" * 32], "https://example.com?"),
        (["check", "--since", "example.com", "public"], "Did you mean https://example.com?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_was_probably_meant_is_said(project, arguments, hint):
    """In the last line, and nothing is done."""
    entry = "<url><loc>https://example.com/</loc></url>"
    site = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry}</urlset>'
    (project / "public" / "sitemap.xml").write_text(site)
    code, _, err = run(*arguments)
    assert code == 2
    assert hint in err.splitlines()[-1]
