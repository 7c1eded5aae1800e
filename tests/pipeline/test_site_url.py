"""Whether the site's URL allows a sitemap, and how it should be written."""

from pathlib import Path

import pytest
from sites import run_command

from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.site import UncheckedSite
from mkdocs_sitemap_plus.generator.pages.site_url import check_url, site_url_fault
from mkdocs_sitemap_plus.problems import Level

UNUSABLE = {
    "unset": (None, "is not set"),
    "empty": ("", "is empty"),
    "relative": ("docs/", "is 'docs/'"),
    "ftp": ("ftp://web.example/", "is 'ftp://web.example/'"),
    "no-host": ("https:///docs/", "is 'https:///docs/'"),
    "port-that-is-too-large": ("https://web.example:99999/", "is 'https://web.example:99999/'"),
    "broken-address": ("https://[::1/", "is 'https://[::1/'"),
    "brackets": (
        "https://web.example/[a]/",
        "is 'https://web.example/[a]/', whose path should be percent-encoded",
    ),
    "user": ("https://me@example.com/", "has a user name or a password"),
    "password": ("https://me:secret@example.com/", "has a user name or a password"),
    "blank": (
        "https://web.example/a b/",
        "is 'https://web.example/a b/', which has the character ' ', which is not allowed in a URL",
    ),
}
SET_IT = "Set it to the full address of the site, such as https://example.com/docs/."
ASCII_HOST = "whose host should be in its ASCII form (xn--...)"
NO_QUERY = "which should have no query and no fragment"
ENCODED = "whose path should be percent-encoded"
UNUSUAL = {
    "umlaut": ("https://bücher.example/", ASCII_HOST),
    "query": ("https://web.example/?a=b/", NO_QUERY),
    "fragment": ("https://web.example/#a/", NO_QUERY),
    "letter": ("https://web.example/ü/", ENCODED),
    "backslash": ("https://web.example/a\\b/", ENCODED),
}
USUAL = [
    "https://web.example/",
    "http://web.example/",
    "https://web.example:8443/",
    "HTTPS://web.example/",
    "https://web.example:443/",
    "http://web.example:80/",
    "https://web.example:/",
    "https://web.example/it's/a&b/(c)/~d/%C3%BC/",
    "https://xn--bcher-kva.example/",
    "http://[2001:db8::1]:8080/",
    "https://web.example/index.html.d/",
]


def site_of(url, *, serving=False):
    return UncheckedSite(
        url=url,
        has_url_key=url is not None,
        project_file="mkdocs.yml",
        docs_dir=Path("/docs"),
        site_dir=Path("/site"),
        reads_sitemap=False,
        instant=False,
        serving=serving,
        root=Path("/"),
        default_locale=None,
        include_options=IncludeOptions(docs_dir=Path("/docs")),
        pages=(),
    )


@pytest.mark.parametrize(("url", "found"), UNUSABLE.values(), ids=UNUSABLE)
def test_no_sitemap_can_be_written_for_what_is_no_public_url(url, found):
    """The message says what to set; a password is not repeated in a log."""
    assert site_url_fault(url)
    checked, (problem,) = check_url(site_of(url))
    assert checked is None
    assert (problem.level is Level.NOTE) == (url == "")  # as with !ENV
    if url:
        assert str(problem) == f"mkdocs.yml: site_url {found}, so no sitemap is written. {SET_IT}"


@pytest.mark.parametrize(("url", "found"), UNUSUAL.values(), ids=UNUSUAL)
def test_a_url_that_is_not_in_its_normal_form_is_used_unchanged(url, found):
    """The theme writes it as it is, too."""
    assert site_url_fault(url) is None
    checked, (problem,) = check_url(site_of(url))
    assert checked.url == url
    assert str(problem) == f"mkdocs.yml: site_url is {url!r}, {found}. It is used unchanged."
    assert problem.level is Level.WARNING


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://lighthouse/docs/", "which only a network of your own can open"),
        ("http://192.168.1.5/", "which only a network of your own can open"),
    ],
)
def test_a_host_that_is_not_public_is_an_information(url, found):
    """Nothing keeps such a sitemap from being published."""
    checked, (problem,) = check_url(site_of(url))
    assert checked.url == url
    fix = "Before you publish the site, set its public address."
    assert str(problem) == f"mkdocs.yml: site_url is {url!r}, {found}. {fix}"
    assert problem.level is Level.NOTE


