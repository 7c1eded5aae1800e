"""Losses and faults planted in a site that MkDocs built: `check` finds and names each of them."""

import json
import re
import shutil

import pytest
from limits import limits
from quantity import one_in
from sitemap_texts import HOME, urlset
from sites import SiteMaker, git, needs, run_command, run_in_process

BASE = "https://web.example/"
OPTIONS = "exclude: /internal/\nextra_urls: [{loc: app/}]"
PAGES = {
    "index.md": "# Home\n",
    "a.md": "# A\n",
    "b.md": "# B\n",
    "guide/index.md": "# Guide\n",
    "guide/one.md": "# One\n",
    "guide/two.md": "# Two\n\n![A picture](../picture.png)\n",
    "ü ber.md": "# Over\n",
    "internal/plan.md": "# Plan\n",
    "hidden.md": "---\nsitemap: false\n---\n# Hidden\n",
    "picture.png": b"\x89PNG\r\n\x1a\n",
    "robots.txt": f"User-agent: *\nAllow: /\n\nSitemap: {BASE}sitemap.xml\n",
}


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """The site as it was deployed last, and its sitemap of then."""
    site = SiteMaker(tmp_path_factory.mktemp("planted") / "site")
    site.docs(PAGES)
    site.config(OPTIONS)
    site.commit(date="2024-02-01T10:00:00+0000")
    site.commit_on("2024-03-01", {"docs/a.md": "# A, again\n"})
    site.commit_on("2024-04-01", {"docs/guide/one.md": "# One, again\n"})
    site.build("--strict")
    shutil.copy(site.folder / "site/sitemap.xml", site.folder / "before.xml")
    return site


class Planted(SiteMaker):
    """A copy of the site, in which something goes wrong."""

    @property
    def out(self):
        """The built site."""
        return self.folder / "site"

    def edit(self, name, *changes):
        """Replace texts in a file of the built site; the archive of a sitemap is removed."""
        path = self.out / name
        text = path.read_text("utf-8")
        for old, new in changes:
            text, before = re.sub(old, lambda _, new=new: new, text, flags=re.DOTALL), text
            assert text != before, old
        path.write_text(text, "utf-8")
        path.with_name(f"{path.name}.gz").unlink(missing_ok=True)

    def head(self, name, tag):
        """Add a tag to the head of a page."""
        self.edit(f"{name}/index.html", ("<head>", f"<head>{tag}"))

    def drop(self, path):
        """Remove the entry of a URL."""
        self.edit("sitemap.xml", (rf"<url>\s*<loc>{re.escape(BASE + path)}</loc>.*?</url>", ""))

    def loc(self, path, new):
        """Replace a URL."""
        self.edit("sitemap.xml", (f"<loc>{re.escape(BASE + path)}</loc>", f"<loc>{new}</loc>"))

    def replace_sitemap(self, data):
        """Write a sitemap that the build has not made."""
        (self.out / "sitemap.xml").write_bytes(data)
        (self.out / "sitemap.xml.gz").unlink(missing_ok=True)

    def rebuild(self, options=OPTIONS, *arguments, **extra):
        """Build with other options."""
        self.config(options, **extra)
        assert run_in_process("build", *arguments, cwd=self.folder).returncode == 0

    def move(self, old, new):
        """Rename a source in a commit."""
        git("mv", f"docs/{old}", f"docs/{new}", cwd=self.folder)
        self.commit(f"Move {old}")

    def theme(self, head):
        """Write a theme that adds to the head of each page; return the settings that use it."""
        block = f'{{% extends "base.html" %}}{{% block site_meta %}}{head}{{{{ super() }}}}'
        self.write({"theme/main.html": block + "{% endblock %}"})
        return "theme: {name: mkdocs, custom_dir: theme}\n"

    def hook(self, file, code):
        """Build with a hook that does something to a file of the built site."""
        start = "import pathlib\ndef on_post_build(config):\n    path = pathlib.Path"
        self.write({"hook.py": f"{start}(config.site_dir, {file!r})\n    {code}\n"})
        self.rebuild(more="hooks: [hook.py]\n")

    def function(self, condition):
        """Build with a function that lists what fulfils a condition."""
        code = f"def some(entry, page):\n    return entry if {condition} else None\n"
        self.write({"hook.py": code})
        self.rebuild(f"{OPTIONS}\ntransform: hook.py:some")


