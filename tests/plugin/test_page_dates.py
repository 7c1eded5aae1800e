"""`page_dates`: each page states the date that the sitemap gives it."""

import re
from datetime import UTC, date, datetime

import pytest
from heads import dates_in_head, encoding, shape
from quantity import at_length
from sites import (
    MATERIAL,
    MATERIAL_NAME,
    SiteMaker,
    git,
    needs,
    only_material,
    run_command,
)

from mkdocs_sitemap_plus.html.stated_dates import stated_dates, with_date

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TEXT = "2026-01-02T03:04:05+00:00"
URL = "https://web.example/a/"
ON = "page_dates: true"


def json_ld(when, url=URL):
    return {
        "@context": "https://schema.org",
        "@type": "WebPage",
        "dateModified": when,
        "url": url,
    }


@pytest.mark.parametrize("url", ["https://web.example/</script><p>", "https://web.example/\"'&é"])
def test_a_url_that_looks_like_html_stays_inside_of_the_json(url):
    """Whatever stands in it."""
    html = "<!doctype html><html><head><title>A</title></head><body></body></html>"
    new = with_date(html, WHEN, url)
    assert dates_in_head(new) == ([TEXT], [json_ld(TEXT, url)])
    assert shape(new) == shape(html)


CONSENT = "<script>window.tags = window.tags || []; function tag() {tags.push(arguments);}</script>"
MANAGER = (
    f"<script>(function (w, d) {{if (1 < 2) {{load('{'x' * 500}')}}}})(window, document)</script>"
)


@pytest.mark.parametrize(
    "declared",
    [
        '<meta charset="utf-8">',
        "<META\nCHARSET=utf-8 />",
    ],
)
@pytest.mark.parametrize(
    "before",
    [
        f"{CONSENT}\n{MANAGER}",
        f"<script>//<!--\n{'charset;' * 90}//--></script><title>A</title>{CONSENT}",
    ],
    ids=["tag manager", "comment"],
)
def test_the_encoding_stays_where_parsers_look_for_it(before, declared):
    """HTML allows the first 1,024 bytes; a script often stands first, as tag managers ask for."""
    page = f'<!doctype html><html lang="de"><head>\n{before}{declared}<title>Ü</title></head>'
    page += "<body>Ü</body></html>"
    url = "https://web.example/" + "%C3%BC" * 30 + "/"
    assert 700 < page.index(declared) < 980
    new = with_date(page, WHEN, url)
    assert encoding(new) == encoding(page) == "utf-8"
    assert dates_in_head(new) == ([TEXT], [json_ld(TEXT, url)])
    assert shape(new) == shape(page)
    assert with_date(new, WHEN, url) == new
    assert with_date(new, None, url) == page


HEAD = "<!doctype html><html><head>{}</head><body>{}</body></html>"
LD = '<script type="application/ld+json">{}</script>'
META = '<meta property="article:modified_time" content="{}">'


@pytest.mark.parametrize(
    ("head", "body", "metas", "scripts"),
    [
        (META, "", 1, 1),
        ('<meta name="article:modified_time" content="{}">', "", 0, 1),
        ('<meta property="og:updated_time" content="{}">', "", 1, 1),
        (LD.format('{{"dateModified": "{}"}}'), "", 1, 1),
        (LD.format('[{{"@type": "A"}}, {{"dateModified": ["{}"]}}]'), "", 1, 1),
        (LD.format('{{"@graph": [{{"@type": "A"}}, {{"dateModified": "{}"}}]}}'), "", 1, 1),
        (LD.format('{{"schema:dateModified": {{"@value": "{}"}}}}'), "", 1, 1),
        ("", LD.format('{{"mainEntity": {{"dateModified": "{}"}}}}'), 1, 0),
        ("", '<time itemprop="dateModified" datetime="{}">x</time>', 1, 1),
        ("", '<time itemprop="dateModified"><b>{}</b></time>', 1, 1),
        ("", '<TIME ITEMPROP="dateModified"> {} </TIME>', 1, 1),
        ("", '<meta itemprop="datePublished dateModified" content="{}">', 1, 1),
        ("", '<span class="md-source-file__fact"><time datetime="{}">x</time></span>', 1, 1),
    ],
)
def test_a_page_with_a_date_of_its_own(head, body, metas, scripts):
    """On the same day, only what is missing is added. With another day, nothing is."""
    same, other = "2026-01-02T00:00:00+00:00", "2025-12-31"
    page = HEAD.format(head, body).replace("{}", same).replace("{{", "{").replace("}}", "}")
    found = dates_in_head(with_date(page, WHEN, URL))
    assert (len(found[0]), len(found[1])) == (metas, scripts)
    page = page.replace(same, other)
    assert with_date(page, WHEN, URL) == page


