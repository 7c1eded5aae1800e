"""Whose files the pages of a sitemap are made from, by what somebody stated; a path alone is none.

Where nothing states it, a date is not compared, and the closing line says so.
"""

import json

import pytest
from compared import CONFIG, DAYS, HOME, checked, moved, numbers, said, sitemap
from servers import served
from sites import git, run_command

LISTED = json.dumps(
    [
        {"version": "2.0", "title": "2.0", "aliases": ["latest"]},
        {"version": "1.0", "title": "1.0", "aliases": []},
    ]
)
"""The list of versions that mike writes."""
PLUGIN = "plugins: [mike]\n"
MATERIAL = "extra: {version: {provider: mike}}\n"
NO_SOURCE = "no source known"


def below(folder, by=0):
    """The days of the pages in a folder of the site, moved by some days."""
    return {f"{folder}{path}": day for path, day in moved(DAYS, by).items()}


def deploy(clone, listed=LISTED, subject="Deploy"):
    """Let `origin` have a branch gh-pages with the list of versions at the top."""
    branch = git("branch", "--show-current", cwd=clone.folder)
    git("checkout", "-q", "--orphan", "pages", cwd=clone.folder)
    git("rm", "-rfq", ".", cwd=clone.folder)
    clone.write({"versions.json": listed, "1.0/index.html": subject})
    clone.commit(subject)
    git("update-ref", "refs/remotes/origin/gh-pages", "HEAD", cwd=clone.folder)
    git("checkout", "-qf", branch, cwd=clone.folder)


def page(url):
    """A built page that names its URL."""
    head = f'<head><title>{url}</title><link rel="canonical" href="{url}"></head>'
    return f"<!doctype html><html lang=en>{head}<body><p>{url}</p></body></html>"


# Versions.


@pytest.mark.parametrize("stated", ["plugin", "Material", "deployed"])
def test_a_version_that_something_states_is_compared_by_its_folder(clone, stated):
    """Mike adds the version to ``site_url`` in its build: the project file does not name it."""
    if stated == "deployed":
        deploy(clone)
    else:
        clone.write({"mkdocs.yml": CONFIG + (PLUGIN if stated == "plugin" else MATERIAL)})
    (text,), result = checked(clone, below("latest/", 10))
    assert "11 of 12 dates are later than the last change by git" in text
    assert numbers(result) == (12, 0, {"later than HEAD": 1})
    assert {each["evidence"] for each in result["git"]["sources"]} == {"the path of the page"}
    out, err = said(clone, below("2.0/"))
    assert out.startswith("No problems in 1 file with 12 URLs. Git: 12 of 12 dates are right.\n")
    assert err == ""


def test_without_such_a_statement_nothing_is_compared(clone):
    """Or if the list of versions, which mike keeps, does not name the folder."""
    out, _ = said(clone, below("latest/", 10))
    none = f"Git: 0 of 12 dates are right; 12 not judged: {NO_SOURCE} (12).\n"
    assert out.startswith(f"Nothing to mend in 1 file with 12 URLs. {none}")
    clone.write({"mkdocs.yml": CONFIG + PLUGIN})
    deploy(clone)
    assert none in said(clone, below("blog/", 10))[0]
    assert none not in said(clone, below("1.0/", 10))[0]


def test_in_an_old_version_only_later_dates_are_judged(clone):
    """It may be older than this commit. What is later than git's last change is wrong in any."""
    clone.write({"mkdocs.yml": CONFIG + MATERIAL})
    found, result = checked(clone, below("1.0/", -50))
    assert (found, numbers(result)) == ([], (12, 0, {"earlier in a version": 12}))
    days = below("1.0/", -50) | {"1.0/p0/": "2024-06-01"}
    (text,), result = checked(clone, days)
    assert text.startswith("1.0/p0/ has lastmod 2024-06-01, but docs/p0.md last changed on 2024-01")
    assert numbers(result) == (12, 0, {"earlier in a version": 11})


def test_a_version_that_the_list_beside_it_names_is_one_without_a_project_file(book):
    """As with one."""
    book.write(
        {"pages/versions.json": LISTED, "pages/1.0/sitemap.xml": sitemap(below("1.0/", -50))}
    )
    given = ("--docs-dir", "docs", "--site-url", f"{HOME}1.0/")
    done = run_command("check", "pages/1.0/sitemap.xml", *given, cwd=book.folder)
    assert "Git: 0 of 12 dates are right; 12 not judged:" in done.stdout
    assert "earlier in a version" in done.stdout