ALL = "%C3%BC%20ber/ / a/ app/ b/ guide/ guide/one/ guide/two/"
PLANTS = {}


def plant(*, known=None, unusable=False, **found):
    """Register what is planted, and what should be found: a code, and URLs with blanks between.

    The home page is ``/``. `known` has the URLs that are gone for a reason, by the reason; then
    it is no finding. `unusable` says that there is nothing to check.
    """

    def register(function):
        findings = {(code.replace("_", "-"), loc) for code in found for loc in found[code].split()}
        gone = {path: why for why, paths in (known or {}).items() for path in paths.split()}
        PLANTS[function.__name__] = function, findings, gone, unusable
        return function

    return register


# Something happens to the built site after the build.


@plant(page_absent="a/")
def a_page_is_removed(site):
    shutil.rmtree(site.out / "a")


@plant(page_absent="a/")
def a_page_gets_another_case(site):
    (site.out / "a").rename(site.out / "A")


@plant(gone="b/", not_listed="b/")
def an_entry_is_removed(site):
    site.drop("b/")


@plant(redirect="b/")
def a_redirect_replaces_a_page(site):
    site.write({"site/b/index.html": '<meta http-equiv="refresh" content="0; url=../a/">'})


@plant(noindex="a/")
def a_tag_forbids_a_page(site):
    site.head("a", '<meta name="robots" content="noindex">')


@plant(not_canonical="a/")
def another_page_is_canonical(site):
    site.edit("a/index.html", ('href="https://web.example/a/"', 'href="https://web.example/b/"'))


@plant(disallowed=f"{ALL} /")
def robots_forbids_all(site):
    site.write({"site/robots.txt": f"User-agent: *\nDisallow: /\nSitemap: {BASE}sitemap.xml\n"})


@plant(disallowed="/")
def robots_forbids_the_sitemap(site):
    site.edit("robots.txt", ("Allow: /", "Disallow: /*.xml"))


@plant(robots="/")
def robots_names_a_sitemap_that_is_gone(site):
    site.edit("robots.txt", ("Allow: /", f"Allow: /\n\nSitemap: {BASE}old.xml"))


@plant(robots="/")
def robots_names_only_another_sitemap(site):
    site.edit("robots.txt", ("sitemap.xml", "news.xml"))
    site.write({"site/news.xml": urlset(f"<url><loc>{BASE}</loc></url>").decode()})


@plant(loc_outside="/")
def the_host_of_the_pages_has_another_name(site):
    site.write({"site/CNAME": "docs.example.com\n"})


@plant()
def the_host_of_the_pages_has_its_name(site):
    site.write({"site/CNAME": "Web.example\n"})


@plant(soft_not_found="404.html", gone="b/", not_listed="b/")
def the_page_of_errors_is_listed(site):
    site.loc("b/", f"{BASE}404.html")


@plant(folder_slash="b", gone="b/")
def a_folder_lacks_its_slash(site):
    site.loc("b/", f"{BASE}b")
    site.edit("b/index.html", (' *<link rel="canonical"[^>]*>', ""))


@plant(gone="b/", loc_outside="https://www.example.com/b/", not_listed="b/")
def a_url_has_another_host(site):
    site.loc("b/", "https://www.example.com/b/")


@plant(gone="%C3%BC%20ber/", not_listed="%C3%BC%20ber/", page_absent="%25C3%25BC%2520ber/")
def a_url_is_escaped_twice(site):
    site.loc("%C3%BC%20ber/", f"{BASE}%25C3%25BC%2520ber/")


@plant(lastmod_differs="a/")
def a_page_shows_another_day(site):
    site.head("a", '<meta property="article:modified_time" content="2023-01-01">')


@plant(empty="/", gone=ALL)
def the_sitemap_is_empty(site):
    site.edit("sitemap.xml", ("<url>.*</url>", ""))


@plant(not_xml="/")
def the_sitemap_ends_too_early(site):
    site.edit("sitemap.xml", ("<loc>https://web.example/b/.*", ""))


