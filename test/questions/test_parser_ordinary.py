"""The parser on questions as ordinary people write them, some with a false premise, which its program has to hold.

A misreading is worse than not to understand: it is answered wrongly and surely.
"""

from pathlib import Path

import pytest
from program_meanings import meaning

from vantage.questions.parsing import parse
from vantage.questions.programs import read_program

LEAST_UNDERSTOOD, MOST_MISREAD = 0.91, 0.02
TABLES = ("ordinary_questions.tsv", "ordinary_questions_2.tsv")  # of two writers each


def rows(table):
    lines = (Path(__file__).parent / table).read_text(encoding="utf-8").splitlines()[1:]
    return [tuple(line.split("\t")) for line in lines]


def meant(program, number, further):
    """What a row says: programs by meaning and a claimed number; nothing where no program says it."""
    if program == "none":
        return None
    return tuple(meaning(read_program(each)) for each in (program, further) if each), int(number) if number else None


def understood(text):
    found = parse(text)
    if found is None:
        return None
    return tuple(meaning(each.program) for each in (found, *found.further)), found.number


@pytest.mark.parametrize("table", TABLES)
def test_understands_ordinary_questions_and_misreads_next_to_none(table):
    asked = rows(table)
    assert len({text for text, *_ in asked}) == 240
    right, misread = 0, []
    for text, *said in asked:
        found = understood(text)
        if found is not None and found == meant(*said):
            right += 1
        elif found is not None:
            misread.append(text)
    assert right >= LEAST_UNDERSTOOD * len(asked)
    assert len(misread) <= MOST_MISREAD * len(asked), "\n".join(misread)
