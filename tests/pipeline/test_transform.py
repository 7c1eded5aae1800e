"""The owner's function: what it gives back is checked like everything else."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from decided import NOW, URL, decided, page, settings, site_of

from mkdocs_sitemap_plus.generator.generate import decide
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.options.settings import Transform
from mkdocs_sitemap_plus.generator.options.table import read_options
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context
from mkdocs_sitemap_plus.sitemap.entries import Alternate, Changefreq, UrlEntry, Video

VIDEO = Video(
    thumbnail_loc="https://h.example/t",
    title="T",
    description="D",
    content_loc="https://h.example/v",
)


def by(call, *pages, reported=(), **options):
    """The entries that come of a function, by URL; the problems as lines."""
    own = replace(settings(**options), transform=Transform(name="my.module:f", call=call))
    entries, problems = decided(site_of(*(pages or (page("a"),))), own)
    assert problems == list(reported)
    return entries


def changed(**fields):
    """A function that changes these fields of every entry."""
    return lambda entry, _: replace(entry, **fields)


def test_it_is_called_once_for_each_entry_with_its_page():
    """In the order of the file; not for what is left out; without a page for an extra URL."""
    seen = []

    def see(entry, page):
        seen.append((entry.loc, page and (page.src_uri, page.url, dict(page.meta))))
        return entry

    pages = [page("index"), page("b", meta={"x": 1}), page("c", meta={"sitemap": False})]
    entries = by(see, *pages, extra_urls=[{"loc": "app/"}])
    assert seen == [
        (URL, ("index.md", "", {})),
        (f"{URL}app/", None),
        (f"{URL}b/", ("b.md", "b/", {"x": 1})),
    ]
    assert list(entries) == ["", "app/", "b/"]


def test_none_leaves_the_entry_out():
    """With its own reason."""
    own = replace(settings(), transform=Transform(name="m:f", call=lambda _entry, _page: None))
    outcome = decide(Context(site_of(page("a")), own, open_sources(own.lastmod), NOW))
    (decision,) = outcome.left_out
    assert (outcome.listed, outcome.problems) == ([], ())
    assert (decision.reason, decision.detail) == ("transform", "m:f")


@pytest.mark.parametrize(
    ("field", "given", "comes_out"),
    [
        ("lastmod", date(2026, 1, 1), date(2026, 1, 1)),
        ("lastmod", "2026-01-01T10:00Z", datetime(2026, 1, 1, 10, tzinfo=UTC)),
        ("lastmod", False, None),
        ("lastmod", datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)),  # noqa: DTZ001
        ("changefreq", "Daily", Changefreq.DAILY),
        ("priority", 0, Decimal(0)),
        ("images", ["a b.png", "a b.png"], (f"{URL}a/a%20b.png",)),
        ("images", None, ()),
        ("videos", (VIDEO,), (VIDEO,)),
        ("loc", f"{URL}x/?ü", f"{URL}x/?%C3%BC"),
        ("loc", "x/", f"{URL}x/"),
    ],
)
def test_what_is_right_comes_out(field, given, comes_out):
    """In the form that a sitemap has."""
    (entry,) = by(changed(**{field: given})).values()
    assert getattr(entry, field) == comes_out


def test_the_evidence_names_a_transform_that_changed_a_field():
    """What stays is still whose it was."""
    own = replace(settings(), transform=Transform(name="m:f", call=changed(priority=1)))
    pages = [page("a", meta={"changefreq": "daily", "priority": 0.5})]
    (decision,) = decide(Context(site_of(*pages), own, open_sources(own.lastmod), NOW)).decisions
    assert {name: str(place) for name, place in decision.origins.items()} == {
        "listed": "a/index.html",
        "changefreq": "docs/a.md: changefreq",
        "priority": "mkdocs.yml: transform",
    }


START = "mkdocs.yml: transform: docs/a.md: "
UNDER = f"a URL under the sitemap's own folder {URL}"


@pytest.mark.parametrize(
    ("field", "given", "reported"),
    [
        ("changefreq", "dayly", (" is 'dayly', but must be one of always, hourly, daily, weekly, "
                                "monthly, yearly, never. No changefreq is written.")),
        ("priority", 2, " is 2, but must be a number from 0.0 to 1.0. No priority is written."),
        ("priority", Decimal("NaN"), (" is NaN, but must be a number from 0.0 to 1.0. "
                                      "No priority is written.")),
        ("lastmod", "soon", (" is 'soon', but must be a date such as 2026-11-20, a datetime such "
                            "as 2026-11-20T10:00:00+01:00, or false. No lastmod is written.")),
        ("lastmod", date(2026, 11, 22), (" is 2026-11-22, which is in the future. "
                                         "No lastmod is written.")),
        ("images", "a.png", " is 'a.png', but must be a tuple of str. No images are written."),
        ("images", ("%",), (
            "[0] is '%', which has a % that is not followed by two hexadecimal digits. "
            "No images are written.")),
        ("videos", ({},), " is ({}), but must be a tuple of Video. No videos are written."),
        ("videos", (replace(VIDEO, title=""),), (
            "[0] is a Video, which has a mistake: title is missing. "
            "No videos are written.")),
        ("alternates", Alternate(hreflang="de", href=URL), (
            " is an Alternate, but must be a tuple of Alternate. No language links are written.")),
        ("alternates", ("de",), (
            " is ('de'), but must be a tuple of Alternate. No language links are written.")),
        ("alternates", (Alternate(hreflang="de", href="%"),), (
            "[0].href is '%', which has a % that is not followed by two hexadecimal digits. "
            "No language links are written.")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_left_out_with_a_warning(field, given, reported):
    """That names the page and the field."""
    (entry,) = by(changed(**{field: given}), reported=[f"{START}{field}{reported}"]).values()
    assert entry == UrlEntry(loc=f"{URL}a/")


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ("https://other.example/", f"is 'https://other.example/', but must be {UNDER}"),
        ("http://web.example/", f"is 'http://web.example/', but must be {UNDER}"),
        (None, "is missing or empty, but must be a URL"),
        ("%zz", "is '%zz', which has a % that is not followed by two hexadecimal digits"),
    ],
)
def test_a_url_that_can_t_be_used_leaves_the_page_out(given, reported):
    """What another page has in its place is not known."""
    reported = [f"{START}loc {reported}. The page is left out."]
    assert by(changed(loc=given), reported=reported) == {}


def test_a_page_whose_owner_set_no_date_can_get_one():
    """If the function sets none, the reason stays that of the owner."""
    pages = [page("a", meta={"sitemap": {"lastmod": False}})]
    for call, reasons in (
        (lambda entry, _: entry, {"listed", "undated"}),
        (changed(lastmod=date(2026, 1, 1)), {"listed", "lastmod"}),
    ):
        own = replace(settings(), transform=Transform(name="m:f", call=call))
        sources = open_sources(own.lastmod)
        (decision,) = decide(Context(site_of(*pages), own, sources, NOW)).decisions
        assert decision.origins.keys() == reasons


@pytest.mark.parametrize(
    ("given", "shown"),
    [("x", "'x'"), (object(), "an object")],
)
def test_what_is_no_entry_changes_nothing(given, shown):
    """But for a warning."""
    reported = [
        (
            f"mkdocs.yml: transform: docs/a.md is {shown}, but must be an entry or None. "
            "The entry stays as it was."
        )
    ]
    assert list(by(lambda _entry, _page: given, reported=reported)) == ["a/"]


def test_language_links_of_an_entry_stay_if_another_one_gets_its_url():
    """The newer of the two keeps its entry, and all that is in it."""
    versions = [
        page("a", locale="en", translation_of="a.md", meta={"lastmod": "2026-01-02"}),
        page("de/a", locale="de", translation_of="a.md"),
    ]

    def moved(entry, page):
        return replace(entry, loc=f"{URL}a/") if page.src_uri == "z-old.md" else entry

    links = ["de", "en", "x-default"]
    assert codes(by(moved, *versions, page("z-old"))) == {"a/": links, "de/a/": links}
    assert codes(by(moved, versions[1], page("a"), page("z-old"))) == {"a/": [], "de/a/": []}


def versions(*languages):
    return [page(code, locale=code, translation_of="x") for code in languages]


def codes(entries):
    return {loc: [each.hreflang for each in entry.alternates] for loc, entry in entries.items()}


def test_versions_of_a_page_that_it_leaves_out_name_it_no_more():
    """Sets stay reciprocal; a page alone has none."""

    def no_german(entry, page):
        return None if page.src_uri == "de.md" else entry

    assert codes(by(no_german, *versions("de", "en", "fr"))) == {
        "en/": ["en", "fr", "x-default"],
        "fr/": ["en", "fr", "x-default"],
    }
    assert codes(by(no_german, *versions("de", "en"))) == {"en/": []}


def test_versions_of_a_page_that_it_moves_follow_it():
    """Under the new URL."""

    def moved(entry, page):
        return replace(entry, loc=f"{entry.loc}new/") if page.src_uri == "de.md" else entry

    entries = by(moved, *versions("de", "en"))
    assert {each.href for each in entries["en/"].alternates} == {f"{URL}de/new/", f"{URL}en/"}
    assert codes(entries) == {
        "de/new/": ["de", "en", "x-default"],
        "en/": ["de", "en", "x-default"],
    }


def test_versions_that_it_adds_must_be_answered():
    """Those on other sites can't be seen, and stay."""

    def add(entry, page):
        own = Alternate(hreflang="en", href=entry.loc)
        other = Alternate(hreflang="de", href="https://de.example/")
        b = Alternate(hreflang="fr", href=f"{URL}b/")
        return replace(entry, alternates=(own, other, b)) if page.src_uri == "a.md" else entry

    expected = "a page of the sitemap that links back to this one"
    reported = (
        f"{START}alternates.fr is '{URL}b/', but must be {expected}. This link is not written."
    )
    links = {"a/": ["de", "en"], "b/": []}
    assert codes(by(add, page("a"), page("b"), reported=[reported])) == links
    left_out = page("b", meta={"sitemap": False})
    assert codes(by(add, page("a"), left_out, reported=[reported])) == {"a/": ["de", "en"]}


