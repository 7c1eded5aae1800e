"""Material's meta plugin: front matter for whole folders, in ``.meta.yml``."""

from sites import MATERIAL, needs, run_command

pytestmark = needs("mkdocs-material")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}
ROBOTS = """\
{% extends "base.html" %}
{% block extrahead %}
  {% if page and page.meta.robots %}<meta name="robots" content="{{ page.meta.robots }}">{% endif %}
{% endblock %}
"""
FILES = {
    "index.md": "# Home\n",
    "b.md": "# B\n",
    "hidden/.meta.yml": "robots: noindex\n",
    "hidden/a.md": "# A\n",
    "out/.meta.yml": "sitemap: false\n",
    "out/a.md": "# A\n",
    "out/back.md": "---\nsitemap: true\n---\n# Back\n",
    "weekly/.meta.yml": "sitemap:\n  changefreq: weekly\n  priority: 0.9\n",
    "weekly/a.md": "# A\n",
    "wrong/.meta.yml": "sitemap: {priority: 9}\n",
    "wrong/a.md": "# A\n",
}


def test_the_front_matter_of_a_folder_counts_for_its_pages(site):
    """Robots as well as our own keys; a page wins over its folder."""
    site.docs(FILES)
    site.write({"overrides/main.html": ROBOTS})
    site.config(theme=MATERIAL.replace("}", ", custom_dir: overrides}"), more="  - meta\n")
    site.commit()
    built = site.build()
    assert built.by_loc() == {
        "": DATED,
        "b/": DATED,
        "out/back/": DATED,
        "weekly/a/": DATED | {"changefreq": "weekly", "priority": "0.9"},
        "wrong/a/": DATED,
    }
    assert built.warnings == [
        (
            "docs/wrong/a.md: sitemap.priority is 9, but must be a number from 0.0 to 1.0. "
            "No priority is written."
        )
    ]
    assert built.summary.endswith("; 2 left out (1 excluded, 1 noindex)")
    before = built.path().read_bytes()
    done = run_command("build", cwd=site.folder)
    assert (built.path().read_bytes(), done.stdout) == (before, f"{built.summary}\n")
    assert done.stderr == f"Warning: {built.warnings[0]}\n"


@needs("mkdocs-meta-manager")
def test_meta_manager_gives_a_page_what_it_lacks(site):
    """The nearest folder wins, and a page over it, key by key."""
    site.docs(
        {
            "index.md": "# Home\n",
            ".meta.yml": "sitemap: {priority: 0.1}\n",
            "a/.meta.yml": "sitemap: {changefreq: daily}\n",
            "a/b.md": "# B\n",
            "a/own.md": "---\nsitemap: {priority: 0.3}\n---\n# Own\n",
        }
    )
    site.config(theme=MATERIAL, more="  - meta-manager\n")
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == {
        "": DATED | {"priority": "0.1"},
        "a/b/": DATED | {"changefreq": "daily"},
        "a/own/": DATED | {"priority": "0.3"},
    }
