"""Every question of the parser's tables gives the program that it gave."""

from __future__ import annotations

import re

import pytest
from golden_texts import programs
from golden_texts.holding import check, held
from sampling import few_of_each

_EACH = 1  # questions of a table whose programs take the same steps


def test_a_line_is_held_for_every_question() -> None:
    lines = {name: text.splitlines() for name, text in held("programs").items()}
    asked = programs.questions()
    assert {name: len(each) for name, each in lines.items()} == {name: len(each) for name, each in asked.items()}
    for name, questions in asked.items():
        assert all(line.startswith(f"{text} => ") for text, line in zip(questions, lines[name], strict=True)), name


def test_questions_of_every_kind_give_the_programs_that_they_gave() -> None:
    for name, text in held("programs").items():
        few, rest = few_of_each(text.splitlines(), _steps, _EACH)
        assert 0 < len(few) < len(rest)
        assert [programs.line(line.partition(" => ")[0]) for line in few] == few, name


@pytest.mark.needs("time")
def test_questions_give_the_programs_that_they_gave() -> None:
    check("programs", programs.texts())


def _steps(line: str) -> object:
    """The names of the steps of a program, in their order."""
    program = line.partition(" => ")[2].partition(" looking for ")[0]
    return tuple(re.findall(r"(\w+)\(", program))
