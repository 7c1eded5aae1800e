"""The documentation as it is built: its HTML, read by lxml, shows what the Markdown means."""

import re
import subprocess
import sys
from pathlib import PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from docs_pages import DOCS, ROOT, name_of
from lxml import html
from sites import clean_environment

pytest.importorskip("material", reason="the theme of the docs")
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="only a whole checkout has the docs")

SITE = "https://docs.example/"
RAW = re.compile(
    r"\|"  # a table
    r"|\]\(|\]\[|\]:"  # a link
    r"|`|\*\*|__|~~|<!--"  # code, emphasis, a comment
    r"|\{ *[.#:]|\{ *\w+=|\}$"  # attributes
    r"|^ *(#{1,6}|===|!!!|\?\?\?|--8<--) |\n *([-*+>]|\d+\.) ",  # the beginning of a block
    re.MULTILINE,
)
"""What no reader should see outside of code: a mark of Markdown that was not understood."""
CODE = ("code", "pre", "script", "style", "kbd")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The tree of each page of the built documentation, by the URL of the page."""
    folder = tmp_path_factory.mktemp("docs")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-d", folder],
        check=True,
        cwd=ROOT,
        env=clean_environment(READTHEDOCS_CANONICAL_URL=SITE),
    )
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        url = SITE + re.sub(r"(^|/)index\.html$", r"\1", name)
        if path.suffix == ".html":
            found[url] = html.document_fromstring(path.read_bytes())
        elif path.is_file():
            found[url] = None
    return found


def articles(pages):
    """The URL and the text of each page, without header, navigation and footer."""
    shown = ((url, tree.find(".//article")) for url, tree in pages.items() if tree is not None)
    return {url: article for url, article in shown if article is not None}


def texts(element):
    """Each piece of text of an element that is not code."""
    if not isinstance(element.tag, str) or element.tag in CODE:
        return
    yield element.text or ""
    for child in element:
        yield from texts(child)
        yield child.tail or ""


def test_no_page_shows_marks_of_markdown(pages):
    """A bar of a table, a bracket of a link, a backtick: each would be of something broken."""
    found = {
        url: raw
        for url, article in articles(pages).items()
        if (raw := [text for text in texts(article) if RAW.search(text)])
    }
    assert len(articles(pages)) > 20
    assert found == {}


def test_each_row_has_as_many_cells_as_the_head(pages):
    """In the HTML; and the Markdown has no more, since what is too much would be left out."""
    for url, article in articles(pages).items():
        for table in article.iter("table"):
            head, *rows = table.iter("tr")
            assert {len(row) for row in rows} == {len(head)}, (url, html.tostring(head))
    for page in DOCS.rglob("*.md"):
        text = re.sub(
            r"^( *)```.*?^\1```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        for table in re.findall(r"(?:^ *\|.*\n)+", text, re.MULTILINE):
            bare = re.sub(r"(`+).*?\1|\\\|", "", table).splitlines()
            assert len({row.strip().count("|") for row in bare}) == 1, (name_of(page), table)


def test_each_link_and_image_is_there(pages):
    """Within the site: the file, and the heading or another element with this id."""
    ids = {
        url: {each.get("id") for each in tree.iter() if each.get("id")}
        for url, tree in pages.items()
        if tree is not None
    }
    lost = []
    for url, tree in pages.items():
        if tree is None or PurePosixPath(urlsplit(url).path).name == "404.html":
            continue  # the error page is shown at any address
        sources = ((each, "src", each.get("srcset"), 0) for each in tree.iter("source"))
        for element, attribute, link, _ in (*tree.iterlinks(), *sources):
            target, _, anchor = urljoin(url, link).partition("#")
            target = unquote(target).partition("?")[0]
            if attribute not in ("href", "src") or not target.startswith(SITE):
                continue
            if target not in pages or (anchor and unquote(anchor) not in ids.get(target, ())):
                lost.append((url, element.tag, link))
    assert len(ids) > 20
    assert lost == []
