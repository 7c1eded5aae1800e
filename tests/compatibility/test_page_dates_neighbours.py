"""`page_dates` beside the neighbours: each page, whatever made it, states the day of its entry."""

import sys

import pytest
from heads import dates_in_head
from lxml import html
from sites import MATERIAL, needs, run, run_command

extruct = pytest.importorskip("extruct", reason="needs extruct")

ON = "page_dates: true"


def head_days(text):
    """The days in the head: Open Graph's and JSON-LD's, by the readers of extruct."""
    graph = extruct.OpenGraphExtractor().extract(text)
    days = [
        value[:10] for each in graph for name, value in each["properties"] if "modified" in name
    ]
    linked = extruct.JsonLdExtractor().extract(text)
    return days, [each["dateModified"][:10] for each in linked]


def shown_day(text):
    """The day below the content of a page of Material; None if it shows none."""
    fact = html.fromstring(text).find(".//aside[@class='md-source-file']//time")
    return None if fact is None else fact.get("datetime")[:10]


def states(built):
    """What each page of the site states, by its URL: the head, by two readers, and the text."""
    root, found = built.folder / "site", {}
    for path in sorted(root.rglob("*.html")):
        name = path.relative_to(root).as_posix()
        if name == "404.html":
            continue
        text = path.read_text("utf-8")
        metas, linked = head_days(text)
        assert [each[:10] for each in dates_in_head(text)[0]] == metas
        assert metas == linked
        loc = name.removesuffix("index.html")
        found[loc] = (metas[0] if metas else None, shown_day(text))
    return found


def days_of(built):
    """The days of the sitemap, by URL."""
    return {loc: entry.get("lastmod", "")[:10] or None for loc, entry in built.by_loc().items()}


def post(when, *categories, more=""):
    listed = f"categories: [{', '.join(categories)}]\n" if categories else ""
    return f"---\ndate: {when}\n{listed}{more}---\n# Post of {when}\n\nText.\n"


def test_every_page_of_a_blog(site):
    """Posts, archive, categories and pages of views. Material shows no date on views."""
    pytest.importorskip("material.plugins.blog")
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/blog/index.md": "# Blog\n"})
    site.commit_on("2024-01-02", {"docs/blog/posts/a.md": post("2023-05-01", "Red")})
    site.commit_on("2024-01-03", {"docs/blog/posts/b.md": post("2023-06-01", "Red", "Blue")})
    updated = "date: {created: 2024-01-10, updated: 2024-06-06}"
    text = post("2024-01-10", "Blue").replace("date: 2024-01-10", updated)
    site.commit_on("2024-01-04", {"docs/blog/posts/c.md": text})
    site.config(ON, theme=MATERIAL, more="  - blog: {pagination_per_page: 1}\n")
    built = site.build("--strict")
    days, stated = days_of(built), states(built)
    assert len(days) == 14
    assert {loc: head for loc, (head, _) in stated.items()} == days
    posts = {loc: shown for loc, (_, shown) in stated.items() if shown}
    assert posts == {loc: days[loc] for loc in days if "/20" in loc and "archive" not in loc} | {
        "": "2024-01-01"
    }
    assert days["blog/"] == "2024-06-06"
    assert (built.warnings, built.notes) == ([], [])


@needs("mkdocs-static-i18n")
def test_every_page_of_two_languages(site):
    """The page that is not translated shows the date of the page that is published in its place."""
    names = {"en/a.md": "a.md", "fr/a.md": "a.fr.md", "en/b.md": "b.md"}
    names |= {"en/index.md": "index.md", "fr/index.md": "index.fr.md"}
    for day, name in enumerate(names.values(), 1):
        site.commit_on(f"2024-01-0{day}", {f"docs/{name}": f"# {name}\n"})
    i18n = (
        "  - i18n:\n      docs_structure: suffix\n      languages:\n"
        "        - {locale: en, name: English, default: true, build: true}\n"
        "        - {locale: fr, name: Français, build: true}\n"
    )
    site.config(ON, theme=MATERIAL, more=i18n)
    built = site.build("--strict")
    days, stated = days_of(built), states(built)
    assert stated == {loc: (day, day) for loc, day in days.items()}
    assert days == {
        "": "2024-01-04", "a/": "2024-01-01", "b/": "2024-01-03", "fr/": "2024-01-05",
        "fr/a/": "2024-01-02", "fr/b/": "2024-01-03",
    }  # fmt: skip
    text = built.path("fr/a/index.html").read_text("utf-8")
    assert "2 janvier 2024" in text
    assert "January 1, 2024" in built.path("a/index.html").read_text("utf-8")


@needs("mkdocs-gen-files", "mkdocs-minify-plugin")
def test_minified_and_generated_pages(site):
    """Also where the plugin stands first; a generated page has the date of its real source."""
    script = "import mkdocs_gen_files as g\nwith g.open('made.md', 'w') as f:\n    f.write('# M')\n"
    script += "g.set_edit_path('made.md', 'index.md')\n"
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "gen.py": script})
    minify = "  - minify: {minify_html: true}\n"
    more = "  - gen-files: {scripts: [gen.py]}\n"
    url = "repo_url: https://github.com/o/r\nedit_uri: edit/main/docs/\n"
    site.config(ON, theme=MATERIAL, more=more + url)
    text = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"mkdocs.yml": text.replace("plugins:\n", f"plugins:\n{minify}")})
    built = site.build("--strict")
    assert states(built) == {loc: (day, day) for loc, day in days_of(built).items()}
    assert days_of(built) == {"": "2024-01-01", "made/": "2024-01-01"}


@needs("zensical")
def test_pages_that_zensical_built(site):
    """Zensical runs no plugin, and the command writes no dates into pages: a note says so."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n"})
    site.config(ON, theme=MATERIAL)
    run(sys.executable, "-m", "zensical", "build", cwd=site.folder)
    done = run_command("build", cwd=site.folder)
    said = "page_dates is for the plugin: `build` writes no dates into pages."
    assert (done.returncode, said in done.stderr) == (0, True)
