"""Every question of the parser's tables gives the program that it gave."""

from __future__ import annotations

from golden_texts import programs
from golden_texts.holding import check


def test_questions_give_the_programs_that_they_gave() -> None:
    check("programs", programs.texts())
