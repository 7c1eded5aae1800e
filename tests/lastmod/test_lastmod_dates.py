"""When a page last changed, and how that is written."""

import pytest
from faults import documented
from sites import git

FRONT = "---\nlastmod: {}\n---\n# Page\n"


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
    ],
)
def test_format_and_time_zone(dated, options, dates):
    """Offsets in front matter are kept; a date stays a date."""
    lines = options.strip("{}").split(", ") if options.startswith("{") else [options]
    dated.config("lastmod:\n" + "".join(f"  {line}\n" for line in lines) if options else "")
    built = dated.build("--strict")
    assert lastmods(built) == dates
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


@pytest.mark.fault("the clock of a committer or of the build machine is wrong")
def test_the_wall_clock_and_not_source_date_epoch_says_what_the_future_is(site):
    """A reproducible build of an old commit knows today's date all the same."""
    site.docs({"index.md": FRONT.format("2024-01-02")})
    site.config()
    built = site.build("--strict", SOURCE_DATE_EPOCH="1")
    assert built.by_loc() == {"": {"lastmod": "2024-01-02"}}