@pytest.mark.parametrize("text", ["", " ", "None", "not a date"])
@pytest.mark.parametrize("tag", [META, LD.format('{{"dateModified": "{}"}}')])
def test_a_tag_without_a_date_is_no_date_of_the_page(tag, text):
    """A template has it from a plugin that is gone: both of ours are added, and it is told."""
    page = HEAD.format(tag.replace("{}", text).replace("{{", "{").replace("}}", "}"), "")
    told = []
    metas, scripts = dates_in_head(new := with_date(page, WHEN, URL, tell=told.append))
    assert (TEXT in metas, json_ld(TEXT) in scripts) == (True, True)
    assert [each.text for each in told] == [text.strip()]
    assert with_date(new, WHEN, URL) == new


@pytest.mark.parametrize(
    "script",
    [
        '{"url": "https://web.example/b/", "dateModified": "2020-01-01"}',
        '{"@graph": [{"@id": "https://web.example/b/#x", "dateModified": "2020-01-01"}]}',
        '{"schema:url": "https://web.example/b/", "schema:dateModified": "2020-01-01"}',
        '{"https://schema.org/url": "https://web.example/b/", "dateModified": "2020-01-01"}',
        '{"url": [{"@id": "https://web.example/b/"}], "dateModified": "2020-01-01"}',
        '{"blogPost": [{"dateModified": "2020-01-01"}]}',
        '{"dateModified": 5}',
        '{"dateModified": "2020-01-01"',
        "[" * 100_000,
        "",
    ],
)
def test_json_ld_that_states_no_date_of_this_page(script):
    """It is about another page, or about a part of this one, or it is broken."""
    page = HEAD.format(LD.format(script), "")
    assert stated_dates(page, URL) == []
    assert TEXT in with_date(page, WHEN, URL)


@pytest.mark.parametrize(
    ("fact", "day"),
    [
        ("2026-01-02", date(2026, 1, 2)),
        ("January 2, 2026", date(2026, 1, 2)),
        ('<span title="January 2, 2026 10:00:00 UTC">January 2, 2026</span>', date(2026, 1, 2)),
        ('<time datetime="2026-01-02T03:04:05Z">vor langem</time>', WHEN),
        ('<span class="timeago" datetime="2026-01-02T03:04:05+00:00"></span>', WHEN),
        ("2. Januar 2026", None),
        ("February 31, 2026", None),
        ("Monday 12, 2026", None),
        ("2026-13-01", None),
    ],
)
def test_the_date_that_material_shows(fact, day):
    """The first fact below the content, after its icon; a creation date follows."""
    icon = '<span class="md-icon" title="Last update"><svg><path d="M1 2026-05-05"/></svg></span>'
    page = f'<span class="md-source-file__fact">\n{icon}\n{fact}\n</span>'
    page += f'<span class="md-source-file__fact">\n{icon}\n2020-01-01\n</span>'
    assert [each.when for each in stated_dates(f"<body><aside>{page}</aside>", URL)] == [day]


@pytest.mark.parametrize(
    ("page", "lastmod", "differs"),
    [
        ("2026-01-02", WHEN, False),
        ("2026-01-03", WHEN, True),
        ("2026-01-03T01:04:05+22:00", WHEN, False),
        ("2026-01-03T01:09:05+22:00", WHEN, False),
        ("2026-01-03T22:04:05+22:00", WHEN, True),
        ("2026-01-02T23:00:00", date(2026, 1, 2), False),
        ("2026-01-03T00:30:00+02:00", date(2026, 1, 2), True),
        ("soon", WHEN, False),
    ],
)
def test_two_dates_differ_by_day(page, lastmod, differs):
    """Two times of one day in UTC are on one day, whatever their time zones."""
    (stated,) = stated_dates(HEAD.format(META.format(page), ""), URL)
    assert stated.differs_from(lastmod) is differs


