"""No file, name or pattern holds a build, ends it, or makes it grow without end."""

import os
import shutil
import subprocess
import sys
import time
from glob import glob
from pathlib import Path

import pytest
from faults import documented
from hypothesis import example, given
from hypothesis import strategies as st
from quantity import at_length
from sites import clean_environment, run_command

from mkdocs_sitemap_plus import files
from mkdocs_sitemap_plus.files import Unreadable, read_file
from mkdocs_sitemap_plus.generator import parts
from mkdocs_sitemap_plus.generator.parts import Search

UNIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Unix")
LONG = "a" * 300


# Files.


def test_a_file_has_a_bound(tmp_path):
    """Nothing is read of a file that is larger."""
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    assert files.read_start(path, 3) == b"123"
    with pytest.raises(Unreadable, match="More than 0 MiB"):
        read_file(path, 4)
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(Unreadable, match="More than 64 MiB"):
        read_file(path)


NAMES = [LONG, "a/" * 3_000, "a\0b", "\ud800", "\udc80", ""]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_no_file_can_have_is_no_error(tmp_path, name):
    """Whatever is asked of it."""
    path = os.fspath(tmp_path) + "/" + name
    assert not files.is_file(path)
    assert not parts.is_same_file(path, LONG)
    files.is_folder(path)
    files.exists(path)
    assert isinstance(files.real_path(path), Path)
    with pytest.raises(Unreadable):
        read_file(path)
    assert Search([tmp_path]).files(tmp_path, name).files == ()
    assert Search([tmp_path]).files(tmp_path, f"{name}*").files == ()


# Searches.

