"""``robots.txt``: one line that names the sitemap, and nothing else is changed."""

import pytest
from sites import run_command

from mkdocs_sitemap_plus.generator.robots_txt import with_sitemap

URL = "https://web.example/sitemap.xml"
LINE = b"Sitemap: https://web.example/sitemap.xml"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (b"", LINE + b"\n"),
        (b"User-agent: *\nDisallow: /x/\n", LINE + b"\n"),
        (b"User-agent: *", b"\n" + LINE + b"\n"),
        (b"User-agent: *\r\nDisallow:\r\n", LINE + b"\r\n"),
        (b"User-agent: *\r\nDisallow:", b"\r\n" + LINE + b"\r\n"),
        (b"\xef\xbb\xbfUser-agent: *\n", LINE + b"\n"),
        (b"\xef\xbb\xbf", LINE + b"\n"),
        (b"# Sitemap: https://web.example/sitemap.xml\n", LINE + b"\n"),
        (b"Sitemap: https://web.example/Sitemap.xml\n", LINE + b"\n"),
        (b"Sitemap: https://web.example/sitemap.xml.gz\n", LINE + b"\n"),
        (b"Sitemap:\n", LINE + b"\n"),
        (b"\xff\xfe is no UTF-8, but stays\n", LINE + b"\n"),
    ],
)
def test_the_line_is_added_at_the_end(text, end):
    """What is there stays byte for byte, its ends of lines and its BOM as well; once is enough."""
    named = with_sitemap(text, URL)
    assert named == text + end
    assert with_sitemap(named, URL) == named


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        b"User-agent: *\n" + LINE + b"\n",
        b"\xef\xbb\xbf" + LINE + b"\n",
        b" SITEMAP :\thttps://web.example/sitemap.xml # ours\r\nUser-agent: *\r\n",
        b"User-agent: *\rsitemap:https://web.example/sitemap.xml\r",
    ],
)
def test_a_line_that_names_it_already_is_enough(text):
    """Field names have no case, and blanks and comments mean nothing."""
    assert with_sitemap(text, URL) == text


def robots(site):
    return (site.folder / "site" / "robots.txt").read_bytes()


def test_the_site_s_own_file_gets_the_line(site):
    """In the built site; the source is not touched, and a second build adds nothing."""
    own = b"User-agent: *\r\nDisallow: /x/"
    site.write({"docs/robots.txt": own})
    site.docs({"index.md": "# Home\n"})
    site.config("robots_txt: true")
    for arguments in (("--strict",), ("--dirty",), ("--strict",)):
        assert site.build(*arguments).warnings == []
        assert robots(site) == own + b"\r\n" + LINE + b"\r\n"
    assert (site.folder / "docs" / "robots.txt").read_bytes() == own
    assert not list((site.folder / "site").glob("*.tmp"))


def test_without_a_file_there_is_a_new_one(site):
    """That names the sitemap as it is called; without the option there is none."""
    site.docs({"index.md": "# Home\n"})
    site.config("robots_txt: true\nfilename: map.xml")
    site.build("--strict")
    assert robots(site) == b"Sitemap: https://web.example/map.xml\n"
    site.config("filename: map.xml")
    site.build("--strict")
    assert not (site.folder / "site" / "robots.txt").exists()


