"""Any entries make a well-formed, valid sitemap that reads back equal."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

from decided import NOINDEX
from hypothesis import example, given
from hypothesis import strategies as st
from one_file import one_file
from sitemap_xml import read_entries, validate
from strategies import LOCS, MOMENTS, PRIORITIES

from mkdocs_sitemap_plus.files import Mark
from mkdocs_sitemap_plus.generator.generate import decide
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.options.table import read_options
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.site import Site, SourcePage
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context
from mkdocs_sitemap_plus.html.page_says import PageSays
from mkdocs_sitemap_plus.sitemap.entries import Changefreq, UrlEntry

NOW = datetime(2026, 11, 20, tzinfo=UTC)

ENTRIES = st.builds(
    UrlEntry,
    loc=LOCS,
    lastmod=st.none() | st.dates() | MOMENTS,
    changefreq=st.none() | st.sampled_from(Changefreq),
    priority=st.none() | PRIORITIES,
)
HARD = UrlEntry(loc="https://web.example/?a=1&b='\"<>&amp;&apos;")


def read_back(fields):
    """The entry that a reader understands."""
    when = fields.get("lastmod")
    kind = date if when and len(when) == len("2026-11-20") else datetime
    return UrlEntry(
        loc=fields["loc"],
        lastmod=kind.fromisoformat(when) if when else None,
        changefreq=Changefreq(fields["changefreq"]) if "changefreq" in fields else None,
        priority=Decimal(fields["priority"]) if "priority" in fields else None,
    )


@given(st.lists(ENTRIES, min_size=1, max_size=8, unique_by=lambda entry: entry.loc))
@example([HARD])
@example([replace(HARD, loc=f"https://web.example/{number}/") for number in range(1201)])
def test_any_entries_are_valid_and_read_back_as_they_were(entries):
    """XML, the schemas, and every field of every entry, in order."""
    data = one_file(entries)
    validate(data)
    assert [read_back(fields) for fields in read_entries(data)] == entries
    assert b"\r" not in data
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset ')
    assert data.endswith(f"</urlset>\n{Mark.SITEMAP}\n".encode())


NAMES = st.text(st.sampled_from("ab-_%'& ü/"), min_size=1, max_size=6)
FRONT_MATTER = st.fixed_dictionaries(
    {},
    optional={
        "priority": st.sampled_from([0.5, "1", "x", 7, True]),
        "changefreq": st.sampled_from(["daily", "Weekly", "x"]),
        "lastmod": st.sampled_from([date(2024, 1, 2), "2024-01-02T10:00Z", "x", False])
        | st.dates(date(2024, 1, 1), date(2024, 1, 9)),
        "sitemap": st.booleans(),
    },
)


def page_of(name, meta, loc, noindex):
    return SourcePage(
        src_uri=f"{name}.md",
        file=f"docs/{name}.md",
        dest_uri=f"{name}/index.html",
        loc=f"https://web.example/{quote(loc)}/",
        meta=meta,
        built=NOINDEX if noindex else PageSays(),
    )


PAGES = st.lists(
    st.builds(page_of, NAMES, FRONT_MATTER, NAMES, st.booleans()),
    max_size=8,
    unique_by=lambda page: page.src_uri,
)


def outcome_of(pages):
    site = Site(
        url="https://web.example/",
        has_url_key=True,
        project_file="mkdocs.yml",
        docs_dir=Path("/nowhere/docs"),
        site_dir=Path("/nowhere/site"),
        reads_sitemap=True,
        instant=True,
        serving=False,
        root=Path("/nowhere"),
        default_locale=None,
        include_options=IncludeOptions(docs_dir=Path("/nowhere/docs")),
        pages=tuple(pages),
    )
    options = read_options(
        {
            "rules": [{"match": "a*", "priority": 0.2}, {"match": "b", "lastmod": False}],
            "lastmod": {"sources": ["front_matter"]},
        }
    ).settings
    return decide(Context(site, options, open_sources(options.lastmod), NOW))


@given(PAGES, st.randoms())
def test_the_order_of_the_pages_does_not_matter(pages, random):
    """The same decisions, sorted by URL, and the same bytes; one entry a URL."""
    shuffled = list(pages)
    random.shuffle(shuffled)
    one, other = outcome_of(pages), outcome_of(shuffled)
    assert one.decisions == other.decisions
    assert {str(problem) for problem in one.problems} == {str(each) for each in other.problems}
    entries = [decision.entry for decision in one.listed]
    locs = [entry.loc for entry in entries]
    assert locs == sorted(set(locs))
    if entries:
        validate(one_file(entries))


@given(PAGES)
def test_every_page_is_listed_or_left_out_for_a_reason(pages):
    """And each field that is set has a place; so may a date that is not."""
    outcome = outcome_of(pages)
    assert len(outcome.listed) + len(outcome.left_out) == len(outcome.decisions)
    decided = sorted(decision.target.src_uri for decision in outcome.decisions)
    assert decided == sorted(page.src_uri for page in pages)
    assert all(decision.reason and decision.place for decision in outcome.left_out)
    for decision in outcome.listed:
        names = ("lastmod", "changefreq", "priority")
        said = {name for name in names if getattr(decision.entry, name) is not None}
        may = set() if "lastmod" in said else {"undated"}
        assert said | {"listed"} <= set(decision.origins) <= said | {"listed"} | may