TREE = ("a.md", "b.txt", ".h", "s/a.md", "s/t/a.md", "s/t/b.py", ".d/a.md", "x[1].md", "s/.h/b.md")
PARTS = st.sampled_from(["*", "**", "*.md", "s", "t", "a.md", "?.*", ".", "[ab].md", ".*", ""])
SEARCHES = (
    st.lists(PARTS, min_size=1, max_size=5)
    .map("/".join)
    .filter(lambda text: text and text[0] != "/" and text.split("/")[-1] not in ("", ".", ".."))
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A folder with some files."""
    top = tmp_path_factory.mktemp("tree")
    for name in TREE:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(name)
    return top


@given(SEARCHES)
@example("../*.md")
@example("*/../*.md")
@example("t/../../*")
def test_a_search_finds_what_glob_finds(tree, pattern):
    """Below its folders; nothing above them."""
    found = glob(pattern, root_dir=tree / "s", recursive=True)  # noqa: PTH207
    names = [name for name in found if not name.endswith("/")]
    paths = {Path(os.path.abspath(tree / "s" / name)) for name in names}  # noqa: PTH100
    expected = {path for path in paths if path.is_file()}
    match = Search([tree]).files(tree / "s", pattern)
    assert (set(match.files), match.reason) == (expected, None)


@pytest.mark.parametrize("pattern", ["/**", "/proc/**", "../../../../**", "../*/*", "s/../../**"])
def test_no_pattern_is_searched_outside(tree, pattern):
    """A contributor's page could hold any build."""
    start = time.process_time()
    match = Search([tree]).files(tree, pattern)
    assert match.files == ()
    assert match.reason == f"No file outside of {tree.name} is searched."
    assert time.process_time() - start < 10


@UNIX
def test_no_link_leads_a_search_outside(tmp_path):
    """Neither to the root of all, nor to the folder above."""
    top = tmp_path / "top"
    (top / "s").mkdir(parents=True)
    (tmp_path / "out.md").write_text("")
    (top / "s" / "a.md").write_text("")
    (top / "root").symlink_to("/")
    (top / "s" / "up").symlink_to("../..")
    (top / "s" / "self").symlink_to(".")
    (top / "s" / "self2").symlink_to(".")
    search = Search([top])
    for pattern in ("**", "**/*.md", "*/*.md", "s/*/*.md", "s/up/*.md", "*/**"):
        assert {path.name for path in search.files(top, pattern).files} <= {"a.md"}
    assert search.files(top, "root/**").reason == "No file outside of top is searched."


# Builds.


@pytest.mark.fault("a pattern that matches the whole disk")
def test_a_part_that_no_file_can_be_is_no_error(site):
    """Both doors build, and report only what was not searched."""
    site.docs(
        {
            "index.md": "# Home\n",
            "long.md": f"---\nsitemap: {{depends: [{LONG}]}}\n---\n# A\n",
            "snippet.md": f'# A\n\n--8<-- "{LONG}"\n',
            "all.md": '---\nsitemap: {depends: ["/**", "/proc/**"]}\n---\n# A\n',
        }
    )
    site.config(more="markdown_extensions: [pymdownx.snippets]\n")
    site.commit()
    built = site.build()
    reported = [
        f"docs/all.md:2: sitemap.depends has the pattern '{pattern}'. No file outside of "
        f"{site.folder.name} and docs is searched. The page gets no date from these files."
        for pattern in ("/**", "/proc/**")
    ]
    *warnings, missing = built.warnings
    assert missing.startswith(
        f"docs/long.md:2: sitemap.depends has the pattern '{LONG[:76]}..., which matches no file. "
    )
    assert (warnings, built.notes) == (reported, [])
    plugin = built.path().read_bytes()
    done = run_command("build", cwd=site.folder)
    assert [line for line in done.stderr.splitlines() if "Warning" in line] == [
        f"Warning: {line}" for line in built.warnings
    ]
    assert built.path().read_bytes() == plugin
    documented("a pattern that matches the whole disk", *built.warnings)


@UNIX
@pytest.mark.timeout(60)
@pytest.mark.fault("a named pipe is in the place of a file")
def test_a_pipe_in_the_place_of_a_file_holds_no_build(site):
    """The dates file, a part, robots.txt, the sitemap itself, a page, and a built page."""
    os.mkfifo(site.folder / "sitemap-dates.json")
    os.mkfifo(site.folder / "part.md")
    os.mkfifo(site.folder / "revs")
    text = "---\nsitemap: {depends: [../part.md]}\n---\n\n# A\n"
    site.docs({"index.md": "# Home\n", "a.md": text, "b.md": "# B\n"})
    options = "robots_txt: true\nlastmod: {sources: [git, file], git: {ignore_revs_file: revs}}"
    site.config(options)
    assert site.build(timeout="30").returncode == 0
    for name in ("site/robots.txt", "site/sitemap.xml", "site/b/index.html", "docs/b.md"):
        (site.folder / name).unlink()
        os.mkfifo(site.folder / name)
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0, done.stderr
    assert "robots.txt: it can't be read (Not a regular file)." in done.stderr
    documented("a named pipe is in the place of a file", done.stderr)


@at_length
@UNIX
@pytest.mark.skipif(not shutil.which("setpriv"), reason="needs setpriv, since root may read all")
@pytest.mark.fault("a file is not readable")
def test_what_may_not_be_read_does_not_end_the_build(site):
    """A folder of parts, a source, and a built page."""
    site.write({"secret/a.txt": "A\n"})
    names = "[../secret/a.txt, ../secret/*]"
    site.docs(
        {
            "index.md": "# Home\n",
            "a.md": f"---\nsitemap: {{depends: {names}}}\n---\n# A\n",
            "b.md": "# B\n",
            "c.md": "---\npriority: 0.7\n---\n# C\n",
        }
    )
    site.config()
    site.commit()
    site.build()
    nobody = 65534
    for name in ("secret", "site/b/index.html", "docs/c.md"):
        if os.geteuid() == 0:
            os.chown(site.folder / name, nobody, nobody)
        (site.folder / name).chmod(0)
    drop = "-dac_override,-dac_read_search"
    command = ["setpriv", "--bounding-set", drop, "--inh-caps", drop]
    command = command if os.geteuid() == 0 else []

    def run(subcommand):
        return subprocess.run(
            [*command, sys.executable, "-m", "mkdocs_sitemap_plus", subcommand],
            cwd=site.folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    done = run("build")
    assert done.returncode == 0, done.stderr
    lines = {line for line in done.stderr.splitlines() if line.startswith("Warning")}
    assert lines >= {
        (
            "Warning: docs/c.md: the front matter can't be read (Permission denied). All front "
            "matter of this page is ignored."
        ),
        (
            "Warning: 1 file of the built site can't be read (b/index.html: Permission denied). "
            "No such page is listed."
        ),
    }
    assert all("matches no file" in line for line in lines if "depends" in line)
    documented("a file is not readable", done.stderr)
    checked = run("check")
    assert (checked.returncode, checked.stderr) == (0, "")