def test_the_dates_of_the_sites_that_an_index_beside_them_lists_are_compared(clone):
    """Each with its own site."""
    clone.write({"mkdocs.yml": CONFIG + PLUGIN, "pages/versions.json": LISTED})
    for name in ("1.0/", "2.0/"):
        pages = {f"pages/{path}index.html": page(HOME + path) for path in below(name)}
        clone.write({**pages, f"pages/{name}sitemap.xml": sitemap(below(name))})
    given = ("--url", HOME, "-o", "pages/sitemap.xml")
    assert run_command("index", "pages", *given, cwd=clone.folder).returncode == 0
    done = run_command("check", "pages", cwd=clone.folder)
    assert done.stdout == "No problems in 3 files with 24 URLs. Git: 24 of 24 dates are right.\n"


def test_what_was_picked_for_an_old_version_may_be_later_there(clone):
    """Mike's commit names the one from which a version was deployed, perhaps of another branch."""
    branch = git("branch", "--show-current", cwd=clone.folder)
    git("checkout", "-q", "-b", "1.x", cwd=clone.folder)
    clone.commit_on("2024-08-08", {"docs/p0.md": "# The same correction\n"})
    picked = git("rev-parse", "--short", "HEAD", cwd=clone.folder)
    git("checkout", "-q", branch, cwd=clone.folder)
    days = below("1.0/", -50) | {"1.0/p0/": "2024-08-08", "1.0/p1/": "2024-08-08"}
    deploy(clone)
    assert [text[:7] for text in checked(clone, days)[0]] == ["1.0/p0/", "1.0/p1/"]
    git("branch", "-q", "-D", "pages", cwd=clone.folder)
    deploy(clone, subject=f"Deployed {picked} to 1.0 with MkDocs 1.6.1 and mike 2.1.3")
    assert [text[:7] for text in checked(clone, days)[0]] == ["1.0/p1/"]


def test_a_version_whose_sitemap_has_parts_is_one_site(clone):
    """The folder that the URLs of all parts share is that of the version."""
    clone.write({"mkdocs.yml": CONFIG + PLUGIN})
    clone.commit_on("2024-12-11", {"docs/guide/a.md": "# A\n", "docs/guide/b.md": "# B\n"})
    more = {f"latest/guide/{name}/": "2024-12-11" for name in "ab"}
    parts = {"one.xml": below("latest/", 10), "two.xml": more}
    for name, part in parts.items():
        (clone.folder / name).write_text(sitemap(part))
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    names = "".join(f"<sitemap><loc>{HOME}latest/{name}</loc></sitemap>" for name in parts)
    text = f'<sitemapindex xmlns="{space}">{names}</sitemapindex>'
    (clone.folder / "live.xml").write_text(text)
    done = run_command("check", "live.xml", cwd=clone.folder)
    assert "11 of 14 dates are later" in done.stdout
    assert "Git: 2 of 14 dates are right; 1 not judged: later than HEAD (1).\n" in done.stdout


def test_a_version_on_the_web_or_in_its_folder_is_compared_too(clone):
    """By its URL; a built folder also by the list beside it, without mike in the project file."""
    with served() as (url, show):
        public = clone.folder / "public"
        (public / "2.0").mkdir(parents=True)
        show(public)
        clone.write({"public/versions.json": LISTED})
        for name in DAYS:
            clone.write({f"public/2.0/{name}/index.html": page(f"{url}2.0/{name}/")})
        (public / "2.0" / "sitemap.xml").write_text(sitemap(below("2.0/", 10), url))
        clone.write({"mkdocs.yml": CONFIG.replace(HOME, url)})
        in_folder = run_command("check", "public/2.0", cwd=clone.folder)
        named = run_command("check", "-f", "mkdocs.yml", "public", cwd=clone.folder)
        clone.write({"mkdocs.yml": CONFIG.replace(HOME, url) + PLUGIN})
        on_web = run_command("check", f"{url}2.0/", cwd=clone.folder)
        (public / "2.0").rename(clone.folder / "site")  # mike builds into `site_dir`
        built = run_command("check", cwd=clone.folder)
    for done in (in_folder, named, on_web, built):
        assert "11 of 12 dates are later than the last change by git" in done.stdout


def test_a_page_with_a_source_at_both_places_is_not_judged(clone):
    """``latest/p1.md`` may be a page of the site that lies beside its versions."""
    clone.write({"mkdocs.yml": CONFIG + PLUGIN})
    clone.commit_on("2024-12-11", {"docs/latest/p1.md": "# P1\n"})
    found, result = checked(clone, below("latest/") | {"latest/p1/": "2020-01-01"})
    assert (found, numbers(result)) == ([], (12, 11, {"two possible sources": 1}))