HOOK = """\
from dataclasses import replace

print("imported")


def own(entry, page):
    if page.meta.get("secret"):
        return None
    return replace(entry, priority=page.meta.get("weight", 0.5))


def fail(entry, page):
    raise KeyError(page.src_uri)
"""


def test_a_function_of_a_file_beside_mkdocs_yml(site, tmp_path):
    """Wherever the build runs; the module is imported once."""
    site.write({"hooks/entries.py": HOOK})
    site.docs({"index.md": "---\nweight: 1\n---\n", "a.md": "---\nsecret: true\n---\n"})
    site.config("transform: hooks/entries.py:own")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    built = site.build("--strict", "-f", "../mkdocs.yml", cwd=elsewhere)
    assert built.by_loc() == {"": {"priority": "1.0"}}
    assert built.output.count("imported") == 1
    assert built.summary.endswith("; 1 left out (transform)")


def test_a_function_of_a_module(site, monkeypatch):
    """That Python finds."""
    site.write({"lib/my_entries/last.py": HOOK, "lib/my_entries/__init__.py": ""})
    site.docs({"index.md": "---\nweight: 1\n---\n"})
    site.config("transform: my_entries.last:own")
    monkeypatch.syspath_prepend(site.folder / "lib")
    built = site.build("--strict")
    assert built.by_loc() == {"": {"priority": "1.0"}}


