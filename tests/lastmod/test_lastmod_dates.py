"""When a page last changed, and how that is written."""

import json

import pytest
from faults import documented
from sites import git

FRONT = "---\nlastmod: {}\n---\n# Page\n"
DEFAULTS = "lastmod: {}"
"""The sources are those that they are without any options."""


@pytest.fixture
def dated(site):
    """A committed site: a page in summer, a page in winter, pages that state their own date."""
    site.docs({"summer.md": "# S\n", "index.md": "# Home\n"})
    site.commit(date="2024-07-01T23:30:00+0000")
    site.docs(
        {
            "winter.md": "# W\n",
            "date.md": FRONT.format("2023-12-31"),
            "naive.md": FRONT.format("2023-07-31T23:30:00"),
            "aware.md": FRONT.format("2023-07-31T23:30:00-08:00"),
        }
    )
    site.commit(date="2024-12-31T23:30:00-0500")
    return site


def lastmods(built):
    return {loc.strip("/"): entry.get("lastmod") for loc, entry in built.by_loc().items() if loc}


@pytest.mark.parametrize(
    ("options", "dates"),
    [
        pytest.param(
            "timezone: Europe/Berlin",
            {
                "aware": "2023-07-31T23:30:00-08:00",
                "date": "2023-12-31",
                "naive": "2023-07-31T23:30:00+02:00",
                "summer": "2024-07-02T01:30:00+02:00",
                "winter": "2025-01-01T05:30:00+01:00",
            },
            id="berlin",
        ),
        pytest.param(
            "{format: date, timezone: America/New_York}",
            {
                "aware": "2023-07-31",
                "date": "2023-12-31",
                "naive": "2023-07-31",
                "summer": "2024-07-01",
                "winter": "2024-12-31",
            },
            id="dates-in-new-york",
        ),
        pytest.param(
            "sources: [git, front_matter]",
            {
                "aware": "2025-01-01T04:30:00+00:00",
                "date": "2025-01-01T04:30:00+00:00",
                "naive": "2025-01-01T04:30:00+00:00",
                "summer": "2024-07-01T23:30:00+00:00",
                "winter": "2025-01-01T04:30:00+00:00",
            },
            id="git-first",
        ),
    ],
)
def test_sources_format_and_time_zone(dated, options, dates):
    """The first source that knows wins; offsets in front matter are kept; a date stays a date."""
    lines = options.strip("{}").split(", ") if options.startswith("{") else [options]
    dated.config("lastmod:\n" + "".join(f"  {line}\n" for line in lines) if options else "")
    built = dated.build("--strict")
    assert lastmods(built) == dates
    assert built.notes == []


def test_no_repository_is_needed_if_every_page_states_its_date(site):
    """Git is asked only for pages that no stronger source knows."""
    site.docs({"index.md": FRONT.format("2024-01-02")})
    site.config(DEFAULTS)
    built = site.build("--strict")
    assert built.notes == []


@pytest.mark.fault("the clock of a committer or of the build machine is wrong")
def test_a_commit_in_the_future_is_a_note(site):
    """Some clock was wrong; no owner of a site can mend a commit."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit(date="2024-01-02T00:00:00+0000")
    site.docs({"a.md": "# A\n", "b.md": "# B\n"})
    site.commit(date="2090-01-02T00:00:00+0000")
    commit = git("rev-parse", "HEAD", cwd=site.folder)[:12]
    built = site.build("--strict")
    assert lastmods(built) == {"a": None, "b": None}
    assert built.notes == [
        (
            "2 pages have a last commit that is dated in the future (docs/a.md: "
            f"{commit}, 2090-01-02T00:00:00+00:00). Dates more than 24 hours ahead are not used."
        )
    ]
    documented("the clock of a committer or of the build machine is wrong", *built.notes)


def test_a_site_with_commits_in_the_future_only_gets_a_fix_that_is_one(site):
    """The warning names what the owner can do; the report has no fix, because there is none."""
    site.docs({"index.md": "# Home\n"})
    site.config("report: report.json")
    site.commit(date="2090-01-02T00:00:00+0000")
    (warning,) = site.build().warnings
    assert "2090-01-02T00:00:00+00:00). Accept missing dates with `lastmod: " in warning
    (page,) = json.loads((site.folder / "report.json").read_bytes())["pages"]
    assert (page["undated"]["reason"], page["undated"].get("fix")) == ("date in the future", None)


@pytest.mark.fault("the clock of a committer or of the build machine is wrong")
def test_the_wall_clock_and_not_source_date_epoch_says_what_the_future_is(site):
    """A reproducible build of an old commit knows today's date all the same."""
    site.docs({"index.md": FRONT.format("2024-01-02")})
    site.config()
    built = site.build("--strict", SOURCE_DATE_EPOCH="1")
    assert built.by_loc() == {"": {"lastmod": "2024-01-02"}}


def test_a_page_that_is_not_committed_is_undated_and_an_edited_one_keeps_its_date(site):
    """CI often edits pages before it builds."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit(date="2024-01-02T00:00:00+0000")
    site.docs({"index.md": "# Edited\n", "new.md": "# New\n"})
    built = site.build("--strict")
    assert built.by_loc() == {"": {"lastmod": "2024-01-02T00:00:00+00:00"}, "new/": {}}


def test_a_date_of_the_first_years_is_emitted_in_any_zone(site):
    """Only to prove that no zone breaks it."""
    site.docs({"index.md": FRONT.format("0001-01-01T00:00:00"), "a.md": FRONT.format("0001-01-01")})
    site.config("lastmod: {timezone: Asia/Tokyo}")
    built = site.build(check=False, found=["lastmod-format"])
    assert built.returncode == 0
    assert built.by_loc()["a/"] == {"lastmod": "0001-01-01"}


def test_the_alarm_counts_pages_with_a_date_only(site):
    """Whatever dates them; with the line to paste, which silences it."""
    site.commit_on("2024-01-01", {f"docs/p{number}.md": f"# {number}\n" for number in range(20)})
    site.commit_on("2024-02-01", {f"docs/p{number}.md": f"# No {number}\n" for number in range(20)})
    commit = git("rev-parse", "HEAD", cwd=site.folder)
    fronts = {f"docs/f{number}.md": "---\nlastmod: 2023-01-01\n---\n" for number in range(6)}
    site.commit_on("2024-01-01", fronts | {"docs/no.md": "---\nlastmod: false\n---\n"})
    site.config()
    assert site.build("--strict").notes == []
    (site.folder / "docs" / "f0.md").unlink()
    assert site.build("--strict").notes == [
        (
            f"20 of 25 dated pages have the date of one commit, {commit[:12]} 'Change'. If it only "
            f"reformatted them, run `printf '\\n%s\\n' {commit} >> .git-blame-ignore-revs` at the "
            "top of the repository. If the dates are right, write `#` before the line."
        )
    ]
    site.write({".git-blame-ignore-revs": f"{commit}\n"})
    silenced = site.build("--strict")
    assert silenced.notes == []
    assert set(silenced.days().values()) == {None, "2023-01-01", "2024-01-01"}