@pytest.mark.parametrize(
    "host",
    [
        "ann.github.io",
        "lamp.vercel.app",
    ],
)
def test_http_on_a_host_that_answers_by_https_is_an_information(host):
    """Each URL of the sitemap would be a redirect."""
    checked, (problem,) = check_url(site_of(f"http://{host}/docs/"))
    assert checked.url == f"http://{host}/docs/"
    found = f"site_url is 'http://{host}/docs/', but {host} answers only by https"
    assert str(problem) == f"mkdocs.yml: {found}. Write 'https://{host}/docs/'."
    assert problem.level is Level.NOTE
    assert check_url(site_of(f"https://{host}/docs/"))[1] == []
    assert check_url(site_of(f"http://{host}.example/docs/"))[1] == []


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://localhost:8000/", "which only this computer can open"),
        ("http://127.0.0.1:8000/", "which only this computer can open"),
        ("http://[::1]:80/", "which only this computer can open"),
        ("http://a.localhost/", "which only this computer can open"),
        ("https://example.com/", "which is only an example"),
        ("https://www.example.org/docs/", "which is only an example"),
        ("https://github.com/ann/lighthouse/", "which is the page of a repository"),
        ("https://gitlab.com/ann/lighthouse/", "which is the page of a repository"),
    ],
)
def test_an_address_that_can_not_be_that_of_a_built_site_is_a_warning(url, found):
    """It says what is odd; what is served from there while somebody writes is no build."""
    checked, (problem,) = check_url(site_of(url))
    assert checked.url == url
    nowhere = "The URLs in the sitemap begin with it, and lead nowhere."
    fix = "Set the address at which readers open the site."
    assert str(problem) == f"mkdocs.yml: site_url is {url!r}, {found}. {nowhere} {fix}"
    assert problem.level is Level.WARNING
    assert check_url(site_of(url, serving=True))[1] == []


@pytest.mark.parametrize("page", ["index.html", "start.htm/", "sitemap.xml"])
def test_a_page_as_site_url_is_a_warning(page):
    """No URL of the sitemap leads anywhere."""
    _, (problem,) = check_url(site_of(f"https://web.example/docs/{page}"))
    assert problem.level is Level.WARNING
    assert str(problem) == (
        f"mkdocs.yml: site_url is 'https://web.example/docs/{page.rstrip('/')}', which should be a "
        "folder, not a file. The URLs in the sitemap begin with it, and lead nowhere."
    )


def test_a_development_server_is_silent_about_the_hosts_that_users_configured():
    """Its own address stands in their place."""
    checked, problems = check_url(site_of("http://localhost/?a", serving=True))
    assert (checked.url, problems) == ("http://localhost/?a", [])


@pytest.mark.parametrize("url", USUAL)
def test_a_usual_url_has_no_problem(url):
    """There is no line."""
    assert site_url_fault(url) is None
    checked, problems = check_url(site_of(url))
    assert (checked.url, problems) == (url, [])


def test_without_a_site_url_there_is_one_warning_and_no_sitemap(site):
    """There is no other line, not even about a wrong value; a strict build fails."""
    site.docs({"index.md": "---\npriority: 7\n---\n", "a.md": "# A\n"})
    site.config(site_url="")
    site.commit()
    built = site.build("--strict", check=False)
    assert built.returncode == 1
    assert f"WARNING mkdocs.yml: site_url is not set, so no sitemap is written. {SET_IT}" in (
        built.lines
    )
    assert not [*built.path(".").glob("*.xml*")]


def test_an_empty_site_url_may_stand_in_the_file_that_is_inherited(site):
    """It is set on purpose, as for builds without a public address: a strict build passes."""
    site.docs({"index.md": "# Home\n"})
    site.write(
        {
            "base.yml": "site_name: S\nsite_url: !ENV [NO_SUCH_URL, '']\nplugins: [sitemap-plus]\n",
            "mkdocs.yml": "INHERIT: base.yml\n",
        }
    )
    expected = (
        "base.yml:2: site_url has no value, so this build has no sitemap. If it should have one, "
        "set it, or its environment variable, to the full address of the site, such as "
        "https://example.com/docs/."
    )
    assert site.build("--strict").lines == [f"INFO {expected}"]
    done = run_command("build", cwd=site.folder)
    assert (done.returncode, done.stderr) == (0, f"Note: {expected}\n")


def test_on_read_the_docs_the_message_names_the_line_to_write(site, monkeypatch):
    """The address is known there, and differs from version to version."""
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://x.readthedocs.io/en/latest/")
    site.docs({"index.md": "# Home\n"})
    site.config(site_url=None)
    (warning,) = site.build(check=False).warnings
    line = "site_url: !ENV READTHEDOCS_CANONICAL_URL"
    assert warning.endswith(f"On Read the Docs, write `{line}`.")
    config = site.folder / "mkdocs.yml"
    config.write_text(f"{line}\n{config.read_text('utf-8')}", "utf-8")
    assert site.build("--strict").locs(base="https://x.readthedocs.io/en/latest/") == [""]
    monkeypatch.delenv("READTHEDOCS_CANONICAL_URL")  # on another computer there is a note
    assert site.build("--strict").lines[0].startswith("INFO mkdocs.yml:1: site_url has no value")
