"""README and docs as tests read them: pages, fenced blocks, sections, tables."""

import re
from pathlib import Path

from markdown.extensions.toc import slugify

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
HOME = DOCS / "index.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def name_of(page):
    """The path of a page, as the tests show it."""
    return page.relative_to(ROOT).as_posix()


def fenced(text):
    """The language and the text of each fenced block, without the indentation of lists."""
    fence = r"^( *)```([\w-]*)(?: [^\n]*)?\n(.*?)^\1```$"
    for indent, language, block in re.findall(fence, text, re.DOTALL | re.MULTILINE):
        yield language, re.sub(rf"^{indent}", "", block, flags=re.MULTILINE)


def blocks(text, language):
    """The fenced blocks of one language."""
    return [block for found, block in fenced(text) if found == language]


def marked(name, page=README):
    """The block of the README, or of another page, behind ``<!-- name -->``."""
    match = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    return match[1]


def section(page, heading):
    """The text under a heading of the second level of a page of the docs."""
    text = (DOCS / page).read_text("utf-8")
    return re.search(
        rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE
    )[1]


def rows(text):
    """The rows of the first table, as lists of cells, without its head; `||` stays in a cell."""
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].splitlines()[2:]
    cells = (re.split(r"(?<!\|)\|(?!\|)", row.strip("|")) for row in table)
    return [[cell.strip() for cell in row] for row in cells]


def anchors(page):
    """The anchors of the headings of a page, as MkDocs makes them, but for repeated ones."""
    text = re.sub(
        r"^( *)```.*?^\1```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    headings = re.findall(r"^#+ (.*?)(?: \{ *#(.*?) *\})?$", text, re.MULTILINE)
    return {name or slugify(heading.replace("`", ""), "-") for heading, name in headings}
