"""Things told by their use: the reasoner answers from what was seen, and says when nothing seen is for the use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hand_made import hand_made, small
from known_scenes import KnownScene, KnownSpace
from row_tables import each_row

from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.questions.execution import execute
from vantage.questions.generation import Facts, clean_question
from vantage.questions.kinds import QuestionKind
from vantage.questions.parsing.parser import parse
from vantage.scenes.generator import generate_home
from vantage.scenes.graph import SceneGraph
from vantage.types import Verdict


def assessed(text, graph):
    scene = KnownScene(graph)
    return SymbolicReasoner().assess(parse(text), scene, KnownSpace(scene), True)


def with_knife():
    room = hand_made()
    return replace(room, nodes=(*room.nodes, small(40, "knife", -0.2, -0.9, 0.75, "gray", "metal", 10)))


@each_row(
    "text, answer",
    [
        ("What could I use to cut bread?", "knife"),
        ("Where is the thing for slicing bread?", "on the table"),
        ("What color is the thing that I could listen to the news on?", "orange"),
        ("Where could I take a nap?", "bed"),
        ("What could the kids kick around?", "ball"),
        ("How many things could I drink coffee from?", "3"),
        ("Is there anything to cut bread with on the table?", "yes"),
        ("Is there anything to cut bread with on the desk?", "no"),
    ],
)
def test_what_was_seen_is_known_by_its_use(text, answer):
    found = assessed(text, with_knife())
    assert found.verdict is Verdict.ANSWERED
    assert found.answer == answer


@each_row(
    "text, correction",
    [
        ("What color is the red thing for cutting bread?", "gray, not red"),
        ("Which thing on the desk could I use to cut bread?", "on the table, not on the desk"),
        ("Which thing in the bedroom could I use to cut bread?", "on the table, not in the bedroom"),
    ],
)
def test_what_else_is_said_of_it_is_put_right(text, correction):
    found = assessed(text, with_knife())
    assert found.verdict is Verdict.CORRECTED
    assert correction in found.text


@each_row(
    "text",
    ["Where is the thing for slicing bread?", "Which thing on the desk could I use to cut bread?"],
)
def test_where_nothing_is_for_the_use_there_is_no_answer(text):
    found = assessed(text, hand_made())
    assert found.verdict is Verdict.UNANSWERABLE
    assert "thing for cutting bread" in found.text


def test_it_is_looked_for_while_it_was_not_seen():
    question = parse("Where is the thing for slicing bread?")
    found = SymbolicReasoner().assess(question, KnownScene(hand_made()), None, False)
    assert found.verdict is Verdict.NEEDS_LOOK
    assert found.look_for
    assert question.labels == ("knife",)


def test_generated_questions_are_answered_as_the_truth_has_it():
    answered = 0
    for seed in (1, 2, 3):
        graph = SceneGraph.from_spec(generate_home(seed, 2))
        facts, rng = Facts(graph), np.random.default_rng(seed)
        for _ in range(10):
            made = clean_question(facts, QuestionKind.USE, rng)
            if made is None:
                continue
            found = assessed(made.text, graph)
            value = str(execute(made.program, graph).value)
            assert found.verdict is Verdict.ANSWERED, made.text
            assert found.answer == value or (found.answer.startswith("on the floor") and value in found.answer), (
                made.text
            )
            answered += 1
    assert answered > 20
