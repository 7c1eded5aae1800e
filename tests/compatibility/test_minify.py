"""mkdocs-minify-plugin: built pages without what a browser can do without."""

from sites import needs

pytestmark = needs("mkdocs-minify-plugin")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}
ROBOTS = """\
{% extends "base.html" %}
{% block extrahead %}
  {% if page and page.meta.robots %}<meta name="robots" content="{{ page.meta.robots }}">{% endif %}
{% endblock %}
"""


def test_minified_pages_are_read_as_others_are(site):
    """The head has noindex also without its quotes; the sitemap itself is not touched."""
    site.docs(
        {"index.md": "# Home\n", "a.md": "# A\n", "no.md": "---\nrobots: noindex\n---\n# N\n"}
    )
    site.write({"overrides/main.html": ROBOTS})
    theme = "theme: {name: material, font: false, custom_dir: overrides}\n"
    minify = (
        "  - minify: {minify_html: true, htmlmin_opts: {remove_optional_attribute_quotes: true}}\n"
    )
    site.config(theme=theme, more=minify)
    site.commit()
    built = site.build("--strict")
    assert "content=noindex" in built.path("no/index.html").read_text()
    assert built.by_loc() == {"": DATED, "a/": DATED}
    minified = built.xml()
    site.config(theme=theme)
    assert site.build("--strict").xml() == minified
