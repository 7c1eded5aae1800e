"""The plugin in real builds: what MkDocs does, and what stays true meanwhile."""

import shutil
import time

import pytest
from quantity import at_length
from servers import Server
from sitemap_xml import read_entries
from sites import SiteMaker, own_lines, run_command

FRONT_MATTER_ONLY = "lastmod: {sources: [front_matter]}\n"
HERE = "site_name: S\nsite_url: https://web.example/\n"


def files_of(built, *names):
    names = names or ("sitemap.xml", "sitemap.xml.gz")
    return [built.path(name).read_bytes() for name in names]


# MkDocs' own file.


def test_a_build_lists_the_same_urls_as_mkdocs_own_sitemap(site):
    """Without options, the plugin adds dates and takes nothing away."""
    pages = ("index.md", "a b.md", "ü/é.md", "x&y.md", "it's.md", "sub/index.md", "deep/er/p.md")
    site.docs(dict.fromkeys(pages, "# Page\n"))
    site.config()
    ours = site.build().locs()
    site.write({"mkdocs.yml": HERE})
    built = site.build()
    theirs = [entry["loc"] for entry in read_entries(built.path().read_bytes())]
    assert sorted(theirs) == [f"https://web.example/{loc}" for loc in ours]


@pytest.mark.parametrize("event", ["on_post_page", "on_post_build"])
@pytest.mark.fault("a hook or another plugin stops the build")
def test_a_build_that_dies_half_way_leaves_no_sitemap_of_mkdocs(site, event):
    """A sitemap with build dates would be worse than none."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    body = "raise PluginError('The end.')"
    hook = f"from mkdocs.exceptions import PluginError\ndef {event}(*_, **__):\n    {body}\n"
    site.write({"hook.py": hook})
    site.config(more="hooks: [hook.py]\n")
    built = site.build(check=False)
    assert built.returncode == 1
    text = built.path().read_text() if built.path().exists() else ""
    assert "lastmod" not in text
    if event == "on_post_build":
        assert sorted(file.name for file in built.path("").glob("sitemap.xml*")) == ["sitemap.xml"]
    else:
        assert not list(built.path("").glob("sitemap.xml*"))


# Strict, quiet, dirty.


def test_a_dirty_build_keeps_the_front_matter_of_unchanged_pages(site):
    """MkDocs does not read them again, so the plugin does."""
    site.docs(
        {
            "index.md": "# Home\n",
            "a.md": "---\npriority: 0.3\nlastmod: 2024-01-02\n---\n# A\n",
            "out.md": "---\nsitemap: false\n---\n# Out\n",
            "wrong.md": "---\nsitemap: {priority: 3}\n---\n",
            "broken.md": "---\npriority: 1: 2\n---\n",
        }
    )
    site.config()
    whole = site.build()
    before = files_of(whole)
    site.docs({"index.md": "# Home, edited\n"})
    dirty = site.build("--dirty")
    assert files_of(dirty) == before
    assert dirty.by_loc()["a/"] == {"priority": "0.3", "lastmod": "2024-01-02"}
    assert dirty.warnings == whole.warnings
    assert len(whole.warnings) == 2


# Front matter as MkDocs sees it.


def test_front_matter_that_another_plugin_changes_late_is_seen(site):
    """``page.meta`` counts as it is when the site is built."""
    site.docs({"index.md": "---\npriority: 0.1\n---\n", "a.md": "# A\n"})
    site.write(
        {
            "hook.py": "def on_page_context(context, page, config, nav):\n"
            "    page.meta['priority'] = 0.9\n"
            "    page.meta['sitemap'] = {'changefreq': 'dayly'}\n"
        }
    )
    site.config(FRONT_MATTER_ONLY, more="hooks: [hook.py]\n")
    built = site.build()
    assert built.by_loc() == {"": {"priority": "0.9"}, "a/": {"priority": "0.9"}}
    word = "always, hourly, daily, weekly, monthly, yearly, never"
    rest = f"is 'dayly', but must be one of {word}. No changefreq is written."
    assert built.warnings == [
        f"docs/a.md: sitemap.changefreq {rest}",
        f"docs/index.md: sitemap.changefreq {rest}",
    ]


def test_a_rule_below_front_matter_is_not_taken_for_front_matter(site):
    """The text may begin with a line of dashes, and have another one further down."""
    text = "---\ntitle: A\n---\n\n---\n\nNote: this: is text\n\n---\n\nMore\n"
    site.docs({"index.md": text})
    site.config(FRONT_MATTER_ONLY)
    assert site.build("--strict").warnings == []


# Navigation, drafts, files.


def test_a_sitemap_in_the_docs_folder_is_not_replaced_by_an_empty_one(site):
    """If no sitemap is written, nothing says that one was replaced."""
    site.docs({"index.md": "# Home\n", "sitemap.xml": "<mine/>"})
    site.config(FRONT_MATTER_ONLY + 'exclude: ["*"]')
    built = site.build("--strict", check=False)
    assert built.lines == [
        (
            "WARNING mkdocs.yml:6: exclude leaves no page that can be listed (1 excluded). No file "
            "is written, because a sitemap must not be empty."
        )
    ]


def test_a_file_that_is_not_in_the_way_is_kept(site):
    """With another file name, ``docs/sitemap.xml`` is the owner's own."""
    site.docs({"index.md": "# Home\n", "sitemap.xml": "<mine/>"})
    site.config(FRONT_MATTER_ONLY + "filename: map.xml")
    built = site.build(found=["wrong-root"])
    assert built.path().read_text() == "<mine/>"
    assert built.locs("map.xml") == [""]
    assert len(built.lines) == 1


