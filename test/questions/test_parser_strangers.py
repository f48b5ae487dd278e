"""The parser on questions of people who had seen neither the parser nor the generators."""

import time
from dataclasses import fields
from pathlib import Path

import pytest

from vantage.questions import programs as steps
from vantage.questions.lexicon import canonical
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


def meaning(step):
    """A step as data that is equal for programs that say the same in another order."""
    if isinstance(step, steps.ObjectSet):
        return members(step)
    parts = [getattr(step, item.name) for item in fields(step)]
    said = [meaning(part) if isinstance(part, steps.Step) else part for part in parts]
    either_way = isinstance(step, steps.CompareAttribute) or (
        isinstance(step, steps.CompareNumber) and step.relation == "equal"
    )
    return (type(step), said[0], frozenset(said[1:])) if either_way else (type(step), *said)


def members(objects):
    """Who belongs to a set: the alternatives, each a set of conditions that all must hold."""
    if isinstance(objects, steps.Union):
        return members(objects.first) | members(objects.second)
    if isinstance(objects, steps.Intersect):
        return frozenset(one | other for one in members(objects.first) for other in members(objects.second))
    if isinstance(objects, (steps.Scene, steps.Rooms)):
        return frozenset({frozenset({type(objects)})})
    if isinstance(objects, steps.Same):
        return frozenset({frozenset({steps.Scene, (steps.Same, objects.attribute, meaning(objects.one))})})
    if isinstance(objects, steps.Filter):
        condition = (steps.Filter, objects.attribute, canonical(objects.value))
    elif isinstance(objects, steps.Relate):
        viewer = None if objects.viewer is None else meaning(objects.viewer)
        condition = (steps.Relate, objects.relation, meaning(objects.anchor), viewer)
    else:
        condition = (steps.Between, frozenset({meaning(objects.first), meaning(objects.second)}))
    return frozenset(one | {condition} for one in members(objects.objects))


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