@plant(unusable=True)
def the_sitemap_is_removed(site):
    (site.out / "sitemap.xml").unlink()
    (site.out / "sitemap.xml.gz").unlink()


# The owner changes something before the build.


@plant(known={"excluded by mkdocs.yml:7: rules[0].exclude": "guide/ guide/one/ guide/two/"})
def a_rule_excludes_too_much(site):
    site.rebuild(f"{OPTIONS}\nrules: [{{match: /guide/, exclude: true}}]")


@plant(known={"excluded by docs/b.md:3: sitemap": "b/"})
def front_matter_of_a_draft_stays(site):
    site.docs({"b.md": "---\ntitle: B\nsitemap: false\n---\n# B\n"})
    site.rebuild()


@plant(known={"excluded by mkdocs.yml: exclude_docs": "guide/ guide/one/ guide/two/"})
def exclude_docs_is_too_wide(site):
    site.rebuild(more="exclude_docs: guide\n")


@plant(known={"excluded by mkdocs.yml: draft_docs": "b/"})
def a_page_is_a_draft(site):
    site.rebuild(more="draft_docs: /b.md\n")


@plant(gone="b/")
def a_page_is_deleted(site):
    git("rm", "-q", "docs/b.md", cwd=site.folder)
    site.commit("Remove B")
    site.rebuild()


@plant(gone="guide/ guide/one/ guide/two/")
def a_page_is_renamed(site):
    site.move("guide", "manual")
    site.rebuild()


@plant(gone="b/")
def a_page_becomes_a_folder(site):
    site.move("b.md", "c.md")
    site.docs({"b/more.md": "# More\n"})
    site.commit("Add more")
    site.rebuild()


@plant(gone="app/")
def a_url_by_hand_is_dropped(site):
    site.rebuild("exclude: /internal/")


@plant(known={"transform by mkdocs.yml:7: transform": "b/"})
def a_function_drops_a_page(site):
    site.function("page is None or page.src_uri != 'b.md'")


@plant(known={"has the robots meta tag 'noindex'": "guide/ guide/one/ guide/two/"})
def the_theme_forbids_some_pages(site):
    tag = '<meta name="robots" content="noindex">'
    more = site.theme(f'{{% if "guide" in page.url %}}{tag}{{% endif %}}')
    site.rebuild(more=more)


@plant()
def the_theme_has_its_own_sitemap(site):
    site.write({"theme/sitemap.xml": urlset(HOME)})
    site.rebuild(more="theme: {name: mkdocs, custom_dir: theme}\n")


@plant(
    gone="%C3%BC%20ber/ / app/ b/ guide/ guide/one/ guide/two/",
    not_listed="/ b/ guide/ guide/one/ guide/two/",
    replaced="/",
)
def a_hook_overwrites_the_sitemap(site):
    written = urlset(f"<url><loc>{BASE}a/</loc></url>")
    site.hook("sitemap.xml", f"path.write_bytes({written!r})")


@plant(replaced="hidden/ internal/plan/", gone="app/", lastmod_git="/")
def the_plugin_is_not_named(site):
    site.rebuild()
    text = (site.folder / "mkdocs.yml").read_text()
    site.write({"mkdocs.yml": text[: text.index("  - sitemap-plus")]})
    run_in_process("build", cwd=site.folder)


@plant(unusable=True)
def the_site_has_no_url(site):
    site.rebuild(site_url="")


@plant(gone=ALL)
def the_site_is_on_another_host(site):
    site.rebuild(site_url="https://docs.example.com/")


@plant(
    not_canonical="/ guide/",
    page_absent="%C3%BC%20ber/ a/ b/ guide/one/ guide/two/",
)
def the_sitemap_is_of_a_build_with_folders(site):
    site.rebuild(OPTIONS, "--no-directory-urls")
    site.replace_sitemap((site.folder / "before.xml").read_bytes())


@plant(
    gone="%C3%BC%20ber/ a/ b/ guide/one/ guide/two/",
    known={
        "names 'https://web.example/index.html' as its canonical URL": "/",
        "names 'https://web.example/guide/index.html' as its canonical URL": "guide/",
    },
)
def all_urls_get_an_ending(site):
    site.rebuild(OPTIONS, "--no-directory-urls")


