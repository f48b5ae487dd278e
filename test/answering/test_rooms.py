"""Questions generated from homes, answered from all that is in sight; how it was seen is not the matter here."""

from functools import cache

import numpy as np
import pytest
from known_scenes import KnownScene, KnownSpace

from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.questions.noise.false_premises import make_questions
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.programs import read_program
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import Answer, NoiseType, Verdict

HOMES = ((0, 1), (1, 1), (2, 2), (3, 3))  # seed, rooms
ASKED_BACK = 3  # questions of a home at most, with two false claims or several things that are like a missing one
MISTAKEN = (NoiseType.PERCEPTION, NoiseType.SEMANTIC)
AKIN = 1  # objects at most that are asked about, are nowhere in a home, and have another one there that is like them


@cache
def home(seed, rooms):
    graph = SceneGraph.from_spec(generate_home(seed, rooms=rooms))
    questions = make_questions(graph, 25, 15, np.random.default_rng(seed))
    return graph, [question for question in questions if question.truth.program]


def answered(scene, question, exhausted):
    parsed = ParsedQuestion(question.text, read_program(question.truth.program))
    found = SymbolicReasoner().assess(parsed, scene, KnownSpace(scene), exhausted)
    identity = question.truth.question_id
    return Answer(identity, found.text, found.verdict, found.confidence, found.noise, found.evidence)


@pytest.mark.parametrize(("seed", "rooms"), HOMES)
def test_gold_answers_follow_from_what_is_in_sight(seed, rooms):
    graph, questions = home(seed, rooms)
    scene, judge, asked_back, akin = KnownScene(graph, asker=None), RuleJudge(), 0, set()
    for question in questions:
        truth, answer = question.truth, answered(scene, question, exhausted=True)
        if not truth.premise_holds and answer.verdict is Verdict.NEEDS_CONFIRMATION:
            asked_back += 1
            continue
        if truth.noise_type is NoiseType.LATENT and answer.noise.noise_type in MISTAKEN:
            assert answer.text.lower().startswith(truth.correction)  # all the same it says what is not there
            akin.add(truth.correction)
            continue
        mark = judge.judge(Case(truth, answer, 1.0))
        assert mark.score == 5, (question.text, truth, answer.text, mark.reason)
        if not truth.premise_holds:
            assert answer.noise.noise_type == truth.noise_type, (question.text, answer.text)
        assert 0.5 <= answer.confidence <= 1.0
    assert asked_back <= ASKED_BACK
    assert len(akin) <= AKIN


@pytest.mark.parametrize(("seed", "rooms"), HOMES)
def test_nothing_is_called_absent_before_places_were_looked_at(seed, rooms):
    graph, questions = home(seed, rooms)
    scene = KnownScene(graph, hidden={node.instance_id for node in graph.objects()}, asker=None)
    for question in questions:
        answer = answered(scene, question, exhausted=False)
        assert answer.verdict in (Verdict.NEEDS_LOOK, Verdict.UNANSWERABLE), (question.text, answer.text)
