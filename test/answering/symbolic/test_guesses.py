"""Guesses are of the right type, whatever was seen."""

import numpy as np
import pytest
from felt_homes import ASKER, FeltHome, FeltSpace, home
from felt_programs import KINDS, FeltChance
from question_scenes import hand_made, remembered

from vantage.answering.protocol import LookAt
from vantage.answering.symbolic.guesses import best_guess
from vantage.answering.symbolic.observed_facts import ObservedFacts
from vantage.config import RelationSettings
from vantage.perception.map.observed_scene import ObservedScene
from vantage.questions import programs as steps
from vantage.questions.programs import program_text
from vantage.types import Question, Verdict


def is_of_type(program, answer):
    if isinstance(program, steps.Count):
        return answer.isdigit()
    if isinstance(program, (steps.Query, steps.QueryEach)):
        return bool(answer) and answer not in ("yes", "no")
    return answer in ("yes", "no")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_question_gets_an_answer_of_its_type(kind):
    graph, handles = home(1, 2)
    rng = np.random.default_rng(5)
    for share in (0.0, 0.5, 1.0):
        gone = frozenset(n.instance_id for n in graph.objects() if rng.random() < share)
        scene = FeltHome(graph, handles, gone, gone, gone if share == 0.5 else frozenset())
        scene = scene if share < 1.0 else ObservedScene()  # nothing at all was seen
        facts = ObservedFacts(scene, None, True, RelationSettings(), hidden=True)
        for seed in range(12):
            program = FeltChance(seed, graph, ASKER).program(kind)
            found = best_guess(program, facts)
            assert is_of_type(program, found.answer), (program_text(program), found)
            assert 0.0 < found.confidence <= 0.9


def test_what_was_seen_is_what_is_guessed():
    graph, handles = home(1, 2)
    scene = FeltHome(graph, handles, exact=True)
    facts = ObservedFacts(scene, FeltSpace(scene), True, RelationSettings(), hidden=True)
    many = best_guess(steps.Count(steps.Filter(steps.Scene(), "label", "book")), facts)
    assert int(many.answer) == sum(node.label == "book" for node in graph.objects())


def test_the_last_answer_is_a_guess_where_contents_count():
    question = Question("q1", "How many mugs are there?")
    known = remembered(hand_made(), hidden_contents=True)
    assert known.ask(question).verdict is Verdict.NEEDS_LOOK
    last = known.ask(question, last=True)
    assert last.verdict is Verdict.ANSWERED
    assert last.text.endswith("3.")
    assert 0.0 < last.confidence <= 0.75
    assert last.text.startswith("I could not look everywhere.")
    unseen = known.ask(Question("q2", "What color is the fridge?"), last=True)
    assert unseen.verdict is Verdict.ANSWERED


def test_what_is_left_to_do_is_told_beside_the_guess():
    known = remembered(hand_made(), hidden_contents=True)
    looks = known.look_for("How many mugs are there?")
    assert {LookAt.ANYWHERE, LookAt.OPEN} <= {look.what for look in looks}
    assert any(look.label == "cabinet" for look in looks if look.what is LookAt.OPEN)
    assert not any(look.what is LookAt.OPEN for look in remembered(hand_made()).look_for("How many mugs are there?"))
