"""Images of the content in real builds of real themes."""

import json

import pytest
from sites import MATERIAL, needs

HOOK = """\
import json
from {builder}.plugins import event_priority

@event_priority(-300)
def on_post_build(config):
    entries = [page.entry for page in config.plugins["sitemap-plus"].outcome.listed]
    said = {{each.loc: list(each.images) for each in entries}}
    with open("entries.json", "w", encoding="utf-8") as file:
        json.dump(said, file)
"""
"""A hook that writes down the images of each entry."""

PAGE = """\
# Page

![A](img/a.png) and ![again](img/a.png){ loading=lazy } in a line.

<figure><img src="../img/ü b.png" data-x="1"></figure>

    <img src="code.png">

![Elsewhere](https://cdn.example/c.png?w=1&h=2) ![Inline](data:image/png;base64,AA==)
"""
IMAGES = ["guide/img/a.png", "guide/img/%C3%BC%20b.png", "https://cdn.example/c.png?w=1&h=2"]


def said(site, builder=None):
    """Images by URL, both below ``site_url``."""
    site.write({"hook.py": HOOK.format(builder=builder or "mkdocs")})
    built = site.build("--strict", program=builder)
    assert built.warnings == []
    found = json.loads((site.folder / "entries.json").read_text("utf-8"))
    base = "https://example.com/"
    return {
        loc.removeprefix(base): [image.removeprefix(base) for image in images]
        for loc, images in found.items()
    }


def illustrated(site):
    """A site with images in a page, beside it, and in the theme."""
    site.docs({"index.md": "# Home\n", "guide/page.md": PAGE})
    site.write(
        {f"docs/{name}": b"" for name in ("guide/img/a.png", "guide/img/ü b.png", "img/logo.png")}
    )


@pytest.mark.parametrize(
    "theme",
    [
        pytest.param("theme: mkdocs\n", id="mkdocs"),
        pytest.param("theme: {name: readthedocs, logo: img/logo.png}\n", id="readthedocs"),
        pytest.param(
            MATERIAL.replace("}", ", logo: img/logo.png}"),
            id="material",
            marks=needs("mkdocs-material"),
        ),
    ],
)
def test_the_images_of_a_page_are_those_of_its_content(site, theme):
    """In each theme the same; neither the logo nor what stands in code."""
    illustrated(site)
    more = "markdown_extensions: [attr_list]\nhooks: [hook.py]\n"
    site.config("images: true", theme=theme, more=more)
    assert said(site) == {"": [], "guide/page/": IMAGES}


@needs("properdocs", "properdocs-theme-mkdocs")
def test_the_images_of_a_page_of_properdocs(site):
    """The same again."""
    illustrated(site)
    more = "markdown_extensions: [attr_list]\nhooks: [hook.py]\n"
    site.config("images: true", theme="theme: mkdocs\n", more=more)
    (site.folder / "mkdocs.yml").rename(site.folder / "properdocs.yml")
    assert said(site, "properdocs")["guide/page/"] == IMAGES


@needs("mkdocs-material")
def test_faces_of_authors_are_no_content_of_a_post(site):
    """What Material puts beside a post, or above it in a list, is not of its content."""
    post = "---\ndate: 2024-01-02\nauthors: [ann]\n---\n# Post\n\n![P](p.png)\n\n<!-- more -->\n"
    author = "authors: {ann: {name: Ann, description: D, avatar: 'https://h.example/ann.png'}}\n"
    site.docs(
        {
            "index.md": "# Home\n",
            "blog/index.md": "# Blog\n",
            "blog/posts/a.md": post,
            "blog/posts/p.png": "",
            "blog/.authors.yml": author,
        }
    )
    site.config("images: true", theme=MATERIAL, more="  - blog\nhooks: [hook.py]\n")
    found = {loc: images for loc, images in said(site).items() if images}
    assert found == {
        "blog/": ["blog/p.png"],
        "blog/2024/01/02/post/": ["blog/p.png"],
        "blog/archive/2024/": ["blog/p.png"],
    }
