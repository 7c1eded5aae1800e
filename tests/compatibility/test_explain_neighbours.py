"""``explain`` and ``report`` beside plugins that make pages or decide on them during the build."""

import pytest
from published import check_as_published, explain
from sites import MATERIAL, needs

POSTS = {
    "index.md": "# Home\n",
    "only.md": "# Only\n",
    "a.md": "# A\n",
    "a.de.md": "# Ah\n",
    "blog/index.md": "# Blog\n",
    "blog/posts/one.md": "---\ndate: 2024-01-02\n---\n# Post `one`\n",
    "blog/posts/two.md": "---\ndate: 2024-01-03\nslug: second\n---\n# Post\n",
    "blog/posts/three.md": "---\ndate: 2024-01-04\n---\n# Same\n",
    "blog/posts/four.md": "---\ndate: 2024-01-05\n---\n# Same\n",
    "blog/posts/draft.md": "---\ndate: 2024-01-04\ndraft: true\n---\n# Draft\n",
}


@needs("mkdocs-material", "mkdocs-static-i18n")
def test_a_blog_in_two_languages(site):
    """Dates, language links and pages are those of the file, not what was worked out again."""
    site.docs(POSTS)
    languages = "{locale: en, name: E, default: true}, {locale: de, name: D}"
    site.config(theme=MATERIAL, more=f"  - blog\n  - i18n: {{languages: [{languages}]}}\n")
    site.commit()
    site.build()
    pages = check_as_published(site.folder)
    assert len(pages) >= 6
    only = pages["https://web.example/only/"]
    assert "alternates" not in only["entry"]
    out, _ = explain(site.folder, "docs/a.de.md")
    assert out.splitlines()[:2] == ["a.de.md: listed", "  loc         https://web.example/de/a/"]


@pytest.fixture
def blog(site):
    """A built blog without languages."""
    site.docs(POSTS)
    site.config(theme=MATERIAL, more="  - blog\n")
    site.commit()
    site.build()
    return site


@needs("mkdocs-material")
def test_the_views_and_posts_of_a_blog(blog):
    """They are known by their sources, with the commits that date them."""
    pages = check_as_published(blog.folder)
    assert len(pages) == 10
    out, _ = explain(blog.folder, "blog/index.md")
    *lines, commit = out.splitlines()
    assert lines == [
        "blog/index.md: listed",
        "  loc      https://web.example/blog/",
        "  lastmod  2024-05-01T10:00:00+00:00",
    ]
    assert commit.endswith(' docs/blog/posts/four.md "Change"')


@needs("mkdocs-material")
def test_a_draft_is_not_a_page(blog):
    """The plugin of the blog leaves it out."""
    out, _ = explain(blog.folder, "blog/posts/draft.md")
    assert out.startswith("blog/posts/draft.md: not listed\n")
    assert "excluded  a draft, or left out by a plugin or by MkDocs\n" in out


@needs("mkdocs-gen-files")
def test_generated_pages(site):
    """Their sources are known to the build alone."""
    script = (
        "import mkdocs_gen_files as gen\n"
        "with gen.open('api.md', 'w') as page:\n"
        "    page.write('---\\nchangefreq: daily\\nsitemap: {images: [x.png]}\\n---\\n# API\\n')\n"
        "gen.set_edit_path('api.md', '../src/a.py')\n"
    )
    site.docs({"index.md": "# Home\n", "x.png": b"x"})
    site.write({"gen.py": script, "src/a.py": "A = 1\n"})
    site.config(more="  - gen-files: {scripts: [gen.py]}\nrepo_url: https://github.com/o/r\n")
    site.commit()
    site.build("--strict")
    pages = check_as_published(site.folder)
    assert pages["https://web.example/api/"]["entry"]["changefreq"] == "daily"
    for name in ("api.md", "docs/api.md", "/api.md"):
        assert explain(site.folder, name)[0].startswith("api.md: listed\n")


@needs("mkdocs-redirects")
def test_redirects(site):
    """They are not pages; the line names their target, by any of their names."""
    site.docs({"index.md": "# Home\n", "new.md": "# New\n"})
    maps = "{old.md: new.md, away.md: 'https://elsewhere.example/'}"
    site.config("lastmod: {sources: []}", more=f"  - redirects: {{redirect_maps: {maps}}}\n")
    site.build()
    for name in ("old.md", "old/", "https://web.example/old/"):
        out, _ = explain(site.folder, name)
        assert "  loc       https://web.example/old/\n" in out
        assert "  redirect  to https://web.example/new/ (refresh: " in out
    assert "  redirect  to https://elsewhere.example/\n" in explain(site.folder, "away/")[0]
