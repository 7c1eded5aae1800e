"""What a build and ``check`` say of the same pages, asked by files alone, without a project."""

import shutil
from urllib.parse import quote
from xml.sax.saxutils import escape

from commands import run
from sitemap_texts import urlset

from mkdocs_sitemap_plus import check_sitemap
from mkdocs_sitemap_plus.command.views.report_reader import report_kept_of

OF_PAGES = {"noindex", "redirect", "not-canonical", "soft-not-found"}
"""The codes with which ``check`` says that a page should not be listed."""
OUT = {"noindex", "redirect", "not canonical", "error page"}
"""The reasons of a build for the same."""


def decided_by_build(folder, url):
    """What ``build`` makes of each HTML file of a folder: its URL, or the reason that it has none.

    The last value is whether it warns of canonical URLs, which it then ignores.
    """
    for path in [*folder.rglob("sitemap*.xml*"), *folder.glob("robots.txt")]:
        path.unlink()
    _, _, err = run("build", folder, "--site-url", url)
    read = report_kept_of(folder)
    assert read, err
    pages = [page for page in (*read["pages"], *read["others"]) if "dest" in page]
    html = {page["dest"]: page for page in pages if page["dest"].endswith((".html", ".htm"))}
    listed = {dest: page["entry"]["loc"] for dest, page in html.items() if "entry" in page}
    out = {dest: page["left_out"]["reason"] for dest, page in html.items() if "left_out" in page}
    return listed, out, "canonical URL that no page of the site has" in err


def write_sitemap(folder, locs):
    """Write a sitemap of these URLs by hand, and nothing else that a build has left."""
    for path in folder.glob("sitemap*.*"):
        path.unlink()
    text = urlset(*(f"<url><loc>{escape(loc)}</loc></url>" for loc in locs))
    (folder / "sitemap.xml").write_bytes(text)


def both(top, site, url):
    """Return what a build and ``check`` say of the HTML files of a site: two dicts by path.

    A file is "listed", "out" because of what it says of itself, or in neither.
    """
    folder = top / "both"
    shutil.copytree(site, folder, symlinks=True)
    listed, out, ignores_canonicals = decided_by_build(folder, url)
    by_build = dict.fromkeys(listed, "listed")
    by_build |= {dest: "out" for dest, reason in out.items() if reason in OUT}
    urls = {dest: file_url(url, dest) for dest in (*listed, *out)} | listed
    of_url = {loc: dest for dest, loc in urls.items()}
    write_sitemap(folder, urls.values())
    wrong = {of_url[each.loc] for each in check_sitemap(folder).findings if each.code in OF_PAGES}
    if ignores_canonicals:  # both say that the site is wrong, and the build lists it all the same
        assert wrong & listed.keys()
        return {}, {}
    by_check = dict.fromkeys(wrong, "out")
    asked: set[str] = set()
    for left in urls:  # one by one, since the findings of many share one
        if rest := [loc for dest, loc in listed.items() if dest != left]:
            write_sitemap(folder, rest)
            found = check_sitemap(folder).findings
            asked |= {each.loc for each in found if each.code == "not-listed" and each.loc}
    for dest in urls:
        if file_url(url, dest) in asked:
            by_check[dest] = "asked for, and wrong if it is listed" if dest in wrong else "listed"
    others = asked - {file_url(url, dest) for dest in urls}
    by_check |= dict.fromkeys(others, "asked for, and unknown to the build")
    if len(listed) == 1:  # a sitemap without it lists nothing
        by_check |= dict.fromkeys(listed, "listed")
    return by_build, by_check


def file_url(url, dest):
    """The URL that servers have for a file of a site."""
    is_index = dest.rpartition("/")[2] == "index.html"
    return url + quote(dest.removesuffix("index.html") if is_index else dest)