# What looks like a version, and is none: the dates are true.


def languages(clone):
    """Languages that a script builds one by one, from one project file."""
    for day, name in zip(("2024-02-02", "2024-03-03"), ("p0", "p1"), strict=True):
        clone.commit_on(day, {f"de/{name}.md": f"# {name}\n"})
    return {"de/p0/": "2024-02-02", "de/p1/": "2024-03-03"}


def project_below(clone):
    """A project with a file of its own, whose pages have the names of those of the other one."""
    clone.write({"api/mkdocs.yml": CONFIG.replace(HOME, f"{HOME}api/")})
    clone.commit_on("2024-02-02", {"api/docs/p0.md": "# P0 of the API\n"})
    clone.commit_on("2024-03-03", {"api/docs/p1.md": "# P1 of the API\n"})
    return {"api/p0/": "2024-02-02", "api/p1/": "2024-03-03"}


def blog(clone):
    """A blog of another builder, below the URL of the project."""
    clone.commit_on("2024-02-02", {"blog/content/p0.md": "# P0 of the blog\n"})
    return {"blog/p0/": "2024-02-02", "blog/p3/": "2024-02-02", "blog/": "2024-02-02"}


def preview(clone):
    """The preview of a pull request, whose commits are not here."""
    return below("pr-preview/pr-7/", -60)


def docusaurus(clone):
    """A list with this name, but of another program: the versions are beside the docs folder."""
    clone.write({"versions.json": '["2.0", "1.0"]'})
    return below("2.0/", -60)


def api_versions(clone):
    """Pages on the versions of an API, in the docs folder of a site with mike."""
    clone.write({"mkdocs.yml": CONFIG + PLUGIN})
    clone.commit_on("2024-02-02", {"docs/v1/p0.md": "# P0 of v1\n", "docs/v1/p1.md": "# P1\n"})
    return {"v1/p0/": "2024-02-02", "v1/p1/": "2024-02-02"}


NO_VERSIONS = {
    languages: (0, {NO_SOURCE: 2}),
    project_below: (2, {}),
    blog: (0, {NO_SOURCE: 3}),
    preview: (0, {NO_SOURCE: 12}),
    docusaurus: (0, {NO_SOURCE: 12}),
    api_versions: (0, {"two possible sources": 2}),
}


@pytest.mark.parametrize("shape", NO_VERSIONS, ids=lambda shape: shape.__name__)
def test_true_dates_of_another_site_below_this_one_are_no_findings(clone, shape):
    """Each has pages with the paths of this project's pages, and other dates."""
    right, why = NO_VERSIONS[shape]
    days = shape(clone)
    found, result = checked(clone, days)
    assert (found, numbers(result)) == ([], (len(days), right, why))


def test_a_folder_of_another_site_is_compared_by_its_edit_links_alone(clone):
    """Also if the project is named: the paths in the folder of a language are those of all."""
    days = languages(clone)
    git("remote", "add", "origin", "https://github.com/ann/book.git", cwd=clone.folder)
    branch = git("branch", "--show-current", cwd=clone.folder)
    for path in days:
        link = (
            f'<a class="edit" href="https://github.com/ann/book/edit/{branch}/{path[:-1]}.md">E</a>'
        )
        html = page(HOME + path).replace("</p>", f"</p>{link}")
        clone.write({f"site/{path}index.html": html})
    (clone.folder / "site/de/sitemap.xml").write_text(sitemap(days))
    done = run_command("check", "-f", "mkdocs.yml", "site/de", cwd=clone.folder)
    assert "No problems in 1 file with 2 URLs. Git: 2 of 2 dates are right.\n" in done.stdout


def test_a_language_that_is_built_alone_has_its_docs_dir(clone):
    """By the option `alternates`, for the project file of each language."""
    days = languages(clone)
    own, other = f"en: {{url: {HOME}, docs_dir: docs}}", f"de: {{url: {HOME}de/, docs_dir: de}}"
    options = f"{{{own}, {other}}}"
    clone.write({"mkdocs.yml": f"{CONFIG}plugins:\n- sitemap-plus: {{alternates: {options}}}\n"})
    found, result = checked(clone, days)
    assert (found, numbers(result)) == ([], (2, 2, {}))
    wrong, result = checked(clone, dict.fromkeys(days, "2023-01-01"))
    assert [text.split(", but ")[1][:27] for text in wrong] == [
        "de/p0.md last changed on 20",
        "de/p1.md last changed on 20",
    ]


