"""Reports of the option ``report``, made of pages."""

BASE = "https://x.example/docs/"


def a_report(*pages, **changes):
    """A report on some pages."""
    return {
        "format": "mkdocs-sitemap-plus report",
        "version": 2,
        "site": {"url": BASE, "project_file": "mkdocs.yml", "docs_dir": "docs"},
        "files": ["sitemap.xml", "sitemap.xml.gz"],
        "counts": {},
        "problems": [],
        "pages": list(pages),
        "others": [],
    } | changes


def a_page(number, *, day="2024-01-05", origin="git", section="", out=None, **changes):
    """A page by its number: listed, or left out."""
    path = f"{section}p{number}"
    loc = f"{BASE}{path}/"
    page = {
        "loc": loc,
        "source": f"{path}.md",
        "dest": f"{path}/index.html",
        "title": f"Page {number}",
    }
    if out:
        return page | {"left_out": out} | changes
    because = {"origin": origin, "commit": f"{number:040x}", "path": f"docs/{path}.md"}
    dated = {"lastmod": day} if day else {}
    says = {"lastmod": because} if day else {}
    return page | {"entry": {"loc": loc} | dated, "because": says} | changes