def test_an_exception_stops_the_build(site):
    """One line, no traceback."""
    site.write({"hooks/entries.py": HOOK})
    site.docs({"index.md": "# Home\n"})
    site.config("transform: hooks/entries.py:fail")
    built = site.build(check=False)
    assert built.returncode == 1
    raised = "hooks/entries.py:13: fail raised KeyError: 'index.md' for docs/index.md."
    assert f"sitemap-plus: {raised}" in built.output


NAMED = (
    "but must be package.module:function, or a path relative to mkdocs.yml such as "
    "hooks/file.py:function."
)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "no_such_module:f",
            (
                "whose module can't be imported "
                "(ModuleNotFoundError: No module named 'no_such_module')"
            ),
        ),
        ("hook.py:x", "whose module has no such function"),
        ("none.py:f", "whose file does not exist"),
    ],
)
def test_a_function_that_can_t_be_imported_is_a_configuration_error(site, name, why):
    """That names the option."""
    site.write({"hook.py": "x = 1\n"})
    site.docs({"index.md": "# Home\n"})
    site.config(f"transform: {name}")
    built = site.build(check=False)
    assert built.returncode == 1
    assert (
        "ERROR   -  Config value 'plugins': Plugin 'sitemap-plus' option 'transform': "
        f"mkdocs.yml:5: transform is {name!r}, {why}, {NAMED}"
    ) in built.output.splitlines()


@pytest.mark.parametrize("raw", [3, "a", "a:b:c", "a b:f", "a\0.py:f"])
def test_a_name_that_can_t_be_one_is_a_configuration_error(raw):
    """Before anything is imported."""
    (error,) = read_options({"transform": raw}).errors
    assert f", {NAMED}" in str(error)