def test_a_project_below_this_one_judges_its_own_pages(clone):
    """By its own options. Where two such files name the same URL, nobody knows."""
    days = dict.fromkeys(project_below(clone), "2020-01-01")
    found, _ = checked(clone, days)
    assert [text.split(", but ")[1][:27] for text in found] == [
        "api/docs/p0.md last changed",
        "api/docs/p1.md last changed",
    ]
    text = CONFIG.replace(HOME, f"{HOME}api/") + "docs_dir: other\n"
    clone.write({"api/mkdocs.test.yml": text, "api/other/p0.md": "# Other\n"})
    clone.commit()
    found, result = checked(clone, days)
    assert (found, numbers(result)) == ([], (2, 0, {NO_SOURCE: 2}))
    clone.write({"api/mkdocs.test.yml": "", "api/mkdocs.yml": f"{text}docs_dir: gone\n"})
    found, result = checked(clone, days)
    assert (found, numbers(result)) == ([], (2, 0, {NO_SOURCE: 2}))


# A folder of sources that a person names.


@pytest.fixture
def book(clone):
    """A site of another builder: no project file, and no links to edit pages."""
    (clone.folder / "mkdocs.yml").unlink()
    clone.commit_on("2024-12-11", {"docs/guide/index.md": "# Guide\n"})
    clone.commit_on("2024-12-12", {"docs/p1/index.md": "# P1 again\n"})
    clone.commit_on("2024-12-13", {"docs/moved.md": "---\nslug: elsewhere\n---\n# Moved\n"})
    return clone


PATHS = {**moved(DAYS, 0), "guide/": "2024-12-11", "moved/": "2024-12-13"}
JUDGED = (14, 12, {"two possible sources": 1, NO_SOURCE: 1})


def test_a_folder_of_sources_needs_no_project_file(book):
    """By the rules of `build`: two files are none, nor is one that has another address."""
    found, result = checked(book, PATHS, "--docs-dir", "docs")
    assert (found, numbers(result)) == ([], JUDGED)
    found, _ = checked(book, {"p3/": "2020-01-01"}, "--docs-dir", "docs")
    assert found[0].startswith("p3/ has lastmod 2020-01-01, but docs/p3.md last changed on 2024-04")
    for path in PATHS:
        book.write({f"public/{path}index.html": page(HOME + path)})
    run_command("build", "public", "--site-url", HOME, "--docs-dir", "docs", cwd=book.folder)
    text = (book.folder / "public/sitemap.xml").read_text()
    assert text.count("<lastmod>") == JUDGED[1]  # the pages whose dates were judged


def test_the_page_of_a_section_in_hugo_lists_others_and_is_not_judged(book):
    """Its date may rightly be that of the newest page in it."""
    book.commit_on("2024-12-14", {"docs/news/_index.md": "# News\n"})
    book.commit_on("2025-12-14", {"docs/news/a.md": "# A\n"})
    days = {"news/": "2025-12-14", "news/a/": "2025-12-14"}
    found, result = checked(book, days, "--docs-dir", "docs")
    assert (found, numbers(result)) == ([], (2, 1, {NO_SOURCE: 1}))


def test_its_paths_begin_at_the_url_of_the_site(book):
    """Without it, at the folder of the sitemap's URL, and for a file at the root of the host."""
    days = {f"docs/{path}": day for path, day in PATHS.items()}
    assert numbers(checked(book, days, "--docs-dir", "docs")[1]) == (14, 0, {NO_SOURCE: 14})
    named = checked(book, days, "--docs-dir", "docs", "--site-url", f"{HOME}docs")
    assert (named[0], numbers(named[1])) == ([], JUDGED)
    with served() as (url, show):
        public = book.folder / "public"
        (public / "docs").mkdir(parents=True)
        show(public)
        (public / "docs" / "sitemap.xml").write_text(sitemap(days, url))
        done = run_command("check", f"{url}docs/", "--docs-dir", "docs", cwd=book.folder)
    assert "Git: 12 of 14 dates are right; 2 not judged" in done.stdout


def test_it_serves_a_built_folder_whose_pages_have_no_edit_link(book):
    """Also below a project file, which is that of another site of the repository."""
    for path in PATHS:
        book.write({f"public/{path}index.html": page(f"{HOME}docs/{path}")})
    (book.folder / "public/sitemap.xml").write_text(sitemap(PATHS, f"{HOME}docs/"))
    without = run_command("check", "public", cwd=book.folder)
    book.write({"mkdocs.yml": "site_name: Other\n"})
    assert "Git was not asked: no project file, no --docs-dir.\n" in without.stdout
    done = run_command("check", "public", "--docs-dir", "docs", cwd=book.folder)
    assert "Git: 12 of 14 dates are right; 2 not judged: " in done.stdout
    both = run_command("check", "-f", "mkdocs.yml", "--docs-dir", "docs", cwd=book.folder)
    assert "--docs-dir is for a site without a project file." in both.stderr


