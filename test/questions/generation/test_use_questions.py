"""Questions about things told by their use: no second thing in the place that is named could be the answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
from hand_made import hand_made, small

from vantage.questions.execution import execute
from vantage.questions.generation import Facts, GeneratedQuestion, clean_question
from vantage.questions.kinds import USUAL_KINDS, QuestionKind
from vantage.questions.lexicon import is_for, may_serve
from vantage.questions.program_parts import inner_steps
from vantage.questions.programs import Filter, read_program
from vantage.scenes.generator import generate_home
from vantage.scenes.graph import SceneGraph


@cache
def homes() -> tuple[SceneGraph, ...]:
    return tuple(SceneGraph.from_spec(generate_home(seed, 2)) for seed in (1, 2, 3, 4, 5))


def many(graph: SceneGraph, count: int = 25) -> list[GeneratedQuestion]:
    facts, rng = Facts(graph), np.random.default_rng(3)
    made = (clean_question(facts, QuestionKind.USE, rng) for _ in range(count))
    return [question for question in made if question is not None]


def told(question: GeneratedQuestion) -> tuple[str, str]:
    """The use that a question names, and its room; empty where it names none."""
    assert question.program is not None
    filters = {step.attribute: step.value for step in inner_steps(question.program) if isinstance(step, Filter)}
    return filters["use"], filters.get("room", "")


def uses_asked(room: SceneGraph, *labels: str) -> set[str]:
    """The uses that questions name where things of some labels lie on the table of a room."""
    added = (small(40 + k, label, -0.2, -0.9 + 0.3 * k, 0.75, "", "metal", 10) for k, label in enumerate(labels))
    return {told(each)[0] for each in many(replace(room, nodes=(*room.nodes, *added)), 40)}


def test_the_use_alone_tells_the_thing_and_nothing_else_would_do() -> None:
    for graph in homes():
        rooms = {room.room_id: room.label for room in graph.rooms}
        facts = Facts(graph)
        for question in many(graph):
            use, room = told(question)
            here = [each for each in facts.truths.objects if room in ("", rooms.get(each.room))]
            assert [each.instance_id for each in here if may_serve(each.label, use)] == list(
                question.truth.target_instances
            )
            assert is_for(graph.node(question.truth.target_instances[0]).label, use)


def test_the_question_does_not_name_the_thing() -> None:
    for graph in homes():
        for question in many(graph):
            label = graph.node(question.truth.target_instances[0]).label
            assert label not in question.text.lower().rstrip("?").split(), question.text


def test_answers_are_what_the_program_comes_to() -> None:
    made = [(graph, question) for graph in homes() for question in many(graph)]
    assert len(made) > 80
    for graph, question in made:
        assert question.truth.kind == "use"
        assert execute(read_program(question.truth.program), graph).value == question.truth.answer
    answers = Counter(question.truth.answer for _, question in made)
    assert max(answers.values()) < 0.35 * len(made)
    assert len(answers) > 12


def test_where_a_second_kind_would_do_nothing_is_asked() -> None:
    room = hand_made()
    assert "cut bread" in uses_asked(room, "knife", "fork")
    assert "cut bread" not in uses_asked(room, "knife", "scissors")
    assert "cut bread" not in uses_asked(room, "knife", "knife")
    assert "drink coffee" not in uses_asked(room)  # from any of three mugs


def test_it_is_asked_only_where_it_is_wanted() -> None:
    assert QuestionKind.USE not in USUAL_KINDS
    assert set(QuestionKind) - set(USUAL_KINDS) == {QuestionKind.USE}
