"""What holds for all sources of dates, also for a new one."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from decided import NOW, page, settings, site_of

from mkdocs_sitemap_plus.command.views.explanation import lines, row_of
from mkdocs_sitemap_plus.command.views.report_reader import from_json
from mkdocs_sitemap_plus.generator.generate import decide, summary
from mkdocs_sitemap_plus.generator.json_report import report_of, to_json
from mkdocs_sitemap_plus.generator.lastmod.date_source import Dated, DateQuery, DateSource
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.options.fields import Overrides
from mkdocs_sitemap_plus.generator.options.settings import LastmodSettings, Source
from mkdocs_sitemap_plus.generator.pages.site import Evidence, MadeFrom, Parts
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context
from mkdocs_sitemap_plus.gitdates import Change, NoDate

pytestmark = pytest.mark.usefixtures("plain_git")


@pytest.mark.parametrize("name", Source)
def test_a_source_answers_for_each_page_it_is_asked_for(tmp_path, name):
    """Also where there is no file, no repository and no project; and it says where a date is from.

    It may be asked for no page, and again after its end.
    """
    (source,) = open_sources(LastmodSettings(sources=(name,)), tmp_path, tmp_path / "docs")
    there, gone = tmp_path / "docs" / "a.md", tmp_path / "docs" / "gone.md"
    there.parent.mkdir()
    there.write_text("# A\n")
    asked = {
        ("a/index.html", "a.md"): DateQuery(Overrides(), (there,)),
        ("b/index.html", "b.md"): DateQuery(Overrides(), (gone, there)),
        ("c/index.html", "c.md"): DateQuery(Overrides(), (gone,), generated=True),
        ("d/index.html", "d.md"): DateQuery(Overrides()),
        ("e/index.html", "e.md"): DateQuery(
            Overrides(), (there,), Parts(frozenset([gone]), ("no.md",))
        ),
    }
    for queries in (asked, {}, asked):
        answers, _ = source.dates(queries)
        assert answers.keys() == queries.keys()
        for answer in answers.values():
            assert isinstance(answer, NoDate) or answer.origin.source is name
        source.close()


def test_the_sources_are_asked_in_the_order_of_the_owner():
    """Each once."""
    names = (Source.FILE, Source.FRONT_MATTER, Source.FILE)
    opened = open_sources(LastmodSettings(sources=names))
    alone = [open_sources(LastmodSettings(sources=(name,)))[0] for name in names[:2]]
    assert [type(source) for source in opened] == [type(source) for source in alone]


class Calendar(DateSource):
    """A source without commits: it knows when some pages were last read through."""

    def __init__(self, when, root):
        super().__init__(LastmodSettings(), root)
        self.when = when

    def dates(self, queries):
        """As an interface asks for it."""
        answers = dict.fromkeys(queries, NoDate("not read through", "nobody has read it through"))
        for key in queries:
            path = f"docs/{key[1]}"
            if day := self.when.get(path):
                change = Change(self.root, path, "", day, source=Source.FILE)
                answers[key] = Dated(day, change)
        return answers, ()


def outcome_of(when, *names):
    """What is decided on pages if git has no repository, and the calendar is asked then."""
    own = settings(lastmod={"sources": ["git"]})
    files = [MadeFrom(Path(f"/nowhere/docs/{name}.md"), Evidence.BUILDER) for name in names]
    pages = (page(name, made_from=(each,)) for name, each in zip(names, files, strict=True))
    site = site_of(*pages)
    sources = (*open_sources(own.lastmod), Calendar(when, site.root))
    return decide(Context(site, own, sources, NOW))


def test_a_source_without_commits_is_reported_like_any_other():
    """In the summary, by `explain` and in the reports."""
    when = datetime(2024, 5, 1, 10, tzinfo=UTC)
    outcome = outcome_of({"docs/a.md": when}, "a", "b")
    assert outcome.decisions[0].entry.lastmod == when
    assert summary(outcome._replace(files=("sitemap.xml",))) == (
        "sitemap.xml: 2 pages, 1 dated (file), 1 undated (docs/b.md)"
    )
    report = from_json(to_json(report_of(outcome)), "report.json")
    dated, undated = report["pages"]
    assert dated["because"]["lastmod"] == {
        "origin": "file",
        "repository": ".",
        "path": "docs/a.md",
        "when": "2024-05-01T10:00:00+00:00",
    }
    assert ("           file: docs/a.md", True) in [*lines(dated)]
    assert undated["undated"]["detail"] == "nobody has read it through"
    assert row_of(dated, "docs").why == "file"
