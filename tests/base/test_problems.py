"""A message says where a problem is, what it is, what happens now and what to do."""

import pytest

from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem

PRIORITY = Place(Origin.FRONT_MATTER, "docs/a.md", "sitemap.priority", 4)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (
            Problem(
                Code.PRIORITY,
                "is 1.5",
                PRIORITY,
                "a number from 0.0 to 1.0",
                "No priority is written.",
                "Write it.",
            ),
            (
                "docs/a.md:4: sitemap.priority is 1.5, but must be a number from 0.0 to 1.0. "
                "No priority is written. Write it."
            ),
        ),
        (
            Problem(Code.FRONT_MATTER, "it is empty", Place(Origin.BUILT_PAGE, "a/index.html")),
            "a/index.html: it is empty.",
        ),
        (Problem(Code.OPTION, "is 7", Place(Origin.OPTION, key="priority")), "priority is 7."),
        (
            Problem(Code.NO_DATES, "nothing is dated", fix="Commit the pages."),
            "nothing is dated. Commit the pages.",
        ),
    ],
    ids=["all parts", "a file", "an option", "nowhere"],
)
def test_a_message_has_place_fault_effect_and_fix(problem, message):
    """In this order; what is not known is left out."""
    assert str(problem) == message
