"""Which pages of a real site are listed, and the lines in the log about those that are not."""

import pytest
from decided import decided, page, settings, site_of
from sites import INSTANT, run_command

FRONT_MATTER_ONLY = "lastmod: {sources: [front_matter]}"


REDIRECT = '<meta http-equiv="refresh" content="0; url=/p1/">\n'


def test_two_pages_with_one_url_are_one_entry_and_the_newest_stays(site):
    """A date, a datetime and none are compared as moments; the rest of the entry is its own."""
    site.docs(
        {
            "a.md": "---\nlastmod: 2024-01-02\npriority: 0.1\n---\n",
            "b.md": "---\nlastmod: 2024-01-02T01:00:00Z\npriority: 0.2\n---\n",
            "c.md": "---\nlastmod: 2024-01-02T02:00:00+09:00\npriority: 0.3\n---\n",
            "d.md": "---\npriority: 0.4\n---\n",
        }
    )
    site.write(
        {
            "hook.py": "def on_pre_page(page, config, files):\n"
            "    page.canonical_url = config.site_url + 'one/'\n    return page\n"
        }
    )
    site.config("lastmod: {sources: [front_matter]}", more="hooks: [hook.py]\n")
    built = site.build()
    assert built.by_loc() == {"one/": {"lastmod": "2024-01-02T01:00:00+00:00", "priority": "0.2"}}
    assert built.summary == "sitemap.xml: 1 page, dated (front matter); 3 left out (same URL)"


def test_each_fault_of_urls_is_said_once(site):
    """Also if a page with another fault stands between two pages of the same fault."""
    site.docs(dict.fromkeys(["index.md", "a.md", "b.md", "c.md", "d.md"], "# Page\n"))
    site.write(
        {
            "hook.py": "def on_pre_page(page, config, files):\n"
            "    name = page.file.src_uri[0]\n"
            "    if name in 'ac':\n        page.canonical_url = f'https://other.example/{name}/'\n"
            "    if name in 'bd':\n        page.canonical_url = f'https://web.example/{name}/#x'\n"
            "    return page\n"
        }
    )
    site.config(FRONT_MATTER_ONLY, more="hooks: [hook.py]\n")
    assert site.build(found=["not-listed"]).warnings == [
        (
            "docs/a.md: its URL https://other.example/a/ is not under the sitemap's own folder "
            "https://web.example/ (likewise 1 more page). They are left out."
        ),
        (
            "docs/b.md: its URL https://web.example/b/#x has a fragment (likewise 1 more page). "
            "They are left out."
        ),
    ]


def test_a_redirect_costs_nothing_under_instant_navigation(site):
    """A link to it has to load a whole page anyway, so there is no note."""
    site.docs(
        {"index.md": "# Home\n", "old.md": '<meta http-equiv="refresh" content="0; url=/">\n'}
    )
    site.config(FRONT_MATTER_ONLY, theme=INSTANT)
    built = site.build()
    assert (built.notes, built.locs()) == ([], [""])
    # A site without other versions and languages has no selectors, which would need the home page.
    site.docs({"index.md": "---\nsitemap: false\n---\n", "a.md": "# A\n"})
    assert "the home page is left out" not in site.build().output


NOINDEX_THEME = {
    "overrides/main.html": '{% extends "base.html" %}{% block site_meta %}{{ super() }}'
    '<meta name="robots" content="noindex">{% endblock %}'
}


def test_a_site_that_is_noindex_on_purpose_is_an_information(site):
    """As a preview: one line, no sitemap, and a strict build passes, by both doors."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": REDIRECT})
    site.write(NOINDEX_THEME)
    theme = "theme: {name: material, custom_dir: overrides, features: [navigation.instant]}\n"
    site.config("exclude: /a.md", theme=theme)
    built = site.build("--strict")
    line = "sitemap.xml: there is no sitemap, since the whole site is noindex (3 pages)."
    assert built.lines == [f"INFO {line}"]
    assert not [*built.path(".").glob("*.xml*")]
    built.path().write_text("<urlset>the builder's own</urlset>")
    done = run_command("build", "--strict", cwd=site.folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"Note: {line}\n")
    assert not built.path().exists()


@pytest.mark.parametrize(("shown", "listed"), [(True, {"", "de/a/"}), (False, {""})])
def test_pages_in_another_language_than_their_own_are_listed_unless_the_owner_says_no(
    shown, listed
):
    """`fallback_pages: false` leaves out these pages, and no other."""
    pages = (page("index"), page("de/a", is_fallback=True, locale="de"))
    entries, problems = decided(site_of(*pages), settings(fallback_pages=shown))
    assert (set(entries), problems) == (listed, [])