@plant(gone="app/ b/ guide/", not_listed="b/ guide/", part_missing="sitemap-2.xml")
def a_part_of_the_index_is_missing(site):
    with limits(max_urls=3):
        site.rebuild()
    (site.out / "sitemap-2.xml").unlink()


@plant(empty="/", gone="app/ b/ guide/", gzip="/", not_listed="b/ guide/")
def a_part_of_the_index_is_empty(site):
    with limits(max_urls=3):
        site.rebuild()
    site.write({"site/sitemap-2.xml": urlset()})


@plant(gone="app/ b/ guide/", not_listed="b/ guide/")
def the_index_does_not_list_a_part(site):
    with limits(max_urls=3):
        site.rebuild()
    site.edit("sitemap.xml", (r"<sitemap>\s*<loc>[^<]*-2.xml</loc>.*?</sitemap>", ""))


@plant(gone="guide/one/", not_listed="guide/one/")
def a_page_cannot_be_published(site):
    site.write({"site/guide/sitemap.xml": (site.out / "sitemap.xml").read_bytes()})
    site.drop("guide/one/")


def with_languages(site):
    """Build the site in two languages."""
    site.docs({"index.de.md": "# Start\n", "a.de.md": "# A\n"})
    site.commit("Translate", date="2024-05-01T10:00:00+0000")
    locales = "[{locale: en, default: true, name: English}, {locale: de, name: Deutsch}]"
    i18n = f"  - i18n: {{docs_structure: suffix, languages: {locales}}}\n"
    site.rebuild(more=i18n)


@plant(page_absent="de/%C3%BC%20ber/ de/ de/a/ de/b/ de/guide/ de/guide/one/ de/guide/two/")
def a_language_is_not_built(site):
    with_languages(site)
    shutil.rmtree(site.out / "de")


@plant(not_listed="de/ de/a/", hreflang_return="/ a/")
def a_language_is_not_listed(site):
    with_languages(site)
    for path in ("de/", "de/a/"):
        site.drop(path)


def marked(name):
    """The name of a plant, skipped if its build needs a plugin that is not there."""
    marks = [needs("mkdocs-static-i18n")] if "language" in name else []
    return pytest.param(name, marks=marks, id=name)


@one_in(5)
@one_in(2)
@pytest.mark.parametrize("name", [*map(marked, PLANTS)])
def test_what_is_planted_is_found(deployed, tmp_path, name):
    """All of it, under the right name."""
    function, findings, known, unusable = PLANTS[name]
    site = Planted(deployed.copy(tmp_path / "site").folder)
    function(site)
    done = run_command("check", "--format", "json", "--since", "before.xml", cwd=site.folder)
    result = json.loads(done.stdout)
    found = {
        (finding["code"], path_of(loc))
        for finding in result["findings"]
        for loc in finding["urls"] or [finding["loc"]]
    }
    assert found == findings
    gone = {path_of(url["loc"]): url["why"] for url in result["gone"]}
    assert gone == known
    assert bool(result["unusable"]) == unusable
    stops = unusable or any(code == "not-xml" for code, _ in findings)
    assert done.returncode == (2 if stops else bool(findings))


def path_of(loc):
    """A URL below the site, as the plants name it."""
    return (loc or "").removeprefix(BASE) or "/"


def test_every_reason_is_that_of_explain(deployed, tmp_path):
    """What `check` says of a page that is gone stands in `explain`, too, with file and line."""
    site = Planted(deployed.copy(tmp_path / "site").folder)
    site.docs({"b.md": "---\nsitemap: false\n---\n# B\n"})
    site.rebuild(f"{OPTIONS}\nrules: [{{match: /guide/one.md, exclude: true}}]")
    done = run_command("check", "--format", "json", "--since", "before.xml", cwd=site.folder)
    gone = json.loads(done.stdout)["gone"]
    places = {page["loc"]: page["why"].split(" by ")[1] for page in gone}
    assert len(places) == 2
    for loc, place in places.items():
        assert place in run_command("explain", loc, cwd=site.folder).stdout
