"""`/a`, `/a.html` and `/a/`: what one built file answers is one page, for `build` and `check`."""

import json

import pytest
from any_sites import commit, put
from commands import run
from sitemap_texts import sitemap_of, urlset

BASE = "https://docs.example/docs/"
NAMES = ("a", "b", "guide/c", "guide/d", "e")
FORMS = {"/a": "{}", "/a.html": "{}.html", "/a/": "{}/", "/a/index.html": "{}/index.html"}


def page(name, canonical=None, head=""):
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return (
        f'<!doctype html><html lang="en"><head><title>{name}</title>{link}{head}</head>'
        f"<body><main><p>Text of {name}</p></main></body></html>"
    )


def built(folder, form, canonical=None):
    """Five pages and a home page, as a builder of folders or of files writes them."""
    ending = "/index.html" if form.endswith("/") else ".html"
    urls = {name: BASE + canonical.format(name) if canonical else None for name in NAMES}
    put(folder, {f"{name}{ending}": page(name, urls[name]) for name in NAMES})
    put(folder, {"index.html": page("home")})


def listing(folder, form, home=BASE):
    """The sitemap of a builder that writes its URLs in a form."""
    urls = (home, *(BASE + form.format(name) for name in NAMES))
    put(folder, {"sitemap.xml": sitemap_of(*urls).decode()})


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A clone in which the command runs."""
    commit(tmp_path, {"docs/a.md": "# A"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built_again(*arguments):
    """What a build says of the sitemap that it replaces."""
    code, _, err = run("build", "out", "--site-url", BASE, *arguments)
    lines = [line for line in err.splitlines() if "have a date" not in line]
    return code, lines


FORM = (
    "Note: sitemap.xml: 5 URLs have another form than in the old sitemap ({}, now {}). Both lead "
    "to the same file. If the old form is right, let the page name it as canonical."
)
LOSS = (
    "Warning: sitemap.xml: compared with the old sitemap, the new sitemap lacks 5 URLs ({}, {}, {} "
    "and 2 more). No file answers the old address: redirect {} to {}, and 4 others likewise."
)


@pytest.mark.parametrize("before", FORMS)
@pytest.mark.parametrize("now", ["/a.html", "/a/"])
def test_a_build_tells_the_loss_of_a_url_and_no_other(here, before, now):
    """Of five pages, whichever builder listed them: only /a.html and /a/ are never one file."""
    built(here / "out", FORMS[now])
    listing(here / "out", FORMS[before])
    old, new = ([BASE + FORMS[form].format(name) for name in NAMES] for form in (before, now))
    code, said = built_again()
    assert code == 0
    if before == now:
        assert said == []
    elif before == "/a" or now == "/a/" == before.replace("index.html", ""):
        assert said == [FORM.format(old[0], new[0])]
    else:
        assert said == [LOSS.format(*old[:3], old[0], new[0])]
    listed = (here / "out/sitemap.xml").read_text("utf-8")
    assert all(f"<loc>{url}</loc>" in listed for url in new)


def test_the_form_that_a_page_names_is_listed(here):
    """So nothing changes."""
    built(here / "out", FORMS["/a.html"], FORMS["/a"])
    listing(here / "out", FORMS["/a"])
    assert built_again() == (0, [])


def test_a_form_that_only_the_page_itself_names_is_no_loss(here):
    """Where no file lies at it, its server may answer it all the same."""
    built(here / "out", FORMS["/a.html"], FORMS["/a/"])
    listing(here / "out", FORMS["/a"])
    assert built_again() == (0, [FORM.format(f"{BASE}a", f"{BASE}a/")])


def test_the_plugin_has_the_same_rule_for_a_sitemap_of_the_owner(site):
    """As `build` has for the one that it replaces."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    urls = [f"https://web.example/{path}" for path in ("", "a", "b/index.html")]
    site.docs({"sitemap.xml": sitemap_of(*urls).decode()})
    site.config()
    assert site.build().warnings == []
    site.docs({"sitemap.xml": sitemap_of(*urls[:2], "https://web.example/b.html").decode()})
    (warning,) = site.build().warnings
    assert "also listed 1 URL (https://web.example/b.html). Now it is not listed." in warning
    assert "redirect https://web.example/b.html to https://web.example/b/." in warning


def linked(names, locs):
    """A sitemap whose entries all link to the versions of these names."""
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>'
        for code, url in names.items()
    )
    urls = (f"<url><loc>{loc}</loc>{links}</url>" for loc in locs)
    return urlset(*urls, more=' xmlns:xhtml="http://www.w3.org/1999/xhtml"').decode()


def with_links(folder, home):
    """Two languages; the home page is linked as `home`."""
    put(folder, {"index.html": page("home", home), "de/index.html": page("de", f"{BASE}de")})
    names = {"en": home, "de": f"{BASE}de"}
    put(folder, {"sitemap.xml": linked(names, (BASE, f"{BASE}de"))})