# The plugin --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """Pages of several days; one has no date, one is not listed, one includes a newer file."""
    site = SiteMaker(tmp_path_factory.mktemp("committed"))
    site.commit_on("2024-01-01", {
        "docs/index.md": "# Home\n",
        "docs/old.md": "# Old\n",
        "docs/set.md": "---\nlastmod: 2024-05-05\n---\n# Set\n",
        "docs/none.md": "---\nlastmod: false\n---\n# None\n",
        "docs/left.md": "---\nsitemap: false\n---\n# Left out\n",
        "docs/with.md": "# With\n\n--8<-- 'part.txt'\n",
        "part.txt": "Part\n",
    })  # fmt: skip
    site.commit_on("2024-02-02", {"part.txt": "Newer part\n"})
    return site


@pytest.fixture
def dated(committed, tmp_path):
    """A copy of them."""
    return committed.copy(tmp_path / "site")


def files_of(built):
    """The bytes of all files of the site, by path."""
    root = built.folder / "site"
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


SNIPPETS = "markdown_extensions: [{pymdownx.snippets: {base_path: [.]}}]\n"


@pytest.mark.parametrize("theme", ["", MATERIAL])
def test_every_page_states_the_date_of_its_entry(dated, theme):
    """In both tags of its head; a page without a date has none, one that is not listed has."""
    dated.config(ON, theme=theme, more=SNIPPETS)
    built = dated.build("--strict")
    entries = built.by_loc()
    pages = {}
    for path in built.path("").rglob("index.html"):
        loc = path.parent.relative_to(built.path("")).as_posix().replace(".", "")
        metas, scripts = dates_in_head(path.read_text("utf-8"))
        assert [each["dateModified"] for each in scripts] == metas
        pages[f"{loc}/" if loc else ""] = metas
    assert pages.pop("left/") == ["2024-01-01T10:00:00+00:00"]
    assert pages == {loc: [*entry.values()] for loc, entry in entries.items()}
    assert pages["with/"] == ["2024-02-02T10:00:00+00:00"]
    assert "404.html" not in pages


@at_length
def test_without_the_option_no_page_differs_by_a_byte(dated):
    """From a build without the plugin; with it, two builds are the same byte for byte."""
    dated.config("", theme=MATERIAL, more=SNIPPETS)
    ours = {"sitemap.xml", "sitemap.xml.gz", "sitemap.css"}
    with_plugin = files_of(dated.build())
    config = (dated.folder / "mkdocs.yml").read_text("utf-8")
    dated.write({"mkdocs.yml": config.replace("plugins:\n  - sitemap-plus", "plugins: []")})
    without = files_of(dated.build())
    pages = {name for name in with_plugin if name not in ours}
    assert {name for name in pages if with_plugin[name] != without[name]} == set()
    dated.config(ON, theme=MATERIAL, more=SNIPPETS)
    first, second = files_of(dated.build()), files_of(dated.build())
    assert first == second
    assert {name for name in pages if name.endswith(".html") and first[name] != without[name]}


shown_by_material = only_material("MaterialX does not show revision_date")


@shown_by_material
@pytest.mark.parametrize(("language", "day"), [("de", "1. Januar 2024")])
def test_material_shows_the_day_in_the_language_of_the_page(dated, language, day):
    """In the long form of Babel."""
    pytest.importorskip("babel")
    dated.config(ON, theme=MATERIAL.replace("}", f", language: {language}}}"))
    built = dated.build("--strict")
    html = built.path("old/index.html").read_text("utf-8")
    shown = re.findall(r'<time datetime="([^"]*)">([^<]*)</time>', html)
    assert shown == [("2024-01-01T10:00:00+00:00", day)]
    assert "md-source-file" not in built.path("none/index.html").read_text("utf-8")


