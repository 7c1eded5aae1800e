"""mkdocs-section-index: a section of the navigation is a page as well."""

import json

from sites import MATERIAL, needs, run_command

pytestmark = needs("mkdocs-section-index", "mkdocs-material")


def test_both_doors_give_the_page_of_a_section_the_same_title(site):
    """That of the section, unless the page has its own title or is the home page."""
    names = ["index", "a", "sub/index", "sub/b", "own/index", "sub/deep/c"]
    site.docs({f"{name}.md": f"# Heading {name}\n" for name in names})
    deep = "{Deep: [sub/deep/c.md]}"
    nav = (
        "nav:\n  - Start: [index.md, a.md]\n"
        f"  - Section: [sub/index.md, sub/b.md, {deep}]\n"
        "  - Other: [{Own: own/index.md}]\n"
    )
    site.config("report: report.json", theme=MATERIAL, more=f"  - section-index\n{nav}")
    site.commit()
    site.build("--strict")

    def titles():
        report = json.loads((site.folder / "report.json").read_text())
        return {page["source"]: page["title"] for page in report["pages"]}

    by_plugin = titles()
    assert by_plugin["sub/index.md"] == "Section"
    assert run_command("build", cwd=site.folder).returncode == 0
    assert titles() == by_plugin