def test_the_home_page_without_its_slash_keeps_its_language_links(here):
    """As Starlight lists it below a path; and `check` finds nothing in what was written."""
    with_links(here / "out", BASE.rstrip("/"))
    code, said = built_again("--docs-dir", "docs")
    assert (code, [line for line in said if "alternates" in line]) == (0, [])
    text = (here / "out/sitemap.xml").read_text("utf-8")
    assert text.count(f'hreflang="en" href="{BASE}"') == 2
    assert text.count(f'hreflang="de" href="{BASE}de"') == 2
    assert run("check", "--format", "json", "out")[0] == 0


def since(now, before, here):
    """What `check --since` finds, by code."""
    built(here / "out", FORMS[now])
    listing(here / "out", FORMS[before])
    (here / "out/sitemap.xml").rename(here / "old.xml")
    listing(here / "out", FORMS[now])
    _, out, _ = run("check", "--format", "json", "--since", "old.xml", "out")
    return [
        (each["code"], each["reason"], each["fix"], len(each["urls"]))
        for each in json.loads(out)["findings"]
    ]


@pytest.mark.parametrize(
    ("before", "now", "fix"),
    [
        ("/a", "/a.html", "Both lead to the same page: let it name one of them as canonical."),
        ("/a", "/a/", "Both lead to the same page: let it name one of them as canonical."),
        ("/a/", "/a.html", "Redirect the old form to the new one."),
        ("/a.html", "/a/", "Redirect the old form to the new one."),
    ],
)
def test_what_is_gone_only_in_its_form_is_one_finding(here, before, now, fix):
    """Where no file answers the old form, it says that a redirect is wanted."""
    old, new = ([BASE + FORMS[form].format(name) for name in NAMES] for form in (before, now))
    likewise = f"{old[1]}, {old[2]}, {old[3]} and 1 more"
    reason = f"is listed in another form now, {new[0]}; likewise {likewise}"
    assert since(now, before, here) == [("gone", reason, fix, 5)]


def checked(where="out"):
    """What `check` finds, and its notes."""
    _, out, err = run("check", "--format", "json", where)
    return [(each["code"], each["urls"]) for each in json.loads(out)["findings"]], err


@pytest.mark.parametrize(("listed", "file"), [("/a/", "/a.html"), ("/a.html", "/a/")])
def test_pages_that_are_listed_in_a_form_without_a_file_are_one_finding(here, listed, file):
    """And not one for the URL that is listed, and another for the page that is not."""
    built(here / "out", FORMS[file])
    listing(here / "out", FORMS[listed])
    urls = [BASE + FORMS[listed].format(name) for name in NAMES]
    assert checked()[0] == [("page-absent", urls)]


def test_pages_that_name_another_form_as_canonical_are_one_finding(here):
    """Such as that of their files."""
    built(here / "out", FORMS["/a.html"], FORMS["/a.html"])
    listing(here / "out", FORMS["/a"])
    urls = [BASE + name for name in NAMES]
    assert checked()[0] == [("not-canonical", urls)]
    _, out, _ = run("check", "out")
    assert "as its canonical URL, which is another form of this URL; likewise" in out


@pytest.mark.parametrize("beside", [(), (BASE,)])
def test_the_home_page_is_found_without_its_slash_as_any_folder(here, beside):
    """Whether the right URL stands beside it or not."""
    built(here / "out", FORMS["/a/"])
    urls = (BASE.rstrip("/"), *beside, *(BASE + FORMS["/a/"].format(name) for name in NAMES))
    put(here / "out", {"sitemap.xml": sitemap_of(*urls).decode()})
    assert checked()[0] == [("folder-slash", [BASE.rstrip("/")])]


def test_folders_without_their_slash_are_one_finding(here):
    """Their builder writes all of them so."""
    built(here / "out", FORMS["/a/"])
    listing(here / "out", FORMS["/a"])
    assert checked()[0] == [("folder-slash", [BASE + name for name in NAMES])]


def test_a_link_in_another_form_than_the_listed_url_is_one_finding(here):
    """And not one for each page, one for each that links it, and one for the page itself."""
    home = "https://t.example"
    names = {"en": home, "ru": f"{home}/ru"}
    put(here, {"out/sitemap.xml": linked(names, (f"{home}/", f"{home}/ru/"))})
    found, err = checked("out/sitemap.xml")
    assert found == [("hreflang-return", [f"{home}/", f"{home}/ru/"])]
    assert "of which none is listed" not in err
    assert (
        f"links to {home}/ru, which is listed as {home}/ru/; 2 language"
        in run("check", "out/sitemap.xml")[1]
    )


@pytest.mark.parametrize("now", ["/a/", "/a.html"])
def test_diff_compares_urls_as_they_are_and_notes_that_only_the_form_differs(here, now):
    """One note, which says "redirect" where no file can answer both."""
    listing(here / "old", FORMS["/a/"])
    listing(here / "new", FORMS[now])
    _, out, err = run("diff", "--format", "json", "old", "new")
    if now == "/a/":
        assert (json.loads(out)["removed"], err) == ([], "")
        return
    assert len(json.loads(out)["removed"]) == 5
    assert err == (
        f"Note: 5 removed URLs are listed in another form now ({BASE}a/, now {BASE}a.html). No "
        "file answers both: redirect the old form.\n"
    )