TEMPLATE = """\
{% extends "base.html" %}
{% block content %}{{ super() }}
<p>{% if page | lastmod %}
<time datetime="{{ page | lastmod }}">{{ page.update_date }}</time>
{%- endif %}</p>
{% endblock %}
"""


def test_a_template_shows_the_day_by_a_filter(dated):
    """The three lines of the documentation; a page without a date has neither."""
    dated.write({"theme/main.html": TEMPLATE})
    dated.config(ON, theme=OWN)
    built = dated.build("--strict")
    shown = '<p>\n<time datetime="2024-01-01 10:00:00+00:00">2024-01-01</time></p>'
    assert shown in built.path("old/index.html").read_text("utf-8")
    assert "<p></p>" in built.path("none/index.html").read_text("utf-8")
    dated.config("", theme=OWN)
    assert "<p></p>" in dated.build("--strict").path("old/index.html").read_text("utf-8")


OWN = "theme: {name: mkdocs, custom_dir: theme}\n"  # with this template

ANYTHING = """\
{% extends "base.html" %}
{% block BLOCK %}{{ super() }}<ul>
<li>page: {{ page | lastmod }}</li>
{% for item in nav %}<li>{{ item.title }}: {{ item | lastmod }}</li>
{% endfor -%}
{% for file in pages %}<li>{{ file.src_uri }}: {{ file | lastmod }}</li>
{% endfor -%}
{% for odd in ["text", 5, {"file": 1}, [], config, none, no_such_name] -%}
<li>odd: {{ odd | lastmod }}</li>
{% endfor -%}
</ul>{% endblock %}
"""


@pytest.mark.parametrize(
    ("theme", "block", "options"), [("mkdocs", "footer", ON), (MATERIAL_NAME, "extrahead", "")]
)
def test_whatever_a_template_gives_the_filter_the_site_is_built(dated, theme, block, options):
    """404.html, which has no page, extends the same template; a section and a link have no file."""
    template = ANYTHING.replace("BLOCK", block)
    dated.write({"theme/main.html": template, "docs/part/page.md": "# Page\n"})
    if theme == "mkdocs":  # the 404.html of the other theme extends main.html
        dated.write({"theme/404.html": f"{template}{{% block content %}}404{{% endblock %}}"})
    nav = "nav: [index.md, {Part: [part/page.md]}, {Link: 'https://web.example/x'}]\n"
    quiet = "not_in_nav: '*'\n"
    theme = f"theme: {{name: {theme}, custom_dir: theme}}\n"
    dated.config(options, theme=theme, more=f"{nav}{quiet}")
    built = dated.build()
    day = "2024-01-01 10:00:00+00:00" if options else "None"
    for name, of_page in (("old/index.html", day), ("404.html", "None")):
        shown = re.findall(r"<li>(.*?): (.*?)</li>", built.path(name).read_text("utf-8"))
        assert shown.count(("odd", "None")) == 7
        found = dict(shown)
        assert found["page"] == of_page
        assert found["index.md"] == found["Home"] == found["left.md"] == day
        assert found["Part"] == found["Link"] == found["none.md"] == "None"


