"""Noisy questions: exactly one premise is false, and the gold data say which and what is right."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hand_made import hand_made
from row_tables import each_row

from vantage.errors import SceneError
from vantage.questions.execution import execute
from vantage.questions.generation.clean_questions import GeneratedQuestion
from vantage.questions.generation.facts import Facts
from vantage.questions.kinds import MATERIALS
from vantage.questions.noise.false_premises import NOISE_TYPES, make_questions, noisy_question
from vantage.scenes.generator.generator import generate_home
from vantage.scenes.graph.graph import GraphNode, SceneGraph
from vantage.types import NoiseType

ROOM = hand_made()
HOME = SceneGraph.from_spec(generate_home(2, 2))


def many(noise: NoiseType, count: int = 80, graph: SceneGraph = ROOM) -> list[GeneratedQuestion]:
    facts, rng = Facts(graph), np.random.default_rng(11)
    return [question for _ in range(count) if (question := noisy_question(facts, noise, rng)) is not None]


def target(question: GeneratedQuestion) -> GraphNode:
    return ROOM.node(question.truth.target_instances[0])


@each_row("graph", [ROOM, HOME])
@each_row("noise", NOISE_TYPES)
def test_gold_data_are_complete(noise: NoiseType, graph: SceneGraph) -> None:
    questions = many(noise, 40, graph)
    assert len(questions) == 40
    for question in questions:
        truth = question.truth
        assert not truth.premise_holds
        assert truth.noise_type is noise
        assert truth.false_claim != truth.correction
        assert truth.kind in ("color", "material", "location")
        assert (truth.answer == "") == (noise is NoiseType.LATENT)
        assert (truth.corrected_question == "") == (noise is NoiseType.LATENT)
        assert question.text != truth.corrected_question


@pytest.mark.parametrize("graph", [ROOM, HOME], ids=["room", "home"])
@pytest.mark.parametrize("noise", [noise for noise in NOISE_TYPES if noise is not NoiseType.COUNT])
def test_the_program_finds_nothing_that_the_question_is_about(noise: NoiseType, graph: SceneGraph) -> None:
    for question in many(noise, 40, graph):
        assert question.program is not None
        assert execute(question.program, graph).problem == "none"


def test_latent_objects_are_nowhere() -> None:
    labels = {node.label for node in ROOM.nodes}
    supports: set[int] = set()
    for question in many(NoiseType.LATENT):
        absent = question.truth.correction.removeprefix("there is no ").split()[0]
        assert absent not in labels
        assert absent in question.text
        supports.update(question.truth.target_instances)
    assert len(supports) >= 3


def test_color_noise_claims_a_color_that_no_such_object_has() -> None:
    facts = Facts(ROOM)
    for question in many(NoiseType.COLOR):
        obj = target(question)
        claimed = question.truth.false_claim.split()[-1]
        assert claimed in question.text
        assert claimed not in {node.color for node in ROOM.nodes if node.label == obj.label}
        assert question.truth.correction.endswith(f"is {obj.color}")
        assert obj.color in question.truth.corrected_question
        assert question.truth.answer in (obj.material, facts.place(obj))


def test_material_noise_claims_a_material_that_no_such_object_has() -> None:
    for question in many(NoiseType.MATERIAL):
        obj = target(question)
        claimed = question.truth.false_claim.split()[-1]
        assert claimed in MATERIALS
        assert claimed not in {node.material for node in ROOM.nodes if node.label == obj.label}
        assert question.truth.answer == obj.color


def test_count_noise_asks_about_the_wrong_number_of_equal_objects() -> None:
    for question in many(NoiseType.COUNT):
        objects = [ROOM.node(key) for key in question.truth.target_instances]
        assert len({(node.label, node.parent) for node in objects}) == 1
        assert "two mugs" in question.truth.correction
        assert "two" in question.truth.corrected_question
        assert question.truth.answer in {objects[0].color, objects[0].material}
        assert "two" not in question.text


def test_position_noise_names_another_place_for_the_only_such_object() -> None:
    facts = Facts(ROOM)
    for question in many(NoiseType.POSITION):
        place = facts.place(target(question))
        assert question.truth.correction.endswith(place)
        assert place not in question.text
        assert place in question.truth.corrected_question


def test_yields_each_type_in_sets() -> None:
    questions = make_questions(HOME, 0, 15, np.random.default_rng(2))
    assert {question.truth.noise_type for question in questions} == set(NOISE_TYPES)


def test_refuses_types_that_need_pictures_or_embeddings() -> None:
    with pytest.raises(SceneError, match="PERCEPTION"):
        noisy_question(Facts(ROOM), NoiseType.PERCEPTION, np.random.default_rng(0))


def test_questions_of_search_sets_stay_as_they_are() -> None:
    """Sets are made again from their seeds, so a seed must go on to give the same questions and gold data."""
    questions = make_questions(ROOM, 30, 20, np.random.default_rng(7))
    assert {question.truth.phase for question in questions} == {""}
    assert {question.truth.category for question in questions} == {""}
    told = "\n".join(f"{question.text}|{question.truth}" for question in questions)
    for later in (", phase=''", ", category=''", ", to_weigh=()", ", to_open=()", ", task=None"):
        told = told.replace(later, "")
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == "0b491050acd9297f"
