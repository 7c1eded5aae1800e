"""mkdocs-git-revision-date-localized-plugin: its dates for readers, and those of the sitemap."""

import re

import pytest
from heads import dates_in_head
from sites import MATERIAL, git, needs, run_command

from mkdocs_sitemap_plus.html.stated_dates import SHOWN, stated_dates

pytestmark = needs("mkdocs-git-revision-date-localized-plugin")

NAME = "mkdocs-git-revision-date-localized"
MAY, JUNE = ({"lastmod": f"2024-0{month}-01T10:00:00+00:00"} for month in (5, 6))
WITH = "  - git-revision-date-localized: {{enable_parallel_processing: false{}}}\n"
REMOVE = "Remove it and set `page_dates: true`"
ACCEPT = "or accept this with `page_dates: false`."


def with_plugin(options=""):
    """The plugin's entry in `plugins`; it starts no processes of its own."""
    return WITH.format(f", {options}" if options else "")


@pytest.fixture
def merged(site):
    """A page that was changed on a branch on 2 February, and merged on 20 May; one of January."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/a.md": "# A\n"})
    main = git("branch", "--show-current", cwd=site.folder)
    git("checkout", "-q", "-b", "topic", cwd=site.folder)
    site.commit_on("2024-02-02", {"docs/a.md": "# A, newer\n"})
    git("checkout", "-q", main, cwd=site.folder)
    date = "2024-05-20T10:00:00+0000"
    git("merge", "-q", "--no-ff", "-m", "Merge", "topic", cwd=site.folder, date=date)
    return site


def shown(built, page):
    """The day below the content of a page in Material."""
    html = built.path(f"{page}index.html").read_text("utf-8")
    return [each.text for each in stated_dates(html, None) if each.where == SHOWN]


def test_our_dates_are_our_own(site):
    """The page that git does not know has none, though that plugin gives it one of today."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(
        theme=MATERIAL,
        more="  - git-revision-date-localized: {timezone: Asia/Taipei, strict: false}\n",
    )
    site.commit(date="2024-05-01T10:00:00+0000")
    site.docs({"a.md": "# A, newer\n"})
    site.commit(date="2024-06-01T10:00:00+0000")
    site.docs({"untracked.md": "# Untracked\n"})
    built = site.build()
    assert built.by_loc() == {"": MAY, "a/": JUNE, "untracked/": {}}
    assert (built.warnings, built.notes) == ([], [])


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ("", f"{REMOVE}, {ACCEPT}"),
        ("page_dates: true", f"Remove it, {ACCEPT}"),
        ("lastmod: {timezone: Asia/Taipei, git: {date: commit}}", None),
    ],
    ids=["published", "page_dates", "commit"],
)
def test_one_line_says_that_it_shows_other_days(merged, options, fix):
    """With both days of a page, and two ways out; no line if the days agree."""
    merged.config(options, theme=MATERIAL, more=with_plugin())
    built = merged.build("--strict", found=["lastmod-differs"] if fix else [])
    day = "docs/a.md: 2024-02-02, not 2024-05-20"
    line = f"{NAME} shows another day than the sitemap on 1 page ({day})."
    assert built.notes == ([f"{line} {fix}"] if fix else [])


def test_an_owner_who_wants_both_dates_says_so_and_the_line_is_gone(merged):
    """Only the day of that plugin is then on the page, as without the option."""
    merged.config("", theme=MATERIAL, more=with_plugin())
    before = merged.build("--strict", found=["lastmod-differs"])
    pages = {page: before.path(page).read_bytes() for page in ("index.html", "a/index.html")}
    merged.config("page_dates: false", theme=MATERIAL, more=with_plugin())
    built = merged.build("--strict", found=["lastmod-differs"])
    assert (built.warnings, built.notes) == ([], [])
    assert {page: built.path(page).read_bytes() for page in pages} == pages


def test_check_finds_the_pages_that_show_other_days(merged):
    """As the visitor sees them: the build names them, and so does the check of the built site."""
    merged.config(theme=MATERIAL, more=with_plugin())
    merged.build("--strict", found=["lastmod-differs"])
    done = run_command("check", "site", cwd=merged.folder)
    (line,) = [each for each in done.stdout.splitlines() if "lastmod-differs" in each]
    assert "https://web.example/a/: has lastmod 2024-05-20, but the page has " in line
    assert "'February 2, 2024'" in line


@pytest.mark.parametrize(("kind", "locale"), [("timeago", "en"), ("custom", "en"), ("date", "de")])
def test_beside_page_dates_its_visible_date_stays(merged, kind, locale):
    """Nor does the head of the page state a different day than the one that people see."""
    plugin = with_plugin(f"type: {kind}, locale: {locale}")
    merged.config("page_dates: true", theme=MATERIAL, more=plugin)
    built = merged.build("--strict", found=["lastmod-differs"])
    html = built.path("a/index.html").read_text("utf-8")
    facts = re.findall(r'class="git-revision-date-localized-plugin [^"]*-(\w+)"', html)
    assert facts[0] == kind
    assert "<time" not in html
    assert "2024-05-20" not in html
    assert dates_in_head(html) == ([], [])
    home = built.path("index.html").read_text("utf-8")
    assert dates_in_head(home)[0] == ["2024-01-01T10:00:00+00:00"]


def test_without_it_material_shows_the_day_at_the_same_place(merged):
    """The day of the sitemap in place of its day, in the same words where they agree."""
    pytest.importorskip("babel")
    merged.config(theme=MATERIAL, more=with_plugin())
    before = merged.build("--strict", found=["lastmod-differs"])
    assert [shown(before, page) for page in ("", "a/")] == [
        ["January 1, 2024"],
        ["February 2, 2024"],
    ]
    html = before.path("index.html").read_text("utf-8")
    span = re.search(r'<span class="git-revision-date[^>]*>([^<]*)</span>', html)
    merged.config("page_dates: true", theme=MATERIAL)
    after = merged.build("--strict")
    time = f'<time datetime="2024-01-01T10:00:00+00:00">{span[1]}</time>'
    expected = html.replace(span[0], time).partition('<aside class="md-source-file">')[2]
    built = after.path("index.html").read_text("utf-8").partition('<aside class="md-source-file">')
    assert built[2].partition("</aside>")[0] == expected.partition("</aside>")[0]
    assert shown(after, "a/") == ["2024-05-20T10:00:00+00:00"]