@needs("mkdocs-document-dates")  # MaterialX brings it along
@pytest.mark.parametrize("shown", [True, False])
def test_beside_mkdocs_document_dates_a_page_has_one_date(site, shown):
    """That plugin takes the day on which a change was made, and ours that of the merge."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/a.md": "# A\n"})
    main = git("branch", "--show-current", cwd=site.folder)
    git("checkout", "-q", "-b", "topic", cwd=site.folder)
    site.commit_on("2024-02-02", {"docs/a.md": "# A, newer\n"})
    git("checkout", "-q", main, cwd=site.folder)
    when = "2024-05-20T10:00:00+0000"
    git("merge", "-q", "--no-ff", "-m", "Merge", "topic", cwd=site.folder, date=when)
    other = f"  - document-dates: {{show_updated: {str(shown).lower()}, show_author: false}}\n"
    site.config(ON, theme=MATERIAL, more=other)
    built = site.build(found=["lastmod-differs"] if shown else [])
    pages = {name: built.path(f"{name}index.html").read_text("utf-8") for name in ("", "a/")}
    days = {name: dates_in_head(page)[0] for name, page in pages.items()}
    home = ["2024-01-01T10:00:00+00:00"]
    assert days == {"": home, "a/": [] if shown else ["2024-05-20T10:00:00+00:00"]}
    facts = 0 if shown or MATERIAL_NAME != "material" else 1
    for page in pages.values():
        assert page.count("doc_updated") == shown
        assert page.count('class="md-source-file__fact"') == facts


NO_PLACE = (
    "{} shows no dates, so they are only in the head of the pages. To show them, write "
    "`{{{{ page.update_date }}}}` in a template: "
    "https://mkdocs-sitemap-plus.readthedocs.io/page/guide/dates-on-pages/#in-other-themes"
)


def test_a_note_says_once_that_the_theme_shows_no_date(dated):
    """Unless a template of the owner shows it, or no page has a date to show."""
    head = TEMPLATE.partition("<p>")[0]
    dated.write({"theme/main.html": f"{head}{{% endblock %}}"})
    notes = [NO_PLACE.format("the theme mkdocs")]
    for options, expected in ((ON, notes), (f"{ON}\nlastmod: {{sources: []}}", [])):
        dated.config(options, theme=OWN)
        assert dated.build("--strict").notes == expected
    dated.write({"theme/main.html": f"{head}{{{{ page|lastmod }}}}{{% endblock %}}"})
    dated.config(ON, theme=OWN)
    built = dated.build("--strict")
    assert built.notes == []
    assert "2024-01-01" in built.path("old/index.html").read_text("utf-8").partition("<body")[2]


def test_a_transform_that_changes_a_date_is_reported(dated):
    """The page was written with the date before."""
    hook = "from dataclasses import replace\nfrom datetime import date\n"
    hook += "def f(entry, page):\n    return replace(entry, lastmod=date(2020, 1, 1))\n"
    dated.write({"hooks/x.py": hook})
    dated.write({"theme/main.html": TEMPLATE})
    dated.config(f"{ON}\ntransform: hooks/x.py:f", theme=OWN)
    built = dated.build("--strict", found=["lastmod-differs", "same-lastmod"])
    assert built.notes == [
        "the function of `transform` changed dates that the pages already show: 4 pages "  # noqa: ISC004 - one line
        "(docs/index.md, docs/old.md, docs/set.md and 1 more). Set these dates in front matter or "
        "in `rules`. Then the pages show them too."
    ]


def test_check_sums_up_a_systematic_difference(site):
    """It has one cause, and so one finding."""
    site.docs({f"{n}.md": f"# {n}\n" for n in range(12)} | {"index.md": "# Home\n"})
    site.commit(date="2024-01-01T10:00:00+0000")
    site.config(ON)
    for page in site.build().path("").rglob("index.html"):
        text = page.read_text("utf-8").replace("2024-01-01T", "2023-03-03T")
        page.write_text(text, "utf-8")
    done = run_command("check", "site", cwd=site.folder)
    lines = [line for line in done.stdout.splitlines() if "lastmod-differs" in line]
    (line,) = lines
    assert "; 13 pages show another day than their lastmod. " in line


# A site that is built already --------------------------------------------------------------------


AGAIN = """
from mkdocs.commands.build import build
built = []
def on_page_markdown(markdown, page, **_):
    if built and page.file.src_uri == "old.md":
        page.meta["lastmod"] = False
def on_post_build(config):
    if not built:
        built.append(True)
        build(config)
"""


def test_a_page_that_is_built_again_and_then_has_no_date_has_none(dated):
    """A plugin may build the site once more, as mkdocs-static-i18n does for each language."""
    dated.write({"again.py": AGAIN})
    dated.config(ON, more=f"{SNIPPETS}hooks: [again.py]\n")
    built = dated.build("--strict")
    assert built.days()["old/"] is None
    assert dates_in_head(built.path("old/index.html").read_text("utf-8")) == ([], [])
