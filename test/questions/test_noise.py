"""Noisy questions: exactly one premise is false, and the gold data say which and what is right."""

import numpy as np
import pytest
from question_scenes import hand_made

from vantage.errors import SceneError
from vantage.questions.facts import Facts
from vantage.questions.kinds import MATERIALS
from vantage.questions.noise import NOISE_TYPES, make_questions, noisy_question
from vantage.types import NoiseType

GRAPH = hand_made()
BY_ID = {n.instance_id: n for n in GRAPH.nodes}
FACTS = Facts(GRAPH)


def many(noise, count=80):
    rng = np.random.default_rng(11)
    return [noisy_question(GRAPH, noise, rng) for _ in range(count)]


def target(question):
    return BY_ID[question.truth.target_instances[0]]


@pytest.mark.parametrize("noise", NOISE_TYPES)
def test_gold_data_are_complete(noise):
    for question in many(noise):
        truth = question.truth
        assert not truth.premise_holds
        assert truth.noise_type is noise
        assert truth.false_claim != truth.correction
        assert truth.kind in ("color", "material", "location")
        assert (truth.answer == "") == (noise is NoiseType.LATENT)
        assert (truth.corrected_question == "") == (noise is NoiseType.LATENT)
        assert question.text != truth.corrected_question


def test_latent_things_are_nowhere():
    labels = {n.label for n in GRAPH.nodes}
    supports = set()
    for question in many(NoiseType.LATENT):
        absent = question.truth.correction.removeprefix("there is no ").split()[0]
        assert absent not in labels
        assert absent in question.text
        supports.update(question.truth.target_instances)
    assert len(supports) >= 3


def test_color_noise_claims_a_color_that_no_such_thing_has():
    for question in many(NoiseType.COLOR):
        thing = target(question)
        claimed = question.truth.false_claim.split()[-1]
        assert claimed in question.text
        assert claimed not in {n.color for n in GRAPH.nodes if n.label == thing.label}
        assert question.truth.correction.endswith(f"is {thing.color}")
        assert thing.color in question.truth.corrected_question
        assert question.truth.answer in (thing.material, FACTS.place(thing))


def test_material_noise_claims_a_material_that_no_such_thing_has():
    for question in many(NoiseType.MATERIAL):
        thing = target(question)
        claimed = question.truth.false_claim.split()[-1]
        assert claimed in MATERIALS
        assert claimed not in {n.material for n in GRAPH.nodes if n.label == thing.label}
        assert question.truth.answer == thing.color


def test_count_noise_asks_about_the_wrong_number_of_equal_things():
    for question in many(NoiseType.COUNT):
        things = [BY_ID[k] for k in question.truth.target_instances]
        assert len({(n.label, n.parent) for n in things}) == 1
        assert "two mugs" in question.truth.correction
        assert "two" in question.truth.corrected_question
        assert question.truth.answer in {things[0].color, things[0].material}
        assert "two" not in question.text


def test_position_noise_names_another_place_for_the_only_such_thing():
    for question in many(NoiseType.POSITION):
        thing = target(question)
        assert sum(n.label == thing.label for n in GRAPH.nodes) == 1
        place = FACTS.place(thing)
        assert question.truth.correction.endswith(place)
        assert place not in question.text
        assert place in question.truth.corrected_question


def test_yields_each_type_in_sets():
    questions = make_questions(GRAPH, 0, 15, np.random.default_rng(2))
    assert {q.truth.noise_type for q in questions} == set(NOISE_TYPES)


def test_refuses_types_that_need_pictures_or_embeddings():
    with pytest.raises(SceneError, match="PERCEPTION"):
        noisy_question(GRAPH, NoiseType.PERCEPTION, np.random.default_rng(0))
