"""Of which file a page is made: the plugin and `build` give one answer, by edit links."""

import pytest
from sites import SiteMaker, git, run_command

HOOK = """\
from mkdocs.structure.files import File

def on_files(files, config):
    for name in "ab":
        files.append(File.generated(config, f"ref/{name}.md", content=f"# {name}"))
    return files

def on_pre_page(page, config, files):
    if page.file.generated_by:
        name = page.file.src_uri[-4:-3]
        page.edit_url = f"https://github.com/o/r/edit/{config.extra['on']}/src/{name}.py"
    return page
"""
LINKS = {
    "the branch that is built": ("main", "edit_uri: edit/main/docs/\n", "o/r"),
    "a branch that edit_uri names": ("master", "edit_uri: edit/master/docs/\n", "o/r"),
    "MkDocs' default": ("master", "", "o/r"),
    "a clone of a fork": ("main", "edit_uri: edit/main/docs/\n", "me/fork"),
}


@pytest.mark.parametrize("case", LINKS)
def test_a_generated_page_is_made_from_the_file_of_its_edit_link(case, tmp_path):
    """For both doors, whichever branch is built and wherever it was cloned from."""
    branch, options, origin = LINKS[case]
    site = SiteMaker(tmp_path / "site")
    more = f"repo_url: https://github.com/o/r\n{options}extra: {{'on': {branch}}}\n"
    site.config(theme="theme: readthedocs\n", more=f"{more}hooks: [hook.py]\n")
    site.write({"hook.py": HOOK, "docs/index.md": "# Home\n"})
    site.commit("Home", "2024-01-01T10:00:00+0000")
    git("branch", "-q", "-M", "main", cwd=site.folder)
    git("remote", "add", "origin", f"https://github.com/{origin}", cwd=site.folder)
    site.commit_on("2024-02-01", {"src/a.py": "A = 1\n"})
    site.commit_on("2024-03-01", {"src/b.py": "B = 1\n"})
    built = site.build()
    assert {"2024-02-01", "2024-03-01"} <= {day[:10] for day in built.days().values()}
    by_plugin = built.path().read_bytes()
    built.path().unlink()
    run_command("build", "-f", "mkdocs.yml", cwd=site.folder)
    assert built.path().read_bytes() == by_plugin
