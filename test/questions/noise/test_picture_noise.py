"""Perception noise from pictures: what a model misreads under Gaussian noise goes into a question."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hand_made import hand_made
from row_tables import each_row
from scripted_models import BrokenModel, RuleModel

from vantage.errors import ModelError, VantageError
from vantage.questions.generation.facts import Facts
from vantage.questions.noise.picture_noise import SIGMA, Misread, disturbed, misread_objects, misread_pair
from vantage.types import NoiseType

ROOM = hand_made()
ALONE = replace(ROOM.node(14), label="chest")  # which nobody takes for the table, as a desk might be
FACTS = Facts(replace(ROOM, nodes=tuple(ALONE if node.instance_id == 14 else node for node in ROOM.nodes)))
IMAGE = np.full((60, 80, 3), 120, np.uint8)
INSTANCES = np.zeros((60, 80), np.int32)
INSTANCES[10:30, 10:30] = 22  # the vase on the table
INSTANCES[10:30, 40:60] = 27  # the radio on the chest
INSTANCES[30:60, :] = 1  # the floor


def box(left: int, top: int, right: int, bottom: int) -> list[float]:
    """Pixels as the model is asked for them."""
    return [1000 * left / 80, 1000 * top / 60, 1000 * right / 80, 1000 * bottom / 60]


def reply(*objects: tuple[str, list[float]]) -> str:
    return json.dumps({"objects": [{"label": label, "box": place} for label, place in objects]})


VASE, RADIO = box(10, 10, 30, 30), box(40, 10, 60, 30)


def objects(text: str) -> tuple[Misread, ...]:
    return misread_objects(RuleModel(text), IMAGE, INSTANCES, FACTS, np.random.default_rng(0))


def test_noise_has_the_deviation_asked_for() -> None:
    noisy = disturbed(IMAGE, np.random.default_rng(0), 0.05)
    assert noisy.dtype == np.uint8
    assert noisy.shape == IMAGE.shape
    assert float(np.std(noisy)) == pytest.approx(0.05 * 255, rel=0.03)
    assert float(np.mean(noisy)) == pytest.approx(120, abs=0.5)
    assert np.array_equal(disturbed(IMAGE, np.random.default_rng(0), 0.0), IMAGE)
    assert np.array_equal(noisy, disturbed(IMAGE, np.random.default_rng(0), 0.05))


def test_the_model_sees_the_disturbed_picture() -> None:
    seen = []
    model = RuleModel(lambda prompt, image: seen.append(image) or reply())
    assert misread_objects(model, IMAGE, INSTANCES, FACTS, np.random.default_rng(4)) == ()
    assert np.array_equal(seen[0], disturbed(IMAGE, np.random.default_rng(4), SIGMA))


def test_what_is_read_rightly_is_left_out() -> None:
    assert objects(reply(("vase", VASE), ("Radio", RADIO))) == ()
    assert objects(reply(("bottles", VASE), ("radio", RADIO))) == (Misread(22, "bottle"),)


@pytest.mark.parametrize(
    "place", [box(0, 0, 8, 8), box(10, 10, 80, 60), box(30, 30, 10, 10), [0, 0, 0, 0], [-1e9, -5, 1e9, 1e12]]
)
def test_boxes_that_show_no_one_object_are_left_out(place: list[float]) -> None:
    assert objects(reply(("lantern", place))) == ()


def test_what_is_misread_goes_into_a_question() -> None:
    model = RuleModel(reply(("vase", VASE), ("toaster", RADIO)))
    pair = misread_pair(model, IMAGE, INSTANCES, FACTS, np.random.default_rng(2))
    assert pair is not None
    assert pair.noisy.truth.noise_type is NoiseType.PERCEPTION
    assert pair.noisy.truth.target_instances == (27,)
    assert "toaster" in pair.noisy.text
    assert "radio" in pair.clean.text
    assert not pair.false.holds(FACTS.graph)
    assert pair.true.holds(FACTS.graph)


def test_nothing_misread_gives_no_pair() -> None:
    for text in (reply(), reply(("vase", VASE)), reply(("mug", RADIO)), reply(("", RADIO))):
        assert misread_pair(RuleModel(text), IMAGE, INSTANCES, FACTS, np.random.default_rng(1)) is None


@each_row(
    "text",
    [
        *("", "nothing", "[]", "[" * 5000, '{"objects": 3}', '{"objects": [3]}', '{"objects": [{"label": "x"}]}'),
        reply(("x", [1, 2])),
        '{"objects": [{"label": "x", "box": ["a", 1, 2, 3]}]}',
        '{"objects": [{"label": "x", "box": [NaN, 0, 10, 10]}]}',
    ],
)
def test_replies_in_another_form_are_named(text: str) -> None:
    with pytest.raises(ModelError, match="did not list what it sees"):
        objects(text)


def test_a_model_that_fails_fails_the_call() -> None:
    with pytest.raises(ModelError, match="does not answer"):
        misread_pair(BrokenModel(), IMAGE, INSTANCES, FACTS, np.random.default_rng(1))


def test_image_and_ids_must_be_of_one_view() -> None:
    with pytest.raises(VantageError, match="instance ids"):
        misread_objects(RuleModel(reply()), IMAGE, INSTANCES[:10], FACTS, np.random.default_rng(0))