def test_the_url_of_the_site_may_be_another_than_that_of_the_project(clone):
    """Such as that of a preview, whose sitemap somebody saved."""
    days = {f"preview/{path}": day for path, day in moved(DAYS, 0).items()}
    assert numbers(checked(clone, days)[1]) == (12, 0, {NO_SOURCE: 12})
    result = checked(clone, days, "--site-url", f"{HOME}preview/")[1]
    assert numbers(result) == (12, 12, {})


# The closing line.


@pytest.mark.parametrize("of", ["file", "URL"])
def test_without_a_project_file_git_is_not_asked(clone, web, of):
    """In the clone of a site by Sphinx, say."""
    (clone.folder / "mkdocs.yml").unlink()
    web.pages["/sitemap.xml"] = sitemap({"p0/": "2026-11-01"}, web.url).encode()
    (clone.folder / "live.xml").write_text(sitemap({"p0/": "2026-11-01"}))
    name = "live.xml" if of == "file" else f"{web.url}sitemap.xml"
    done = run_command("check", name, cwd=clone.folder)
    assert done.stdout.startswith(
        "Nothing to mend in 1 file with 1 URL. Git was not asked: no project file, no --docs-dir.\n"
    )
    assert "not asked" not in done.stderr
    result = json.loads(run_command("check", name, "--format", "json", cwd=clone.folder).stdout)
    assert result["git"] is None
    assert {"what": "git", "why": "Git was not asked: no project file, no --docs-dir."} in (
        result["not_checked"]
    )


def test_a_file_of_another_site_may_be_of_another_project(clone):
    """As a URL is; the closing line says how to name it."""
    (clone.folder / "live.xml").write_text(sitemap(moved(DAYS, 0), "https://other.example/"))
    done = run_command("check", "live.xml", cwd=clone.folder)
    assert done.stdout.startswith(
        "Nothing to mend in 1 file with 12 URLs. Git was not asked: mkdocs.yml says that its site "
        f"is '{HOME}', and so 'https://other.example' may be of another project. If it is of this "
        "one, name it: -f mkdocs.yml.\n"
    )


def test_who_ignores_wrong_dates_reads_how_many_there_are(clone):
    """`--ignore lastmod-git` makes no date right."""
    out, _ = said(clone, moved(DAYS, -50), "--ignore", "lastmod-git,same-lastmod")
    assert out.startswith(
        "Nothing to mend in 1 file with 12 URLs. "
        "Git: 0 of 12 dates are right; 12 not judged: accepted by --ignore (12).\n"
    )


def test_what_was_not_judged_is_counted_by_its_reason(clone):
    """In one line, with what is wrong."""
    clone.commit_on("2024-12-11", {"docs/p0/index.md": "# P0 again\n", "mkdocs.yml": CONFIG})
    clone.write({"docs/new.md": "# Not committed\n"})
    days = moved(DAYS, 0) | {"p3/": "2020-01-01", "gone/": "2024-01-01", "new/": "2024-01-01"}
    out, _ = said(clone, days)
    assert (
        "1 warning in 1 file with 14 URLs. Git: 10 of 14 dates are right; 3 not judged: git has no "
        "date (1), two possible sources (1), no source known (1).\n"
    ) in out


def test_a_sitemap_without_dates_has_no_sentence_on_git(clone):
    """There is nothing to ask."""
    assert said(clone, dict.fromkeys(moved(DAYS, 0)))[0].startswith(
        "No problems in 1 file with 12 URLs.\n"
    )


def test_sitemaps_of_another_host_beside_others_are_counted(clone):
    """As the old versions of mike in a deployed branch: one note says why."""
    clone.write({"mkdocs.yml": CONFIG + PLUGIN, "pages/versions.json": LISTED})
    for name, home in {"2.0": HOME, "1.0": "https://old.example/"}.items():
        text = sitemap(below(f"{name}/"), home)
        clone.write({f"pages/{name}/sitemap.xml": text, f"pages/{name}/a.html": page(home)})
    done = run_command("check", "pages", "--ignore", "loc-outside,page-absent", cwd=clone.folder)
    assert done.stderr.count("and so 'https://old.example' may be of another project") == 1
    assert f"Git: 12 of 24 dates are right; 12 not judged: {NO_SOURCE} (12).\n" in done.stdout
