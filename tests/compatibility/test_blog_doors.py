"""A blog by both doors: what the plugin writes under Material, ``build`` writes of a built site."""

import shutil
import sys

import pytest
from doors import HOOK, sites_of
from neighbours import i18n
from sites import MATERIAL, MATERIAL_NAME, Built, needs, run, run_command

BUILDERS = ("mkdocs", "zensical") if MATERIAL_NAME == "material" else ("mkdocs",)
pytestmark = needs("mkdocs-material", *BUILDERS[1:])

UNKNOWN = (
    "      post_slugify: !!python/object/apply:pymdownx.slugs.slugify"
    " {kwds: {case: lower, normalize: NFD}}\n"
)
"""An option that makes the slug of a post in a way that is not known here."""
WORDS = "      post_url_date_format: d-MMMM-yyyy\n"
"""An option that writes the date in the URL of a post in words, which depend on the language."""
PLACES = """\
      pagination_per_page: 2
      authors_profiles: true
"""
OPTIONS = {
    "": "",
    "places": """\
      blog_dir: news
      post_dir: "{blog}/all"
      post_url_format: "{categories}/{date}/{file}"
      post_url_date_format: yy-M-d
      post_url_max_categories: 2
      archive_url_format: "when/{date}"
      archive_url_date_format: yyyy/MM
      archive_date_format: MM.yyyy
      categories_url_format: "topic/{slug}"
      categories_slugify_separator: _
      authors_profiles_url_format: "who/{name}"
      pagination_url_format: "more-{page}"
""",
    "top": "      blog_dir: .\n",
    "files": "      post_slugify_separator: '.'\n",
    "short": "      archive: false\n      categories: false\n      pagination: false\n",
    "drafts": "      draft: true\n      draft_if_future_date: true\n",
    "future": "      draft_if_future_date: true\n",
    "slugify": (
        "      post_slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}\n"
        "      categories_slugify: !!python/object/apply:pymdownx.slugs.slugify"
        " {kwds: {case: lower}}\n"
    ),
    "fold": (
        "      post_slugify: !!python/object/apply:pymdownx.slugs.slugify"
        " {kwds: {case: fold, percent_encode: true}}\n"
    ),
}
ONLY_MATERIAL = {"fold": "Zensical makes slugs by lower case alone"}
POSTS = {
    "one.md": "date: 2024-01-02\nauthors: [ann]\ncategories: [Red, 'Größe & x', A B]\n---\n# One\n",
    "two.md": "date: 2024-02-03\ncategories: [Red]\n---\n# T & *x* — Ünï.code!  <b>y</b> Straße\n",
    "updated.md": (
        "date: {created: 2024-03-04T23:30:00+02:00, updated: 2024-03-05}\n---\n# C++ vs. C#\n"
    ),
    "stamp.md": "date: 2024-03-04 10:00:00\npin: true\n---\nA\n==\n",
    "Some_file-Name.md": "date: 2023-02-01\ncategories: [Red]\n---\nNo heading\n",
    "title.md": "date: 2023-02-01\ntitle: From `meta` &amp; x\n---\n# No\n",
    "hidden.md": "date: 2025-01-01\nsitemap: false\n---\n# Hidden\n",
    "priority.md": "date: 2022-01-01\npriority: 0.4\n---\n# Priority\n",
    "draft.md": "date: 2024-01-01\ndraft: true\n---\n# Draft\n",
    "future.md": "date: 2999-01-01\nslug: My Slug\nauthors: [bob]\n---\n# Future\n",
    "deep/in.md": "date: 2021-01-01\ncategories: [Blue]\n---\n# Deep\n",
}
META = "sitemap: {changefreq: yearly}\ncategories: [Meta]\n"
AUTHORS = """\
authors:
  ann: {name: Ann, description: A, avatar: 'https://example.com/a.png'}
  bob: {name: Bob B, description: B, avatar: 'https://example.com/b.png', slug: bobby}
"""


