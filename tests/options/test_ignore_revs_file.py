"""The file of ignored commits, whose lines messages quote."""

import pytest
from sites import run_command

TEXT = "a line of somebody else"


@pytest.fixture
def edited(site):
    """A site in a repository, and beside that a file of somebody else."""
    inside = site.copy(site.folder / "inside")
    inside.docs({"index.md": "# Home\n"})
    inside.write({"../secret.yml": f"{TEXT}\n"})
    inside.config()
    inside.commit()
    return inside


@pytest.mark.parametrize("name", ["../secret.yml", "link.txt", "docs/../../secret.yml"])
def test_a_file_outside_of_the_repository_is_an_error(edited, name):
    """By name or by a link, and both doors say so; `check` needs no such file here."""
    (edited.folder / "link.txt").symlink_to("../secret.yml")
    edited.build()
    edited.config(f"lastmod: {{git: {{ignore_revs_file: {name}}}}}")
    built = edited.build(check=False)
    calls = [run_command(call, cwd=edited.folder) for call in ("build", "dates", "check")]
    error = (
        f"mkdocs.yml:5: lastmod.git.ignore_revs_file is '{name}', but must be a file of this "
        "repository."
    )
    printed = [built.output, *(done.stderr + done.stdout for done in calls)]
    assert [error in each for each in printed] == [True, True, True, False]
    assert not any(TEXT in each for each in printed)
    assert [done.returncode for done in (built, *calls)] == [1, 1, 1, 0]


def test_a_usual_file_that_leads_out_of_the_repository_is_not_read(edited):
    """One message says so."""
    (edited.folder / ".git-blame-ignore-revs").symlink_to("../secret.yml")
    built = edited.build()
    (warning,) = built.warnings
    assert warning == (
        "lastmod.git.ignore_revs_file is '.git-blame-ignore-revs', which leads out of the "
        "repository. The commits in it are not ignored."
    )
    assert TEXT not in built.output
