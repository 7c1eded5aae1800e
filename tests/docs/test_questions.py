"""What users ask has an answer: each question names a page of the docs and a heading on it."""

import tomllib
from pathlib import Path

from docs_pages import DOCS, anchors

FOLDER = Path(__file__).parent / "questions"
QUESTIONS = [
    question
    for file in sorted(FOLDER.glob("*.toml"))
    for question in tomllib.loads(file.read_text("utf-8"))["question"]
]


def test_each_question_has_its_answer():
    """On a page that is there, under a heading that is there."""
    for question in QUESTIONS:
        path, _, heading = question["answer"].partition("#")
        assert (DOCS / path).is_file(), question
        assert not heading or heading in anchors(DOCS / path), question


def test_no_question_stands_twice():
    """Nor are there few: these are the questions that the docs must answer."""
    asked = [question["asked"] for question in QUESTIONS]
    assert len(set(asked)) == len(asked) >= 150
