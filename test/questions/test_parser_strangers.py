"""The parser on questions of people who had seen neither the parser nor the generators."""

import time
from pathlib import Path

import pytest
from program_meanings import meaning

from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text, read_program

HERE = Path(__file__).parent
MOST_SECONDS_ON_AVERAGE = 0.02  # it takes 2 to 4 ms; room for a busy machine


def rows(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()[1:]
    return [tuple(line.split("\t")) for line in lines if line.strip()]


FILES = tuple(f"independent_questions{number}.tsv" for number in ("", "_2", "_3", "_4"))
INDEPENDENT = {name: rows(name) for name in FILES}
LEAST_UNDERSTOOD = 0.95  # of each independent set


def test_enough_questions_were_asked():
    assert all(len({text for text, _ in questions}) >= 160 for questions in INDEPENDENT.values())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "count(filter(filter(scene(), 'label', 'mug'), 'color', 'red'))",
            "count(filter(filter(scene(), 'color', 'red'), 'label', 'mug'))",
            True,
        ),
        (
            "exist(filter(union(filter(scene(), 'label', 'cup'), filter(scene(), 'label', 'mug')), 'color', 'red'))",
            "exist(union(filter(filter(scene(), 'label', 'mug'), 'color', 'red'), "
            "filter(filter(scene(), 'color', 'red'), 'label', 'cup')))",
            True,
        ),
        (
            "count(intersect(filter(scene(), 'color', 'red'), filter(scene(), 'label', 'mug')))",
            "count(filter(filter(scene(), 'label', 'mug'), 'color', 'red'))",
            True,
        ),
        ("count(filter(scene(), 'label', 'mug'))", "exist(filter(scene(), 'label', 'mug'))", False),
        (
            "compare_number('more', filter(scene(), 'label', 'cup'), filter(scene(), 'label', 'mug'))",
            "compare_number('more', filter(scene(), 'label', 'mug'), filter(scene(), 'label', 'cup'))",
            False,
        ),
    ],
)
def test_programs_are_compared_by_meaning(one, other, same):
    assert (meaning(read_program(one)) == meaning(read_program(other))) is same


@pytest.mark.parametrize("name", INDEPENDENT)
def test_understands_strangers(name):
    wrong = []
    for text, program in INDEPENDENT[name]:
        found = parse(text)
        wanted = None if program == "none" else meaning(read_program(program))
        if (None if found is None else meaning(found.program)) != wanted:
            wrong.append(f"{text}: {None if found is None else program_text(found.program)}")
    assert len(wrong) <= (1 - LEAST_UNDERSTOOD) * len(INDEPENDENT[name]), "\n".join(wrong)


def test_a_question_takes_a_few_milliseconds():
    texts = [text for questions in INDEPENDENT.values() for text, _ in questions]
    started = time.process_time()
    for text in texts:
        parse(text)
    assert (time.process_time() - started) / len(texts) < MOST_SECONDS_ON_AVERAGE