def sources(site, blog):
    """The sources of a blog, each post with a day of its own."""
    folder = {"places": "news"}.get(blog, "." if blog == "top" else "blog")
    posts = f"docs/{folder}/{'all' if blog == 'places' else 'posts'}"
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/a.md": "# A\n"})
    index = f"docs/{folder}/index.md"
    site.write({f"docs/{folder}/.authors.yml": AUTHORS, f"{posts}/deep/.meta.yml": META})
    site.commit_on("2024-01-02", {index: "---\npriority: 0.7\n---\n# The blog\n"})
    for day, (name, text) in enumerate(POSTS.items(), 3):
        site.commit_on(f"2024-01-{day:02}", {f"{posts}/{name}": f"---\n{text}"})
    return f"{folder}/"


def by_builder(site, builder):
    """What ``build`` writes of a site that this program builds, and what it prints."""
    shutil.rmtree(site.folder / "site")
    if builder == "mkdocs":
        site.build()
    else:
        done = run(sys.executable, "-m", builder, "build", cwd=site.folder)
        assert done.returncode == 0, done.stdout + done.stderr
    done = run_command("build", "--strict", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    return Built(site.folder, 0, "").path().read_bytes(), done


@pytest.mark.parametrize("blog", OPTIONS)
def test_posts_and_views_are_the_same_by_both_doors(site, blog):
    """URLs, dates and front matter, wherever the options of the blog put its pages."""
    folder = sources(site, blog)
    more = "use_directory_urls: false\n" if blog == "files" else ""
    plugins = f"  - meta\n  - blog:\n{PLACES}{OPTIONS[blog]}"
    site.config(theme=MATERIAL, more=plugins + more)
    built = site.build()
    assert built.warnings == []
    written, locs = built.path().read_bytes(), built.locs()
    assert len(locs) > (10 if blog == "short" else 15)
    assert not any("hidden" in loc for loc in locs)
    assert all(entry.get("lastmod") for entry in built.entries())
    assert built.by_loc()[index_url(folder, blog)]["lastmod"][:10] == "2024-03-05"
    for builder in BUILDERS[: 1 if blog in ONLY_MATERIAL else None]:
        again, done = by_builder(site, builder)
        assert (again, done.stderr) == (written, ""), builder


def test_a_pinned_post_comes_first_in_every_view(site):
    """By both doors. Of posts that changed in one commit, the first one dates the view."""
    site.write({"hook.py": HOOK})
    site.docs({"index.md": "# Home\n", "blog/index.md": "# Blog\n"})
    dates = {"new": "2024-03-03", "pinned": "2024-01-01\npin: true", "old": "2024-02-02"}
    texts = {name: f"---\ndate: {date}\n---\n# {name}\n" for name, date in dates.items()}
    site.docs({f"blog/posts/{name}.md": text for name, text in texts.items()})
    site.config(theme=MATERIAL, more="  - blog\nhooks: [hook.py]\n")
    site.commit(date="2024-05-01T10:00:00+0000")
    site.build()
    for known in sites_of(site):
        posts = {page.src_uri: page.posts for page in known.pages}
        order = tuple(f"blog/posts/{name}.md" for name in ("pinned", "new", "old"))
        assert posts["blog/index.md"] == order
    done = run_command("explain", "blog/index.md", cwd=site.folder)
    assert "docs/blog/posts/pinned.md" in done.stdout


def index_url(folder, blog):
    """The URL of the blog's own page."""
    return f"{folder.removeprefix('./')}{'index.html' if blog == 'files' else ''}"


@pytest.mark.parametrize("option", [UNKNOWN, WORDS], ids=["slug", "words"])
def test_posts_are_found_by_their_title_and_day(site, option):
    """Where it is not known how a URL is made: if exactly one post fits."""
    site.docs({"index.md": "# Home\n", "blog/index.md": "# Blog\n"})
    named = {
        "one": "date: 2024-01-02\n---\n# Élan & *vital*\n",
        "two": "date: 2024-01-02\nsitemap: false\n---\n# Naïve\n",
        "same": "date: 2024-01-03\n---\n# Élan & *vital*\n",
        "text": "date: 2024-01-04\npriority: 0.3\n---\nText\n",
    }
    site.docs({f"blog/posts/{name}.md": f"---\n{text}" for name, text in named.items()})
    site.config(theme=MATERIAL, more=f"  - blog:\n{option}")
    site.commit()
    written = site.build("--strict").path().read_bytes()
    assert b"naive" not in written
    again, done = by_builder(site, "mkdocs")
    assert (again, done.stderr) == (written, "")


def test_dates_in_a_mapping_have_a_time_even_if_there_is_only_one(site):
    """Material changes each date in such a mapping, and leaves a date without a mapping alone."""
    site.docs({"index.md": "# Home\n", "blog/index.md": "# Blog\n"})
    dates = {"one": "2024-01-02", "only": "{created: 2024-01-03}"}
    posts = {name: f"---\ndate: {value}\n---\n# {name}\n" for name, value in dates.items()}
    site.docs({f"blog/posts/{name}.md": text for name, text in posts.items()})
    options = "lastmod: {sources: [front_matter], front_matter_keys: [date.created, date]}"
    site.config(options, theme=MATERIAL, more="  - blog\n")
    built = site.build("--strict")
    assert built.by_loc()["blog/2024/01/02/one/"]["lastmod"] == "2024-01-02"
    assert built.by_loc()["blog/2024/01/03/only/"]["lastmod"] == "2024-01-03T00:00:00+00:00"
    written = built.path().read_bytes()
    again, done = by_builder(site, "mkdocs")
    assert (again, done.stderr) == (written, "")


def test_posts_that_are_not_known_for_sure(site):
    """Two of one title and day: listed without a date as their views, counted, and one warning."""
    text = "---\ndate: 2024-01-02\ncategories: [{}]\n{}---\n# Élan\n"
    site.docs({"index.md": "# Home\n", "blog/index.md": "# Blog\n"})
    site.docs({"blog/posts/a.md": text.format("A", "sitemap: false\n")})
    site.docs({"blog/posts/b.md": text.format("B", "")})
    site.docs({"blog/posts/c.md": "---\ndate: 2023-01-02\ncategories: [C]\n---\n# C\n"})
    form = "      post_url_format: '{categories}/{slug}'\n"
    site.config(theme=MATERIAL, more=f"  - blog:\n{UNKNOWN}{form}")
    site.commit()
    site.build("--strict", found=["not-listed"])  # the post that front matter leaves out
    done = run_command("build", cwd=site.folder)
    days = Built(site.folder, 0, "").days()
    dated = {loc for loc, day in days.items() if day}
    assert dated == {"", "blog/c/c/", "blog/archive/2023/", "blog/category/c/"}
    assert days.keys() - dated == {
        "blog/",
        "blog/a/elan/",
        "blog/b/elan/",
        "blog/archive/2024/",
        "blog/category/a/",
        "blog/category/b/",
    }
    assert done.stderr == (
        "Warning: sitemap.xml: compared with the old sitemap, the new sitemap lacks the dates "
        "of 5 pages "
        "(https://example.com/blog/, https://example.com/blog/archive/2024/, "
        "https://example.com/blog/b/elan/ and 2 more). If MkDocs, ProperDocs or MaterialX builds "
        "this site, use the plugin sitemap-plus instead of this command.\n"
        "Warning: 1 post has `sitemap` in front matter, but no known built page "
        "(docs/blog/posts/a.md). That front matter has no effect. Give each of these posts "
        "its own title.\n"
        "Note: 6 pages have no known source (docs/blog/index.md, blog/a/elan/index.html, "
        "blog/archive/2024.md, blog/b/elan/index.html, blog/category/a.md and 1 more). Pages "
        "without a source are listed without a date.\n"
    )


POST = "---\ndate: 2024-01-02\nsitemap: false\ncategories: [Red]\n---\n# Post\n"
NAMES = {
    "suffix": "index.md index.de.md blog/index.md blog/about.md",
    "folder": "en/index.md de/index.md en/blog/index.md en/blog/about.md",
}
TRANSLATED = {"suffix": "blog/index.de.md", "folder": "de/blog/index.md"}


@needs("mkdocs-static-i18n")
@pytest.mark.parametrize("structure", NAMES)
@pytest.mark.parametrize("fallback", ["true", "false"])
@pytest.mark.parametrize("translated", [True, False], ids=["translated", ""])
def test_beside_languages_no_post_is_built_and_none_is_missed(
    site, structure, fallback, translated
):
    """So the page of the blog is as new as its own source, in each language."""
    names = NAMES[structure].split() + [TRANSLATED[structure]] * translated
    for day, name in enumerate(names, 1):
        site.commit_on(f"2024-01-{day:02}", {f"docs/{name}": f"# {name}\n"})
    blogs = [name.removesuffix("/index.md") for name in names if name.endswith("blog/index.md")]
    site.commit_on("2024-02-01", {f"docs/{blog}/posts/p.md": POST for blog in blogs})
    plugins = "".join(f"  - blog: {{blog_dir: {blog}}}\n" for blog in blogs)
    languages = i18n("en", "de", "pt", structure=structure, fallback=fallback)
    site.config(theme=MATERIAL, more=plugins + languages)
    built = site.build()
    assert built.days()["blog/"] == "2024-01-03"
    assert set(built.days().values()) <= {f"2024-01-{day:02}" for day in range(1, 6)}
    assert not list(built.path().parent.rglob("2024"))
    written = built.path().read_bytes()
    done = run_command("build", "--strict", cwd=site.folder)
    assert (built.path().read_bytes(), done.stderr) == (written, "")


PASSTHROUGH = """\
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import Files

held = []

@event_priority(-95)
def hold(files, config):
    held[:] = [file for file in files if file.src_uri.startswith("blog/")]
    return Files([file for file in files if file not in held])

@event_priority(-105)
def restore(files, config):
    return Files([*files, *held])

on_files = CombinedEvent(hold, restore)
"""
"""The known way to have posts beside languages: mkdocs-static-i18n does not see their files."""


@needs("mkdocs-static-i18n")
@pytest.mark.parametrize("fallback_pages", ["true", "false"])
def test_posts_that_a_hook_hides_from_the_languages_have_their_sources(site, fallback_pages):
    """Each language has them in the default one, as pages without a translation."""
    post = POST.replace("sitemap: false\n", "")
    site.commit_on("2024-01-01", {"docs/index.md": "# A\n", "docs/index.de.md": "# B\n"})
    site.commit_on("2024-01-02", {"docs/blog/index.md": "# Blog\n"})
    site.commit_on("2024-02-01", {"docs/blog/posts/p.md": post, "docs/index.md": "# C\n"})
    site.write({"passthrough.py": PASSTHROUGH})
    more = f"  - blog\n{i18n('en', 'de')}hooks: [passthrough.py]\n"
    site.config(f"fallback_pages: {fallback_pages}", theme=MATERIAL, more=more)
    built = site.build()
    (path,) = (path for path in built.days() if path.startswith("blog/2024/"))
    assert built.days()[path] == built.days()["blog/"] == "2024-02-01"
    is_built = built.path(f"de/{path}index.html").is_file()  # MaterialX builds it only once
    assert is_built == (MATERIAL_NAME == "material")
    assert (f"de/{path}" in built.days()) == (is_built and fallback_pages == "true")
    assert run_command("check", cwd=site.folder).returncode == 0
    explained = run_command("explain", "blog/posts/p.md", cwd=site.folder).stdout
    assert explained.startswith(f"blog/posts/p.md: listed\n  loc      https://example.com/{path}\n")
    written = built.path().read_bytes()
    done = run_command("build", "--strict", cwd=site.folder)
    assert (built.path().read_bytes(), done.stderr) == (written, "")
