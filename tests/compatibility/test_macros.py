"""mkdocs-macros-plugin: a page is as new as the newest template that it includes."""

import pytest
from docs_pages import section

pytest.importorskip("mkdocs_macros", reason="needs mkdocs-macros-plugin")

PLUGIN = "  - macros: {include_dir: parts}\n"
PAGES = {
    "plain.md": "# Plain\n",
    "include.md": '# I\n\n{% include "a.md" %}\n',
    "dashes.md": "# D\n\n{%- include 'a.md' ignore missing -%}\n",
    "import.md": '# I\n\n{% import "sub/m.html" as m %}{{ m.f() }}\n',
    "from.md": '# F\n\n{% from "sub/m.html" import f %}{{ f() }}\n',
    "list.md": '# L\n\n{% include ["none.md", "b.md", "a.md"] %}\n',
    "missing.md": '# M\n\n{% include "none.md" ignore missing %}\n',
    "outside.md": '# O\n\n{% include "../secret.md" ignore missing %}\n',
    "nested.md": '# N\n\n{% include "nest.md" %}\n',
    "comment.md": '# C\n\n{# {% include "a.md" %} #}\n',
    "raw.md": '# R\n\n{% raw %}{% include "a.md" %}{% endraw %}\n',
    "ignored.md": '---\nrender_macros: false\n---\n# I\n\n{% include "a.md" %}\n',
}
DAYS = {
    "plain/": "2024-01-01",
    "include/": "2024-02-04",
    "dashes/": "2024-02-04",
    "import/": "2024-02-02",
    "from/": "2024-02-02",
    "list/": "2024-02-01",
    "missing/": "2024-01-01",
    "outside/": "2024-01-01",
    "nested/": "2024-02-03",
    "comment/": "2024-01-01",
    "raw/": "2024-01-01",
    "ignored/": "2024-01-01",
}


@pytest.fixture
def templates(site):
    """Pages that include templates of later days, in every way."""
    site.commit_on("2024-01-01", {f"docs/{name}": text for name, text in PAGES.items()})
    site.commit_on("2024-02-01", {"parts/b.md": "B\n"})
    site.commit_on("2024-02-02", {"parts/sub/m.html": "{% macro f() %}M{% endmacro %}\n"})
    site.commit_on("2024-01-02", {"parts/nest.md": 'Nest\n{% include "deep.md" %}\n'})
    site.commit_on("2024-02-03", {"parts/deep.md": "Deep\n"})
    site.commit_on("2024-02-04", {"parts/a.md": "A\n"})
    site.commit_on("2024-03-01", {"secret.md": "secret\n"})
    return site


def test_a_page_is_as_new_as_its_templates(templates):
    """Each statement that names one; not what Jinja does not read."""
    templates.config(more=PLUGIN)
    built = templates.build("--strict")
    assert built.days() == DAYS
    assert (built.warnings, built.notes) == ([], [])
    assert "<p>A</p>" in built.path("include/index.html").read_text("utf-8")


def test_templates_of_the_docs_folder_and_other_tags(site):
    """The folder where nothing is set; and blocks that begin in another way."""
    options = '  - macros: {j2_block_start_string: "[[%", j2_block_end_string: "%]]"}\n'
    site.commit_on(
        "2024-01-01",
        {
            "docs/index.md": '[[% include "parts/a.md" %]]\n',
            "docs/other.md": '{% include "parts/a.md" %}\n',
        },
    )
    site.commit_on("2024-01-02", {"docs/parts/a.md": "A\n"})
    site.config(more=options + "exclude_docs: parts/\n")
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-02", "other/": "2024-01-01"}
    assert (built.warnings, built.notes) == ([], [])


@pytest.mark.parametrize(
    ("comment", "statement"),
    [("<!-- -->", "<!--% %-->"), ("{%# #%}", "{% %}")],
)
def test_comments_with_other_tags(site, comment, statement):
    """What stands in them is not rendered; the usual ones are text, such as the id of a heading."""
    tags = dict(zip(("comment_start", "comment_end"), comment.split(), strict=True))
    tags |= zip(("block_start", "block_end"), statement.split(), strict=True)
    options = "".join(f"      j2_{key}_string: '{tag}'\n" for key, tag in tags.items())
    include = statement.replace(" ", ' include "parts/a.md" ')
    inside = comment.replace(" ", f" {include} ")
    texts = {"docs/index.md": f"# T {{#top}}\n\n{include}\n", "docs/other.md": f"{inside}\n"}
    site.commit_on("2024-01-01", texts)
    site.commit_on("2024-01-02", {"docs/parts/a.md": "Included\n"})
    site.config(more=f"  - macros:\n{options}exclude_docs: parts/\n")
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-02", "other/": "2024-01-01"}
    pages = [built.path(name).read_text("utf-8") for name in ("index.html", "other/index.html")]
    assert ["Included" in page for page in pages] == [True, False]


def test_pages_that_macros_render_on_request_only(site):
    """By front matter, or by the paths of the option."""
    options = "  - macros: {render_by_default: false, force_render_paths: forced.md}\n"
    include = '{% include "parts/a.md" %}\n'
    site.commit_on(
        "2024-01-01",
        {
            "docs/index.md": include,
            "docs/forced.md": include,
            "docs/asks.md": f"---\nrender_macros: true\n---\n{include}",
        },
    )
    site.commit_on("2024-01-02", {"docs/parts/a.md": "A\n"})
    site.config(more=options + "exclude_docs: parts/\n")
    days = {"": "2024-01-01", "asks/": "2024-01-02", "forced/": "2024-01-02"}
    assert site.build("--strict").days() == days


def test_in_the_text_of_a_page_its_date_is_not_known_yet(site):
    """MkDocs has the day of the build there, as the guide for those who move says."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n\nDay {{ page.update_date }}.\n"})
    site.config("page_dates: true", more="  - macros\n")
    html = site.build(SOURCE_DATE_EPOCH="1750000000").path("index.html").read_text("utf-8")
    assert "Day 2025-06-15." in html
    assert "(there, `page.update_date` is the day of the build)" in section(
        "get-started/migrate.md", "From git-revision-date-localized"
    )
