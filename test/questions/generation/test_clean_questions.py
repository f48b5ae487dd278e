"""Clean questions: right by their programs, unambiguous, balanced, well worded, reproducible."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hand_made import hand_made, node, small
from row_tables import each_row

from vantage.errors import SceneError
from vantage.questions.execution import execute
from vantage.questions.generation.clean_questions import GeneratedQuestion, clean_question, spoken
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import COLORS, MATERIALS, OPPOSITES, QuestionKind
from vantage.questions.lexicon.inflection import plural
from vantage.questions.noise.false_premises import make_questions
from vantage.questions.programs import Query, Verify, program_text, read_program
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import SceneGraph
from vantage.types import NoiseType

ROOM = hand_made()


@cache
def homes() -> tuple[SceneGraph, ...]:
    return tuple(SceneGraph.from_spec(generate_home(seed, 2)) for seed in (1, 2))


def scenes() -> tuple[SceneGraph, ...]:
    return (ROOM, *homes())


def many(kind: QuestionKind, count: int = 60, graph: SceneGraph = ROOM, seed: int = 3) -> list[GeneratedQuestion]:
    facts, rng = Facts(graph), np.random.default_rng(seed)
    return [question for _ in range(count) if (question := clean_question(facts, kind, rng)) is not None]


@each_row("kind", list(QuestionKind))
def test_answers_are_what_the_programs_come_to(kind: QuestionKind) -> None:
    made = [(graph, question) for graph in scenes() for question in many(kind, 20, graph)]
    assert made
    for graph, question in made:
        assert question.program is not None
        assert question.truth.program == program_text(question.program)
        assert read_program(question.truth.program) == question.program
        outcome = execute(question.program, graph)
        assert outcome.problem == ""
        assert outcome.value is not None
        assert question.truth.answer == spoken(outcome.value)


@each_row("kind", list(QuestionKind))
def test_the_text_is_a_plain_question(kind: QuestionKind) -> None:
    for graph in scenes():
        for question in many(kind, 20, graph):
            text = question.text
            assert text.endswith("?")
            assert text[0].isupper()
            assert "  " not in text
            assert not any(wrong in text for wrong in (" ?", " ,", "{", "}", " a a ", " a e", " an b", " the the "))
            assert question.truth.kind == kind.value
            assert question.truth.premise_holds
            assert question.truth.noise_type is NoiseType.NONE


@each_row("kind", list(QuestionKind))
def test_each_kind_comes_in_several_wordings(kind: QuestionKind) -> None:
    openings = {tuple(question.text.split()[:2]) for graph in scenes() for question in many(kind, 40, graph)}
    assert len(openings) >= 3


@each_row("kind", list(QuestionKind))
def test_only_what_can_be_seen_is_a_target(kind: QuestionKind) -> None:
    for graph in scenes():
        facts = Facts(graph)
        for question in many(kind, 20, graph):
            targets = [graph.node(target) for target in question.truth.target_instances]
            assert targets
            assert not any(facts.truths.is_hidden(target) or target.is_structure for target in targets)


def test_the_asked_value_is_not_given_away() -> None:
    for kind in (QuestionKind.COLOR, QuestionKind.ROOM, QuestionKind.TEXT):
        for graph in scenes():
            for question in many(kind, 40, graph):
                if isinstance(question.program, Query):
                    assert question.truth.answer not in question.text.rstrip("?")


def test_colors_and_materials_are_words_of_the_vocabulary() -> None:
    for graph in scenes():
        assert {question.truth.answer for question in many(QuestionKind.COLOR, 40, graph)} <= set(COLORS)
        assert {question.truth.answer for question in many(QuestionKind.MATERIAL, 40, graph)} <= set(MATERIALS)


def test_an_orange_is_not_asked_for_its_color() -> None:
    graph = replace(ROOM, nodes=(*ROOM.nodes, small(50, "orange", -0.6, -0.5, 0.75, "orange", "", 10)))
    assert all(question.truth.target_instances != (50,) for question in many(QuestionKind.COLOR, 100, graph))


def test_a_description_says_no_more_than_is_needed() -> None:
    texts = [question.text for question in many(QuestionKind.COLOR, 200)]
    assert any("the vase" in text for text in texts)
    assert not any("vase on" in text or "glass vase" in text for text in texts)
    mugs = [text for text in texts if "mug" in text]
    assert mugs
    assert all("desk" in text or "plastic" in text for text in mugs)  # the two on the table are just alike


def test_two_tables_are_told_apart() -> None:
    other = node(40, "table", (0.5, -1, 0), (1.2, -0.5, 0.75), "black", "wood")
    for question in many(QuestionKind.COUNT, 60, replace(ROOM, nodes=(*ROOM.nodes, other))):
        if "the table " in question.text or "the table?" in question.text:
            assert "the table next to" in question.text


def test_counts_are_those_of_the_named_support() -> None:
    mugs = {q.truth for q in many(QuestionKind.COUNT, 100) if q.text == "How many mugs are on the brown table?"}
    assert {truth.answer for truth in mugs} == {"2"}
    assert {truth.accepted for truth in mugs} == {("two",)}
    assert {truth.target_instances for truth in mugs} == {(20, 21)}


def test_an_object_nested_in_another_is_not_counted() -> None:
    nodes = (*ROOM.nodes, small(41, "apple", -0.4, -0.6, 0.75, "green", "", 10))
    for question in many(QuestionKind.COUNT, 100, replace(ROOM, nodes=nodes)):
        assert not ("apples" in question.text and "table" in question.text)  # one on it, one in a bowl on it


@pytest.mark.parametrize("kind", [QuestionKind.EXISTENCE, QuestionKind.STATE, QuestionKind.COMPARISON])
def test_yes_and_no_are_as_frequent(kind: QuestionKind) -> None:
    answers = Counter(question.truth.answer for seed in range(2) for question in many(kind, 150, homes()[0], seed))
    decided = answers["yes"] + answers["no"]
    assert decided > 150
    assert 0.4 < answers["yes"] / decided < 0.6


def test_a_object_that_is_not_there_is_looked_for_on_its_support() -> None:
    for graph in scenes():
        facts = Facts(graph)
        for question in many(QuestionKind.EXISTENCE, 60, graph):
            target = graph.node(question.truth.target_instances[0])
            if question.truth.answer == "no":
                assert target in facts.supports
            else:
                assert target.label in question.text or plural(target.label) in question.text


def test_locations_name_the_place() -> None:
    answers = {
        ROOM.node(question.truth.target_instances[0]).label: question.truth.answer
        for question in many(QuestionKind.LOCATION, 150)
    }
    assert answers["apple"] == "in the bowl"
    assert "ball" not in answers  # in a basket, which its name would have to tell
    assert answers["radio"] == "on the desk"
    assert answers["suitcase"] == "on the floor"
    assert "robot" not in answers  # behind a closed door


def test_other_words_for_the_same_answer_are_accepted() -> None:
    for question in many(QuestionKind.STATE, 60, homes()[0]):
        if isinstance(question.program, Verify):
            asked = question.program.value
            assert question.truth.accepted == (asked if question.truth.answer == "yes" else OPPOSITES[asked],)


def test_one_room_gives_no_question_about_rooms() -> None:
    assert many(QuestionKind.ROOM) == []


def test_a_bare_room_gives_no_questions() -> None:
    bare = SceneGraph("bare", 1, ROOM.bounds_min, ROOM.bounds_max, ROOM.nodes[:2])
    assert all(many(kind, 3, bare) == [] for kind in QuestionKind)
    with pytest.raises(SceneError, match="gives fewer than 3"):
        make_questions(bare, 3, 0, np.random.default_rng(0))


def test_the_same_seed_gives_the_same_questions() -> None:
    first, again, other = (make_questions(homes()[0], 10, 10, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_sets_are_even_numbered_and_without_repetition() -> None:
    questions = make_questions(homes()[1], 14, 10, np.random.default_rng(1))
    assert [q.truth.question_id for q in questions] == [f"q{k}" for k in range(1, 25)]
    assert len({q.text for q in questions}) == 24
    assert [q.truth.premise_holds for q in questions] == [True] * 14 + [False] * 10
    assert len({q.truth.kind for q in questions[:14]}) >= 12
    assert set(Counter(q.truth.noise_type for q in questions[14:]).values()) == {2}
