"""Files that a person names as output: none of theirs is replaced, and ours are again and again."""

import os
import re
from pathlib import Path

import pytest
from commands import run
from quantity import one_in

REFUSED = "it exists and does not say that mkdocs-sitemap-plus wrote it. It stays as it was."
OUTPUTS = {
    "dates": ("dates", "-o"),
    "report": ("report", "-o"),
    "index": ("index", "site", "-o"),
    "merged index": ("index", "--merge", "site", "-o"),
    "build": ("build", "--write-report"),
}


@pytest.fixture
def built(site, monkeypatch):
    """A built site, in whose folder the commands run, with files of its owner."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("report: kept.json")
    site.write(
        {
            "README.md": "# Read me\n",
            "package.json": '{"name": "lamp"}\n',
            "page.html": "<!doctype html>",
        }
    )
    site.write({"own.xml": '<?xml version="1.0" encoding="UTF-8"?>\n<urlset/>\n'})
    site.commit()
    site.build("--strict")
    monkeypatch.chdir(site.folder)
    return site


def all_files(folder):
    """Each file by its path, with its bytes, or where it leads if it is a link."""
    return {
        path.relative_to(folder).as_posix(): path.readlink()
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or (path.is_file() and ".git" not in path.parts)
    }


@one_in(7)
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(
    "name", ["README.md", "mkdocs.yml", "package.json", "page.html", "own.xml"]
)
def test_a_file_of_the_owner_is_not_replaced(built, output, name):
    """As a shell fills in a forgotten name; the message names it, and what to do."""
    before = all_files(built.folder)
    code, out, err = run(*OUTPUTS[output], name)
    assert all_files(built.folder) == before
    assert code > 0
    assert out == ""
    assert f"Error: {name}: {REFUSED} Name another file. " in err


@one_in(3)
@pytest.mark.parametrize("output", OUTPUTS)
def test_an_empty_file_is_nobodys(built, output):
    """As `mktemp` makes one, whose name is then given to the command."""
    (built.folder / "empty.txt").touch()
    code, _, err = run(*OUTPUTS[output], "empty.txt")
    assert (code, "Error" in err) == (0, False)
    assert (built.folder / "empty.txt").read_bytes()


def test_an_output_of_another_kind_is_not_replaced(built):
    """A report is no dates file."""
    run("dates", "-o", "dates.json")
    run("report", "-o", "report.html")
    run("index", "site", "-o", "index.xml")
    before = all_files(built.folder)
    others = {"dates": "dates.json", "report": "report.html", "index": "index.xml"}
    others["build"] = "kept.json"
    for output in others:
        for other, name in others.items():
            if output != other:
                code, _, err = run(*OUTPUTS[output], name)
                assert (code > 0, f"{name}: {REFUSED}" in err) == (True, True)
    assert all_files(built.folder) == before


@one_in(3)
@pytest.mark.unix
@pytest.mark.parametrize("output", OUTPUTS)
def test_an_output_replaces_itself_and_goes_through_links(built, output):
    """The link stays, and the file to which it leads is new; a device is written to."""
    call = OUTPUTS[output]
    (built.folder / "elsewhere").mkdir()
    (built.folder / "link").symlink_to("elsewhere/target")
    for _ in range(2):
        assert run(*call, "link")[0] == 0
    assert (built.folder / "link").readlink() == Path("elsewhere/target")
    assert (built.folder / "elsewhere/target").stat().st_size > 0
    (built.folder / "owners").symlink_to("package.json")
    before = all_files(built.folder)
    code, _, err = run(*call, "owners")
    assert (code > 0, f"owners: {REFUSED}" in err) == (True, True)
    assert all_files(built.folder) == before
    assert run(*call, os.devnull)[0] == 0


def test_the_archive_beside_an_index_is_not_replaced_either(built):
    """`index` writes both."""
    (built.folder / "new.xml.gz").write_bytes(b"of the owner")
    before = all_files(built.folder)
    code, _, err = run("index", "site", "-o", "new.xml")
    assert (code, f"new.xml.gz: {REFUSED}" in err) == (1, True)
    assert all_files(built.folder) == before


@pytest.mark.parametrize("door", ["plugin", "command"])
def test_the_option_report_replaces_no_file_of_the_owner(built, door):
    """A warning, which fails a strict build; the sitemap is written all the same."""
    built.config("report: package.json")
    kept = (built.folder / "package.json").read_bytes()
    if door == "plugin":
        done = built.build("--strict", check=False)
        code, (said,) = done.returncode, done.warnings
    else:
        code, _, err = run("build", "--strict")
        said = err.removeprefix("Warning: ").strip()
    assert code == 1
    assert re.sub(r"^mkdocs.yml(:\d+)?", "mkdocs.yml", said) == (
        "mkdocs.yml: report is 'package.json', which exists and does not say that "
        "mkdocs-sitemap-plus wrote it. No report is written. Name another file. If release 0.10 or "
        "older wrote this one, delete it once."
    )
    assert (built.folder / "package.json").read_bytes() == kept


def test_a_dates_file_of_an_older_release_is_read_and_deleted_once(built):
    """It had no mark. The message says so, and then the command works as ever."""
    built.config("lastmod: {sources: [file]}")
    run("dates")
    file = built.folder / "sitemap-dates.json"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if '"format"' not in line), "utf-8")
    assert "all dated (file)" in built.build("--strict").summary
    code, _, err = run("dates")
    assert (code, "If release 0.10 or older wrote this one, delete it once." in err) == (1, True)
    file.unlink()
    assert run("dates")[0] == 0


@pytest.mark.parametrize("named", ["site/r.html", "docs/r.html", "link/r.html"])
def test_a_file_that_would_be_published_is_not_written(built, named):
    """A report, or dates; also if the folder of the built site is renamed or linked."""
    if named.startswith("link"):
        (built.folder / "link").symlink_to("docs")
    folder = "built site" if named.startswith("site") else "docs folder"
    before = all_files(built.folder)
    said = (
        f"Error: {named}: it is in the {folder}, where it would be published. Nothing is written. "
        "Name a file in another folder.\n"
    )
    for call in (("report",), ("report", "site"), ("report", "--report", "kept.json")):
        assert run(*call, "-o", named) == (2, "", said)
    assert run("dates", "-o", named) == (1, "", said)
    assert all_files(built.folder) == before


def test_dates_names_the_file_that_it_wrote_with_its_folder(built, tmp_path_factory):
    """Wherever it is."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "x.json"
    assert (
        run("dates", "-o", elsewhere)[1] == f"Wrote {elsewhere.as_posix()}: the dates of 2 files.\n"
    )
    (built.folder / "out").mkdir()
    assert run("dates", "-o", "out/x.json")[1].startswith("Wrote out/x.json: ")