def test_below_a_path_no_robot_looks_for_it(site):
    """So there is a warning that says what to do, and no file."""
    site.docs({"index.md": "# Home\n"})
    site.config("robots_txt: true", site_url="https://web.example/docs/")
    built = site.build()
    assert built.warnings == [
        (
            "mkdocs.yml:5: robots_txt is set, but robots.txt is read only at the root of a host, "
            "not under https://web.example/docs/. No robots.txt is written. Add the line 'Sitemap: "
            "https://web.example/docs/sitemap.xml' to https://web.example/robots.txt, and "
            "remove this option."
        )
    ]
    assert not built.path("robots.txt").exists()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("User-agent: *\nDisallow: /\n", 2),
        ("# Preview\r\nuser-agent: a\r\nuser-agent: *\r\nDISALLOW: /* # all\r\n", 4),
        ("User-agent: *\nDisallow: /\nAllow: /docs/\n", None),
        ("User-agent: *\nDisallow:\n\nUser-agent: a\nDisallow: /\n", None),
    ],
)
def test_a_file_that_forbids_the_whole_site_is_a_warning(site, text, line):
    """To name a sitemap there is of no use."""
    site.write({"docs/robots.txt": text})
    site.docs({"index.md": "# Home\n"})
    site.config("robots_txt: true")
    warning = (
        f"robots.txt:{line}: this line forbids crawlers the whole site, and so all pages of the "
        "sitemap. Remove it."
    )
    built = site.build(found=["disallowed", "sitemap-disallowed"])
    assert built.warnings == ([warning] if line else [])


RTD = {".readthedocs.yaml": "version: 2\n"}


@pytest.mark.parametrize(
    ("url", "files", "environment"),
    [
        ("https://docs.example/en/latest/", {}, {"READTHEDOCS": "True"}),
        ("https://lamp.readthedocs.io/en/latest/", {}, {}),
        ("https://lamp.readthedocs-hosted.com/en/latest/", {}, {}),
        ("https://docs.example/en/latest/", RTD, {}),
        ("https://docs.example/pt-br/2.1.x/", {"readthedocs.yml": "version: 2\n"}, {}),
    ],
)
@pytest.mark.parametrize("own", ["", "Sitemap: https://{}/sitemap.xml\n"])
def test_read_the_docs_serves_it_at_the_root(site, url, files, environment, own):
    """There each version is below a path. So the file is written, wherever the site is built.

    `check` finds no fault, nor in a line for the sitemap that Read the Docs makes of the versions.
    """
    own = own.format(url.split("/")[2])
    site.docs({"index.md": "# Home\n"} | ({"robots.txt": own} if own else {}))
    site.write(files)
    site.config("robots_txt: true", site_url=url)
    built = site.build("--strict", **environment, found=["robots"] if environment else [])
    assert robots(site).decode() == f"{own}Sitemap: {url}sitemap.xml\n"
    assert (built.warnings, built.notes) == ([], [])
    (site.folder / "site/robots.txt").write_text(own)
    for page in (site.folder / "site").rglob("*.html"):  # as of a theme without canonical URLs
        page.write_text(page.read_text("utf-8").replace('rel="canonical"', ""), "utf-8")
    assert "robots" not in run_command("check", "site", cwd=site.folder, **environment).stdout


@pytest.mark.parametrize(
    ("url", "files"),
    [
        ("https://docs.example/en/latest/", {}),
        ("https://docs.example/lamp/docs/", RTD),
        ("https://readthedocs.io.example/en/latest/", {}),
    ],
)
def test_below_a_path_of_another_host_nobody_reads_it(site, url, files):
    """Whatever the path looks like; nor does the configuration alone say who hosts it."""
    site.docs({"index.md": "# Home\n"})
    site.write(files)
    site.config("robots_txt: true", site_url=url)
    (warning,) = site.build().warnings
    assert f"robots.txt is read only at the root of a host, not under {url}" in warning
    (site.folder / "site/robots.txt").write_text(f"Sitemap: {url}sitemap.xml\n")
    found = f"is at {url}robots.txt, but must be at the root of the host"
    assert found in run_command("check", "site", cwd=site.folder).stdout


def test_a_file_that_is_no_text_stays_as_it_is(site):
    """UTF-16, for one: a line in UTF-8 would break it."""
    own = "User-agent: *\n".encode("utf-16")
    site.write({"docs/robots.txt": own})
    site.docs({"index.md": "# Home\n"})
    site.config("robots_txt: true")
    assert site.build().warnings == [
        "robots.txt: it is not UTF-8. It is not changed, and has no line for the sitemap."
    ]
    assert robots(site) == own
