"""Canonical URLs: plugin, `build` and `check` have one rule for pages that name others."""

import json
import re
import shutil

import pytest
from commands import run
from sites import SiteMaker

BASE = "https://web.example/"
HOOK = """\
import re


def on_post_page(output, page, **_):
    named = page.meta.get("named")
    tags = "".join(f'<link rel="canonical" href="{url}">' for url in named or [])
    return output if named is None else re.sub('<link rel="canonical"[^>]*>', tags, output)
"""
"""Writes the canonical URLs that the front matter of a page names."""


class Doors:
    """What the plugin, `build` and `check` say of one site."""

    def __init__(self, folder, monkeypatch, options=""):
        """Nothing is built yet."""
        self.site, self.options = SiteMaker(folder / "site"), options
        self.other, self.monkeypatch = folder / "other", monkeypatch
        self.found = []

    def ask(self, pages, found=()):
        """Build by the plugin; then `build` the same pages without a project, and `check` both."""
        texts = {
            name: f"---\nnamed: {json.dumps(named)}\n---\n# {name}\n" if named else f"# {name}\n"
            for name, named in pages.items()
        }
        self.site.write({"hook.py": HOOK})
        self.site.docs(texts)
        self.site.config(self.options, more="hooks: [hook.py]\n")
        built = self.site.build(found=found)
        shutil.copytree(self.site.folder / "site", self.other / "out")
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (self.other / "out" / name).unlink()
        self.monkeypatch.chdir(self.other)
        _, out, err = run("build", "out", "--site-url", BASE)
        assert built.summary.startswith(out.partition(";")[0].strip())
        by_command = [
            re.sub("^(Warning|Note): ", "", line).replace("/index.html:", ".md:")
            for line in err.splitlines()
            if "canonical" in line
        ]
        by_plugin = [
            line.replace("docs/", "")
            for line in (*built.warnings, *built.notes)
            if "canonical" in line
        ]
        assert by_command == by_plugin
        _, here, _ = run("check", "--format", "json", "out")
        self.monkeypatch.chdir(self.site.folder)
        _, out, err = run("check", "--format", "json")
        findings = [(each["code"], each["severity"]) for each in json.loads(out)["findings"]]
        assert findings == [
            (each["code"], each["severity"]) for each in json.loads(here)["findings"]
        ]
        notes = [line for line in err.splitlines() if "canonical" in line]
        return built, by_plugin, json.loads(out)["findings"], notes


@pytest.fixture
def doors(tmp_path, monkeypatch):
    """A folder in which nothing is built yet."""
    return Doors(tmp_path, monkeypatch)


PLAIN = {"index.md": None, "b.md": None, "c.md": None}


def test_a_page_that_names_two_canonical_urls_is_listed_with_a_warning(doors):
    """Also if the first one is another page: search engines ignore both."""
    pages = PLAIN | {
        "a.md": [f"{BASE}b/", f"{BASE}a/"],
        "same.md": [f"{BASE}same/", "../same/"],
        "two.md": [f"{BASE}two/", "https://other.example/"],
    }
    built, said, findings, _ = doors.ask(pages, found=["canonicals-differ"])
    assert {"a/", "same/", "two/"} <= {*built.locs()}
    assert [line.replace("docs/", "") for line in built.warnings] == said
    assert said == [
        (
            "2 pages name two different canonical URLs (a.md: 'https://web.example/b/' and "
            "'https://web.example/a/', two.md: 'https://web.example/two/' and "
            "'https://other.example/'). Search engines ignore both: they are listed. Let one place "
            "write rel=canonical: the theme, or front matter."
        )
    ]
    (finding,) = findings
    assert (finding["code"], finding["severity"]) == ("canonicals-differ", "warning")
    assert finding["urls"] == [f"{BASE}a/", f"{BASE}two/"]
    assert finding["reason"] == (
        "site/a/index.html names two canonical URLs, 'https://web.example/b/' and "
        "'https://web.example/a/'; likewise https://web.example/two/"
    )


def test_a_wrong_base_on_most_pages_is_one_warning_and_one_error(doors):
    """And not one for each page; these pages are listed."""
    pages = dict.fromkeys(("index.md", "z.md"))
    pages |= {f"p{n}.md": [f"{BASE}old/p{n}/"] for n in range(9)}
    built, said, findings, notes = doors.ask(pages, found=["not-canonical"])
    assert len(built.locs()) == 11
    named = "p0.md: 'https://web.example/old/p0/', its URL is 'https://web.example/p0/'"
    assert [line.replace("docs/", "") for line in built.warnings] == said
    assert said == [
        (
            f"9 of 11 pages name a canonical URL that no page of the site has ({named}). These "
            "canonical URLs are ignored. Check site_url, and the theme's rel=canonical."
        )
    ]
    (finding,) = findings
    assert (finding["code"], finding["severity"]) == ("not-canonical", "error")
    assert finding["reason"] == (
        "9 of 11 pages name a canonical URL that no page of the site has: site/p0/index.html names "
        "'https://web.example/old/p0/' as its canonical URL"
    )
    assert finding["urls"] == [f"{BASE}p{n}/" for n in range(9)]
    assert notes == []


def test_a_page_that_falls_out_for_what_is_not_there_is_named(doors):
    """Below the folder of this sitemap; what is elsewhere, another sitemap may list."""
    pages = dict.fromkeys(("index.md", *(f"p{n}.md" for n in range(9)), "noindex.md"))
    pages |= {
        "gone.md": [f"{BASE}2.0/gone/"],
        "elsewhere.md": ["https://other.example/a/"],
        "file.md": [f"{BASE}paper.pdf"],
        "other.md": ["../gone/"],
    }
    doors.site.docs({"paper.pdf": "%PDF"})
    built, said, findings, notes = doors.ask(pages)
    assert (built.warnings, findings) == ([], [])
    nothing = "below https://web.example/ that nothing here has"
    assert said == [
        (
            f"1 page names a canonical URL {nothing} (gone.md: 'https://web.example/2.0/gone/'). "
            "It is left out. Publish what rel=canonical names, or let the page name itself."
        )
    ]
    assert notes == [
        (
            f"Note: 1 page is in no sitemap for a canonical URL {nothing} (gone/index.html: "
            "'https://web.example/2.0/gone/')."
        )
    ]


def test_what_another_build_makes_is_there(doors):
    """The URLs of `extra_urls`, and pages that were left out."""
    doors.site.config("extra_urls: [{loc: app/}]\nexclude: /hidden.md")
    doors.site.docs({f"p{n}.md": "# P\n" for n in range(9)})
    doors.site.docs({"index.md": "# Home\n", "hidden.md": "# Hidden\n"})
    for name, url in {"app": f"{BASE}app/", "left": f"{BASE}hidden/"}.items():
        doors.site.docs({f"{name}.md": f"---\nnamed: ['{url}']\n---\n# A\n"})
    doors.site.write({"hook.py": HOOK})
    text = (doors.site.folder / "mkdocs.yml").read_text("utf-8")
    doors.site.write({"mkdocs.yml": f"{text}hooks: [hook.py]\n"})
    built = doors.site.build()
    assert built.notes == []
    doors.monkeypatch.chdir(doors.site.folder)
    assert "canonical" not in run("check")[2]