def test_build_writes_a_report_that_the_other_commands_read(built):
    """`--report` is what is read, in each command; `build` reads none."""
    assert run("build", "--write-report", "new.json")[0] == 0
    assert run("explain", "--report", "new.json", "a.md")[0] == 0
    code, _, err = run("build", "--report", "other.json")
    assert (code, "Did you mean '--write-report'?" in err) == (2, True)
    assert not (built.folder / "other.json").exists()


def test_what_build_writes_into_a_file_is_also_the_last_build_that_is_known(built):
    """`check` speaks of this build, and not of the one before it."""
    built.config()
    assert run("build")[0] == 0
    (built.folder / "docs/a.md").write_text("---\nsitemap: false\n---\n", "utf-8")
    assert run("build", "--write-report", "new.json")[0] == 0
    code, out, err = run("check")
    assert (code, err) == (0, "")
    assert "1 page not listed, as the build decided (excluded)" in out


def test_a_file_in_a_folder_that_is_not_there_is_named_with_it(built):
    """With the path that was typed, and not by its last part alone."""
    code, _, err = run("dates", "-o", "gone/x.json")
    assert code
    assert err.startswith("Error: gone/x.json: it can't be written (No such file or directory).")


def test_a_pattern_on_the_command_line_leads_to_the_option_of_the_project(built):
    """`build --exclude` in a project."""
    code, _, err = run("build", "--exclude", "a/")
    assert code == 2
    assert "Use the option `exclude` in mkdocs.yml." in err
