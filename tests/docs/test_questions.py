"""What users ask has an answer: each question names a page of the docs and a heading on it."""

import tomllib
from pathlib import Path

from docs_pages import DOCS, anchors

FOLDER = Path(__file__).parent / "questions"
ANSWERS = [
    answer
    for file in sorted(FOLDER.glob("*.toml"))
    for answer in tomllib.loads(file.read_text("utf-8")).items()
]
"""Places in the docs, and what is asked that they answer."""


def test_each_question_has_its_answer():
    """On a page that is there, under a heading that is there."""
    for place, questions in ANSWERS:
        path, _, heading = place.partition("#")
        assert (DOCS / path).is_file(), questions
        assert not heading or heading in anchors(DOCS / path), questions


def test_no_question_stands_twice():
    """Nor are there few: these are the questions that the docs must answer."""
    asked = [question for _, questions in ANSWERS for question in questions]
    assert len(set(asked)) == len(asked) >= 150