# The same bytes.


@at_length
def test_two_builds_of_one_commit_are_byte_identical(site, tmp_path):
    """Wherever, whenever and in whatever language and time zone; the archive included."""
    site.docs({"index.md": "# Home\n", "ü/é.md": "---\nlastmod: 2024-01-02T03:04:05\n---\n"})
    site.config("lastmod: {timezone: Europe/Berlin}\nrules: [{match: ü/, priority: 0.5}]")
    site.commit()
    first = files_of(site.build())
    time.sleep(1 - time.time() % 1)  # a gzip header counts whole seconds
    environment = {
        "SOURCE_DATE_EPOCH": "1",
        "TZ": "Asia/Tokyo",
        "LANG": "C",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "7",
    }
    assert files_of(site.build(program="mkdocs", **environment)) == first
    other = tmp_path / "elsewhere" / "näme"
    shutil.copytree(site.folder, other, ignore=shutil.ignore_patterns("site", "elsewhere"))
    assert files_of(SiteMaker(other).build()) == first
    outside = site.build("-f", str(site.folder / "mkdocs.yml"), cwd="/")
    assert files_of(outside) == first


# The development server.


@at_length
def test_a_development_server_logs_a_warning_again_only_after_it_was_gone(site):
    """Its own address, no drafts, no deleted pages, what an edit changed."""
    site.docs(
        {
            "index.md": "---\nsitemap: {priority: 3}\n---\n# Home\n",
            "a.md": "# A\n",
            "gone.md": "# Gone\n",
            "draft.md": "# Draft\n",
        }
    )
    site.config(FRONT_MATTER_ONLY, more="draft_docs: draft.md\n", site_url="https://WEB.example/")
    server = Server(site.folder)
    try:
        server.wait_for("Serving on")
        assert server.locs() == ["", "a/", "gone/"]
        assert b"Draft" in server.get("draft/")
        (site.folder / "docs" / "gone.md").unlink()
        server.wait_for("Documentation built")
        site.docs({"a.md": "---\nsitemap: {priority: 4, changefreq: daily}\n---\n# A\n"})
        server.wait_for(r"a\.md:2")
        server.wait_for("Documentation built")
        assert server.locs() == ["", "a/"]
        assert b"<changefreq>daily</changefreq>" in server.get("sitemap.xml")
        site.docs({"new.md": "# New\n"})
        server.wait_for("Documentation built")
        assert server.locs() == ["", "a/", "new/"]
        site.docs({"a.md": "# A\n"})
        server.wait_for("Documentation built")
        site.docs({"a.md": "---\nsitemap: {priority: 4}\n---\n# A\n"})
        server.wait_for(r"a\.md:2")
        server.wait_for("Documentation built")
    finally:
        output = server.stop()
    assert "Traceback" not in output
    invalid = "but must be a number from 0.0 to 1.0. No priority is written."
    assert [line for line in own_lines(output) if line.startswith("WARNING")] == [
        f"WARNING docs/index.md:2: sitemap.priority is 3, {invalid}",
        f"WARNING docs/a.md:2: sitemap.priority is 4, {invalid}",
        f"WARNING docs/a.md:2: sitemap.priority is 4, {invalid}",
    ]


def test_of_a_plugin_that_is_listed_twice_the_last_counts(site):
    """MkDocs warns of it, and runs both: the second overwrites what the first has written."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("changefreq: daily", more="  - sitemap-plus: {changefreq: weekly}\n")
    build = site.build()
    assert build.output.count("sitemap-plus: sitemap.xml: 2 pages") == 1
    written = build.path("sitemap.xml").read_bytes()
    assert b"<changefreq>weekly<" in written
    assert run_command("build", cwd=site.folder).returncode == 0
    assert build.path("sitemap.xml").read_bytes() == written
