"""What a person mistypes, and what the command makes of it."""

import pytest
from commands import run
from sitemap_texts import urlset

DATED = "<url><loc>https://web.example/</loc><lastmod>2026-01-02</lastmod></url>"


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


def test_a_folder_without_pages_is_no_built_site(project):
    """Such as that of the sources."""
    configure(project, "site_url: https://web.example/\n")
    code, out, err = run("build", "-d", "docs")
    assert (code, out) == (1, "")
    assert "Error: there is no HTML file in docs." in err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["check", "--pagse"], "--pages"),
        (["check", "--ignore", "not-lsited"], "there is no code 'not-lsited'. All codes: "),
        (["validate"], "No such command 'validate'."),
        (["check", "docs"], "The built site of this project is public."),
        (["check", "publik"], "publik: can't be read (No such file or directory)."),
        (["check", "web.example"], "A URL begins with https:// or http://."),
        (["check", "--since", "web.example", "public"], "A URL begins with https:// or http://."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_wrong_is_said(project, arguments, hint):
    """In the last line, and nothing is done."""
    entry = "<url><loc>https://web.example/</loc></url>"
    site = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry}</urlset>'
    (project / "public" / "sitemap.xml").write_text(site)
    configure(project, "")
    code, _, err = run(*arguments)
    assert code == 2
    assert hint in err.splitlines()[-1]


def test_a_report_that_is_named_must_be_one(project):
    """Else the command ends, and does not compare less in silence."""
    (project / "broken.json").write_text('{"format": "mkdocs-')
    (project / "public/sitemap.xml").write_bytes(urlset(DATED))
    for arguments in (["check", "--report", "broken.json", "public"], ["explain", "--all"]):
        code, _, err = run(*arguments, *(["--report", "broken.json"] * (len(arguments) == 2)))
        assert (code, "broken.json" in err) == (2, True), err


@pytest.mark.parametrize(
    "asked", [["-f", "mkdocs.yml"], ["--docs-dir", "docs"], ["--dates"], []], ids=" ".join
)
def test_who_asks_for_the_dates_hears_that_there_is_no_git(project, asked):
    """A folder of sources outside of any clone; who does not ask hears nothing."""
    configure(project, "site_url: https://web.example/\n")
    (project / "public/sitemap.xml").write_bytes(urlset(DATED))
    _, out, _ = run("check", "public/sitemap.xml", *asked)
    assert ("Git was not asked: there is no git repository." in out) == bool(asked), out
