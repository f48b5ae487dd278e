"""Every question generated from twenty rooms is parsed, and answered right from what is in sight."""

from functools import cache

import numpy as np
import pytest
from question_scenes import remembered

from vantage.benchmarks.rule_judge import RuleJudge
from vantage.questions.noise import make_questions
from vantage.questions.parser import parse
from vantage.scenes.generator import generate_room
from vantage.scenes.graph import SceneGraph
from vantage.types import Question, Verdict

ROOMS = range(20)


@cache
def room(seed):
    graph = SceneGraph.from_spec(generate_room(seed))
    return graph, make_questions(graph, 25, 25, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", ROOMS)
def test_each_generated_question_is_parsed_as_what_it_is(seed):
    for question in room(seed)[1]:
        found = parse(question.text)
        assert found is not None, question.text
        assert found.kind.value == question.truth.kind, question.text
        if question.truth.corrected_question:
            assert parse(question.truth.corrected_question) is not None, question.truth.corrected_question


@pytest.mark.parametrize("seed", ROOMS)
def test_gold_answers_follow_from_what_is_in_sight(seed):
    graph, questions = room(seed)
    answering = remembered(graph)
    judge = RuleJudge()
    for question in questions:
        answer = answering.ask(Question(question.truth.question_id, question.text), exhausted=True)
        mark = judge.judge(question.truth, answer, 1.0)
        assert mark.score == 5, (question.text, question.truth, answer.text, mark.reason)
        assert answer.noise.noise_type == question.truth.noise_type, (question.text, answer.text)
        assert answer.confidence >= 0.5
        if question.truth.premise_holds:
            assert answer.verdict is Verdict.ANSWERED
            if question.truth.kind != "existence":
                assert answer.text in (question.truth.answer, *question.truth.accepted)


@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_is_called_absent_before_places_were_looked_at(seed):
    graph, questions = room(seed)
    answering = remembered(graph)
    for question in questions:
        answer = answering.ask(Question("q", question.text))
        wide = any(f"the {place}" in question.text for place in ("table", "desk", "bed", "sofa", "bookshelf"))
        if wide and (not question.truth.premise_holds or question.truth.answer == "no"):
            assert answer.verdict is Verdict.NEEDS_LOOK, (question.text, answer.text)
            assert answering.look_for(question.text)
